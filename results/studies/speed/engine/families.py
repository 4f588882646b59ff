"""The measured problems: families of the vocabulary and drawn ones, with their seeds."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import concord
from concord import Optimum, Problem, Solutions, core
from puzzles.latin.holes import draw_cells
from puzzles.random_stream import Stream

ALL, FIRST, BEST = Solutions(None, 0), Solutions(1), Optimum()


class Measured(NamedTuple):
    """Problems of one family that are timed together, and what is asked of each."""

    problems: Callable[[], Sequence[Problem]]
    ask: Solutions | Optimum


def texts(family: str, *of: str) -> Callable[[], list[Problem]]:
    """Instances by their text."""
    return lambda: [concord.family(family).problem(text) for text in of]


def shipped(family: str, *names: str) -> Callable[[], list[Problem]]:
    """Instances that ship, by their names; all without names."""

    def read() -> list[Problem]:
        found = {one.name: one for one in concord.read(family)}
        return [concord.family(family).problem(found[n].text) for n in names or found]

    return read


def drawn(family: str, number: int, seed: int, **spec: Any) -> Callable[[], list[Problem]]:
    """Instances of the family's generator."""

    def draw() -> list[Problem]:
        found = concord.generate(number, family=family, seed=seed, **spec)
        return [concord.family(family).problem(one.text) for one in found]

    return draw


def queens_of_three() -> list[Problem]:
    """Ten queens by three AllDifferent."""
    model = concord.Model()
    q = model.ints(10, 0, 9, "q")
    model.add(concord.all_different(q))
    model.add(concord.all_different([q[i] + i for i in range(10)]))
    model.add(concord.all_different([q[i] - i for i in range(10)]))
    return [model.problem()]


def colouring(vertices: int, density: float, colours: int, seed: int) -> list[Problem]:
    """A random graph."""
    draw = random.Random(seed)
    edges = [(i, j) for i in range(vertices) for j in range(i) if draw.random() < density]
    domains = {f"v{i}": range(colours) for i in range(vertices)}
    return [concord.problem(domains, [core.NotEqual(edge) for edge in edges])]


def queen_graph(order: int, colours: int) -> list[Problem]:
    """The squares of a board as vertices, joined where a queen moves."""
    squares = [divmod(k, order) for k in range(order * order)]
    edges = [
        (a, b)
        for a, (r, c) in enumerate(squares)
        for b, (s, d) in enumerate(squares[:a])
        if r == s or c == d or abs(r - s) == abs(c - d)
    ]
    domains = {f"v{i}": range(colours) for i in range(order * order)}
    return [concord.problem(domains, [core.NotEqual(edge) for edge in edges])]


def holes(order: int, number: int, seeds: Sequence[int]) -> list[Problem]:
    """Latin squares with holes: quasigroup completion."""
    lines = [[order * r + c for c in range(order)] for r in range(order)]
    lines += [[order * r + c for r in range(order)] for c in range(order)]
    found = []
    for seed in seeds:
        cells = draw_cells(Stream(seed), order, number, "holes")
        domains = {f"c{i}": [v] if v else range(1, order + 1) for i, v in enumerate(cells)}
        found.append(concord.problem(domains, [core.AllDifferent(tuple(line)) for line in lines]))
    return found


FAMILIES: dict[str, Measured] = {
    "queens 10, all": Measured(texts("queens", "10"), ALL),
    "queens 10 by three AllDifferent, all": Measured(queens_of_three, ALL),
    "queens 50, first": Measured(texts("queens", "50"), FIRST),
    "magic square 4, first": Measured(texts("magic_square", "4"), FIRST),
    "Golomb 8": Measured(texts("golomb", "8"), BEST),
    "Langford 2 8, all": Measured(texts("langford", "2 8"), ALL),
    "all-interval 10, all": Measured(texts("all_interval", "10"), ALL),
    "Costas 8, all": Measured(texts("costas", "8"), ALL),
    "cryptarithms, all": Measured(shipped("cryptarithm"), ALL),
    "queen6_6 in 7 colours": Measured(lambda: queen_graph(6, 7), FIRST),
    "G(60, .3) in 6 colours, none": Measured(lambda: colouring(60, 0.3, 6, 1), FIRST),
    "QG5 order 7, all": Measured(texts("quasigroup", "QG5 7"), ALL),
    "ft06": Measured(shipped("job_shop", "ft06"), BEST),
    "killer Sudoku (2), all": Measured(shipped("killer_sudoku", "killer-9", "killer-9-large"), ALL),
    "QWH 20 (3)": Measured(lambda: holes(20, 168, (1, 2, 3)), FIRST),
    "QWH 30 (3)": Measured(lambda: holes(30, 378, (1, 2, 3)), FIRST),
    "knapsack, strong": Measured(shipped("knapsack", "strong"), BEST),
    "bin packing 14": Measured(shipped("bin_packing", "uniform-14"), BEST),
    "car sequencing 10, all": Measured(shipped("car_sequencing", "ten-cars"), ALL),
    "nonogram 20": Measured(shipped("nonogram", "random-20"), ALL),
    "rcpsp, generated": Measured(drawn("rcpsp", 1, 1), BEST),
    "burma14": Measured(shipped("tsp", "burma14"), BEST),
    "BIBD 7-3-2, lex, all": Measured(shipped("bibd", "bibd-7-3-2-lex"), ALL),
    "golfers 3-3-4": Measured(shipped("social_golfers", "golfers-3-3-4"), FIRST),
}
"""The first measurements of the engine were made of these."""
