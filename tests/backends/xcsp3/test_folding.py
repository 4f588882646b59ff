"""Conditions that domains decide: what is folded has the same truth value, and solvers take it."""

from __future__ import annotations

import random
from itertools import product

import pytest

from backends.xcsp3.folding import fold
from backends.xcsp3.search import _may_vanish, _with_a_constraint
from modelling.constraints import (
    AllDifferent,
    Distance,
    Element,
    Iff,
    Implies,
    Linear,
    Maximum,
    Not,
    Or,
    Table,
    equals,
)
from modelling.drawing import CONSTRAINTS, Drawer, draw_domains, structure_over
from modelling.vocabulary.formulas.connectives import FALSE, TRUE
from modelling.vocabulary.functions.multiplication import Quotient
from modelling.vocabulary.scheduling.no_overlap import NoOverlap
from modelling.vocabulary.scheduling.no_overlap_2d import NoOverlap2D

DOMAINS = ((1, 2, 4), (0, 1), (-2, 0, 3))


@pytest.mark.parametrize("number", range(300))
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
        (Implies(Linear((0,), (1,), "!=", 9), equals(1, 1)), equals(1, 1)),
        (Or((equals(0, 3), equals(1, 1))), equals(1, 1)),
        (Iff(equals(1, 1), Table((0,), ((0,), (2,)))), Iff(equals(1, 1), equals(0, 2))),
        (Linear((Distance(0, 1),), (1,), "!=", -1), TRUE),
        (Linear((Maximum((0, 1)),), (1,), ">", 4), FALSE),
        (Or((Not(Linear((Maximum((0, 1)),), (1,), "<=", 4)), equals(1, 1))), equals(1, 1)),
        (NoOverlap((1, 2), (0, 0), strict=True), NoOverlap((1, 2), (0, 0))),
        (NoOverlap((0, 2), (0, 1), strict=True), NoOverlap((0, 2), (0, 1), strict=True)),
        (
            NoOverlap2D((0, 1), (1, 2), (0, 0), (0, 0), strict=True),
            NoOverlap2D((0, 1), (1, 2), (0, 0), (0, 0)),
        ),
    ],
)
def test_conditions_that_are_known_are_gone(constraint, folded):
    assert fold(constraint, DOMAINS) == folded


def test_what_may_be_undefined_is_not_known_to_hold():
    quotient = Linear((Quotient(0, 1),), (1,), "<=", 9)
    place = Linear((Element((0, 1), 2),), (1,), ">=", 0)
    assert fold(quotient, DOMAINS) == quotient
    assert fold(place, DOMAINS) == place


def test_an_objective_has_a_constraint_that_stays():
    """ACE makes small ones domains and nogoods, and stops where none is left."""
    small = structure_over(
        DOMAINS, [Table((0, 1, 2), ((1, 0, 3),)), Linear((0, 1), (1, 1), "<", 4)]
    )
    assert _may_vanish(small)
    assert not _may_vanish(structure_over(DOMAINS, [AllDifferent((0, 1, 2))]))
    kept = _with_a_constraint(small)
    assert kept.names[3:] == ("spare0", "spare1")
    assert kept.constraints[-1].scope == (3, 4)
