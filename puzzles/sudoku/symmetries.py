"""The symmetries of Sudoku: what may be done to a grid without making it another puzzle.

Words
-----
band, stack   the boxes side by side, and the boxes one above the other
symmetry      values renamed, bands permuted, rows inside bands, stacks, columns inside stacks, and,
              where boxes are square, the grid mirrored at its diagonal (transposition)
drawn         picked at random, every symmetry as likely

A transposed grid whose boxes are R x C has boxes of C x R, which is another layout; so
transposition is a symmetry only of layouts whose boxes are square. A layout of order above 1 has

    order! * bands! * (rows of a box)!**bands * stacks! * (columns of a box)!**stacks

symmetries, twice as many where boxes are square: 3,072 for 4x4; 9! * 2 * 6**8 =
1,218,998,108,160 for 9x9 (Russell & Jarvis, "Mathematics of Sudoku II", 2006).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import factorial
from typing import TYPE_CHECKING, Any

from modelling.errors import InstanceError
from puzzles.grid.layout import Layout
from puzzles.random_stream import Stream, Streams

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class Symmetry:
    """Cell i of the image holds ``values[v]``, where v is the value in cell ``cells[i]``.

    ``cells`` is a permutation of all cells; ``values`` one of 0..order that keeps 0, the blank.
    """

    layout: Layout
    cells: tuple[int, ...]
    values: tuple[int, ...]

    def __call__(self, grid: Sequence[int]) -> list[int]:
        """The image of one grid; raises ``InstanceError`` if it has another number of cells."""
        if len(grid) != len(self.cells):
            raise InstanceError(f"{len(grid)} cells where the symmetry moves {len(self.cells)}")
        return [self.values[grid[cell]] for cell in self.cells]

    def images(self, grids: np.ndarray) -> Any:
        """uint8[N, cells]: the images of many grids."""
        import numpy as np

        return np.array(self.values, np.uint8)[grids[:, list(self.cells)]]

    def then(self, after: Symmetry) -> Symmetry:
        """This one first, ``after`` on its image."""
        return Symmetry(
            self.layout,
            tuple(self.cells[cell] for cell in after.cells),
            tuple(after.values[value] for value in self.values),
        )

    def inverse(self) -> Symmetry:
        """The one that takes every image back."""
        return Symmetry(self.layout, _invert(self.cells), _invert(self.values))


def _invert(permutation: Sequence[int]) -> tuple[int, ...]:
    back = [0] * len(permutation)
    for k, image in enumerate(permutation):
        back[image] = k
    return tuple(back)


def box_of(layout: Layout) -> tuple[int, int]:
    """Rows and columns of a box; raises ``InstanceError`` for a layout without boxes."""
    if layout.box is None:
        raise InstanceError(f"a grid of order {layout.order} without boxes is no Sudoku")
    return layout.box


def is_transposable(layout: Layout) -> bool:
    """Whether transposition is a symmetry, and not the identity."""
    high, wide = box_of(layout)
    return high == wide > 1


def identity(layout: Layout) -> Symmetry:
    """The symmetry that changes nothing."""
    return Symmetry(layout, tuple(range(layout.cells)), tuple(range(layout.order + 1)))


def arrange(
    layout: Layout,
    rows: Sequence[int],
    columns: Sequence[int],
    values: Sequence[int],
    transposed: bool = False,
) -> Symmetry:
    """The one whose image has row ``rows[i]`` in place i, likewise the columns.

    They are those of the grid, or of the transposed grid; ``values`` includes the blank.
    """
    n = layout.order
    down, across = (1, n) if transposed else (n, 1)
    cells = tuple(row * down + column * across for row in rows for column in columns)
    return Symmetry(layout, cells, tuple(values))


@lru_cache(maxsize=64)
def number_of_symmetries(layout: Layout) -> int:
    """How many symmetries a layout has."""
    high, wide = box_of(layout)
    lines: int = factorial(wide) * factorial(high) ** wide
    lines *= factorial(high) * factorial(wide) ** high
    return factorial(layout.order) * lines * (1 + is_transposable(layout))


def draw_symmetry(layout: Layout, stream: Stream) -> Symmetry:
    """One of all symmetries, each as likely."""
    high, wide = box_of(layout)
    transposed = is_transposable(layout) and stream.below(2) == 1
    rows = _lines(wide, high, stream)
    columns = _lines(high, wide, stream)
    values = [0, *(value + 1 for value in stream.shuffled(range(layout.order)))]
    return arrange(layout, rows, columns, values, transposed)


def _lines(groups: int, size: int, stream: Stream) -> list[int]:
    """An order of ``groups * size`` lines that keeps groups together."""
    order = stream.shuffled(range(groups))
    return [group * size + line for group in order for line in stream.shuffled(range(size))]


def draw_images(layout: Layout, streams: Streams, grids: np.ndarray) -> Any:
    """uint8[N, cells]: each grid's image under a symmetry of its own.

    Row i draws what ``draw_symmetry`` draws from its stream; ``grids`` is uint8[N, cells], or
    [1, cells] for images of the same grid.
    """
    import numpy as np

    high, wide = box_of(layout)
    n, number = layout.order, len(streams)
    transposed = streams.below(2) if is_transposable(layout) else np.zeros(number, np.int64)
    rows = _many_lines(wide, high, streams)
    columns = _many_lines(high, wide, streams)
    values = np.zeros((number, n + 1), np.uint8)
    values[:, 1:] = streams.shuffled(n) + 1
    turned = transposed[:, None, None] == 1
    row, column = rows[:, :, None], columns[:, None, :]
    cells = np.where(turned, column * n + row, row * n + column).reshape(number, -1)
    moved = np.take_along_axis(np.broadcast_to(grids, (number, layout.cells)), cells, axis=1)
    return np.take_along_axis(values, moved.astype(np.int64), axis=1)


def _many_lines(groups: int, size: int, streams: Streams) -> Any:
    """int64[N, groups * size]: ``_lines`` for every row."""
    import numpy as np

    order = streams.shuffled(groups)
    inside = np.stack([streams.shuffled(size) for _ in range(groups)], axis=1)
    return (order[:, :, None] * size + inside).reshape(len(streams), -1)
