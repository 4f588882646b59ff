"""What tests of several solvers demand in the same words; each says of which solver.

A solver is a backend's name, as the registry has it, or the backend.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest

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
from backends.interface.evidence.answer import shortfall
from modelling.brute_force import solutions
from modelling.constraints import AllDifferent, Constraint, Linear, NotEqual
from modelling.errors import BackendUnavailable, ModelError, Unsupported
from modelling.laws.drawing import structure_over
from modelling.problem import Objective, Problem, build_problem
from modelling.rewriting import Profile
from modelling.rewriting.profile import Mode
from tests.backends.small_problems import bag, packing

Solver = str | Backend
Values = Iterable[int]


def find(solver: Solver) -> Backend:
    return registry.get(solver) if isinstance(solver, str) else solver


def find_or_skip(name: str) -> Backend:
    """The backend; where its solver is not installed, the test is skipped and says why."""
    if "pycosat" in name:
        pytest.importorskip("pycosat", reason="pycosat is optional: it has no wheels")
    if name.startswith("compiled"):
        pytest.importorskip("numba", reason="numba is optional: the extra 'compiled'")
    try:
        return registry.get(name)
    except BackendUnavailable as error:
        pytest.skip(str(error))


def takes(profile: Profile, constraint: Constraint, *domains: Values, mode: Mode = "root") -> bool:
    """Whether a solver is given the constraint as it is, over these domains."""
    return profile.takes(constraint, mode, structure_over(domains, (constraint,)))


def check_solutions(solver: Solver, problem: Problem) -> None:
    """It finds what the oracle finds, each solution once."""
    found = find(solver).solve(problem, Solutions(None, None))
    assert found.exhausted
    assert sorted(found.solutions) == sorted(solutions(problem))


def check_constraints(*constraints: Constraint, domains: Sequence[Values], name: str) -> None:
    """It does so for constraints over the variables 0, 1, ..."""
    check_solutions(name, structure_over(domains, constraints).problem())


def stop_by_time(
    name: str, problem: Problem, ask: Ask = Solutions(1), seconds: float = 0.3
) -> Result:
    """What there is when the time is over; the search says that this has ended it."""
    result = registry.get(name).solve(problem, ask, Limits(seconds=seconds))
    assert result.stopped_by == "time"
    return result


def check_incumbents(solver: Solver) -> None:
    """They improve, the last is the optimum, bounds fall to it, and every optimum is counted."""
    backend, oracle, events = find(solver), registry.get("brute_force"), []
    best = backend.solve(bag(), Optimum(), emit=lambda event: events.append(event) or True)
    expected = oracle.solve(bag(), Optimum())
    assert (best.status, best.objective) == ("OPTIMUM", expected.objective)
    assert best.bound == best.objective
    found = [event for event in events if isinstance(event, Found)]
    values = [event.objective for event in found]
    assert values == sorted(set(values))
    assert (values[-1], best.solutions) == (best.objective, (found[-1].values,))
    bounds = [event.value for event in events if isinstance(event, Bound)]
    assert bounds == sorted(set(bounds), reverse=True)
    assert all(bound >= best.objective for bound in bounds)
    assert [event.seconds for event in events] == sorted(event.seconds for event in events)
    every = backend.solve(bag(), AllOptima(None))
    assert every.count == oracle.solve(bag(), AllOptima(None)).count


def check_incumbents_and_bounds(name: str) -> None:
    """Both are reported, and meet in the optimum."""
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
    refused = registry.get(name).accepts(build_problem({"x": (0, largest + 1)}, []))
    assert isinstance(refused, Refused)
    assert refused.reason == f"x reaches beyond {largest}"


def check_wide_objective(name: str, largest: int) -> None:
    """One that reaches beyond the largest integer is unsupported."""
    wide = {"x": (0, largest), "y": (0, 1)}
    problem = build_problem(wide, [], objective=Objective("minimize", ("x", "y"), (1, 1)))
    with pytest.raises(Unsupported, match="objective"):
        registry.get(name).solve(problem, Optimum())


def check_output(name: str) -> None:
    """Of 300 solutions to each output only one is looked for."""
    problem = build_problem({"x": range(3), "y": range(300)}, [NotEqual(("x", "y"))], output=("x",))
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
    problem = build_problem({name: range(9) for name in "abcdef"}, [AllDifferent(tuple("abcdef"))])
    for seed in (0, 1, -1, 1 << 70):
        assert registry.get(name).solve(problem, limits=Limits(seed=seed)).count == 1


def check_first_no(solver: Solver) -> None:
    """Who hears of a solution, or of an incumbent, may end the search."""
    for ask in (Solutions(None, None), Optimum(), AllOptima(None, None)):
        found: list[Found] = []

        def emit(event: object, found: list[Found] = found) -> bool:
            found.extend([event] if isinstance(event, Found) else [])
            return not found

        result = find(solver).solve(bag(), ask, emit=emit)
        assert (result.count, len(found), result.stopped_by) == (1, 1, "sink")
        assert not shortfall(result, ask, bag(), sink=True)


def check_error_from_outside(name: str) -> None:
    """An exception of who takes solutions, or hears of incumbents, reaches the caller."""

    def fail(_: object) -> bool:
        raise ZeroDivisionError("from outside")

    for ask in (Solutions(None), Optimum()):
        for taker in ({"sink": fail}, {"emit": fail}):
            with pytest.raises(ZeroDivisionError, match="from outside"):
                registry.get(name).solve(bag(), ask, **taker)


def check_missing_objective(name: str) -> None:
    """An optimum needs an objective."""
    for ask in (Optimum(), AllOptima()):
        with pytest.raises(ModelError, match="has no objective"):
            registry.get(name).solve(build_problem({"x": (1, 2)}), ask)


def check_free_variables(name: str) -> None:
    """They multiply the count, and of none there is one solution."""
    assert registry.get(name).solve(build_problem({}), Solutions(None, None)).solutions == ((),)
    spare = {"x": (2, 5), "y": range(3), "z": (7, 8), "known": (4,)}
    for constraints, count in (([AllDifferent(("x",))], 12), ([NotEqual(("x", "y"))], 10)):
        result = registry.get(name).solve(build_problem(spare, constraints), Solutions(None))
        assert (result.count, result.repeats, result.exhausted) == (count, 0, True)


TOGETHER = """
import sys
from importlib import import_module

import_module(sys.argv[1])

from backends.interface import registry
from backends.interface.api import Solutions
from modelling.constraints import AllDifferent
from modelling.problem import build_problem

problem = build_problem({n: range(5) for n in "abc"}, [AllDifferent(tuple("abc"))])
print(*(registry.get(name).solve(problem, Solutions(None)).count for name in sys.argv[2:]))
"""


def check_one_process(module: str, *names: str) -> None:
    """A module is imported first, and then the solvers count in one process, one after another."""
    pytest.importorskip(module.partition(".")[0])
    command = [sys.executable, "-c", TOGETHER, module, *names]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == ["60"] * len(names), done.stderr
