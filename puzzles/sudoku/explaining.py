"""What ``concord explain`` says of one puzzle: its path, as lines of text or as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from puzzles.family import Instance
from puzzles.grid.layout import cell_name, unit_name
from puzzles.grid.symbols import sign
from puzzles.sudoku.grading.drawing import Paint, Role, draw_position
from puzzles.sudoku.grading.path import Graded, grade
from puzzles.sudoku.grading.scale import COSTS
from puzzles.sudoku.grading.step import Step

SINGLES = ("naked-single", "hidden-single")
"""Steps before which ``--grids`` draws nothing."""

_STYLES: dict[Role, str] = {
    "filled": "1",
    "rests": "1;33",
    "placed": "1;32",
    "eliminated": "1;31",
}
"""Codes of a terminal: bold, and yellow, green and red for what a step rests on and does."""


def paint(text: str, role: Role) -> str:
    """A sign in the colours of a terminal."""
    return f"\x1b[{_STYLES[role]}m{text}\x1b[0m" if role in _STYLES else text


def explain(
    instance: Instance, grids: bool, painter: Paint | None, width: int = 80
) -> Iterator[str]:
    """The lines: what puzzle it is, the grid of candidates, each step, the grade.

    With ``grids`` the grid is drawn again before each step other than singles. No line but the
    grid's is longer than ``width``.
    """
    graded = grade(instance.text)
    clues = sum(map(bool, graded.start.values))
    yield f"{instance.name}: {clues} clues"
    number_width = len(str(len(graded.steps)))
    name_width = max((len(step.technique) for step in graded.steps), default=0)
    for number, (position, step) in enumerate(graded.positions(), 1):
        if number == 1 or (grids and step.technique not in SINGLES):
            yield draw_position(position, step if grids else None, painter)
        start = f"{number:{number_width}}  {step.technique:{name_width}}  "
        below = " " * len(start)
        yield from wrap(start + step.explanation, width, subsequent_indent=below)
    if graded.outcome != "solved":
        yield draw_position(graded.end, None, painter)
    for line in _conclude(graded):
        yield from wrap(line, width, subsequent_indent="  ")


def _conclude(graded: Graded) -> Iterator[str]:
    if graded.outcome == "solved":
        used = ", ".join(f"{number} {name}" for name, number in graded.counts.items())
        if not graded.steps:
            yield "nothing to do: the grid is full"
        else:
            yield f"grade {graded.grade}, score {graded.score}, {len(graded.steps)} steps: {used}"
    elif graded.outcome == "unsatisfiable":
        yield f"unsatisfiable: {graded.end.contradiction()}"
    elif graded.outcome == "several":
        yield f"several solutions, so it has no grade: {_find_difference(graded)}"
    else:
        yield "no grade: whether there is one solution would take too many guesses to find out"


def _find_difference(graded: Graded) -> str:
    layout = graded.start.layout
    one, other = graded.examples
    cell = next(cell for cell in range(layout.cells) if one[cell] != other[cell])
    values = " or ".join(sign(value, layout.order) for value in sorted((one[cell], other[cell])))
    return f"{cell_name(layout, cell)} can be {values}"


def explain_as_data(instance: Instance) -> dict[str, Any]:
    """The same as plain data; cells and units by name, values as numbers."""
    graded = grade(instance.text)
    return {
        "name": instance.name,
        "puzzle": instance.text,
        "outcome": graded.outcome,
        "grade": graded.grade,
        "score": graded.score,
        "scale": graded.scale,
        "counts": dict(graded.counts),
        "steps": [_describe(graded, step) for step in graded.steps],
        "verdict": next(iter(_conclude(graded))),
        "end": list(graded.end.values),
    }


def _describe(graded: Graded, step: Step) -> dict[str, Any]:
    layout = graded.start.layout

    def pairs(found: tuple[tuple[int, int], ...]) -> list[dict[str, Any]]:
        return [{"cell": cell_name(layout, cell), "value": value} for cell, value in found]

    return {
        "technique": step.technique,
        "cost": COSTS[step.technique],
        "cells": [cell_name(layout, cell) for cell in step.cells],
        "values": list(step.values),
        "units": [unit_name(layout, unit) for unit in step.units],
        "placements": pairs(step.placements),
        "eliminations": pairs(step.eliminations),
        "explanation": step.explanation,
    }
