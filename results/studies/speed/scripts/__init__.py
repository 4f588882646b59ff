"""The scripts that solvers' documentation would have their users write; nothing of Concord in them.

``small_models``, beside this room, has what is to be solved, as plain numbers. Each solver has a
file, ``BESIDE`` says which backend it stands beside, and each file has one function a model:
``queens``, ``send_more``, ``golomb`` and ``pigeons`` take nothing and return a function that takes
nothing and returns the solutions; ``sudoku(limit)`` returns a function that takes a puzzle's text.
The outer function imports the solver and prepares what can be kept between calls where the
library's own examples do: clauses are listed once, models of a library that has model objects are
built for each call. The inner one is timed.

What scripts share with the backends beside them is the solver, its number of workers, and the
formulation as far as the solver's language has it.

A new solver: a file with the five functions, and a line in ``BESIDE``.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

BESIDE = {
    "cpsat": "cpsat",
    "sat": "sat",
    "python_constraint": "python_constraint",
    "choco": "choco",
    "clingo": "clingo",
    "scip": "scip",
    "highs": "highs",
    "mathopt": "mathopt",
    "pumpkin": "pumpkin",
    "bitwuzla": "bitwuzla",
    "toulbar2": "toulbar2",
    "exact": "exact",
    "z3": "z3",
    "minizinc": "programs.minizinc",
    "xcsp3": "programs.xcsp3",
    "command:dimacs:cadical -q": "programs.dimacs",
}
"""The script's file by the backend's name, with options where the script is about them."""


def scripts_of(backend: str) -> ModuleType:
    """The scripts beside a backend; the solver is not imported yet."""
    return import_module(f"{__name__}.{BESIDE[backend]}")
