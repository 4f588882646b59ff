"""A warm-up teaches nobody anything about the job that follows."""

from __future__ import annotations

import pytest

from backends.interface import registry
from backends.interface.api import Limits, Refused, Result, Solutions
from harness.job import Question
from harness.supervise.answering import LONGEST_TEXT
from harness.supervise.protocol import WarmedUp, WarmUp
from harness.supervise.warming import make_anew, small_problems, warm_up
from modelling.constraints import AllDifferent, NotEqual
from modelling.errors import BackendUnavailable
from modelling.problem import build_problem
from puzzles.family import family
from results.studies.correctness.conformance import CONFIGURATIONS

LIMITS = Limits(seconds=60, seed=1)
ORDER = WarmUp(1, Question(), LIMITS)

GENERAL = family("queens").problem("8")
"""Without givens: the structure is the problem itself."""

COLOURING = build_problem(
    {f"v{place}": range(5) for place in range(6)},
    [
        AllDifferent(tuple(f"v{place}" for place in range(5))),
        *(NotEqual((f"v{place}", "v5")) for place in range(5)),
    ],
)
"""For those that take inequalities alone."""

PROCESSES = ("xcsp3:ace", "xcsp3:choco")
"""Each call is a virtual machine of its own, which takes a second: nothing is left to learn."""

CHOSEN = ("sat:reuse=solver", "sat:minisat22,reuse=solver", "sat:kissat", "sat:cryptominisat")
"""Engines that keep their solver, or are a program or package of their own."""


def usable() -> list[str]:
    """The backends that are here: all that ship, and what conformance is measured of."""
    found = []
    for name in dict.fromkeys([*registry.names(), *CHOSEN, *CONFIGURATIONS]):
        if name in PROCESSES:
            continue
        try:
            make_anew(name)
        except BackendUnavailable:
            continue
        found.append(name)
    return found


def count(result: Result) -> dict[str, int | float]:
    """The figures that do not depend on the clock."""
    return {name: value for name, value in result.statistics.items() if isinstance(value, int)}


def test_what_is_measured_is_the_same_with_and_without_a_warm_up() -> None:
    names = usable()
    assert {"propagation", "cpsat", "sat", "sat:reuse=solver"} <= set(names)
    for name in names:
        cold = make_anew(name)
        refused = isinstance(cold.accepts(GENERAL), Refused)
        problem = COLOURING if refused else GENERAL
        expected = cold.solve(problem, Solutions(1), LIMITS)
        assert warm_up(make_anew(name), ORDER) == WarmedUp(), name
        measured = make_anew(name).solve(problem, Solutions(1), LIMITS)
        assert count(measured) == count(expected), name
        assert not measured.encoding_reused, name


def test_a_solver_that_is_kept_would_have_learnt_from_the_structure() -> None:
    """So the test above can fail: what was asked before is in the figures."""
    kept = make_anew("sat:minisat22,reuse=solver")
    first, second = (kept.solve(COLOURING, Solutions(1), LIMITS) for _ in range(2))
    assert count(first) != count(second)


def test_what_a_warm_up_raises_is_kept_in_short() -> None:
    class Wordy(type(make_anew("propagation"))):  # type: ignore[misc]
        def solve(self, *_: object) -> Result:
            raise ValueError("x" * 1_000_000)

    backend = make_anew("propagation")
    backend.__class__ = Wordy
    reason = warm_up(backend, ORDER).error
    assert reason.startswith("ValueError: xxx")
    assert len(reason) == LONGEST_TEXT


@pytest.mark.parametrize("optimum", [False, True])
def test_the_small_problems_have_solutions_and_an_objective_if_asked(optimum: bool) -> None:
    for problem in small_problems(Question(optimum=optimum)):
        assert (problem.structure.objective is not None) == optimum
        assert make_anew("brute_force").solve(problem).count == 1
