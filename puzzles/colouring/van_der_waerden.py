"""Van der Waerden's theorem: 1 to n coloured without long arithmetic progressions of one colour.

Text is, for each colour, the length of progression that it must not hold, a colon, and n:
``3 4: 17`` forbids three in progression of colour 1 and four of colour 2. Variable ``cI`` is the
colour of number I, from 1. The least n without a solution is the number W(3, 4).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from modelling.constraints import Table
from modelling.errors import InstanceError
from modelling.problem import Problem, Structure
from puzzles.formats import Locate, in_text
from puzzles.lines import LineFamily, out_of_range, read_number, read_numbers, split_words
from puzzles.pictures import Picture, draw_row

MOST_COLOURS, LONGEST, MOST_NUMBERS = 6, 20, 300

Puzzle = tuple[tuple[int, ...], int]
"""The length for each colour, and n."""


def progressions(length: int, n: int) -> Iterator[range]:
    """The arithmetic progressions of this length from 1 to n."""
    for step in range(1, n):
        for first in range(1, n - (length - 1) * step + 1):
            yield range(first, first + (length - 1) * step + 1, step)


@lru_cache(maxsize=32)
def structure(lengths: tuple[int, ...], n: int) -> Structure:
    """No progression is all of the colour that must not hold it."""
    return Structure(
        tuple(f"c{i + 1}" for i in range(n)),
        (tuple(range(1, len(lengths) + 1)),) * n,
        tuple(
            Table(tuple(x - 1 for x in line), ((colour,) * length,), allowed=False)
            for colour, length in enumerate(lengths, 1)
            for line in progressions(length, n)
        ),
    )


class VanDerWaerden(LineFamily[Puzzle]):
    """Implements ``puzzles.family.Family``."""

    name = "van_der_waerden"
    about = "1 to n coloured without long arithmetic progressions of one colour"
    unit = "numbers"

    def parse(self, body: str, locate: Locate = in_text) -> Puzzle:
        """The length for each colour, and n."""
        head, colon, rest = body.partition(":")
        words = split_words(head)
        if not colon or not 1 <= len(words) <= MOST_COLOURS:
            cause = f"write 1 to {MOST_COLOURS} lengths, a colon and how many numbers, as '3 4: 17'"
            raise InstanceError(cause, locate(1))
        lengths = tuple(
            read_number(word, "a length", 2, LONGEST, locate(column)) for word, column in words
        )
        start = len(head) + 1
        (n,) = read_numbers(
            rest, lambda c: locate(start + c), "3 4: 17", ("how many numbers", 1, MOST_NUMBERS)
        )
        return lengths, n

    def text(self, puzzle: Puzzle) -> str:
        """The lengths, and n."""
        lengths, n = puzzle
        return f"{' '.join(map(str, lengths))}: {n}"

    def of_size(self, n: int) -> str:
        """See ``Sized``: two colours, neither with three in progression."""
        return f"3 3: {n}"

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``."""
        return structure(*puzzle).problem()

    def measure(self, puzzle: Puzzle) -> int:
        """The numbers."""
        return puzzle[1]

    def count_values(self, puzzle: Puzzle) -> int:
        """The numbers."""
        return puzzle[1]

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """Runs are followed from each number with each step."""
        lengths, n = puzzle
        yield from out_of_range([f"c{x}" for x in range(1, n + 1)], values, 1, len(lengths))
        of = dict(enumerate(values, 1))
        for first in of:
            for step in range(1, n):
                run = first
                while of.get(run + step) == of[first]:
                    run += step
                held = (run - first) // step + 1
                colour = of[first]
                if colour in range(1, len(lengths) + 1) and held >= lengths[colour - 1]:
                    yield f"{held} numbers from {first} in steps of {step} all have {colour}"

    def draw(self, puzzle: Puzzle, values: Sequence[int] | None) -> str:
        """A sign for each number."""
        return " ".join("." * puzzle[1] if values is None else map(str, values))

    def sketch(self, puzzle: Puzzle, values: Sequence[int] | None) -> Picture:
        """The numbers in their colours."""
        if values is None:
            return super().sketch(puzzle, None)
        return draw_row(range(1, puzzle[1] + 1), values)


VAN_DER_WAERDEN = VanDerWaerden()
