"""Puzzle families: read instances, state them as problems, check, draw and write; puzzle sets."""
