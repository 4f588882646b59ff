"""The verbs of the command line; importing a file makes its verbs known.

A verb reads its options, calls one function of a room below, and prints what comes back.
"""

ORDER = [
    "experiments",
    "puzzles",
    "sudoku",
    "runs",
    "tables",
    "inventory",
]
"""The files, in the order in which `concord --help` lists their verbs."""
