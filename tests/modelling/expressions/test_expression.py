"""Expressions mean what they say: random ones against an evaluation in plain Python.

A drawn tree is an expression and, beside it, a function of the variables' values that knows nothing
of the core: integers as Python has them, None for undefined, which makes a comparison false.
"""

import random
from itertools import product

import numpy as np
import pytest

import concord
from modelling.constraints import TRUE, Affine, And, Iff, Linear, NotEqual, Or, Sum, Truth
from modelling.errors import ModelError
from modelling.expressions.expression import bounds_of
from modelling.expressions.model import Model
from tests.seeds import for_each

DOMAINS = {"x": (0, 1, 2, 3), "y": (-2, -1, 0, 3), "z": (1, 2, 5), "b": (0, 1)}


def whether(test):
    """A comparison of what may be undefined."""
    return lambda *values: None not in values and test(*values)


def defined(function):
    return lambda *values: None if None in values else function(*values)


class Tree:
    """Draws expressions with their meaning."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.model = Model()
        self.handles = [self.model.int(DOMAINS[name], name=name) for name in DOMAINS]

    def leaf(self):
        k = self.rng.randrange(len(self.handles))
        if self.rng.random() < 0.2:
            constant = self.rng.randint(-2, 4)
            return constant, lambda v: constant
        return self.handles[k], lambda v: v[k]

    def integer(self, depth):
        if not depth or self.rng.random() < 0.15:
            return self.leaf()
        one, of_one = self.integer(depth - 1)
        two, of_two = self.integer(depth - 1)
        if isinstance(one, int) and isinstance(two, int):
            one, of_one = self.handles[0], lambda v: v[0]
        kind = self.rng.randrange(14)
        pairs = {
            0: (lambda: one + two, lambda a, b: a + b),
            1: (lambda: one - two, lambda a, b: a - b),
            2: (lambda: one * two, lambda a, b: a * b),
            3: (lambda: concord.minimum(one, two), min),
            4: (lambda: concord.maximum([one, two]), max),
            5: (lambda: concord.sum_([one, two, one]), lambda a, b: 2 * a + b),
            6: (lambda: abs(one - two), lambda a, b: abs(a - b)),
            7: (lambda: concord.truncated(one, two), self.truncated),
            8: (lambda: concord.remainder(one, two), self.remainder),
            9: (lambda: concord.distance(one, two), lambda a, b: abs(a - b)),
        }
        if kind in pairs:
            made, meant = pairs[kind]
            return made(), lambda v: defined(meant)(of_one(v), of_two(v))
        if kind == 10:
            index, of_index = self.integer(depth - 1)
            if isinstance(index, int):
                index, of_index = self.handles[2], lambda v: v[2]
            values = [one, two, 7]

            def chosen(v):
                items, k = [of_one(v), of_two(v), 7], of_index(v)
                inside = None not in (k, *items) and 0 <= k < 3
                return items[k] if inside else None

            return concord.array(values)[index], chosen
        if kind == 11:
            power = self.rng.randint(1, 3)
            base, of_base = (two, of_two) if isinstance(one, int) else (one, of_one)
            return base**power, lambda v: defined(lambda a: a**power)(of_base(v))
        if kind == 12:
            return -(one - two), lambda v: defined(lambda a, b: b - a)(of_one(v), of_two(v))
        condition, holds = self.condition(depth - 1)
        return condition + two, lambda v: defined(lambda b: int(holds(v)) + b)(of_two(v))

    @staticmethod
    def truncated(a, b):
        return None if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)

    @staticmethod
    def remainder(a, b):
        return None if b == 0 else a - b * Tree.truncated(a, b)

    def condition(self, depth):
        if depth and self.rng.random() < 0.5:
            one, holds_one = self.condition(depth - 1)
            two, holds_two = self.condition(depth - 1)
            made, meant = self.rng.choice(
                [
                    (lambda: one & two, lambda a, b: a and b),
                    (lambda: one | two, lambda a, b: a or b),
                    (lambda: one ^ two, lambda a, b: a != b),
                    (lambda: ~one, lambda a, b: not a),
                    (lambda: one.implies(two), lambda a, b: b or not a),
                    (lambda: one.iff(two), lambda a, b: a == b),
                    (lambda: one == two, lambda a, b: a == b),
                    (lambda: one != two, lambda a, b: a != b),
                    (lambda: one <= two, lambda a, b: b or not a),
                    (lambda: one == 0, lambda a, b: not a),
                    (lambda: concord.all_([one, True, two]), lambda a, b: a and b),
                    (lambda: concord.any_([one, False, two]), lambda a, b: a or b),
                ]
            )
            return made(), lambda v: meant(holds_one(v), holds_two(v))
        one, of_one = self.integer(depth)
        two, of_two = self.integer(depth)
        if isinstance(one, int):
            one, of_one = self.handles[1], lambda v: v[1]
        made, meant = self.rng.choice(
            [
                (lambda: one == two, lambda a, b: a == b),
                (lambda: one != two, lambda a, b: a != b),
                (lambda: one < two, lambda a, b: a < b),
                (lambda: one <= two, lambda a, b: a <= b),
                (lambda: one > two, lambda a, b: a > b),
                (lambda: one >= two, lambda a, b: a >= b),
                (lambda: one.between(two, 3), lambda a, b: b <= a <= 3),
                (lambda: one.isin([two, 4]), lambda a, b: a in (b, 4)),
            ]
        )
        if "isin" in made.__code__.co_names:  # of each value apart: one may be undefined

            def is_one(v):
                a = of_one(v)
                return a is not None and a in (of_two(v), 4)

            return made(), is_one
        if "between" in made.__code__.co_names:
            return made(), lambda v: whether(meant)(of_one(v), of_two(v))
        return made(), lambda v: whether(meant)(of_one(v), of_two(v))


@for_each("seed", range(200))
def test_a_drawn_condition_holds_where_plain_python_says_so(seed):
    tree = Tree(seed)
    condition, holds = tree.condition(3)
    tree.model.add(condition)
    constraints = tree.model.problem().structure.constraints
    for values in product(*DOMAINS.values()):
        said = all(c.holds([values[v] for v in c.scope]) for c in constraints)
        assert said == bool(holds(values)), (values, repr(condition))


@for_each("seed", range(200))
def test_a_drawn_integer_has_the_value_and_bounds_that_plain_python_says(seed):
    tree = Tree(seed)
    item, meant = tree.integer(3)
    tree.model.add(tree.handles[0] == tree.handles[0])
    low, high = bounds_of(item)
    for values in product(*DOMAINS.values()):
        value, solution = meant(values), tree.model.solution(values)
        if value is None:
            with pytest.raises(ModelError, match="has no value in this solution"):
                solution[item]
        else:
            assert solution[item] == value
            assert low <= value <= high


@for_each("seed", range(20))
def test_backends_count_what_plain_python_counts(seed):
    tree = Tree(seed)
    drawn = [tree.condition(2) for _ in range(2)]
    tree.model.add(condition for condition, _ in drawn)
    expected = sum(
        all(holds(values) for _, holds in drawn) for values in product(*DOMAINS.values())
    )
    for backend in ("propagation", "sat"):
        result = concord.solve(tree.model.problem(), concord.Solutions(None), backend=backend)
        assert result.count == expected, repr(drawn)


@pytest.fixture
def m():
    return Model()


@pytest.fixture
def x(m):
    return m.ints(4, 0, 9, "x")


def stated(condition):
    return condition.formula


def test_sums_are_flattened_and_repeats_merged(x):
    assert stated(x[0] + 2 * (x[1] - x[0]) + 3 <= x[2] + 10) == Linear(
        (0, 1, 2), (-1, 2, -1), "<=", 7
    )
    assert stated(sum(x) == 5) == Linear((0, 1, 2, 3), (1, 1, 1, 1), "==", 5)
    assert stated(x[0] - x[0] == 0) == TRUE
    assert stated(x[0] != x[1]) == NotEqual((0, 1))
    assert stated(x[0] != x[1] + 1) == Linear((0, 1), (1, -1), "!=", 1)
    assert stated(x[0] <= 7) == Linear((0,), (1,), "<=", 7)


def test_views_are_affine_and_functions_nest(x):
    different = concord.all_different(x[k] + k for k in range(3))
    assert stated(different).terms == (0, Affine(1, 1, 1), Affine(2, 1, 2))
    nested = stated(concord.maximum(x[0] + x[1], 3) == x[2]).terms[0]
    assert nested.terms == (Sum((0, 1)), Affine(None, 0, 3))


def test_a_term_that_can_be_undefined_stays_when_its_coefficient_is_zero(x):
    part = concord.truncated(x[0], x[1])
    condition = stated(part - part == 0)
    assert condition.holds((3, 1))
    assert not condition.holds((3, 0))
    assert not stated(0 * part == 0).holds((3, 0))


@pytest.mark.once
def test_a_sum_of_many_terms_does_not_recurse(m):
    x = m.ints(10_000, 0, 1, "x")
    total = sum(x)
    assert stated(total == 5).coefficients == (1,) * 10_000
    assert stated(concord.sum_(x) == 5) == stated(total == 5)
    conjunction = x[0] == 1
    for one in x[1:]:
        conjunction = conjunction & (one == 1)
    assert len(stated(conjunction).formulas) == 10_000
    assert stated(sum(one == 1 for one in x) >= 3).terms == tuple(range(10_000))


def test_what_is_used_many_times_is_taken_apart_once(x):
    doubled, both, odd = x[0] + x[1], (x[0] == 1) & (x[1] == 1), (x[0] == 1) ^ (x[1] == 1)
    for _ in range(300):
        doubled, both, odd = doubled + doubled + 1, both & both, odd ^ odd ^ odd
    found = stated(doubled <= 0)
    assert found.coefficients == (2**300, 2**300)
    assert found.constant == 1 - 2**300
    assert len(stated(both).formulas) == 2
    assert len(stated(odd).formulas) == 2


def test_common_parts_are_the_same_object(x):
    part = abs(x[0] - x[1])
    one, other = stated(part == 3), stated(part + x[2] <= 5)
    assert one.terms[0] is other.terms[0]


def test_conditions_count_as_0_and_1_and_booleans_are_conditions(m, x):
    b = m.bool("b")
    assert stated(b == (x[0] > 3)) == Iff(Linear((4,), (1,), "==", 1), Linear((0,), (1,), ">", 3))
    assert stated(b | (x[0] > 3)).formulas[0] == Linear((4,), (1,), "==", 1)
    assert stated(~b) == Linear((4,), (1,), "==", 0)
    assert stated((x[0] > 3) + (x[1] > 3) <= 1).terms[0] == Truth(Linear((0,), (1,), ">", 3))
    assert stated(~b + b <= x[0]) == Linear((0,), (-1,), "<=", -1)
    assert stated((x[0] > 3) == True) == Linear((0,), (1,), ">", 3)  # noqa: E712
    assert stated((x[0] > 3) == 0) == Linear((0,), (1,), "<=", 3)
    assert stated((1 - b) & b) == And((Linear((4,), (-1,), "==", 0), Linear((4,), (1,), "==", 1)))


def test_edges_of_lists(x):
    assert sum(x[:0]) == 0
    assert concord.sum_([]) == 0
    assert stated(concord.all_([])) == And(())
    assert stated(concord.any_([])) == Or(())
    assert concord.sum_([1, 2]) == 3
    with pytest.raises(ModelError):
        concord.maximum([])
    assert x[0] ** 0 == 1
    assert x[0] ** 1 is x[0]
    assert not stated(x[0].isin([])).holds((3,))


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint8, np.bool_])
def test_integers_of_numpy_are_integers(x, kind):
    one = kind(1)
    for left, right in [
        (x[0] + one, x[0] + 1),
        (one + x[0], 1 + x[0]),
        (one - x[0], 1 - x[0]),
        (one * x[0], 1 * x[0]),
        (x[0] * one, x[0] * 1),
    ]:
        assert stated(left == x[1]) == stated(right == x[1])
    assert stated(one == x[0]) == stated(x[0] == 1)
    assert stated(one <= x[0]) == stated(x[0] >= 1)


def test_numbers_have_no_bounds(x):
    big = x[0] * 2**70
    assert stated(big <= 2**80).coefficients == (2**70,)
    assert bounds_of(big) == (0, 9 * 2**70)


def test_division_where_all_round_alike(m):
    x, y = m.int(0, 20, "x"), m.int(1, 5, "y")
    for a in range(21):
        for b in range(1, 6):
            s = m.solution((a, b))
            assert s[x // y] == a // b
            assert s[x % y] == a % b
            assert s[20 // y] == 20 // b
            assert s[x % 3] == a % 3


def test_expressions_show_what_they_say(m):
    x, y, b = m.int(1, 9, "x"), m.int(1, 9, "y"), m.bool("b")
    assert repr(x) == "x"
    assert repr(x + 2 * y - 3) == "x + 2*y - 3"
    assert repr(-x + 3) == "-x + 3"
    assert repr((x + y <= 5) & b) == "(x + y <= 5) & (b == 1)"
    assert repr(abs(x - y)) == "Distance(x, y)"
    assert repr(concord.array([1, 2, 3])[x]) == "Element(1, 2, 3, x)"
    assert repr(concord.all_([])) == "True"
    assert len(repr(sum([x + k * y for k in range(100)]))) < 100
