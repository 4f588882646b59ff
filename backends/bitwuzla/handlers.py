"""What Bitwuzla is given natively: comparisons of sums, tables, clauses, formulas and functions.

Each is a formula, which may stand at the root, under a condition or within another one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

from backends.bitwuzla.draft import Draft
from backends.bitwuzla.functions import FUNCTIONS
from backends.bitwuzla.numbers import Weighed
from backends.bitwuzla.terms import Formula
from backends.interface.handlers import Condition, Handler, Handlers
from modelling.constraints import (
    AllDifferent,
    And,
    Constraint,
    Define,
    Iff,
    Implies,
    Linear,
    Not,
    NotEqual,
    Or,
    Table,
    Xor,
)
from modelling.rewriting.profile import Arguments, Guard, Mode, Variables
from modelling.terms import ANY, Function, Term
from modelling.vocabulary.formulas.clauses import Clauses
from modelling.vocabulary.formulas.linear import Sum

ALL: tuple[Mode, ...] = ("root", "half", "full")
Builder = Callable[[Draft, Any], Formula]


def all_different(draft: Draft, constraint: AllDifferent) -> Formula:
    """Each two differ, or have a value that may repeat."""
    terms = draft.terms
    if len(constraint.terms) < 2:
        return terms.true
    if any(isinstance(term, Function) for term in constraint.terms):
        return terms.manager.mk_term(terms.kind.DISTINCT, _wrapped_sums(draft, constraint.terms))
    bits, _ = terms.aligned(draft.numbers_of(constraint.terms))
    if not constraint.except_:
        return terms.manager.mk_term(terms.kind.DISTINCT, bits)
    spared = [
        terms.any_of(draft.equals(term, value) for value in constraint.except_)
        for term in constraint.terms
    ]
    return terms.all_of(
        terms.any_of([may_repeat, terms.negated(terms.same(one, other))])
        for (one, may_repeat), (other, _) in combinations(zip(bits, spared, strict=True), 2)
    )


def _wrapped_sums(draft: Draft, terms: Sequence[Term]) -> list[Any]:
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
    return [draft.terms.wrapped(of, width) for of in sums]


def differs(constraint: AllDifferent, variables: Variables) -> bool:
    """Of functions only sums, and no value may repeat then."""
    kinds = {type(term) for term in constraint.terms if isinstance(term, Function)}
    return not kinds or (kinds == {Sum} and not constraint.except_)


def not_equal(draft: Draft, constraint: NotEqual) -> Formula:
    """Two differ."""
    bits, _ = draft.terms.aligned(draft.numbers_of(constraint.terms))
    return draft.terms.negated(draft.terms.same(*bits))


def linear(draft: Draft, constraint: Linear) -> Formula:
    """A comparison of two sums."""
    numbers = draft.numbers_of(constraint.terms)
    weighed = list(zip(numbers, constraint.coefficients, strict=True))
    return draft.terms.compare(weighed, constraint.relation, constraint.constant)


def table(draft: Draft, constraint: Table) -> Formula:
    """One of the rows is met, or none is."""
    terms = draft.terms
    met = terms.any_of(
        terms.all_of(
            draft.equals(term, value)
            for term, value in zip(constraint.terms, row, strict=True)
            if value is not ANY
        )
        for row in dict.fromkeys(constraint.tuples)
    )
    return met if constraint.allowed else terms.negated(met)


def clauses(draft: Draft, constraint: Clauses) -> Formula:
    """A literal of each holds."""
    zero = [draft.equals(term, 0) for term in constraint.terms]
    true = [draft.terms.negated(literal) for literal in zero]
    return draft.terms.all_of(
        draft.terms.any_of(true[x - 1] if x > 0 else zero[-x - 1] for x in clause)
        for clause in constraint.literals
    )


# --- formulas ------------------------------------------------------------------------------------


def build(draft: Draft, constraint: Constraint) -> Formula:
    """A constraint within another one."""
    if not constraint.scope:
        return draft.terms.true if constraint.holds(()) else draft.terms.false
    kind = type(constraint.function) if type(constraint) is Define else type(constraint)
    return BUILDERS[kind](draft, constraint)


def both(draft: Draft, constraint: And) -> Formula:
    """A conjunction."""
    return draft.terms.all_of(build(draft, part) for part in constraint.formulas)


def either(draft: Draft, constraint: Or) -> Formula:
    """A disjunction."""
    return draft.terms.any_of(build(draft, part) for part in constraint.formulas)


def opposite(draft: Draft, constraint: Not) -> Formula:
    """A negation."""
    return draft.terms.negated(build(draft, constraint.formula))


def implies(draft: Draft, constraint: Implies) -> Formula:
    """An implication."""
    return draft.terms.implied(
        build(draft, constraint.condition), build(draft, constraint.consequence)
    )


def equivalent(draft: Draft, constraint: Iff) -> Formula:
    """An equivalence."""
    return draft.terms.same(build(draft, constraint.one), build(draft, constraint.other))


def odd(draft: Draft, constraint: Xor) -> Formula:
    """One after another."""
    found = draft.terms.false
    for part in constraint.formulas:
        found = draft.terms.manager.mk_term(draft.terms.kind.XOR, [found, build(draft, part)])
    return found


_ATOMS: Mapping[type[Constraint], Builder] = {
    AllDifferent: all_different,
    NotEqual: not_equal,
    Linear: linear,
    Table: table,
    Clauses: clauses,
}
_FORMULAS: Mapping[type[Constraint], Builder] = {
    And: both,
    Or: either,
    Not: opposite,
    Implies: implies,
    Iff: equivalent,
    Xor: odd,
}
BUILDERS: Mapping[type, Builder] = {
    **_ATOMS,
    **_FORMULAS,
    **{kind: builder for kind, (builder, _) in FUNCTIONS.items()},
}
"""What may stand within a formula."""


def _handler(builder: Builder, arguments: Arguments, when: Guard | None = None) -> Handler:
    def post(draft: Draft, constraint: Any, condition: Condition | None = None) -> None:
        draft.impose(builder(draft, constraint), condition)

    return Handler(post, ALL, when, True, arguments)


HANDLERS: Handlers = {
    **{kind: _handler(builder, "affine") for kind, builder in _ATOMS.items()},
    AllDifferent: _handler(all_different, "nested", differs),
    **{kind: _handler(builder, "nested") for kind, builder in _FORMULAS.items()},
    **{kind: _handler(builder, "affine", when) for kind, (builder, when) in FUNCTIONS.items()},
}
