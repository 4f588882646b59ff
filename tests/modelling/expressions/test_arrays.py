"""Arrays: shapes, indices as numpy has them, operators item by item, expressions as indices."""

from itertools import product

import numpy as np
import pytest

import concord
from modelling.errors import ModelError
from modelling.expressions.arrays import Array, array
from modelling.expressions.blocks import Block
from modelling.expressions.model import Model

INDICES = [
    0,
    -1,
    np.int64(1),
    slice(None),
    slice(1, None),
    slice(None, None, -1),
    slice(5, 9),
    (1, 2),
    (-1, slice(None)),
    (slice(None), 1),
    (slice(None), slice(0, 2)),
    (slice(None), slice(None), 3),
    (1, 1, 1),
    (slice(1), 2, slice(None, None, 2)),
]


@pytest.mark.parametrize("index", INDICES, ids=str)
def test_indices_are_those_of_numpy(index):
    numbers = np.arange(24).reshape(2, 3, 4)
    block = Block(range(24), (2, 3, 4))
    wanted, found = numbers[index], block[index]
    assert getattr(found, "shape", ()) == np.shape(wanted)
    assert (found.tolist() if isinstance(found, Block) else found) == wanted.tolist()


def test_rows_columns_and_shapes():
    numbers, block = np.arange(6).reshape(2, 3), Block(range(6), (2, 3))
    assert block.T.tolist() == numbers.T.tolist()
    assert block.reshape(3, -1).tolist() == numbers.reshape(3, -1).tolist()
    assert [row.tolist() for row in block] == numbers.tolist()
    assert len(block) == 2
    assert Block((), (0, 3)).T.shape == (3, 0)
    assert Block(range(24), (2, 3, 4)).T.tolist() == np.arange(24).reshape(2, 3, 4).T.tolist()


def test_wrong_indices_and_shapes():
    block = Block(range(6), (2, 3))
    for index in (2, -3, (0, 3)):
        with pytest.raises(IndexError, match="beyond dimension"):
            block[index]
    for index in ("x", 1.5, (0, None)):
        with pytest.raises(ModelError, match="no index of an array"):
            block[index]
    with pytest.raises(ModelError, match="3 indices for an array of 2 dimensions"):
        block[0, 0, 0]
    with pytest.raises(ModelError, match="do not make an array of shape"):
        block.reshape(4, 2)
    with pytest.raises(ModelError, match="one length and shape"):
        array([[1, 2], [3]])
    with pytest.raises(ModelError, match="one length and shape"):
        array([[1, 2], 3])
    with pytest.raises(ModelError, match="no sequence"):
        array(3)


@pytest.fixture
def m():
    return Model()


@pytest.fixture
def x(m):
    return m.ints((2, 3), 0, 3, "x")


def test_operators_are_applied_to_each_item(m, x):
    """Against numpy on the values."""
    values = (3, 0, 1, 2, 2, 1)
    s, v = m.solution(values), np.array(values).reshape(2, 3)
    other = np.arange(6).reshape(2, 3)
    for made, wanted in [
        (x + 1, v + 1),
        (1 + x, 1 + v),
        (5 - x, 5 - v),
        (x - 5, v - 5),
        (x * other, v * other),
        (other * x, other * v),
        (x + x, v + v),
        (x * x[0, 0], v * v[0, 0]),
        (x[0, 0] + x, v[0, 0] + v),
        (-x, -v),
        (abs(x - 2), abs(v - 2)),
        (x**2, v**2),
        (x // 2, v // 2),
        (x % 2, v % 2),
        (7 // (x + 1), 7 // (v + 1)),
        (x == 2, v == 2),
        (x != other, v != other),
        (x <= other.tolist(), v <= other),
        (x > x[1, 1], v > v[1, 1]),
        ((x > 1) & (x < 3), (v > 1) & (v < 3)),
        ((x > 1) | (x[0, 0] == 3), (v > 1) | (v[0, 0] == 3)),
        (~(x > 1), ~(v > 1)),
        (x.isin([1, 2]), np.isin(v, [1, 2])),
        (x.between(1, 2), (v >= 1) & (v <= 2)),
        (sum(x), sum(v)),
        (x[0], v[0]),
        (x.T[2], v.T[2]),
    ]:
        assert isinstance(made, Array)
        assert made.shape == wanted.shape
        assert s[made].tolist() == wanted.tolist()
    assert s[sum(x[0] * [1, 2, 3])] == 3 + 0 + 3
    assert s[concord.sum_(x)] == sum(values)


def test_shapes_must_agree(x):
    for trap in (lambda: x + x[0], lambda: x == [1, 2], lambda: x * np.array([1, 2])):
        with pytest.raises(ModelError, match="shapes must be equal"):
            trap()


def test_an_expression_as_index_chooses(m):
    i, j = m.int(-1, 3, "i"), m.int(-1, 3, "j")
    rows = [[5, 6, 7], [8, 9, 10]]
    values = array([[i, 6, 7], [8, 9, j]])
    for a, b in product(range(-1, 4), repeat=2):
        s = m.solution((a, b))
        own = [[a, 6, 7], [8, 9, b]]
        for made, wanted in [
            (array([4, 5, 6])[i], [4, 5, 6][a] if 0 <= a < 3 else None),
            (array([4, 5, 6])[2 * i + 1], [4, 5, 6][2 * a + 1] if 0 <= 2 * a + 1 < 3 else None),
            (array(rows)[i, j], rows[a][b] if 0 <= a < 2 and 0 <= b < 3 else None),
            (array(rows)[j, i], rows[b][a] if 0 <= b < 2 and 0 <= a < 3 else None),
            (array(rows)[1, j], rows[1][b] if 0 <= b < 3 else None),
            (array(rows)[i, 2], rows[a][2] if 0 <= a < 2 else None),
            (values[i, j], own[a][b] if 0 <= a < 2 and 0 <= b < 3 else None),
        ]:
            if wanted is None:
                with pytest.raises(ModelError, match="no value"):
                    s[made]
            else:
                assert s[made] == wanted
        if 0 <= a < 2:
            assert s[array(rows)[i]].tolist() == rows[a]
            assert s[array(rows)[i, 1:]].tolist() == rows[a][1:]
            cube = array([rows, [[1, 2, 3], [4, 5, 6]]])
            assert s[cube[i]].tolist() == [rows, [[1, 2, 3], [4, 5, 6]]][a]
            assert s[cube[1, i]].tolist() == [[1, 2, 3], [4, 5, 6]][a]
            assert s[cube[:, i]].tolist() == [rows[a], [[1, 2, 3], [4, 5, 6]][a]]
            if 0 <= b < 3:
                assert s[cube[:, i, j]].tolist() == [rows[a][b], [[1, 2, 3], [4, 5, 6]][a][b]]
                assert s[cube[i, :, j]].tolist() == [
                    row[b] for row in [rows, [[1, 2, 3], [4, 5, 6]]][a]
                ]


def test_an_index_outside_makes_the_constraint_false():
    m = concord.Model()
    i = m.int(-2, 9, "i")
    m.add(array([1, 2, 3])[i] != 2)
    assert [s.i for s in m.solutions()] == [0, 2]


def test_three_expressions_as_indices_are_refused(m):
    i = m.int(0, 1, "i")
    with pytest.raises(ModelError, match=r"at most two indices .* can be expressions"):
        array(np.zeros((2, 2, 2), dtype=int))[i, i, i]


def test_arrays_of_numpy_become_arrays(m):
    made = array(np.arange(6).reshape(2, 3))
    assert made.shape == (2, 3)
    assert all(type(item) is int for item in made.flat)
    with pytest.raises(ModelError, match=r"1\.5"):
        array([1.5, 2])
