"""Quasigroups with holes: random Latin squares from which cells are taken out.

The square is a random one (Jacobson and Matthews, "Generating uniformly distributed random Latin
squares", Journal of Combinatorial Designs 4, 1996): a walk in a cube of 0 and 1 that says which
row, column and value go together, on which one cell may be -1 for a while. Holes are drawn from all
cells, or *balanced*, as many in each row and column, which makes completion hardest (Kautz, Ruan,
Achlioptas, Gomes, Selman and Stickel, "Balance and filtering in structured satisfiable problems",
IJCAI 2001). Hardest is about 42 % of holes at random; balanced, about 50 %.
"""

from __future__ import annotations

from itertools import product

from modelling.errors import InputError
from puzzles.latin import LATIN, latin_layout
from puzzles.random_stream import Stream

MOST_ORDER = 60


def generate(seed: int, item: int, *, order: int, holes: int, balanced: bool = False) -> str:
    """A square that can be completed, with so many holes.

    ``balanced`` takes a number of holes that the order divides.
    """
    if not 1 <= order <= MOST_ORDER or not 0 <= holes <= order * order:
        raise InputError(f"no square of order {order} with {holes} holes")
    if balanced and holes % order:
        raise InputError(f"{holes} holes cannot be spread evenly over {order} rows")
    draws = Stream(seed, item)
    square = draw_square(order, draws)
    if balanced:  # so many values of a second square are a pattern of as many cells in every line
        pattern = draw_square(order, draws)
        open_cells = {k for k, value in enumerate(pattern) if value <= holes // order}
    else:
        open_cells = set(draws.shuffled(range(order * order))[:holes])
    cells = [0 if k in open_cells else value for k, value in enumerate(square)]
    return LATIN.text(latin_layout(order), cells)


def draw_square(n: int, draws: Stream) -> list[int]:
    """A random Latin square, row by row, values from 1: n cubed moves from the cyclic one."""
    cube = [[[int((r + c) % n == s) for s in range(n)] for c in range(n)] for r in range(n)]
    moves, wrong = n**3 if n > 2 else 0, None

    def pick(line: list[int]) -> int:
        """Where there is a 1; one of both places, where there are two."""
        places = [k for k, value in enumerate(line) if value == 1]
        return places[draws.below(len(places))]

    while moves > 0 or wrong:
        moves -= 1
        r, c, s = wrong or (draws.below(n), draws.below(n), draws.below(n))
        if not wrong and cube[r][c][s]:
            continue
        row = pick([cube[k][c][s] for k in range(n)])
        column = pick([cube[r][k][s] for k in range(n)])
        sign = pick(cube[r][c])
        for up, across, deep in product((0, 1), repeat=3):
            change = 1 if (up + across + deep) % 2 == 0 else -1
            cube[row if up else r][column if across else c][sign if deep else s] += change
        wrong = (row, column, sign) if cube[row][column][sign] < 0 else None
    return [cube[r][c].index(1) + 1 for r in range(n) for c in range(n)]
