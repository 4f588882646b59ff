"""A position: which cells are filled, and which candidates the empty ones have left.

Words
-----
candidate   a value that an empty cell may still get
places      of a value: the set of empty cells that have it as a candidate

Sets of cells and of values are integers, see ``board``. Positions never change; ``after`` makes
the next one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from modelling.errors import InstanceError, ModelError
from puzzles.grid.clashes import clash, describe_clash
from puzzles.grid.layout import Layout, cell_name, unit_name
from puzzles.grid.symbols import sign
from puzzles.sudoku.grading.board import Pair, board, members


@dataclass(frozen=True, slots=True)
class Position:
    """``values[cell]`` is 0 where it is empty; ``candidates[cell]`` is a value set, 0 where filled.

    ``places[value - 1]`` is a cell set. Make one with ``start`` or ``from_candidates``.
    """

    layout: Layout
    values: tuple[int, ...]
    candidates: tuple[int, ...]
    places: tuple[int, ...]

    @property
    def solved(self) -> bool:
        """Whether every cell is filled (then by the rules: only candidates are ever placed)."""
        return 0 not in self.values

    def after(self, placements: Iterable[Pair], eliminations: Iterable[Pair]) -> Position:
        """The position with these placements, whose peers lose the value, and eliminations.

        Raises ``ModelError`` for what is not a candidate.
        """
        values, candidates, places = list(self.values), list(self.candidates), list(self.places)
        peers = board(self.layout).peers
        for cell, value in placements:
            self._require(candidates[cell], cell, value)
            for index in members(candidates[cell]):
                places[index] ^= 1 << cell
            candidates[cell] = 0
            values[cell] = value
            seeing = peers[cell] & places[value - 1]
            places[value - 1] ^= seeing
            for other in members(seeing):
                candidates[other] ^= 1 << value - 1
        for cell, value in eliminations:
            self._require(candidates[cell], cell, value)
            candidates[cell] ^= 1 << value - 1
            places[value - 1] ^= 1 << cell
        return Position(self.layout, tuple(values), tuple(candidates), tuple(places))

    def _require(self, candidates: int, cell: int, value: int) -> None:
        if value < 1 or not candidates >> value - 1 & 1:
            name = cell_name(self.layout, cell)
            raise ModelError(f"{sign(value, self.layout.order)} is no candidate of {name}")

    def contradiction(self) -> str:
        """Why the position has no solution, as far as a look tells: one line, or nothing.

        It tells a cell without candidates, and a unit in which a value has neither cell nor place.
        """
        n = self.layout.order
        for cell, value in enumerate(self.values):
            if not value and not self.candidates[cell]:
                return f"no value is left for {cell_name(self.layout, cell)}"
        filled = _cells_by_value(self.layout, self.values)
        for number, unit in enumerate(board(self.layout).units):
            for index in range(n):
                if not (filled[index] | self.places[index]) & unit:
                    where = unit_name(self.layout, number)
                    return f"no place is left for {sign(index + 1, n)} in {where}"
        return ""


def start(layout: Layout, givens: Sequence[int]) -> Position:
    """The position of a puzzle (0: blank): candidates are what no given in a cell's units holds.

    Raises ``InstanceError`` when givens clash.
    """
    found = clash(layout, givens)
    if found is not None:
        raise InstanceError(describe_clash(layout, givens, *found))
    every = (1 << layout.order) - 1
    empty = from_candidates(layout, [0] * layout.cells, [every] * layout.cells)
    return empty.after([(cell, value) for cell, value in enumerate(givens) if value], ())


def from_candidates(layout: Layout, values: Sequence[int], candidates: Sequence[int]) -> Position:
    """The position with these values (0: empty) and these value sets as candidates of its cells.

    Raises ``ModelError`` when a filled cell has candidates, or an empty one a value of its peers.
    """
    filled = _cells_by_value(layout, values)
    peers = board(layout).peers
    places = [0] * layout.order
    for cell, mask in enumerate(candidates):
        for index in members(mask):
            if values[cell] or filled[index] & peers[cell]:
                name = cell_name(layout, cell)
                raise ModelError(f"{sign(index + 1, layout.order)} cannot be a candidate of {name}")
            places[index] |= 1 << cell
    return Position(layout, tuple(values), tuple(candidates), tuple(places))


def _cells_by_value(layout: Layout, values: Sequence[int]) -> list[int]:
    """For each value the set of cells that hold it."""
    filled = [0] * layout.order
    for cell, value in enumerate(values):
        if value:
            filled[value - 1] |= 1 << cell
    return filled
