"""What a solver of XCSP3 prints: its solutions, statistics, and what its end says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from backends.interface.api import StoppedBy
from backends.interface.programs.answers.reader import Garbled
from backends.interface.programs.answers.xcsp3 import Xcsp3
from backends.interface.programs.endings import without_last_again
from backends.interface.programs.process import Process
from backends.xcsp3.programs import Program

PROVEN = ("UNSATISFIABLE", "OPTIMUM")
_CRASH = re.compile("Exception|Error|error|ERROR")


class Run:
    """One answer: its solutions, and what its end says. ``arrays`` are the sizes of those that the
    instance declares."""

    def __init__(
        self, program: Program, process: Process, arrays: Mapping[str, Sequence[int]]
    ) -> None:
        self.program = program
        self.process = process
        self.reader = Xcsp3(arrays)
        self.shown = 0
        self.finished = False
        self.crash = ""
        self.statistics: dict[str, int | float] = {}
        self.numbers = [(name, re.compile(text)) for name, text in program.numbers.items()]

    @property
    def claim(self) -> str:
        return self.reader.claim

    def solutions(self) -> Iterator[Mapping[str, str]]:
        """Each as it is printed. After UNSATISFIABLE nothing counts: cosoco may continue."""
        for sighting in without_last_again(self._sightings(), self.process):
            self.shown += 1
            yield sighting

    def _sightings(self) -> Iterator[Mapping[str, str]]:
        for line in self.process.lines():
            if self.claim == "UNSATISFIABLE":
                self._note(line)
                continue
            try:
                sighting = self.reader.line(line)
            except Garbled as error:
                self.process.fail(str(error))
            if sighting is None:
                self._note(line)
            else:
                yield sighting

    def _note(self, line: str) -> None:
        """What else it says: statistics, that it has finished, that it has crashed."""
        if line.startswith("v"):  # a part of a solution; most lines are
            return
        if self.program.finished and line.startswith(self.program.finished):
            self.finished = True
        for name, pattern in self.numbers:
            found = pattern.match(line)
            if found:
                self.statistics[name] = int(found[1].replace(",", ""))
        if not self.crash and not line.startswith(("c ", "d ")) and _CRASH.search(line):
            self.crash = line.strip()

    def conclude(self, wanted: int | None, timed: bool) -> StoppedBy:
        """Why it ended by itself; what it says must be of a piece."""
        found = self._find_end(wanted, timed)
        if found is None:
            words = self.reader.native
            said = f"says {words} after {self.shown} solutions" if words else "says no status"
            self.process.fail(f"it {said}{'; ' + self.crash if self.crash else ''}")
        return found

    def _find_end(self, wanted: int | None, timed: bool) -> StoppedBy | None:
        words, claim = self.reader.native, self.claim
        if not self.crash:
            if claim in PROVEN and (claim == "UNSATISFIABLE") is not bool(self.shown):
                return "exhausted"
            if claim == "SATISFIABLE" and self.shown:
                every = wanted is None or 0 < self.shown < wanted
                if (
                    every
                    and not self.reader.unsure
                    and (self.finished or not self.program.finished)
                ):
                    return "exhausted"
                return "time" if timed else "gave_up"
            if words == "UNKNOWN" and timed:
                return "time"
        return None
