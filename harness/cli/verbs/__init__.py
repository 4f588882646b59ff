"""The verbs of the command line: importing this makes all of them known to ``app``.

A verb reads its options, calls one function of a room below, and prints what comes back; heavy
imports happen in the verbs that need them.
"""

from importlib import import_module

from harness.cli.command import app

for _name in (
    "experiments",
    "advice",
    "puzzles",
    "generate",
    "convert",
    "sudoku",
    "runs",
    "tables",
    "differences",
    "solvers",
    "evidence.conform",
    "evidence.selftest",
    "evidence.fuzz",
    "evidence.shrink",
    "releases",
    "compiling",
    "inventory",
):
    import_module(f"{__name__}.{_name}")  # in the order in which `concord --help` lists them

__all__ = ["app"]
