"""What solvers of integer programs can do alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from backends.integer_programs import INTERVALS
from backends.integer_programs.draft import IntegerProgramDraft
from backends.integer_programs.handlers import HANDLERS
from backends.integer_programs.searching import find_refusal, find_unsupported
from backends.interface.api import Ask, Limits
from backends.interface.libraries.making import LibrarySolver
from backends.interface.session import Capabilities
from modelling.problem import Structure


class IntegerProgramSolver(LibrarySolver):
    """A solver with a draft of an integer program. Its claims about all solutions are not exact,
    and it enumerates at most ``most_solutions``, if that is not None."""

    handlers = HANDLERS
    encode = IntegerProgramDraft

    def __init__(
        self,
        name: str,
        family: str,
        *,
        backend: str = "",
        module: str = "",
        threads: bool = False,
        most_solutions: int | None = None,
    ) -> None:
        capabilities = Capabilities(
            family=family,
            improves=True,
            fixes=True,
            threads=threads,
            exact=False,
            projects=True,
            intervals=INTERVALS,
            narrows=False,  # their own presolve does, and the search is shorter as often as longer
            most_solutions=most_solutions,
        )
        super().__init__(name, capabilities, backend, module)

    def refusal(self, structure: Structure, encode: Callable[[], Any]) -> str:
        """Values and sums that it may not tell from others."""
        return find_refusal(structure, encode)

    def unsupported(self, ask: Ask, limits: Limits) -> tuple[str, str] | None:
        """More solutions than it enumerates."""
        return None if self.capabilities.most_solutions is None else find_unsupported(ask)
