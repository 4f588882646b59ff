"""Studies of the encodings of ``sat``: exponents, and that what they compare agrees."""

import pytest

from results.studies.speed.growth import CASES, LARGE, Row, exponent, faster, measure
from results.studies.speed.sat_encodings import DRAWS, OPTIONS, compare, without


def rows(case, power):
    return [Row(case, "sat:x", n, 3 * n**power, 0, 0.0, 0.0) for n in (10, LARGE, 80, 200)]


def test_an_exponent_is_the_slope_and_one_above_is_told():
    assert exponent(rows("Circuit", 2)) == pytest.approx(2)
    assert exponent(rows("Circuit", 3), 1, LARGE) == pytest.approx(3)
    assert exponent([Row("Circuit", "sat:x", 80, -1, 0, 0.0, 0.0)]) == 0
    assert faster(rows("Circuit", 2)) == []
    assert faster(rows("Circuit", 3)) == ["Circuit, sat:x: exponent 3.00, stated 2"]


@pytest.mark.parametrize("case", CASES)
def test_an_encoding_is_measured(case):
    one, other = (measure(case, "sat:integers=order", n) for n in (4, 8))
    assert 0 < one.size < other.size
    assert 0 < one.variables < other.variables


@pytest.mark.parametrize("name", ["Circuit", "Distance", "Count"])
def test_a_handler_is_compared_with_the_rewrite(name):
    _, kinds = DRAWS[name]
    row = compare(name, "rewritten", without(kinds), 1, 1)
    assert (row.instances, row.unsettled) == (1, 0)
    assert row.ratio > 0


def test_every_option_is_compared():
    assert {option.partition("=")[0] for option in OPTIONS} == {"integers", "sums"}
