"""Answers in OPB: a model is names such as x1 and -x2."""

from __future__ import annotations

import re

from backends.interface.programs.answers.reader import Garbled, LiteralsReader, shorten


class Opb(LiteralsReader):
    """A model is names of variables, with a sign where one is 0; another line ends it, a comment
    too."""

    comment = b""
    _LITERAL = re.compile(r"([-~]?)x([0-9]{1,9})")

    def line(self, text: str) -> set[int] | None:
        if text[:2] in ("v ", "v\t"):
            self.open = True
            for word in text[2:].split():
                found = self._LITERAL.fullmatch(word)
                if found is None:
                    raise Garbled(f"a model has literals such as x1 and -x2, not {shorten(word)}")
                self.named += 1
                (self.negative if found[1] else self.positive).add(int(found[2]))
            self.check_size()
            return None
        super().line(text)
        return self.end()

    def end(self) -> set[int] | None:
        return self.end_model() if self.open else None
