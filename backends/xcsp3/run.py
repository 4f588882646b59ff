"""What a solver of XCSP3 prints beside its solutions, and what its end says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from backends.interface.api import StoppedBy
from backends.interface.programs.answers.reader import Garbled
from backends.interface.programs.answers.xcsp3 import Xcsp3
from backends.interface.programs.run import Run
from backends.xcsp3.condensing import Condensed
from modelling.problem import Assignment

PROVEN = ("UNSATISFIABLE", "OPTIMUM")
_CRASH = re.compile("Exception|Error|error|ERROR")


class SolverOutput(Xcsp3):
    """Reads solutions, which it counts, and whether the solver has finished or crashed.

    ``arrays`` are the sizes of the arrays that the instance declares, ``end`` is the beginning of
    the line by which the solver says that it has finished, empty if it has no such line. Values of
    the objective are not read: those of the solutions count.
    """

    def __init__(self, arrays: Mapping[str, Sequence[int]], end: str) -> None:
        super().__init__(arrays)
        self.end_line = end
        self.finished = not end
        self.shown = 0
        self.crash = ""

    def line(self, text: str) -> dict[str, str] | None:
        """A sighting. After UNSATISFIABLE there is none: cosoco may continue."""
        sighting = None if self.claim == "UNSATISFIABLE" else super().line(text)
        if sighting is not None:
            self.shown += 1
        elif not text.startswith("v"):  # a part of a solution; most lines are
            self.finished = self.finished or text.startswith(self.end_line)
            if not self.crash and not text.startswith(("c ", "d ")) and _CRASH.search(text):
                self.crash = text.strip()
        return sighting

    def value(self, words: str) -> None:
        """Nothing."""


class LastText:
    """The instance of a structure that was asked about last, as ``text`` and as what it was
    ``condensed`` to: asked again (``key``), it is not written anew."""

    cost: int | None = None

    def __init__(self, end: str) -> None:
        self.end = end
        self.key: object = None
        self.condensed = Condensed(None)
        self.text = ""

    def pieces(self) -> Iterable[str]:
        return (self.text,)

    def reader(self, in_file: bool) -> SolverOutput:
        return SolverOutput(self.condensed.arrays, self.end)

    def values(self, sighting: Mapping[str, str]) -> Assignment:
        return next(self.condensed.spread(sighting))


class Xcsp3Run(Run):
    """One start of a solver of XCSP3. What it shows is not checked here: the judge does."""

    text: LastText
    reader: SolverOutput

    def _decode(self, sighting: Mapping[str, str]) -> Iterable[Assignment]:
        try:
            solutions = self.text.condensed.spread(sighting)
        except Garbled as error:
            self.fail(str(error))
        return islice(solutions, 1 if self.question == "optimum" else self.limit)

    def _find_end(self) -> StoppedBy:
        """Why it ended; what it says must be consistent."""
        reader, is_timed = self.reader, self.limit_seconds is not None
        claim, shown = reader.claim, reader.shown
        if self.process.asked_to_end and claim not in PROVEN:
            return "time"
        if reader.open:
            self.fail("its output breaks off within a solution")
        if not reader.crash:
            if claim in PROVEN and (claim == "UNSATISFIABLE") is not bool(shown):
                return "exhausted"
            if claim == "SATISFIABLE" and shown:
                every = self.question == "all" and (self.limit is None or shown < self.limit)
                if every and reader.finished and not reader.unsure:
                    return "exhausted"
            if (claim == "SATISFIABLE" and shown) or (reader.native == "UNKNOWN" and is_timed):
                return "time" if is_timed else "gave_up"
        status = f"{reader.native} after {shown} solutions" if reader.native else "no status"
        return self.fail(f"it says {status}{'; ' + reader.crash if reader.crash else ''}")
