"""Puzzles from full grids: which clues go, which stay, and what becomes of the number of solutions.

All of it works on many grids of one layout side by side, each with draws of its own: what becomes
of a grid depends on nothing but the grid and its stream.
"""
