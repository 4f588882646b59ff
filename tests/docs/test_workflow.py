"""The workflow of docs/ci, step by step: read as YAML, its scripts run by a shell."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

pytestmark = pytest.mark.once

ROOT = Path(__file__).parents[2]
WORKFLOW = yaml.safe_load((ROOT / "docs" / "ci" / "solver-upgrade.yml").read_text(encoding="utf-8"))
STEPS: dict[str, Any] = {
    step["name"]: step for step in WORKFLOW["jobs"]["compare"]["steps"] if "name" in step
}


def run_step(
    name: str, folder: Path, edits: Mapping[str, str] | None = None, **more: str
) -> subprocess.CompletedProcess[str]:
    """A step as the service runs it: by bash, which ends at the first fault.

    ``edits`` are texts of its script and what takes their places.
    """
    script = STEPS[name]["run"]
    for text, other in (edits or {}).items():
        assert text in script
        script = script.replace(text, other)
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    program = programs / "concord"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m harness.cli.entry "$@"\n')
    program.chmod(0o755)
    known = os.environ | {key: str(value) for key, value in WORKFLOW["env"].items()}
    known |= {
        "PATH": os.pathsep.join([str(programs), os.environ["PATH"]]),
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests" / "harness")]),
        "GITHUB_ENV": str(folder / "env"),
        "GITHUB_STEP_SUMMARY": str(folder / "shown.md"),
        "GITHUB_BASE_REF": "main",
    }
    words = ["bash", "-e", "-o", "pipefail", "-c", script]
    return subprocess.run(words, cwd=folder, env=known | more, capture_output=True, text=True)


def commit(folder: Path, text: str) -> None:
    (folder / "requirements.txt").write_text(text)
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", *who, "add", "requirements.txt"], cwd=folder, check=True)
    subprocess.run(["git", *who, "commit", "-qm", "pin"], cwd=folder, check=True)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_releases_are_read_from_both_branches(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    commit(tmp_path, "httpx\nortools==9.14.6206\n")
    refs = ["git", "update-ref", "refs/remotes/origin/main", "HEAD"]
    subprocess.run(refs, cwd=tmp_path, check=True)
    commit(tmp_path, "ortools == 9.15.6755  # newer\n")
    done = run_step("Read both releases", tmp_path)
    assert done.returncode == 0, done.stderr
    found = (tmp_path / "env").read_text().split()
    assert found == ["OLD=cpsat@9.14.6206", "NEW=cpsat@9.15.6755"]
    (tmp_path / "requirements.txt").write_text("ortools>=9\n")
    assert "no line ortools==RELEASE" in run_step("Read both releases", tmp_path).stderr


@pytest.mark.parametrize(
    ("new", "status", "said"),
    [
        ("brute_force", 0, "No verdict changed, of 9 pairs."),
        ("py:liars:FalseUnsatisfiable", 1, "**Failed:** 6 verdicts got worse."),
    ],
)
def test_the_gate_runs_both_and_judges(tmp_path: Path, new: str, status: int, said: str) -> None:
    lines = "".join(f"{n} {m} -\n" for n in (2, 3, 4) for m in (2, 3, 4))
    (tmp_path / "tiny.txt").write_text(lines)
    names = {"OLD": "brute_force", "NEW": new, "SETS": "tiny.txt"}
    names |= {"FACTOR": "1000", "REPEAT": "1"}
    edits = {"--set": "--family py:tiny_family:Tiny --set"}
    if names["NEW"] == names["OLD"]:
        edits['--backend "$NEW" '] = ""
    done = run_step("Run both releases, their jobs mixed", tmp_path, edits, **names)
    assert done.returncode == 0, done.stderr
    done = run_step("Gate", tmp_path, **names)
    assert done.returncode == status, done.stderr
    assert said in (tmp_path / "shown.md").read_text()


def test_a_run_that_does_not_come_about_fails(tmp_path: Path) -> None:
    names = {"OLD": "brute_force", "NEW": "nobody", "SETS": "queens"}
    done = run_step("Run both releases, their jobs mixed", tmp_path, **names)
    assert done.returncode == 1
    assert "nobody" in done.stderr
