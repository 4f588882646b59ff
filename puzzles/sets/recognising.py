"""The family of a file that nothing names: by its first kilobyte.

The texts of OR-Library and JSPLIB (job shops) and of PSPLIB (projects) are recognised. A file whose
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
    (r"(?m)^\s*\w+\s*=\s*[^=]", "data of a MiniZinc model"),
    (r"(?m)^\s*\d+\s+\d+\s*$", "a matrix of numbers"),
)
"""What a text may be that no family reads by itself."""


def recognise(lines: Iterable[str]) -> str | None:
    """The family whose files begin so; None for none that is known."""
    text = "".join(lines)
    if "jobs (incl. supersource/sink" in text:
        return "rcpsp"
    numbers = [line.split() for line in text.splitlines() if line.strip() and line[:1] != "#"]
    if len(numbers) < 3 or not all(word.isdigit() for line in numbers[:2] for word in line):
        return None
    if len(numbers[0]) == 2 and len(numbers[1]) == 2 * int(numbers[0][1]) > 2:
        return "job_shop"
    return None


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
        f"a grid nor as files of a job shop or project do{looks}. Name what it is with --family "
        "(`concord families` lists them and their endings)"
    )
