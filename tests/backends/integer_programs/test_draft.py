"""Structures as integer programs: every 0/1 point that keeps the rows is a solution, and back."""

from itertools import product

import pytest

from backends.integer_programs.draft import IntegerProgramDraft
from backends.integer_programs.handlers import HANDLERS
from backends.integer_programs.instance import Instance
from backends.integer_programs.searching import round_bound
from backends.interface.api import Deadline, Limits, Phases, Solutions
from backends.interface.handlers import post
from backends.interface.session import Call
from modelling.brute_force import solutions
from modelling.check import violations
from modelling.constraints import AllDifferent, Iff, Implies, Linear, NotEqual, Table
from modelling.laws.drawing import structure_over
from modelling.vocabulary.formulas.clauses import Clauses

HOLDS = {"<=": int.__le__, ">=": int.__ge__, "==": int.__eq__}


def call_of(problem):
    size = problem.structure.size
    return Call(problem, Solutions(None), Limits(), Deadline(None), Phases(), 0.0, declared=size)


def points(program):
    """All integer points that keep the rows."""
    for point in product(*(range(low, high + 1) for low, high in program.bounds)):
        if all(
            HOLDS[relation](sum(factor * point[k] for factor, k in terms), constant)
            for terms, relation, constant in program.rows
        ):
            yield point


def posed(structure):
    draft = IntegerProgramDraft(structure)
    post(HANDLERS, draft, structure, "these")
    return draft


B = Linear((0,), (1,), "==", 1)
CASES = [
    ([(0, 1), (1, 3)], [Linear((0, 1), (2, -1), "!=", -1)]),
    ([(-1, 0, 2), (0, 1)], [Linear((0, 1), (1, 1), ">", 0)]),
    ([(0, 1, 2), (0, 1, 2)], [NotEqual((0, 1))]),
    ([(0, 1, 2), (1, 2, 3)], [AllDifferent((0, 1))]),
    ([(0, 1), (0, 1)], [AllDifferent((0, 1))]),
    ([(0, 1), (0, 1, 2)], [Table((0, 1), ((0, 2), (1, 1), (7, 1)))]),
    ([(0, 1), (0, 1, 2)], [Table((0, 1), ((0, 2), (1, 1)), allowed=False)]),
    ([(0, 1), (-1, 0)], [Clauses((0, 1), ((1, 2), (-1, -2)))]),
    ([(0, 1), (0, 1, 3)], [Implies(B, Linear((1,), (1,), ">=", 2))]),
    ([(0, 1), (0, 1, 3)], [Iff(B, Linear((1,), (2,), "!=", 2))]),
    ([(0, 1), (0, 1), (0, 2)], [Iff(B, Linear((1, 2), (1, 1), "<=", 1))]),
    ([(0, 1), (0, 1), (0, 2)], [Iff(B, Linear((1, 2), (1, 1), "==", 2))]),
    ([(0, 1), (0, 1)], [Iff(B, Linear((0, 1), (1, 1), "==", 1))]),  # the condition within
    ([(0, 1), (0, 1)], [Iff(B, Linear((), (), "==", 1))]),
    ([(0, 1), (3, 4)], [Implies(B, Linear((), (), "==", 1))]),
    ([(2,), (0, 1)], []),
]


@pytest.mark.parametrize(("domains", "constraints"), CASES)
def test_points_are_solutions(domains, constraints):
    structure = structure_over(domains, tuple(constraints))
    instance = Instance(posed(structure), call_of(structure.problem()))
    assert {instance.read(point) for point in points(instance.program)} == set(
        solutions(structure.problem())
    )


def test_one_row_cuts_off_one_solution():
    structure = structure_over([(0, 1), (1, 4, 9), (3, 5)], (Linear((0, 1), (1, 1), ">=", 2),))
    problem = structure.problem()
    instance = Instance(posed(structure), call_of(problem))
    every = sorted(solutions(problem))
    terms, relation, constant = instance.without(every[2])
    instance.program.post(terms, relation, constant)
    assert sorted({instance.read(p) for p in points(instance.program)}) == every[:2] + every[3:]


def test_givens_narrow_and_leave_the_draft_as_it_is():
    structure = structure_over([range(4), range(5)], (Linear((0, 1), (1, 1), "<=", 5),))
    draft = posed(structure)
    before = list(draft.program.bounds), list(draft.program.rows)
    full = structure.problem()
    masks = 0b1001, 0b10110
    narrowed = type(full)(structure, masks)
    instance = Instance(draft, call_of(narrowed))
    found = {instance.read(point) for point in points(instance.program)}
    assert found == set(solutions(narrowed))
    assert (draft.program.bounds, draft.program.rows) == before
    assert len(found) < len(list(solutions(full)))


def test_rounded_values_that_do_not_hold_are_none():
    structure = structure_over([(0, 1), (0, 1)], (NotEqual((0, 1)),))
    instance = Instance(posed(structure), call_of(structure.problem()))
    assert instance.read([0.9999999, 1e-7]) == (1, 0)
    assert violations(structure.problem(), (1, 1))
    assert instance.read([0.6, 0.7]) is None


def test_bounds_are_rounded_to_the_safe_side():
    assert round_bound(2.00000001, "minimize") == 2
    assert round_bound(2.2, "minimize") == 3
    assert round_bound(7.99999999, "maximize") == 8
    assert round_bound(7.8, "maximize") == 7
    assert round_bound(float("-inf"), "minimize") is None
    assert round_bound(1e20, "maximize") is None
