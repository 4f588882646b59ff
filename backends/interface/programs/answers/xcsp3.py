"""Answers in XCSP3: a list of names and a list of values, in XML.

A name may stand for several variables of an array, ``x[]`` or ``x[1..3][0]``: ACE prints so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice, product

from backends.interface.programs.answers.reader import MOST_SIGNS, Garbled, Reader, shorten


class Xcsp3(Reader):
    """``v <instantiation> <list> x y </list> <values> 1 2 </values> </instantiation>``.

    The first line ``s`` counts. Where a solver shows solutions on the way, that after this line is
    the last one a second time, and is passed over.

    ``arrays`` are the sizes of the arrays that were declared.
    """

    _WHOLE = re.compile(
        r"<list[^>]*>(.*?)</list>.*?<values[^>]*>(.*?)</values>.*?</instantiation>", re.DOTALL
    )

    def __init__(self, arrays: Mapping[str, Sequence[int]] | None = None) -> None:
        super().__init__()
        self._arrays = arrays or {}
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
        names, values = found[1].split(), found[2].split()
        if "x" in found[2]:
            values = list(_spread(values))
        if "[]" in found[1] or ".." in found[1]:
            members = chain.from_iterable(map(self._members, names))
            names = list(islice(members, len(values) + 1))
        if len(names) != len(values):
            raise Garbled(f"a solution has {len(names)} variables and {len(values)} values")
        return dict(zip(names, values, strict=True))

    def _members(self, word: str) -> Iterator[str]:
        """``x[2..3]`` is ``x[2] x[3]``; ``x[]`` are all of an array, in the order of its places."""
        array, *indices = word.replace("]", "").split("[")
        if "" not in indices and ".." not in word:
            yield word
            return
        sizes = self._arrays.get(array, ())
        if len(sizes) != len(indices):
            raise Garbled(f"a solution has {shorten(word)}, and there is no such array")
        for place in product(*map(_places, indices, sizes)):
            yield array + "".join(f"[{k}]" for k in place)


def _places(index: str, size: int) -> range:
    """Those that an index stands for, of so many."""
    first, _, last = index.partition("..") if ".." in index else (index, "", index)
    if not index:
        return range(size)
    if first.isdecimal() and last.isdecimal() and int(first) <= int(last) < size:
        return range(int(first), int(last) + 1)
    raise Garbled(f"a solution has the index {shorten(index)} in an array of {size}")


def _spread(values: Sequence[str]) -> Iterator[str]:
    """``1 0x3`` is ``1 0 0 0``."""
    length = 0
    for word in values:
        value, times, number = word.partition("x")
        if not (times and number.isdecimal()):
            yield word
            continue
        length += int(number)
        if length > MOST_SIGNS:
            raise Garbled(f"a solution has {shorten(word)} values")
        yield from [value] * int(number)
