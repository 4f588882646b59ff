"""The verbs of the command line on problems that were stated in Python."""

import pytest
from within_process import within

import concord

BACKEND = ("--backend", "propagation")
PROBLEM = concord.problem({"x": range(1, 5), "y": (1, 2)}, [concord.NotEqual(("x", "y"))])


@pytest.fixture
def run(tmp_path):
    line = concord.instance(PROBLEM.structure.problem({0: 2})).text
    (tmp_path / "mine.txt").write_text(f"# family: problem\n{line}  # mine\n", encoding="utf-8")

    def run(*arguments, status=0):
        done = within(tmp_path, *arguments)
        assert done.returncode == status, done.stderr
        return done

    return run


def test_a_problem_is_solved_and_shown(run):
    assert run("solve", "mine.txt", *BACKEND, "--count", "all").stdout == "1\tx=2, y=1\n"
    assert "NotEqual(x, y)" in run("solve", "mine.txt", *BACKEND, "--show").stdout


@pytest.mark.parametrize("verb", [("convert", "--to", "lines"), ("canonical",), ("scramble",)])
def test_verbs_for_sudoku_say_that_it_is_none(run, verb):
    name, *options = verb
    refused = run(name, "mine.txt", *options, status=2)
    assert refused.stdout == ""
    assert "of the family problem" in refused.stderr


def test_nothing_is_generated_of_it(run):
    refused = run("generate", "problem", status=2)
    assert "the family 'problem' has no generator" in refused.stderr
