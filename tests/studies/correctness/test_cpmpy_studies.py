"""The two studies of CPMpy: their tables, on a few draws and on a small file of tests."""

import json
from argparse import Namespace

import pytest

from modelling.formats.cpmpy import global_constraints
from results.studies.correctness import cpmpy_constraints, cpmpy_suite

pytestmark = pytest.mark.once


def test_drawn_constraints_give_a_table(tmp_path, capsys):
    arguments = ["--draws", "3", "--only", "Circuit", "--only", "Division", "--most", "60"]
    arguments += ["--backend", "propagation", "--out", str(tmp_path)]
    assert cpmpy_constraints.main(arguments) == 0
    rows = json.loads((tmp_path / "cpmpy_constraints.json").read_text())["rows"]
    assert [(row["kind"], row["draws"]) for row in rows] == [("Circuit", 3), ("Division", 3)]
    assert all(row["differing"] == {} for row in rows)
    assert "| all | 6 |" in capsys.readouterr().out


def test_a_wrong_reading_is_found(monkeypatch, capsys):
    wrong = {**global_constraints.WORDS, "Increasing": global_constraints.WORDS["IncreasingStrict"]}
    monkeypatch.setattr("modelling.formats.cpmpy.reading.WORDS", wrong)
    arguments = ["--draws", "10", "--only", "Increasing", "--most", "60"]
    arguments += ["--backend", "propagation"]
    assert cpmpy_constraints.main(arguments) == 1
    said = capsys.readouterr().out
    assert "Increasing, seed" in said
    assert "Concord: " in said
    assert "propagation: " in said


TESTS = """
import cpmpy as cp
import pytest

@pytest.mark.parametrize("value", [1, 2])
def test_solving(solver, value):
    x = cp.intvar(0, 3)
    assert cp.Model(x == value).solve(solver=solver)
    assert x.value() == 1

def test_skipped(solver):
    pytest.skip("a reason")

def test_of_another_kind():
    raise AssertionError
"""
CONFTEST = """
import cpmpy as cp
import pytest

def pytest_addoption(parser):
    parser.addoption("--solver")

def pytest_configure(config):
    assert config.getoption("--solver") in dict(cp.SolverLookup.base_solvers())

@pytest.fixture
def solver(request):
    return request.config.getoption("--solver")
"""


def test_tests_of_a_checkout_are_counted(tmp_path):
    tests, cpmpy = tmp_path / "tests", tmp_path / "version" / "cpmpy"
    tests.mkdir()
    cpmpy.mkdir(parents=True)
    (tests / "conftest.py").write_text(CONFTEST)
    (tests / "test_small.py").write_text(TESTS)
    row = cpmpy_suite.run_tests(tmp_path, "propagation", "test_small.py", 60)
    assert (row.passed, row.skipped) == (1, {"a reason": 1})
    assert list(row.failed) == ["test_solving[2]"]
    (cpmpy / "__init__.py").write_text('__version__ = "9.9"\n')
    row.cpmpy = cpmpy_suite.version_of(cpmpy.parent)
    assert row.cpmpy == "9.9, commit unknown"
    text = cpmpy_suite.report([row], Namespace())
    assert "CPMpy 9.9, commit unknown" in text
    assert "| propagation | test_small.py | 60 | 1 | 1 | 1 |" in text
    assert "- propagation, `test_small.py`, `test_solving[2]`: " in text
    assert "1 times: a reason" in text
