"""Exact: limits and statuses, bounds, large numbers, and the signals that it takes."""

import os
import signal

import pytest

pytest.importorskip("exact", reason="Exact is optional, and under the AGPL: the extra 'exact'")

from backends.exact import formula
from backends.interface import registry
from backends.interface.api import AllOptima, Optimum, Solutions
from backends.signals import find_handler
from modelling.brute_force import optima, solutions
from modelling.constraints import AllDifferent, Linear, NotEqual
from modelling.problem import Objective, build_problem
from tests.backends.small_problems import pigeons
from tests.backends.solver_checks import check_output

# --- limits and statuses --------------------------------------------------------------------------


def test_outputs_are_told_apart_by_themselves():
    check_output("exact")
    known = build_problem({"x": (1,), "y": range(4)}, [NotEqual(("x", "y"))], output=("x",))
    assert registry.get("exact").solve(known, Solutions(None)).count == 1


def test_signals_are_left_alone():
    """Exact puts handlers of its own, and ends all that it does later once one was called."""
    interrupts, before = find_handler(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    rung = []
    signal.signal(signal.SIGTERM, lambda *about: rung.append(about))
    try:
        assert registry.get("exact").solve(pigeons(4)).exhausted
        os.kill(os.getpid(), signal.SIGTERM)
        assert find_handler(signal.SIGINT) == interrupts
    finally:
        signal.signal(signal.SIGTERM, before)
    assert len(rung) == 1
    assert registry.get("exact").solve(pigeons(4)).exhausted


# --- constraints ----------------------------------------------------------------------------------


def test_objectives_are_as_large_as_they_must_be():
    huge = 10**30
    problem = build_problem(
        dict.fromkeys("ab", (-huge, 0, huge - 1, huge)),
        [NotEqual(("a", "b"))],
        objective=Objective("maximize", ("a", "b"), (1, 1)),
    )
    best = registry.get("exact").solve(problem, Optimum())
    assert (best.status, best.objective) == ("OPTIMUM", 2 * huge - 1)


@pytest.mark.parametrize("most", [formula.MOST_KEPT, 0])
def test_what_is_kept_is_neither_changed_nor_mixed_up(monkeypatch, most):
    """A problem without givens is kept as it is posed, if it is small: asked again, with givens and
    for its best solutions in between, it has the same answers."""
    monkeypatch.setattr(formula, "MOST_KEPT", most)
    names = tuple("abc")
    constraints = [AllDifferent(names), Linear(names, (1, 1, -1), "!=", 1)]
    domains = {name: range(4) for name in names}
    objective = Objective("minimize", names, (1, 2, 3))
    free = build_problem(domains, constraints, objective=objective)
    given = free.structure.problem({0: 2})
    backend = registry.get("exact")
    for _ in range(2):
        for problem in (free, given, free):
            found = backend.solve(problem, Solutions(None, None))
            assert sorted(found.solutions) == sorted(solutions(problem))
        best = backend.solve(free, AllOptima(None, None))
        value, every = optima(free)
        assert (best.objective, sorted(best.solutions)) == (value, sorted(every))
