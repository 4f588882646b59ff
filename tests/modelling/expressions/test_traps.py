"""What Python would take for something else raises, and says what to write instead."""

import numpy as np
import pytest

import concord
from modelling.errors import ModelError
from modelling.expressions.model import Model


@pytest.fixture
def m():
    return Model()


@pytest.fixture
def x(m):
    return m.int(0, 9, "x")


@pytest.fixture
def y(m):
    return m.int(-3, 9, "y")


def refuses(match):
    return pytest.raises(ModelError, match=match)


@pytest.mark.parametrize(
    "trap",
    [
        lambda x, y: bool(x),
        lambda x, y: bool(x == y),
        lambda x, y: 1 <= x <= 3,
        lambda x, y: x == y == 3,
        lambda x, y: x > 1 and y > 1,
        lambda x, y: x > 1 or y > 1,
        lambda x, y: not x > 1,
        lambda x, y: 1 if x > 1 else 2,
        lambda x, y: x in [y, 3],
        lambda x, y: 3 in concord.array([x, y]),
        lambda x, y: max(x, y),
        lambda x, y: min([x, y]),
        lambda x, y: all(one > 3 for one in (x, y)),
        lambda x, y: any([x > 3]),
        lambda x, y: sorted([x, y]),
        lambda x, y: [one for one in (x, y) if one != 3],
        lambda x, y: bool(concord.array([x, y])),
        lambda x, y: bool(concord.array([x, y]) == 3),
        lambda x, y: bool(x + y),
    ],
)
def test_truth_values(x, y, trap):
    with refuses("neither true nor false before the model is solved") as told:
        trap(x, y)
    for instead in ("&", "|", "~", "implies", "between", "isin", "concord.minimum"):
        assert instead in str(told.value)


@pytest.mark.parametrize(
    "trap",
    [
        lambda x: [1, 2, 3][x],
        lambda x: [1, 2, 3][x + 1],
        lambda x: list(range(x)),
        lambda x: int(x),
        lambda x: np.array([1, 2, 3])[x],
        lambda x: "abc"[x],
    ],
)
def test_indices(x, trap):
    with pytest.raises((ModelError, IndexError)) as told:
        trap(x)
    if isinstance(told.value, IndexError):  # numpy says so of what is no integer
        assert "only integers" in str(told.value)
    else:
        assert "concord.array(values)[x]" in str(told.value)


def test_variables_are_keys_and_expressions_are_not(x, y):
    assert {x: 1, y: 2}[y] == 2
    assert len({x, y, x}) == 2
    for compound in (x + y, x == y, abs(x), concord.array([x])):
        with refuses("cannot be in a set or a key of a dict"):
            hash(compound)


def test_division(x, y):
    for trap in (lambda: y // 2, lambda: x // y, lambda: x // 0, lambda: 5 // x, lambda: x // -1):
        with refuses("dividends of at least 0 .* write concord.truncated"):
            trap()
    for trap in (lambda: y % 2, lambda: x % y, lambda: 5 % x):
        with refuses("concord.remainder"):
            trap()
    with refuses("dividend is from -3 to 9 and the divisor from 2 to 2"):
        y // 2
    for trap in (lambda: x / 2, lambda: 2 / x):
        with refuses("write // "):
            trap()


def test_powers(x):
    for trap in (lambda: x**-1, lambda: x**x, lambda: 2**x, lambda: x**0.5):
        with refuses(r"concord.array\(\[1, 2, 4, 8\]\)\[x\]"):
            trap()


def test_integers_are_no_conditions(m, x):
    for trap in (
        lambda: x & (x > 1),
        lambda: (x > 1) | x,
        lambda: ~x,
        lambda: x.implies(x > 1),
        lambda: (x > 1).implies(x),
        lambda: m.add(x),
        lambda: m.add([x + 1]),
        lambda: concord.all_([x > 1, x]),
        lambda: concord.if_then_else(x, 1, 2),
    ):
        with refuses("where a condition must stand; compare it"):
            trap()
    with refuses("2 is no condition"):
        m.add(2)


@pytest.mark.parametrize("other", [1.5, 2.0, np.float64(3.0), "3", None, [1, 2], (1,), object()])
def test_only_integers_stand_beside_expressions(x, other):
    for trap in (
        lambda: x + other,
        lambda: x - other,
        lambda: other - x,
        lambda: x * other,
        lambda: x == other,
        lambda: x != other,
        lambda: x <= other,
        lambda: other >= x,
        lambda: concord.sum_([x, other]) if not isinstance(other, (list, tuple)) else x + other,
    ):
        with pytest.raises(ModelError, match="beside"):
            trap()


def test_arrays_of_numpy_beside_one_expression(x):
    for trap in (lambda: x * np.array([1, 2]), lambda: np.array([1, 2]) + x):
        with refuses("concord.array"):
            trap()


def test_models_do_not_mix(m, x):
    other = Model()
    z = other.int(0, 9, "z")
    for trap in (
        lambda: x + z,
        lambda: x == z,
        lambda: (x > 1) & (z > 1),
        lambda: x * z,
        lambda: concord.all_different(x, z),
        lambda: concord.maximum([x, z]),
        lambda: concord.array([1, 2, x])[z],
        lambda: m.add(z > 3),
        lambda: m.minimize(z),
        lambda: m.output(z),
        lambda: m.solution((1,))[z],
    ):
        with refuses("another model"):
            trap()


def test_one_expression_is_no_list(x):
    with pytest.raises(TypeError):
        iter(x)
    with pytest.raises(TypeError):
        3 in x  # noqa: B015


def test_functions_nested_too_deeply(m):
    x = m.ints(3000, 0, 9)
    nested = x[0]
    with refuses(r"nested too deeply.* z = m.int\(least, most\)"):
        for one in x[1:]:
            nested = abs(nested - one)


def test_what_is_no_condition_is_told_plainly(m):
    with refuses("None beside a list of expressions is no integer and no expression"):
        m.add(None)
