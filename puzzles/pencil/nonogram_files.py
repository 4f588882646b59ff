"""Files of nonograms: Simpson's ``.non`` and the data files of MiniZinc's models (``.dzn``).

``.non`` (lancaster.ac.uk, and what webpbn.com exports) has ``width`` and ``height``, and under the
lines ``rows`` and ``columns`` the runs of each line with commas between; ``0`` is a line without
any, or, where only so the number comes right, an empty line is. Lines that begin otherwise tell of
the picture and are passed over. Pictures of several colours are refused.

``.dzn`` has ``rows``, ``cols``, and ``row_rules`` and ``col_rules``, arrays of as many numbers for
each line, of which zeros are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from modelling.errors import InstanceError
from puzzles.formats import is_comment, numbered, place

MOST = 200
"""Rows, and columns."""

Runs = tuple[tuple[int, ...], ...]
"""The lengths of the runs in each line."""

_KEY = re.compile(r"\s*([A-Za-z]\w*)(.*)", re.DOTALL)
_RULE = re.compile(r"\s*\d{1,4}(\s*,\s*\d{1,4})*\s*,?\s*", re.ASCII)
_VALUE = re.compile(r"([A-Za-z]\w*)\s*=\s*([^;=]*);", re.ASCII)
_ARRAY = re.compile(r"(?:\[([^][]*)\]|[a-z]\w*\s*\([^][]*\[([^][]*)\]\s*\))\s*", re.ASCII)
"""The numbers in ``[...]``, or in ``array2d(..., [...])``."""

Numbered = list[tuple[int, str]]
"""Lines with their numbers."""


def check_length(runs: Sequence[int], what: str, cells: int, where: str) -> None:
    """Raise ``InstanceError`` unless a line of this many cells can have these runs."""
    needed = sum(runs) + max(len(runs) - 1, 0)
    if needed > cells:
        shown = ",".join(map(str, runs))
        raise InstanceError(f"runs of {shown} take {needed} cells, but a {what} has {cells}", where)


def read_non(lines: Iterable[str], source: str) -> tuple[Runs, Runs]:
    """The runs of the rows and of the columns in a ``.non``; raises ``InstanceError``."""
    sizes: dict[str, int] = {}
    rules: dict[str, tuple[int, Numbered]] = {}
    section: Numbered | None = None
    for number, line in numbered(lines):
        if is_comment(line):
            continue
        key = _KEY.fullmatch(line)
        if key is None:
            if section is not None:
                section.append((number, line))
            elif line.strip():
                cause = "runs before a line 'rows' or 'columns'"
                raise InstanceError(cause, place(source, number, 1))
            continue
        word, rest = key[1].lower(), key[2].strip()
        section = None
        if word in ("width", "height") or (word in ("rows", "columns") and rest):
            name = {"width": "columns", "height": "rows"}.get(word, word)
            if name in sizes:
                cause = f"a second line {word!r} for the number of {name}; leave one of them"
                raise InstanceError(cause, place(source, number, 1))
            sizes[name] = _read_size(rest, word, place(source, number, key.start(2) + 1))
        elif word in ("rows", "columns"):
            if word in rules:
                raise InstanceError(f"a second line {word!r}", place(source, number, 1))
            section = []
            rules[word] = number, section
        elif word == "color":
            cause = "a picture of several colours; only those of one are read"
            raise InstanceError(cause, place(source, number, 1))
    return (
        _read_section("rows", "columns", sizes, rules, source),
        _read_section("columns", "rows", sizes, rules, source),
    )


def _read_size(word: str, what: str, where: str) -> int:
    if not re.fullmatch(r"[0-9]{1,4}", word) or not 1 <= int(word) <= MOST:
        raise InstanceError(f"{what} {word[:40]!r}; write a number from 1 to {MOST}", where)
    return int(word)


def _read_section(
    word: str,
    other: str,
    sizes: dict[str, int],
    rules: dict[str, tuple[int, Numbered]],
    source: str,
) -> Runs:
    size = {"rows": "height", "columns": "width"}[word]
    for missing in ("height", "width"):
        if {"height": "rows", "width": "columns"}[missing] not in sizes:
            cause = f"there is no line '{missing}'; write it with a number after"
            raise InstanceError(cause, place(source, 1, 1))
    if word not in rules:
        cause = f"there is no line '{word}'; write it, and the runs in lines of their own below"
        raise InstanceError(cause, place(source, 1, 1))
    begun, lines = rules[word]
    full = [(number, line) for number, line in lines if line.strip()]
    if len(full) != sizes[word]:  # blank lines may stand for lines without runs
        lines = lines[: sizes[word]] if not any(x.strip() for _, x in lines[sizes[word] :]) else []
        if len(lines) != sizes[word]:
            cause = f"{len(full)} lines of runs follow, not {sizes[word]} as {size} says"
            raise InstanceError(cause, place(source, begun, 1))
        full = lines
    found = []
    for number, line in full:
        if line.strip() and not _RULE.fullmatch(line):
            cause = (
                f"{line.strip()[:40]!r} is no list of runs; write numbers with commas, as in 3,1,2"
            )
            raise InstanceError(cause, place(source, number, 1))
        found.append(tuple(int(run) for run in re.findall(r"\d+", line) if int(run)))
        check_length(found[-1], word.removesuffix("s"), sizes[other], place(source, number, 1))
    return tuple(found)


def read_dzn(lines: Iterable[str], source: str) -> tuple[Runs, Runs]:
    """The runs of the rows and of the columns in a ``.dzn``; raises ``InstanceError``."""
    text = "\n".join(line.partition("%")[0] for _, line in numbered(lines))
    values: dict[str, re.Match[str]] = {}

    def where(at: int) -> str:
        before = text[:at]
        return place(source, before.count("\n") + 1, at - before.rfind("\n"))

    for value in _VALUE.finditer(text):
        if value[1] in values:
            cause = f"a second '{value[1]} = ...;'; leave one of them"
            raise InstanceError(cause, where(value.start()))
        values[value[1]] = value

    def find(name: str) -> re.Match[str]:
        if name not in values:
            raise InstanceError(f"there is no '{name} = ...;'", place(source, 1, 1))
        return values[name]

    def read(size: str, array: str) -> Runs:
        stated, given = find(size), find(array)
        most = _read_size(stated[2].strip(), size, where(stated.start(2)))
        return _read_array(given[2], array, most, where(given.start(2)))

    rows, columns = read("rows", "row_rules"), read("cols", "col_rules")
    for found, what, array, other in (
        (rows, "row", "row_rules", columns),
        (columns, "column", "col_rules", rows),
    ):
        for runs in found:
            check_length(runs, what, len(other), where(values[array].start(2)))
    return rows, columns


def _read_array(value: str, array: str, most: int, where: str) -> Runs:
    """The runs of this many lines; raises ``InstanceError``."""
    found = _ARRAY.fullmatch(value)
    if "[" in value and not found:
        cause = f"{array} is not closed; write its numbers as [...] or array2d(..., [...])"
        raise InstanceError(cause, where)
    inner = ((found[1] or found[2] or "") if found else "").strip()
    barred = "|" in inner
    if barred and not (inner.startswith("|") and inner.endswith("|")):
        raise InstanceError(f"{array} has bars; write them as in [| 1, 2 | 0, 3 |]", where)
    parts = inner.split("|")[1:-1] if barred else [inner]
    rows = [[word.strip() for word in part.strip().removesuffix(",").split(",")] for part in parts]
    numbers = [int(word) for row in rows for word in row if re.fullmatch(r"[0-9]{1,9}", word)]
    complete = bool(numbers) and len(numbers) == sum(map(len, rows))
    if complete and barred and [len(row) for row in rows] != [len(rows[0])] * most:
        lengths = ", ".join(str(len(row)) for row in rows[:20])
        cause = (
            f"{array} has {len(rows)} parts between bars, of {lengths} numbers; "
            f"write {most} parts of one length, filled with 0"
        )
        raise InstanceError(cause, where)
    if not complete or len(numbers) % most:
        cause = f"{array} is no list of runs, as many for each of {most} lines, 0 for none"
        raise InstanceError(cause, where)
    return _cut(numbers, len(numbers) // most)


def _cut(numbers: Sequence[int], each: int) -> Runs:
    return tuple(
        tuple(run for run in numbers[k : k + each] if run) for k in range(0, len(numbers), each)
    )
