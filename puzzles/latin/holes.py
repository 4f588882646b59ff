"""Quasigroups with holes: random Latin squares from which cells are taken out; and completion.

The square is a random one (Jacobson and Matthews, "Generating uniformly distributed random Latin
squares", Journal of Combinatorial Designs 4, 1996): a walk in a cube of 0 and 1 that says which
row, column and value go together, on which one cell may be -1 for a while. Holes are drawn from all
cells, or *balanced*, as many in each row and column, which makes completion hardest (Kautz, Ruan,
Achlioptas, Gomes, Selman and Stickel, "Balance and filtering in structured satisfiable problems",
IJCAI 2001). Hardest is about 42 % of holes at random; balanced, about 50 %.

For *completion* values are put into an empty square at random, as long as none clash, until only
the holes are open; so a solution may not exist. About 58 % of holes is where it turns, and hardest
(Gomes and Selman, "Problem structure in the presence of perturbations", AAAI 1997).
"""

from __future__ import annotations

from itertools import product

from modelling.errors import InputError
from puzzles.random_stream import Stream

MOST_ORDER = 60
KINDS = ("holes", "balanced", "completion")
ATTEMPTS = 100
"""Squares that are begun to place values in, each in another order."""


def draw_cells(draws: Stream, order: int, holes: int, kind: str) -> list[int]:
    """The cells of a square, 0 for each of ``holes``; ``balanced``, the order divides them."""
    if kind == "completion":
        return _place(draws, order, order * order - holes)
    if kind == "balanced" and holes % order:
        raise InputError(f"{holes} holes cannot be spread evenly over {order} rows")
    square = draw_square(order, draws)
    if kind == "balanced":  # n values of a second square are n cells in every line
        pattern = draw_square(order, draws)
        open_cells = {k for k, value in enumerate(pattern) if value <= holes // order}
    else:
        open_cells = set(draws.shuffled(range(order * order))[:holes])
    return [0 if k in open_cells else value for k, value in enumerate(square)]


def _place(draws: Stream, n: int, wanted: int) -> list[int]:
    """A number of values in an empty square; cells in which each would clash are passed over."""
    for _ in range(ATTEMPTS):
        cells, left = [0] * (n * n), wanted
        for k in draws.shuffled(range(n * n)):
            row = k - k % n
            near = {*cells[row : row + n], *cells[k % n :: n]}
            possible = [value for value in range(1, n + 1) if value not in near]
            if left and possible:
                cells[k] = draws.choice(possible)
                left -= 1
        if not left:
            return cells
    raise InputError(f"{wanted} values could not be placed in a square of order {n}: more holes")


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
