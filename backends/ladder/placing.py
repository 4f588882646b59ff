"""Rung 2: placing a value is the basic step; fewest candidates first.

From Mooney, *Sudoku Solver and Generator*; Developershell, *Solving Sudoku*, has the same state and
search. What changed from the rung below: every empty cell remembers its candidates.
Placing a value works on a copy of the grid: the value leaves the candidates of all peers, a peer
without any is a contradiction, and a peer that is left with one is placed in turn. That recursion
is needed: of three cells {7 8} {7 9} {7 9}, placing 7 in the first leaves 9 in both others, and
only placing one of them finds the contradiction in the other. The search guesses in a cell with
the fewest candidates, and a callback that says whether to continue makes solving into counting.

The post's tuning steps are in it: peers are looked for once, and a grid is copied cell by cell (the
post began with a copy value by value, by LINQ).

``propagations`` counts placings.
"""

from __future__ import annotations

from collections.abc import Sequence

from backends.ladder.meter import Found, Meter
from backends.ladder.units import Units
from modelling.problem import Problem

Grid = list[list[int]]
"""The candidates of every cell, ascending."""

Peers = Sequence[Sequence[int]]
"""The peers of each cell."""


def place(grid: Grid, cell: int, value: int, peers: Peers, meter: Meter) -> Grid | None:
    """A copy of ``grid`` with ``value`` in ``cell`` and all that tumbles from it; None: clash."""
    meter.propagations += 1
    if value not in grid[cell]:
        return None
    placed: Grid | None = [candidates[:] for candidates in grid]
    assert placed is not None
    placed[cell] = [value]
    singles = []
    for peer in peers[cell]:
        left = [candidate for candidate in placed[peer] if candidate != value]
        if not left:
            return None
        if len(left) == 1 < len(placed[peer]):
            singles.append((peer, left[0]))
        placed[peer] = left
    for peer, single in singles:
        placed = place(placed, peer, single, peers, meter)
        if placed is None:
            return None
    return placed


def working_cell(grid: Grid) -> int | None:
    """The first of the cells with the fewest candidates, at least two; None when all have one."""
    sizes = [len(cell) for cell in grid]
    fewest = min((size for size in sizes if size > 1), default=None)
    return None if fewest is None else sizes.index(fewest)


class Placing:
    """See the top of this file."""

    def __init__(self, units: Units) -> None:
        self.peers = units.peers

    def search(self, problem: Problem, meter: Meter, found: Found) -> bool:
        domains = problem.domains()
        grid: Grid | None = [list(domain) for domain in domains]
        givens = [(cell, domain[0]) for cell, domain in enumerate(domains) if len(domain) == 1]
        if not meter.enter(0):
            return False
        for cell, value in givens:
            assert grid is not None
            grid = place(grid, cell, value, self.peers, meter)
            if grid is None:
                meter.failures += 1
                return True
        assert grid is not None
        return self._solve(grid, 0, meter, found)

    def _solve(self, grid: Grid, depth: int, meter: Meter, found: Found) -> bool:
        cell = working_cell(grid)
        if cell is None:
            return found(tuple([candidates[0] for candidates in grid]))
        for guess in grid[cell]:
            if not meter.enter(depth + 1):
                return False
            placed = place(grid, cell, guess, self.peers, meter)
            if placed is None:
                meter.failures += 1
            elif not self._solve(placed, depth + 1, meter, found):
                return False
        return True
