"""Structures, problems, constraints, independent checking and the brute-force oracle."""
