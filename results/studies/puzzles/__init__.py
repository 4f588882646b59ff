"""Puzzles: made, graded, disguised, and read from damaged files; mostly Sudoku.

generation  puzzles generated: speed, memory, and all checked by other solvers
grading     techniques beside their definitions; human grade and solver effort
mutations   10,000 damaged files of every Sudoku format
set_making  makes the generated sets that ship, bit for bit
uniformity  whether each way of making full grids makes every grid as often

``mutants`` belongs to mutations.
"""
