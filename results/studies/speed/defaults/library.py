"""Backends under the settings of their libraries, as ``py:`` names them.

Each has the encoding of Concord's own backend, so that nothing but the settings differs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from backends.cpsat.backend import CpSat
from backends.cpsat.configuration import AUTO, LIBRARY, Plan
from backends.interface.api import Ask, Limits
from backends.interface.driver import Driver
from backends.interface.session import Call
from backends.z3.backend import Z3, Z3Session
from backends.z3.draft import Z3Draft
from modelling.problem import Structure


class _GeneralSolvers:
    """z3 whose solvers for a logic are its general ones."""

    def __init__(self, z3: Any) -> None:
        self._z3 = z3

    def __getattr__(self, name: str) -> Any:
        return getattr(self._z3, name)

    def SolverFor(self, logic: str, ctx: Any) -> Any:  # noqa: N802 - z3's name
        return self._z3.Solver(ctx=ctx)


class DefaultCpSat(CpSat):
    """CP-SAT over integers, with its own presolve and branching, without a trial."""

    def plan_call(self, structure: Structure, ask: Ask, limits: Limits) -> Plan:
        return Plan(None, replace(LIBRARY, guarded=False))


class DefaultZ3(Z3):
    """z3's general solver, which chooses its tactics by the formula, in place of ``QF_FD``."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.library = _GeneralSolvers(self.library)

    def open(self, draft: Z3Draft, call: Call) -> Z3Session:
        search = super().open(draft, call)
        search.configuration = "general"
        return search


def cpsat() -> Driver:
    """CP-SAT by its own defaults, with one worker."""
    options = {"formulation": AUTO, "presolve": AUTO, "search": AUTO, "workers": "1"}
    return Driver("library_cpsat", DefaultCpSat("library_cpsat", **options))


def z3() -> Driver:
    """z3 by its own defaults."""
    return Driver("library_z3", DefaultZ3("library_z3"))
