"""Answers to FlatZinc: values by names, marks of MiniZinc after them, and its statistics."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from backends.interface.programs.answers.reader import Reader


class FlatZinc(Reader):
    """``x = 3;`` a line, and ``----------`` after a solution. ``wanted`` are the names to keep."""

    missing = "none of the lines ----------, =====UNSATISFIABLE=====, =====UNKNOWN====="
    comment = b""

    _PAIR = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(-?[0-9]+|true|false)\s*;\s*")
    _NUMBER = re.compile(r"-?[0-9]+")
    _STATISTIC = re.compile(r"%%%mzn-stat:?\s+([A-Za-z_]+)=\"?([-+.0-9eE]+)\"?")

    def __init__(self, wanted: frozenset[str], optimum: bool) -> None:
        super().__init__()
        self._wanted = wanted
        self._optimum = optimum
        self._values: dict[str, str] = {}

    def line(self, text: str) -> dict[str, str] | None:
        if text.startswith("%"):
            self._comment(text)
            return None
        mark = text.strip()
        if mark == "----------":
            found, self._values, self.open = self._values, {}, False
            if self.claim in ("", "UNKNOWN"):
                self.claim, self.native = "SATISFIABLE", mark
            return found
        if mark == "==========":
            self.complete = True
            self.native = mark
            if self.claim == "SATISFIABLE" and self._optimum:
                self.claim = "OPTIMUM"
        elif mark.startswith("=====") and mark.endswith("====="):
            self.native = mark
            words = mark.strip("=")
            self.say(words)
            self.complete = self.complete or words == "UNSATISFIABLE"
        else:
            pair = self._PAIR.fullmatch(text)
            if pair is not None and pair[1] in self._wanted:
                self.open = True
                self._values[pair[1]] = pair[2]
        return None

    def _comment(self, text: str) -> None:
        found = self._STATISTIC.match(text)
        if found is None:
            return
        name, value = found[1], found[2]
        try:
            number = int(value) if self._NUMBER.fullmatch(value) else float(value)
        except ValueError:
            return
        if name == "objectiveBound" and math.isfinite(number) and number == int(number):
            self.bound = int(number)
        if name in ("objective", "objectiveBound"):
            return
        self.statistics[STATISTICS.get(name, _snake(name))] = number


STATISTICS: Mapping[str, str] = {
    "peakDepth": "peak_depth",
    "solveTime": "solve_time",
    "initTime": "init_time",
    "nSolutions": "solutions",
}
"""Those of MiniZinc's names that are spelled otherwise in records."""


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda found: "_" + found[1], name).lower()
