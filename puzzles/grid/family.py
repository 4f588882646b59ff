"""A family of square grids; Sudoku and Latin squares differ only in what they pass in."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Any

from modelling.errors import InputError, InstanceError
from modelling.problem import Problem, Structure
from puzzles.drawing import beside, ruled
from puzzles.family import Family, Instance
from puzzles.family import family as find_family
from puzzles.generators import find_generated
from puzzles.grid import model
from puzzles.grid.checking import faults
from puzzles.grid.clashes import clash, describe_clash
from puzzles.grid.layout import Layout
from puzzles.grid.reading import Grid, Rules, Run, canonical_digits, grids, runs
from puzzles.grid.symbols import SIGNS, encode, masks, sign
from puzzles.pictures import draw_cells


@dataclass(frozen=True, slots=True)
class Plain:
    """A run of plain grids of one family: its ``Batch``."""

    family: str
    source: str
    run: Run

    def __len__(self) -> int:
        return len(self.run)

    def entry(self, k: int) -> Instance | InstanceError:
        """See ``Batch.entry``."""
        return self._grids().entry(self.run[k], self.source)

    def structure(self) -> Structure:
        """The structure that the grids share."""
        return model.structure(self.run.layout)

    def prefix(self) -> str:
        """The text before the cells of the grids in canonical text."""
        return self._grids().rules.prefix(self.run.layout)

    def _grids(self) -> GridFamily:
        family = find_family(self.family)
        assert isinstance(family, GridFamily)
        return family


class GridFamily:
    """Implements ``puzzles.family.Family`` for grids that follow ``rules``.

    ``formats`` is the module of the formats of its files, "" if there is but one way to write
    them: its ``FORMATS`` are named, ``as_family(format)`` reads one, and ``detect`` tells it. The
    module is imported when it is needed.
    """

    unit = "rows"

    def __init__(self, name: str, about: str, rules: Rules, formats: str = "") -> None:
        self.name = name
        self.about = about
        self.rules = rules
        self._formats = formats
        self._stated: dict[tuple[str, int], tuple[Structure, Mapping[str, int]]] = {}

    def read(self, lines: Iterable[str], source: str) -> Iterator[Instance | InstanceError]:
        """See ``Family.read``; ``puzzles.grid.reading`` says what is understood."""
        for grid in grids(lines, source, self.rules):
            yield grid if isinstance(grid, InstanceError) else self.entry(grid, source)

    def read_batches(
        self, lines: Iterable[str], source: str, longest: int
    ) -> Iterator[Instance | InstanceError | Plain]:
        """See ``Batched``: plain grids on consecutive lines come together.

        Givens that clash are found when ``entry`` makes an instance of a run's grid.
        """
        for found in runs(lines, source, self.rules, longest):
            if isinstance(found, Run):
                yield Plain(self.name, source, found)
            else:
                yield self.entry(found, source) if isinstance(found, Grid) else found

    def of_size(self, n: int) -> str:
        """See ``Sized``: boxes are as wide as they can be."""
        layout = self.rules.layout(n, None)
        return f"{self.rules.prefix(layout)}{'.' * layout.cells}"

    def formats(self) -> Sequence[str]:
        """See ``Formatted``."""
        return tuple(self._module().FORMATS) if self._formats else ()

    def in_format(self, name: str) -> Family:
        """See ``Formatted``."""
        if not self._formats:
            raise InputError(f"files of the family {self.name} come in no formats, not in {name!r}")
        module = self._module()
        found: Family = module.as_family(module.by_name(name))
        return found

    def as_written(self, head: Sequence[str], first: str, path: str) -> Family:
        """See ``Formatted``."""
        if not self._formats:
            return self
        module = self._module()
        found: Family = module.as_family(module.detect(head, first, path))
        return found

    def _module(self) -> Any:
        return importlib.import_module(self._formats)

    def entry(self, grid: Grid, source: str) -> Instance | InstanceError:
        """The instance of a grid, unless its givens clash."""
        found = clash(grid.layout, grid.values)
        if found is not None:
            cause = describe_clash(grid.layout, grid.values, *found)
            return InstanceError(cause, grid.place(source, found[1]))
        text = self.text(grid.layout, grid.values)
        return Instance(self.name, grid.name(source), text, f"{source}:{grid.line}")

    def text(self, layout: Layout, values: Sequence[int]) -> str:
        """Canonical text: the prefix that the layout needs, and the cells."""
        cells = (
            canonical_digits(values) if isinstance(values, bytes) else encode(values, layout.order)
        )
        return self.rules.prefix(layout) + cells

    def parse(self, text: str) -> tuple[Layout, Sequence[int]]:
        """Layout and givens (0: blank) of a text in any form that ``read`` understands.

        Clashing givens are none of its business. Raises ``InstanceError``.
        """
        found = list(grids(text.splitlines(), "text", self.rules))
        for entry in found:
            if isinstance(entry, InstanceError):
                raise entry
        if len(found) > 1:
            raise InstanceError(f"{len(found)} grids where one was expected; give them one by one")
        only = found[0]
        assert isinstance(only, Grid)
        return only.layout, only.values

    def problem(self, text: str) -> Problem:
        """See ``Family.problem``. Text in canonical form takes a short way."""
        head, _, cells = text.rpartition(":")
        stated = self._stated.get((head, len(cells)))
        if stated is not None:
            structure, table = stated
            try:
                return Problem(structure, tuple(map(table.__getitem__, cells)))
            except KeyError:
                pass  # not canonical
        layout, values = self.parse(text)
        stated_problem = model.problem(layout, values)
        if layout.order <= len(SIGNS) and text == self.text(layout, values):
            self._stated[head, len(cells)] = stated_problem.structure, masks(layout.order)
        return stated_problem

    def size_of(self, text: str) -> int:
        """See ``Measured``: the order."""
        return isqrt(self.problem(text).structure.size)

    def check(self, text: str, values: Sequence[int]) -> list[str]:
        """See ``Family.check``."""
        layout, givens = self.parse(text)
        return faults(layout, givens, values)

    def render(self, text: str, values: Sequence[int] | None = None) -> str:
        """See ``Family.render``; boxes are framed, blanks are dots."""
        layout, givens = self.parse(text)
        puzzle = _draw_grid(layout, givens)
        if values is None:
            return puzzle
        return beside(puzzle, _draw_grid(layout, _require_size(layout, values)))

    def picture(self, text: str, values: Sequence[int] | None = None) -> str:
        """See ``Pictured``: the grid, its givens bold."""
        layout, givens = self.parse(text)
        n = layout.order
        shown = givens if values is None else _require_size(layout, values)
        signs = {cell: sign(value, n) for cell, value in enumerate(shown) if value}
        given = {cell for cell, value in enumerate(givens) if value}
        return draw_cells(n, n, signs, given, box=layout.box).svg()

    def write(self, text: str, values: Sequence[int]) -> str:
        """The solution in the form of ``text``, which ``read`` takes again."""
        layout, _ = self.parse(text)
        return self.text(layout, list(_require_size(layout, values)))


def _require_size(layout: Layout, values: Sequence[int]) -> Sequence[int]:
    if len(values) != layout.cells:
        raise InstanceError(f"{len(values)} values for {layout.cells} cells")
    return values


def _draw_grid(layout: Layout, values: Sequence[int]) -> str:
    n = layout.order
    signs = [sign(value, n) for value in values]
    high, wide = layout.box or (n, n)
    return ruled([signs[k : k + n] for k in range(0, n * n, n)], high, wide)


# --- families of which puzzles are generated -----------------------------------------------------

DEFAULT_ORDER = 9


def find_grid_family(name: str) -> GridFamily:
    """The family of this name; raises ``InputError`` for one that is not of square grids."""
    found = find_generated(name)
    if not isinstance(found, GridFamily):
        raise InputError(f"{name!r} is not a family of square grids")
    return found


def make_layout(family: str, order: int | None, box: tuple[int, int] | None) -> Layout:
    """The layout by order, box shape or both; raises ``InputError`` if there is none."""
    chosen = find_grid_family(family)
    if order is None:
        order = box[0] * box[1] if box else DEFAULT_ORDER
    layout = chosen.rules.layout(order, box)
    if box is not None and layout.box is None:
        raise InputError(f"grids of the family {family} have no boxes; give --order alone")
    return layout
