"""The endurance experiment in small: it finds what it looks for, and notices what is not so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from harness_samples import experiment, tiny_file

from harness.report.run import load, run_experiment
from harness.supervise.settings import Settings
from modelling.errors import InputError
from results.studies.runs import endurance

pytestmark = pytest.mark.once

QUICK = Settings(exit_seconds=0.5, tick=0.02)
PUZZLES = Path(__file__).parents[3] / "puzzles" / "sets" / "sudoku.txt"


def figures(folder: Path, part: str, *words: str) -> dict[str, Any]:
    out = folder / "figures.json"
    endurance.main([part, "--out", str(out), *words])
    known = json.loads(out.read_text())
    assert known["machine"]["processor"]
    found: dict[str, Any] = known[part]
    return found


def test_runs_are_equal_whatever_the_times(tmp_path: Path) -> None:
    chosen = experiment(tiny_file(tmp_path, "3 4 -", "3 4 4"), "brute_force", count="all")
    one, other = (
        run_experiment(chosen, tmp_path / name, settings=QUICK) for name in ("one", "other")
    )
    assert endurance.fingerprint(one) == endurance.fingerprint(other)
    rows = list(one.rows())
    for change in ({"count": 9}, {"digest": "x"}, {"outcome": "timeout"}):
        altered = [msgspec.structs.replace(row) for row in rows]
        record = msgspec.structs.replace(altered[0].record, **change)
        altered[0] = msgspec.structs.replace(altered[0], record=record)
        one.rows = lambda altered=altered: iter(altered)
        assert endurance.fingerprint(one) != endurance.fingerprint(other)
    one.rows = lambda: iter(rows[1:])  # a row is lost
    assert endurance.fingerprint(one) != endurance.fingerprint(other)


def test_killed_runs_come_out_equal(tmp_path: Path) -> None:
    words = ["--kills", "2", "--longest", "1", "--number", "4", "--puzzles", str(PUZZLES)]
    found = figures(tmp_path, "kills", *words, "--reference", str(tmp_path / "kept"))
    assert found["kills"] == 2
    assert found["runs_equal_to_undisturbed"] == found["runs"] >= 1
    assert (found["of_these_lost"], found["of_these_changed"]) == (0, 0)
    kept = load(tmp_path / "kept")
    assert kept.complete
    assert not any(row.job.text for row in kept.rows())


def test_many_jobs_are_counted_and_their_memory_watched(tmp_path: Path) -> None:
    found = figures(tmp_path, "million", "--jobs", "40", "--repeat", "4", "--slots", "1")
    assert (found["jobs"], found["instances"], found["outcomes"]) == (40, 10, {"finished": 40})
    assert 0 < found["peak_memory_mb"] < 1000
    assert found["jobs_a_second"] > 0


def test_an_interrupted_run_needs_puzzles() -> None:
    with pytest.raises(InputError, match="--puzzles"):
        endurance.main(["interrupted"])
