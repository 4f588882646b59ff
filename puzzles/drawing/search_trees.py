"""Search trees as pictures: what was tried below what, and what became of it.

Leaves lie side by side in the order in which they were visited, and a node above the middle of its
children. A dot is a node, an orange one a failure, a green box a solution.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from modelling.errors import InputError
from modelling.wording import plural
from puzzles.pictures import FAINT, INK, Picture, Svg

FAILED, SOLUTION = "#d55e00", "#009e73"
MOST_LEAVES = 24
"""Nodes are labelled up to this many leaves."""

WIDE, HIGH = 860.0, 420.0
"""Pixels that a tree takes at most, if its leaves are not too many for that."""


class TreeNode(NamedTuple):
    """A node: the position of its parent, before it, None for the root; what was tried there."""

    parent: int | None
    label: str = ""
    fate: Literal["open", "failed", "solution"] = "open"


class SearchTree:
    """The nodes of a search in the order of their visits. A notebook shows it as a picture.

    ``is_cut`` says that the search did not end with the last node.
    """

    def __init__(
        self, nodes: Sequence[TreeNode | tuple[int | None, str, str]], is_cut: bool = False
    ) -> None:
        self.nodes = tuple(TreeNode(*node) for node in nodes)
        self.is_cut = is_cut

    def count(self, fate: str) -> int:
        """How many nodes are ``open``, ``failed`` or a ``solution``."""
        return sum(node.fate == fate for node in self.nodes)

    @property
    def depth(self) -> int:
        """The most values that were tried below one another."""
        return max(_find_depths(self.nodes), default=0)

    def __repr__(self) -> str:
        failures, solutions = self.count("failed"), self.count("solution")
        return (
            f"{plural(len(self.nodes), 'node')}{' so far' if self.is_cut else ''}, "
            f"{plural(failures, 'failure')}, {plural(solutions, 'solution')}, depth {self.depth}"
        )

    def _repr_svg_(self) -> str:
        return draw_tree(self.nodes).svg()

    def save(self, path: Path | str) -> None:
        """Write it as a file, over one that is there. Raises ``OSError``."""
        Svg(self._repr_svg_()).save(path)


def read_trace(path: Path | str) -> SearchTree:
    """Read a search tree from lines of JSON, as docs/engine.md describes them.

    Raises ``InputError``, which names the line that is not one of these.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    if not lines:
        raise InputError(f"{path}: the file is empty; it should have a search tree")
    header, *nodes = [
        _read_line(line, f"{path}:{number}", _Search if number == 1 else _Node)
        for number, line in enumerate(lines, 1)
    ]
    for number, node in enumerate(nodes):
        if node.parent is not None and not 0 <= node.parent < number:
            raise InputError(
                f"{path}:{number + 2}: the parent {node.parent} is not a node before this one"
            )
    return SearchTree([_label_node(node) for node in nodes], header.nodes > len(nodes))


class _Search(msgspec.Struct):
    """The first line: the version of the format, and how many nodes the search visited."""

    trace: Literal[1]
    nodes: int


class _Node(msgspec.Struct):
    """Any other line: what the variable takes or excludes below the parent."""

    parent: int | None = None
    variable: str = ""
    takes: int | None = None
    excludes: int | None = None
    fate: Literal["open", "failed", "solution"] = "open"


def _read_line(line: str, place: str, kind: type[Any]) -> Any:
    try:
        return msgspec.json.decode(line, type=kind)
    except msgspec.DecodeError as error:
        raise InputError(f"{place}: no line of a search tree: {error}") from None


def _label_node(node: _Node) -> TreeNode:
    label = ""
    if node.takes is not None:
        label = f"{node.variable}={node.takes}"
    elif node.excludes is not None:
        label = f"{node.variable}≠{node.excludes}"
    return TreeNode(node.parent, label, node.fate)


def draw_tree(nodes: Sequence[TreeNode]) -> Picture:
    """The picture; labels where the leaves are few."""
    made = Picture()
    depths, across, leaves = _find_depths(nodes), *_spread(nodes)
    unit = min(44.0, WIDE / max(1, leaves))
    level = min(48.0, max(9.0, HIGH / max(1, max(depths, default=0))))
    places = [(x * unit, depth * level) for x, depth in zip(across, depths, strict=True)]
    labelled = leaves <= MOST_LEAVES
    radius = 4.0 if labelled else max(1.2, min(3.0, unit / 2))
    for node, place in zip(nodes, places, strict=True):
        if node.parent is not None:
            made.line([places[node.parent], place], 1, FAINT)
    for node, (x, y) in zip(nodes, places, strict=True):
        if node.fate == "solution":
            made.box(x - radius - 1, y - radius - 1, 2 * radius + 2, 2 * radius + 2, SOLUTION)
        else:
            ink = FAILED if node.fate == "failed" else INK
            made.dot(x, y, radius, ink, ink)
        if labelled and node.label:
            made.text(x, y + radius + 8, node.label, 10)
    return made


def _find_depths(nodes: Sequence[TreeNode]) -> list[int]:
    depths: list[int] = []
    for node in nodes:
        depths.append(0 if node.parent is None else depths[node.parent] + 1)
    return depths


def _spread(nodes: Sequence[TreeNode]) -> tuple[list[float], int]:
    """Where each node lies from left to right, in leaves, and how many leaves there are."""
    children: list[list[int]] = [[] for _ in nodes]
    for number, node in enumerate(nodes):
        if node.parent is not None:
            children[node.parent].append(number)
    # Leaves in the order of a walk that is depth first: the order of the visits.
    across, leaves = [0.0] * len(nodes), 0
    for number in range(len(nodes)):
        if not children[number]:
            across[number] = leaves
            leaves += 1
    for number in reversed(range(len(nodes))):
        if children[number]:
            found = [across[child] for child in children[number]]
            across[number] = (found[0] + found[-1]) / 2
    return across, leaves
