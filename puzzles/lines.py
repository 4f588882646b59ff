"""Families that write each instance on a line of its own: what is the same in all of them.

Words
-----
puzzle      what a line says, read: a value of the family's own, which can be hashed
words       the text between blanks, each word with its column, from 1
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from typing import Generic, TypeVar

from modelling.errors import InstanceError
from modelling.problem import Problem
from puzzles.drawing import beside
from puzzles.family import Instance
from puzzles.formats import Locate, check_format, entries, in_text, numbered
from puzzles.pictures import Picture, draw_text

P = TypeVar("P")

_NUMBER = re.compile(r"[0-9]{1,9}")


class LineFamily(ABC, Generic[P]):
    """Implements ``puzzles.family.Family`` from what is particular to a family.

    ``csplib`` is the number of the problem in CSPLib, None where it has none; see ``Ending`` for
    ``endings`` and ``Measured`` for ``unit``.
    """

    name: str
    about: str
    unit: str
    csplib: int | None = None
    endings: tuple[str, ...] = ()

    join_drawings = staticmethod(beside)
    """How puzzle and solution are drawn together."""

    @abstractmethod
    def parse(self, body: str, locate: Locate = in_text) -> P:
        """The puzzle in a line; raises ``InstanceError`` at its place."""

    @abstractmethod
    def text(self, puzzle: P) -> str:
        """Canonical text."""

    @abstractmethod
    def state(self, puzzle: P) -> Problem:
        """The puzzle as a problem."""

    @abstractmethod
    def count_values(self, puzzle: P) -> int:
        """How many integers a solution has."""

    @abstractmethod
    def find_faults(self, puzzle: P, values: Sequence[int]) -> Iterator[str]:
        """What is wrong with as many values as there must be, by the rules."""

    @abstractmethod
    def draw(self, puzzle: P, values: Sequence[int] | None) -> str:
        """The puzzle, or its solution."""

    def measure(self, puzzle: P) -> int:
        """The size of the puzzle: how many integers a solution has, unless ``unit`` is another."""
        return self.count_values(puzzle)

    def size_of(self, text: str) -> int:
        """See ``Measured``."""
        return self.measure(self.parse(text))

    def read(self, lines: Iterable[str], source: str) -> Iterator[Instance | InstanceError]:
        """See ``Family.read``: one instance a line."""
        return entries(lines, source, self.name, self._canonical)

    def problem(self, text: str) -> Problem:
        """See ``Family.problem``."""
        return self.state(self.parse(text))

    def check(self, text: str, values: Sequence[int]) -> list[str]:
        """See ``Family.check``."""
        puzzle = self.parse(text)
        needed = self.count_values(puzzle)
        if len(values) != needed:
            return [f"{len(values)} values where there must be {needed}"]
        return list(self.find_faults(puzzle, values))

    def render(self, text: str, values: Sequence[int] | None = None) -> str:
        """See ``Family.render``."""
        puzzle = self.parse(text)
        drawn = self.draw(puzzle, None)
        return drawn if values is None else self.join_drawings(drawn, self.draw(puzzle, values))

    def sketch(self, puzzle: P, values: Sequence[int] | None) -> Picture:
        """The picture of the puzzle, or of its solution: its drawing, unless there is a better."""
        return draw_text(self.draw(puzzle, values))

    def picture(self, text: str, values: Sequence[int] | None = None) -> str:
        """See ``Pictured``."""
        puzzle = self.parse(text)
        needed = self.count_values(puzzle)
        if values is not None and len(values) != needed:
            raise InstanceError(f"{len(values)} values where there must be {needed}")
        return self.sketch(puzzle, values).svg()

    def write(self, text: str, values: Sequence[int]) -> str:
        """See ``Family.write``: the values, unless the family has a better way."""
        return " ".join(map(str, values))

    def _canonical(self, body: str, locate: Locate) -> str:
        return self.text(self.parse(body, locate))


Read = tuple[str, int, P]
"""The name of an instance in a file, its line, and the puzzle."""


class FormattedFamily(LineFamily[P]):
    """A line family whose instances come in files of other formats, too.

    Implements ``Formatted`` but for ``as_written``. ``form`` is the format of this family's files,
    one of ``file_formats`` or ``lines``.
    """

    file_formats: tuple[str, ...]
    form = "lines"

    @abstractmethod
    def read_file(self, lines: Iterable[str], source: str) -> Iterator[Read[P] | InstanceError]:
        """Yield the instances of a file in the format ``form``; raise ``InstanceError`` where no
        more can be read, and yield one where the next can."""

    def read(self, lines: Iterable[str], source: str) -> Iterator[Instance | InstanceError]:
        """See ``Family.read``."""
        if self.form == "lines":
            yield from super().read(lines, source)
            return
        try:
            for found in self.read_file(lines, source):
                if isinstance(found, InstanceError):
                    yield found
                else:
                    name, line, puzzle = found
                    yield Instance(self.name, name, self.text(puzzle), f"{source}:{line}")
        except InstanceError as error:
            yield error

    def formats(self) -> Sequence[str]:
        """See ``Formatted``."""
        return "lines", *self.file_formats

    def in_format(self, name: str) -> FormattedFamily[P]:
        """See ``Formatted``."""
        check_format(name, self.formats())
        if name == self.form:
            return self
        family = copy(self)
        family.form = name
        return family


class NumberFamily(LineFamily[int]):
    """A family whose lines are one number: the size of an empty board, or of a sequence.

    ``size`` is what the number is, its least, its most, and an example.
    """

    size: tuple[str, int, int, str]

    def parse(self, body: str, locate: Locate = in_text) -> int:
        """The number."""
        what, least, most, form = self.size
        return read_numbers(body, locate, form, (what, least, most))[0]

    def text(self, puzzle: int) -> str:
        """The number."""
        return str(puzzle)

    def of_size(self, n: int) -> str:
        """See ``Sized``."""
        return str(n)

    def measure(self, puzzle: int) -> int:
        """The number."""
        return puzzle

    def count_values(self, puzzle: int) -> int:
        """As many as the number says."""
        return puzzle


def list_filled_lines(lines: Iterable[str]) -> list[tuple[int, str]]:
    """The lines that are not blank, each with its number."""
    return [(number, line) for number, line in numbered(lines) if line.strip()]


def split_words(body: str, start: int = 0) -> list[tuple[str, int]]:
    """The words from ``start`` (from 0) on, each with its column."""
    return [(found[0], found.start() + 1) for found in re.compile(r"\S+").finditer(body, start)]


def read_number(word: str, what: str, least: int, most: int, place: str) -> int:
    """A whole number within bounds; raises ``InstanceError``, in which ``what`` is what it is."""
    if not _NUMBER.fullmatch(word):
        raise InstanceError(f"{word[:40]!r} is not a number; expected {what}", place)
    number = int(word)
    if not least <= number <= most:
        raise InstanceError(f"{what} is {number}; it must be from {least} to {most}", place)
    return number


def read_numbers(
    body: str, locate: Locate, form: str, *wanted: tuple[str, int, int]
) -> tuple[int, ...]:
    """As many numbers as are wanted, each by what it is, its least and its most value.

    ``form`` is an example of a line. Raises ``InstanceError``.
    """
    words = split_words(body)
    if len(words) != len(wanted):
        names = ", ".join(what for what, _, _ in wanted)
        cause = f"{len(words)} numbers; write {names}, as in {form!r}"
        raise InstanceError(cause, locate(words[0][1] if words else 1))
    return tuple(
        read_number(word, what, least, most, locate(column))
        for (word, column), (what, least, most) in zip(words, wanted, strict=True)
    )


def split_limit(
    body: str, locate: Locate, what: str, most: int, start: int = 0
) -> tuple[str, int | None]:
    """The text before ``<=``, and the number after it at the end; None if there is no ``<=``.

    What follows ``start`` is looked through. Raises ``InstanceError``.
    """
    at = body.find("<=", start)
    if at < 0:
        return body, None
    words = split_words(body, at + 2)
    if len(words) != 1:
        raise InstanceError(f"only {what} may follow '<='", locate(at + 1))
    return body[:at], read_number(words[0][0], what, 0, most, locate(words[0][1]))


def out_of_range(names: Sequence[str], values: Sequence[int], least: int, most: int) -> list[str]:
    """The values that are not whole numbers from ``least`` to ``most``, by their names."""
    return [
        f"{name} = {value!r} is not from {least} to {most}"
        for name, value in zip(names, values, strict=True)
        if value not in range(least, most + 1)
    ]
