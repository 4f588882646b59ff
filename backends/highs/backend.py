"""The solver HiGHS: what it can do, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from backends.highs.search import Search
from backends.integer_programs import INTERVALS
from backends.integer_programs.draft import Draft
from backends.integer_programs.handlers import HANDLERS
from backends.integer_programs.searching import MOST_SOLUTIONS, find_refusal, find_unsupported
from backends.interface.api import Ask, Limits
from backends.interface.driver import Driver
from backends.interface.options import Option, canonical, parse
from backends.interface.registry import require
from backends.interface.session import Call, Capabilities
from modelling.problem import Structure
from modelling.versions import find_version

INSTALL = "pip install 'solver-concord[highs]'"

OPTIONS: tuple[Option, ...] = ()


def make(options: str = "") -> Driver:
    """The backend; it has no options."""
    name = canonical("highs", OPTIONS, parse("highs", OPTIONS, options))
    return Driver(name, Highs(name))


class Highs:
    """Inexact; statistics: nodes, lp_iterations."""

    handlers = HANDLERS
    encode = Draft

    def __init__(self, name: str) -> None:
        self.name = name
        self.library = require("highspy", "highspy", "highs", INSTALL)
        self.threads = 0
        self.capabilities = Capabilities(
            family="highs",
            version=find_version("highspy"),
            improves=True,
            fixes=True,
            threads=True,
            exact=False,
            projects=True,
            intervals=INTERVALS,
            narrows=False,  # their own presolve does, and the search is shorter as often as longer
            most_solutions=MOST_SOLUTIONS,
        )

    def refusal(self, structure: Structure, encode: Callable[[], Any]) -> str:
        """Values and sums that it may not tell from others."""
        return find_refusal(structure, encode)

    def unsupported(self, ask: Ask, limits: Limits) -> tuple[str, str] | None:
        """More solutions than it enumerates."""
        return find_unsupported(ask)

    def open(self, draft: Draft, call: Call) -> Search:
        """One model."""
        threads = call.limits.threads or 1
        self.use_threads(threads)
        return Search(self.name, self.library, draft, call, threads)

    def use_threads(self, number: int) -> None:
        """The threads of HiGHS belong to the process, and are started once for a number of them."""
        if self.threads not in (0, number):
            self.library.Highs.resetGlobalScheduler(True)
        self.threads = number
