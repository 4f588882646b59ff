"""Answers in XCSP3: a list of names and a list of values, in XML.

A name may stand for several variables of an array, ``x[]`` or ``x[1..3][0]``: ACE prints so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice, product
from math import prod

from backends.interface.programs.answers.reader import MOST_SIGNS, Garbled, Reader, shorten


class Xcsp3(Reader):
    """``v <instantiation> <list> x y </list> <values> 1 2 </values> </instantiation>``.

    Where a solver shows solutions on the way, that after the line ``s`` is the last one a second
    time, and is passed over.

    ``arrays`` are the sizes of the arrays that were declared. No solution names more variables than
    these have, beside one for each word.
    """

    def __init__(self, arrays: Mapping[str, Sequence[int]] | None = None) -> None:
        super().__init__()
        self._arrays = arrays or {}
        self._cells = sum(map(prod, self._arrays.values()))
        self._parts: list[str] = []
        self._length = 0
        self._shown = False
        self._said = False

    def line(self, text: str) -> dict[str, str] | None:
        kind, words = text[:2], text[2:]
        if kind in ("v ", "v\t"):
            return self._values(words)
        if kind in ("d ", "d\t"):
            self.complete = self.complete or words.strip().upper() == "COMPLETE EXPLORATION"
        self._said = self._said or kind in ("s ", "s\t")
        super().line(text)
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
        found = _list_and_values("\n".join(self._parts))
        if found is None:
            raise Garbled(f"a solution has a list and values, not {shorten(' '.join(self._parts))}")
        self._parts, self._length, self.open = [], 0, False
        self._shown = True
        return self._paired(*found)

    def _paired(self, listed: str, valued: str) -> dict[str, str]:
        """The variables and their values. Both are counted before they are made: a few signs may
        stand for any number of either."""
        names, values = listed.split(), valued.split()
        runs = list(map(_run, values)) if "x" in valued else []
        count = sum(times for _, times in runs) if runs else len(values)
        if "[]" in listed or ".." in listed:
            members = chain.from_iterable(map(self._members, names))
            names = list(islice(members, min(count, len(names) + self._cells) + 1))
        if len(names) != count:
            raise Garbled(f"a solution has {len(names)} variables and {count} values")
        if runs:
            values = [value for value, times in runs for _ in range(times)]
        found = dict(zip(names, values, strict=True))
        if len(found) < count:
            _refuse_two_values(names, values)
        return found

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


def _list_and_values(text: str) -> tuple[str, str] | None:
    """The text of the list and of the values of an instantiation, if it has both.

    Each part is looked for once, from the end of the one before: a pattern would begin anew at
    each ``<list``.
    """
    listed, at = _inside(text, "list", 0)
    valued, at = _inside(text, "values", at)
    return None if text.find("</instantiation>", at) < 0 else (listed, valued)


def _inside(text: str, tag: str, start: int) -> tuple[str, int]:
    """The text of the first element ``tag`` from a place on, and the place where the element ends.

    Without such an element the text is empty, and the place is the end of ``text``.
    """
    opened = text.find(f"<{tag}", start)
    first = text.find(">", opened) + 1 if opened >= 0 else 0
    last = text.find(f"</{tag}>", first) if first else -1
    return (text[first:last], last + len(tag) + 3) if last >= 0 else ("", len(text))


def _refuse_two_values(names: Sequence[str], values: Sequence[str]) -> None:
    """Garbled for a variable that is named twice with different values."""
    first: dict[str, str] = {}
    for name, value in zip(names, values, strict=True):
        if first.setdefault(name, value) != value:
            both = f"{shorten(first[name])} and {shorten(value)}"
            raise Garbled(f"a solution has {shorten(name)} with two values, {both}")


MOST_FIGURES = 9
"""Most figures of an index, or of a number of values."""


def _number(word: str) -> int | None:
    """The number that a word is in decimal figures, if it is one."""
    is_one = word.isascii() and word.isdecimal() and len(word) <= MOST_FIGURES
    return int(word) if is_one else None


def _places(index: str, size: int) -> range:
    """The places that an index stands for in a dimension of ``size`` places."""
    if not index:
        return range(size)
    first, _, last = index.partition("..") if ".." in index else (index, "", index)
    low, high = _number(first), _number(last)
    if low is None or high is None or not low <= high < size:
        raise Garbled(f"a solution has the index {shorten(index)} in an array of {size}")
    return range(low, high + 1)


def _run(word: str) -> tuple[str, int]:
    """A value and how often it is repeated: ``0x3`` is ``0 0 0``."""
    value, times, number = word.partition("x")
    if not times:
        return word, 1
    found = _number(number)
    if found is None:
        raise Garbled(f"a solution has {shorten(word)} values")
    return value, found
