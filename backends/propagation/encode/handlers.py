"""Which constraints have a propagator, and how each is posted. All others are rewritten."""

from __future__ import annotations

from backends.interface.handlers import Condition, Handler, Handlers
from backends.propagation.encode import extension, graphs, scheduling
from backends.propagation.encode.draft import OPPOSITE, Draft, post_linear
from modelling.constraints import AllDifferent, Linear, NotEqual
from modelling.terms import affine


def post_difference(draft: Draft, constraint: NotEqual) -> None:
    """A fixed value leaves the other variable."""
    (x, k, c), (y, m, d) = [affine(term) for term in constraint.terms]
    pairs = [(v, f) for v, f in ((x, k), (y, -m)) if v is not None]
    post_linear(draft, "!=", pairs, d - c)


def post_all_different(draft: Draft, constraint: AllDifferent) -> None:
    """A group, or pairs where a variable occurs twice."""
    terms = [draft.shifted(term) for term in constraint.terms]
    if any(term.factor != 1 for term in terms):
        terms = [draft.shifted(draft.view(term)) for term in constraint.terms]
    if len({term.variable for term in terms}) == len(terms):
        draft.groups.append([(term.variable, term.constant) for term in terms])
        return
    for i, (y, _, d) in enumerate(terms):
        for x, _, c in terms[:i]:
            draft.differ(x, y, c - d)  # y + d != x + c


def post_sum(draft: Draft, constraint: Linear, condition: Condition | None = None) -> None:
    """One propagator, or a pair of rivals; two propagators where the condition is equivalent."""
    if condition is None and constraint.relation == "!=" and constraint.coefficients == (1, -1):
        x, y = constraint.terms
        if type(x) is int and type(y) is int:  # thousands of these in a board of queens
            draft.differ(x, y, -constraint.constant)
            return
    terms, constant = [], constraint.constant
    for term, coefficient in zip(constraint.terms, constraint.coefficients, strict=True):
        variable, factor, offset = affine(term)
        constant -= coefficient * offset
        if variable is not None:
            terms.append((variable, coefficient * factor))
    if condition is None:
        post_linear(draft, constraint.relation, terms, constant)
        return
    variable, value, is_full = condition
    post_linear(draft, constraint.relation, terms, constant, (variable, value))
    if is_full:
        opposite = OPPOSITE[constraint.relation]
        post_linear(draft, opposite, terms, constant, (variable, 1 - value))


def is_plain_difference(constraint: AllDifferent, variables: object) -> bool:
    """Whether no value is excepted."""
    return not constraint.except_


HANDLERS: Handlers = {
    AllDifferent: Handler(post_all_different, arguments="affine", when=is_plain_difference),
    NotEqual: Handler(post_difference, arguments="affine"),
    Linear: Handler(post_sum, modes=("root", "half", "full"), arguments="affine"),
    **extension.HANDLERS,
    **graphs.HANDLERS,
    **scheduling.HANDLERS,
}
