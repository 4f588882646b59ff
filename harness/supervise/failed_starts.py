"""Backends and puzzle families that fail to load, and are given up after a few failures in a row.

A backend that takes a minute to fail would otherwise cost every one of its jobs that minute.
"""

from __future__ import annotations

from collections import defaultdict
from time import perf_counter

from harness.job import Job
from harness.record import Outcome

MOST_FAILED_STARTS = 3
"""After so many failed starts in a row a backend, or a puzzle family, is not loaded any more."""

Verdict = tuple[Outcome, str]


class FailedStarts:
    """Failures by name of a backend or a puzzle family."""

    def __init__(self) -> None:
        self._number: dict[str, int] = defaultdict(int)
        self._known_at: dict[str, float] = defaultdict(float)
        self._given_up: dict[str, Verdict] = {}

    def verdict_on(self, job: Job) -> Verdict | None:
        """How ``job`` ends at once since what it needs is given up; None if it may be tried."""
        return self._given_up.get(job.backend) or self._given_up.get(job.family)

    def give_up(self, name: str, verdict: Verdict) -> None:
        """What is called ``name`` will never load."""
        self._given_up[name] = verdict

    def failed(self, name: str, verdict: Verdict, started_at: float) -> None:
        """Count a failure of a worker that was started at this moment of ``perf_counter``.

        Workers that are started side by side fail for one reason: a worker that had started before
        the last failure was known does not count as a further one.
        """
        if started_at < self._known_at[name]:
            return
        self._known_at[name] = perf_counter()
        self._number[name] += 1
        if self._number[name] >= MOST_FAILED_STARTS:
            outcome, error = verdict
            text = f"{error} (not started again after {MOST_FAILED_STARTS} failed starts in a row)"
            self.give_up(name, (outcome, text))

    def loaded(self, name: str) -> None:
        """It does load: failures before were not in a row."""
        self._number[name] = 0
