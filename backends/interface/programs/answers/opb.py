"""Answers in OPB: a model is names such as x1 and -x2."""

from __future__ import annotations

import re

from backends.interface.programs.answers.reader import (
    MOST_SIGNS,
    Garbled,
    Reader,
    refuse_both,
    shorten,
)


class Opb(Reader):
    """A model is names of variables, with a sign where one is 0; another line ends it, a comment
    too."""

    comment = b""
    _LITERAL = re.compile(r"([-~]?)x([0-9]{1,9})")

    def __init__(self) -> None:
        super().__init__()
        self._true: set[int] = set()
        self._false: set[int] = set()
        self._named = 0

    def line(self, text: str) -> set[int] | None:
        kind, words = text[:2], text[2:]
        if kind in ("v ", "v\t"):
            self.open = True
            for word in words.split():
                found = self._LITERAL.fullmatch(word)
                if found is None:
                    raise Garbled(f"a model has literals such as x1 and -x2, not {shorten(word)}")
                self._named += 1
                (self._false if found[1] else self._true).add(int(found[2]))
            if self._named * 4 > MOST_SIGNS:
                raise Garbled(f"a model has more than {self._named:,} literals")
            return None
        if kind in ("s ", "s\t"):
            self.say(words)
        elif kind in ("o ", "o\t"):
            self.value(words)
        return self.end()

    def end(self) -> set[int] | None:
        if not self.open:
            return None
        refuse_both(self._true, self._false)
        found, self._true, self._false = self._true, set(), set()
        self._named, self.open = 0, False
        return found
