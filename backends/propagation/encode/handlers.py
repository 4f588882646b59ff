"""Which constraints have a propagator, and how each is posted. All others are rewritten."""

from __future__ import annotations

from backends.interface.handlers import Condition, Handler, Handlers
from backends.propagation.encode import (
    arithmetic,
    clauses,
    counting,
    extension,
    formulas,
    graphs,
    scheduling,
)
from backends.propagation.encode.draft import OPPOSITE, Draft, merge, post_linear
from modelling.constraints import Linear, NotEqual
from modelling.terms import affine


def post_difference(draft: Draft, constraint: NotEqual) -> None:
    """A fixed value leaves the other variable."""
    one, other = constraint.terms
    if type(one) is int and type(other) is int:
        draft.differ(one, other, 0)
        return
    (x, k, c), (y, m, d) = affine(one), affine(other)
    pairs = [(v, f) for v, f in ((x, k), (y, -m)) if v is not None]
    post_linear(draft, "!=", pairs, d - c)


def post_sum(draft: Draft, constraint: Linear, condition: Condition | None = None) -> None:
    """One propagator, or a pair of rivals; two propagators where the condition is equivalent."""
    if condition is None and constraint.relation == "!=" and constraint.coefficients == (1, -1):
        x, y = constraint.terms
        if type(x) is int and type(y) is int:  # thousands of these in a board of queens
            draft.differ(x, y, -constraint.constant)
            return
    terms, constant = [], constraint.constant
    for term, coefficient in zip(constraint.terms, constraint.coefficients, strict=True):
        if type(term) is int:
            terms.append((term, coefficient))
            continue
        variable, factor, offset = affine(term)
        constant -= coefficient * offset
        if variable is not None:
            terms.append((variable, coefficient * factor))
    if condition is None:
        post_linear(draft, constraint.relation, terms, constant)
        return
    pairs = merge(terms)
    relation = constraint.relation
    if not draft.explains and formulas.post_literal(draft, relation, pairs, constant, condition):
        return
    variable, value, is_full = condition
    post_linear(draft, constraint.relation, terms, constant, (variable, value))
    if is_full:
        opposite = OPPOSITE[constraint.relation]
        post_linear(draft, opposite, terms, constant, (variable, 1 - value))


HANDLERS: Handlers = {
    NotEqual: Handler(post_difference, arguments="affine"),
    Linear: Handler(post_sum, modes=("root", "half", "full"), arguments="affine"),
    **extension.HANDLERS,
    **arithmetic.HANDLERS,
    **clauses.HANDLERS,
    **graphs.HANDLERS,
    **scheduling.HANDLERS,
    **counting.HANDLERS,
}
