"""HiGHS: statuses, limits, bounds, how many solutions it enumerates, and its neighbours."""

import subprocess
import sys

import pytest

pytest.importorskip("highspy", reason="highspy is optional: the extra 'highs'")

from backends.integer_programs import searching
from backends.interface import registry
from backends.interface.api import AllOptima, Solutions
from modelling.brute_force import solutions
from modelling.constraints import Linear
from modelling.errors import Unsupported
from modelling.problem import build_problem
from modelling.versions import find_version
from tests.backends.small_problems import packing

NAMES = ("highs", "mathopt:gscip")
"""Both are asked for one solution after another."""


@pytest.mark.parametrize("name", NAMES)
def test_each_solution_is_cut_off(name):
    problem = build_problem(
        {"x": range(-1, 3), "y": (0, 4, 9), "z": (3, 5)}, [Linear(("x", "y"), (2, 1), "<=", 4)]
    )
    found = registry.get(name).solve(problem, Solutions(None, None))
    assert (found.stopped_by, found.repeats) == ("exhausted", 0)
    assert sorted(found.solutions) == sorted(solutions(problem))


@pytest.mark.parametrize("name", NAMES)
def test_more_solutions_than_it_enumerates_are_refused_or_given_up(name, monkeypatch):
    backend = registry.get(name)
    assert backend.most_solutions == searching.MOST_SOLUTIONS == 64
    with pytest.raises(Unsupported, match="more than 64 solutions: each is a search of its own"):
        backend.solve(packing(), Solutions(65))
    with pytest.raises(Unsupported, match="more than 64 solutions"):
        backend.solve(packing(), AllOptima(65))
    monkeypatch.setattr(searching, "MOST_SOLUTIONS", 6)
    six = build_problem({"x": range(2), "y": range(3)}, [])
    assert backend.solve(six, Solutions(None)).stopped_by == "exhausted"
    result = backend.solve(build_problem({"x": range(7)}, []), Solutions(None))
    assert (result.count, result.stopped_by) == (6, "gave_up")
    assert result.native_status == searching.MORE


# --- in one process -------------------------------------------------------------------------------

TOGETHER = """
import sys
from backends.integer_programs import searching  # noqa: E402
from backends.interface import registry
from modelling.constraints import Linear
from modelling.problem import Objective, build_problem

xs = tuple("xyz")
problem = build_problem(
    {x: range(5) for x in xs},
    [Linear(xs, (2, 3, 4), "<=", 11)],
    objective=Objective("maximize", xs, (1, 2, 3)),
)
from backends.interface.api import Optimum
print(*(registry.get(name).solve(problem, Optimum()).objective for name in sys.argv[1:]))
"""


@pytest.mark.parametrize(
    "order", [("highs", "cpsat", "mathopt", "highs"), ("mathopt", "cpsat", "highs", "mathopt")]
)
def test_highs_and_ortools_are_in_one_process_in_either_order(order):
    """The extra takes releases that do; 1.15 breaks the import of ortools."""
    done = subprocess.run(
        [sys.executable, "-c", TOGETHER, *order], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["8"] * 4


def test_the_release_is_one_without_known_wrong_optima():
    assert registry.numbers_of(find_version("highspy"))[:2] == (1, 12)


def test_later_releases_are_refused_beside_ortools(monkeypatch):
    from backends.interface.registry import find_clash
    from backends.interface.shipped import SHIPPED

    (highs,) = (entry for entry in SHIPPED if entry.name == "highs")
    monkeypatch.setitem(sys.modules, "ortools", sys)
    monkeypatch.delitem(sys.modules, "highspy")
    assert find_clash(highs) == ""
    monkeypatch.setattr("backends.interface.registry.find_version", lambda name: "1.15.1")
    assert "highs cannot be loaded into this process, where ortools is" in find_clash(highs)
