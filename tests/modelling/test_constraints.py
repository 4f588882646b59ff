"""The meaning of each constraint, and what cannot be stated."""

import pytest

from modelling.constraints import AllDifferent, Linear, NotEqual, Table
from modelling.terms import ANY


@pytest.mark.parametrize(
    ("constraint", "values", "holds"),
    [
        (AllDifferent((0, 1, 2)), (3, 1, 2), True),
        (AllDifferent((0, 1, 2)), (3, 1, 3), False),
        (AllDifferent(()), (), True),
        (NotEqual((0, 1)), (1, 2), True),
        (NotEqual((0, 1)), (2, 2), False),
        (Linear((0, 1), (2, -1), "==", 3), (1, -1), True),
        (Linear((0, 1), (2, -1), "!=", 3), (1, -1), False),
        (Linear((0,), (1,), "<", 3), (3,), False),
        (Linear((0,), (1,), "<=", 3), (3,), True),
        (Linear((0,), (1,), ">", 3), (3,), False),
        (Linear((0,), (1,), ">=", 3), (3,), True),
        (Linear((), (), "==", 0), (), True),
        (Linear((), (), "==", 1), (), False),
        (Table((0, 1), ((1, 2), (3, 4))), (3, 4), True),
        (Table((0, 1), ((1, 2), (3, 4))), (3, 2), False),
        (Table((0, 1), ((1, 2),), allowed=False), (1, 2), False),
        (Table((0, 1), ((1, 2),), allowed=False), (2, 1), True),
        (Table((), ()), (), False),
        (Table((), ((),)), (), True),
        (Table((), (), allowed=False), (), True),
    ],
)
def test_holds(constraint, values, holds):
    assert constraint.holds(values) is holds


def test_a_constraint_can_be_moved_to_other_variables():
    assert Linear((0, 1), (2, 3), "<", 4).over((5, 6)) == Linear((5, 6), (2, 3), "<", 4)


def test_rows_that_may_be_met():
    rows = Table((0, 1), ((1, 2), (1, ANY), (3, 2), (1, 2), (ANY, 5))).rows_among([{1}, {2: "a"}])
    assert rows == [(1, 2), (1, ANY)]
