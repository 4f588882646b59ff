"""The verbs of the command line, one a file; importing a file makes its verb known."""

ORDER = [
    "compare",
    "run",
    "solve",
    "generate",
    "grade",
    "explain",
    "convert",
    "scramble",
    "canonical",
    "table",
    "export",
    "replay",
    "watch",
    "merge",
    "backends",
    "sets",
]
"""The files, in the order in which `concord --help` lists their verbs."""
