"""The verbs of the command line, one a file; importing a file makes its verb known."""

ORDER = [
    # fmt: off
    "compare",
    "run",
    "solve",
    "table",
    "export",
    "backends",
    "sets",
    # fmt: on
]
"""The files, in the order in which `concord --help` lists their verbs."""
