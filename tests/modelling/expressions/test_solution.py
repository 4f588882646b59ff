"""Solutions: by name, attribute and handle; printed; values themselves."""

import pickle

import pytest

import concord
from modelling.errors import ModelError
from modelling.expressions.model import Model


@pytest.fixture
def m():
    m = Model()
    m.x = m.ints((2, 3), 0, 99, "x")
    m.y = m.int(0, 9, "y")
    m.cube = m.bools((2, 2, 1), "cube")
    return m


@pytest.fixture
def s(m):
    return m.solution((1, 2, 3, 40, 5, 6, 7, 0, 1, 1, 0))


def test_by_name_attribute_and_handle(m, s):
    assert s["x"] == s.x == s[m.x] == [[1, 2, 3], [40, 5, 6]]
    assert s["y"] == s.y == s[m.y] == 7
    assert s.x[1, 0] == s["x[1,0]"] == s[m.x[1, 0]] == 40
    assert s.x[:, 1] == [2, 5]
    assert s[m.x.T] == [[1, 40], [2, 5], [3, 6]]
    assert s.x.shape == (2, 3)
    assert s[concord.array([m.y, 3])] == [7, 3]


def test_expressions_are_evaluated(m, s):
    assert s[m.x[0, 0] + 2 * m.y] == 15
    assert s[m.y > 3] is True
    assert s[concord.all_different(m.x) & (m.y < 7)] is False
    assert s[concord.maximum(m.x)] == 40
    with pytest.raises(ModelError, match="no value in this solution"):
        s[concord.array([1, 2])[m.y]]


def test_it_is_a_mapping_by_name(s):
    assert dict(s) == {"x": [[1, 2, 3], [40, 5, 6]], "y": 7, "cube": [[[0], [1]], [[1], [0]]]}
    assert list(s) == ["x", "y", "cube"]
    assert len(s) == 3
    assert "x" in s
    assert "x[0,0]" in s
    assert "z" not in s
    assert 3 not in s
    for wrong in ("z", 1.5, None):
        with pytest.raises(KeyError):
            s[wrong]
    with pytest.raises(AttributeError, match="no variable is called 'z'; there are: x, y, cube"):
        _ = s.z


def test_it_is_a_value(m, s):
    same = m.solution(s.values_in_order)
    other = m.solution((1, 2, 3, 40, 5, 6, 8, 0, 1, 1, 0))
    assert s == same
    assert s != other
    assert len({s, same, other}) == 2
    assert s.x == same.x
    assert len({s.x, same.x}) == 1
    assert s == dict(s)
    assert s != 3
    again = pickle.loads(pickle.dumps(s))
    assert again == s
    assert again.x == s.x


def test_it_is_printed_so_that_one_can_read_it(m, s):
    assert str(s) == ("x =\n   1  2  3\n  40  5  6\ny = 7\ncube =\n  0\n  1\n\n  1\n  0")
    assert repr(s) == "Solution(x=[[1, 2, 3], [40, 5, 6]], y=7, cube=[[[0], [1]], [[1], [0]]])"
    m.maximize(m.y)
    assert str(m.solution(s.values_in_order)).endswith("\nobjective = 7")


def test_a_row_is_printed_on_its_line():
    m = Model()
    m.ints(3, 0, 9, "x")
    assert str(m.solution((1, 2, 3))) == "x = 1 2 3"
