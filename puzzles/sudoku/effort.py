"""How hard a Sudoku is for a simple solver: a measure that is fixed, whatever solvers become.

Sets of hard puzzles are picked by it, so it must not change when a backend gets better. It is
therefore defined here by what is counted, not by a program. Whatever changes one of its values is
another measure and raises ``EFFORT_VERSION``.

Words
-----
closure     a grid's candidate sets, all values of an open cell at first, after these rules have
            been applied until none changes anything:
            naked single    a cell with one candidate takes it from the other cells of its units
            hidden single   a value with one place left in a unit is the only candidate there
contradiction  in the closure a cell has no candidate, or a value no place in a unit. The closure is
            the same whatever the order of the rules, because a set that has become smaller never
            lets a rule do less; so is the contradiction
tree        its root is the grid's closure. A node with a contradiction or without an open cell (one
            with more than one candidate) is a leaf. Any other branches on the first of its open
            cells with the fewest candidates, row by row: a child for each candidate, the closure
            of the node with that candidate alone in that cell
nodes       how many nodes the tree has, root and leaves included. All of it is counted, also after
            a solution: so the order in which values are tried is of no importance
view        the canonical form (``canonical``) under one of ``VIEWS`` fixed symmetries
effort      the mean of nodes over all views

Nodes depend on how the grid is turned, since "the first" cell does. Effort does not: isomorphic
puzzles have the same canonical form, so the same views.

Trees are searched depth first, in blocks of nodes of many puzzles side by side, so that memory is
bounded by the depth of the trees and not by the number of puzzles.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from modelling.errors import InputError
from puzzles.grid.layout import Layout
from puzzles.random_stream import Stream
from puzzles.sudoku.canonical import forms
from puzzles.sudoku.filling.propagating import is_open, propagate, sets_of, sizes
from puzzles.sudoku.symmetries import Symmetry, box_of, draw_symmetry, identity

EFFORT_VERSION = 1
VIEWS = 16
MOST_NODES = 1_000_000
"""A tree with more nodes is left."""

_VIEWS_SEED = 1
_BLOCK_CELLS = 1 << 18
"""A block has as many nodes as make about this many cells."""
_PORTION = 4096
"""Puzzles that are turned and counted between two reports of progress."""

SCREENED = (200, 20)
"""How many grids ``hardest`` keeps after the first round and the second, for each one wanted.

So 19 of the 20 hardest of 19,500 random minimal 9x9 puzzles are found."""
_FEW_VIEWS = 4

Progress = Callable[[int, int], None]
"""Told how much is done, of how much."""


def _silent(done: int, of: int) -> None:
    """No progress is shown."""


def nodes(layout: Layout, grids: np.ndarray, most: int = MOST_NODES) -> Any:
    """int64[N]: the nodes of each grid's tree as it is; -1: more than ``most``.

    ``grids`` is uint8[N, cells], 0 for a blank.
    """
    box_of(layout)
    width = max(1, _BLOCK_CELLS // layout.cells)
    counts = np.zeros(len(grids), np.int64)
    fresh = 0
    waiting: list[tuple[Any, Any]] = []  # blocks: sets[cells, K] and the number of each one's grid
    while waiting or fresh < len(grids):
        taken, size = [], 0
        while waiting and size < width:
            taken.append(waiting.pop())
            size += len(taken[-1][1])
        if size < width and fresh < len(grids):
            last = min(len(grids), fresh + width - size)
            taken.append((sets_of(layout, grids[fresh:last]), np.arange(fresh, last)))
            fresh = last
        sets = np.concatenate([block for block, _ in taken], axis=1)
        owner = np.concatenate([numbers for _, numbers in taken])
        if len(owner) > width:
            waiting.append((sets[:, width:].copy(), owner[width:]))
            sets, owner = sets[:, :width].copy(), owner[:width]
        np.add.at(counts, owner, 1)
        sound = propagate(layout, sets)
        inner = sound & is_open(sets).any(axis=0) & (counts[owner] <= most)
        if inner.any():
            waiting.append(_children(layout, sets[:, inner], owner[inner]))
    return np.where(counts > most, -1, counts)


def _children(layout: Layout, sets: Any, owner: Any) -> tuple[Any, Any]:
    """The children of nodes that have open cells, before their closure."""
    number = sizes(sets)
    number[number == 1] = layout.order + 1
    cell = number.argmin(axis=0)
    one = sets.dtype.type(1)
    candidates = sets[cell, np.arange(len(owner))][:, None]
    values = np.arange(layout.order, dtype=sets.dtype)
    parent, value = np.nonzero(candidates >> values & one)
    children = sets[:, parent]
    children[cell[parent], np.arange(len(parent))] = one << values[value]
    return children, owner[parent]


@lru_cache(maxsize=16)
def views(layout: Layout) -> tuple[Symmetry, ...]:
    """The symmetries under which the canonical form is searched."""
    return tuple(draw_symmetry(layout, Stream(_VIEWS_SEED, view)) for view in range(VIEWS))


def effort(
    layout: Layout, grids: np.ndarray, most: int = MOST_NODES, progress: Progress = _silent
) -> Any:
    """float64[N]: the effort of each grid; infinite where a view has more than ``most`` nodes.

    ``grids`` is uint8[N, cells]. Raises ``InstanceError`` where ``canonical.forms`` does: for
    givens that clash, and for large grids whose form would be too much work to find.
    """

    def measured(part: np.ndarray) -> Any:
        return _mean_nodes(layout, forms(layout, part), views(layout), most)

    return _by_portions(measured, grids, np.empty(len(grids)), progress)


def hardest(
    layout: Layout, grids: np.ndarray, number: int, progress: Progress = _silent
) -> tuple[Any, Any]:
    """int64[number], float64[number]: the grids with the most effort, hardest first, and how much.

    Effort is not measured for all. Those with the most nodes are kept, of these the
    ones with the most nodes in the mean of a few views (``SCREENED``), equal ones in their order.
    Raises ``InputError`` for more than there are. ``progress`` is called for each round by itself.
    """
    if not 0 <= number <= len(grids):
        raise InputError(f"the hardest {number} of {len(grids)} grids: there are not as many")

    def means(seen: tuple[Symmetry, ...], of: np.ndarray) -> Any:
        return _by_portions(
            lambda part: _mean_nodes(layout, part, seen, MOST_NODES),
            of,
            np.empty(len(of)),
            progress,
        )

    wide, narrow = (times * number for times in SCREENED)
    kept = _most(means((identity(layout),), grids), wide)
    form = _by_portions(
        lambda part: forms(layout, part), grids[kept], np.empty_like(grids[kept]), progress
    )
    better = _most(means(views(layout)[:_FEW_VIEWS], form), narrow)
    found = means(views(layout), form[better])
    first = np.argsort(-found, kind="stable")[:number]
    return kept[better][first], found[first]


def _most(measured: np.ndarray, number: int) -> np.ndarray:
    """int64[number]: the places of the largest, ascending; of equal ones the first."""
    return np.sort(np.argsort(-measured, kind="stable")[:number])


def _mean_nodes(layout: Layout, grids: np.ndarray, seen: tuple[Symmetry, ...], most: int) -> Any:
    """float64[N]: the mean of the nodes of every grid's images."""
    turned = np.concatenate([symmetry.images(grids) for symmetry in seen])
    each = nodes(layout, turned, most).reshape(len(seen), -1)
    return np.where((each < 0).any(axis=0), np.inf, each.mean(axis=0))


def _by_portions(
    measure: Callable[[np.ndarray], Any], grids: np.ndarray, found: np.ndarray, progress: Progress
) -> Any:
    """``found``, filled with what ``measure`` says of some grids after the other."""
    for first in range(0, len(grids), _PORTION):
        part = grids[first : first + _PORTION]
        found[first : first + len(part)] = measure(part)
        progress(first + len(part), len(grids))
    return found
