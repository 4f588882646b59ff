"""Gantt charts of 80 columns: a row for each machine or task, time from left to right.

Words
-----
bar       what runs in a row, from when to when, and the sign that it is drawn with
cell      a column of the chart; it stands for one or more units of time
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

COLUMNS = 80
SIGNS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""The first 61 jobs; then the signs come again."""


class Bar(NamedTuple):
    """Runs from ``start`` up to and without ``end``."""

    start: int
    end: int
    sign: str


def sign_of(number: int) -> str:
    """The sign of a job, from 0."""
    return SIGNS[number % len(SIGNS)]


def draw_gantt(rows: Sequence[tuple[str, Sequence[Bar]]], end: int) -> str:
    """The rows, each after its label, over a scale of time; a dot where nothing runs."""
    labels = max((len(label) for label, _ in rows), default=0)
    unit = find_unit(end, labels)
    drawn = [
        f"{label:>{labels}} {''.join(_fill(bars, unit, -(-end // unit)))}".rstrip()
        for label, bars in rows
    ]
    return "\n".join([*drawn, _scale(labels, end, unit)])


def find_unit(end: int, labels: int) -> int:
    """How much time a cell stands for, beside labels so long."""
    return max(1, -(-end // (COLUMNS - labels - 1)))


def _fill(bars: Sequence[Bar], unit: int, cells: int) -> list[str]:
    """In each cell the sign of the bar that runs there for longest; bars are never quite lost."""
    longest = [(0, ".")] * cells
    for start, end, sign in bars:
        for cell in range(start // unit, -(-end // unit)):
            runs = min(end, (cell + 1) * unit) - max(start, cell * unit)
            if runs > longest[cell][0]:
                longest[cell] = runs, sign
    return [sign for _, sign in longest]


def _scale(labels: int, end: int, unit: int) -> str:
    """Times below the cells in which they begin, at equal distances; then the end of the chart."""
    cells = -(-end // unit)
    line = [" "] * cells
    last = str(end)
    for cell in range(0, cells, 10):
        given = str(cell * unit)
        if cell + len(given) < cells - len(last):
            line[cell : cell + len(given)] = given
    if len(last) <= cells:
        line[cells - len(last) :] = last
    return f"{'':{labels}} {''.join(line)}" + ("" if len(last) <= cells else last)
