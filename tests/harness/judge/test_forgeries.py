"""Backends that attack the store, or forge records: through compare, table, resume and merge."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from harness_samples import TINY, tiny_file
from typer.testing import CliRunner

from harness.cli.verbs import app
from harness.report.run import load
from harness.supervise import hiding

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(sys.platform != "linux", reason="they find the store by /proc"),
]

HONEST = ("propagation", "sat")
TEXTS = ("3 4 -", "3 5 4", "3 6 -")
TAMPERS = ("EditsTheStore", "RemovesFromTheStore")
HIDES = hiding.LINUX and all(hiding.find_means(["/tmp"])[:2])

WITHIN_REACH = {
    "EditsTheStore": "removed, and run again",
    "RemovesFromTheStore": "removed by another program, and run again",
    "HoldsTheStore": "is locked by another program",
    "ForgesRecords": "its record cannot be true: wall_s is -5.0",
    "SkipsItself": "its record cannot be true: skipped, though it was run",
}
"""What is said of each on the screen where the store is within its reach."""


def concord(*arguments: str) -> tuple[int, str]:
    """The exit status and all that was said."""
    done = CliRunner().invoke(app, [*arguments])
    return done.exit_code, " ".join(done.output.split())


def check_honest(folder: Path) -> None:
    """They answered all, and nobody is above them."""
    run = load(folder)
    assert list(run.summary["backend"])[:2] in (list(HONEST), list(HONEST[::-1]))
    assert list(run.summary["verified"])[:2] == [len(TEXTS)] * 2
    assert not set(HONEST) & run.disqualified


def compare(folder: Path, *liars: str, sandbox: str = "auto") -> tuple[int, str]:
    path = tiny_file(folder, *TEXTS)
    words = ["compare", "--set", path, "--family", TINY, "--seconds", "5", "--sandbox", sandbox]
    words += [word for backend in (*HONEST, *liars) for word in ("--backend", backend)]
    return concord(*words, "--out", str(folder / "run"))


@pytest.mark.parametrize("name", WITHIN_REACH)
def test_who_forges_is_never_above_the_honest(name: str, tmp_path: Path) -> None:
    """Where nothing hides the store, and every verb is asked: this is one run for all of them."""
    liar = f"py:backends.conformance.liars:{name}"
    status, said = compare(tmp_path, liar, sandbox="off")
    assert status == 1
    assert WITHIN_REACH[name] in said
    check_honest(tmp_path / "run")
    made, merged = str(tmp_path / "run"), str(tmp_path / "merged")
    for way in (
        ("table", made),
        ("run", "--resume", made),
        ("merge", made, "--out", merged),
        ("table", merged),
    ):
        status, said = concord(*way)
        assert status == 1, way
        assert liar in said, way
    check_honest(tmp_path / "run")
    check_honest(tmp_path / "merged")
    status, said = concord("export", merged)  # as a report: tests/harness/store/test_sealing.py
    assert status == (name in TAMPERS)
    assert ("another program" in said or "run again" in said) == (name in TAMPERS)


@pytest.mark.skipif(not HIDES, reason="the store cannot be hidden here")
def test_where_the_store_is_hidden_nothing_remains_but_false_answers(tmp_path: Path) -> None:
    attacks = [f"py:backends.conformance.liars:{name}" for name in WITHIN_REACH]
    status, said = compare(tmp_path, *attacks)
    assert status == 1
    check_honest(tmp_path / "run")
    assert "another program" not in said
    run = load(tmp_path / "run")
    assert run.tamper == []
    assert run.disqualified == {name for name in attacks if "Store" in name}
    assert {name for name in attacks if f"{name}: " in " ".join(run.faults)} == set(attacks)
