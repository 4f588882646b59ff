"""What a generator asks of a solver.

``puzzles`` imports no solver; whoever calls a generator passes in the one to ask.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Count = Callable[[Any, int], Any]
"""``count(grids, limit)``: how many solutions each grid has, counted up to ``limit``.

grids    uint8[N, cells] of one layout, row by row, 0 for a blank, k for value k; N is at least 1
limit    1 or more
returns  int64[N]: the number of solutions if it is below ``limit``, ``limit`` if there are as many
         or more, -1 where the solver gave up within the attempts that it allows itself

The attempts that lead to -1 are counted (guesses, nodes), never timed, and the answer for a grid
depends on nothing but the grid and the limit: so what is generated depends on the seed alone.
"""

GAVE_UP = -1
