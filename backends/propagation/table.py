"""Table constraints: generalised arc consistency on bitsets of tuples.

``TablePropagator`` follows the compact-table idea (Demeulenaere et al., *Compact-Table: efficiently
filtering table constraints with reversible sparse bit-sets*, CP 2016) with Python's integers as the
bitsets: for each variable and value the set of tuples that contain it; a tuple is alive while each
of its values is open; a value without an alive tuple goes. The alive set is computed anew at each
wake, which needs no undo. ``NegativeTablePropagator`` waits until at most one variable is open.
"""

from __future__ import annotations

from collections.abc import Sequence

from backends.propagation.state import State


class TablePropagator:
    """The tuple of values must be one of ``rows`` (given as positions of values)."""

    __slots__ = ("containing", "everything", "scope")

    def __init__(self, scope: tuple[int, ...], rows: Sequence[tuple[int, ...]]) -> None:
        self.scope = scope
        self.everything = (1 << len(rows)) - 1
        self.containing: list[dict[int, int]] = [{} for _ in scope]
        for number, row in enumerate(rows):
            for place, position in zip(self.containing, row, strict=True):
                bit = 1 << position
                place[bit] = place.get(bit, 0) | 1 << number

    def propagate(self, state: State) -> bool:
        domains = state.domains
        alive = self.everything
        for variable, containing in zip(self.scope, self.containing, strict=True):
            domain = domains[variable]
            supported = 0
            for bit, rows in containing.items():
                if domain & bit:
                    supported |= rows
            alive &= supported
            if not alive:
                return False
        for variable, containing in zip(self.scope, self.containing, strict=True):
            domain = domains[variable]
            kept = 0
            for bit, rows in containing.items():
                if rows & alive:
                    kept |= bit
            kept &= domain
            if kept != domain and not state.narrow(variable, kept):
                return False
        return True


class NegativeTablePropagator:
    """The tuple of values must not be one of ``rows``; wakes when a variable is fixed."""

    __slots__ = ("forbidden", "scope")

    def __init__(self, scope: tuple[int, ...], rows: Sequence[tuple[int, ...]]) -> None:
        self.scope = scope
        # For each variable: the other variables' values -> the values it must not take then.
        self.forbidden: list[dict[tuple[int, ...], int]] = [{} for _ in scope]
        for row in rows:
            for place, position in enumerate(row):
                others = (*row[:place], *row[place + 1 :])
                known = self.forbidden[place].get(others, 0)
                self.forbidden[place][others] = known | 1 << position

    def propagate(self, state: State) -> bool:
        domains = state.domains
        open_place = None
        for place, variable in enumerate(self.scope):
            domain = domains[variable]
            if domain & (domain - 1):
                if open_place is not None:
                    return True
                open_place = place
        place = open_place or 0
        others = tuple(domains[v].bit_length() - 1 for k, v in enumerate(self.scope) if k != place)
        variable = self.scope[place]
        domain = domains[variable]
        kept = domain & ~self.forbidden[place].get(others, 0)
        return kept == domain or state.narrow(variable, kept)
