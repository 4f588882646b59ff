"""Answers to FlatZinc: values by names, marks of MiniZinc after them, and its statistics."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from backends.interface.programs.answers.reader import (
    MOST_DIGITS,
    Garbled,
    Reader,
    cleaned,
    integer,
    shorten,
)

MOST_STATISTICS = 200
"""Number of names that are kept; solvers tell some thirty."""

MOST_COUNTED = 1 << 63
"""A statistic beyond it counts nothing, and is passed over."""


class FlatZinc(Reader):
    """``x = 3;`` a line, and ``----------`` after a solution. ``wanted`` are the names to keep."""

    missing = "none of the lines ----------, =====UNSATISFIABLE=====, =====UNKNOWN====="
    comment = b""

    _PAIR = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(-?[0-9]+|true|false)\s*;\s*")
    _STATISTIC = re.compile(
        r"%%%mzn-stat:?\s+([A-Za-z_]{1,60})=\"?([-+.0-9eE]{1,400})(?![-+.0-9eE])"
    )

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
            self.complete = False  # what is shown after the end takes that back
            if self.claim in ("", "UNKNOWN", "OPTIMUM"):
                self.claim, self.native = "SATISFIABLE", mark
            return found
        if mark == "==========":
            self.complete = True
            if self.claim in ("", "SATISFIABLE") and not self.unsure:
                self.native = mark
                if self.claim and self._optimum:
                    self.claim = "OPTIMUM"
        elif _is_status(mark):
            self._say(mark)
        else:
            pair = self._PAIR.fullmatch(text)
            if pair is not None and pair[1] in self._wanted:
                self._keep(pair[1], pair[2])
        return None

    def status(self, text: str) -> None:
        if _is_status(text.strip()):
            self._say(text.strip())

    def _say(self, mark: str) -> None:
        """``=====UNKNOWN=====``; the last of these are the words that are shown."""
        words = mark.strip("=")
        self.say(words)
        self.native = cleaned(words)
        self.complete = self.complete or self.claim == "UNSATISFIABLE"

    def _keep(self, name: str, value: str) -> None:
        """A value of the solution that is being shown."""
        if len(value) > MOST_DIGITS:
            raise Garbled(f"a solution has {name} = {shorten(value)}")
        before = self._values.setdefault(name, value)
        if before != value:
            both = f"{shorten(before)} and {shorten(value)}"
            raise Garbled(f"a solution has {name} with two values, {both}")
        self.open = True

    def _comment(self, text: str) -> None:
        found = self._STATISTIC.match(text)
        if found is None:
            return
        name, value = found[1], found[2]
        number = _number(value)
        if number is None:
            return
        if name == "objectiveBound" and number == int(number):
            self.bound = int(number)
        if name in ("objective", "objectiveBound") or abs(number) > MOST_COUNTED:
            return
        word = STATISTICS.get(name, _snake(name))
        if word in self.statistics or len(self.statistics) < MOST_STATISTICS:
            self.statistics[word] = number


def _is_status(mark: str) -> bool:
    """Whether a line is words between equality signs; such signs alone tell no status."""
    return mark.startswith("=====") and mark.endswith("=====") and mark.strip("=") != ""


def _number(word: str) -> int | float | None:
    """An integer, or a number with a fraction that is finite."""
    whole = integer(word)
    if whole is not None:
        return whole
    try:
        number = float(word)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


STATISTICS: Mapping[str, str] = {
    "peakDepth": "peak_depth",
    "solveTime": "solve_time",
    "initTime": "init_time",
    "nSolutions": "solutions",
}
"""Those of MiniZinc's names that are spelled otherwise in records."""


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda found: "_" + found[1], name).lower()
