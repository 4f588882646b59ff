"""What clingo is given natively: comparisons of sums, tables, clauses and formulas.

Each is made of literals that are defined by rules, whether or not it holds. So any of them may be
reified, and each solution has one stable model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backends.clingo.program import Builder, Program
from backends.clingo.sums import linear
from backends.interface.handlers import Condition, Handler, Handlers
from modelling.constraints import (
    AllDifferent,
    And,
    Constraint,
    Iff,
    Implies,
    Linear,
    Not,
    NotEqual,
    Or,
    Table,
    Xor,
)
from modelling.rewriting.profile import Arguments, Mode
from modelling.terms import ANY
from modelling.vocabulary.formulas.clauses import Clauses

ALL: tuple[Mode, ...] = ("root", "half", "full")


def all_different(program: Program, constraint: AllDifferent) -> list[int]:
    """Each value at most once, and at least once where there are as many values as terms."""
    having: dict[int, list[int]] = {}
    for term in constraint.terms:
        for value, literal in program.values(term).items():
            if value not in constraint.except_:
                having.setdefault(value, []).append(literal)
    several = (literals for literals in having.values() if len(literals) > 1)
    made = [x for literals in several for x in program.below([(y, 1) for y in literals], 2)]
    if len(having) == len(constraint.terms) and not constraint.except_:
        made += program.none_of([-x for x in literals] for literals in having.values())
    return made


def not_equal(program: Program, constraint: NotEqual) -> list[int]:
    """No value is that of both."""
    one, other = map(program.values, constraint.terms)
    return program.none_of((one[value], other[value]) for value in one if value in other)


def table(program: Program, constraint: Table) -> list[int]:
    """Whether one of the rows is met."""
    values = list(map(program.values, constraint.terms))
    bodies = [
        [of[value] for value, of in zip(row, values, strict=True) if value is not ANY]
        for row in constraint.rows_among(values)
    ]
    return [program.any_of(bodies)] if constraint.allowed else program.none_of(bodies)


def clauses(program: Program, constraint: Clauses) -> list[int]:
    """A literal of each holds."""
    zero = [program.equals(term, 0) for term in constraint.terms]
    return program.none_of(
        [zero[x - 1] if x > 0 else -zero[-x - 1] for x in clause] for clause in constraint.literals
    )


def both(program: Program, constraint: And) -> list[int]:
    """What all parts are made of."""
    return [literal for part in constraint.formulas for literal in program.build(part)]


def either(program: Program, constraint: Or) -> list[int]:
    """One part holds."""
    return [program.any_of([program.truth(part)] for part in constraint.formulas)]


def opposite(program: Program, constraint: Not) -> list[int]:
    """The negation."""
    return [-program.truth(constraint.formula)]


def implies(program: Program, constraint: Implies) -> list[int]:
    """The condition does not hold, or the consequence does."""
    condition, consequence = constraint.condition, constraint.consequence
    return [program.any_of([[-program.truth(condition)], [program.truth(consequence)]])]


def equivalent(program: Program, constraint: Iff) -> list[int]:
    """Both hold or neither."""
    return [-_differ(program, program.truth(constraint.one), program.truth(constraint.other))]


def odd(program: Program, constraint: Xor) -> list[int]:
    """One after another."""
    found = -program.true
    for part in constraint.formulas:
        found = _differ(program, found, program.truth(part))
    return [found]


def _differ(program: Program, one: int, other: int) -> int:
    return program.any_of([[one, -other], [-one, other]])


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
BUILDERS: Mapping[type[Constraint], Builder] = {**_ATOMS, **_FORMULAS}


def _handler(builder: Builder, arguments: Arguments, repeats: bool) -> Handler:
    def post(program: Program, constraint: Any, condition: Condition | None = None) -> None:
        program.post(builder, constraint, condition)

    return Handler(post, ALL, repeats=repeats, arguments=arguments)


HANDLERS: Handlers = {
    **{kind: _handler(builder, "affine", False) for kind, builder in _ATOMS.items()},
    **{kind: _handler(builder, "nested", True) for kind, builder in _FORMULAS.items()},
}
