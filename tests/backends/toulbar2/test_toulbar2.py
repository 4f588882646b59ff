"""toulbar2: what it is given natively, limits and statuses, and what a release leaves behind."""

import signal
import subprocess
import sys
import threading
import time
from functools import partial

import pytest

pytoulbar2 = pytest.importorskip(
    "pytoulbar2", reason="pytoulbar2 is optional: the extra 'toulbar2'"
)

from backends.interface import registry  # noqa: E402
from backends.interface.api import Limits, Optimum, Solutions  # noqa: E402
from backends.interface.handlers import profile_of  # noqa: E402
from backends.signals import find_handler  # noqa: E402
from backends.toulbar2 import backend as room  # noqa: E402
from backends.toulbar2.backend import LARGEST  # noqa: E402
from backends.toulbar2.handlers import HANDLERS  # noqa: E402
from modelling import constraints as mc  # noqa: E402
from modelling.brute_force import solutions  # noqa: E402
from modelling.laws.drawing import structure_over  # noqa: E402
from modelling.problem import Objective, build_problem  # noqa: E402
from tests.backends.small_problems import pigeons  # noqa: E402
from tests.backends.solver_checks import (  # noqa: E402
    check_constraints,
    takes,
)

check = partial(check_constraints, name="toulbar2")

is_native = partial(takes, profile_of(HANDLERS))


def knapsack(items, sense="maximize"):
    """Items of different weight and use, of each up to five."""
    names = [f"i{k}" for k in range(items)]
    weights = tuple(5 + (7 * k) % 11 for k in range(items))
    uses = tuple(4 + (5 * k) % 13 for k in range(items))
    return build_problem(
        {name: range(6) for name in names},
        [mc.Linear(tuple(names), weights, "<=", 7 * items)],
        objective=Objective(sense, tuple(names), uses),
    )


# --- limits and statuses --------------------------------------------------------------------------


def test_a_limit_on_backtracks_is_kept_and_not_left_behind():
    backend = registry.get("toulbar2")
    result = backend.solve(pigeons(7), Solutions(1), Limits(conflicts=50))
    assert (result.status, result.stopped_by) == ("UNKNOWN", "gave_up")
    assert 45 <= result.statistics["failures"] <= 55
    assert backend.solve(pigeons(7)).status == "UNSATISFIABLE"


def test_a_limit_on_time_leaves_signals_and_timers_alone():
    interrupts, alarms = find_handler(signal.SIGINT), signal.getsignal(signal.SIGALRM)
    rung = []
    signal.signal(signal.SIGALRM, lambda *about: rung.append(about))
    before = signal.setitimer(signal.ITIMER_REAL, 0.6)
    try:
        registry.get("toulbar2").solve(pigeons(12), Solutions(1), Limits(seconds=0.1))
        assert not rung
        time.sleep(0.7)
        assert len(rung) == 1
        assert find_handler(signal.SIGINT) == interrupts
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, alarms)
        signal.setitimer(signal.ITIMER_REAL, *before)


def test_another_thread_is_as_good():
    """pytoulbar2 sets its options in the thread that imports it, and in no other. The limit on time
    holds in the main thread alone."""
    results = []

    def solve():
        backend = registry.get("toulbar2")
        results.append(backend.solve(pigeons(5), Solutions(1), Limits(seconds=0.001)))
        results.append(backend.solve(knapsack(8), Optimum(), Limits(conflicts=2)))

    thread = threading.Thread(target=solve)
    thread.start()
    thread.join()
    assert [result.stopped_by for result in results] == ["exhausted", "gave_up"]


def test_impossible_while_it_is_posed():
    """pytoulbar2 raises Contradiction while constraints are added."""
    three = build_problem({name: range(2) for name in "abc"}, [mc.AllDifferent(("a", "b", "c"))])
    result = registry.get("toulbar2").solve(three)
    assert (result.status, result.native_status) == ("UNSATISFIABLE", "contradiction")


def test_what_a_limit_leaves_of_an_optimum():
    """A solution and a bound, on the right sides of the optimum."""
    result = registry.get("toulbar2").solve(knapsack(8), Optimum(), Limits(conflicts=2))
    assert (result.status, result.stopped_by) == ("SATISFIABLE", "gave_up")
    optimum = registry.get("toulbar2").solve(knapsack(8), Optimum()).objective
    assert result.objective <= optimum <= result.bound


def test_no_more_solutions_are_held_than_said(monkeypatch):
    monkeypatch.setattr(room, "MOST_SOLUTIONS", 10)
    problem = build_problem({name: range(5) for name in "ab"}, [mc.NotEqual(("a", "b"))])
    backend = registry.get("toulbar2")
    result = backend.solve(problem, Solutions(None))
    assert (result.count, result.stopped_by, result.status) == (10, "memory", "SATISFIABLE")
    assert backend.solve(problem, Solutions(10)).stopped_by == "enough"


# --- neighbourhood search ------------------------------------------------------------------------


def test_neighbourhood_search_never_proves():
    backend = registry.get("toulbar2:vns")
    assert backend.name == "toulbar2:search=vns"
    assert not backend.complete
    for problem in (
        pigeons(5),
        build_problem({name: range(2) for name in "abc"}, [mc.AllDifferent(tuple("abc"))]),
    ):
        result = backend.solve(problem)
        assert (result.status, result.stopped_by) == ("UNKNOWN", "gave_up")
    best = backend.solve(knapsack(5), Optimum())
    assert (best.status, best.bound) == ("SATISFIABLE", None)
    assert best.objective == registry.get("toulbar2").solve(knapsack(5), Optimum()).objective


def test_neighbourhood_search_shows_solutions_only():
    result = registry.get("toulbar2:vns").solve(pigeons(5), Solutions(None))
    assert (result.count, result.status) == (0, "UNKNOWN")
    found = registry.get("toulbar2:vns").solve(knapsack(5), Solutions(None))
    assert (found.count, found.stopped_by) == (1, "gave_up")


def test_one_search_leaves_nothing_to_the_next():
    """Options are global, and a new network keeps those of the last search."""
    for name in ("toulbar2", "toulbar2:vns", "toulbar2"):
        result = registry.get(name).solve(knapsack(5), Optimum())
        assert result.exhausted is (name == "toulbar2")


# --- what its costs hold -------------------------------------------------------------------------


@pytest.mark.parametrize("sense", ["minimize", "maximize"])
def test_the_largest_objectives_are_held(sense):
    half = LARGEST // 2
    problem = build_problem(
        dict.fromkeys("ab", (-half, -half + 1, half - 1, half)),
        [mc.NotEqual(("a", "b"))],
        objective=Objective(sense, ("a", "b"), (1, 1)),
    )
    best = registry.get("toulbar2").solve(problem, Optimum())
    assert best.objective == (1 - 2 * half if sense == "minimize" else 2 * half - 1)


# --- constraints ----------------------------------------------------------------------------------


@pytest.mark.parametrize("allowed", [True, False])
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_tables_of_no_rows_of_some_and_of_all(allowed, number):
    scope, domains = tuple(range(number)), [(0, 5)] * number
    every = tuple(solutions(structure_over(domains, ()).problem()))
    for rows in ((), every[:1], every[1:], every, (*every[1:], (7,) * number)):
        check(mc.Table(scope, rows, allowed), domains=domains)


def test_which_sums_are_native():
    domains = [range(5)] * 4
    assert not is_native(mc.Table((0, 1), ((0, mc.ANY),)), *domains)
    for relation, at_root, within in (
        ("<=", True, True),
        ("==", True, False),
        ("!=", False, False),
    ):
        long = mc.Linear((0, 1, 2), (1, 1, 1), relation, 5)
        assert is_native(long, *domains) is at_root
        for mode in ("half", "full"):
            assert is_native(long, *domains, mode=mode) is within
            assert is_native(mc.Linear((0, 1), (1, 1), relation, 5), *domains, mode=mode)
        for constraint in (long, mc.Iff(mc.equals(3, 1), long), mc.Implies(mc.equals(3, 0), long)):
            check(constraint, domains=[*domains[:3], range(2)])


# --- releases that are wrong (docs/disagreements.md) ----------------------------------------------

REDUCED = """
from itertools import product

from pytoulbar2 import CFN

network = CFN(1)
for name, size in zip("xyzwk", (4, 3, 2, 3, 1)):
    network.AddVariable(name, [f"v{place}" for place in range(size)])
rows = [[x, y, z, (x + y + z) % 3] for x, y, z in product(range(4), range(3), range(2))]
network.AddCompactFunction(["x", "y", "z", "w"], network.Top, rows, [0] * len(rows))
network.AddFunction(["k", "x"], [0, network.Top, network.Top, network.Top])
network.Solve(allSolutions=100)
print(len(network.GetSolutions()))
"""


@pytest.mark.xfail(strict=True, reason="pytoulbar2 1.4.0.1: the process crashes")
def test_a_table_that_reduces_one_before_it():
    run = subprocess.run(
        [sys.executable, "-c", REDUCED], capture_output=True, text=True, check=False
    )
    assert run.stdout.split() == ["6"]


CONTRADICTION = """
from pytoulbar2 import CFN

def pose():
    network = CFN(1)
    for i in range(3):
        network.AddVariable(f"x{i}", ["a", "b"])
    try:
        for i in range(3):
            network.AddFunction([i], [1, 0])
        for i, j in ((0, 1), (0, 2), (1, 2)):
            network.AddFunction([i, j], [1, 0, 0, 1])
    except network.Contradiction:
        network.ClearPropagationQueues()
        print("contradiction")

pose()
print("done")
"""


@pytest.mark.xfail(strict=True, reason="pytoulbar2 1.4.0.1: queues cleared, the process crashes")
def test_clearing_queues_after_a_contradiction():
    run = subprocess.run(
        [sys.executable, "-c", CONTRADICTION], capture_output=True, text=True, check=False
    )
    assert run.stdout.split() == ["contradiction", "done"]
