"""Where CPMpy contradicts itself: its own solver and its own values (docs/disagreements.md)."""

from itertools import product

import cpmpy as cp
import pytest
from cpmpy.expressions.utils import argval

import concord
from modelling.versions import find_version


def of_1_1(what):
    return pytest.mark.xfail(
        find_version("cpmpy").startswith("1.1"),
        reason=f"CPMpy 1.1 {what}: docs/disagreements.md",
        strict=True,
    )


def by_values(constraint, variables):
    """How many assignments satisfy a constraint by CPMpy's own values."""
    found = 0
    for values in product(*(range(v.lb, v.ub + 1) for v in variables)):
        for variable, value in zip(variables, values, strict=True):
            variable._value = bool(value) if variable.is_bool() else value
        found += bool(argval(constraint))
    return found


def modelled(constraint, variables):
    return cp.Model(constraint, *(v >= v.lb for v in variables))


x, y = cp.intvar(0, 1, name="x"), cp.intvar(1, 2, name="y")
b, i = cp.boolvar(name="b"), cp.intvar(3, 4, name="i")
length = cp.intvar(-2, 0, name="length")
OUTSIDE = cp.AllDifferentExceptN([cp.Element([x, x], i)], 5), (x, i)
NEGATED = ~cp.NoOverlapOptional([0], [length], is_present=[b]), (length, b)
AUTOMATON = b.implies(cp.Regular([x, y], [(0, 0, 1), (1, 1, 1)], 0, [1])), (x, y, b)
TABLE = b.implies(cp.Table([y], [[1], [1], [2]])), (y, b)
SHORT = b.implies(cp.Regular([x], [(0, 0, 1)], 0, [1])), (x, b)
DIAGRAM = cp.MDD([x, y], [("r", 0, "a"), ("a", 1, "t"), ("d", 1, "t")]), (x, y)
CIRCUIT = ~cp.Circuit([b, x]), (b, x)
CASES = (
    pytest.param(*OUTSIDE, 0, marks=of_1_1("lets what is undefined pass"), id="outside"),
    pytest.param(*NEGATED, 2, marks=of_1_1("forgets negative lengths"), id="negated"),
    pytest.param(*AUTOMATON, 5, marks=of_1_1("repeats solutions"), id="automaton"),
    pytest.param(*TABLE, 4, marks=of_1_1("repeats solutions"), id="table"),
    pytest.param(*SHORT, 3, marks=of_1_1("raises TypeError"), id="short"),
    pytest.param(*DIAGRAM, 1, marks=of_1_1("raises KeyError"), id="diagram"),
    pytest.param(*CIRCUIT, 3, marks=of_1_1("raises TypeError"), id="circuit"),
)


@pytest.mark.parametrize(("constraint", "variables", "expected"), CASES)
def test_cpmpys_own_solver_counts_what_its_values_say(constraint, variables, expected):
    assert modelled(constraint, variables).solveAll(solver="ortools") == expected


@pytest.mark.parametrize(
    ("constraint", "variables", "expected"), [case.values for case in CASES], ids=range(len(CASES))
)
def test_concord_counts_what_its_values_say(constraint, variables, expected):
    assert by_values(constraint, variables) == expected
    problem = concord.from_cpmpy(modelled(constraint, variables))
    assert concord.solve(problem, concord.Solutions(None)).count == expected


def test_a_negative_capacity_is_never_kept():
    """CPMpy's value looks at the times from the first start to the last end: here at none."""
    tasks = cp.CumulativeOptional([0], [-2], demand=[0], capacity=-1, is_present=[b])
    assert by_values(tasks, [b]) == 1
    problem = concord.from_cpmpy(cp.Model(tasks))
    assert concord.solve(problem, concord.Solutions(None)).count == 0


def test_equal_things_of_which_there_are_none():
    """CPMpy's value says no, its solver yes; so does Concord."""
    assert cp.AllEqual([]).value() is False
    assert cp.Model(cp.AllEqual([]), x >= 0).solve(solver="ortools")
    problem = concord.from_cpmpy(cp.Model(cp.AllEqual([]), x >= 0))
    assert concord.solve(problem, concord.Solutions(None)).count == 2
