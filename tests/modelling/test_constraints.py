"""The meaning of each constraint, and what cannot be stated."""

import pytest

from modelling.constraints import AllDifferent, Linear, NotEqual, Table
from modelling.errors import ModelError
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


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (lambda: NotEqual((0,)), "takes 2 variables, got 1"),
        (lambda: Linear((0, 1), (1,), "==", 0), "2 variables but 1 coefficients"),
        (lambda: Linear((0,), (1,), "=", 0), "unknown relation '='"),
        (lambda: Linear((0,), (1.5,), "==", 0), "takes integers, got 1.5"),
        (lambda: Table((0, 1), ((1, 2), (3,))), "tuple 1 has 1 values for 2 variables"),
        (lambda: AllDifferent((0, 1)).over((2,)), "as many variables"),
    ],
)
def test_what_cannot_be_stated_says_why(state, message):
    with pytest.raises(ModelError, match=message.replace("(", r"\(")):
        state()


def test_a_constraint_can_be_moved_to_other_variables():
    assert Linear((0, 1), (2, 3), "<", 4).over((5, 6)) == Linear((5, 6), (2, 3), "<", 4)


def test_rows_that_may_be_met():
    rows = Table((0, 1), ((1, 2), (1, ANY), (3, 2), (1, 2), (ANY, 5))).rows_among([{1}, {2: "a"}])
    assert rows == [(1, 2), (1, ANY)]
