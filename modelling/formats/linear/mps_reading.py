"""Reads MPS, free and fixed: integer programs, a row or a column a line.

    NAME example                     OBJSENSE (or in the line below) says MAX or MIN
    ROWS                             N: the objective (the first), E, L, G: relations
    COLUMNS                          column, row, factor, and mostly row and factor again
    RHS                              what rows are compared with; of the objective, its negative
    RANGES                           how far the other end of a row is from that
    BOUNDS                           LO UP FX FR MI PL BV LI UI
    ENDATA

Columns between markers ``INTORG`` and ``INTEND`` are integers. One of these for which no bound is
given is 0 or 1, and one for which some is given has no greatest value unless that is given, as in
CPLEX and HiGHS. Words are separated by blanks (free form); where a file cannot be read so, it is
read by the columns of its lines (fixed form), in which names may have blanks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from modelling.errors import InstanceError
from modelling.formats.linear.numbers import bound_of, read_number
from modelling.formats.linear.parsed import Column, ParsedProgram, Row
from modelling.problem import Problem

SECTIONS = ("NAME", "OBJSENSE", "ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS", "ENDATA")
_FIELDS = ((1, 3), (4, 12), (14, 22), (24, 36), (39, 47), (49, 61))
"""Where the fields of fixed MPS begin and end."""

_SENSES = {"MAX": "maximize", "MAXIMIZE": "maximize", "MIN": "minimize", "MINIMIZE": "minimize"}
_VALUED = ("LO", "UP", "FX", "LI", "UI")
_PLAIN = ("FR", "MI", "PL", "BV")


class Line(NamedTuple):
    """The words of a line of data, or of the head of a section."""

    place: str
    words: tuple[str, ...]
    is_head: bool

    def fail(self, cause: str) -> InstanceError:
        """An error at this line."""
        return InstanceError(cause, self.place)


Split = Callable[[str], Sequence[str]]


def read(data: bytes, source: str) -> Problem:
    """The problem that a file states. Raises InstanceError, which says where and why."""
    text = data.decode("latin-1")
    if not text.strip():
        raise InstanceError("the file is empty", f"{source}:1:1")
    try:
        parsed = _Reader(_lines(text, source, str.split)).parsed
    except InstanceError as error:
        try:
            parsed = _Reader(_lines(text, source, _split_fixed)).parsed
        except InstanceError:
            raise error from None
    return parsed.problem()


def _split_fixed(line: str) -> list[str]:
    """The fields of a line of fixed MPS; in the line of a marker, fields may be anywhere."""
    if "'MARKER'" in line:
        return line.split()
    fields = [line[begin:end].strip() for begin, end in _FIELDS]
    while fields and not fields[-1]:
        fields.pop()
    return fields if fields and fields[0] else fields[1:]


def _lines(text: str, source: str, split: Split) -> Iterator[Line]:
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.expandtabs().rstrip()
        if not line or line.startswith("*"):
            continue
        is_head = not line[0].isspace()
        words = tuple(line.split() if is_head else split(line))
        if words:
            yield Line(f"{source}:{number}:1", words, is_head)


class _Reader:
    def __init__(self, lines: Iterator[Line]) -> None:
        self.parsed = ParsedProgram()
        self.kinds: dict[str, str] = {}
        self.rows: dict[str, Row] = {}
        self.columns: dict[str, int] = {}
        self.objective = ""
        self.bounded: set[int] = set()
        self.in_integers = False
        self._read(lines)

    def _read(self, lines: Iterator[Line]) -> None:
        sections: dict[str, Callable[[Line], None]] = {
            "OBJSENSE": self._sense,
            "ROWS": self._row,
            "COLUMNS": self._column,
            "RHS": self._right,
            "RANGES": self._range,
            "BOUNDS": self._bound,
        }
        section, last = "", None
        for line in lines:
            last = line
            if not line.is_head:
                if section not in sections:
                    raise line.fail(f"data before a section; sections are {', '.join(SECTIONS)}")
                sections[section](line)
                continue
            section = line.words[0].upper()
            if section == "ENDATA":
                self._finish(line)
                return
            if section not in SECTIONS:
                raise line.fail(
                    f"the section {line.words[0][:40]!r} is not covered; these are: "
                    f"{', '.join(SECTIONS)}"
                )
            if section == "OBJSENSE" and len(line.words) > 1:
                self._sense(line._replace(words=line.words[1:]))
        place = last.place if last is not None else "1"
        raise InstanceError("the file ends without ENDATA", place)

    def _finish(self, line: Line) -> None:
        if not self.columns:
            raise line.fail("the file has no column")
        for k, column in enumerate(self.parsed.columns):
            if column.is_integer and k not in self.bounded:
                column.high = Fraction(1)
        self.parsed.objective = self.rows.get(self.objective)
        self.parsed.rows = [
            row
            for name, row in self.rows.items()
            if self.kinds[name] != "N" and (row.low is not None or row.high is not None)
        ]

    def _sense(self, line: Line) -> None:
        sense = _SENSES.get(line.words[0].upper())
        if sense is None or len(line.words) > 1:
            raise line.fail(f"{' '.join(line.words)[:40]!r} is no sense; write MAX or MIN")
        self.parsed.sense = sense

    def _row(self, line: Line) -> None:
        if len(line.words) != 2 or line.words[0].upper() not in ("N", "E", "L", "G"):
            raise line.fail("a row has a letter of N, E, L and G and a name, as in 'L row1'")
        kind, name = line.words[0].upper(), line.words[1]
        if name in self.rows:
            raise line.fail(f"the row {name[:60]!r} is declared twice")
        self.kinds[name] = kind
        low = None if kind in "NL" else Fraction(0)
        high = None if kind in "NG" else Fraction(0)
        self.rows[name] = Row({}, low, high)
        if kind == "N" and not self.objective:
            self.objective = name

    def _column(self, line: Line) -> None:
        words = line.words
        if len(words) > 1 and words[1].strip("'\"").upper() == "MARKER":
            marks = [word.strip("'\"").upper() for word in words[2:]]
            if marks not in (["INTORG"], ["INTEND"]):
                raise line.fail("a marker is 'INTORG' or 'INTEND'")
            self.in_integers = marks == ["INTORG"]
            return
        name = words[0]
        column = self.columns.get(name)
        if column is None:
            column = self.columns[name] = len(self.parsed.columns)
            self.parsed.columns.append(Column(name, line.place, is_integer=self.in_integers))
        for row, factor in self._pairs(line, words[1:]):
            if column in self.rows[row].factors:
                raise line.fail(f"the column {name[:60]!r} has two factors in the row {row[:60]!r}")
            self.rows[row].add(factor, column)

    def _pairs(self, line: Line, words: Sequence[str]) -> Iterator[tuple[str, Fraction]]:
        """Rows, each with a number."""
        if len(words) not in (2, 4):
            raise line.fail("one or two rows must stand here, each with its number")
        for row, word in zip(words[::2], words[1::2], strict=True):
            if row not in self.rows:
                raise line.fail(f"no row is called {row[:60]!r}")
            yield row, self._number(line, word)

    def _number(self, line: Line, word: str) -> Fraction:
        number = read_number(word)
        if number is None:
            raise line.fail(f"{word[:40]!r} is no number")
        return number

    def _right(self, line: Line) -> None:
        for name, number in self._pairs(line, line.words[len(line.words) % 2 :]):
            row, kind = self.rows[name], self.kinds[name]
            if name == self.objective:
                self.parsed.offset = -number
            if kind in "EG":
                row.low = bound_of(number)
            if kind in "EL":
                row.high = bound_of(number)

    def _range(self, line: Line) -> None:
        for name, number in self._pairs(line, line.words[len(line.words) % 2 :]):
            row, kind = self.rows[name], self.kinds[name]
            if kind == "L" and row.high is not None:
                row.low = row.high - abs(number)
            elif kind == "G" and row.low is not None:
                row.high = row.low + abs(number)
            elif kind == "E" and row.low is not None and row.high is not None:
                low, high = sorted((Fraction(0), number))
                row.low, row.high = row.low + low, row.high + high

    def _bound(self, line: Line) -> None:
        kind, words = line.words[0].upper(), line.words[1:]
        if kind not in (*_VALUED, *_PLAIN):
            raise line.fail(
                f"the bound {line.words[0][:20]!r} is not covered; there are: "
                f"{', '.join((*_VALUED, *_PLAIN))}"
            )
        value = Fraction(0)
        if kind in _VALUED:
            if not words:
                raise line.fail("a bound must have a column and a number")
            value, words = self._number(line, words[-1]), words[:-1]
        elif len(words) == 3:  # a number that means nothing
            words = words[:-1]
        if len(words) not in (1, 2):
            raise line.fail("a bound has a kind, the name of a set of bounds, a column, a number")
        k = self.columns.get(words[-1])
        if k is None:
            raise line.fail(f"no column is called {words[-1][:60]!r}")
        self._apply(self.parsed.columns[k], kind, value)
        self.bounded.add(k)

    def _apply(self, column: Column, kind: str, value: Fraction) -> None:
        bound = bound_of(value)
        if kind in ("LO", "LI", "FX"):
            column.low = bound
        if kind in ("UP", "UI", "FX"):
            column.high = bound
            if kind != "FX" and value < 0 and column.low == 0:
                column.low = None  # as CPLEX has it
        if kind in ("FR", "MI"):
            column.low = None
        if kind in ("FR", "PL"):
            column.high = None
        if kind == "BV":
            column.low, column.high = Fraction(0), Fraction(1)
        if kind in ("BV", "LI", "UI"):
            column.is_integer = True
