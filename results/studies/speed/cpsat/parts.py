"""The parts: instances of sets that ship, or drawn from fixed seeds, and what is asked of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from modelling.constraints import AllDifferent, Linear, NotEqual, Table
from modelling.problem import Objective, Problem, Structure, state
from puzzles.family import Instance, family
from puzzles.sets import instances


@dataclass(frozen=True)
class Part:
    """Instances and the asks that are put to them; ``count`` is how many solutions each has."""

    name: str
    asks: tuple[str, ...]
    make: Callable[[], list[Problem]]
    count: int | None = None


def of_set(name: str, every: int, most: int) -> Callable[[], list[Problem]]:
    """Instances of a set that ships, ``every`` so many lines one."""

    def make() -> list[Problem]:
        entries = [entry for entry in instances(name) if isinstance(entry, Instance)]
        return [family(e.family).problem(e.text) for e in entries[::every][:most]]

    return make


def queens(sizes: Sequence[int]) -> Callable[[], list[Problem]]:
    return lambda: [family("queens").problem(str(size)) for size in sizes]


def tables(seed: int) -> Problem:
    """Twelve variables of six values under eighteen tables of sixty triples; satisfiable."""
    rng = random.Random(f"tables/{seed}")
    hidden = [rng.randrange(6) for _ in range(12)]
    constraints = []
    for _ in range(18):
        scope = tuple(rng.sample(range(12), 3))
        rows = {tuple(hidden[v] for v in scope)}
        while len(rows) < 60:
            rows.add(tuple(rng.randrange(6) for _ in scope))
        constraints.append(Table(scope, tuple(sorted(rows))))
    names = tuple(f"x{i}" for i in range(12))
    return Structure(names, (tuple(range(6)),) * 12, tuple(constraints)).problem()


def colouring(seed: int) -> Problem:
    """A graph of thirty nodes and 65 edges in three colours, by NotEqual alone."""
    rng = random.Random(f"colouring/{seed}")
    hidden = [rng.randrange(3) for _ in range(30)]
    edges: set[tuple[int, ...]] = set()
    while len(edges) < 65:
        edge = tuple(sorted(rng.sample(range(30), 2)))
        if hidden[edge[0]] != hidden[edge[1]] or seed % 2:
            edges.add(edge)
    names = tuple(f"x{i}" for i in range(30))
    differ = tuple(NotEqual(edge) for edge in sorted(edges))
    return Structure(names, ((1, 2, 3),) * 30, differ).problem()


def equations(seed: int) -> Problem:
    """Two equations over fourteen variables of two values, with coefficients up to 60."""
    rng = random.Random(f"equations/{seed}")
    hidden = [rng.randrange(2) for _ in range(14)]
    constraints = []
    for _ in range(2):
        weights = tuple(rng.randint(1, 60) for _ in hidden)
        total = sum(w * x for w, x in zip(weights, hidden, strict=True))
        constraints.append(Linear(tuple(range(14)), weights, "==", total))
    names = tuple(f"x{i}" for i in range(14))
    return Structure(names, ((0, 1),) * 14, tuple(constraints)).problem()


def golomb(marks: int, longest: int) -> Problem:
    """The shortest ruler with so many marks, all distances different."""
    names = [f"m{i}" for i in range(marks)]
    domains: dict[str, Sequence[int]] = {name: range(longest + 1) for name in names}
    domains["m0"] = [0]
    constraints: list[Any] = []
    distances = [f"d{i}_{j}" for i in range(marks) for j in range(i + 1, marks)]
    domains.update({name: range(1, longest + 1) for name in distances})
    for name in distances:
        i, j = name[1:].split("_")
        constraints.append(Linear((f"m{j}", f"m{i}", name), (1, -1, -1), "==", 0))
    constraints.append(AllDifferent(tuple(distances)))
    constraints.append(Linear(("d0_1", f"d{marks - 2}_{marks - 1}"), (1, -1), "<", 0))
    return state(domains, constraints, objective=Objective("minimize", (names[-1],), (1,)))


def knapsack(seed: int) -> Problem:
    """Up to two of each of ten things."""
    rng = random.Random(f"knapsack/{seed}")
    names = tuple(f"x{i}" for i in range(10))
    weights = tuple(rng.randint(5, 40) for _ in names)
    values = tuple(weight + rng.randint(-3, 6) for weight in weights)
    room = Linear(names, weights, "<=", sum(weights) * 2 // 3)
    objective = Objective("maximize", names, values)
    return state({name: range(3) for name in names}, [room], objective=objective)


def ordering(seed: int) -> Problem:
    """Seven jobs in an order, some before others, with weights on their places."""
    rng = random.Random(f"ordering/{seed}")
    names = tuple(f"x{i}" for i in range(7))
    constraints: list[Any] = [AllDifferent(names)]
    for _ in range(4):
        before, after = sorted(rng.sample(range(7), 2))
        constraints.append(Linear((names[before], names[after]), (1, -1), "<", 0))
    objective = Objective("minimize", names, tuple(rng.randint(1, 20) for _ in names))
    return state({name: range(1, 8) for name in names}, constraints, objective=objective)


def drawn(draw: Callable[[int], Problem], number: int) -> Callable[[], list[Problem]]:
    return lambda: [draw(seed) for seed in range(number)]


ONE = ("first", "uniqueness", "all")
BEST = ("optimum", "all optima")
PARTS = (
    Part("sudoku-easy", ONE, of_set("sudoku-easy", 160, 6), 1),
    Part("sudoku-minimal", ONE, of_set("sudoku-minimal", 160, 6), 1),
    Part("sudoku-hard", ONE, of_set("sudoku-hard", 160, 6), 1),
    Part("sudoku-no-solution", ONE, of_set("sudoku-no-solution", 80, 6), 0),
    Part("sudoku-several", ONE, of_set("sudoku-several", 1, 9)),
    Part("sudoku-many-solutions", ONE, of_set("sudoku-many-solutions", 25, 8)),
    Part("sudoku-4x4", ONE, of_set("sudoku-4x4", 6, 6), 1),
    Part("sudoku-6x6", ONE, of_set("sudoku-6x6", 30, 6), 1),
    Part("sudoku-12x12", ONE[:2], of_set("sudoku-12x12", 18, 5), 1),
    Part("sudoku-16x16", ONE[:2], of_set("sudoku-16x16", 18, 5), 1),
    Part("sudoku-25x25", ONE[:2], of_set("sudoku-25x25", 6, 4), 1),
    Part("queens", ONE, queens((4, 5, 6, 7, 8, 9))),
    Part("queens, large", ONE[:2], queens((12, 16, 20, 28))),
    Part("latin", ONE, of_set("latin", 1, 8)),
    Part("cryptarithm", ONE, of_set("cryptarithm", 1, 8)),
    Part("tables", ONE, drawn(tables, 6)),
    Part("colouring", ONE[:2], drawn(colouring, 6)),
    Part("equations", ONE, drawn(equations, 6)),
    Part("golomb", BEST, lambda: [golomb(4, 8), golomb(5, 13), golomb(6, 19)]),
    Part("knapsack", BEST, drawn(knapsack, 5)),
    Part("ordering", BEST, drawn(ordering, 5)),
)
