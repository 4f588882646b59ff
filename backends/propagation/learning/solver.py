"""The solver that learns: one search in slices."""

from __future__ import annotations

from typing import Any

from backends.interface.session import Call, Capabilities, SessionReport
from backends.propagation.encode.arena import Arena, Form, Search
from backends.propagation.encode.draft import Draft, begin
from backends.propagation.forms import compiled_learning_form, pure_learning_form
from backends.propagation.kernel import facts as of
from backends.propagation.learning.handlers import HANDLERS
from backends.propagation.learning.memory import begin_memory, enlarge
from backends.propagation.solver import Configuration, Encoding, Propagation, PropagationSession
from modelling.problem import Structure


class Learning(Propagation):
    """Complete; statistics: nodes, failures, propagations, peak_depth, restarts, and of clauses."""

    capabilities = Capabilities(family="propagation", improves=True, fixes=True)
    handlers = HANDLERS

    def __init__(self, name: str, configuration: Configuration) -> None:
        self.name = name
        self.configuration = configuration
        is_compiled = configuration.form == "compiled"
        self.form = compiled_learning_form() if is_compiled else pure_learning_form()

    def encode(self, structure: Structure) -> Draft:
        """The variables of a structure."""
        return begin(structure, explains=True)

    def open(self, encoding: Encoding, call: Call) -> LearningSession:
        """A search from the first fixed point on."""
        return LearningSession(self.configuration, self.form, encoding, call)


class LearningSession(PropagationSession):
    """One search that learns; for an optimum it continues after each incumbent with a tighter
    bound."""

    def _memory(self, arena: Arena, S: Any) -> Any:
        draft = self.encoding.draft
        M, self.room = begin_memory(arena, S, draft.clauses, self._settings())
        return M

    def _grow(self, search: Search) -> Search:
        found, self.room = enlarge(search, self.form, self.room)
        return found

    def _compiled_form(self) -> Form:
        return compiled_learning_form()

    def report(self) -> SessionReport:
        found = super().report()
        M: Any = [0] * of.LEARNING_HEAD if self.search is None else self.search.M
        more = {name: int(M[place]) for name, place in LEARNING_STATISTICS.items()}
        return found._replace(statistics={**found.statistics, **more})


LEARNING_STATISTICS = {
    "learned": of.M_LEARNED,
    "literals": of.M_LITERALS,
    "minimised": of.M_MINIMISED,
    "forgotten": of.M_FORGOTTEN,
}
