"""Domains as text, and the values that `concord.propagate` leaves open."""

import pytest

import concord


def test_a_column_for_each_value_and_a_dot_for_what_is_removed():
    drawn = concord.Domains({"a": (-1, 12), "long": (3,)}, [(-1, 0, 3, 12), (3, 5)])
    assert repr(drawn).splitlines() == ["a     -1 . .   12", "long       3 ."]


def test_many_values_are_ranges():
    drawn = concord.Domains({"x": (1, 2, 3, 5, 7, 8)}, [range(100)])
    assert repr(drawn) == "x  1..3 5 7..8"


def test_a_contradiction_leaves_nothing():
    m = concord.Model()
    x = m.int(0, 5, "x")
    m.add(x > 3, x < 2)
    found = concord.propagate(m)
    assert not found.is_consistent
    assert repr(found) == "a contradiction: no value is left"


def test_a_problem_that_propagation_solves_has_one_value_each():
    found = concord.propagate(concord.read("sudoku-easy")[0])
    assert found.is_consistent
    assert all(len(values) == 1 for values in found.values())


@pytest.mark.parametrize(
    ("consistency", "left"), [("values", "01234"), ("bounds", "01234"), ("domain", "024")]
)
def test_the_consistency_of_all_different_is_chosen(consistency, left):
    m = concord.Model()
    x, y, z = m.int([1, 3], name="x"), m.int([1, 3], name="y"), m.int(0, 4, "z")
    m.add(concord.all_different([x, y, z]))
    found = concord.propagate(m, alldifferent=consistency)
    assert found["z"] == tuple(map(int, left))
    ask = concord.Solutions(None)
    backend = f"propagation:alldifferent={consistency}"
    assert concord.solve(m, ask, backend=backend).count == 6


def test_an_unknown_consistency_is_refused():
    with pytest.raises(concord.ConcordError, match="must be one of auto, values, bounds, domain"):
        concord.propagate(concord.Model(), alldifferent="range")
