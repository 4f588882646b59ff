"""What libraries share: ``make``, and formulas from the operations of a solver."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import product

import pytest

from backends.brute_force import BruteForce
from backends.interface.api import Solutions
from backends.interface.handlers import Condition
from backends.interface.libraries.formulas import FORMULAS, TermBuilder, handler
from backends.interface.libraries.literals import CLAUSES, ClauseBuilder, compare_one, compare_two
from backends.interface.libraries.making import maker
from backends.interface.options import Option
from modelling.constraint import Constraint
from modelling.constraints import And, Clauses, Iff, Implies, Linear, Not, NotEqual, Or, Table, Xor
from modelling.errors import UnknownBackend
from modelling.problem import build_problem
from modelling.vocabulary.formulas.clauses import Block

Models = frozenset[tuple[int, ...]]
DOMAINS = ((0, 1, 2), (-1, 0, 2), (0, 1))
EVERY: Models = frozenset(product(*DOMAINS))


def linear(draft: Sets, constraint: Linear) -> Models:
    return (compare_one if len(constraint.terms) == 1 else compare_two)(draft, constraint)


class Sets(TermBuilder[Models], ClauseBuilder[Models, Models]):
    """A formula is the set of assignments that it holds for."""

    true, false = EVERY, Models()

    def __init__(self) -> None:
        super().__init__({**FORMULAS, **CLAUSES, Linear: linear})
        self.literals = [
            {value: Models(x for x in EVERY if x[variable] == value) for value in domain}
            for variable, domain in enumerate(DOMAINS)
        ]
        self.posed = EVERY

    def add(self, formula: Models) -> None:
        self.posed &= formula

    def known(self, value: bool) -> Models:
        return self.true if value else self.false

    def all_of(self, parts: Iterable[Models]) -> Models:
        return self.true.intersection(*parts)

    def any_of(self, literals: Iterable[Models]) -> Models:
        return self.false.union(*literals)

    def denied(self, literal: Models) -> Models:
        return EVERY - literal

    def implied(self, condition: Models, literal: Models) -> Models:
        return self.denied(condition) | literal

    def same(self, one: Models, other: Models) -> Models:
        return self.denied(one ^ other)

    def odd(self, literals: Iterable[Models]) -> Models:
        found = self.false
        for literal in literals:
            found ^= literal
        return found

    def partnered(self, pairs: Iterable[tuple[Models, Iterable[Models]]]) -> Models:
        return self.all_of(self.implied(first, self.any_of(others)) for first, others in pairs)

    def none_of(self, rows: Iterable[Iterable[Models]]) -> Models:
        return self.denied(self.one_of(rows))

    def one_of(self, rows: Iterable[Iterable[Models]]) -> Models:
        return self.any_of(map(self.all_of, rows))


def draw(rng: random.Random, depth: int) -> Constraint:
    if not depth:
        scope = tuple(rng.sample(range(3), 2))
        relation, constant = rng.choice(("==", "!=", "<", "<=", ">", ">=")), rng.randint(-3, 4)
        rows = tuple(
            tuple(rng.choice((*DOMAINS[v], "*")) for v in scope) for _ in range(rng.randint(0, 4))
        )
        return rng.choice(
            (
                Linear(scope, (rng.choice((-2, 1, 3)), rng.choice((-1, 1))), relation, constant),
                Linear(scope[:1], (rng.choice((-2, 1)),), relation, constant),
                NotEqual(scope),
                Clauses(scope, Block(((1, -2), (2,)))),
                Table(scope, rows, rng.random() < 0.5),
            )
        )
    one, other, third = (draw(rng, depth - 1) for _ in range(3))
    several = (one, other, third)
    kinds = (And(several), Or(several), Xor(several), Not(one), Implies(one, other))
    return rng.choice((*kinds, Iff(one, other)))


def test_formulas_hold_where_their_definitions_do() -> None:
    for seed in range(300):
        draft, constraint = Sets(), draw(random.Random(seed), seed % 3)
        held = Models(x for x in EVERY if constraint.holds([x[v] for v in constraint.scope]))
        assert draft.build(constraint) == held, f"seed {seed}: {constraint}"


@pytest.mark.parametrize("full", [False, True])
def test_a_condition_implies_what_is_posed_or_is_equivalent_to_it(full: bool) -> None:
    draft, constraint = Sets(), NotEqual((0, 1))
    handler(CLAUSES[NotEqual]).post(draft, constraint, Condition(2, 0, full))
    held = {x for x in EVERY if x[0] != x[1]}
    given = {x for x in EVERY if x[2] == 0}
    expected = {x for x in EVERY if (x in held) == (x in given)}
    assert draft.posed == (expected if full else expected | (EVERY - given))


def test_make_reads_options_and_gives_them_by_name() -> None:
    given = {}

    class Solver(BruteForce):
        def __init__(self, name: str, way: str) -> None:
            super().__init__(name)
            given[name] = way

    options = (
        Option("way", ("long", "short"), "short", "which way"),
        Option("reuse", ("none", "encoding"), "encoding", "what is kept"),
    )
    make = maker("toy", options, Solver)
    problem = build_problem({"x": [1, 2]}, [])
    for text, name, way, reused in (
        ("", "toy", "short", True),
        ("long,reuse=none", "toy:way=long,reuse=none", "long", False),
    ):
        backend = make(text)
        backend.solve(problem)
        assert backend.name == name
        assert given[name] == way
        assert backend.solve(problem, Solutions(None)).encoding_reused is reused
    with pytest.raises(UnknownBackend, match="toy: unknown option 'wide'"):
        make("wide")
