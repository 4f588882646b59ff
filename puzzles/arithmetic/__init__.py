"""Families about sums: a family a file."""
