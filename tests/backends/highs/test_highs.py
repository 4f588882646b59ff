"""HiGHS: statuses, limits, bounds, how many solutions it enumerates, and its neighbours."""

import random
import subprocess
import sys

import pytest

pytest.importorskip("highspy", reason="highspy is optional: the extra 'highs'")

from backends.integer_programs import searching
from backends.interface import registry
from backends.interface.api import AllOptima, Limits, Optimum, Solutions
from modelling.brute_force import solutions
from modelling.constraints import AllDifferent, Linear
from modelling.errors import Unsupported
from modelling.problem import Objective, state
from modelling.versions import find_version
from modelling.vocabulary import VOCABULARY
from tests.backends.small_problems import packing
from tests.backends.solver_checks import check_incumbents_and_bounds, check_positions, stop_by_time

NAMES = ("highs", "mathopt:gscip")
"""Both are asked for one solution after another."""


def market_split():
    """Equations that a search by relaxations learns little of: very many nodes."""
    draw = random.Random(7)
    names = tuple(f"x{i}" for i in range(40))
    rows = [[draw.randrange(100) for _ in names] for _ in range(4)]
    sums = [Linear(names, tuple(row), "==", sum(row) // 2) for row in rows]
    return state({name: range(2) for name in names}, sums)


@pytest.mark.once
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("of", VOCABULARY, ids=lambda of: of.__name__)
def test_drawn_ones_are_right_in_every_position(of, name):
    check_positions(name, of, 1)


@pytest.mark.parametrize("name", NAMES)
def test_each_solution_is_cut_off(name):
    problem = state(
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
    six = state({"x": range(2), "y": range(3)}, [])
    assert backend.solve(six, Solutions(None)).stopped_by == "exhausted"
    result = backend.solve(state({"x": range(7)}, []), Solutions(None))
    assert (result.count, result.stopped_by) == (6, "gave_up")
    assert result.native_status == searching.MORE


@pytest.mark.parametrize("name", NAMES)
def test_incumbents_and_bounds_are_told(name):
    check_incumbents_and_bounds(name)
    result = registry.get(name).solve(packing(), Optimum(), emit=lambda event: False)
    assert (result.stopped_by, result.count) == ("sink", 1)


@pytest.mark.parametrize("name", NAMES)
def test_all_optima_are_those_of_the_best_value(name):
    problem = state(
        {name: range(3) for name in "abc"},
        [Linear(tuple("abc"), (1, 1, 1), ">=", 4)],
        objective=Objective("minimize", tuple("abc"), (1, 1, 1)),
    )
    result = registry.get(name).solve(problem, AllOptima(None, None))
    assert (result.count, result.objective, result.bound) == (6, 4, 4)


@pytest.mark.parametrize("name", NAMES)
def test_an_error_of_who_listens_comes_out(name):
    def listener(event):
        raise RuntimeError("from outside")

    with pytest.raises(RuntimeError, match="from outside"):
        registry.get(name).solve(packing(), Optimum(), emit=listener)


@pytest.mark.parametrize("name", NAMES)
def test_a_limit_on_time_is_kept(name):
    assert stop_by_time(name, market_split()).status == "UNKNOWN"


@pytest.mark.parametrize("name", NAMES)
def test_a_limit_on_nodes_is_kept(name):
    result = registry.get(name).solve(market_split(), Solutions(1), Limits(nodes=5))
    assert (result.status, result.stopped_by) == ("UNKNOWN", "gave_up")
    assert result.statistics["nodes"] <= 6


@pytest.mark.parametrize("name", NAMES)
def test_no_variables_and_none_in_a_constraint(name):
    assert registry.get(name).solve(state({}, []), Solutions(None, None)).solutions == ((),)
    spare = state({"x": (2, 5), "y": range(3)}, [AllDifferent(("x",))])
    assert registry.get(name).solve(spare, Solutions(None)).count == 6


# --- in one process -------------------------------------------------------------------------------

TOGETHER = """
import sys
from backends.integer_programs import searching  # noqa: E402
from backends.interface import registry
from modelling.constraints import Linear
from modelling.problem import Objective, state

xs = tuple("xyz")
problem = state(
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
    """Of the releases that the extra takes; 1.15 breaks the import of ortools."""
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
