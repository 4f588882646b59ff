"""Exact: ``addVariable`` for Booleans, ``addConstraint``, ``runOnce`` and ``invalidateLastSol``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise
from typing import Any

from exact import Exact

from results.studies.speed import small_models as five
from results.studies.speed.small_models import Solutions, built_each_call


class _Integers:
    """Variables with a Boolean for each value, ``x=v``."""

    def __init__(self) -> None:
        self.solver: Any = Exact([("verbosity", "0")])
        self.domains: dict[str, Sequence[int]] = {}

    def add(self, name: str, domain: Sequence[int]) -> str:
        self.domains[name] = domain
        for value in domain:
            self.solver.addVariable(f"{name}={value}")
        self.total([(1, f"{name}={value}") for value in domain], 1, 1)
        return name

    def total(
        self, terms: list[tuple[int, str]], least: int | None, most: int | None = None
    ) -> None:
        has_least, has_most = least is not None, most is not None
        self.solver.addConstraint(terms, has_least, least or 0, has_most, most or 0)

    def at_most_one(self, literals: Iterable[str]) -> None:
        self.total([(1, literal) for literal in literals], None, 1)

    def all_different(self, names: Sequence[str]) -> None:
        values = {value for name in names for value in self.domains[name]}
        for value in values:
            self.at_most_one(f"{name}={value}" for name in names if value in self.domains[name])

    def weigh(self, factors: dict[str, int]) -> list[tuple[int, str]]:
        return [
            (factor * value, f"{name}={value}")
            for name, factor in factors.items()
            for value in self.domains[name]
        ]

    def read(self) -> tuple[int, ...]:
        names = [(f"{name}={v}", v) for name, domain in self.domains.items() for v in domain]
        found = self.solver.getLastSolutionFor([name for name, _ in names])
        return tuple([value for (_, value), true in zip(names, found, strict=True) if true])

    def solutions(self, limit: int | None = None) -> Solutions:
        found: Solutions = []
        while len(found) != limit:
            status = self.solver.runOnce()
            if status == "SAT":
                found.append(self.read())
                self.solver.invalidateLastSol()
            elif status != "PAUSED":
                break
        return found


@built_each_call
def queens() -> Solutions:
    """At most one queen on each line."""
    board = _Integers()
    names = [board.add(f"q{i}", range(five.QUEENS)) for i in range(five.QUEENS)]
    board.all_different(names)
    for sign in (1, -1):
        lines: dict[int, list[str]] = {}
        for i, name in enumerate(names):
            for row in range(five.QUEENS):
                lines.setdefault(row + sign * i, []).append(f"{name}={row}")
        for line in lines.values():
            board.at_most_one(line)
    return board.solutions()


@built_each_call
def sudoku() -> Solutions:
    """Each digit exactly once in each unit."""
    grid = _Integers()
    for i in range(81):
        grid.add(f"c{i}", [five.GIVENS[i]] if i in five.GIVENS else range(1, 10))
    for unit in five.UNITS:
        for digit in range(1, 10):
            names = [f"c{i}" for i in unit if digit in grid.domains[f"c{i}"]]
            grid.total([(1, f"{name}={digit}") for name in names], 1, 1)
    return grid.solutions(five.MOST_GRIDS)


@built_each_call
def send_more() -> Solutions:
    """One equation over all Booleans."""
    puzzle = _Integers()
    for x in five.LETTERS:
        puzzle.add(x, range(int(x in five.LEADING), 10))
    puzzle.all_different(five.LETTERS)
    puzzle.total(puzzle.weigh(five.WEIGHTS), 0, 0)
    return puzzle.solutions(1)


@built_each_call
def golomb() -> Solutions:
    """A variable for each distance; ``setObjective`` and ``boundObjByLastSol``."""
    ruler = _Integers()
    marks = [ruler.add(f"m{i}", range(five.LONGEST + 1 if i else 1)) for i in range(five.MARKS)]
    for one, other in pairwise(marks):
        ruler.total(ruler.weigh({other: 1, one: -1}), 1)
    distances = []
    for one, other in combinations(marks, 2):
        distances.append(ruler.add(f"{one}{other}", range(1, five.LONGEST + 1)))
        ruler.total(ruler.weigh({other: 1, one: -1, distances[-1]: -1}), 0, 0)
    ruler.all_different(distances)
    ruler.solver.setObjective(ruler.weigh({marks[-1]: 1}), True)
    best: Solutions = []
    while (status := ruler.solver.runOnce()) in ("SAT", "PAUSED"):
        if status == "SAT":
            best = [ruler.read()[: five.MARKS]]
            ruler.solver.boundObjByLastSol()
    return best


@built_each_call
def pigeons() -> Solutions:
    """A clause for each pair and hole."""
    coop = _Integers()
    names = [coop.add(f"p{i}", range(1, five.HOLES + 1)) for i in range(five.PIGEONS)]
    for one, other in combinations(names, 2):
        coop.all_different((one, other))
    return coop.solutions(1)
