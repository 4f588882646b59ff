"""The measured problems: medium ones, that take CP-SAT with one worker from 0.1 to 20 seconds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from concord import Optimum, Problem, Solutions
from results.studies.speed.engine.families import drawn, texts
from results.studies.speed.engine.models import holes

FIRST, BEST = Solutions(1), Optimum()
FT10 = """
    0=29 1=78 2=9 3=36 4=49 5=11 6=62 7=56 8=44 9=21 |
    0=43 2=90 4=75 9=11 3=69 1=28 6=46 5=46 7=72 8=30 |
    1=91 0=85 3=39 2=74 8=90 5=10 7=12 6=89 9=45 4=33 |
    1=81 2=95 0=71 4=99 6=9 8=52 7=85 3=98 9=22 5=43 |
    2=14 0=6 1=22 5=61 3=26 4=69 8=21 7=49 9=72 6=53 |
    2=84 1=2 5=52 3=95 8=48 9=72 0=47 6=65 4=6 7=25 |
    1=46 0=37 3=61 2=13 6=32 5=21 9=32 8=89 7=30 4=55 |
    2=31 0=86 1=46 5=74 4=32 6=88 8=19 9=48 7=36 3=79 |
    0=76 1=69 3=76 5=51 2=85 9=11 6=40 7=89 4=26 8=74 |
    1=85 0=13 2=61 6=7 8=64 9=76 5=47 3=52 4=90 7=45
"""
"""Fisher and Thompson, in Muth and Thompson, *Industrial scheduling*, 1963; 930 is best."""


class Set(NamedTuple):
    """Problems of one family, by name, and what is asked of each."""

    problems: Callable[[], dict[str, Problem]]
    ask: Solutions | Optimum


def named(**parts: Callable[[], Sequence[Problem]]) -> Callable[[], dict[str, Problem]]:
    """Several parts of a family; the problems of a part are numbered."""

    def make() -> dict[str, Problem]:
        return {
            f"{name}-{k}": problem
            for name, part in parts.items()
            for k, problem in enumerate(part(), 1)
        }

    return make


SETS: dict[str, Set] = {
    "job shop": Set(
        named(
            ft10=texts("job_shop", " ".join(FT10.split())),
            eight=drawn("job_shop", 1, 1, jobs=8, machines=8),
            ten=drawn("job_shop", 1, 4, jobs=10, machines=8),
        ),
        BEST,
    ),
    "open shop": Set(
        named(
            seven=drawn("open_shop", 2, 2, jobs=7, machines=7),
            nine=drawn("open_shop", 1, 1, jobs=9, machines=9),
        ),
        BEST,
    ),
    "rcpsp": Set(
        named(
            forty=drawn("rcpsp", 1, 3, tasks=40),
            fifty=drawn("rcpsp", 2, 2, tasks=50),
        ),
        BEST,
    ),
    "car sequencing": Set(
        named(
            forty=drawn("car_sequencing", 1, 1, cars=40, percent=85),
            sixty=drawn("car_sequencing", 2, 1, cars=60, percent=85),
        ),
        FIRST,
    ),
    "bin packing": Set(
        named(
            thirty=drawn("bin_packing", 1, 1, items=30),
            fifty=drawn("bin_packing", 2, 3, items=50),
        ),
        BEST,
    ),
    "tsp": Set(
        named(
            sixteen=drawn("tsp", 1, 1, cities=16),
            twenty=drawn("tsp", 1, 1, cities=20),
            thirty=drawn("tsp", 1, 1, cities=30),
        ),
        BEST,
    ),
    "colouring": Set(
        named(
            sparse=drawn("graph_colouring", 1, 1, vertices=120, colours=0, degree=8),
            dense=drawn("graph_colouring", 1, 1, vertices=50, colours=0, degree=15),
            middle=drawn("graph_colouring", 1, 1, vertices=60, colours=0, degree=12),
        ),
        BEST,
    ),
    "QWH": Set(
        named(
            order30=lambda: [holes(30, 378, k) for k in (2, 3)],
            order33=lambda: [holes(33, 457, 1)],
        ),
        FIRST,
    ),
    "Golomb": Set(named(ruler=texts("golomb", "8", "9", "10")), BEST),
}
"""All sets of the study."""
