"""Five models as plain numbers, and what the scripts of all solvers have to say about them.

queens      all ways to place eight queens: rows, rising and falling diagonals all different
sudoku      a puzzle of 17 clues, up to two solutions: 27 times all different
send_more   SEND + MORE = MONEY, one solution: letters all different, one equation
golomb      the shortest ruler with six marks: ascending, distances all different
pigeons     eight pigeons in seven holes, no two in one: there is no way
"""

from __future__ import annotations

from collections.abc import Callable

Solutions = list[tuple[int, ...]]
"""A value for each variable, in the order of the model."""

Script = Callable[[], Solutions]


def built_each_call(script: Script) -> Callable[[], Script]:
    """Decorate a script that keeps nothing between its calls: there is nothing to prepare."""
    return lambda: script


# --- the models ----------------------------------------------------------------------------------

QUEENS = 8

SEVENTEEN = ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6..."
GIVENS = {place: int(sign) for place, sign in enumerate(SEVENTEEN) if sign != "."}
"""Place, from 0 to 80, -> its digit."""
MOST_GRIDS = 2

ROWS = [[9 * r + c for c in range(9)] for r in range(9)]
COLUMNS = [[9 * r + c for r in range(9)] for c in range(9)]
BOXES = [
    [9 * (3 * a + r) + 3 * b + c for r in range(3) for c in range(3)]
    for a in range(3)
    for b in range(3)
]
UNITS = ROWS + COLUMNS + BOXES

LETTERS = "SENDMORY"
LEADING = "SM"
WEIGHTS = {"S": 1000, "E": 91, "N": -90, "D": 1, "M": -9000, "O": -900, "R": 10, "Y": -1}
"""SEND + MORE - MONEY, by letter."""

MARKS, LONGEST = 6, 20
"""The length of the ruler on which each mark is as far to the left as it can be."""

PIGEONS, HOLES = 8, 7
