"""Programs that others have written, in every format. Which of them are missing is told."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path

import pytest

import concord
from backends.conformance import conform
from backends.interface import registry
from backends.interface.api import Limits, Optimum, Solutions
from backends.interface.driver import Driver
from backends.interface.events import Event, Found
from backends.interface.registry import known_family

CLASP = "{python} -m clingo --mode=clasp --outf=1 -q0"
PROGRAMS = {
    f"command:dimacs,all=0:{CLASP}": "clingo",
    f"command:opb,all=0:{CLASP}": "clingo",
    "command:dimacs:cadical -q": "cadical",
    "command:dimacs:minisat {file} {answer}": "minisat",
    "command:dimacs:cryptominisat5 --verb 0": "cryptominisat5",
    "command:dimacs:picosat": "picosat",
    "command:opb,all=0:clasp --outf=1 -q0": "clasp",
    "command:flatzinc,all=-a,optimum=-a:fzn-gecode": "fzn-gecode",
    "command:xcsp3,all=-nbsols=0:cosoco {file} -model=2 -colors=0": "cosoco",
}
"""By name: the program or the package that it needs."""

GECODE = "command:flatzinc,all=-a,optimum=-a:fzn-gecode -s"


def found(name: str) -> str:
    """The name, with the path of a program that a package of Python brought; else a skip that says
    what is missing."""
    needed = PROGRAMS.get(name, "fzn-gecode")
    if needed == "clingo":
        pytest.importorskip("clingo", reason="the package clingo is not installed")
        return name
    beside = shutil.which(needed, path=str(Path(sys.executable).parent))
    if beside is None and shutil.which(needed) is None:
        if importlib.util.find_spec("cosoco_bin") is None or needed != "cosoco":
            pytest.skip(f"the program {needed} is not installed")
        pytest.skip("the program cosoco is not beside Python")
    return name if beside is None else name.replace(f":{needed}", f":{beside}")


@pytest.mark.parametrize("name", [name for name in PROGRAMS if "{python}" not in name])
def test_a_program_says_whose_solver_it_is(name: str) -> None:
    assert known_family(found(name)) is not None


def queens() -> concord.Model:
    m = concord.Model()
    q = m.ints(6, 0, 5, "q")
    m.add(concord.all_different(q))
    m.add(concord.all_different(q[i] + i for i in range(6)))
    m.add(concord.all_different(q[i] - i for i in range(6)))
    return m


def golomb() -> concord.Model:
    m = concord.Model()
    x = m.ints(4, 0, 12, "x")
    m.add(x[0] == 0, [x[i] < x[i + 1] for i in range(3)])
    m.add(concord.all_different(x[j] - x[i] for i in range(4) for j in range(i + 1, 4)))
    m.minimize(x[3])
    return m


def test_clasp_finds_one_all_and_the_best() -> None:
    name = found(f"command:opb,all=0:{CLASP}")
    problem = golomb().problem()
    best = concord.solve(problem, Optimum(), backend=name)
    assert (best.status, best.objective, best.bound) == ("OPTIMUM", 6, 6)
    pigeons = concord.problem(
        {f"p{i}": range(3) for i in range(4)},
        [concord.AllDifferent(tuple(f"p{i}" for i in range(4)))],
    )
    assert concord.solve(pigeons, backend=name).status == "UNSATISFIABLE"


@pytest.mark.once
@pytest.mark.parametrize("name", PROGRAMS)
def test_every_program_finds_one_all_and_the_best(name: str) -> None:
    name = found(name)
    limits = Limits(seconds=60)
    problem = queens().problem()
    assert concord.solve(problem, backend=name, limits=limits).status == "SATISFIABLE"
    every = concord.solve(problem, Solutions(None), backend=name, limits=limits)
    assert (every.count, every.stopped_by) == (4, "exhausted")
    assert every.digest == concord.solve(problem, Solutions(None)).digest
    best = concord.solve(golomb().problem(), Optimum(), backend=name, limits=limits)
    assert (best.status, best.objective) == ("OPTIMUM", 6)


@pytest.mark.once
@pytest.mark.parametrize("name", [f"command:dimacs,all=0:{CLASP}", f"command:opb,all=0:{CLASP}"])
def test_conforms(name: str) -> None:
    report = conform(concord.get_backend(found(name)), problems=13)
    assert not report.refused


@pytest.mark.once
def test_gecode_tells_statistics_and_each_better_solution() -> None:
    events: list[Event] = []
    backend = registry.get(found(GECODE))
    assert isinstance(backend, Driver)

    def note(event: Event) -> bool:
        events.append(event)
        return True

    best = backend.solve(golomb().problem(), Optimum(), emit=note)
    assert best.objective == 6
    values = [event.objective for event in events if isinstance(event, Found)]
    assert values[-1] == 6
    assert values == sorted(values, reverse=True)
    assert best.statistics["nodes"] > 0
    assert {"failures", "propagations", "peak_depth"} <= set(best.statistics)


@pytest.mark.once
def test_a_limit_ends_a_solver_that_has_not_finished() -> None:
    name = found("command:dimacs:cadical -q")
    pigeons = concord.problem(
        {f"p{i}": range(12) for i in range(13)},
        [concord.NotEqual((f"p{i}", f"p{j}")) for i in range(13) for j in range(i)],
    )
    result = concord.solve(pigeons, backend=name, limits=Limits(seconds=1))
    assert (result.status, result.stopped_by) == ("UNKNOWN", "time")
