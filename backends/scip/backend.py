"""The solver SCIP: what it can do, and what it refuses."""

from __future__ import annotations

from backends.integer_programs.draft import IntegerProgramDraft
from backends.integer_programs.solver import IntegerProgramSolver
from backends.interface.libraries.making import maker
from backends.interface.options import Option
from backends.interface.session import Call
from backends.scip.parameters import PARAMETERS
from backends.scip.search import ScipSession

OPTIONS: tuple[Option, ...] = ()


class Scip(IntegerProgramSolver):
    """Inexact; statistics: nodes, restarts, lp_iterations."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "scip")

    def open(self, draft: IntegerProgramDraft, call: Call) -> ScipSession:
        """One model."""
        return ScipSession(self.name, self.library, draft, call, self.parameters)


make = maker("scip", OPTIONS, Scip, PARAMETERS)
