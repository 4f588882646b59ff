"""The family of a file that nothing names: by its first kilobyte.

The texts of OR-Library and JSPLIB (job shops), of FJSPLIB (flexible job shops) and of PSPLIB
(projects) are recognised. A file whose
ending is of no family and whose text begins with no grid is not called a Sudoku.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePath

from modelling.errors import InputError

PEEKED = 1024
"""Characters that are looked at."""

GRID_ENDINGS = frozenset({"", ".txt", ".json", ".xml", ".html"})
"""Of files that may hold grids, besides the names of the formats of grids."""

_GRID_LINE = re.compile(r"[0-9A-Za-z.*_?-]{16,}")

HINTS: Sequence[tuple[str, str]] = (
    (r"(?m)^(NAME|ROWS|COLUMNS|RHS|BOUNDS|ENDATA)\b", "an integer program in MPS"),
    (r"(?im)^\s*(minimi[sz]e|maximi[sz]e|subject to|bounds)\b", "an integer program in LP format"),
    (
        r"(?m)^\s*\w+\s*=\s*[^=]",
        "data of a MiniZinc model (name that before it: model.mzn data.dzn)",
    ),
    (r"(?m)^\s*\d+\s+\d+\s*$", "a matrix of numbers"),
)
"""What a text may be that no family reads by itself."""


def recognise(lines: Iterable[str]) -> str | None:
    """The family whose files begin so; None for none that is known."""
    text = "".join(lines)
    if "jobs (incl. supersource/sink" in text:
        return "rcpsp"
    numbers = [line.split() for line in text.splitlines() if line.strip() and line[:1] != "#"]
    if _is_flexible(numbers):
        return "flexible_job_shop"
    if len(numbers) < 3 or not all(word.isdigit() for line in numbers[:2] for word in line):
        return None
    if len(numbers[0]) == 2 and len(numbers[1]) == 2 * int(numbers[0][1]) > 2:
        return "job_shop"
    return None


def _is_flexible(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows are those of FJSPLIB: sizes, then a job each that fills its row."""
    if len(rows) < 2 or len(rows[0]) not in (2, 3) or not re.fullmatch(r"[0-9.]+", rows[0][-1]):
        return False
    if not all(word.isdigit() for row in (rows[0][:2], *rows[1:]) for word in row):
        return False
    return all(_is_flexible_job(list(map(int, row)), int(rows[0][1])) for row in rows[1:])


def _is_flexible_job(row: Sequence[int], machines: int) -> bool:
    """How many operations; for each how many alternatives, then machine and duration of each."""
    at = 1
    for _ in range(min(row[0], len(row))):
        many = row[at] if at < len(row) else 0
        if not many or any(not 1 <= m <= machines for m in row[at + 1 : at + 2 * many : 2]):
            return False
        at += 1 + 2 * many
    return at == len(row) > 1


def ensure_grid(path: str, lines: Iterable[str], formats: Iterable[str]) -> None:
    """Raise InputError for a file whose ending is of no family and of none of the ``formats`` of
    grids, and whose text begins with no grid."""
    ending = PurePath(path.removesuffix(".gz")).suffix.lower()
    text = "".join(lines)
    if (
        ending in GRID_ENDINGS
        or ending[1:] in formats
        or any(map(_GRID_LINE.fullmatch, map(str.strip, text.splitlines())))
    ):
        return
    close = [what for pattern, what in HINTS if re.search(pattern, text)]
    looks = f"; it looks like {close[0]}" if close else ""
    raise InputError(
        f"{path}: files that end in {ending!r} are of no family, and the text begins neither with "
        f"a grid nor as files of a (flexible) job shop or project do{looks}. Name what it is "
        "with --family (`concord families` lists them and their endings)"
    )
