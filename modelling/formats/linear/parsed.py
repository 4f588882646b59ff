"""An integer program as a file states it, and as a problem: the common part of LP and MPS.

A ``ParsedProgram`` is filled by a reader (``lp_reading``, ``mps_reading``), with fractions. Then

- a row is multiplied by the least number that makes all its factors integers, so that it says
  exactly the same; an objective too, which multiplies its value (``docs/formats.md``);
- a continuous variable is refused by its name, unless an equation makes it an integer: its factor
  is 1 or -1 there, and all else in the equation are integers;
- a variable without a least or greatest value is given the one that follows from the rows, or is
  refused by its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, lcm
from typing import Literal, cast

from modelling.constraints import Linear, Sum
from modelling.errors import InstanceError
from modelling.problem import LISTED, Objective, Problem, Structure
from modelling.terms import Term, constant

INFINITE = 10**20
"""From here on, a number means no bound, as for solvers of integer programs."""

LARGEST = 1 << 61
"""The greatest value of a variable."""

MOST_VALUES = 1 << 24
"""Most values of all domains that are listed and differ."""

MOST_ROUNDS = 50
"""How often all rows are looked through for bounds that follow."""

Place = str


@dataclass
class Column:
    """A variable; None: it has no such bound."""

    name: str
    place: Place
    low: Fraction | None = Fraction(0)
    high: Fraction | None = None
    is_integer: bool = False


@dataclass
class Row:
    """``low <= sum <= high``; None: it has no such end."""

    factors: dict[int, Fraction] = field(default_factory=dict)
    low: Fraction | None = None
    high: Fraction | None = None

    def add(self, factor: Fraction, column: int) -> None:
        """One more term; a variable may come again."""
        self.factors[column] = self.factors.get(column, Fraction(0)) + factor


@dataclass
class ParsedProgram:
    """``offset`` is the constant of the objective."""

    columns: list[Column] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    objective: Row | None = None
    offset: Fraction = Fraction(0)
    sense: str = "minimize"

    def problem(self) -> Problem:
        """The problem. Raises InstanceError for what it cannot be."""
        for row in self.rows:
            row.factors = {column: factor for column, factor in row.factors.items() if factor}
        self._check_integers()
        self._derive_bounds()
        rows = [constraint for row in self.rows for constraint in _comparisons(row)]
        return Structure(
            tuple(column.name for column in self.columns),
            cast(tuple[tuple[int, ...], ...], self._domains()),  # or ranges, which it keeps
            tuple(rows),
            self._objective(),
        ).problem()

    def _check_integers(self) -> None:
        """Refuse a continuous variable that no equation makes an integer."""
        waiting = {k for k, column in enumerate(self.columns) if not column.is_integer}
        equations = [row for row in self.rows if row.low is not None and row.low == row.high]
        for row in equations * 2:  # one may follow from another
            left = [k for k in row.factors if k in waiting]
            whole = all(f.denominator == 1 for f in (*row.factors.values(), _end(row)))
            if len(left) == 1 and whole and abs(row.factors[left[0]]) == 1:
                waiting.discard(left[0])
        for k in sorted(waiting):
            column = self.columns[k]
            if column.low is not None and column.low == column.high == floor(column.low):
                continue
            more = f" (and {len(waiting) - 1} others)" if len(waiting) > 1 else ""
            raise InstanceError(
                f"the variable {column.name[:60]}{more} is continuous: it is not declared as an "
                "integer, and no equation makes it one; problems have integers alone",
                column.place,
            )

    def _derive_bounds(self) -> None:
        """Give each variable the bounds that follow from the rows where it has none."""
        for column in self.columns:
            column.low = None if column.low is None else Fraction(ceil(column.low))
            column.high = None if column.high is None else Fraction(floor(column.high))
        for _ in range(MOST_ROUNDS):
            if not sum(self._narrow(row) for row in self.rows):
                break
        for column in self.columns:
            ends = (("least", column.low), ("greatest", column.high))
            missing = [end for end, known in ends if known is None]
            if missing:
                raise InstanceError(
                    f"the variable {column.name[:60]} has no {' and no '.join(missing)} value, and "
                    "none follows from the rows; give it bounds",
                    column.place,
                )

    def _narrow(self, row: Row) -> int:
        """How many ends a row gives to variables that have none."""
        columns = self.columns
        open_ = [k for k in row.factors if columns[k].low is None or columns[k].high is None]
        found = 0
        if len(open_) <= 2:
            for k in open_:
                found += self._bound(row, k)
        return found

    def _bound(self, row: Row, k: int) -> int:
        """The same for one variable."""
        column, factor = self.columns[k], row.factors[k]
        found = 0
        for end, sign in ((row.high, 1), (row.low, -1)):
            rest = self._least(row, k, sign) if end is not None else None
            if end is None or rest is None:
                continue
            limit = (end - sign * rest) / factor
            if sign * factor > 0 and column.high is None:
                column.high, found = Fraction(floor(limit)), found + 1
            elif sign * factor < 0 and column.low is None:
                column.low, found = Fraction(ceil(limit)), found + 1
        return found

    def _least(self, row: Row, without: int, sign: int) -> Fraction | None:
        """The least value of sign times all other terms of a row, if they have one."""
        total = Fraction(0)
        for k, factor in row.factors.items():
            if k == without:
                continue
            column = self.columns[k]
            bound = column.low if sign * factor > 0 else column.high
            if bound is None:
                return None
            total += sign * factor * bound
        return total

    def _domains(self) -> tuple[range, ...]:
        seen: set[range] = set()
        domains: list[range] = []
        listed = 0
        for column in self.columns:
            low, high = int(column.low or 0), int(column.high or 0)
            if max(-low, high) > LARGEST:
                cause = f"the values of {column.name[:60]} go beyond {LARGEST:,}"
                raise InstanceError(f"{cause}; give it narrower bounds", column.place)
            domain = range(low, max(low - 1, high) + 1)
            domains.append(domain)
            listed += len(domain) if domain not in seen and len(domain) <= LISTED else 0
            seen.add(domain)
            if listed > MOST_VALUES:
                cause = f"the variables have more than {MOST_VALUES:,} different values"
                raise InstanceError(f"{cause} together; give them narrower bounds", column.place)
        return tuple(domains)

    def _objective(self) -> Objective | None:
        if self.objective is None:
            return None
        factors = {k: factor for k, factor in self.objective.factors.items() if factor}
        if not factors:
            return None
        scale = _scale([*factors.values(), self.offset])
        terms: list[Term] = list(factors)
        numbers = [int(factor * scale) for factor in factors.values()]
        if self.offset:
            terms.append(constant(int(self.offset * scale)))
            numbers.append(1)
        sense = cast(Literal["minimize", "maximize"], self.sense)
        return Objective(sense, Sum(tuple(terms), tuple(numbers)))


def _scale(numbers: list[Fraction]) -> int:
    """The least number that makes all of them integers."""
    return lcm(*(number.denominator for number in numbers))


def _end(row: Row) -> Fraction:
    return Fraction(0) if row.low is None else row.low


def _comparisons(row: Row) -> Iterator[Linear]:
    """A row as one comparison, or as two."""
    scale = _scale(list(row.factors.values()))
    scope = tuple(row.factors)
    factors = tuple(int(factor * scale) for factor in row.factors.values())
    low, high = (None if end is None else end * scale for end in (row.low, row.high))
    if low is not None and low == high and low.denominator == 1:
        yield Linear(scope, factors, "==", int(low))
        return
    if low is not None:
        yield Linear(scope, factors, ">=", ceil(low))
    if high is not None:
        yield Linear(scope, factors, "<=", floor(high))
