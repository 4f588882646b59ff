"""The solver is right: beside brute force, and by the checks of ``concord conform``."""

import subprocess
import sys

import pytest

import concord

NAME = "py:concord_mine:Solver"


def make_square():
    m = concord.Model()
    x = m.ints((2, 3), 1, 6, "x")
    m.add(concord.all_different(x), sum(x[0]) == sum(x[1]) + 1)
    return m


def test_it_agrees_with_brute_force_and_others():
    concord.assert_agrees(make_square(), [NAME, "propagation"])


def test_it_says_that_there_is_no_solution():
    m = concord.Model()
    x, y = m.ints(2, 0, 1, "x")
    m.add(x < y, y < x)
    assert concord.solve(m, backend=NAME).status == "UNSATISFIABLE"


def test_it_is_conforming():
    checks = [sys.executable, "-m", "concord", "conform", NAME, "--problems", "40"]
    done = subprocess.run(checks, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_has_no_options():
    from concord_mine import make

    with pytest.raises(ValueError):
        make("fast")
