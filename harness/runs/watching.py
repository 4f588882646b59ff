"""Watching a run: how far it is, read from its store while another process writes there.

One row a backend: how many of its jobs have ended, with which outcomes, and how long they took.
Nothing is validated here, so there are no verdicts.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from harness.record import OUTCOMES
from harness.store.store import Store


@dataclass(frozen=True)
class Standing:
    """How one backend stands: ``ended`` of ``jobs``, by outcome, with seconds of wall clock."""

    backend: str
    jobs: int
    ended: int
    outcomes: dict[str, int]
    mean_s: float
    max_s: float


@dataclass(frozen=True)
class Look:
    """A run at one moment.

    ``jobs`` are those of the run, ``total`` those of the experiment, other shares included.
    ``seconds_ago`` is since the last record ended, None when there is none; ``looked_s`` what
    looking took.
    """

    folder: Path
    jobs: int
    ended: int
    total: int
    seconds_ago: float | None
    standings: tuple[Standing, ...]
    looked_s: float

    @property
    def complete(self) -> bool:
        """Whether every job of the run has ended."""
        return self.ended == self.jobs


def look(folder: Path) -> Look:
    """How the run in ``folder`` stands now; raises StoreError when it cannot be read."""
    started = perf_counter()
    store = Store.open(folder)
    try:
        planned, ended, last = store.progress()
        total = store.total()
    finally:
        store.close()
    standings = []
    for backend, number in planned.items():
        cells = [cell for cell in ended if cell.backend == backend]
        many = sum(cell.number for cell in cells)
        standings.append(
            Standing(
                backend,
                number,
                many,
                {o: cell.number for o in OUTCOMES for cell in cells if cell.outcome == o},
                sum(cell.total_s for cell in cells) / many if many else 0.0,
                max((cell.max_s for cell in cells), default=0.0),
            )
        )
    return Look(
        folder,
        sum(planned.values()),
        sum(standing.ended for standing in standings),
        total,
        None if last is None else _seconds_since(last),
        tuple(standings),
        perf_counter() - started,
    )


def _seconds_since(moment: str) -> float:
    return max(0.0, (datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds())
