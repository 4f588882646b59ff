"""PySAT: clauses and ``solve``; one-hot variables, at most ones pairwise.

The encoding of Sudoku is the extended one (Lynce and Ouaknine, 2006). Each puzzle has a solver of
its own, with the givens as unit clauses. The five models take what makes a solver of clauses, for
``dimacs``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import Any

from results.studies.speed import small_models as five
from results.studies.speed.small_models import Script, Solutions

ENGINE = "cadical153"

Clauses = list[list[int]]

Start = Callable[[Clauses], Any]
"""From clauses to a solver of them, with ``solve``, ``get_model`` and ``add_clause``."""


def engine(clauses: Clauses) -> Any:
    """The solver of PySAT."""
    from pysat.solvers import Solver

    return Solver(name=ENGINE, bootstrap_with=clauses)


def at_most_one(literals: Iterable[int]) -> Iterator[list[int]]:
    """Pairwise, as ``CardEnc.atmost(literals, encoding=EncType.pairwise)`` has it."""
    return ([-a, -b] for a, b in combinations(literals, 2))


def exactly_one(literals: Sequence[int]) -> Iterator[list[int]]:
    """One at least, and no two."""
    yield list(literals)
    yield from at_most_one(literals)


class OneHot:
    """Variables with a Boolean for each value, and the clauses that say so.

    ``is_[variable][value]`` is the literal of a value.
    """

    def __init__(self, domains: Iterable[Iterable[int]]) -> None:
        self.top = 0
        self.clauses: Clauses = []
        self.is_: list[dict[int, int]] = []
        for domain in domains:
            self.is_.append({value: self.new() for value in domain})
            self.clauses += exactly_one(list(self.is_[-1].values()))

    def new(self) -> int:
        """A new Boolean."""
        self.top += 1
        return self.top

    def read(self, model: Sequence[int], variables: int) -> tuple[int, ...]:
        """The values of the first variables."""
        values = []
        for literals in self.is_[:variables]:
            values.append(next(v for v, literal in literals.items() if model[literal - 1] > 0))
        return tuple(values)


def _solutions(
    start: Start, clauses: Clauses, reader: OneHot, variables: int, limit: int | None = None
) -> Solutions:
    """One solver; each solution is blocked by its variables."""
    found: Solutions = []
    with start(clauses) as solver:
        while len(found) != limit and solver.solve():
            values = reader.read(solver.get_model(), variables)
            found.append(values)
            solver.add_clause([-reader.is_[i][value] for i, value in enumerate(values)])
    return found


def queens(start: Start = engine) -> Script:
    """At most one queen in each row and on each diagonal."""
    board = OneHot([range(five.QUEENS)] * five.QUEENS)
    for slope in (0, 1, -1):
        lines: dict[int, list[int]] = {}
        for column, row in product(range(five.QUEENS), repeat=2):
            lines.setdefault(row + slope * column, []).append(board.is_[column][row])
        for literals in lines.values():
            board.clauses += at_most_one(literals)
    return lambda: _solutions(start, board.clauses, board, five.QUEENS)


def sudoku(start: Start = engine) -> Script:
    """Each digit once in each unit; givens as unit clauses, which are faster in front."""
    grid = OneHot([range(1, 10)] * 81)
    for unit in five.UNITS:
        for digit in range(1, 10):
            grid.clauses += exactly_one([grid.is_[i][digit] for i in unit])
    clauses = [[grid.is_[i][given]] for i, given in five.GIVENS.items()] + grid.clauses
    return lambda: _solutions(start, clauses, grid, 81, five.MOST_GRIDS)


COLUMNS = (("D", "E", "Y"), ("N", "R", "E"), ("E", "O", "N"), ("S", "M", "O"))
"""SEND + MORE from the right; what is carried over last is M."""


def send_more(start: Start = engine) -> Script:
    """Columns with carries: two digits and a carry determine the digit below and the next carry."""
    letters = [range(int(x in five.LEADING), 10) for x in five.LETTERS]
    sum_ = OneHot([*letters, *[range(2)] * len(COLUMNS)])
    for value in range(10):
        same = [literals[value] for literals in sum_.is_[: len(five.LETTERS)] if value in literals]
        sum_.clauses += at_most_one(same)
    by_letter = dict(zip(five.LETTERS, sum_.is_, strict=False))
    carries = [{0: 0}, *sum_.is_[len(five.LETTERS) :]]
    for column, (one, other, below) in enumerate(COLUMNS):
        parts = (by_letter[one], by_letter[other], carries[column])
        for values in product(*parts):
            total = sum(values)
            literals = [part[v] for part, v in zip(parts, values, strict=True)]
            unless = [-literal for literal in literals if literal]
            digit = by_letter[below].get(total % 10)
            sum_.clauses.append(unless if digit is None else [*unless, digit])
            sum_.clauses.append([*unless, carries[column + 1][total // 10]])
    for carry, literal in carries[-1].items():
        sum_.clauses.append([-literal, by_letter["M"][carry]] if carry else [-literal])
    return lambda: _solutions(start, sum_.clauses, sum_, len(five.LETTERS), 1)


def golomb(start: Start = engine) -> Script:
    """A Boolean for each pair and distance; ever shorter rulers are asked for by ``add_clause``."""
    ruler = OneHot([[0], *[range(five.LONGEST + 1)] * (five.MARKS - 1)])
    distances: dict[int, list[int]] = {}
    for one, other in combinations(ruler.is_, 2):
        apart = {distance: ruler.new() for distance in range(1, five.LONGEST + 1)}
        for distance, literal in apart.items():
            distances.setdefault(distance, []).append(literal)
        for (a, first), (b, second) in product(one.items(), other.items()):
            ruler.clauses.append([-first, -second] + ([apart[b - a]] if b > a else []))
    for literals in distances.values():
        ruler.clauses += at_most_one(literals)
    last = ruler.is_[-1]

    def solve() -> Solutions:
        best: Solutions = []
        with start(ruler.clauses) as solver:
            while solver.solve():
                best = [ruler.read(solver.get_model(), five.MARKS)]
                for length in range(best[0][-1], five.LONGEST + 1):
                    solver.add_clause([-last[length]])
        return best

    return solve


def pigeons(start: Start = engine) -> Script:
    """At most one pigeon in each hole."""
    nests = OneHot([range(1, five.HOLES + 1)] * five.PIGEONS)
    for hole in range(1, five.HOLES + 1):
        nests.clauses += at_most_one([literals[hole] for literals in nests.is_])
    return lambda: _solutions(start, nests.clauses, nests, five.PIGEONS, 1)
