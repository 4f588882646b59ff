"""The study of limits: what it asks, how it tells endings apart, what it writes."""

from __future__ import annotations

import msgspec
import pytest

from backends.interface.api import Solutions
from backends.interface.registry import get
from harness.record import Record
from puzzles.family import family
from results.studies.runs import limits
from results.studies.runs.limits import Kept, ending


@pytest.mark.parametrize("number", [2, 4, 5])
def test_pigeons_have_no_holes(number: int) -> None:
    problem = family("graph_colouring").problem(limits.pigeons(number))
    assert get("sat").solve(problem, Solutions(1)).status == "UNSATISFIABLE"
    assert len(problem.structure.constraints) == number * (number - 1) // 2


def test_endings_are_told_apart() -> None:
    said = {
        "solved": Record(job=1, outcome="finished"),
        "itself": Record(job=1, outcome="timeout", stopped_by="time"),
        "killed": Record(job=1, outcome="timeout"),
        "refused": Record(job=1, outcome="refused"),
        "crashed": Record(job=1, outcome="crashed"),
    }
    assert {word: ending(record) for word, record in said.items()} == {w: w for w in said}


def test_what_is_late_or_ends_the_pool_is_not_met() -> None:
    good = Kept("sat", "1", "itself", 1.01, 1.02, "finished")
    assert good.is_met
    for more in ({"seconds": 1.2}, {"recorded": 1.6}, {"next": "crashed"}, {"ended": "crashed"}):
        bad = msgspec.structs.replace(good, **more)
        assert not bad.is_met
        assert "**no**" in limits.report([bad])


@pytest.mark.once
def test_what_is_measured_is_added_to_what_was(tmp_path, capsys) -> None:
    for name in ("brute_force", "propagation"):
        arguments = ["--only", name, "--out", str(tmp_path), "--load", f"{name} alone"]
        limits.main(arguments)
    found = {row.backend: row for row in limits.STUDY.read(tmp_path)}
    assert set(found) == {"brute_force", "propagation"}
    assert found["brute_force"].ended == "refused"
    assert found["propagation"].ended in ("itself", "killed")
    assert found["propagation"].next == "finished"
    assert "Measured with propagation alone: propagation." in (tmp_path / "limits.md").read_text()
