"""How inequalities are compared with constraints: each step by enumeration."""

import random
from itertools import product

import pytest

from backends.proofs.encodings.extending import extends
from backends.proofs.encodings.groups import Owners, connect
from backends.proofs.encodings.inequalities import as_clauses, comparisons, positive
from modelling.constraints import Linear

BOOLEANS = (1, 2, 3, 4)
ASSIGNMENTS = list(product((False, True), repeat=len(BOOLEANS)))


def draw(rng):
    literals = [rng.choice((1, -1)) * b for b in rng.sample(BOOLEANS, rng.randint(1, 4))]
    small = rng.random() < 0.5
    weights = [rng.choice((1, 1, 2) if small else (-3, -1, 1, 4)) for _ in literals]
    return list(zip(literals, weights, strict=True)), rng.randint(-2, 5)


def is_true(literal, values):
    return values[abs(literal) - 1] == (literal > 0)


def holds(row, values):
    return sum(weight for literal, weight in row[0] if is_true(literal, values)) >= row[1]


@pytest.mark.parametrize("seed", range(200))
def test_clauses_and_positive_weights_say_the_same(seed):
    row = draw(random.Random(seed))
    same = positive(row)
    assert all(weight > 0 for _, weight in same[0])
    for values in ASSIGNMENTS:
        assert holds(same, values) == holds(row, values)
    if same[1] > 0 and same[0]:
        clauses = as_clauses(*same)
        for values in ASSIGNMENTS if clauses is not None else ():
            met = all(any(is_true(x, values) for x in clause) for clause in clauses)
            assert met == holds(row, values)


@pytest.mark.parametrize("seed", range(200))
def test_an_assignment_extends_where_the_rest_has_one(seed):
    rng = random.Random(seed)
    rows = [draw(rng) for _ in range(rng.randint(1, 5))]
    true = [rng.choice((1, -1)) * b for b in rng.sample(BOOLEANS, rng.randint(0, 3))]
    found = any(
        all(is_true(x, values) for x in true) and all(holds(row, values) for row in rows)
        for values in ASSIGNMENTS
    )
    assert extends(rows, true) == found
    assert not extends(rows, [1, -1])


@pytest.mark.parametrize("relation", ["<=", "<", ">=", ">", "=="])
def test_comparisons_are_in_a_common_form(relation):
    linear = Linear((0, 1, 2), (2, -3, 1), relation, 1)
    found = list(comparisons(linear))
    for values in product(range(-2, 3), repeat=3):
        met = all(sum(k * values[v] for v, k in one.weights.items()) >= one.bound for one in found)
        assert met == linear.holds(values)
    assert not list(comparisons(Linear((0, 1), (1, 1), "!=", 1)))


def test_rows_that_share_a_boolean_without_owner_are_together():
    owners = Owners([{0: (-1,), 1: (1,)}, {0: (2, -3), 1: (-2, 3)}])
    rows = [
        ([(1, 1), (2, 1)], 1),
        ([(1, 1), (7, 1)], 1),
        ([(-7, 1), (8, 2)], 1),
        ([(9, 1)], 1),
    ]
    alone, together = connect(rows, owners)
    assert alone == rows[:1]
    assert together == [rows[1:3], rows[3:]]
