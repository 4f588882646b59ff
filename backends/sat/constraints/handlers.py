"""What the SAT backend takes natively, and who writes it.

Formulas, their sums and truth values are taken whole: a gate for each part (``formulas``). What
else is here is shorter or faster than what it would be rewritten to; the times, also of handlers
that were tried and are not here, are in ``results/reference/sat_encodings``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from backends.interface.handlers import Handler, Handlers
from backends.sat.constraints.automaton import is_deterministic, regular
from backends.sat.constraints.circuit import circuit
from backends.sat.constraints.clauses import post_clauses
from backends.sat.constraints.cumulative import cumulative, has_few_times
from backends.sat.constraints.different import all_different, not_equal
from backends.sat.constraints.formulas import define, has_literals, post
from backends.sat.constraints.functions import (
    element,
    extreme,
    has_few_steps,
    is_element,
    is_mapped,
    mapping,
)
from backends.sat.constraints.inverse import inverse
from backends.sat.constraints.table import post_table
from backends.sat.draft import SatDraft
from modelling.constraint import Constraint
from modelling.constraints import (
    AllDifferent,
    And,
    Element,
    Iff,
    Implies,
    Linear,
    Not,
    NotEqual,
    Or,
    Sum,
    Table,
    Truth,
    Xor,
)
from modelling.rewriting.profile import Mode
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.formulas.clauses import Clauses
from modelling.vocabulary.functions.distance import Distance
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.functions.multiplication import Product, Quotient, Remainder
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.graphs.inverse import Inverse
from modelling.vocabulary.scheduling.cumulative import Cumulative

EVERYWHERE: frozenset[Mode] = frozenset({"root", "half", "full"})


def _possible(write: Callable[[SatDraft, Any], None]) -> Callable[[SatDraft, Any], None]:
    """Writes nothing where a variable has no value: the formula is false as it is."""

    def posted(draft: SatDraft, constraint: Constraint) -> None:
        if not draft.impossible:
            write(draft, constraint)

    return posted


def _formula(draft: SatDraft, formula: Constraint) -> None:
    if not draft.is_used(formula):
        post(draft, formula)


def _linear(draft: SatDraft, formula: Linear) -> None:
    """As most models have it, over direct encodings, without the way by comparisons."""
    literals = draft.direct_literals(formula.scope) if formula.is_plain else None
    relation, constant = formula.relation, formula.constant
    if literals is None or not draft.writer.draw(
        literals, formula.coefficients, relation, constant
    ):
        post(draft, formula)


_SOME_FORMULA = Handler(_possible(_formula), EVERYWHERE, arguments="nested")
_MAPPING = Handler(_possible(mapping), when=is_mapped, arguments="affine")
_EXTREME = Handler(_possible(extreme), when=has_few_steps, arguments="affine")
_DEFINED = Handler(_possible(define), when=has_literals, arguments="nested")

HANDLERS: Handlers = {
    AllDifferent: Handler(_possible(all_different)),
    NotEqual: Handler(_possible(not_equal), EVERYWHERE),
    Linear: Handler(_possible(_linear), EVERYWHERE, has_literals, arguments="nested"),
    Table: Handler(_possible(post_table), EVERYWHERE),
    And: _SOME_FORMULA,
    Or: _SOME_FORMULA,
    Not: _SOME_FORMULA,
    Implies: _SOME_FORMULA,
    Iff: _SOME_FORMULA,
    Xor: _SOME_FORMULA,
    Truth: _DEFINED,
    Sum: _DEFINED,
    Element: Handler(_possible(element), when=is_element, arguments="affine"),
    Minimum: _EXTREME,
    Maximum: _EXTREME,
    Distance: _MAPPING,
    Product: _MAPPING,
    Quotient: _MAPPING,
    Remainder: _MAPPING,
    Clauses: Handler(_possible(post_clauses), arguments="affine"),
    Circuit: Handler(_possible(circuit), arguments="affine"),
    Inverse: Handler(_possible(inverse), arguments="affine"),
    Regular: Handler(_possible(regular), when=is_deterministic, arguments="affine"),
    Cumulative: Handler(_possible(cumulative), when=has_few_times, arguments="affine"),
}
