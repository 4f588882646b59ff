"""The solver HiGHS: what it can do, and what it refuses."""

from __future__ import annotations

from backends.highs.parameters import PARAMETERS
from backends.highs.search import HighsSession
from backends.integer_programs.draft import IntegerProgramDraft
from backends.integer_programs.searching import MOST_SOLUTIONS
from backends.integer_programs.solver import IntegerProgramSolver
from backends.interface.libraries.making import maker
from backends.interface.options import Option
from backends.interface.session import Call

OPTIONS: tuple[Option, ...] = ()


class Highs(IntegerProgramSolver):
    """Inexact; statistics: nodes, lp_iterations."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "highs", threads=True, most_solutions=MOST_SOLUTIONS)
        self.threads = 0

    def open(self, draft: IntegerProgramDraft, call: Call) -> HighsSession:
        """One model."""
        threads = call.limits.threads or 1
        self.use_threads(threads)
        return HighsSession(self.name, self.library, draft, call, threads, self.parameters)

    def use_threads(self, number: int) -> None:
        """The threads of HiGHS belong to the process, and are started once for a number of them."""
        if self.threads not in (0, number):
            self.library.Highs.resetGlobalScheduler(True)
        self.threads = number


make = maker("highs", OPTIONS, Highs, PARAMETERS)
