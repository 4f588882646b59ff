"""``concord grade``: how hard Sudoku are, for people and for solvers, one row a puzzle.

Words
-----
effort      the nodes of a backend's search that looks for two solutions, so that it proves that
            there is one
row         what is known of one puzzle: a dictionary, its keys the table's columns in order
verdict     the text in the column ``grade``: a technique, or why the grade is missing

The path is itself a proof, so a backend that finds another number of solutions is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf, nan
from statistics import median
from typing import Any

from backends.interface import registry
from backends.interface.api import Backend, Limits, Refused, Solutions
from modelling.errors import ConcordError, InputError, InstanceError
from puzzles.family import Instance
from puzzles.sudoku import SUDOKU
from puzzles.sudoku.grading.path import Outcome, grade
from puzzles.sudoku.grading.scale import GRADES

Row = dict[str, Any]
Entry = Instance | InstanceError
Complain = Callable[[str], None]

SOLUTIONS: dict[Outcome, str] = {"solved": "1", "unsatisfiable": "0", "several": "2+"}
"""The digit is the number that a backend that looks for two solutions must find."""
NO_GRADE: dict[Outcome, str] = {
    "unsatisfiable": "unsatisfiable",
    "several": "several solutions",
    "gave_up": "not known",
}
FULL = "full grid"
"""The verdict of a grid in which nothing is left to do."""


def load_backends(names: Sequence[str]) -> list[Backend]:
    """The backends of these names; a wrong one is an error before any puzzle is read."""
    return [registry.get(name) for name in dict.fromkeys(names)]


def list_columns(backends: Sequence[Backend]) -> list[str]:
    """The table's columns."""
    own = ("puzzle", "clues", "solutions", "grade", "score", "steps")
    return [*own, *(f"nodes {backend.name}" for backend in backends)]


def grade_all(
    entries: Iterable[Entry], backends: Sequence[Backend], seconds: float | None, complain: Complain
) -> Iterator[Row]:
    """The row of every puzzle in order; what cannot be read or searched is complained of."""
    for entry in entries:
        if isinstance(entry, InstanceError):
            complain(str(entry))
            continue
        try:
            yield _grade_one(entry, backends, seconds, complain)
        except InputError as error:
            complain(f"{entry.source or entry.name}: {error}")


def _grade_one(
    entry: Instance, backends: Sequence[Backend], seconds: float | None, complain: Complain
) -> Row:
    graded = grade(entry.text)
    known = (
        entry.name,
        sum(map(bool, graded.start.values)),
        SOLUTIONS.get(graded.outcome, "?"),
        NO_GRADE.get(graded.outcome, graded.grade or FULL),
        graded.score,
        len(graded.steps) if graded.outcome == "solved" else None,
    )
    efforts = [_measure_effort(entry, b, seconds, graded.outcome, complain) for b in backends]
    return dict(zip(list_columns(backends), (*known, *efforts), strict=True))


def _measure_effort(
    entry: Instance, backend: Backend, seconds: float | None, outcome: Outcome, complain: Complain
) -> int | None:
    problem = SUDOKU.problem(entry.text)
    verdict = backend.accepts(problem)
    if isinstance(verdict, Refused):
        complain(f"{entry.source}: {backend.name} refuses it: {verdict.reason}")
        return None
    result = backend.solve(problem, Solutions(2), Limits(seconds=seconds))
    if result.stopped_by not in ("exhausted", "enough"):
        complain(f"{entry.source}: {backend.name} stopped by {result.stopped_by}")
        return None
    if outcome in SOLUTIONS and result.count != int(SOLUTIONS[outcome][0]):
        raise ConcordError(
            f"{entry.source}: {backend.name} finds {result.count} solutions, but by hand there are "
            f"{SOLUTIONS[outcome]}: see concord explain {entry.text}"
        )
    nodes = result.statistics.get("nodes")
    return None if nodes is None else int(nodes)


def summarise(rows: Sequence[Row]) -> list[Row]:
    """By verdict, easiest first: how many puzzles, their clues, median score, median efforts.

    The median of none is nan. A puzzle that a backend did not search to the end takes more than any
    other, so that a median over half of them is inf.
    """
    lines = []
    for verdict in (FULL, *GRADES, *NO_GRADE.values()):
        group = [row for row in rows if row["grade"] == verdict]
        if group:
            clues = sorted({row["clues"] for row in group})
            span = str(clues[0]) if len(clues) == 1 else f"{clues[0]}-{clues[-1]}"
            line: Row = {"grade": verdict, "puzzles": len(group), "clues": span}
            for name in (name for name in rows[0] if name == "score" or name.startswith("nodes ")):
                known = [row[name] for row in group if row[name] is not None]
                left = [inf] * (len(group) - len(known)) if name != "score" else []
                line[f"median {name}"] = float(median([*known, *left])) if known else nan
            lines.append(line)
    return lines
