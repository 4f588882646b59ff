"""The solver that learns: what it takes natively, and one search in slices."""

from __future__ import annotations

from typing import Any

from backends.interface.handlers import Condition, Handler, Handlers
from backends.interface.session import Call, Capabilities, SessionReport
from backends.propagation.encode import clauses, handlers
from backends.propagation.encode.arena import Arena, Form, Search
from backends.propagation.encode.counting import post_all_different
from backends.propagation.encode.draft import Draft, begin
from backends.propagation.forms import compiled_learning_form, pure_learning_form
from backends.propagation.kernel import facts as of
from backends.propagation.kernel.facts import LEAST, MOST
from backends.propagation.learning import scheduling
from backends.propagation.learning.memory import Literal, begin_memory, enlarge
from backends.propagation.solver import Configuration, Encoding, Propagation, PropagationSession
from modelling.constraints import AllDifferent, Linear, NotEqual, Table
from modelling.problem import Structure
from modelling.rewriting.profile import Variables
from modelling.terms import affine


def post_sum(draft: Draft, constraint: Linear, condition: Condition | None = None) -> None:
    """A clause where a sum of truth values says no more; else a propagator."""
    clause = clause_of(draft, constraint) if condition is None else None
    if clause is None:
        handlers.post_sum(draft, constraint, condition)
    else:
        draft.clauses.append(clause)


def clause_of(draft: Draft, constraint: Linear) -> list[Literal] | None:
    """The literals one of which a sum over 0 and 1 requires; None if it says more."""
    sign = {">=": 1, ">": 1, "<=": -1, "<": -1}.get(constraint.relation)
    if sign is None:
        return None
    constant = sign * constraint.constant
    if constraint.relation in "<>":
        constant += 1
    literals = []
    for term, coefficient in zip(constraint.terms, constraint.coefficients, strict=True):
        variable, factor, offset = affine(term)
        constant -= sign * coefficient * offset
        if variable is None or factor * coefficient == 0:
            continue
        weight = sign * coefficient * factor
        if abs(weight) != 1 or tuple(draft.domains[variable]) != (0, 1):
            return None
        if weight == 1:
            literals.append((4 * variable + LEAST, 1))
        else:
            literals.append((4 * variable + MOST, 0))
            constant += 1
    if constant != 1 or len({slot >> 2 for slot, _ in literals}) < len(literals):
        return None
    return literals


def is_plain_difference(constraint: AllDifferent, variables: Variables) -> bool:
    """Whether no value is excepted."""
    return not constraint.except_


HANDLERS: Handlers = {
    AllDifferent: Handler(post_all_different, arguments="affine", when=is_plain_difference),
    NotEqual: handlers.HANDLERS[NotEqual],
    **scheduling.HANDLERS,
    **clauses.HANDLERS,
    Table: handlers.HANDLERS[Table],
    Linear: Handler(post_sum, modes=("root", "half", "full"), arguments="affine"),
}


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
