"""The solver that learns: one search in slices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backends.interface.session import Call, Capabilities, SessionReport
from backends.propagation.encode.arena import Arena, Form, Search
from backends.propagation.encode.draft import Draft, Posted, begin, post_linear
from backends.propagation.forms import compiled_learning_form, pure_learning_form
from backends.propagation.kernel import facts as of
from backends.propagation.kernel.layout import LOWER_BOUND
from backends.propagation.learning.handlers import HANDLERS
from backends.propagation.learning.memory import NO_AIMS, Aims, begin_memory, enlarge
from backends.propagation.learning.search import BOTH, HALVES, LINEAR, LOWER, STRATIFIED
from backends.propagation.propagators.linear import objective_at_most
from backends.propagation.solver import (
    Configuration,
    Encoding,
    Propagation,
    PropagationSession,
    terms_of,
)
from modelling.problem import Structure

AUTO = -1
OBJECTIVES: Mapping[str, int] = {
    "auto": AUTO,
    "linear": LINEAR,
    "lower": LOWER,
    "halves": HALVES,
    "stratified": STRATIFIED,
    "both": BOTH,
}
Terms = Sequence[tuple[int, int]]
"""Variables and their factors; the sum is to be least."""


@dataclass
class AimedEncoding(Encoding):
    """What is kept of a structure, and how the search approaches the least objective."""

    aims: Aims = NO_AIMS


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

    def finish(self, draft: Draft) -> AimedEncoding:
        """What is kept of a structure."""
        rule = OBJECTIVES[self.configuration.objective]
        if rule == AUTO:  # lower bounds of tours are tight
            rule = LINEAR if draft.bound is None else BOTH
        objective = draft.structure.objective
        if rule == LINEAR or objective is None or not draft.possible:
            return AimedEncoding(draft)
        terms: Terms = terms_of(objective)
        if rule == STRATIFIED:
            terms = sorted(terms, key=lambda term: -abs(term[1]))
        else:
            terms = self.one_term(draft, terms)
        return AimedEncoding(draft, aims=Aims(rule, [4 * v + (factor > 0) for v, factor in terms]))

    def one_term(self, draft: Draft, terms: Terms) -> Terms:
        """The terms of an objective as one: a variable or its opposite, which may be new."""
        if draft.bound is not None:
            return [(draft.bound.scope[0], 1)]
        if [abs(factor) for _, factor in terms] in ([], [1]):
            return terms
        total = self.post_total(draft, terms)
        draft.bound = Posted(objective_at_most, (total,), (LOWER_BOUND,), [1, 1], idempotent=True)
        return [(total, 1)]

    def post_total(self, draft: Draft, terms: Terms) -> int:
        """A variable that equals a sum."""
        ends = [
            sorted((factor * draft.domains[v][0], factor * draft.domains[v][-1]))
            for v, factor in terms
        ]
        total = draft.variable(range(sum(a for a, _ in ends), sum(b for _, b in ends) + 1))
        post_linear(draft, "==", [*terms, (total, -1)], 0)
        return total

    def open(self, encoding: Encoding, call: Call) -> LearningSession:
        """A search from the first fixed point on."""
        return LearningSession(self.configuration, self.form, encoding, call)


class LearningSession(PropagationSession):
    """One search that learns; for an optimum it continues after each incumbent with a tighter
    bound."""

    def _memory(self, arena: Arena, S: Any) -> Any:
        draft = self.encoding.draft
        aims = NO_AIMS if self.objective is None else getattr(self.encoding, "aims", NO_AIMS)
        M, self.room = begin_memory(arena, S, draft.clauses, self._settings(), aims)
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
