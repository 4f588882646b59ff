"""What a file of puzzles says about one puzzle, whatever format it is written in.

Words
-----
entry       one puzzle of a file
givens      the values that the puzzle starts with
placed      values that someone has filled in since
filled      givens and placed together
candidates  for each open cell the set of values that are still thought possible, as a mask: bit
            v - 1 stands for value v; 0 for a filled cell. ``None`` means those that the filled
            cells leave, so candidates that say no more than that are not kept.
about       further facts about a puzzle, by key; ``HEADERS`` are the keys that formats share,
            ``STEP`` those of a technique that is to be shown
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from modelling.errors import InstanceError
from puzzles.formats import place
from puzzles.grid.checking import faults
from puzzles.grid.clashes import clash, describe_clash
from puzzles.grid.layout import Layout, cell_name, units, units_of
from puzzles.grid.reading import Grid, GridReader
from puzzles.grid.symbols import sign, signs_of
from puzzles.sudoku import SUDOKU

HEADERS = ("author", "description", "comment", "date", "source", "level", "url")
STEP = ("technique", "digits", "eliminations", "placements", "extra")
RULES = SUDOKU.rules
SHOWN_ORDER = 35
"""Up to this order every value is one sign."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One puzzle. ``grid`` holds the givens and their places; the other lists are by cell."""

    grid: Grid
    name: str = ""
    solution: Sequence[int] | None = None
    placed: Sequence[int] | None = None
    candidates: Sequence[int] | None = None
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def layout(self) -> Layout:
        """Its order and box shape."""
        return self.grid.layout

    @property
    def givens(self) -> Sequence[int]:
        """Row by row, 0 for a blank."""
        return self.grid.values

    def filled(self) -> list[int]:
        """Givens and placed values, 0 for an open cell."""
        if self.placed is None:
            return list(self.givens)
        return [a or b for a, b in zip(self.givens, self.placed, strict=True)]

    def marks(self) -> Sequence[int]:
        """The candidates, or those that the filled cells leave."""
        return possible(self.layout, self.filled()) if self.candidates is None else self.candidates

    def contents(self) -> dict[str, Any]:
        """What it says, without the places: equal entries have equal contents."""
        return {
            "layout": self.layout,
            "givens": tuple(self.givens),
            "name": self.name,
            **{
                key: None if values is None else tuple(values)
                for key, values in (
                    ("solution", self.solution),
                    ("placed", self.placed),
                    ("candidates", self.candidates),
                )
            },
            "about": dict(self.about),
        }


def possible(layout: Layout, filled: Sequence[int]) -> list[int]:
    """For each open cell the values that no filled cell of its units has; 0 for a filled cell."""
    used = []
    for unit in units(layout):
        mask = 0
        for cell in unit:
            if filled[cell]:
                mask |= 1 << filled[cell] - 1
        used.append(mask)
    every = (1 << layout.order) - 1
    left = []
    for value, members in zip(filled, units_of(layout), strict=True):
        taken = 0
        for unit_number in members:
            taken |= used[unit_number]
        left.append(0 if value else every & ~taken)
    return left


def with_state(
    entry: Entry, filled: Sequence[int] | None, candidates: Sequence[int] | None
) -> Entry:
    """The entry with what a solver has done: the cells filled so far, and candidates.

    Either may be None. What says nothing beyond the givens is not kept.
    """
    placed = None
    if filled is not None:
        placed = [0 if given else value for given, value in zip(entry.givens, filled, strict=True)]
    entry = replace(entry, placed=placed if placed is not None and any(placed) else None)
    if candidates is None:
        return entry
    now = entry.filled()
    masks = [0 if value else mask for value, mask in zip(now, candidates, strict=True)]
    return entry if masks == possible(entry.layout, now) else replace(entry, candidates=masks)


def extends(givens: Sequence[int], filled: Sequence[int]) -> int | None:
    """The first cell in which a given is not kept; None if ``filled`` keeps them all."""
    pairs = zip(givens, filled, strict=True)
    return next((cell for cell, (a, b) in enumerate(pairs) if a and a != b), None)


def fault(entry: Entry, source: str) -> InstanceError | None:
    """What is wrong with givens and solution by the rules of Sudoku.

    What was placed may be wrong: that is how people play.
    """
    grid = entry.grid
    found = clash(entry.layout, entry.givens)
    if found is not None:
        return InstanceError(
            describe_clash(entry.layout, entry.givens, *found), grid.place(source, found[1])
        )
    if entry.solution is not None and not _solved(entry):
        wrong = faults(entry.layout, entry.givens, entry.solution)
        return InstanceError(f"the solution beside it is wrong: {wrong[0]}", grid.place(source, 0))
    return None


def _solved(entry: Entry) -> bool:
    """Whether the solution is one; ``faults`` tells what is wrong, at more cost."""
    solution = entry.solution
    assert solution is not None
    order = entry.layout.order
    if len(solution) != entry.layout.cells or extends(entry.givens, solution) is not None:
        return False
    every = set(range(1, order + 1))
    return all({solution[cell] for cell in unit} == every for unit in units(entry.layout))


# --- values and text -----------------------------------------------------------------------------


def grid_in(text: str, source: str, line: int, column: int = 1, prefix: str = "") -> Grid:
    """The one grid in ``text``, which begins at ``column`` of ``line``.

    ``prefix`` is a box shape, ``RxC:``, that was given elsewhere. Raises ``InstanceError``.
    """
    reader = GridReader(source, RULES)
    quick = reader.plain(line, text) if not prefix else None
    if quick is not None:
        return Grid(quick.layout, quick.values, line, column=column)
    if "\n" in text or "\r" in text:
        text = " ".join(text.split())
    found = [*reader.line(line, prefix + text), *reader.close()] if text.strip() else []
    if not found:
        raise InstanceError("there is no puzzle here", place(source, line, column))
    only, shift = found[0], column - 1 - len(prefix)
    if isinstance(only, InstanceError):
        raise InstanceError(only.cause, place(source, line, max(_column(only) + shift, column)))
    if only.places:
        only.places = [(line, max(at + shift, column)) for _, at in only.places]
    only.column = column
    return only


def _column(error: InstanceError) -> int:
    return int(error.place.rpartition(":")[2])


def solution_in(text: str, grid: Grid, source: str, line: int, column: int) -> Sequence[int]:
    """The values of a solution of ``grid``. Raises ``InstanceError`` for another size."""
    box = grid.layout.box
    shaped = RULES.prefix(grid.layout) and ":" not in text
    prefix = f"{box[0]}x{box[1]}:" if shaped and box else ""
    found = grid_in(text, source, line, column, prefix)
    if found.layout != grid.layout:
        cause = f"{found.layout.cells} cells in the solution of a puzzle of {grid.layout.cells}"
        raise InstanceError(cause, place(source, line, column))
    return found.values


def mask_in(text: str, order: int) -> int | None:
    """The candidates that a cell's text lists, as a mask; None if it lists something else."""
    mask = 0
    for one in text:
        value = _values(order).get(one.upper())
        if value is None:
            return None
        mask |= 1 << value - 1
    return mask


def marks_text(mask: int, order: int) -> str:
    """The values of a mask, ascending, one sign each."""
    return "".join(sign(value, order) for value in values_of(mask))


def values_of(mask: int) -> Iterator[int]:
    """The values of a mask, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length()
        mask ^= low


@lru_cache(maxsize=64)
def _values(order: int) -> Mapping[str, int]:
    return {one: value for value, one in enumerate(signs_of(order), 1)}


def disagreement(
    entry: Entry, filled: Sequence[int], what: str, where: str
) -> InstanceError | None:
    """An error if ``filled`` (``what`` it is called) does not keep the givens."""
    if len(filled) != len(entry.givens):
        cause = f"{what} has {len(filled)} cells, the puzzle {len(entry.givens)}"
        return InstanceError(cause, where)
    cell = extends(entry.givens, filled)
    if cell is None:
        return None
    shown = sign(filled[cell], entry.layout.order) if filled[cell] else "a blank"
    given = sign(entry.givens[cell], entry.layout.order)
    cause = f"{what} has {shown} in {cell_name(entry.layout, cell)}, where the puzzle has {given}"
    return InstanceError(cause, where)
