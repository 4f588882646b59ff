"""Puzzles: made, and read from damaged files.

mutations   10,000 damaged files of every Sudoku format
set_making  makes the generated sets that ship, bit for bit

``mutants`` belongs to mutations.
"""
