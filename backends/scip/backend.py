"""The solver SCIP: what it can do, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from backends.integer_programs import INTERVALS
from backends.integer_programs.draft import Draft
from backends.integer_programs.handlers import HANDLERS
from backends.integer_programs.searching import find_refusal
from backends.interface.driver import Driver
from backends.interface.options import Option, canonical, parse
from backends.interface.registry import require
from backends.interface.session import Call, Capabilities
from backends.scip.search import Search
from modelling.problem import Structure
from modelling.versions import find_version

INSTALL = "pip install 'solver-concord[scip]'"

OPTIONS: tuple[Option, ...] = ()


def make(options: str = "") -> Driver:
    """The backend; it has no options."""
    name = canonical("scip", OPTIONS, parse("scip", OPTIONS, options))
    return Driver(name, Scip(name))


class Scip:
    """Inexact; statistics: nodes, restarts, lp_iterations."""

    handlers = HANDLERS
    encode = Draft

    def __init__(self, name: str) -> None:
        self.name = name
        self.library = require("pyscipopt", "pyscipopt", "scip", INSTALL)
        self.capabilities = Capabilities(
            family="scip",
            version=find_version("pyscipopt"),
            improves=True,
            fixes=True,
            exact=False,
            projects=True,
            intervals=INTERVALS,
            narrows=False,  # their own presolve does, and the search is shorter as often as longer
        )

    def refusal(self, structure: Structure, encode: Callable[[], Any]) -> str:
        """Values and sums that it may not tell from others."""
        return find_refusal(structure, encode)

    def open(self, draft: Draft, call: Call) -> Search:
        """One model."""
        return Search(self.name, self.library, draft, call)
