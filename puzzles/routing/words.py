"""Files read number by number, whatever their lines: each word knows its place."""

from __future__ import annotations

from collections.abc import Iterable

from modelling.errors import InstanceError
from puzzles.formats import place
from puzzles.lines import read_number, split_words


class Words:
    """The words of some lines (number from 1, text), which are taken one after the other."""

    def __init__(self, lines: Iterable[tuple[int, str]], source: str, line: int = 1) -> None:
        self._words = [
            (word, place(source, number, column))
            for number, text in lines
            for word, column in split_words(text)
        ]
        self._next = 0
        self._end = place(source, line, 1)

    def __len__(self) -> int:
        return len(self._words) - self._next

    def number(self, what: str, least: int, most: int) -> int:
        """The next word as a number within bounds; raises ``InstanceError``."""
        word, where = self.word(what)
        return read_number(word, what, least, most, where)

    def numbers(self, many: int, what: str, least: int, most: int) -> tuple[int, ...]:
        """The next numbers, ``number`` of them."""
        return tuple(self.number(what, least, most) for _ in range(many))

    def word(self, what: str) -> tuple[str, str]:
        """The next word and its place."""
        if not self:
            raise InstanceError(f"the file ends where {what} is expected", self._end)
        self._next += 1
        self._end = self._words[self._next - 1][1]
        return self._words[self._next - 1]

    def finish(self, of: str) -> None:
        """Raises ``InstanceError`` where more words follow."""
        if self:
            word, where = self._words[self._next]
            raise InstanceError(f"{word[:40]!r} follows the end of {of}", where)
