"""Which means of isolation is chosen, and what is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest

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


def test_the_best_rung_that_can_be_had_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
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
