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
from modelling.constraints import AllDifferent, Linear
from modelling.laws.drawing import structure_over
from modelling.problem import build_problem
from tests.backends.solver_checks import (
    check_constraints,
    check_one_process,
    check_refused,
    check_wide_variable,
)

check = partial(check_constraints, name="z3")

RELATIONS = ("==", "!=", "<", "<=", ">", ">=")


@pytest.mark.parametrize(("limit", "solver"), [(1, "general"), (2, "QF_FD")])
def test_the_solver_of_z3_that_ran_is_told(limit, solver):
    problem = build_problem({c: range(4) for c in "abc"}, [AllDifferent("abc")])
    result = registry.get("z3").solve(problem, Solutions(limit))
    assert (result.configuration, result.count) == (solver, limit)


def test_a_limit_on_conflicts_is_of_all_models_together():
    problem = build_problem({name: range(6) for name in "abcdef"}, [AllDifferent(tuple("abcdef"))])
    result = registry.get("z3").solve(problem, Solutions(None), Limits(conflicts=20, seed=3))
    assert (result.status, result.stopped_by) == ("SATISFIABLE", "gave_up")
    assert 1 < result.count < 720
    assert result.statistics["failures"] <= 25


def test_sums_that_would_wrap_are_refused_by_name():
    check_wide_variable("z3", LARGEST)
    half = LARGEST // 2
    three = {"x": (-half, 0, half), "y": (-half, 0, half)}
    weights = build_problem(three, [Linear(("x", "y"), (1, 1), "==", 0)])
    check_refused("z3", weights, "the weights of a sum of 2 terms")


def test_the_largest_sums_are_held():
    third = LARGEST // 3
    for relation in RELATIONS:
        sums = Linear((0, 1, 2), (1, 1, 1), relation, -third)
        check(sums, domains=[(-third, 0, third), (0, 5), (0, 7)])


@pytest.mark.once
def test_wide_sums_of_two_and_three_are_right():
    assert MOST_PAIRS < 120 * 120
    wide = range(120)
    check(Linear((0, 1), (1, 1), "<=", 3), domains=[wide, wide])
    check(Linear((0, 1, 2), (1, 1, -1), "==", 231), domains=[wide, wide, range(4)])


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
        "from modelling.laws.drawing import structure_over\n"
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
