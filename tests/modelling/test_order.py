"""Order narrows auxiliaries: to what, where not, and without any solution gained or lost."""

import random
from dataclasses import replace

import pytest

from modelling.brute_force import solutions
from modelling.constraints import Affine, AllDifferent, Increasing, Linear, Sum, constant
from modelling.problem import build_problem
from modelling.rewriting import Profile, order, rewrite
from modelling.rewriting.order import Order
from modelling.vocabulary.formulas.connectives import And, Or
from tests.seeds import for_each

FLAT = Profile.of_plain({AllDifferent, Linear})


def narrowed(constraints, total, domains):
    problem = build_problem(domains, constraints)
    structure = problem.structure
    places = {name: i for i, name in enumerate(structure.names)}
    total = Sum(tuple([places.get(t, t) for t in total.terms]), total.coefficients)
    low, high = total.bounds(structure.domains)
    values = range(low, high + 1)
    found = Order(structure.constraints, structure.domains).narrow(total, values)
    assert list(found) == list(
        Order(structure.constraints, structure.domains).narrow(total, tuple(values))
    )
    return found[0], found[-1]


RULER = {name: range(21) for name in "abcd"}
ASCENDING = Increasing(tuple("abcd"), strict=True)


@pytest.mark.parametrize(
    ("constraints", "total", "expected"),
    [
        ([ASCENDING], Sum(("d", "a"), (1, -1)), (3, 20)),
        ([ASCENDING], Sum(("a", "d"), (1, -1)), (-20, -3)),
        ([ASCENDING], Sum(("b", "a"), (1, -1)), (1, 18)),
        ([ASCENDING], Sum(("b", "a", constant(5)), (1, -1, 1)), (6, 23)),
        ([ASCENDING], Sum(("d", "a"), (2, -1)), (-11, 40)),
        ([Increasing(("d", "c", "b", "a"), True, True)], Sum(("d", "a"), (1, -1)), (3, 20)),
        ([Increasing(("a", "b"))], Sum(("b", "a"), (1, -1)), (0, 20)),
        ([Linear(("a", "b"), (1, -1), "<=", -4)], Sum(("b", "a"), (1, -1)), (4, 20)),
        ([Linear(("a", "b"), (1, -1), ">", 4)], Sum(("a", "b"), (1, -1)), (5, 20)),
        ([Linear(("a", "b"), (-1, 1), ">=", 4)], Sum(("b", "a"), (1, -1)), (4, 20)),
        ([Linear(("a", "b"), (-1, 1), "<", 4)], Sum(("b", "a"), (1, -1)), (-20, 3)),
        ([Increasing((Affine("a", 1, 7), "b"))], Sum(("b", "a"), (1, -1)), (7, 20)),
        ([And((ASCENDING, ASCENDING))], Sum(("c", "a"), (1, -1)), (2, 19)),
        # nothing that must hold, or nothing of order
        ([Or((ASCENDING, ASCENDING))], Sum(("d", "a"), (1, -1)), (-20, 20)),
        ([Linear(("a", "b"), (1, -1), "!=", 4)], Sum(("b", "a"), (1, -1)), (-20, 20)),
        ([Increasing((Affine("a", 2, 0), "b"))], Sum(("b", "a"), (1, -1)), (-20, 20)),
        # in a circle, and without a value
        ([ASCENDING, Increasing(("d", "a"))], Sum(("d", "a"), (1, -1)), (-20, 20)),
        ([Linear(("a", "b"), (1, -1), ">", 40)], Sum(("b", "a"), (1, -1)), (-20, 20)),
    ],
)
def test_a_sum_is_narrowed_to_what_order_leaves(constraints, total, expected):
    assert narrowed(constraints, total, RULER) == expected


def test_where_many_gaps_were_followed_the_ends_are_left(monkeypatch):
    monkeypatch.setattr(order, "MOST_STEPS", 0)
    assert narrowed([ASCENDING], Sum(("c", "b"), (1, -1)), RULER) == (-16, 18)


def draw(seed):
    rng = random.Random(seed)
    names = [f"x{i}" for i in range(4)]
    domains = {name: sorted(rng.sample(range(-2, 5), rng.randint(2, 5))) for name in names}
    constraints = [
        Increasing(
            tuple(rng.sample(names, rng.randint(2, 4))), rng.random() < 0.5, rng.random() < 0.5
        )
    ]
    for _ in range(rng.randint(0, 2)):
        signs = rng.choice(((1, -1), (-1, 1)))
        relation = rng.choice(("<", "<=", ">", ">="))
        pair = (Affine(rng.choice(names), 1, rng.randint(-1, 1)), rng.choice(names))
        constraints.append(Linear(pair, signs, relation, rng.randint(-2, 2)))
    sums = [
        Sum(tuple(rng.sample(names, n)), tuple(rng.choice((1, -1, 2)) for _ in range(n)))
        for n in (2, 2, 3)
    ]
    return build_problem(domains, [*constraints, AllDifferent(tuple(sums))])


@for_each("seed", range(80))
def test_no_solution_is_gained_or_lost(seed):
    problem = draw(seed)
    rewritten = rewrite(problem.structure, FLAT)
    found = [rewritten.project(values) for values in solutions(rewritten.lift(problem))]
    assert sorted(found) == sorted(solutions(problem))
    for values in found:
        assert len(rewritten.extend(values)) == rewritten.structure.size


def test_the_distances_of_a_ruler_are_positive():
    marks = tuple("abcd")
    pairs = [("b", "a"), ("c", "a"), ("d", "b")]
    different = AllDifferent(tuple([Sum(pair, (1, -1)) for pair in pairs]))
    problem = build_problem(
        {m: range(10) for m in marks}, [Increasing(marks, strict=True), different]
    )
    rewritten = rewrite(problem.structure, FLAT)
    added = rewritten.structure.domains[rewritten.declared :]
    assert [(domain[0], domain[-1]) for domain in added] == [(1, 7), (2, 8), (2, 8)]


def test_whoever_searches_better_without_is_spared():
    wide = replace(FLAT, narrows=False)
    assert wide.digest != FLAT.digest
    marks = tuple("abc")
    different = AllDifferent((Sum(("b", "a"), (1, -1)), Sum(("c", "b"), (1, -1))))
    problem = build_problem(
        {m: range(10) for m in marks}, [Increasing(marks, strict=True), different]
    )
    rewritten = rewrite(problem.structure, wide)
    added = rewritten.structure.domains[rewritten.declared :]
    assert [(domain[0], domain[-1]) for domain in added] == [(-9, 9), (-9, 9)]


def test_a_variable_without_values_leaves_nothing_to_order():
    gap = Linear(("a", "b"), (1, -1), "<=", 2)
    domains = {"a": range(5), "b": (), "c": range(5)}
    assert narrowed([gap], Sum(("a", "c"), (1, 1)), domains) == (0, 8)
