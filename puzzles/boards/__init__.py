"""Families of patterns on a board: a family a file."""
