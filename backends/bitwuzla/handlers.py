"""What Bitwuzla is given natively: comparisons of sums, tables, clauses, formulas and functions.

Each is a formula. A formula may be at the root, under a condition or within another formula.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from backends.bitwuzla.draft import BitwuzlaDraft
from backends.bitwuzla.functions import FUNCTIONS
from backends.bitwuzla.numbers import Weighed
from backends.bitwuzla.terms import Formula
from backends.interface.handlers import Handlers
from backends.interface.libraries.formulas import FORMULAS, Builders, handler
from backends.interface.libraries.literals import clauses
from modelling.constraints import AllDifferent, Clauses, Linear, NotEqual, Table
from modelling.rewriting.profile import Variables
from modelling.terms import ANY, Function, Term
from modelling.vocabulary.formulas.linear import Sum


def all_different(draft: BitwuzlaDraft, constraint: AllDifferent) -> Formula:
    """Each two differ, or have a value that may repeat."""
    if len(constraint.terms) < 2:
        return draft.true
    if any(isinstance(term, Function) for term in constraint.terms):
        return draft.manager.mk_term(draft.kind.DISTINCT, _wrapped_sums(draft, constraint.terms))
    bits, _ = draft.aligned(draft.numbers_of(constraint.terms))
    if not constraint.except_:
        return draft.manager.mk_term(draft.kind.DISTINCT, bits)
    spared = [
        draft.any_of(draft.equals(term, value) for value in constraint.except_)
        for term in constraint.terms
    ]
    return draft.all_of(
        draft.any_of([may_repeat, draft.denied(draft.same(one, other))])
        for (one, may_repeat), (other, _) in combinations(zip(bits, spared, strict=True), 2)
    )


def _wrapped_sums(draft: BitwuzlaDraft, terms: Sequence[Term]) -> list[Any]:
    """Sums modulo a power of two that is beyond what any two differ by: all that tells them apart.

    So they need no variables, and no room for what they are calculated from.
    """
    sums: list[Weighed] = []
    for term in terms:
        if type(term) is Sum:
            sums.append(list(zip(draft.numbers_of(term.terms), term.coefficients, strict=True)))
        else:
            sums.append([(draft.number(term), 1)])
    ends = [
        (
            sum(min(f * n.low, f * n.high) for n, f in of),
            sum(max(f * n.low, f * n.high) for n, f in of),
        )
        for of in sums
    ]
    width = max(1, (max(high for _, high in ends) - min(low for low, _ in ends)).bit_length())
    return [draft.wrapped(of, width) for of in sums]


def differs(constraint: AllDifferent, variables: Variables) -> bool:
    """Whether the terms have no functions, or only sums and ``except_`` is empty."""
    kinds = {type(term) for term in constraint.terms if isinstance(term, Function)}
    return not kinds or (kinds == {Sum} and not constraint.except_)


def not_equal(draft: BitwuzlaDraft, constraint: NotEqual) -> Formula:
    """Two differ."""
    bits, _ = draft.aligned(draft.numbers_of(constraint.terms))
    return draft.denied(draft.same(*bits))


def linear(draft: BitwuzlaDraft, constraint: Linear) -> Formula:
    """A comparison of two sums."""
    numbers = draft.numbers_of(constraint.terms)
    weighed = list(zip(numbers, constraint.coefficients, strict=True))
    return draft.compare(weighed, constraint.relation, constraint.constant)


def table(draft: BitwuzlaDraft, constraint: Table) -> Formula:
    """One of the rows is met, or none is."""
    met = draft.any_of(
        draft.all_of(
            draft.equals(term, value)
            for term, value in zip(constraint.terms, row, strict=True)
            if value is not ANY
        )
        for row in dict.fromkeys(constraint.tuples)
    )
    return met if constraint.allowed else draft.denied(met)


_ATOMS: Builders = {
    AllDifferent: all_different,
    NotEqual: not_equal,
    Linear: linear,
    Table: table,
    Clauses: clauses,
}
BUILDERS: Builders = {
    **_ATOMS,
    **FORMULAS,
    **{kind: builder for kind, (builder, _) in FUNCTIONS.items()},
}
"""What a formula may contain."""

HANDLERS: Handlers = {
    **{kind: handler(builder, repeats=True) for kind, builder in _ATOMS.items()},
    AllDifferent: handler(all_different, differs, arguments="nested", repeats=True),
    **{kind: handler(it, arguments="nested", repeats=True) for kind, it in FORMULAS.items()},
    **{kind: handler(*entry, repeats=True) for kind, entry in FUNCTIONS.items()},
}
