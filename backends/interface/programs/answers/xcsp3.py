"""Answers in XCSP3: a list of names and a list of values, in XML."""

from __future__ import annotations

import re

from backends.interface.programs.answers.reader import MOST_SIGNS, Garbled, Reader, shorten


class Xcsp3(Reader):
    """``v <instantiation> <list> x y </list> <values> 1 2 </values> </instantiation>``.

    The first line ``s`` counts. Where a solver shows solutions on the way, that behind this line is
    the last one a second time, and is passed over.
    """

    _WHOLE = re.compile(
        r"<list[^>]*>(.*?)</list>.*?<values[^>]*>(.*?)</values>.*?</instantiation>", re.DOTALL
    )

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[str] = []
        self._length = 0
        self._shown = False
        self._said = False

    def line(self, text: str) -> dict[str, str] | None:
        kind, words = text[:2], text[2:]
        if kind in ("s ", "s\t"):
            if not self._said:
                self.say(words)
            self._said = True
        elif kind in ("o ", "o\t"):
            self.value(words)
        elif kind in ("d ", "d\t"):
            self.complete = self.complete or words.strip().upper() == "COMPLETE EXPLORATION"
        elif kind in ("v ", "v\t"):
            return self._values(words)
        return None

    def _values(self, words: str) -> dict[str, str] | None:
        if self._said and self._shown:
            return None
        self._parts.append(words)
        self._length += len(words)
        self.open = True
        if self._length > MOST_SIGNS:
            raise Garbled(f"a solution has more than {MOST_SIGNS:,} signs")
        if "</instantiation>" not in words:
            return None
        found = self._WHOLE.search("\n".join(self._parts))
        if found is None:
            raise Garbled(f"a solution has a list and values, not {shorten(' '.join(self._parts))}")
        self._parts, self._length, self.open = [], 0, False
        self._shown = True
        names, values = found[1].split(), list(_spread(found[2]))
        if len(names) != len(values):
            raise Garbled(f"a solution has {len(names)} variables and {len(values)} values")
        return dict(zip(names, values, strict=True))


def _spread(values: str) -> list[str]:
    """``1 0x3`` is ``1 0 0 0``."""
    found: list[str] = []
    for word in values.split():
        value, times, number = word.partition("x")
        if times and number.isdecimal():
            if len(found) + int(number) > MOST_SIGNS:
                raise Garbled(f"a solution has {shorten(word)} values")
            found += [value] * int(number)
        else:
            found.append(word)
    return found
