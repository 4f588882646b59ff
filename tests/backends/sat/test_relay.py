"""Two solvers one after the other: wherever the first one stops, nothing is lost or repeated."""

import random
import threading

import pytest

from backends.interface.api import AllOptima, Limits, Optimum, Solutions
from backends.sat import make
from backends.sat.engines import pysat_engine, relay_engine
from modelling.brute_force import optima, solutions
from modelling.constraints import AllDifferent, Linear
from modelling.problem import Objective, build_problem
from tests.backends.small_problems import crowded as pigeons
from tests.backends.small_problems import queens

SHARES = (0, 1, 50)


@pytest.fixture
def began(monkeypatch):
    """For each second solver that began: the clauses that were added to the first one, and what
    that had spent."""
    began = []
    start = relay_engine.Relay._start

    def noting(relay, library, task, *before):
        if before:
            began.append((len(before[0]), before[1]))
        return start(relay, library, task, *before)

    monkeypatch.setattr(relay_engine.Relay, "_start", noting)
    return began


@pytest.fixture
def alive(monkeypatch):
    """The solvers that were made and not deleted."""
    made = []
    load = pysat_engine.Pysat.load

    def noting(library, *arguments):
        solver = load(library, *arguments)
        delete = solver.delete
        made.append(library.name)

        def deleting():
            if solver_of_library(solver) is not None:
                made.remove(library.name)
            delete()

        solver.delete = deleting
        return solver

    monkeypatch.setattr(pysat_engine.Pysat, "load", noting)
    return made


def solver_of_library(solver):
    """What python-sat deletes, None when it has been deleted."""
    return getattr(solver, "minisat", None) or getattr(solver, "cadical", None)


def draw(rng, objective=False):
    """Six variables of five values, with comparisons that leave some of them."""
    scope = range(6)
    sums = [
        Linear(
            rng.sample(scope, 4),
            [rng.choice((-3, -2, -1, 1, 2, 3)) for _ in range(4)],
            rng.choice(("==", "!=", "<=")),
            rng.randint(-1, 4),
        )
        for _ in range(rng.randint(1, 4))
    ]
    asked = None
    if objective:
        asked = Objective(
            rng.choice(("minimize", "maximize")), scope, [rng.randint(-4, 5) or 1 for _ in scope]
        )
    domains = {f"x{i}": range(5) for i in scope}
    return build_problem(domains, [AllDifferent(rng.sample(scope, 4)), *sums], objective=asked)


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("limits", [Limits(), Limits(seconds=60)])
def test_all_solutions_come_once_wherever_the_first_solver_stops(share, limits, began, monkeypatch):
    monkeypatch.setattr(relay_engine, "CONFLICTS", share)
    rng = random.Random(f"relay {share}")
    for _ in range(6):
        problem = draw(rng)
        expected = sorted(solutions(problem))
        result = make("").solve(problem, Solutions(None, None), limits)
        assert (result.repeats, result.exhausted) == (0, True)
        assert sorted(result.solutions) == expected
    assert began or share == 50  # no call of these takes as many


@pytest.mark.parametrize(("number", "share", "count"), [(7, 10, 40), (8, 20, 92)])
def test_an_enumeration_is_handed_over_in_its_midst(number, share, count, began, monkeypatch):
    monkeypatch.setattr(relay_engine, "CONFLICTS", share)
    result = make("").solve(queens(number), Solutions(None, None))
    assert (result.count, result.repeats, result.exhausted) == (count, 0, True)
    assert len(set(result.solutions)) == count
    ((added, _),) = began
    assert added > 0


@pytest.mark.parametrize("share", SHARES)
def test_optima_are_those_of_every_assignment(share, began, alive, monkeypatch):
    monkeypatch.setattr(relay_engine, "CONFLICTS", share)
    rng = random.Random(f"optima {share}")
    for turn in range(8):
        problem = draw(rng, objective=True)
        found = list(solutions(problem))
        result = make("").solve(problem, AllOptima(None, None) if turn % 2 else Optimum())
        if not found:
            assert result.status == "UNSATISFIABLE"
            continue
        value, at_best = optima(problem)
        assert (result.status, result.objective) == ("OPTIMUM", value)
        if turn % 2:
            assert (result.repeats, sorted(result.solutions)) == (0, sorted(at_best))
    assert began or share == 50
    assert not alive


def test_a_call_without_limits_outside_the_main_thread_is_handed_over(began, monkeypatch):
    """Nothing there can interrupt a solver, and no limit needs slices."""
    monkeypatch.setattr(relay_engine, "CONFLICTS", 50)
    results = []
    thread = threading.Thread(target=lambda: results.append(make("direct").solve(pigeons(7))))
    thread.start()
    thread.join()
    assert results[0].status == "UNSATISFIABLE"
    assert len(began) == 1


@pytest.mark.parametrize("limits", [Limits(), Limits(seconds=60), Limits(conflicts=10**6)])
def test_the_first_solver_has_its_share_and_no_more(limits, began, monkeypatch):
    monkeypatch.setattr(relay_engine, "CONFLICTS", 300)
    result = make("direct").solve(pigeons(8), Solutions(1), limits)
    assert result.status == "UNSATISFIABLE"
    ((_, spent),) = began
    assert 300 <= spent["failures"] <= 350


def test_the_effort_of_both_solvers_is_told(began, alive, monkeypatch):
    monkeypatch.setattr(relay_engine, "CONFLICTS", 300)
    result = make("direct").solve(pigeons(8))
    ((_, first),) = began
    assert result.status == "UNSATISFIABLE"
    for name in ("failures", "nodes", "propagations"):
        assert result.statistics[name] > first[name] > 0
    assert not alive


def test_budgets_hold_for_both_together(began, monkeypatch):
    monkeypatch.setattr(relay_engine, "CONFLICTS", 300)
    result = make("direct").solve(pigeons(12), Solutions(1), Limits(conflicts=700))
    assert result.stopped_by == "gave_up"
    assert 690 <= result.statistics["failures"] <= 800
    result = make("direct").solve(pigeons(12), Solutions(1), Limits(nodes=5000))
    assert result.stopped_by == "gave_up"
    assert result.statistics["nodes"] >= 5000
    assert len(began) == 2


def test_a_budget_holds_for_all_searches_of_an_optimum():
    """The objective is written to the formula after the first solution, for a new solver."""
    scope = range(18)
    apart = [Linear((i, j), (1, -1), "!=", i + j) for i in scope for j in range(i)]
    ring = build_problem(
        {f"x{i}": range(18) for i in scope},
        [AllDifferent(scope), *apart],
        objective=Objective("maximize", scope, [(7 * i) % 17 + 1 for i in scope]),
    )
    for conflicts in (100, 400):
        result = make("").solve(ring, Optimum(), Limits(conflicts=conflicts))
        assert result.stopped_by == "gave_up"
        assert result.statistics["failures"] <= conflicts + 50


def test_time_ends_the_second_solver(began, alive, monkeypatch):
    monkeypatch.setattr(relay_engine, "CONFLICTS", 50)
    result = make("direct").solve(pigeons(14), Solutions(1), Limits(seconds=0.2))
    assert (result.status, result.stopped_by) == ("UNKNOWN", "time")
    assert began
    assert not alive


def test_a_fault_between_the_two_is_told_as_it_is(alive, monkeypatch):
    monkeypatch.setattr(relay_engine, "CONFLICTS", 50)
    backend = make("direct")
    relay = backend.solver.engine

    def failing(clauses, seed, with_proof=False):
        raise MemoryError("no room for a second solver")

    monkeypatch.setattr(relay.second, "load", failing)
    with pytest.raises(MemoryError, match="second solver"):
        backend.solve(pigeons(8))
    assert not alive


def test_an_enumeration_of_many_stays_with_the_first_solver(began, alive, monkeypatch):
    monkeypatch.setattr(relay_engine, "CONFLICTS", 50)
    monkeypatch.setattr(relay_engine, "MOST_ADDED", 3)
    problem = build_problem({f"p{i}": range(6) for i in range(6)}, [AllDifferent(range(6))])
    result = make("").solve(problem, Solutions(None))
    assert (result.count, result.repeats, result.exhausted) == (720, 0, True)
    assert not began
    assert not alive


@pytest.mark.parametrize("options", ["proof=check", "reuse=solver"])
def test_proofs_and_kept_solvers_are_of_one_solver(options, began, monkeypatch):
    monkeypatch.setattr(relay_engine, "CONFLICTS", 1)
    if options == "proof=check":
        pytest.importorskip("pysat")
    backend = make(options)
    assert backend.solve(pigeons(5)).status == "UNSATISFIABLE"
    assert backend.solve(draw(random.Random(1)), Solutions(None)).exhausted
    assert not began
