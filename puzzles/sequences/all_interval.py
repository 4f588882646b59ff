"""All-interval series: 0 to n-1 in an order in which the steps are 1 to n-1, each once.

Text is n: ``8``. Variable ``xi`` is the number in place i, from 1. A series, its mirror image and
its complement are solutions apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from modelling.constraints import AllDifferent
from modelling.problem import Problem, Structure
from modelling.vocabulary.functions.distance import Distance
from puzzles.lines import NumberFamily, out_of_range

MOST = 100


@lru_cache(maxsize=32)
def structure(n: int) -> Structure:
    """Different numbers, and different distances between neighbours."""
    places = tuple(range(n))
    return Structure(
        tuple(f"x{i + 1}" for i in places),
        (places,) * n,
        (AllDifferent(places), AllDifferent(tuple(Distance(i, j) for i, j in pairwise(places)))),
    )


class AllInterval(NumberFamily):
    """Implements ``puzzles.family.Family``."""

    name = "all_interval"
    about = "all-interval series: 0 to n-1 in an order whose steps are all different"
    unit = "numbers"
    csplib = 7
    size = ("the length", 1, MOST, "8")

    def state(self, puzzle: int) -> Problem:
        """See ``structure``."""
        return structure(puzzle).problem()

    def find_faults(self, puzzle: int, values: Sequence[int]) -> Iterator[str]:
        """Numbers and steps are counted."""
        yield from out_of_range([f"x{i + 1}" for i in range(puzzle)], values, 0, puzzle - 1)
        for number, times in Counter(values).items():
            if times > 1:
                yield f"{number} occurs {times} times"
        for step, times in Counter(abs(a - b) for a, b in pairwise(values)).items():
            if times > 1:
                yield f"the step {step} occurs {times} times"

    def draw(self, puzzle: int, values: Sequence[int] | None) -> str:
        """The series, and below it the steps."""
        if values is None:
            return " ".join("." * puzzle)
        width = max(map(len, map(str, values)))
        steps = [abs(a - b) for a, b in pairwise(values)]
        rows = [f"{v:>{width}}" for v in values], [f"{step:>{width}}" for step in steps]
        return "\n".join(
            [" ".join(rows[0]), f"{'':{(width + 1) // 2}}{' '.join(rows[1])}"]
        ).rstrip()


ALL_INTERVAL = AllInterval()
