"""The verbs of the command line; importing a file makes its verbs known.

A verb reads its options, calls one function of a room below, and prints what comes back.
"""

ORDER = [
    "compare",
    "run",
    "solve",
    "generate",
    "grade",
    "explain",
    "convert",
    "symmetry",
    "runs",
    "tables",
    "replay",
    "merge",
    "backends",
    "sets",
]
"""The files, in the order in which `concord --help` lists their verbs."""
