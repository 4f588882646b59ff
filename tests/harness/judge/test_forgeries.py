"""Backends that attack the store, or forge records: through compare, table, resume and merge."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from harness_samples import TINY, tiny_file
from typer.testing import CliRunner

from harness.cli.verbs import app
from harness.report.run import load
from harness.supervise import worker_process

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="they find the store by /proc")

HONEST = ("propagation", "sat")
TEXTS = ("3 4 -", "3 5 4", "3 6 -", "3 7 5")
LIARS = ("EditsTheStore", "RemovesFromTheStore", "HoldsTheStore", "ForgesRecords")

WITHIN_REACH = {
    "EditsTheStore": "removed, and run again",
    "RemovesFromTheStore": "removed by another program, and run again",
    "HoldsTheStore": "is locked by another program",
    "ForgesRecords": "its record cannot be true: wall_s is -5.0",
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


@pytest.mark.parametrize("in_reach", [True, False])
@pytest.mark.parametrize("name", LIARS)
def test_who_forges_is_never_above_the_honest(
    name: str, in_reach: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the platform hides the store, and where it does not."""
    if in_reach:
        monkeypatch.setattr(worker_process, "choose_hidden", lambda *_: ([], ""))
    liar = f"py:backends.conformance.liars:{name}"
    path = tiny_file(tmp_path, *TEXTS)
    words = ["compare", "--set", path, "--family", TINY, "--seconds", "5"]
    words += [word for backend in (*HONEST, liar) for word in ("--backend", backend)]
    made, merged = str(tmp_path / "run"), str(tmp_path / "merged")
    status, said = concord(*words, "--out", made)
    assert status == 1
    check_honest(tmp_path / "run")
    reason = WITHIN_REACH[name] if in_reach or name == "ForgesRecords" else f"{liar}: 4 of 4"
    assert reason in said
    assert liar in load(made).disqualified or name == "ForgesRecords"
    ways = [("table", made), ("run", "--resume", made), ("merge", made, "--out", merged)]
    for way in [*ways, ("table", merged), ("report", made), ("export", made)]:
        status, said = concord(*way)
        if way[0] not in ("report", "export") or (in_reach and "Store" in name[:-5]):
            assert status == 1, way
            assert liar in said or "another program" in said, way
    check_honest(tmp_path / "merged")
