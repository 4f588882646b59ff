"""Constraints about how often values occur, and in which order."""
