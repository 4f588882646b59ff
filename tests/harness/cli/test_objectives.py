"""The optimum is asked of what has an objective, by every command, unless a number is given."""

from __future__ import annotations

import pytest
import within_process

import concord
from modelling.problem import Problem

MODEL = """
import concord
m = concord.Model()
x, y = m.ints(2, 0, 3, "x")
m.add(x + y <= 4)
m.maximize(2 * x + y)
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
    words = ("-s", "knapsack", "-s", "queens", "-m", "model.py", "-b", "cpsat", "--limit", "1")
    done = within_process.within(tmp_path, "compare", *words, *options)
    assert done.returncode == 0
    assert " ".join(done.stdout.split()).startswith(f"Asked: {asked}")


def test_a_run_asks_for_optima_and_a_table_says_so(tmp_path):
    toml = 'name = "best"\nsets = ["knapsack"]\nbackends = ["cpsat"]\nlimit = 1\n'
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
