"""Makes the Sudoku sets that ship: recipes, the making of a set, its head, and the check of it.

python -m results.studies.puzzles.set_making              make all of them again
python -m results.studies.puzzles.set_making NAME...      some of them
python -m results.studies.puzzles.set_making --check      say whether what ships is what comes out
"""
