"""Magic sequences: x0 zeros, x1 ones, x2 twos, and so on, of n numbers x0 to x(n-1).

Text is how many numbers there are: ``4``. Variable ``xi`` says how often i occurs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from modelling.problem import Problem, Structure
from modelling.vocabulary.counting.global_cardinality import GlobalCardinality
from puzzles.lines import NumberFamily, out_of_range

MOST = 200


@lru_cache(maxsize=32)
def structure(n: int) -> Structure:
    """Each number counts an index among them all."""
    every = tuple(range(n))
    return Structure(
        tuple(f"x{i}" for i in every),
        (every,) * n,
        (GlobalCardinality(every, every, every),),
    )


class MagicSequence(NumberFamily):
    """Implements ``puzzles.family.Family``."""

    name = "magic_sequence"
    about = "sequences in which number i says how often i occurs"
    unit = "numbers"
    csplib = 19
    size = ("the length", 1, MOST, "4")

    def state(self, puzzle: int) -> Problem:
        """See ``structure``."""
        return structure(puzzle).problem()

    def find_faults(self, puzzle: int, values: Sequence[int]) -> Iterator[str]:
        """The occurrences are counted."""
        yield from out_of_range([f"x{i}" for i in range(puzzle)], values, 0, puzzle - 1)
        times = Counter(values)
        for i, given in enumerate(values):
            if given != times[i]:
                yield f"x{i} = {given}, but {i} occurs {times[i]} times"

    def draw(self, puzzle: int, values: Sequence[int] | None) -> str:
        """Indices over numbers."""
        shown = ["."] * puzzle if values is None else [str(v) for v in values]
        width = max(len(str(puzzle - 1)), *map(len, shown))
        rows = [map(str, range(puzzle)), shown]
        return "\n".join(" ".join(f"{cell:>{width}}" for cell in row) for row in rows)


MAGIC_SEQUENCE = MagicSequence()
