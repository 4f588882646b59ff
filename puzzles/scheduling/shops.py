"""What job shops and open shops share: parameters, the end of a schedule, and its charts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import TypeVar

from puzzles.drawing import beside_or_below
from puzzles.lines import LineFamily
from puzzles.parameters import Parameter
from puzzles.pictures import Bar as Block
from puzzles.pictures import Picture, draw_bars
from puzzles.scheduling.gantt import Bar, draw_gantt, sign_of
from puzzles.scheduling.taillard import MOST_JOBS, MOST_MACHINES

P = TypeVar("P")


class ShopFamily(LineFamily[P]):
    """Jobs on machines, each variable the time at which a job begins on a machine."""

    join_drawings = staticmethod(beside_or_below)

    @staticmethod
    def list_parameters(size: int) -> tuple[Parameter, ...]:
        """Those of the generator, with so many jobs and machines by default."""
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
    def tell(self, puzzle: P) -> str:
        """What is to be done, drawn as text."""

    def count_values(self, puzzle: P) -> int:
        """What is to be done on the machines."""
        return sum(1 for _ in self.list_tasks(puzzle))

    def value(self, text: str, values: Sequence[int]) -> int:
        """See ``Valued``: when the last operation ends."""
        return self._find_end(self.parse(text), values)

    def draw(self, puzzle: P, values: Sequence[int] | None) -> str:
        """What is to be done; or the machines' time, in which each job has its sign."""
        if values is None:
            return self.tell(puzzle)
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
