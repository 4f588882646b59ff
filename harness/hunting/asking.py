"""A solver is asked in a process of its own, which is watched: a crash or a hang is an answer."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from backends.interface.api import Limits
from harness.job import Job, Question
from harness.record import Record, Version
from harness.supervise.settings import Settings
from harness.supervise.supervisor import supervise

FAMILY = "problem"
"""The family whose instances are the texts of problems."""

UNFORKABLE = "mode isolated: "
"""The beginning of the error where a solver has threads once it is loaded."""


class Questioner:
    """Asks one question after the other; ``versions`` are those of the solvers, by their ids.

    Workers live on from question to question until one fails; so most questions cost milliseconds.
    With ``mode="isolated"`` each is a fork of a process that has the solver loaded, where that can
    be forked; a crash then costs no new interpreter.
    """

    def __init__(self, mode: str = "pooled") -> None:
        self.versions: dict[str, Version] = {}
        self._waiting: deque[Job] = deque()
        self._asked = 0
        self._begin(mode)

    def _begin(self, mode: str) -> None:
        settings = Settings(mode=mode, tick=0.01)
        self._records = supervise(_Queue(self._waiting), settings, self._learn)

    def _learn(self, version: Version) -> None:
        self.versions[version.id] = version

    def ask(self, text: str, backend: str, question: Question, limits: Limits) -> Record:
        """The record of one answer to a problem, which is given as its text."""
        self._asked += 1
        name = f"question {self._asked}"
        job = Job(self._asked, "", name, FAMILY, text, backend, question, limits)
        record = self._wait_for(job)
        if record.outcome == "error" and record.error.startswith(UNFORKABLE):
            self.close()
            self._begin("pooled")
            record = self._wait_for(job)
        return record

    def _wait_for(self, job: Job) -> Record:
        self._waiting.append(job)
        return next(record for record in self._records if record is not None)

    def close(self) -> None:
        """End the workers."""
        self._records.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class _Queue(Iterator[Job]):
    """The jobs that wait; it may end for the time being."""

    def __init__(self, waiting: deque[Job]) -> None:
        self._waiting = waiting

    def __next__(self) -> Job:
        if not self._waiting:
            raise StopIteration
        return self._waiting.popleft()
