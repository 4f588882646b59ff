"""Answers by the names of variables, as a program that reads a family's own text prints them.

    x = 3;             a value
    q = [2, 4, 1, 3];  the values of q1, q2, ..., or of q[0], q[1], ..., in their order
    ----------         after each solution
    ==========         nothing is left, or nothing is better

The marks, ``=====UNSATISFIABLE=====`` and the comments of statistics are those of FlatZinc.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from backends.interface.programs.answers.flatzinc import FlatZinc
from backends.interface.programs.answers.reader import Garbled, shorten

_PAIR = re.compile(r"\s*([^\s=;][^=;]*?)\s*=\s*(-?[0-9]+|true|false|\[[-0-9,\s]*\])\s*;?\s*")


class NamedValues(FlatZinc):
    """``names`` are those of the problem's variables. A name that is none is an error, since
    nobody else has chosen it."""

    def __init__(self, names: Sequence[str], optimum: bool) -> None:
        super().__init__(frozenset(names), optimum)
        self._arrays = group_arrays(names)

    def line(self, text: str) -> dict[str, str] | None:
        pair = None if text.startswith(("%", "=", "-")) else _PAIR.fullmatch(text)
        if pair is None:
            return super().line(text)
        name, value = pair[1], pair[2]
        if not value.startswith("["):
            if name not in self._wanted:
                raise Garbled(f"it shows {shorten(text)}, and no variable is called {name!r}")
            self._keep(name, value)
            return None
        words = [word.strip() for word in value.strip("[]").split(",") if word.strip()]
        members = self._arrays.get(name, ())
        if len(members) != len(words):
            raise Garbled(
                f"it shows {len(words)} values of {name!r}, and there are {len(members)} variables "
                f"{name}1, {name}[0], or the like"
            )
        for member, word in zip(members, words, strict=True):
            self._keep(member, word)
        return None


def group_arrays(names: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """The variables whose names differ in numbers or brackets after a word, by that word."""
    found: dict[str, list[str]] = {}
    for name in names:
        parts = re.fullmatch(r"(.*?[^\d\[])(\d+|(\[[^\]]*\])+)", name)
        if parts is not None:
            found.setdefault(parts[1], []).append(name)
    return found
