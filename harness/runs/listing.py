"""The runs in a folder: when each was begun, how far it is, and how its jobs ended.

Words
-----
complete    every job has ended, and every answer has a verdict
running     a process is working on it
unfinished  neither; it can be resumed
unreadable  its store cannot be read by this version
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from harness.runs.loading import RUNS, open_runs
from harness.store.lock import is_locked
from harness.store.store import NAME, Store
from modelling.errors import StoreError


@dataclass(frozen=True)
class ListedRun:
    """One run; ``counts`` are of its outcomes and of its verdicts."""

    name: str
    begun: datetime
    state: str
    jobs: int = 0
    ended: int = 0
    counts: dict[str, int] = field(default_factory=dict)


def list_runs(folder: Path = RUNS) -> list[ListedRun]:
    """The runs in ``folder`` that may be read, in the order in which they were begun."""
    return [_look_at(path, datetime.fromtimestamp(begun, UTC)) for begun, path in open_runs(folder)]


def _look_at(path: Path, begun: datetime) -> ListedRun:
    if not (path / NAME).is_file():  # a reference is whole
        return ListedRun(path.name, begun, "complete")
    try:
        with closing(Store.open(path)) as store:
            jobs, ended = store.count("jobs"), store.count("records")
            verdicts = store.verdicts()
            counts = store.outcomes() | verdicts
    except StoreError:
        return ListedRun(path.name, begun, "unreadable")
    if is_locked(path):
        state = "running"
    else:
        state = "complete" if sum(verdicts.values()) == jobs else "unfinished"
    return ListedRun(path.name, begun, state, jobs, ended, counts)
