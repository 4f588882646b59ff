"""Which of the values are equal, and which are not."""
