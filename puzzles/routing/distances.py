"""Distances as TSPLIB defines them, rounded as there.

G. Reinelt, "TSPLIB - a traveling salesman problem library", ORSA Journal on Computing 3, 1991, and
"TSPLIB 95", section 2. Rounding to the nearest is there ``(int) (x + 0.5)``. Coordinates of ``GEO``
are degrees and minutes, DDD.MM, of latitude and longitude; the degrees are the digits before the
point, as in the programs that computed the optima (the paper rounds them to the nearest).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

Point = tuple[float, float]
Matrix = tuple[tuple[int, ...], ...]

PI, RADIUS = 3.141592, 6378.388
"""As TSPLIB has them, the radius of the Earth in kilometres."""


def _nearest(x: float) -> int:
    return int(x + 0.5)


def _straight(a: Point, b: Point) -> float:
    dx, dy = a[0] - b[0], a[1] - b[1]
    return math.sqrt(dx * dx + dy * dy)


def _att(a: Point, b: Point) -> int:
    """A pseudo-Euclidean distance, rounded up."""
    dx, dy = a[0] - b[0], a[1] - b[1]
    distance = math.sqrt((dx * dx + dy * dy) / 10.0)
    rounded = _nearest(distance)
    return rounded + 1 if rounded < distance else rounded


def _radians(x: float) -> float:
    degrees = int(x)
    return PI * (degrees + 5.0 * (x - degrees) / 3.0) / 180.0


def _geo(a: Point, b: Point) -> int:
    """Along the Earth's surface."""
    (lat, long), (other_lat, other_long) = map(_radians, a), map(_radians, b)
    q1 = math.cos(long - other_long)
    q2 = math.cos(lat - other_lat)
    q3 = math.cos(lat + other_lat)
    inside = 0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3)
    return int(RADIUS * math.acos(max(-1.0, min(1.0, inside))) + 1.0)


KINDS: dict[str, Callable[[Point, Point], int]] = {
    "EUC_2D": lambda a, b: _nearest(_straight(a, b)),
    "CEIL_2D": lambda a, b: math.ceil(_straight(a, b)),
    "MAN_2D": lambda a, b: _nearest(abs(a[0] - b[0]) + abs(a[1] - b[1])),
    "MAX_2D": lambda a, b: max(_nearest(abs(a[0] - b[0])), _nearest(abs(a[1] - b[1]))),
    "ATT": _att,
    "GEO": _geo,
}
"""The kinds of distance between points."""


def measure(kind: str, points: Sequence[Point]) -> Matrix:
    """The distances of all from all, 0 on the diagonal."""
    distance = KINDS[kind]
    return tuple(
        tuple(0 if i == j else distance(a, b) for j, b in enumerate(points))
        for i, a in enumerate(points)
    )


ROWS: dict[str, Callable[[int, int], Sequence[int]]] = {
    "FULL_MATRIX": lambda i, n: range(n),
    "UPPER_ROW": lambda i, n: range(i + 1, n),
    "LOWER_ROW": lambda i, n: range(i),
    "UPPER_DIAG_ROW": lambda i, n: range(i, n),
    "LOWER_DIAG_ROW": lambda i, n: range(i + 1),
    # a column of one half of a symmetric matrix is a row of the other
    "UPPER_COL": lambda i, n: range(i),
    "LOWER_COL": lambda i, n: range(i + 1, n),
    "UPPER_DIAG_COL": lambda i, n: range(i + 1),
    "LOWER_DIAG_COL": lambda i, n: range(i, n),
}
"""Row and number of cities -> the columns of which numbers are given, in order."""


def count_numbers(form: str, n: int) -> int:
    """How many numbers a matrix of a form has."""
    return sum(len(ROWS[form](i, n)) for i in range(n))


def fill_matrix(form: str, n: int, numbers: Sequence[int]) -> Matrix:
    """The matrix that is given in a form; 0 on the diagonal, which no tour uses."""
    matrix = [[0] * n for _ in range(n)]
    left = iter(numbers)
    for i in range(n):
        for j in ROWS[form](i, n):
            number = next(left)
            if i != j:
                matrix[i][j] = number
                if form != "FULL_MATRIX":
                    matrix[j][i] = number
    return tuple(map(tuple, matrix))


def is_symmetric(matrix: Matrix) -> bool:
    """Whether ways back are as long as ways there."""
    return all(matrix[i][j] == matrix[j][i] for i in range(len(matrix)) for j in range(i))
