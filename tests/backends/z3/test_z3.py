"""z3: limits and statuses, what its weights hold, its forms of sums, interrupts."""

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("z3", reason="z3 is optional: the extra 'z3'")

import z3

from backends.interface import registry
from backends.interface.api import Limits, Solutions
from backends.z3.backend import LARGEST
from backends.z3.sums import MOST_PAIRS
from modelling.constraints import (
    AllDifferent,
    Count,
    Define,
    Element,
    Iff,
    Linear,
    Not,
    Table,
)
from modelling.drawing import structure_over
from modelling.problem import state
from modelling.terms import constants
from modelling.vocabulary import VOCABULARY
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.functions.multiplication import Quotient
from tests.backends.small_problems import pigeons
from tests.backends.solver_checks import (
    check_constraints,
    check_incumbents,
    check_no_values,
    check_one_process,
    check_one_variable_of_three,
    check_positions,
    check_refused,
    check_wide_objective,
    check_wide_variable,
    stop_by_time,
)

check = partial(check_constraints, name="z3")

RELATIONS = ("==", "!=", "<", "<=", ">", ">=")


@pytest.mark.once
@pytest.mark.parametrize("of", VOCABULARY, ids=lambda of: of.__name__)
def test_drawn_ones_are_right_in_every_position(of):
    check_positions("z3", of, 3)


def test_a_limit_on_time_is_kept():
    result = stop_by_time("z3", pigeons(14))
    assert (result.status, result.native_status) == ("UNKNOWN", "unknown: timeout")


@pytest.mark.parametrize(("limit", "solver"), [(1, "general"), (2, "QF_FD")])
def test_the_solver_of_z3_that_ran_is_told(limit, solver):
    problem = state({c: range(4) for c in "abc"}, [AllDifferent("abc")])
    result = registry.get("z3").solve(problem, Solutions(limit))
    assert (result.configuration, result.count) == (solver, limit)


def test_a_limit_on_conflicts_is_kept():
    result = registry.get("z3").solve(pigeons(14), Solutions(1), Limits(conflicts=50))
    assert (result.status, result.stopped_by) == ("UNKNOWN", "gave_up")
    assert 40 <= result.statistics["failures"] <= 52


def test_a_limit_on_conflicts_is_of_all_models_together():
    problem = state({name: range(6) for name in "abcdef"}, [AllDifferent(tuple("abcdef"))])
    result = registry.get("z3").solve(problem, Solutions(None), Limits(conflicts=20, seed=3))
    assert (result.status, result.stopped_by) == ("SATISFIABLE", "gave_up")
    assert 1 < result.count < 720
    assert result.statistics["failures"] <= 25


def test_incumbents_improve_and_the_last_is_the_optimum():
    check_incumbents("z3")


def test_solutions_are_told_apart_by_the_output_alone():
    check_one_variable_of_three("z3")


def test_sums_that_would_wrap_are_refused_by_name():
    check_wide_variable("z3", LARGEST)
    half = LARGEST // 2
    three = {"x": (-half, 0, half), "y": (-half, 0, half)}
    weights = state(three, [Linear(("x", "y"), (1, 1), "==", 0)])
    check_refused("z3", weights, "the weights of a sum of 2 terms")


def test_an_objective_that_would_wrap_is_unsupported():
    check_wide_objective("z3", LARGEST)


@pytest.mark.parametrize("relation", RELATIONS)
def test_every_form_of_a_sum_is_right(relation):
    half = LARGEST // 3
    check(Linear((0,), (-2,), relation, -2), domains=[(-3, 1, 2, 9)])
    check(Linear((0, 1), (2, -3), relation, 1), domains=[(-2, 0, 2, 5), range(-1, 4)])
    check(Linear((0, 1, 2), (1, 1, -2), relation, 1), domains=[range(3), (-4, 0, 2), range(-1, 3)])
    check(Linear((0, 1, 2, 3), (1, 2, -1, 1), relation, 2), domains=[range(3)] * 4)
    check(Linear((0, 1, 2, 3), (91, -90, 17, 5), relation, 12), domains=[range(-1, 3)] * 4)
    check(Linear((0, 1, 2), (1, 1, 1), relation, -half), domains=[(-half, 0, half), (0, 5), (0, 7)])
    check(Linear((0, 1), (1, 0), relation, 0), domains=[(0, 1), (1, 2, 3)])
    check(Linear((0, 1, 2), (0, 0, 0), relation, 0), domains=[range(2)] * 3)


@pytest.mark.once
@pytest.mark.parametrize("relation", RELATIONS)
def test_every_form_of_a_sum_is_right_where_it_is_reified(relation):
    for terms, factors, constant in (
        ((0, 1), (2, -3), 1),
        ((0, 1, 2), (1, 1, -2), 1),
        ((0, 1, 2, 3), (1, 2, -1, 1), 2),
        ((0, 1, 2, 3), (91, -90, 17, 5), 12),
    ):
        literal = Linear((4,), (1,), "==", 1)
        within = Linear(terms, factors, relation, constant)
        check(Iff(literal, within), domains=[(-1, 0, 2)] * 4 + [range(2)])
        check(Not(within), domains=[(-1, 0, 2)] * 4)


@pytest.mark.once
def test_wide_sums_of_two_and_three_are_right():
    assert MOST_PAIRS < 120 * 120
    wide = range(120)
    check(Linear((0, 1), (1, 1), "<=", 3), domains=[wide, wide])
    check(Linear((0, 1, 2), (1, 1, -1), "==", 231), domains=[wide, wide, range(4)])


@pytest.mark.parametrize("allowed", [True, False])
def test_tables_without_rows(allowed):
    check(Table((0, 1), (), allowed), domains=[range(2)] * 2)


@pytest.mark.once
@pytest.mark.parametrize(
    "function",
    [
        Element((0, 1, *constants(3, 1)), 2),
        Count((0, 1, 2), constants(1, 2)),
        Minimum((0, 1, 2)),
        Maximum((0, 1, *constants(2))),
        Quotient(0, 1),
    ],
    ids=lambda function: type(function).__name__,
)
def test_functions_are_false_where_they_are_undefined(function):
    domains = [(-1, 0, 2), range(-1, 3), range(-1, 5), range(-2, 4), range(2)]
    define = Define(3, function)
    check(define, domains=domains)
    check(Iff(Linear((4,), (1,), "==", 1), define), domains=domains)


def test_a_domain_without_values_leaves_no_solution():
    check_no_values("z3")


def test_one_structure_is_read_once_and_asked_again():
    structure = structure_over([range(4)] * 3, [AllDifferent((0, 1, 2))])
    backend = registry.get("z3")
    one = backend.solve(structure.problem(), Solutions(None))
    other = backend.solve(structure.problem({0: 2}), Solutions(None))
    assert (one.count, other.count) == (24, 6)
    assert other.encoding_reused


def test_structures_share_a_context_and_keep_their_names_apart():
    backend = registry.get("z3")
    structures = [structure_over([range(n)] * 2, [AllDifferent((0, 1))]) for n in (2, 3, 4, 2)]
    counts = [backend.solve(s.problem(), Solutions(None)).count for s in structures * 2]
    assert counts == [2, 6, 12, 2] * 2
    assert backend.solver.context is not z3.main_ctx()


@pytest.mark.once
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux tells the peak")
def test_many_structures_take_little_memory():
    """A context for each would take 16 MB."""
    code = (
        "from backends.interface import registry\n"
        "from backends.interface.api import Solutions\n"
        "from modelling.constraints import AllDifferent\n"
        "from modelling.drawing import structure_over\n"
        "backend = registry.get('z3')\n"
        "for n in range(200):\n"
        "    structure = structure_over([range(n, n + 3)] * 3, [AllDifferent((0, 1, 2))])\n"
        "    assert backend.solve(structure.problem(), Solutions(None)).count == 6\n"
        "lines = open('/proc/self/status').read().splitlines()\n"  # getrusage: its parent's, too
        "print(*(line.split()[1] for line in lines if line.startswith('VmHWM')))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert int(done.stdout) < 600_000, done.stderr


@pytest.mark.once
@pytest.mark.parametrize("first", ["ortools.sat.python.cp_model", "clingo", "z3"])
def test_it_shares_a_process_with_others(first):
    check_one_process(first, "z3", "cpsat", "clingo", "z3")
