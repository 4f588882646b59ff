"""Conditions that domains decide: what is folded has the same truth value, and solvers take it."""

from __future__ import annotations

import random
from itertools import product

import pytest

from backends.xcsp3.folding import fold
from backends.xcsp3.search import _may_vanish, _with_a_constraint
from modelling import constraints as mc
from modelling.laws.drawing import CONSTRAINTS, Drawer, draw_domains, structure_over
from tests.seeds import for_each

DOMAINS = ((1, 2, 4), (0, 1), (-2, 0, 3))


@for_each("number", range(300))
def test_what_is_folded_has_the_same_truth_value(number):
    rng = random.Random(number)
    domains = [domain or (0,) for domain in draw_domains(rng, 200)]
    constraint = rng.choice(CONSTRAINTS).draw(rng, Drawer(rng, domains))
    folded = fold(constraint, domains)
    for values in product(*domains):
        given = [values[v] for v in constraint.scope], [values[v] for v in folded.scope]
        assert constraint.holds(tuple(given[0])) == folded.holds(tuple(given[1]))


@pytest.mark.parametrize(
    ("constraint", "folded"),
    [
        (mc.Implies(mc.Linear((0,), (1,), "!=", 9), mc.equals(1, 1)), mc.equals(1, 1)),
        (mc.Or((mc.equals(0, 3), mc.equals(1, 1))), mc.equals(1, 1)),
        (
            mc.Iff(mc.equals(1, 1), mc.Table((0,), ((0,), (2,)))),
            mc.Iff(mc.equals(1, 1), mc.equals(0, 2)),
        ),
        (mc.Linear((mc.Distance(0, 1),), (1,), "!=", -1), mc.TRUE),
        (mc.Linear((mc.Maximum((0, 1)),), (1,), ">", 4), mc.FALSE),
        (
            mc.Or((mc.Not(mc.Linear((mc.Maximum((0, 1)),), (1,), "<=", 4)), mc.equals(1, 1))),
            mc.equals(1, 1),
        ),
        (mc.NoOverlap((1, 2), (0, 0), strict=True), mc.NoOverlap((1, 2), (0, 0))),
        (mc.NoOverlap((0, 2), (0, 1), strict=True), mc.NoOverlap((0, 2), (0, 1), strict=True)),
        (
            mc.NoOverlap2D((0, 1), (1, 2), (0, 0), (0, 0), strict=True),
            mc.NoOverlap2D((0, 1), (1, 2), (0, 0), (0, 0)),
        ),
    ],
)
def test_conditions_that_are_known_are_gone(constraint, folded):
    assert fold(constraint, DOMAINS) == folded


def test_clauses_of_one_literal_are_conditions_and_fixed_variables_are_gone():
    clauses = mc.Clauses((0, 1, 2), ((-1,), (2, 3), (-2, 3, 1), (-3, 1)))
    assert fold(clauses, ((0, 1),) * 3) == mc.And(
        (mc.equals(0, 0), mc.Clauses((0, 1, 2), ((2, 3), (-2, 3, 1), (-3, 1))))
    )
    fixed = fold(clauses, ((0,), (0, 1), (0, 1)))
    assert fixed == mc.And((mc.equals(2, 0), mc.Clauses((1, 2), ((1, 2), (-1, 2)))))
    assert fold(clauses, ((1,), (0, 1), (0, 1))) == mc.FALSE


def test_what_may_be_undefined_is_not_known_to_hold():
    quotient = mc.Linear((mc.Quotient(0, 1),), (1,), "<=", 9)
    place = mc.Linear((mc.Element((0, 1), 2),), (1,), ">=", 0)
    assert fold(quotient, DOMAINS) == quotient
    assert fold(place, DOMAINS) == place


def test_an_objective_has_a_constraint_that_stays():
    """ACE makes small ones domains and nogoods, and stops where none is left."""
    small = structure_over(
        DOMAINS, [mc.Table((0, 1, 2), ((1, 0, 3),)), mc.Linear((0, 1), (1, 1), "<", 4)]
    )
    assert _may_vanish(small)
    assert not _may_vanish(structure_over(DOMAINS, [mc.AllDifferent((0, 1, 2))]))
    kept = _with_a_constraint(small)
    assert kept.names[3:] == ("spare0", "spare1")
    assert kept.constraints[-1].scope == (3, 4)
