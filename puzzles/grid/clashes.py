"""Givens that contradict each other at once: the same value twice in a unit."""

from __future__ import annotations

from collections.abc import Sequence

from puzzles.grid.layout import Layout, cell_name, unit_name, units, units_of
from puzzles.grid.symbols import sign


def clash(layout: Layout, values: Sequence[int]) -> tuple[int, int, str] | None:
    """The first cell whose value occurs in one of its units already: the two cells and the unit."""
    lies_in = units_of(layout)
    used = [0] * (3 * layout.order)
    for cell, value in enumerate(values):
        if value:
            bit = 1 << value
            for unit in lies_in[cell]:
                if used[unit] & bit:
                    first = next(c for c in units(layout)[unit] if values[c] == value)
                    return first, cell, unit_name(layout, unit)
                used[unit] |= bit
    return None


def describe_clash(
    layout: Layout, values: Sequence[int], first: int, second: int, unit: str
) -> str:
    """A clash in words: ``5 occurs twice in row 3: r3c1 and r3c7``."""
    names = f"{cell_name(layout, first)} and {cell_name(layout, second)}"
    return f"clashing givens, {sign(values[second], layout.order)} occurs twice in {unit}: {names}"
