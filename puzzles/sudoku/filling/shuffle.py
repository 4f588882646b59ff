"""Full grids by shuffling a known one: quick, easy to write, and blind to nearly all grids.

The known grid is the pattern whose first row is 1..n and in which each row is the one above it,
moved by the width of a box (by one more from band to band). Every symmetry (``symmetries``) is as
likely, so each grid that is reached is as likely; but only the known grid's own class is reached.

Of 9x9 grids there are 6,670,903,752,021,072,936,960 (Felgenhauer & Jarvis, "Mathematics of Sudoku
I", 2006) in 5,472,730,538 classes (Russell & Jarvis, "Mathematics of Sudoku II", 2006). The known
grid has 54 automorphisms, so this one class holds 1,218,998,108,160 / 54 = 22,574,039,040 of them:
one grid in 295 thousand million is ever seen. There are 288 grids of 4x4, in 2 classes, and the
class of the known grid holds 192.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzles.grid.layout import Layout
from puzzles.random_stream import Streams
from puzzles.sudoku.symmetries import box_of, draw_images


def pattern(layout: Layout) -> list[int]:
    """The known grid."""
    high, wide = box_of(layout)
    n = layout.order
    shifts = [row % high * wide + row // high for row in range(n)]
    return [(shift + column) % n + 1 for shift in shifts for column in range(n)]


def shuffle(layout: Layout, streams: Streams) -> Any:
    """uint8[N, cells]: one full grid for each stream."""
    known = np.array([pattern(layout)], np.uint8)
    return draw_images(layout, streams, known)
