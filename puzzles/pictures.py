"""Pictures as SVG: shapes on white paper, and the kinds of pictures that families are drawn as.

A family says what is where (``puzzles.family.Pictured``); how cells, bars, graphs, maps and
rulers look is defined here, once. All text is escaped. Lengths are pixels; a picture is as large as
its content.

Words
-----
cell        of a board, counted from 0, row by row
bar         what lies between two places of a row, with a label and the number of its colour
"""

from __future__ import annotations

import colorsys
import math
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

INK, FAINT, PAPER, NEW, SHADE = "#222222", "#b0b0b0", "#ffffff", "#1f5fa8", "#e8e8e8"
"""The colours of lines and of what is given, of what matters less, of the ground, of what was
found, and of fields."""
CELL, MARGIN = 34, 10
WIDTH, MAP = 560, 440
"""The widths of bars and rulers, and of maps."""
MOST_LABELS = 80
"""The points of a picture are labelled up to this many."""

Point = tuple[float, float]


class Bar(NamedTuple):
    """From ``start`` to ``end`` of a row."""

    start: int
    end: int
    label: str
    colour: int


def colour_of(number: int) -> str:
    """A light colour for each number from 0, neighbours far apart."""
    hue, light = number * 0.381966 % 1, (0.80, 0.70, 0.87)[number // 8 % 3]
    parts = colorsys.hls_to_rgb((hue + 0.58) % 1, light, 0.62)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


def ink_of(number: int) -> str:
    """A colour for lines and small marks for each number from 0."""
    hue = (number * 0.381966 + 0.58) % 1
    parts = colorsys.hls_to_rgb(hue, 0.42, 0.7)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


class Svg(str):
    """A picture as text, which a notebook shows."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, path: Path | str) -> None:
        """Write it as a file, over one that is there. Raises ``OSError``."""
        Path(path).write_text(f"{self}\n", encoding="utf-8", newline="\n")


class Picture:
    """Shapes, drawn one over the other; x goes to the right, y downwards."""

    def __init__(self) -> None:
        self._shapes: list[str] = []
        self._xs, self._ys = [0.0], [0.0]

    def box(
        self, x: float, y: float, wide: float, high: float, fill: str = "none", line: str = "none"
    ) -> None:
        """A rectangle by its upper left corner."""
        self._reach((x, x + wide), (y, y + high))
        size = f'x="{_n(x)}" y="{_n(y)}" width="{_n(wide)}" height="{_n(high)}"'
        self._shapes.append(f'<rect {size} fill="{fill}" stroke="{line}"/>')

    def line(
        self,
        points: Sequence[Point],
        width: float = 1,
        ink: str = INK,
        fill: str = "none",
        dashed: bool = False,
    ) -> None:
        """Straight from point to point; filled, it is closed."""
        self._reach([x for x, _ in points], [y for _, y in points])
        stated = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
        look = f'fill="{fill}" stroke="{ink}" stroke-width="{_n(width)}"'
        look += ' stroke-dasharray="4 3"' if dashed else ""
        kind = "polyline" if fill == "none" else "polygon"
        self._shapes.append(f'<{kind} points="{stated}" {look} stroke-linejoin="round"/>')

    def dot(self, x: float, y: float, radius: float, fill: str = INK, line: str = INK) -> None:
        """A circle."""
        self._reach((x - radius, x + radius), (y - radius, y + radius))
        place = f'cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}"'
        self._shapes.append(f'<circle {place} fill="{fill}" stroke="{line}"/>')

    def text(
        self,
        x: float,
        y: float,
        stated: object,
        size: float = 16,
        ink: str = INK,
        anchor: str = "middle",
        bold: bool = False,
        font: str = "sans-serif",
    ) -> None:
        """Text whose middle is at this height; ``anchor`` is its start, middle or end."""
        words = str(stated)
        if not words.strip():
            return
        wide = 0.62 * size * len(words)
        left = x - {"start": 0, "middle": wide / 2, "end": wide}[anchor]
        self._reach((left, left + wide), (y - size / 2, y + size / 2))
        look = f'font-family="{font}" font-size="{_n(size)}" text-anchor="{anchor}" fill="{ink}"'
        look += ' font-weight="bold"' if bold else ""
        from html import escape  # not at the start of every worker

        shown = escape("".join(sign if sign.isprintable() else "\ufffd" for sign in words))
        shown = shown.replace(" ", "\u00a0")
        self._shapes.append(f'<text x="{_n(x)}" y="{_n(y + 0.35 * size)}" {look}>{shown}</text>')

    def svg(self) -> str:
        """The picture as one line of SVG, which is an XML document and may be part of HTML."""
        x, y = min(self._xs) - MARGIN, min(self._ys) - MARGIN
        wide, high = max(self._xs) - x + MARGIN, max(self._ys) - y + MARGIN
        size = f'viewBox="{_n(x)} {_n(y)} {_n(wide)} {_n(high)}"'
        size += f' width="{_n(wide)}" height="{_n(high)}"'
        ground = f'<rect x="{_n(x)}" y="{_n(y)}" width="100%" height="100%" fill="{PAPER}"/>'
        shapes = "".join(self._shapes)
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{ground}{shapes}</svg>'

    def _reach(self, xs: Sequence[float], ys: Sequence[float]) -> None:
        self._xs += [min(xs), max(xs)]
        self._ys += [min(ys), max(ys)]


def _n(number: float) -> str:
    return f"{round(number, 1):g}"


def draw_text(text: str) -> Picture:
    """A drawing of text, as it is."""
    made = Picture()
    for row, line in enumerate(text.splitlines()):
        made.text(0, 18 * row + 9, line, 14, anchor="start", font="monospace")
    return made


def draw_cells(
    rows: int,
    columns: int,
    shown: Mapping[int, object],
    given: Collection[int] | None = None,
    fills: Mapping[int, str] | None = None,
    box: tuple[int, int] | None = None,
    wide: float = CELL,
) -> Picture:
    """A board: the signs in its cells, colours of cells, and thick lines around boxes of ``box``
    rows and columns. Where some cells are given, these are bold, and the others are new."""
    made = Picture()
    for cell, fill in (fills or {}).items():
        made.box(cell % columns * wide, cell // columns * CELL, wide, CELL, fill)
    rule_cells(made, rows, columns, box or (rows, columns), wide, CELL)
    for cell, stated in shown.items():
        x, y = (cell % columns + 0.5) * wide, (cell // columns + 0.5) * CELL
        size = 18 if len(str(stated)) < 3 or wide > CELL else 13
        bold = given is not None and cell in given
        made.text(x, y, stated, size, INK if bold or given is None else NEW, bold=bold)
    return made


def rule_cells(
    made: Picture, rows: int, columns: int, box: tuple[int, int], wide: float, high: float
) -> None:
    """The lines of a board; those around boxes are thick, and lie above."""
    across, down = columns * wide, rows * high
    for thick in (False, True):
        look = _line_of(thick)
        for r in range(rows + 1):
            if (r % box[0] == 0 or r == rows) == thick:
                made.line([(0, r * high), (across, r * high)], *look)
        for c in range(columns + 1):
            if (c % box[1] == 0 or c == columns) == thick:
                made.line([(c * wide, 0), (c * wide, down)], *look)


def _line_of(thick: bool) -> tuple[float, str]:
    return (2, INK) if thick else (1, FAINT)


def draw_pattern(rows: int, columns: int, filled: Collection[int]) -> Picture:
    """A board of which some cells are filled."""
    return draw_cells(rows, columns, {}, fills=dict.fromkeys(filled, NEW))


def draw_queen(made: Picture, column: int, row: int, ink: str) -> None:
    """A crown in a cell of a board."""
    crown = (
        (0.2, 0.75),
        (0.12, 0.35),
        (0.33, 0.52),
        (0.5, 0.2),
        (0.67, 0.52),
        (0.88, 0.35),
        (0.8, 0.75),
    )
    made.line([((column + x) * CELL, (row + y) * CELL) for x, y in crown], 1, ink, ink)


def draw_less(made: Picture, less: tuple[int, int], more: tuple[int, int]) -> None:
    """A sign between two neighbours, each by row and column, that points to the smaller value."""
    (y0, x0), (y1, x1) = less, more
    dx, dy = (x1 - x0) * CELL / 7, (y1 - y0) * CELL / 7
    x, y = (x0 + x1 + 1) * CELL / 2, (y0 + y1 + 1) * CELL / 2
    ends = [(x + dx / 2 - dy, y + dy / 2 - dx), (x - dx / 2, y - dy / 2)]
    ends.append((x + dx / 2 + dy, y + dy / 2 + dx))
    made.line(ends, 5, PAPER)
    made.line(ends, 2)


def draw_row(values: Sequence[object], colours: Sequence[int], columns: int = 20) -> Picture:
    """A sequence in rows of this many cells, each in the colour of its number."""
    columns = min(columns, len(values))
    fills = {k: colour_of(number) for k, number in enumerate(colours)}
    return draw_cells(-(-len(values) // columns), columns, dict(enumerate(values)), fills=fills)


def draw_table(rows: Sequence[Sequence[object]], heads: Sequence[object] = ()) -> Picture:
    """Text in rows and columns, with a head on the left of each row."""
    columns = max(map(len, rows))
    longest = max((len(str(stated)) for row in rows for stated in row), default=1)
    shown = {r * columns + c: stated for r, row in enumerate(rows) for c, stated in enumerate(row)}
    made = draw_cells(len(rows), columns, shown, wide=max(CELL, 10 * longest + 14))
    for r, head in enumerate(heads):
        made.text(-8, (r + 0.5) * CELL, head, 14, anchor="end")
    return made


def draw_bars(
    rows: Sequence[tuple[str, Sequence[Bar]]], end: int, mark: int | None = None
) -> Picture:
    """Rows of bars over a scale from 0 to ``end``; with ``mark``, a dashed line there."""
    made = Picture()
    last = max(1, end, mark or 0)
    unit = WIDTH / last
    for r, (label, bars) in enumerate(rows):
        top = r * CELL
        made.text(-8, top + CELL / 2, label, 14, anchor="end")
        for bar in bars:
            long = (bar.end - bar.start) * unit
            made.box(bar.start * unit, top + 4, long, CELL - 8, colour_of(bar.colour), INK)
            if long > 9 * len(bar.label):
                made.text((bar.start + bar.end) / 2 * unit, top + CELL / 2, bar.label, 14)
    bottom = len(rows) * CELL
    made.line([(0, 0), (0, bottom), (WIDTH, bottom)], 1, INK)
    for place in _ticks(last):
        made.line([(place * unit, bottom), (place * unit, bottom + 5)])
        made.text(place * unit, bottom + 16, place, 12)
    if mark is not None:
        made.line([(mark * unit, 0), (mark * unit, bottom)], 2, NEW, dashed=True)
    return made


def _ticks(end: int) -> list[int]:
    """About ten places of a scale, the end among them."""
    step = next(m * 10**p for p in range(20) for m in (1, 2, 5) if 10 * m * 10**p >= end)
    return [*range(0, end - step // 2, step), end]


def draw_ruler(marks: Sequence[int]) -> Picture:
    """Marks on a ruler, with the distances between neighbours."""
    made = Picture()
    unit = WIDTH / max(1, *marks)
    made.line([(0, 0), (max(marks) * unit, 0)], 2)
    for mark in marks:
        made.line([(mark * unit, -16), (mark * unit, 0)], 2)
        made.text(mark * unit, 12, mark, 13)
    for one, other in pairwise(sorted(marks)):
        if (other - one) * unit > 14:
            made.text((one + other) / 2 * unit, -8, other - one, 11, NEW)
    return made


def draw_map(points: Sequence[Point], tour: Sequence[int] = ()) -> Picture:
    """Points, y upwards, and the way through them all and back."""
    made = Picture()
    xs, ys = [x for x, _ in points], [y for _, y in points]
    scale = MAP / (max(max(xs) - min(xs), max(ys) - min(ys)) or 1)
    places = [((x - min(xs)) * scale, (max(ys) - y) * scale) for x, y in points]
    if tour:
        made.line([places[city] for city in (*tour, tour[0])], 2, NEW)
    _put_points(made, places, range(1, len(points) + 1), [SHADE] * len(points))
    return made


def draw_graph(
    names: Sequence[object],
    edges: Sequence[tuple[int, int]],
    fills: Sequence[str],
    inks: Sequence[str] = (),
) -> Picture:
    """Vertices, from 0, around a circle, and their edges, which may have colours of their own."""
    made = Picture()
    n = len(names)
    radius = max(90, min(9 * n, WIDTH / 2)) if n > 1 else 0
    turns = [2 * math.pi * k / n for k in range(n)]
    places = [(radius * math.sin(turn), -radius * math.cos(turn)) for turn in turns]
    for (one, other), ink in zip(edges, inks or [FAINT] * len(edges), strict=True):
        made.line([places[one], places[other]], 2 if inks else 1, ink)
    _put_points(made, places, names, fills)
    return made


def _put_points(
    made: Picture, places: Sequence[Point], names: Sequence[object], fills: Sequence[str]
) -> None:
    labelled = len(places) <= MOST_LABELS
    for (x, y), name, fill in zip(places, names, fills, strict=True):
        made.dot(x, y, 12 if labelled else 5, fill)
        if labelled:
            made.text(x, y, name, 12)
