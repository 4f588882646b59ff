"""Rung 2: placing a value is the basic step; fewest candidates first.

From Mooney, *Sudoku Solver and Generator*; the same state and search stand in Developershell,
*Solving Sudoku*. What changed from the rung below: every empty cell remembers its candidates.
Placing a value works on a copy of the grid: the value leaves the candidates of all peers, a peer
without any is a contradiction, and a peer that is left with one is placed in turn. That recursion
is needed: of three cells {7 8} {7 9} {7 9}, placing 7 in the first leaves 9 in both others, and
only placing one of them finds the contradiction in the other. The search guesses in a cell with
the fewest candidates, and a callback that says whether to continue makes solving into counting.

The post's tuning steps are options. ``peers=recomputed`` looks for a cell's peers at every
placing, ``memo`` remembers them. ``copy=comprehension`` copies the grid value by value (the post's
LINQ), ``slices`` a block a cell; ``undo`` copies nothing, but notes the few cells that it changes
and puts them back: what the post names as the real solution and leaves undone.

``propagations`` counts placings.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from backends.ladder.meter import Found, Meter
from backends.ladder.units import Units, peers
from modelling.problem import Problem

Grid = list[list[int]]
"""The candidates of every cell, ascending."""

Peers = Callable[[int], tuple[int, ...]]


def by_comprehension(grid: Grid) -> Grid:
    """A deep copy, value by value."""
    return [[value for value in cell] for cell in grid]  # noqa: C416 (the slow way is the point)


def by_slices(grid: Grid) -> Grid:
    """A deep copy, cell by cell."""
    return [cell[:] for cell in grid]


COPIES: dict[str, Callable[[Grid], Grid]] = {
    "comprehension": by_comprehension,
    "slices": by_slices,
}


def place(
    grid: Grid, cell: int, value: int, peers_of: Peers, copy: Callable[[Grid], Grid], meter: Meter
) -> Grid | None:
    """A copy of ``grid`` with ``value`` in ``cell`` and all that tumbles from it; None: clash."""
    meter.propagations += 1
    if value not in grid[cell]:
        return None
    placed: Grid | None = copy(grid)
    assert placed is not None
    placed[cell] = [value]
    singles = []
    for peer in peers_of(cell):
        left = [candidate for candidate in placed[peer] if candidate != value]
        if not left:
            return None
        if len(left) == 1 < len(placed[peer]):
            singles.append((peer, left[0]))
        placed[peer] = left
    for peer, single in singles:
        placed = place(placed, peer, single, peers_of, copy, meter)
        if placed is None:
            return None
    return placed


Trail = list[tuple[int, list[int]]]
"""The cells that were changed and what they held before."""


def place_in(
    grid: Grid, cell: int, value: int, peers_of: Peers, trail: Trail, meter: Meter
) -> bool:
    """Like ``place``, but changes ``grid`` itself and writes it down; false on a clash."""
    meter.propagations += 1
    if value not in grid[cell]:
        return False
    trail.append((cell, grid[cell]))
    grid[cell] = [value]
    singles = []
    for peer in peers_of(cell):
        before = grid[peer]
        if value in before:
            left = [candidate for candidate in before if candidate != value]
            if not left:
                return False
            if len(left) == 1:
                singles.append((peer, left[0]))
            trail.append((peer, before))
            grid[peer] = left
    return all(place_in(grid, peer, single, peers_of, trail, meter) for peer, single in singles)


def undo(grid: Grid, trail: Trail, mark: int) -> None:
    """Put back every cell that was changed since the trail was ``mark`` long."""
    while len(trail) > mark:
        cell, before = trail.pop()
        grid[cell] = before


def working_cell(grid: Grid) -> int | None:
    """The first of the cells with the fewest candidates, at least two; None when all have one."""
    sizes = [len(cell) for cell in grid]
    fewest = min((size for size in sizes if size > 1), default=None)
    return None if fewest is None else sizes.index(fewest)


class Placing:
    """``peers_option`` is recomputed or memo; ``copy`` is comprehension, slices or undo."""

    def __init__(self, units: Units, peers_option: str = "memo", copy: str = "slices") -> None:
        def recomputed(cell: int) -> tuple[int, ...]:
            return peers(units.units, cell)

        self.peers_of: Peers = cache(recomputed) if peers_option == "memo" else recomputed
        self.copy = COPIES.get(copy)

    def search(self, problem: Problem, meter: Meter, found: Found) -> bool:
        domains = problem.domains()
        grid: Grid | None = [list(domain) for domain in domains]
        givens = [(cell, domain[0]) for cell, domain in enumerate(domains) if len(domain) == 1]
        if not meter.enter(0):
            return False
        trail: Trail = []
        for cell, value in givens:
            assert grid is not None
            grid = self._placed(grid, cell, value, trail, meter)
            if grid is None:
                meter.failures += 1
                return True
        assert grid is not None
        return self._solve(grid, 0, trail, meter, found)

    def _placed(self, grid: Grid, cell: int, value: int, trail: Trail, meter: Meter) -> Grid | None:
        if self.copy is not None:
            return place(grid, cell, value, self.peers_of, self.copy, meter)
        return grid if place_in(grid, cell, value, self.peers_of, trail, meter) else None

    def _solve(self, grid: Grid, depth: int, trail: Trail, meter: Meter, found: Found) -> bool:
        cell = working_cell(grid)
        if cell is None:
            return found(tuple([candidates[0] for candidates in grid]))
        mark = len(trail)
        for guess in grid[cell]:
            if not meter.enter(depth + 1):
                return False
            placed = self._placed(grid, cell, guess, trail, meter)
            if placed is None:
                meter.failures += 1
            elif not self._solve(placed, depth + 1, trail, meter, found):
                return False
            undo(grid, trail, mark)
        return True
