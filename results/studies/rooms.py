"""Draws the rooms of the code and their imports: docs/pictures/rooms.svg.

``python -m results.studies.rooms`` writes the picture. An arrow leads from a room to one that it
imports, unless a path over other rooms says the same (the transitive reduction of the imports); so
each row imports rows below it only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from html import escape
from pathlib import Path

import grimp

PACKAGES = ("modelling", "puzzles", "backends", "harness", "results")
PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "rooms.svg"
OWN_ROOMS = {
    "harness": [
        *("cli", "advise", "report", "runs", "judge", "streams", "examination", "supervise"),
        *("environments", "hunting", "store", "plan"),
    ],
    "backends": ["interface", "conformance"],
    "modelling": ["formats", "expressions"],
}
"""The folders of a package that are drawn alone; its other modules are one room."""

REST = {
    "harness": "harness: records, machine",
    "backends": "backends: the solvers",
    "puzzles": "puzzles: families, sets, generators",
    "modelling": "modelling: vocabulary, rewriting, problem",
}
WIDTH, HEIGHT, GAP, ROW, MARGIN = 150, 34, 16, 74, 20
COLOURS = {"results": "#e8e0f0", "harness": "#dfeaf7", "backends": "#e3f2e1", "puzzles": "#fdf0d5",
           "modelling": "#f9e0dd"}  # fmt: skip

Edges = dict[str, set[str]]


def find_room(module: str) -> str | None:
    """The room of a module; None for the packages' own `__init__` files."""
    package, *rest = module.split(".")
    if not rest:
        return None
    if package == "results":
        return "results.studies"
    own = rest[0] in OWN_ROOMS.get(package, ())
    return f"{package}.{rest[0]}" if own else REST[package]


def find_imports() -> Edges:
    """Room -> the rooms that it imports."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    edges: Edges = {}
    for module in sorted(graph.modules):
        room = find_room(module)
        if room is None:
            continue
        found = {find_room(one) for one in graph.find_modules_directly_imported_by(module)}
        edges.setdefault(room, set()).update(one for one in found if one and one != room)
    return edges


def measure_heights(edges: Edges) -> dict[str, int]:
    """Room -> the length of the longest path down from it. Raises ``ValueError`` for a circle."""

    @cache
    def climb(room: str, above: tuple[str, ...] = ()) -> int:
        if room in above:
            raise ValueError(f"rooms import each other: {' -> '.join((*above, room))}")
        return max([1 + climb(one, (*above, room)) for one in sorted(edges[room])], default=0)

    return {room: climb(room) for room in edges}


def reduce(edges: Edges) -> Iterator[tuple[str, str]]:
    """The imports that no path over other rooms implies."""

    def reach(room: str) -> set[str]:
        return edges[room].union(*(reach(one) for one in edges[room]))

    for room in sorted(edges):
        implied = set().union(*(reach(one) for one in edges[room]))
        for target in sorted(edges[room] - implied):
            yield room, target


def place(heights: dict[str, int]) -> dict[str, tuple[float, float]]:
    """Room -> the left upper corner of its box, in pixels: a row for each height, centred."""
    rows: dict[int, list[str]] = {}
    for room in sorted(heights):
        rows.setdefault(heights[room], []).append(room)
    widest = max(sum(measure_width(room) + GAP for room in row) for row in rows.values())
    corners: dict[str, tuple[float, float]] = {}
    for height, row in rows.items():
        x = MARGIN + (widest - sum(measure_width(room) + GAP for room in row)) / 2
        for room in row:
            corners[room] = (x, MARGIN + (max(rows) - height) * ROW)
            x += measure_width(room) + GAP
    return corners


def measure_width(room: str) -> float:
    """The width of a room's box, in pixels."""
    return max(WIDTH, 7.2 * len(room) + 20)


def draw(edges: Edges) -> str:
    """The picture, as SVG."""
    corners = place(measure_heights(edges))
    right = max(x + measure_width(room) for room, (x, _) in corners.items()) + MARGIN
    bottom = max(y for _, y in corners.values()) + HEIGHT + MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right:.0f} {bottom:.0f}" '
            'font-family="sans-serif" font-size="13">',
            '<rect width="100%" height="100%" fill="white"/>',
            '<marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" '
            'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#777"/></marker>',
            *draw_arrows(reduce(edges), corners),
            *draw_boxes(corners),
            "</svg>",
            "",
        ]
    )


def draw_arrows(
    pairs: Iterable[tuple[str, str]], corners: dict[str, tuple[float, float]]
) -> Iterator[str]:
    """A line from the lower edge of each room to the upper edge of the one that it imports."""
    for room, target in pairs:
        (x, y), (to_x, to_y) = corners[room], corners[target]
        x, to_x = x + measure_width(room) / 2, to_x + measure_width(target) / 2
        y += HEIGHT
        yield (
            f'<path d="M{x:.0f} {y}C{x:.0f} {y + 30} {to_x:.0f} {to_y - 30} {to_x:.0f} {to_y}" '
            'fill="none" stroke="#777" marker-end="url(#tip)"/>'
        )


def draw_boxes(corners: dict[str, tuple[float, float]]) -> Iterator[str]:
    """A box with its name for each room."""
    for room, (x, y) in corners.items():
        width = measure_width(room)
        colour = COLOURS[room.split(".")[0].split(":")[0]]
        yield (
            f'<rect x="{x:.0f}" y="{y}" width="{width:.0f}" height="{HEIGHT}" rx="5" '
            f'fill="{colour}" stroke="#555"/><text x="{x + width / 2:.0f}" y="{y + 22}" '
            f'text-anchor="middle">{escape(room)}</text>'
        )


if __name__ == "__main__":
    PICTURE.write_text(draw(find_imports()), encoding="utf-8")
