"""Tasks in time, boxes in the plane, and items in bins."""
