"""Families of sequences, series and rulers: a family a file."""
