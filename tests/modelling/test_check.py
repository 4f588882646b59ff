"""The check on which every verdict stands: what it finds, by plain cases of each kind."""

from itertools import product

import pytest

from modelling.check import Violation, refuted, violations
from modelling.constraints import AllDifferent, Linear, NotEqual, Table
from modelling.problem import Problem, Structure, build_problem

NAMES = ("a", "b", "c")


def problem(*constraints, domains=((1, 2, 3),) * 3, masks=(0b111,) * 3):
    return Problem(Structure(NAMES, domains, constraints), masks)


@pytest.mark.parametrize("values", [(), (1,), (1, 2), (1, 2, 3, 1)])
def test_another_number_of_values_is_all_that_is_said(values):
    text = f"{len(values)} values for 3 variables"
    found = violations(problem(AllDifferent(range(3))), values)
    assert found == [Violation("length", len(values), text)]
    assert str(found[0]) == text


def test_a_value_outside_the_base_domain_or_not_open():
    assert violations(problem(), (1, 2, 3)) == []
    found = violations(problem(masks=(0b111, 0b101, 0b111)), (4, 2, 3))
    assert [(v.kind, v.where) for v in found] == [("domain", 0), ("domain", 1)]
    assert found[0].message == "a = 4 is not in its domain (1, 2, 3)"
    assert found[1].message == "b = 2 is not in its domain (1, 3)"
    gapped = problem(domains=((1, 3), (5,), (2, 4)), masks=(0b10, 0b1, 0b01))
    assert [v.where for v in violations(gapped, (3, 5, 2))] == []
    assert [v.where for v in violations(gapped, (1, 5, 4))] == [0, 2]


@pytest.mark.parametrize(
    ("constraint", "holds"),
    [
        (AllDifferent((0, 2)), lambda a, b, c: a != c),
        (AllDifferent((0, 1, 2)), lambda a, b, c: len({a, b, c}) == 3),
        (NotEqual((2, 1)), lambda a, b, c: c != b),
        (Linear((2, 0), (3, -2), "<=", 4), lambda a, b, c: 3 * c - 2 * a <= 4),
        (Linear((2, 0), (3, -2), "<", 4), lambda a, b, c: 3 * c - 2 * a < 4),
        (Linear((2, 0), (3, -2), ">=", 4), lambda a, b, c: 3 * c - 2 * a >= 4),
        (Linear((2, 0), (3, -2), ">", 4), lambda a, b, c: 3 * c - 2 * a > 4),
        (Linear((2, 0), (3, -2), "==", 4), lambda a, b, c: 3 * c - 2 * a == 4),
        (Linear((2, 0), (3, -2), "!=", 4), lambda a, b, c: 3 * c - 2 * a != 4),
        (Table((2, 0), ((1, 2), (3, 3))), lambda a, b, c: (c, a) in ((1, 2), (3, 3))),
        (Table((2, 0), ((1, 2), (3, 3)), False), lambda a, b, c: (c, a) not in ((1, 2), (3, 3))),
    ],
)
def test_every_assignment_is_judged_by_the_definition(constraint, holds):
    stated = problem(NotEqual((0, 1)), constraint)
    for values in product((1, 2, 3), repeat=3):
        expected = [0] * (values[0] == values[1]) + [1] * (not holds(*values))
        found = violations(stated, values)
        assert [v.where for v in found] == expected, values
        assert {v.kind for v in found} <= {"constraint"}


def test_the_message_names_the_constraint_and_the_first_variables():
    stated = problem(NotEqual((1, 0)))
    text = "constraint 0, NotEqual(b, a), is violated by (2, 2)"
    assert violations(stated, (2, 2, 3)) == [Violation("constraint", 0, text)]
    for number, more in ((12, ""), (13, ", ...")):
        names = tuple(f"x{k}" for k in range(number))
        wide = Structure(names, ((1,),) * number, (AllDifferent(range(number)),))
        told = violations(Problem(wide, (1,) * number), (1,) * number)[0].message
        listed = ", ".join(names[:12])
        values = (1,) * 12
        assert told == f"constraint 0, AllDifferent({listed}{more}), is violated by {values}"


def test_a_domain_too_large_to_be_listed_is_not_empty():
    """It has no mask unless it is narrowed."""
    large = build_problem({"x": range(10**12)})
    assert large.masks == (None,)
    assert not refuted(large)


def test_what_one_look_refutes():
    assert not refuted(problem(AllDifferent(range(3))))
    assert refuted(problem(masks=(0b111, 0, 0b111)))
    assert refuted(problem(Linear((), (), "==", 1)))
    assert not refuted(problem(Linear((), (), "==", 0)))
    assert refuted(problem(Linear((), (), "==", 0), Linear((), (), "<", 0)))
    contradictory = problem(NotEqual((0, 1)), masks=(0b1, 0b1, 0b111))
    assert not refuted(contradictory)  # that takes more than one look
