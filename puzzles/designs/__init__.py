"""Families of combinatorial designs: a family a file."""
