"""What job shops and open shops share: parameters, the end of a schedule, and its charts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Protocol, TypeVar

from modelling.errors import InputError
from puzzles.drawing import beside_or_below
from puzzles.formats import Locate, in_text
from puzzles.lines import FormattedFamily, split_limit, split_words
from puzzles.parameters import Parameter
from puzzles.pictures import Bar as Block
from puzzles.pictures import Picture, draw_bars
from puzzles.scheduling.gantt import Bar, draw_gantt, sign_of
from puzzles.scheduling.taillard import (
    MOST_DURATION,
    MOST_JOBS,
    MOST_MACHINES,
    MOST_OPERATIONS,
)

MOST_TIME = MOST_DURATION * MOST_OPERATIONS


class Shop(Protocol):
    """The jobs, and the time by which all must end, if there is one."""

    @property
    def jobs(self) -> Sequence[Any]: ...

    @property
    def limit(self) -> int | None: ...


P = TypeVar("P", bound=Shop)


class ShopFamily(FormattedFamily[P]):
    """Jobs on machines, each variable the time at which a job begins on a machine.

    Text is the jobs with ``|`` between them, and the limit if there is one. ``heading`` says in a
    drawing what the text of the jobs is.
    """

    heading: str

    join_drawings = staticmethod(beside_or_below)

    @staticmethod
    def list_parameters(size: int) -> tuple[Parameter, ...]:
        """The parameters of the generator, with this number of jobs and machines by default."""
        return (
            Parameter("jobs", size, "Number of jobs.", 1, MOST_JOBS),
            Parameter(
                "machines",
                size,
                "Number of machines; as many as jobs is hardest.",
                1,
                MOST_MACHINES,
            ),
            Parameter(
                "percent",
                0,
                "Time to end by, in per cent of the lower bound; 0 asks for the best.",
                0,
                1000,
            ),
        )

    @abstractmethod
    def list_tasks(self, puzzle: P) -> Iterator[tuple[int, int, int]]:
        """Job, from 0, machine, as it is called, and duration of each variable."""

    @abstractmethod
    def parse_job(
        self, words: Sequence[tuple[str, int]], before: Sequence[Any], locate: Locate, column: int
    ) -> Any:
        """The job that begins in a column, by its words and the jobs before it."""

    @abstractmethod
    def make_puzzle(self, jobs: tuple[Any, ...], limit: int | None, where: str) -> P:
        """The puzzle; raises ``InstanceError`` for one that is too large."""

    @abstractmethod
    def write_job(self, job: Any) -> str:
        """A job as it is in the text."""

    def parse(self, body: str, locate: Locate = in_text) -> P:
        """The jobs, and the limit if there is one."""
        body, limit = split_limit(body, locate, "the time by which all ends", MOST_TIME)
        jobs: list[Any] = []
        column = 0
        for part in body.split("|"):
            words = split_words(body[: column + len(part)], column)
            jobs.append(self.parse_job(words, jobs, locate, column + 1))
            column += len(part) + 1
        return self.make_puzzle(tuple(jobs), limit, locate(1))

    def text(self, puzzle: P) -> str:
        """Jobs, and the limit if there is one."""
        jobs = " | ".join(map(self.write_job, puzzle.jobs))
        return jobs if puzzle.limit is None else f"{jobs} <= {puzzle.limit}"

    def draw_jobs(self, puzzle: P) -> Iterator[str]:
        """Each job as it is drawn."""
        return map(self.write_job, puzzle.jobs)

    def count_values(self, puzzle: P) -> int:
        """The number of operations."""
        return sum(1 for _ in self.list_tasks(puzzle))

    def has_objective(self, text: str) -> bool:
        """See ``OptionalObjective``: without a time to end by."""
        return "<=" not in text

    def value(self, text: str, values: Sequence[int]) -> int:
        """See ``Valued``: when the last operation ends."""
        return self._find_end(self.parse(text), values)

    def draw(self, puzzle: P, values: Sequence[int] | None) -> str:
        """The operations; or the machines' time, in which each job has its sign."""
        if values is None:
            asked = "as soon as can be" if puzzle.limit is None else f"by {puzzle.limit}"
            jobs = [f"{sign_of(j)}: {job}".rstrip() for j, job in enumerate(self.draw_jobs(puzzle))]
            return "\n".join([f"{self.heading}, to end {asked}", *jobs])
        rows: dict[int, list[Bar]] = {machine: [] for _, machine, _ in self.list_tasks(puzzle)}
        for (job, machine, duration), start in self._schedule(puzzle, values):
            rows[machine].append(Bar(start, start + duration, sign_of(job)))
        chart = [(f"machine {machine}", row) for machine, row in sorted(rows.items())]
        return draw_gantt(chart, self._find_end(puzzle, values))

    def sketch(self, puzzle: P, values: Sequence[int] | None) -> Picture:
        """A chart of the machines' time, in which each job has its number and its colour."""
        if values is None:
            return super().sketch(puzzle, None)
        rows: dict[int, list[Block]] = {machine: [] for _, machine, _ in self.list_tasks(puzzle)}
        for (job, machine, duration), start in self._schedule(puzzle, values):
            if duration:
                rows[machine].append(Block(start, start + duration, str(job + 1), job))
        chart = [(f"machine {machine}", row) for machine, row in sorted(rows.items())]
        return draw_bars(chart, self._find_end(puzzle, values))

    def _schedule(
        self, puzzle: P, values: Sequence[int]
    ) -> Iterator[tuple[tuple[int, int, int], int]]:
        return zip(self.list_tasks(puzzle), values, strict=True)

    def _find_end(self, puzzle: P, values: Sequence[int]) -> int:
        return max(start + d for (_, _, d), start in self._schedule(puzzle, values))


Timed = tuple[int, int, str]
"""When an operation begins, when it ends, and what it is called."""


def find_overlaps(machines: Mapping[int, Sequence[Timed]]) -> Iterator[str]:
    """The operations of a machine of which one begins before another ends."""
    for machine, tasks in sorted(machines.items()):
        for (_, end, one), (start, _, other) in pairwise(sorted(tasks)):
            if start < end:
                yield f"machine {machine} has {other} at {start}, and {one} until {end}"


def check_percent(percent: int | None) -> None:
    """Raises ``InputError`` for a limit that is not from 0 to 1000 % of the lower bound."""
    if percent is not None and not 0 <= percent <= 1000:
        raise InputError(f"a limit of {percent} % of the lower bound; it goes from 0 to 1000")
