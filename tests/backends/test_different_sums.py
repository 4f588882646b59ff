"""python-constraint: different sums, posed as one constraint that looks ahead."""

import random

import pytest

from backends.interface.api import Solutions
from backends.interface.registry import get
from backends.python_constraint.sums import Line, lines_of
from modelling.constraints import AllDifferent, Sum
from modelling.problem import build_problem
from modelling.terms import Affine
from modelling.vocabulary.functions.extremes import Maximum
from puzzles.family import family
from tests.seeds import for_each


def test_terms_become_lines():
    different = AllDifferent((3, Sum((1, 3, 1), (2, 5, -2)), Sum((Affine(1, 2, 4), 3), (-1, 1))))
    assert different.scope == (3, 1)
    assert lines_of(different) == [
        Line(((0, 1),), 0),
        Line(((0, 5),), 0),
        Line(((1, -2), (0, 1)), -4),
    ]


@pytest.mark.parametrize(
    "different",
    [
        AllDifferent((0, 1)),
        AllDifferent((Sum((0, 1)), 0), except_=(2,)),
        AllDifferent((Sum((0, 1)), Maximum((0, 1)))),
        AllDifferent((Sum((Maximum((0, 1)), 1)), 0)),
    ],
)
def test_anything_else_is_left_to_others(different):
    assert lines_of(different) is None


def draw(seed):
    """A few small variables, and terms of all kinds over them, constant sums among them."""
    rng = random.Random(seed)
    names = [f"x{i}" for i in range(rng.randint(2, 4))]
    terms = []
    for _ in range(rng.randint(2, 5)):
        size = rng.randint(1, 3)
        views = [Affine(rng.choice(names), rng.choice((-2, 1)), rng.randint(-2, 2)) for _ in "ab"]
        inner = tuple(rng.choice([*names, *views]) for _ in range(size))
        weights = tuple(rng.randint(-2, 2) for _ in range(size))
        terms.append(rng.choice([Sum(inner, weights), Sum(inner, weights), rng.choice(names)]))
    domains = {name: sorted(rng.sample(range(-3, 4), rng.randint(1, 4))) for name in names}
    return build_problem(domains, [AllDifferent(tuple(terms))])


@for_each("seed", range(60))
def test_the_solutions_are_those_of_the_oracle(seed):
    problem, every = draw(seed), Solutions(None, None)
    names = ("python_constraint", "brute_force")
    found, expected = (get(name).solve(problem, every) for name in names)
    assert (found.count, found.digest) == (expected.count, expected.digest)


def test_golomb_rulers_are_searched_and_not_tried_out():
    """A function of all marks would be asked when all have a value, some 1,000 times."""
    problem = family("golomb").problem("5 11")
    result = get("python_constraint").solve(problem, Solutions(None, None))
    assert result.count == 4
    assert result.statistics["nodes"] < 500


@for_each("seed", range(40))
def test_several_all_differents_over_the_same_variables_are_the_oracles(seed):
    """Those of moved variables become pairs; others, and those of other variables, stay."""
    rng = random.Random(seed)
    names = [f"x{i}" for i in range(4)]
    different = []
    for _ in range(rng.randint(2, 4)):
        scope = rng.sample(names, rng.choice((3, 4, 4)))
        factor = rng.choice((1, 1, 1, -2))
        different.append(
            AllDifferent(tuple([Affine(x, factor, rng.randint(-1, 1)) for x in scope]))
        )
    different.append(AllDifferent(tuple(names)))
    problem = build_problem({name: sorted(rng.sample(range(6), 4)) for name in names}, different)
    every = Solutions(None, None)
    found, expected = (get(n).solve(problem, every) for n in ("python_constraint", "brute_force"))
    assert (found.count, found.digest) == (expected.count, expected.digest)
