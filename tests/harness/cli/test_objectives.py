"""The optimum is asked of what has an objective, by every command, unless a number is given."""

from __future__ import annotations

import pytest
import within_process

import concord
from modelling.expressions.files import find_models
from modelling.problem import Problem

MODEL = """
import concord
m = concord.Model()
x, y = m.ints(2, 0, 3, "x")
m.add(x + y <= 4)
m.maximize(2 * x + y)
"""

DIFFERENT = """
import concord
m = concord.Model()
x = m.ints(2, 0, 2, "x")
m.add(concord.all_different(x))
m.maximize(2 * x[0] + x[1])
"""


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ((), "optimum of 2 instances and first solution of 1 instance"),
        (("--count", "1"), "first solution of 3 instances"),
        (("--count", "2"), "up to 2 solutions of 3 instances"),
        (("--count", "2", "--optimum"), "optima 2 of 2 instances and up to 2 solutions of 1"),
    ],
)
def test_compare_says_first_what_it_asks(tmp_path, options, asked):
    (tmp_path / "model.py").write_text(MODEL, encoding="utf-8")
    words = (
        "-s",
        "knapsack",
        "-s",
        "queens",
        "-m",
        "model.py",
        "-b",
        "propagation",
        "--limit",
        "1",
    )
    done = within_process.within(tmp_path, "compare", *words, *options)
    assert done.returncode == 0
    assert " ".join(done.stdout.split()).startswith(f"Asked: {asked}")


def test_a_run_asks_for_optima_and_a_table_says_so(tmp_path):
    toml = 'name = "best"\nsets = ["knapsack"]\nbackends = ["propagation"]\nlimit = 1\n'
    (tmp_path / "best.toml").write_text(toml, encoding="utf-8")
    for words in (("run", "best.toml", "--out", "best"), ("table", "best")):
        done = within_process.within(tmp_path, *words)
        assert done.stdout.startswith("Asked: optimum of 1 instance.")


def test_solve_shows_what_the_best_solution_is_worth(tmp_path):
    best = concord.read("knapsack")[0]
    (tmp_path / "sack.txt").write_text(f"# family: knapsack\n{best.text}\n", encoding="utf-8")
    value = concord.solve(best).objective
    done = within_process.within(tmp_path, "solve", "sack.txt")
    assert done.stdout.endswith(f"  # objective {value}\n")
    first = within_process.within(tmp_path, "solve", "sack.txt", "--count", "1")
    assert "objective" not in first.stdout
    late = within_process.within(
        tmp_path, "solve", "sack.txt", "--count", "2", "--optimum", "-b", "cpsat"
    )
    assert late.stdout.startswith("1\t")
    assert f"# objective {value}" in late.stdout


def test_python_asks_for_optima_by_default():
    model = concord.Model()
    x, y = model.ints(2, 0, 3, "x")
    model.add(x + y <= 4)
    model.maximize(2 * x + y)
    assert concord.solve(model).objective == 7
    assert concord.solve(model, concord.Solutions(1)).objective is None
    assert model.solve()[x] == 3
    problem: Problem = model.problem()
    for given in (model, problem, {"named": problem}):
        run = concord.compare(given, ["propagation"])
        assert run.question == "Asked: optimum of 1 instance."


def test_solve_takes_by_default_a_solver_that_optimises(tmp_path):
    """The compiled one takes AllDifferent, but finds and counts solutions only."""
    (tmp_path / "model.py").write_text(DIFFERENT, encoding="utf-8")
    text = next(iter(find_models(str(tmp_path / "model.py"))))
    (tmp_path / "line.txt").write_text(f"# family: problem\n{text}\n", encoding="utf-8")
    done = within_process.within(tmp_path, "solve", "line.txt")
    assert (done.returncode, done.stdout) == (0, "x[0]=2, x[1]=1  # objective 5\n")


def test_no_warm_up_is_told_of_a_solver_that_refuses_every_job(tmp_path):
    words = ("-s", "knapsack", "--limit", "2", "-b", "propagation", "-b", "ladder:norvig")
    done = within_process.within(tmp_path, "compare", *words)
    assert "ladder:norvig: 2 refused" in done.stdout
    assert "one warm-up per worker" in done.stderr
    assert "warm-ups that failed" not in done.stderr
