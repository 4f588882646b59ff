"""What tests of several solvers demand in the same words; each says of which solver.

A solver is a backend's name, as the registry has it, or the backend.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest

from backends.conformance.positions import POSITIONS, ask_position, draw_position
from backends.interface import registry
from backends.interface.api import (
    AllOptima,
    Ask,
    Backend,
    Limits,
    Optimum,
    Refused,
    Result,
    Solutions,
)
from backends.interface.events import Bound, Found
from modelling.brute_force import solutions
from modelling.constraints import AllDifferent, Constraint, Linear, NotEqual
from modelling.drawing import structure_over
from modelling.errors import Unsupported
from modelling.problem import Objective, Problem, state
from tests.backends.small_problems import bag, packing

Solver = str | Backend


def find(solver: Solver) -> Backend:
    return registry.get(solver) if isinstance(solver, str) else solver


def check_solutions(solver: Solver, problem: Problem) -> None:
    """It finds what the oracle finds, each solution once."""
    found = find(solver).solve(problem, Solutions(None, None))
    assert found.exhausted
    assert sorted(found.solutions) == sorted(solutions(problem))


def check_constraints(
    *constraints: Constraint, domains: Sequence[Iterable[int]], name: str
) -> None:
    """So it does where constraints stand over the variables 0, 1, ..."""
    check_solutions(name, structure_over(domains, constraints).problem())


def check_positions(solver: Solver, kind: type, number: int) -> None:
    """The drawn problem of that number about a class of the vocabulary, in every position."""
    for position in POSITIONS:
        answered = ask_position(find(solver), draw_position(kind, position, number))
        assert not answered.refused
        assert not answered.faults, "\n".join(answered.faults)


def stop_by_time(
    name: str, problem: Problem, ask: Ask = Solutions(1), seconds: float = 0.3
) -> Result:
    """What there is when the time is over; and it is over at most a second later."""
    before = time.perf_counter()
    result = registry.get(name).solve(problem, ask, Limits(seconds=seconds))
    assert time.perf_counter() - before < seconds + 1
    assert result.stopped_by == "time"
    return result


def check_incumbents(name: str) -> None:
    """They improve, the last is the optimum, and every optimum is counted."""
    backend, oracle, events = registry.get(name), registry.get("brute_force"), []
    best = backend.solve(
        bag(), Optimum(), emit=lambda event: events.append(event.objective) or True
    )
    expected = oracle.solve(bag(), Optimum())
    assert (best.status, best.objective) == ("OPTIMUM", expected.objective)
    assert best.bound == best.objective
    assert events == sorted(set(events))
    every = backend.solve(bag(), AllOptima(None))
    assert every.count == oracle.solve(bag(), AllOptima(None)).count


def check_incumbents_and_bounds(name: str) -> None:
    """Both are told, and meet in the optimum."""
    events = []
    backend = registry.get(name)
    result = backend.solve(packing(), Optimum(), emit=lambda event: events.append(event) or True)
    best = registry.get("propagation").solve(packing(), Optimum())
    assert (result.status, result.objective, result.bound) == ("OPTIMUM", *[best.objective] * 2)
    values = [event.objective for event in events if isinstance(event, Found)]
    assert values == sorted(values)
    assert values[-1] == best.objective
    assert [e.value for e in events if isinstance(e, Bound)][-1] == best.objective


def check_refused(name: str, problem: Problem, reason: str) -> None:
    """It is refused, and why has these words in it."""
    refused = registry.get(name).accepts(problem)
    assert isinstance(refused, Refused)
    assert reason in refused.reason


def check_wide_variable(name: str, largest: int) -> None:
    """One that reaches beyond the largest integer is refused by its name."""
    refused = registry.get(name).accepts(state({"x": (0, largest + 1)}, []))
    assert isinstance(refused, Refused)
    assert refused.reason == f"x reaches beyond {largest}"


def check_wide_objective(name: str, largest: int) -> None:
    """One that reaches beyond the largest integer is unsupported."""
    wide = {"x": (0, largest), "y": (0, 1)}
    problem = state(wide, [], objective=Objective("minimize", ("x", "y"), (1, 1)))
    with pytest.raises(Unsupported, match="objective"):
        registry.get(name).solve(problem, Optimum())


def check_output(name: str) -> None:
    """Of 1,000 solutions to each output only one is looked for."""
    problem = state({"x": range(3), "y": range(1000)}, [NotEqual(("x", "y"))], output=("x",))
    result = registry.get(name).solve(problem, Solutions(None))
    assert (result.count, result.exhausted) == (3, True)


def check_one_variable_of_three(name: str) -> None:
    """Six solutions have three outputs, and each is counted once."""
    structure = replace(structure_over([range(3)] * 3, [AllDifferent((0, 1, 2))]), output=(1,))
    result = registry.get(name).solve(structure.problem(), Solutions(None, None))
    assert (result.count, result.repeats) == (3, 0)


def check_no_values(name: str) -> None:
    """A domain without values leaves no solution."""
    problem = structure_over([(), range(2)], [Linear((0, 1), (1, 1), "==", 1)]).problem()
    result = registry.get(name).solve(problem, Solutions(None))
    assert (result.count, result.stopped_by) == (0, "exhausted")


def check_seeds(name: str) -> None:
    """It takes any seed."""
    problem = state({name: range(9) for name in "abcdef"}, [AllDifferent(tuple("abcdef"))])
    for seed in (0, 1, -1, 1 << 70):
        assert registry.get(name).solve(problem, limits=Limits(seed=seed)).count == 1


TOGETHER = """
import sys
from importlib import import_module

import_module(sys.argv[1])

from backends.interface import registry
from backends.interface.api import Solutions
from modelling.constraints import AllDifferent
from modelling.problem import state

problem = state({n: range(5) for n in "abc"}, [AllDifferent(tuple("abc"))])
print(*(registry.get(name).solve(problem, Solutions(None)).count for name in sys.argv[2:]))
"""


def check_one_process(module: str, *names: str) -> None:
    """A module is imported first, and then the solvers count in one process, one after another."""
    pytest.importorskip(module.partition(".")[0])
    command = [sys.executable, "-c", TOGETHER, module, *names]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == ["60"] * len(names), done.stderr
