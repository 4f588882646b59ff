"""The scripts that solvers' documentation would have their users write; nothing of Concord in them.

``small_models``, beside this room, has the models as plain numbers. Each solver has a file,
``BESIDE`` names it for each backend, and each file has one function a model:
each of the five takes nothing and returns the *script*: a function that takes nothing and returns
the solutions. The outer function prepares what can be kept between calls where the library's own
examples do, and the inner one is timed: clauses are listed once, and models of a library that has
model objects are built for each call (``built_each_call``).

A script shares with its backend the solver, its number of workers, and the formulation as far as
the solver's language has it. Constraint solvers spell the models out: functions in common for
``cpsat``, ``choco``, ``pumpkin`` and ``bitwuzla`` made short scripts up to 6% slower.

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
    """Import the scripts beside a backend, and the solver."""
    return import_module(f"{__name__}.{BESIDE[backend]}")
