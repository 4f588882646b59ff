"""The measured problems: families of the vocabulary and drawn ones, with their seeds.

The names of three sizes of one kind begin alike and end in S, M and L.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import concord
from concord import Optimum, Problem, Solutions
from results.studies.speed.engine import models

ALL, FIRST, BEST = Solutions(None, 0), Solutions(1), Optimum()
Make = Callable[[], Sequence[Problem]]


class Measured(NamedTuple):
    """Problems of one family that are timed together, and what is asked of each."""

    problems: Make
    ask: Solutions | Optimum


def texts(family: str, *of: str) -> Make:
    """Instances by their text."""
    return lambda: [concord.family(family).problem(text) for text in of]


def shipped(family: str, *names: str) -> Make:
    """Instances that ship, by their names; all without names."""

    def read() -> list[Problem]:
        found = {one.name: one for one in concord.read(family)}
        return [concord.family(family).problem(found[n].text) for n in names or found]

    return read


def drawn(family: str, number: int, seed: int, **spec: Any) -> Make:
    """Instances of the family's generator."""

    def draw() -> list[Problem]:
        found = concord.generate(number, family=family, seed=seed, **spec)
        return [concord.family(family).problem(one.text) for one in found]

    return draw


def stated(model: Callable[..., Problem], *arguments: tuple[Any, ...]) -> Make:
    """Models of the study's own, one for each tuple of arguments."""
    return lambda: [model(*one) for one in arguments]


def three(name: str, ask: Solutions | Optimum, *sizes: Make) -> Iterator[tuple[str, Measured]]:
    """Three sizes of one kind."""
    for letter, problems in zip("SML", sizes, strict=True):
        yield f"{name}, {letter}", Measured(problems, ask)


FIRST_FAMILIES: dict[str, Measured] = {
    "queens 10, all": Measured(texts("queens", "10"), ALL),
    "queens 10 by three AllDifferent, all": Measured(stated(models.queens_of_three, ()), ALL),
    "queens 50, first": Measured(texts("queens", "50"), FIRST),
    "magic square 4, first": Measured(texts("magic_square", "4"), FIRST),
    "Golomb 8": Measured(texts("golomb", "8"), BEST),
    "Langford 2 8, all": Measured(texts("langford", "2 8"), ALL),
    "all-interval 10, all": Measured(texts("all_interval", "10"), ALL),
    "Costas 8, all": Measured(texts("costas", "8"), ALL),
    "cryptarithms, all": Measured(shipped("cryptarithm"), ALL),
    "queen6_6 in 7 colours": Measured(stated(models.queen_graph, (6, 7)), FIRST),
    "G(60, .3) in 6 colours, none": Measured(stated(models.colouring, (60, 0.3, 6, 1)), FIRST),
    "QG5 order 7, all": Measured(texts("quasigroup", "QG5 7"), ALL),
    "ft06": Measured(shipped("job_shop", "ft06"), BEST),
    "killer Sudoku (2), all": Measured(shipped("killer_sudoku", "killer-9", "killer-9-large"), ALL),
    "QWH 20 (3)": Measured(stated(models.holes, *[(20, 168, k) for k in (1, 2, 3)]), FIRST),
    "QWH 30 (3)": Measured(stated(models.holes, *[(30, 378, k) for k in (1, 2, 3)]), FIRST),
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


def further_families() -> Iterator[tuple[str, Measured]]:
    """Thirty kinds more, at sizes most of which take the best rival from 10 ms to a minute."""
    yield from three(
        "open shop", BEST, *(drawn("open_shop", 2, 1, jobs=n, machines=n) for n in (5, 7, 8))
    )
    yield from three(
        "car sequencing", FIRST, *(drawn("car_sequencing", 3, 1, cars=n) for n in (30, 40, 50))
    )
    yield from three(
        "magic sequence", ALL, *(texts("magic_sequence", str(n)) for n in (100, 150, 200))
    )
    yield from three(
        "number partition", ALL, *(texts("number_partition", str(n)) for n in (20, 24, 28))
    )
    yield from three(
        "Ramsey", FIRST, *(texts("ramsey", text) for text in ("3 5: 13", "3 4: 9", "3 3 3: 15"))
    )
    yield from three("Schur", FIRST, *(texts("schur", text) for text in ("4 44", "5 100", "5 120")))
    yield from three(
        "van der Waerden",
        FIRST,
        *(texts("van_der_waerden", text) for text in ("4 4: 35", "3 7: 45", "3 3 3: 27")),
    )
    yield from three("still life", BEST, *(texts("still_life", n) for n in "567"))
    yield from three(
        "quasigroup QG3",
        FIRST,
        *(texts("quasigroup", text) for text in ("QG3 7", "QG3 8", "QG4 8")),
    )
    yield from three(
        "golfers",
        FIRST,
        *(texts("social_golfers", text) for text in ("5 4 3", "5 4 4", "8 4 5")),
    )
    yield from three(
        "BIBD, lex",
        FIRST,
        *(texts("bibd", f"{text} lex") for text in ("13 26 6 3 1", "10 30 9 3 2", "9 36 12 3 3")),
    )
    yield from three("tsp", BEST, *(drawn("tsp", 2, 1, cities=n) for n in (11, 13, 15)))
    yield from three("knapsack", BEST, *(drawn("knapsack", 2, 1, items=n) for n in (40, 60, 100)))
    yield from three(
        "bin packing", BEST, *(drawn("bin_packing", 2, 1, items=n) for n in (12, 14, 17))
    )
    yield from three(
        "nonogram", ALL, *(drawn("nonogram", 2, 1, rows=n, columns=n) for n in (20, 25, 30))
    )
    yield from three("kakuro", ALL, *(drawn("kakuro", 2, 1, rows=n, columns=n) for n in (6, 9, 12)))
    yield from three("KenKen", ALL, *(drawn("kenken", 2, 1, order=n) for n in (7, 8, 9)))
    yield from three("Model RB", ALL, *(drawn("model_rb", 2, 1, variables=n) for n in (22, 26, 30)))
    yield from three(
        "flexible job shop",
        BEST,
        *(
            drawn("flexible_job_shop", 2, 1, jobs=n, machines=m)
            for n, m in ((5, 3), (5, 4), (6, 3))
        ),
    )
    yield from three("rcpsp", BEST, *(drawn("rcpsp", 2, 1, tasks=n) for n in (15, 20, 30)))
    yield from three(
        "low autocorrelation",
        BEST,
        *(stated(models.low_autocorrelation, (n,)) for n in (12, 14, 15)),
    )
    yield from three(
        "queens that dominate", BEST, *(stated(models.domination, (n,)) for n in (5, 6, 7))
    )
    yield from three(
        "quadratic assignment", BEST, *(stated(models.assignment, (n, 1)) for n in (7, 8, 9))
    )
    yield from three(
        "squares in a box",
        FIRST,
        *(
            stated(models.squares, (range(1, n), width, height))
            for n, width, height in ((12, 23, 23), (13, 25, 26), (15, 32, 32))
        ),
    )
    yield from three(
        "prize tour", BEST, *(stated(models.prizes, (n, 3 * n, 1)) for n in (11, 12, 14))
    )
    yield from three(
        "crossword",
        ALL,
        *(
            stated(models.crossword, (n, n, words, 1))
            for n, words in ((4, 100), (4, 120), (4, 150))
        ),
    )
    yield from three(
        "warehouses", BEST, *(stated(models.warehouses, (n, n // 2, 1)) for n in (14, 16, 20))
    )
    yield from three(
        "centres",
        BEST,
        *(stated(models.centres, (n, k, 1)) for n, k in ((30, 3), (40, 3), (30, 4))),
    )
    yield from three("marriages", ALL, *(stated(models.marriages, (n, 1)) for n in (20, 30, 40)))
    yield from three(
        "steel mill", BEST, *(stated(models.steel_mill, (n, n // 2, 1)) for n in (8, 10, 12))
    )
    yield from three("tournament", FIRST, *(stated(models.tournament, (n,)) for n in (10, 12, 14)))


FAMILIES: dict[str, Measured] = {**FIRST_FAMILIES, **dict(further_families())}
