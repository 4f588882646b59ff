"""Nonograms: a picture of which the lengths of the runs in each row and column are known.

Text is the runs of each row, with commas between, then ``/``, then those of each column; ``0`` is a
line without any: ``2,2 7 7 5 3 1 / 2 4 5 5 5 4 2``. Variable ``rIcJ`` is 1 if the cell in row I and
column J is filled. Whether there is a picture is NP-complete to tell, and so is whether there is
another one (Ueda and Nagao, "NP-completeness results for nonogram via parsimonious reductions",
Technical Report TR96-0008, Tokyo Institute of Technology, 1996).

Files may be ``.non`` or ``.dzn``, each one picture: ``puzzles.pencil.nonogram_files``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from modelling.errors import InputError, InstanceError
from modelling.problem import Problem, Structure
from modelling.vocabulary.automata.regular import Arcs, Regular
from puzzles.drawing import beside_or_below
from puzzles.family import Count, Family
from puzzles.formats import Locate, in_text, label
from puzzles.lines import FormattedFamily, Read, out_of_range, split_words
from puzzles.parameters import Parameter
from puzzles.pencil.nonogram_files import MOST, Runs, check_length, read_dzn, read_non
from puzzles.pencil.uniqueness import is_unique
from puzzles.pictures import CELL, Picture, draw_pattern
from puzzles.random_stream import Stream

MOST_GENERATED = 30

_FORM = "2,2 7 7 5 3 1 / 2 4 5 5 5 4 2"
_LINE = re.compile(r"\d{1,4}(,\d{1,4})*", re.ASCII)
_NON = re.compile(r"[A-Za-z]\w*(\s.*)?", re.DOTALL)
_DZN = re.compile(r"(%.*)|([A-Za-z]\w*\s*=.*)", re.DOTALL)

Puzzle = tuple[Runs, Runs]
"""The runs of the rows, and of the columns."""


def make_automaton(runs: Sequence[int]) -> tuple[Arcs, int]:
    """Transitions from state 0 that read a line with these runs, and the final state."""
    arcs, state = [(0, 0, 0)], 0
    for number, run in enumerate(runs):
        if number:
            arcs += [(state, 0, state + 1), (state + 1, 0, state + 1)]
            state += 1
        for _ in range(run):
            arcs.append((state, 1, state + 1))
            state += 1
    return (*arcs, *([(state, 0, state)] if state else [])), state


@lru_cache(maxsize=64)
def structure(rows: Runs, columns: Runs) -> Structure:
    """Each line is read by the automaton of its runs."""
    high, wide = len(rows), len(columns)
    cells = range(high * wide)
    lines = [
        *((tuple(cells[r * wide : r * wide + wide]), runs) for r, runs in enumerate(rows)),
        *((tuple(cells[c::wide]), runs) for c, runs in enumerate(columns)),
    ]
    rules = []
    for line, runs in lines:
        arcs, final = make_automaton(runs)
        rules.append(Regular(line, arcs, 0, (final,)))
    return Structure(
        tuple(f"r{k // wide + 1}c{k % wide + 1}" for k in cells),
        ((0, 1),) * len(cells),
        tuple(rules),
    )


class Nonogram(FormattedFamily[Puzzle]):
    """Implements ``puzzles.family.Family``, ``Formatted`` and ``Generated``."""

    name = "nonogram"
    file_formats = ("non", "dzn")
    about = "nonograms: pictures given by the runs of their rows and columns"
    unit = "cells"
    endings = (".non",)
    csplib = 12

    join_drawings = staticmethod(beside_or_below)
    parameters = (
        Parameter("rows", 10, "Number of rows.", 1, MOST_GENERATED),
        Parameter("columns", 10, "Number of columns.", 1, MOST_GENERATED),
        Parameter(
            "filled", 55, "Filled cells in per cent, at first; around 50 is hardest.", 0, 100
        ),
    )
    asks_solver = True

    def parse(self, body: str, locate: Locate = in_text) -> Puzzle:
        """The runs of the rows and of the columns."""
        words = split_words(body)
        slashes = [k for k, (word, _) in enumerate(words) if word == "/"]
        if len(slashes) != 1 or slashes[0] in (0, len(words) - 1):
            cause = "write the runs of each row, one '/', and the runs of each column"
            at = words[slashes[1]][1] if len(slashes) > 1 else 1
            raise InstanceError(f"{cause}, as in {_FORM!r}", locate(at))
        rows, columns = words[: slashes[0]], words[slashes[0] + 1 :]
        for lines, what in ((rows, "rows"), (columns, "columns")):
            if len(lines) > MOST:
                raise InstanceError(f"{len(lines)} {what}; there are at most {MOST}", locate(1))
        return (
            tuple(_read_runs(word, "row", len(columns), locate(at)) for word, at in rows),
            tuple(_read_runs(word, "column", len(rows), locate(at)) for word, at in columns),
        )

    def generate(self, draws: Stream, *, count: Count, **given: int) -> str:
        """See ``Generated`` and the function below."""
        return generate(draws, count=count, **given)

    def text(self, puzzle: Puzzle) -> str:
        """The runs of the rows and of the columns."""
        rows, columns = (" ".join(map(_write_runs, lines)) for lines in puzzle)
        return f"{rows} / {columns}"

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``."""
        return structure(*puzzle).problem()

    def count_values(self, puzzle: Puzzle) -> int:
        """The cells."""
        return len(puzzle[0]) * len(puzzle[1])

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """The runs of each line are measured."""
        rows, columns = puzzle
        wide = len(columns)
        names = [f"r{k // wide + 1}c{k % wide + 1}" for k in range(len(values))]
        wrong = out_of_range(names, values, 0, 1)
        yield from wrong
        if wrong:
            return
        for lines, what in ((rows, "row"), (columns, "column")):
            for k, runs in enumerate(lines):
                line = values[k * wide : k * wide + wide] if what == "row" else values[k::wide]
                if find_runs(line) != runs:
                    found = _write_runs(find_runs(line))
                    yield f"{what} {k + 1} has runs of {found}, not of {_write_runs(runs)}"

    def draw(self, puzzle: Puzzle, values: Sequence[int] | None) -> str:
        """The picture, or a dot for each cell, with the runs above and to the left."""
        rows, columns = puzzle
        wide = 1 + max(len(str(run)) for runs in columns for run in (*runs, 0))
        tall = max(1, *map(len, columns))
        left = [" ".join(map(str, runs)) or "0" for runs in rows]
        margin = max(map(len, left))
        above = [("",) * (tall - len(runs)) + tuple(map(str, runs or (0,))) for runs in columns]
        above = [runs[-tall:] for runs in above]
        head = [
            " " * (margin + 3) + "".join(f"{runs[k]:>{wide}}" for runs in above)
            for k in range(tall)
        ]
        rule = f"{' ' * (margin + 1)}+{'-' * (wide * len(columns) + 2)}+"
        drawn = []
        for r, runs in enumerate(left):
            start = r * len(columns)
            line = [None] * len(columns) if values is None else values[start : start + len(columns)]
            cells = (_draw_cell(cell, wide) for cell in line)
            drawn.append(f"{runs:>{margin}} | {''.join(cells)} |")
        return "\n".join([*(line.rstrip() for line in head), rule, *drawn, rule])

    def sketch(self, puzzle: Puzzle, values: Sequence[int] | None) -> Picture:
        """The picture, with the runs above and to the left."""
        rows, columns = puzzle
        filled = {k for k, value in enumerate(values or ()) if value == 1}
        made = draw_pattern(len(rows), len(columns), filled)
        for r, runs in enumerate(rows):
            shown = " ".join(map(str, runs or (0,)))
            made.text(-8, (r + 0.5) * CELL, shown, 15, anchor="end")
        for c, runs in enumerate(columns):
            for k, run in enumerate(reversed(runs or (0,))):
                made.text((c + 0.5) * CELL, -14 - 18 * k, run, 15)
        return made

    def write(self, text: str, values: Sequence[int]) -> str:
        """The rows, ``#`` for a filled cell."""
        wide = len(self.parse(text)[1])
        shown = "".join(".#"[value == 1] for value in values)
        return " ".join(shown[k : k + wide] for k in range(0, len(shown), wide))

    def as_written(self, head: Sequence[str], first: str, path: str) -> Family:
        """See ``Formatted``: lines begin with a number, ``.non`` with a word, ``.dzn`` with a
        comment or an assignment."""
        given = first.strip()
        form = "dzn" if _DZN.fullmatch(given) else "non" if _NON.fullmatch(given) else "lines"
        return self.in_format(form)

    def read_file(self, lines: Iterable[str], source: str) -> Iterator[Read[Puzzle]]:
        """One picture."""
        puzzle = (read_non if self.form == "non" else read_dzn)(lines, source)
        yield label(source).removesuffix(f".{self.form}"), 1, puzzle


def find_runs(line: Sequence[int]) -> tuple[int, ...]:
    """The lengths of the runs in a line."""
    return tuple(len(list(run)) for value, run in groupby(line) if value == 1)


def _read_runs(word: str, what: str, longest: int, where: str) -> tuple[int, ...]:
    if not _LINE.fullmatch(word):
        cause = f"{word[:40]!r} is no {what}; write its runs with commas between, as in 3,1,2, or 0"
        raise InstanceError(cause, where)
    runs = tuple(int(run) for run in word.split(",") if int(run))
    check_length(runs, what, longest, where)
    return runs


def _write_runs(runs: Sequence[int]) -> str:
    return ",".join(map(str, runs)) or "0"


def _draw_cell(value: int | None, wide: int) -> str:
    shown = "." if value is None else " " if value == 0 else "#" * wide if value == 1 else "?"
    return f"{shown:>{wide}}"


NONOGRAM = Nonogram()


def generate(
    draws: Stream, *, count: Count, rows: int = 10, columns: int = 10, filled: int = 55
) -> str:
    """A puzzle with one solution, drawn with ``filled`` percent of the cells filled.

    Around half, pictures are hard, and often not the only one with their runs: then more cells are
    filled, one after the other. ``count`` is asked whether there is one solution.
    """
    if not (
        min(rows, columns) >= 1 and max(rows, columns) <= MOST_GENERATED and 0 <= filled <= 100
    ):
        raise InputError(f"no nonogram of {rows} x {columns} with {filled} % is generated")
    cells = [int(draws.below(100) < filled) for _ in range(rows * columns)]
    turns = iter(draws.shuffled([k for k, cell in enumerate(cells) if not cell]))
    while True:
        puzzle = (
            tuple(find_runs(cells[k : k + columns]) for k in range(0, len(cells), columns)),
            tuple(find_runs(cells[k::columns]) for k in range(columns)),
        )
        if is_unique(NONOGRAM.state(puzzle), count):
            return NONOGRAM.text(puzzle)
        cells[next(turns)] = 1
