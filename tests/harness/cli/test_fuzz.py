"""`concord fuzz`: its summary, its exit status, and what is wrong with its options."""

from __future__ import annotations

import json

import pytest
from within_process import within

pytestmark = pytest.mark.once  # each case begins processes


def fuzz(folder, *words):
    return within(folder.parent, "fuzz", "--out", folder.name, "--jobs", "1", "--quiet", *words)


def test_the_summary_has_the_findings_by_cause(tmp_path):
    done = fuzz(tmp_path / "hunt", "-b", "py:hunted:Raises", "--rounds", "60", "--no-shrink")
    assert done.returncode == 1
    assert "of 1 cause." in done.stdout
    assert "crash with IndexError: no place N" in done.stdout
    assert list((tmp_path / "hunt" / "findings").rglob("finding.json"))


def test_a_right_solver_ends_with_0_and_the_same_command_continues(tmp_path):
    before = fuzz(tmp_path / "hunt", "-b", "py:hunted:Right", "--rounds", "5", "--json")
    after = fuzz(tmp_path / "hunt", "-b", "py:hunted:Right", "--rounds", "8", "--json")
    assert (before.returncode, after.returncode) == (0, 0)
    numbers = [json.loads(done.stdout)["solvers"][0]["problems"] for done in (before, after)]
    assert numbers == [5, 8]


def test_a_solver_that_is_not_there_ends_with_1_or_2(tmp_path):
    unknown = fuzz(tmp_path / "hunt", "-b", "cpsta", "--rounds", "1")
    assert unknown.returncode == 2
    assert "did you mean 'cpsat'" in unknown.stderr
    missing = fuzz(tmp_path / "hunt", "-b", "py:hunted:Nobody", "--rounds", "1")
    assert missing.returncode == 1
    assert "Nobody" in missing.stderr


def test_a_file_as_folder_is_named(tmp_path):
    (tmp_path / "file").write_text("mine")
    done = fuzz(tmp_path / "file", "-b", "py:hunted:Right", "--rounds", "1")
    assert done.returncode == 2
    assert "this is a file" in done.stderr


def test_readers_are_hunted_without_solvers(tmp_path):
    done = fuzz(tmp_path / "hunt", "--files", "cnf", "--rounds", "20", "--json")
    assert done.returncode == 0
    (reader,) = json.loads(done.stdout)["solvers"]
    assert (reader["backend"], reader["problems"], reader["findings"]) == ("file:cnf", 20, 0)
    assert reader["refused"] > 0


def test_a_format_that_is_not_there_is_named(tmp_path):
    done = fuzz(tmp_path / "hunt", "--files", "cfn", "--rounds", "1")
    assert done.returncode == 2
    assert "did you mean 'cnf'" in done.stderr


def test_instances_that_are_not_there_are_named(tmp_path):
    words = ("-b", "py:hunted:Right", "--instances", "quickstrat", "--rounds", "1")
    done = fuzz(tmp_path / "hunt", *words)
    assert done.returncode == 2
    assert "quickstart" in done.stderr
    assert not (tmp_path / "hunt").exists()
