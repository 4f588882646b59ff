"""Maps of 80 columns: cities by their numbers, and the ways of a tour between them."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

COLUMNS, ROWS = 76, 24
"""The most that a map is wide and high; a column is half as wide as a row is high."""


def draw_map(points: Sequence[tuple[float, float]], tour: Sequence[int] | None) -> str:
    """Cities where they are, x to the right and y upwards; the ways of the tour as dots."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    longest = len(str(len(points)))
    scale = min(
        (COLUMNS - longest) / wide if wide else float("inf"),
        2 * (ROWS - 1) / high if high else float("inf"),
    )
    scale = 1.0 if scale == float("inf") else scale
    places = [(round((max(ys) - y) * scale / 2), round((x - min(xs)) * scale)) for x, y in points]
    rows = [[" "] * COLUMNS for _ in range(1 + max(row for row, _ in places))]
    for one, other in zip(tour or (), [*(tour or ())[1:], *(tour or ())[:1]], strict=True):
        for row, column in _line(places[one], places[other]):
            rows[row][column] = "."
    for city, (row, column) in reversed(list(enumerate(places, 1))):
        rows[row][column : column + len(str(city))] = str(city)
    return "\n".join("".join(row).rstrip() for row in rows)


def _line(one: tuple[int, int], other: tuple[int, int]) -> list[tuple[int, int]]:
    """The places on the straight way between two."""
    steps = max(abs(one[0] - other[0]), abs(one[1] - other[1]), 1)
    return [
        (
            round(one[0] + (other[0] - one[0]) * k / steps),
            round(one[1] + (other[1] - one[1]) * k / steps),
        )
        for k in range(steps + 1)
    ]


def fold_words(words: Sequence[str]) -> str:
    """Words in lines of 80 columns."""
    return textwrap.fill(" ".join(words), 80, break_long_words=False)
