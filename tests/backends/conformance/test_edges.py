"""Edges of the plain constraints, at the root and reified: every solver is right about them."""

from importlib import import_module

import pytest

from modelling import constraints as mc
from modelling.laws.drawing import structure_over
from modelling.problem import Problem
from tests.backends.solver_checks import check_constraints, check_solutions, find_or_skip

SOLVERS = (
    *("bitwuzla", "choco", "clingo", "cpsat", "cpsat:booleans", "exact", "propagation"),
    *("pumpkin", "python_constraint", "sat", "toulbar2", "z3"),
)
MATRIX = mc.constants(1, 2), mc.constants(2, 0)
TWICE, MINUS = mc.Affine(0, 2, -1), mc.Affine(1, -1, 3)
THREE = [range(3)] * 3
AFFINE = [range(-1, 3), range(3), range(-2, 4)]
OPEN = ((0, mc.ANY), (mc.ANY, 2), (1, 1), (1, 1), (mc.ANY, 2))
IMPOSSIBLE = [mc.Table((0, 1), ((1, 1),)), mc.Table((0, 1), ((2, 2),)), mc.AllDifferent((0, 1, 2))]

EDGES = {
    "tables without rows, of open rows, of what no domain has": [
        ([mc.Table((0, 1), rows, allowed)], THREE)
        for rows in ((), OPEN, ((0, 1), (2, 2), (9, 9)))
        for allowed in (True, False)
    ],
    "affine terms": [
        ([mc.NotEqual((TWICE, MINUS))], AFFINE),
        ([mc.AllDifferent((TWICE, MINUS, 2))], AFFINE),
        ([mc.AllDifferent((TWICE, MINUS, 2), (1,))], AFFINE),
        ([mc.Linear((TWICE, MINUS, 2), (3, 2, 1), "<=", 5)], AFFINE),
        ([mc.Linear((TWICE, MINUS, 2), (3, 2, 1), "!=", 5)], AFFINE),
        ([mc.Table((TWICE, MINUS), ((1, 1), (3, 3), (-3, 2), (2, 2)))], AFFINE),
        *(
            ([mc.Clauses((0, mc.Affine(1, 1, -1)), literals)], [range(2), range(1, 3)])
            for literals in (((1, -2), (2,)), ((-1,), (1, 2)), ((),), ((1, -1),))
        ),
    ],
    "a condition in what it implies": [
        (
            [kind(mc.equals(0, value), mc.Linear(terms, (1, 2, -1)[: len(terms)], relation, 1))],
            THREE,
        )
        for kind, value in ((mc.Implies, 1), (mc.Iff, 0))
        for relation in ("==", "!=", "<=", ">")
        for terms in ((0,), (0, 1), (0, 1, 2))
    ],
    "sums of one to four terms": [
        ([mc.Linear(tuple(range(len(factors))), factors, relation, constant)], domains)
        for relation in mc.RELATIONS
        for factors, constant, domains in (
            ((-2,), -2, [(-3, 1, 2, 9)]),
            ((2, -3), 1, [(-2, 0, 2, 5), range(-1, 4)]),
            ((1, 1, -2), 1, [range(3), (-4, 0, 2), range(-1, 3)]),
            ((1, 2, -1, 1), 2, [range(3), (0, 2), range(3), (0, 1)]),
            ((91, -90, 17, 5), 12, [(-1, 0, 2), (-1, 2), (-1, 0, 2), (0, 2)]),
            ((1, 0), 0, [(0, 1), (1, 2, 3)]),
            ((0, 0), 0, [range(2)] * 2),
        )
    ],
    "an index outside its list": [
        ([mc.Define(3, mc.Element((0, 1), 2))], [range(2), range(2), range(-1, 4), range(2)]),
        ([mc.equal(mc.Element((0, 1), 2), 1)], [range(2), range(2), range(-1, 4)]),
        ([mc.Define(0, mc.Element(mc.constants(0, 2, 2), 0))], [range(4)]),
        ([mc.Define(0, mc.Element(mc.constants(3, 1, 2), 1))], [range(4), range(-1, 4)]),
        ([mc.Define(0, mc.Element2D(MATRIX, 1, 2))], [range(3), range(-1, 3), range(-1, 3)]),
    ],
    "impossible while it is posed": [
        *((IMPOSSIBLE[:number], [range(4)] * 3) for number in (1, 2, 3)),
        ([mc.NotEqual((0, 1))], [(3,), (3,)]),
        ([], [(3,), (5,)]),
        *(
            ([constraint], domains)
            for domains in ([(3,), (3,)], [(0, 1), (2, 3)])
            for constraint in (mc.Linear((0, 1), (1, 1), "<=", 1), mc.Table((0, 1), ()))
        ),
    ],
}
"""Constraints and the domains of their variables."""

AT_THE_ROOT_ONLY = ("a condition in what it implies", "impossible while it is posed")

HUGE = {
    "bitwuzla": 1 << 100,
    "exact": 10**30,
    "pumpkin": "backends.pumpkin.guards",
    "toulbar2": "backends.toulbar2.backend",
}
"""A number that sums of three may reach, or where the largest integer is."""


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("edge", EDGES)
def test_edges_are_right(edge, name):
    find_or_skip(name)
    for constraints, domains in EDGES[edge]:
        check_constraints(*constraints, domains=domains, name=name)
        if edge not in AT_THE_ROOT_ONLY:
            reified = mc.Iff(mc.equals(len(domains), 1), *constraints)
            check_constraints(reified, domains=[*domains, range(2)], name=name)


@pytest.mark.parametrize("name", SOLVERS)
def test_values_with_gaps_and_givens(name):
    find_or_skip(name)
    far = structure_over([(-5, 0, 1_000_000)] * 3, (mc.AllDifferent((0, 1, 2)),))
    near = structure_over([(-7, -6, 0, 1, 5), range(-1, 8), (3,)], (mc.AllDifferent((0, 1, 2)),))
    wide = structure_over([(-5, -1, 0, 3, 1000, 1_000_000), (-5, 1000)], (mc.NotEqual((0, 1)),))
    check_solutions(name, Problem(far, (0b111, 0b101, 0b001)))
    check_solutions(name, Problem(wide, (0b101010, 0b10)))
    for givens in ({}, {0: 5}, {0: -6, 1: 7}, {1: -1}):
        check_solutions(name, near.problem(givens))


@pytest.mark.parametrize("name", HUGE)
@pytest.mark.parametrize("relation", mc.RELATIONS)
def test_the_largest_numbers_are_held(relation, name):
    find_or_skip(name)
    huge = HUGE[name]
    if isinstance(huge, str):
        huge = import_module(huge).LARGEST // 4
    ends = [(-huge, -1, 0, huge)] * 3
    sums = mc.Linear((0, 1, 2), (1, -1, 1), relation, huge)
    check_constraints(sums, domains=ends, name=name)
    check_constraints(mc.Iff(mc.equals(3, 1), sums), domains=[*ends, range(2)], name=name)
