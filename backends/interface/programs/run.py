"""One start of a program: its lines are read, and what it shows is checked at once, against the
problem and by the constraints' own definitions. What is wrong is an error with the command's name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack
from time import perf_counter
from typing import Any, NoReturn

from backends.interface.api import StoppedBy
from backends.interface.programs.answers.file import read_lines, remove
from backends.interface.programs.answers.reader import Garbled, Reader, refuse_contradiction
from backends.interface.programs.endings import (
    find_contradiction,
    find_fault,
    has_finished,
    without_last_again,
)
from backends.interface.programs.process import Process
from backends.interface.programs.program import Order, Program, time_limit
from backends.interface.programs.texts import Text
from backends.interface.session import Call
from modelling.check import violations
from modelling.problem import Assignment

NEARLY = 0.9
"""A program that ran for this part of its own limit may have ended because of the limit."""

LINGER_SECONDS = 0.2
"""How long the end of a program is waited for that has shown the one solution that is wanted: it
may tell statistics."""


class Run:
    """One start; iterated once, over its solutions.

    ``stopped_by`` says at the end why the solutions ended, and ``is_done`` that asking again is in
    vain. ``unwanted`` says that the receiver of a bound wants no more.
    """

    def __init__(
        self,
        program: Program,
        call: Call,
        text: Text,
        question: str,
        folder: str,
        limit: int | None = None,
    ) -> None:
        self.program = program
        self.call = call
        self.text = text
        self.question = question
        self.limit = limit
        self.reader: Reader = text.reader(program.answers_in_file)
        self.beside: Reader = text.reader(False)  # of what is printed beside an answer in a file
        self.stopped_by: StoppedBy = "gave_up"
        self.is_done = True
        self.unwanted = False
        self.costs: set[int | None] = set()
        self.statistics: dict[str, int | float] = {}
        self._stack = ExitStack()
        self._folder = folder
        self._solutions = self._solve()

    def __iter__(self) -> Iterator[Assignment]:
        return self._solutions

    def close(self) -> None:
        """End the process."""
        self._solutions.close()
        self._stack.close()

    @property
    def bound(self) -> int | None:
        """The last bound that it printed."""
        return self.reader.bound

    @property
    def native(self) -> str:
        """Its own words."""
        reader = self.reader
        if reader.objectives and not self.costs and reader.objective is not None:
            return f"{reader.native or 'no status'}; value {reader.objective} without a solution"
        return reader.native

    def fail(self, cause: str) -> NoReturn:
        """Raise ProgramFailed, which names the command and how it ended."""
        self.process.fail(cause)

    # --- the run ---

    def _solve(self) -> Generator[Assignment, None, None]:
        order = self._order()
        self.started = perf_counter()
        self.process = Process(self.program.words(order), self._folder, self.call.deadline)
        self._stack.enter_context(self.process)
        self.limit_seconds = order.seconds
        if self.question != "one":
            for sighting in without_last_again(self._sightings(order), self.process):
                yield from self._decode(sighting)
                if self.unwanted:
                    return
            self._conclude()
            return
        held = None
        for sighting in self._sightings(order):
            if held is None:
                held = self._values(sighting)
                self.process.end_within(LINGER_SECONDS)
        self._conclude()
        if held is not None:
            yield held

    def _order(self) -> Order:
        call = self.call
        problem = os.path.join(self._folder, f"problem{self.program.dialect.ending}")
        answer = os.path.join(self._folder, "answer")
        remove(problem)
        remove(answer)  # that of the run before
        with (
            call.phases("encode"),
            self.program.refusing(),
            open(problem, "w", encoding="utf-8") as file,
        ):
            file.writelines(self.text.pieces())
        return Order(
            self.question,
            problem,
            answer,
            time_limit(call.deadline),
            call.limits.seed,
            call.limits.threads,
            self.limit,
        )

    def _sightings(self, order: Order) -> Iterator[Any]:
        comment = b"" if self.program.statistics is not None else self.reader.comment
        for line in self.process.lines(comment):
            if self.program.statistics is not None:
                self.statistics.update(self.program.statistics(line))
            if self.program.answers_in_file:
                self._note_status(line)
            else:
                yield from self._read(self.reader.line, line)
            if self.unwanted:
                return
        self.process.wait()
        if self.program.answers_in_file:
            is_whole = yield from self._in_file(order.answer)
            if not is_whole:
                return
        if self.process.cut and self.reader.open and not self.program.answers_in_file:
            return
        yield from self._read(self.reader.end)

    def _note_status(self, line: str) -> None:
        """What is printed by a program that answers in a file; of its last line the end may be
        missing when it was ended."""
        if self.process.cut and self.process.asked_to_end:
            return
        try:
            self.beside.status(line)
        except Garbled as error:
            self.fail(str(error))

    def _in_file(self, path: str) -> Generator[Any, None, bool]:
        """The sightings of an answer in a file; whether there was time to read all of it."""
        lines = read_lines(path)
        while True:
            try:
                line = next(lines, None)
                if line is None:
                    refuse_contradiction(self.beside, self.reader)
                    return True
            except Garbled as error:
                self.fail(str(error))
            if self.call.deadline.passed:
                self.process.asked_to_end = self.reader.open = True
                return False
            yield from self._read(self.reader.line, line)

    def _read(self, read: Callable[..., Any], *line: str) -> Iterator[Any]:
        before = self.reader.bound
        try:
            found = read(*line)
        except Garbled as error:
            if self.program.answers_in_file or not self.process.cut:
                self.fail(str(error))
            found = None  # the last line was not ended, and does not count
            self.reader.open = True
        if self.reader.bound != before and self.question == "optimum" and self.call.bounded:
            assert self.reader.bound is not None
            self.unwanted = not self.call.bounded(self.reader.bound)
        if found is not None:
            yield found

    def _decode(self, sighting: Any) -> Iterable[Assignment]:
        """The solutions that a sighting stands for."""
        return (self._values(sighting),)

    def _values(self, sighting: Any) -> Assignment:
        """The solution that was shown, checked."""
        if self.reader.claim == "UNSATISFIABLE":
            self.fail(f"it says {self.reader.native} and shows a solution")
        with self.call.phases("decode"):
            try:
                values = self.text.values(sighting)
            except Garbled as error:
                self.fail(str(error))
            wrong = violations(self.call.problem, values)
            if wrong:
                self.fail(f"what it shows is no solution: {wrong[0]}")
        self.costs.add(self.text.cost)
        return values

    # --- its end ---

    def _conclude(self) -> None:
        """Set ``stopped_by``, and ``is_done``."""
        self.process.wait()
        self.process.close()
        self.statistics.update(self.reader.statistics)
        self.stopped_by = self._find_end()
        if self.stopped_by != "exhausted" and self.question != "optimum":
            is_late = self.stopped_by == "time"
            self.is_done = is_late if self.question == "all" else self.call.deadline.passed

    def _find_end(self) -> StoppedBy:
        """Why it ended. Raises ProgramFailed for an end that is not an answer."""
        own, late = self._own_time_over(), self.process.asked_to_end
        fault = find_contradiction(self.reader, self.question, self.costs)
        if not late:
            fault = fault or find_fault(self.reader, self.question, self.costs, own)
        if fault:
            self.fail(fault)
        if has_finished(self.reader, self.question, self.costs):
            return "exhausted"
        return "time" if late or own else "gave_up"

    def _own_time_over(self) -> bool:
        """Whether it may have ended because of its own limit on time."""
        if self.limit_seconds is None:
            return False
        return perf_counter() - self.started >= NEARLY * self.limit_seconds
