"""Families in which nothing forbidden may be of one colour: a family a file."""
