"""The family of a file that nothing names: by its first kilobyte.

The texts of OR-Library and JSPLIB (job shops), FJSPLIB (flexible job shops), PSPLIB (projects) and
CSPLib (car sequencing), and nonograms as data of MiniZinc are recognised. A file whose text begins
with no grid is not called a Sudoku.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from pathlib import PurePath

from modelling.errors import InputError

PEEKED = 1024
"""Characters that are looked at."""

GRID_ENDINGS = frozenset({"", ".txt", ".json", ".xml", ".html"})
"""The endings of files that may hold grids, beside the names of the formats of grids."""

_GRID_LINE = re.compile(r"[0-9A-Za-z.*_?-]{16,}")

FOREIGN: Sequence[tuple[str, str]] = (
    (r"\APK\x03\x04", "a ZIP archive: unpack it, and name a file of it"),
    (
        r"(?m)^(ROWS|COLUMNS|ENDATA)\s*$",
        "an integer program in MPS: let its name end in .mps",
    ),
    (
        r"(?im)^\s*(minimi[sz]e|maximi[sz]e|subject to|bounds)\s*(\w+\s*:.*)?$",
        "an integer program in LP format: let its name end in .lp",
    ),
    (r"(?m)^p cnf +\d", "DIMACS CNF: let its name end in .cnf"),
    (r"(?m)^p wcnf +\d", "WCNF: let its name end in .wcnf"),
    (r"(?m)^\* #variable=", "OPB: let its name end in .opb"),
    (r"<instance\b[^>]*XCSP3", "XCSP3: let its name end in .xml"),
    (
        r'(?m)^\s*(var\b.*:|constraint\b.*[(;<>=]|array\s*\[|include\s*"|'
        r"solve\s+(satisfy|minimize|maximize|::))",
        "a model of MiniZinc or FlatZinc: let its name end in .mzn or .fzn",
    ),
)
"""What no text of grids has in it, and what such a text is."""

HINTS: Sequence[tuple[str, str]] = (
    *FOREIGN,
    (r"\A\s*[{\[]\s*\n", "JSON over several lines: Sudoku in JSON are an object a line (jsonl)"),
    (
        r"(?m)^\s*\w+\s*=\s*[^=]",
        "data of a MiniZinc model: let its name end in .dzn, and name the model before it",
    ),
    (
        r"(?m)^\s*\d+(\s+\d+)*\s*$",
        "lines of numbers, as files of the families bin_packing, flexible_job_shop, job_shop, "
        "knapsack, open_shop and tsp have",
    ),
)
"""What a text may be that no family reads by itself, and what comes close."""

OTHERS: Sequence[tuple[str, str, str]] = (
    (
        ".dzn",
        "",
        "data of a MiniZinc model, without the model: name that before it, as in model.mzn {path}; "
        "or name the family of the data with --family (those of nonogram assign row_rules and "
        "col_rules)",
    ),
    (".py", "", "a program in Python: concord compare --model {path} takes the models in it"),
    (
        ".toml",
        r"(?m)^\s*(sets|backends)\s*=",
        "an experiment, and no set: concord run {path} runs it",
    ),
)
"""Endings of files that are not instances, what is in their texts, and what they are."""

MARKS: Sequence[tuple[str, str]] = (
    (r"jobs \(incl\. supersource/sink", "rcpsp"),
    (r"(?m)^\s*row_rules\s*=", "nonogram"),
    (r"(?m)^# ?Problem\b.*\n(#.*\n)*\d+ \d+ \d+\s*$", "car_sequencing"),
)
"""What is in the text of such files, and their family."""


def recognise(lines: Iterable[str]) -> str | None:
    """The family whose files begin so; None for none that is known."""
    text = "".join(lines)
    for mark, family in MARKS:
        if re.search(mark, text):
            return family
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
    for other, mark, what in OTHERS:
        if ending == other and re.search(mark, text):
            raise InputError(f"{path} is {what.format(path=shlex.quote(path))}")
    text = text.replace("\r", "")
    if ending != ".html" and any(re.search(pattern, text) for pattern, _ in FOREIGN):
        pass  # a page may have anything in it beside its grids
    elif ending in GRID_ENDINGS:
        if not (_is_uneven(text) or re.match(r"\s*[{\[]\s*$", text.partition("\n")[0])):
            return
    elif ending[1:] in formats or any(map(_GRID_LINE.fullmatch, map(str.strip, text.splitlines()))):
        return
    close = [what for pattern, what in HINTS if re.search(pattern, text)]
    looks = f"; it looks like {close[0]}" if close else ""
    raise InputError(
        f"{path}: files that end in {ending!r} are of no family, and the text begins neither with "
        "a grid nor as files of the families car_sequencing, flexible_job_shop, job_shop, nonogram "
        f"and rcpsp do{looks}. Name what it is with --family (`concord families` lists them and "
        "their endings)"
    )


def _is_uneven(text: str) -> bool:
    """Whether lines are numbers of several digits, and more on some lines than on others."""
    rows = [line.split() for line in text.splitlines() if line.strip() and line[:1] != "#"]
    words = [word for row in rows for word in row]
    return (
        len({len(row) for row in rows}) > 1
        and all(word.isdigit() for word in words)
        and max(map(len, words)) > 1
        and min(map(len, words)) < 3
    )
