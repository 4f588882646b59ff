"""Tasks in time and boxes in the plane, and what they share."""
