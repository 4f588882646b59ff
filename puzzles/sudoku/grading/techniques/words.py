"""The words of explanations: names of cells, values and units in a row, and what goes where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from puzzles.grid.layout import Layout, cell_name, unit_name
from puzzles.grid.symbols import sign
from puzzles.sudoku.grading.board import Pair, members


def join_names(names: Sequence[str], last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def cells(layout: Layout, numbers: Iterable[int], last: str = "and") -> str:
    """``r1c1, r1c2 and r5c1``."""
    return join_names([cell_name(layout, cell) for cell in numbers], last)


def values(layout: Layout, numbers: Iterable[int], last: str = "and") -> str:
    """``3, 5 and 8``."""
    return join_names([sign(value, layout.order) for value in numbers], last)


def units(layout: Layout, numbers: Sequence[int]) -> str:
    """``rows 2 and 7`` for units of one kind."""
    kinds, ordinals = zip(*(unit_name(layout, number).split() for number in numbers), strict=True)
    return f"{kinds[0]}{'s' if len(numbers) > 1 else ''} {join_names(ordinals)}"


def losses(layout: Layout, eliminations: Iterable[Pair]) -> str:
    """``r1c7 and r3c7 are not 3, r1c9 is not 3 or 5``."""
    lost: dict[int, list[int]] = {}
    for cell, value in eliminations:
        lost.setdefault(cell, []).append(value)
    alike: dict[tuple[int, ...], list[int]] = {}
    for cell, gone in lost.items():
        alike.setdefault(tuple(gone), []).append(cell)
    return "; ".join(
        f"{cells(layout, losers)} {'are' if len(losers) > 1 else 'is'} not "
        f"{values(layout, gone, 'or')}"
        for gone, losers in alike.items()
    )


def from_cells(mask: int, value: int) -> tuple[Pair, ...]:
    """The eliminations of one value from a set of cells, ascending."""
    return tuple((cell, value) for cell in members(mask))
