"""The values that each variable may have, and literals over them.

Words
-----
literal  a variable, one of ``>= <= == !=``, and an integer
term     factor, variable, offset; the factor is 0 in a constant, whose variable means nothing
runs     the values of a domain as pairs of a first and a last value, ascending
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Literal(NamedTuple):
    """``variable relation value``."""

    variable: int
    relation: str
    value: int


class Term(NamedTuple):
    """``factor * variable + offset``."""

    factor: int
    variable: int
    offset: int


OPPOSITE = {">=": "<=", "<=": ">=", "==": "!=", "!=": "=="}
SHIFT = {">=": -1, "<=": 1, "==": 0, "!=": 0}


def opposite(literal: Literal) -> Literal:
    """The literal that is true where this one is false."""
    x, relation, value = literal
    return Literal(x, OPPOSITE[relation], value + SHIFT[relation])


class Box:
    """The values of all variables. ``mark`` and ``undo`` take back what ``narrow`` did."""

    def __init__(self) -> None:
        self.runs: dict[int, Sequence[tuple[int, int]]] = {}
        self.starts: dict[int, list[int]] = {}
        self.low: dict[int, int] = {}
        self.high: dict[int, int] = {}
        self.removed: dict[int, set[int]] = {}
        self.trail: list[tuple[int, int, int, int | None]] = []

    def add(self, variable: int, runs: Sequence[tuple[int, int]]) -> None:
        """A variable with at least one value."""
        self.runs[variable] = runs
        self.starts[variable] = [first for first, _ in runs]
        self.low[variable], self.high[variable] = runs[0][0], runs[-1][1]
        self.removed[variable] = set()

    def mark(self) -> int:
        """How much has been narrowed so far."""
        return len(self.trail)

    def undo(self, mark: int) -> None:
        """Take back what has been narrowed since."""
        while len(self.trail) > mark:
            x, low, high, value = self.trail.pop()
            if value is None:
                self.low[x], self.high[x] = low, high
            else:
                self.removed[x].remove(value)

    def narrow(self, literal: Literal) -> bool:
        """Keep the values with which a literal is true; False if there are none."""
        x, relation, value = literal
        low, high = self.low[x], self.high[x]
        if relation == "!=":
            if value < low or value > high or value in self.removed[x]:
                return True
            self.removed[x].add(value)
            self.trail.append((x, 0, 0, value))
            if low < value < high:
                return True
        elif relation == ">=":
            low = max(low, value)
        elif relation == "<=":
            high = min(high, value)
        else:
            low, high = max(low, value), min(high, value)
        return self._bound(x, low, high)

    def _bound(self, x: int, low: int, high: int) -> bool:
        """Keep the values between two integers."""
        while low <= high and not self._is_open(x, low):
            low = self._next(x, low)
        while low <= high and not self._is_open(x, high):
            high = self._before(x, high)
        if low > high:
            return False
        if low != self.low[x] or high != self.high[x]:
            self.trail.append((x, self.low[x], self.high[x], None))
            self.low[x], self.high[x] = low, high
        return True

    def _run(self, x: int, value: int) -> int:
        """The number of the last run that begins at ``value`` or below; -1 if none does."""
        return bisect_right(self.starts[x], value) - 1

    def _is_open(self, x: int, value: int) -> bool:
        run = self._run(x, value)
        return run >= 0 and value <= self.runs[x][run][1] and value not in self.removed[x]

    def _next(self, x: int, value: int) -> int:
        """A greater value, below which none is open."""
        run = self._run(x, value)
        if run >= 0 and value < self.runs[x][run][1]:
            return value + 1
        return self.runs[x][run + 1][0] if run + 1 < len(self.runs[x]) else self.high[x] + 1

    def _before(self, x: int, value: int) -> int:
        """A smaller value, above which none is open."""
        run = self._run(x, value)
        if run >= 0 and self.runs[x][run][0] < value <= self.runs[x][run][1]:
            return value - 1
        if run >= 0 and value > self.runs[x][run][1]:
            return self.runs[x][run][1]
        return self.runs[x][run - 1][1] if run > 0 else self.low[x] - 1

    def may(self, x: int, value: int) -> bool:
        """Whether a variable may have a value."""
        return self.low[x] <= value <= self.high[x] and self._is_open(x, value)

    def is_false(self, literal: Literal) -> bool:
        """Whether a literal is false, whatever values the variables take."""
        x, relation, value = literal
        if relation == ">=":
            return self.high[x] < value
        if relation == "<=":
            return self.low[x] > value
        if relation == "==":
            return not self.may(x, value)
        return self.low[x] == self.high[x] == value

    def values(self, x: int) -> Iterator[int]:
        """The values of a variable, ascending."""
        low, high, removed = self.low[x], self.high[x], self.removed[x]
        for first, last in self.runs[x]:
            for value in range(max(first, low), min(last, high) + 1):
                if value not in removed:
                    yield value

    def size(self, x: int) -> int:
        """How many values a variable has at most."""
        return self.high[x] - self.low[x] + 1

    # --- terms ---

    def ends(self, term: Term) -> tuple[int, int]:
        """The least and the greatest value of a term."""
        factor, x, offset = term
        if not factor:
            return offset, offset
        one, other = factor * self.low[x] + offset, factor * self.high[x] + offset
        return (one, other) if factor > 0 else (other, one)

    def has(self, term: Term, value: int) -> bool:
        """Whether a term may have a value."""
        factor, x, offset = term
        if not factor:
            return value == offset
        return (value - offset) % factor == 0 and self.may(x, (value - offset) // factor)

    def term_values(self, term: Term) -> Iterator[int]:
        """The values of a term, each once."""
        factor, x, offset = term
        if not factor:
            return iter((offset,))
        return (factor * value + offset for value in self.values(x))

    def term_size(self, term: Term) -> int:
        """How many values a term has at most."""
        return self.size(term.variable) if term.factor else 1
