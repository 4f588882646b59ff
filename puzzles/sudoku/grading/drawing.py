"""A position drawn as text: the value of every filled cell, the candidates of every empty one.

This is the pencil-mark grid of forums: a cell's candidates are together, boxes are framed. A
candidate that is alone in its cell is in brackets, for it has not been placed yet. What a step
rests on and changes can be painted; how (colours of a terminal, marks of a page), the caller says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from puzzles.grid.symbols import SIGNS, sign
from puzzles.sudoku.grading.board import members
from puzzles.sudoku.grading.position import Position
from puzzles.sudoku.grading.step import Step

Role = Literal["filled", "candidate", "rests", "placed", "eliminated"]
"""What a sign is: a value that is set, a candidate, one that the step rests on, places, removes."""

Paint = Callable[[str, Role], str]
"""A sign and its role -> what is written for it; it takes as much room on the screen."""


def draw_position(position: Position, step: Step | None = None, paint: Paint | None = None) -> str:
    """The grid of candidates over several lines, painted with ``paint``."""
    layout = position.layout
    n = layout.order
    high, wide = layout.box or (n, n)
    cells = [_signs(position, cell, step) for cell in range(layout.cells)]
    between = "," if n > len(SIGNS) else ""
    frames = [_brackets(position.candidates[cell]) for cell in range(layout.cells)]
    lengths = [
        len(between.join(text for text, _ in signs)) + len(before + behind)
        for signs, (before, behind) in zip(cells, frames, strict=True)
    ]
    widths = [max(lengths[column::n]) for column in range(n)]
    rule = "+" + "".join(
        f"{'-' * (sum(widths[k : k + wide]) + wide + 1)}+" for k in range(0, n, wide)
    )

    def written(cell: int) -> str:
        signs = [text if paint is None else paint(text, role) for text, role in cells[cell]]
        before, behind = frames[cell]
        return before + between.join(signs) + behind + " " * (widths[cell % n] - lengths[cell])

    lines = [rule]
    for row in range(n):
        stacks = [range(row * n + k, row * n + k + wide) for k in range(0, n, wide)]
        inner = " | ".join(" ".join(map(written, stack)) for stack in stacks)
        lines.append(f"| {inner} |")
        if (row + 1) % high == 0:
            lines.append(rule)
    return "\n".join(lines)


def _brackets(candidates: int) -> tuple[str, str]:
    return ("(", ")") if candidates.bit_count() == 1 else ("", "")


def _signs(position: Position, cell: int, step: Step | None) -> list[tuple[str, Role]]:
    n = position.layout.order
    value = position.values[cell]
    if value:
        return [(sign(value, n), "filled")]
    candidates = [index + 1 for index in members(position.candidates[cell])]
    if not candidates:
        return [(sign(0, n), "candidate")]
    return [(sign(value, n), _role(cell, value, step)) for value in candidates]


def _role(cell: int, value: int, step: Step | None) -> Role:
    if step is None:
        return "candidate"
    if (cell, value) in step.placements:
        return "placed"
    if (cell, value) in step.eliminations:
        return "eliminated"
    return "rests" if cell in step.cells and value in step.values else "candidate"
