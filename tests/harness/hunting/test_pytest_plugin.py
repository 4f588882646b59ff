"""The plug-in of pytest, in a pytest of its own; and ``concord.assert_agrees``."""

import importlib
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import concord
from harness.hunting import pytest_plugin
from modelling.constraints import Linear, Table
from modelling.errors import InputError
from modelling.problem import build_problem

pytestmark = pytest.mark.once  # each test begins a session of pytest

pytest_plugins = ["pytester"]
ROOT = Path(__file__).parents[3]

ROWS = ((0, 0, 1), (1, 1, 1), (2, 0, 1), (2, 1, 0))
PROBLEM = build_problem(
    {"x": range(3), "y": range(2), "z": range(3)},
    [Table(("x", "y", "z"), ROWS), Linear(("x", "z"), (1, 1), "<=", 4)],
)


def test_backends_that_agree():
    concord.assert_agrees(PROBLEM)
    concord.assert_agrees(PROBLEM, "brute_force", count=2)


def test_a_failure_shows_the_smallest_problem():
    with pytest.raises(AssertionError) as failure:
        concord.assert_agrees(PROBLEM, ["propagation", "py:planted:LosesTheLastRow"])
    said = str(failure.value)
    assert "py:planted:LosesTheLastRow" in said
    assert "solutions are missing" in said
    assert said.count(" in ") <= 2  # one variable is left
    assert "y in" not in said


def test_a_large_problem_has_backends_as_witnesses():
    domains = {f"v{k}": range(6) for k in range(8)}
    ends = [Linear((name,), (1,), "<=", 0) for name in list(domains)[1:]]
    large = build_problem(domains, [*ends, Table(("v0",), ((1,), (2,), (3,)))])
    concord.assert_agrees(large, ["propagation", "sat"])
    with pytest.raises(AssertionError, match="LosesTheLastRow"):
        concord.assert_agrees(large, ["propagation", "py:planted:LosesTheLastRow"])


def test_nobody_answers():
    foreign = build_problem({f"v{k}": range(60) for k in range(9)}, [])
    with pytest.raises(InputError, match="no backend has answered"):
        concord.assert_agrees(foreign, ["brute_force"])


TEST = """
    from modelling.constraints import Table
    from modelling.problem import build_problem

    PROBLEM = build_problem({"x": range(3), "y": range(3)}, [Table(("x", "y"), ((0, 1), (2, 2)))])

    def test_named(assert_agrees):
        assert_agrees(PROBLEM, ["propagation"])

    def test_of_the_command_line(assert_agrees):
        assert_agrees(PROBLEM)
"""


def test_the_plug_in_has_the_name_of_its_documentation(pytester):
    """Also where its entry point is installed, which has the same name."""
    pytester.makepyfile(TEST)
    arguments = ["-p", "no:randomly", "-p", "concord.pytest", "--concord-backends=propagation"]
    pytester.runpytest_subprocess(*arguments).assert_outcomes(passed=2)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (name,) = project["entry-points"]["pytest11"]
    assert importlib.import_module(name).assert_agrees is pytest_plugin.assert_agrees


def test_the_command_line_names_backends(pytester):
    pytester.makepyfile(TEST)
    plugin = "harness.hunting.pytest_plugin"
    is_installed = any(one.value == plugin for one in entry_points(group="pytest11"))
    arguments = ["-p", "no:randomly", *([] if is_installed else ["-p", plugin])]
    pytester.runpytest(*arguments).assert_outcomes(passed=2)
    named = "--concord-backends=propagation,py:planted:LosesTheLastRow"
    result = pytester.runpytest(*arguments, named)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*py:planted:LosesTheLastRow*solutions are missing*"])
    result.stdout.no_fnmatch_line("*agreement.py*")
