"""Which means of isolation is chosen, and what is said of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from harness_samples import experiment

from harness.supervise import cgroups, settings
from harness.supervise.processes import LINUX
from harness.supervise.settings import Isolation, Settings, Wanted
from modelling.errors import ExperimentError

GROUPS = cgroups.Hierarchy(2, Path("/x"), Path("/x"))


@pytest.mark.parametrize(
    ("kept", "text"),
    [
        (Isolation("wall"), "wall time"),
        (Isolation("wall", None, "", 5.0), "wall time, CPU time not limited"),
        (Isolation("wall", None, "", None, 9.0), "wall time, memory not limited"),
        (
            Isolation("polled", None, "", 5.0, 9.0),
            "wall time, CPU time 5 s polled, memory 9 MB polled",
        ),
        (Isolation("polled", None, "", None, 9.0), "wall time, memory 9 MB polled"),
        (Isolation("cgroup", GROUPS, "", 5.0), f"wall time, CPU time 5 s {GROUPS.name}"),
    ],
)
def test_what_is_enforced_is_told(kept: Isolation, text: str) -> None:
    assert kept.text == text + ("" if LINUX else ", no subreaper")


def choose_isolation(
    cpu_seconds: float | None, memory_mb: float | None, wanted: Wanted = "best"
) -> Isolation:
    return Settings(
        cpu_seconds=cpu_seconds, memory_mb=memory_mb, isolation=wanted
    ).chosen_isolation()


def test_the_best_means_that_can_be_had_are_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> cgroups.Hierarchy:
        raise cgroups.NoGroups("no groups")

    assert choose_isolation(None, None, "polled") == Isolation("wall")
    with pytest.raises(ExperimentError, match="isolation: 'best of all' is unknown"):
        choose_isolation(5.0, None, "best of all")  # type: ignore[arg-type]
    monkeypatch.setattr(cgroups, "find", lambda: GROUPS)
    for wanted in ("best", "cgroup"):
        assert choose_isolation(5.0, 9.0, wanted) == Isolation("cgroup", GROUPS, "", 5.0, 9.0)  # type: ignore[arg-type]
    assert choose_isolation(5.0, 9.0, "polled") == Isolation(
        "polled", None, "as asked for", 5.0, 9.0
    )
    assert choose_isolation(5.0, 9.0, "wall") == Isolation("wall", None, "as asked for", 5.0, 9.0)
    monkeypatch.setattr(cgroups, "find", none)
    assert choose_isolation(5.0, None) == Isolation("polled", None, "no groups", 5.0, None)
    with pytest.raises(ExperimentError, match="no control groups here: no groups"):
        choose_isolation(5.0, 9.0, "cgroup")
    monkeypatch.setattr(settings, "look_at", lambda pid: None)
    reason = "no groups; processes cannot be looked at"
    assert choose_isolation(None, 9.0) == Isolation("wall", None, reason, None, 9.0)
    with pytest.raises(ExperimentError, match="does not let processes be looked at"):
        choose_isolation(5.0, 9.0, "polled")
    assert choose_isolation(5.0, 9.0, "wall") == Isolation("wall", None, "as asked for", 5.0, 9.0)


@pytest.mark.parametrize("mode", ["isolated", "fresh"])
def test_a_worker_for_one_job_does_not_warm_up(mode: Any) -> None:
    with pytest.raises(ExperimentError, match=f"warm_ups: a worker of mode {mode} serves one job"):
        Settings(mode=mode, warm_ups=1)
    assert Settings(mode="pooled", warm_ups=1).warm_ups == 1


def test_more_jobs_than_cores_are_warned_of_on_any_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert any("2" in text for text in settings.warnings(Settings(slots=3)))
    assert list(settings.warnings(Settings(slots=2))) == []


def test_more_slots_than_a_machine_has_processes_are_refused():
    Settings(slots=settings.MOST_SLOTS).check()
    with pytest.raises(ExperimentError, match=f"jobs: must be from 1 to {settings.MOST_SLOTS}"):
        Settings(slots=settings.MOST_SLOTS + 1).check()


@pytest.mark.parametrize(
    ("backends", "limit", "most"),
    [
        (["brute_force"], None, 1),
        (["brute_force"], 3, 3),
        (["cpsat:workers=2"], None, 2),
        (["cpsat:workers=4", "brute_force"], None, 4),
        (["cpsat:workers=4"], 2, 2),
    ],
)
def test_the_most_threads_of_a_job(backends, limit, most):
    chosen = experiment("x", *backends)
    chosen.threads = limit
    assert settings.most_threads(chosen) == most
