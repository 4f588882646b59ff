"""Knapsack: of items with weights and values, the most valuable ones that can be carried together.

Text is the capacity, a colon, and the items as weight=value: ``10: 5=10 4=40 6=30 3=50``. Variable
``tI`` is 1 if item I is taken.

Files may also be in the usual plain format (``plain``): how many items there are and the capacity,
then the value and the weight of each item, a line each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from modelling.constraints import Linear
from modelling.errors import InstanceError
from modelling.problem import Objective, Problem, Structure
from puzzles.family import Family
from puzzles.formats import Locate, in_text, label, place
from puzzles.lines import (
    FormattedFamily,
    Read,
    list_filled_lines,
    out_of_range,
    read_number,
    read_numbers,
    split_words,
)
from puzzles.parameters import Parameter
from puzzles.pictures import Bar, Picture, draw_bars
from puzzles.random_stream import Stream

MOST_ITEMS, MOST_NUMBER = 2000, 10_000_000

Puzzle = tuple[int, tuple[tuple[int, int], ...]]
"""The capacity; weight and value of each item."""

KINDS = ("uncorrelated", "weak", "strong", "subset-sum")


@lru_cache(maxsize=16)
def structure(capacity: int, items: tuple[tuple[int, int], ...]) -> Structure:
    """One sum is bounded, the other is to be large."""
    every = tuple(range(len(items)))
    return Structure(
        tuple(f"t{i + 1}" for i in every),
        ((0, 1),) * len(items),
        (Linear(every, tuple(weight for weight, _ in items), "<=", capacity),),
        Objective("maximize", every, tuple(value for _, value in items)),
    )


class Knapsack(FormattedFamily[Puzzle]):
    """Implements ``puzzles.family.Family``, ``Valued``, ``Generated`` and ``Formatted``."""

    name = "knapsack"
    file_formats = ("plain",)
    about = "knapsack: the most valuable items that can be carried together"
    unit = "items"
    csplib = 133
    parameters = (
        Parameter("items", 30, "Number of items.", 1, MOST_ITEMS),
        Parameter(
            "kind",
            "weak",
            "How values follow weights; in this order knapsacks are harder.",
            words=KINDS,
        ),
        Parameter("largest", 1000, "Largest weight.", 10, MOST_NUMBER // 2),
        Parameter("percent", 50, "Capacity in per cent of what all items weigh.", 0, 100),
    )

    def parse(self, body: str, locate: Locate = in_text) -> Puzzle:
        """The capacity and the items."""
        head, colon, _ = body.partition(":")
        words = split_words(body, len(head) + 1)
        if not colon or not 1 <= len(words) <= MOST_ITEMS:
            cause = f"write a capacity, a colon and 1 to {MOST_ITEMS} items, as '10: 5=10 4=40'"
            raise InstanceError(cause, locate(1))
        (capacity,) = read_numbers(
            head, locate, "10", ("the capacity", 0, MOST_NUMBER * MOST_ITEMS)
        )
        items = []
        for word, column in words:
            weight, equals, value = word.partition("=")
            if not equals:
                cause = f"{word[:40]!r} is no item; write weight=value as in '5=10'"
                raise InstanceError(cause, locate(column))
            where = locate(column)
            items.append(
                (
                    read_number(weight, "a weight", 0, MOST_NUMBER, where),
                    read_number(value, "a value", 0, MOST_NUMBER, where),
                )
            )
        return capacity, tuple(items)

    def text(self, puzzle: Puzzle) -> str:
        """The capacity and the items."""
        capacity, items = puzzle
        return f"{capacity}: {' '.join(f'{weight}={value}' for weight, value in items)}"

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``."""
        return structure(*puzzle).problem()

    def count_values(self, puzzle: Puzzle) -> int:
        """The items."""
        return len(puzzle[1])

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """What is taken is weighed."""
        capacity, items = puzzle
        yield from out_of_range([f"t{i}" for i in range(1, len(items) + 1)], values, 0, 1)
        weight = sum(weight for (weight, _), taken in zip(items, values, strict=True) if taken)
        if weight > capacity:
            yield f"the items weigh {weight}, more than {capacity}"

    def has_objective(self, text: str) -> bool:
        """See ``OptionalObjective``: always."""
        return True

    def value(self, text: str, values: Sequence[int]) -> int:
        """See ``Valued``: the value of what is taken."""
        _, items = self.parse(text)
        return sum(value for (_, value), taken in zip(items, values, strict=True) if taken)

    def draw(self, puzzle: Puzzle, values: Sequence[int] | None) -> str:
        """The items, a line each; those that are taken are marked."""
        capacity, items = puzzle
        wide = [max(len(str(item[k])) for item in items) for k in (0, 1)]
        rows = [f"weight {w:>{wide[0]}}, value {v:>{wide[1]}}" for w, v in items]
        if values is not None:
            return "\n".join(["", *("X" if taken else "." for taken in values)])
        return "\n".join([f"capacity {capacity}", *rows])

    def sketch(self, puzzle: Puzzle, values: Sequence[int] | None) -> Picture:
        """The weights of the items that are taken, and how much can be carried."""
        capacity, items = puzzle
        if values is None:
            return super().sketch(puzzle, None)
        bars: list[Bar] = []
        for k, ((weight, _), taken) in enumerate(zip(items, values, strict=True)):
            begin = bars[-1].end if bars else 0
            if taken == 1:
                bars.append(Bar(begin, begin + weight, str(k + 1), k))
        end = bars[-1].end if bars else 0
        return draw_bars([("items", bars)], max(end, capacity), capacity)

    def write(self, text: str, values: Sequence[int]) -> str:
        """The items that are taken, from 1."""
        return " ".join(str(i) for i, taken in enumerate(values, 1) if taken) or "none"

    def generate(self, draws: Stream, *, items: int, kind: str, largest: int, percent: int) -> str:
        """See ``Generated``.

        Weights are drawn from 1 to ``largest``; values likewise (uncorrelated), or within a tenth
        of ``largest`` of the weight (weak), or a tenth above it (strong), or the weight itself
        (subset-sum) (Pisinger, "Where are the hard knapsack problems?", Computers & Operations
        Research 32, 2005).
        """
        tenth = largest // 10
        made = []
        for _ in range(items):
            weight = 1 + draws.below(largest)
            if kind == "uncorrelated":
                value = 1 + draws.below(largest)
            elif kind == "weak":
                value = max(1, weight - tenth + draws.below(2 * tenth + 1))
            else:
                value = weight + tenth if kind == "strong" else weight
            made.append((weight, value))
        capacity = sum(weight for weight, _ in made) * percent // 100
        return self.text((capacity, tuple(made)))

    def as_written(self, head: Sequence[str], first: str, path: str) -> Family:
        """See ``Formatted``: a plain file begins with two numbers."""
        is_plain = re.fullmatch(r"\s*[0-9]+\s+[0-9]+\s*", first) is not None
        return self.in_format("plain" if is_plain else "lines")

    def read_file(self, lines: Iterable[str], source: str) -> Iterator[Read[Puzzle]]:
        """One knapsack."""
        given = [(number, line.split()) for number, line in list_filled_lines(lines)]
        puzzle = _read_plain(given, source)
        yield label(source), given[0][0], puzzle


def _read_plain(given: Sequence[tuple[int, Sequence[str]]], source: str) -> Puzzle:
    if not given:
        raise InstanceError("there is no puzzle in the input", place(source, 1, 1))
    for line, words in given:
        if len(words) != 2:
            raise InstanceError(f"{len(words)} words, where there are two", place(source, line, 1))
    (first, (number, capacity)), rest = given[0], given[1:]
    where = place(source, first, 1)
    items = read_number(number, "the number of items", 1, MOST_ITEMS, where)
    if len(rest) < items:
        raise InstanceError(f"{len(rest)} items follow, not {items}", where)
    limit = read_number(capacity, "the capacity", 0, MOST_NUMBER * MOST_ITEMS, where)
    found = []
    for line, (value, weight) in rest[:items]:
        at = place(source, line, 1)
        heavy = read_number(weight, "a weight", 0, MOST_NUMBER, at)
        found.append((heavy, read_number(value, "a value", 0, MOST_NUMBER, at)))
    return limit, tuple(found)


KNAPSACK = Knapsack()
