"""What z3 is given natively: comparisons of sums, tables, clauses, formulas and functions.

Each is a formula of z3, which may stand at the root, under a condition or within another one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from backends.interface.handlers import Condition, Handler, Handlers
from backends.z3.draft import (
    FALSE,
    TRUE,
    Draft,
    Formula,
    all_of,
    any_of,
    excluded,
    implied,
    negated,
    same,
)
from backends.z3.functions import FUNCTIONS
from backends.z3.sums import linear
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
from modelling.rewriting.profile import Arguments, Guard, Mode
from modelling.terms import ANY
from modelling.vocabulary.formulas.clauses import Clauses

ALL: tuple[Mode, ...] = ("root", "half", "full")
Builder = Callable[[Draft, Any], Formula]


def all_different(draft: Draft, constraint: AllDifferent) -> Formula:
    """Each value at most once, and once where there are as many values as terms."""
    having: dict[int, list[Formula]] = {}
    for term in constraint.terms:
        for value, literal in draft.values(term).items():
            if value not in constraint.except_:
                having.setdefault(value, []).append(literal)
    if len(having) == len(constraint.terms) and not constraint.except_:
        return all_of(_once(draft, literals, "==") for literals in having.values())
    several = (literals for literals in having.values() if len(literals) > 1)
    return all_of(_once(draft, literals, "<=") for literals in several)


def _once(draft: Draft, literals: Sequence[Formula], relation: str) -> Formula:
    return draft.compare([(literal, 1) for literal in literals], relation, 1)


def not_equal(draft: Draft, constraint: NotEqual) -> Formula:
    """No value is that of both."""
    one, other = map(draft.values, constraint.terms)
    return excluded([one[value], other[value]] for value in one if value in other)


def table(draft: Draft, constraint: Table) -> Formula:
    """One of the rows is met, or none is."""
    values = list(map(draft.values, constraint.terms))
    rows = [
        [of[value] for value, of in zip(row, values, strict=True) if value is not ANY]
        for row in constraint.rows_among(values)
    ]
    if not constraint.allowed:
        return excluded(rows)
    return any_of(map(all_of, rows))


def clauses(draft: Draft, constraint: Clauses) -> Formula:
    """A literal of each holds."""
    zero = [draft.equals(term, 0) for term in constraint.terms]
    true = [negated(literal) for literal in zero]
    return all_of(
        any_of(true[x - 1] if x > 0 else zero[-x - 1] for x in clause)
        for clause in constraint.literals
    )


# --- formulas ------------------------------------------------------------------------------------


def build(draft: Draft, constraint: Constraint) -> Formula:
    """A constraint within another one."""
    if not constraint.scope:
        return TRUE if constraint.holds(()) else FALSE
    kind = type(constraint.function) if type(constraint) is Define else type(constraint)
    return BUILDERS[kind](draft, constraint)


def both(draft: Draft, constraint: And) -> Formula:
    """A conjunction."""
    return all_of(build(draft, part) for part in constraint.formulas)


def either(draft: Draft, constraint: Or) -> Formula:
    """A disjunction."""
    return any_of(build(draft, part) for part in constraint.formulas)


def opposite(draft: Draft, constraint: Not) -> Formula:
    """A negation."""
    return negated(build(draft, constraint.formula))


def implies(draft: Draft, constraint: Implies) -> Formula:
    """An implication."""
    return implied(build(draft, constraint.condition), build(draft, constraint.consequence))


def equivalent(draft: Draft, constraint: Iff) -> Formula:
    """An equivalence."""
    return same(build(draft, constraint.one), build(draft, constraint.other))


def odd(draft: Draft, constraint: Xor) -> Formula:
    """One after another."""
    found = FALSE
    for part in constraint.formulas:
        found = f"(xor {found} {build(draft, part)})"
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


def _handler(
    formula: Builder, arguments: Arguments, repeats: bool, when: Guard | None = None
) -> Handler:
    def post(draft: Draft, constraint: Any, condition: Condition | None = None) -> None:
        draft.impose(formula(draft, constraint), condition)

    return Handler(post, ALL, when, repeats, arguments)


HANDLERS: Handlers = {
    **{kind: _handler(formula, "affine", False) for kind, formula in _ATOMS.items()},
    **{kind: _handler(formula, "nested", True) for kind, formula in _FORMULAS.items()},
    **{
        kind: _handler(formula, "affine", False, when)
        for kind, (formula, when) in FUNCTIONS.items()
    },
}
