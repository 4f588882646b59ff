"""Constraints as clauses: one file for what is written alike; ``handlers`` is the list."""
