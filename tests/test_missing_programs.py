"""Tests that need a missing program: they skip with its name, and a line counts them."""

import pytest

from backends.interface import registry
from modelling.errors import BackendUnavailable
from tests.missing_programs import count_missing_programs, require_program, was_skipped


def test_a_missing_program_skips_the_test(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(pytest.skip.Exception, match="needs the program cadical"):
        require_program("cadical")
    program = tmp_path / "cadical"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert require_program("cadical") == str(program)


def test_one_line_counts_the_tests_by_program(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    reasons = ["needs the program cadical, which is not installed", "needs Windows"]
    for name in ("minizinc:gecode", "command:dimacs:cadical", "xcsp3:ace"):
        with pytest.raises(BackendUnavailable) as unavailable:
            registry.get(name)
        reasons.append(str(unavailable.value))
    expected = "4 tests skipped for want of a program: cadical 2, java 1, minizinc 1"
    assert count_missing_programs(reasons) == expected
    assert count_missing_programs(["needs Windows"]) == ""


def test_the_second_run_selects_tests_and_whole_files():
    skipped = ["tests/test_a.py", "tests/test_b.py::test_c[x]"]
    assert was_skipped("tests/test_a.py::test_any", skipped)
    assert was_skipped("tests/test_b.py::test_c[x]", skipped)
    assert not was_skipped("tests/test_b.py::test_c[y]", skipped)
    assert not was_skipped("tests/test_ab.py::test_any", ["tests/test_a"])
