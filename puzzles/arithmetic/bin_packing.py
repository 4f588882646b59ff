"""Bin packing: items into as few bins as can be, or into a given number, none of them too full.

Text is the capacity, the number of bins if it is given, a colon, and the sizes: ``10: 6 5 4 3 2``
asks for the fewest bins, ``10 2: 6 5 4 3 2`` for a packing into two. Variable ``bI`` is the bin of
item I, from 1. Packings that differ in the names of the bins are solutions apart. With the fewest
bins sought, bins go up to what packing the largest first takes, and the largest number of a bin in
use is what is minimised.

Files may be Scholl's (``scholl``: how many items, the capacity, then a size a line) or those of
OR-Library as SCIP has them (``bpa``: a name, then the capacity, how many items and the fewest bins
known, then a size a line), each one problem.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from modelling.errors import InputError, PuzzleError
from modelling.nearest import did_you_mean
from modelling.problem import Objective, Problem, Structure
from modelling.terms import Affine, constants
from modelling.vocabulary.counting.bin_packing import BinPacking as Packed
from modelling.vocabulary.functions.extremes import Maximum
from puzzles.family import Family, Instance
from puzzles.formats import Locate, in_text, label, numbered, place
from puzzles.lines import LineFamily, out_of_range, read_number, read_numbers, split_words
from puzzles.parameters import Parameter
from puzzles.random_stream import Stream

MOST_ITEMS, MOST_CAPACITY = 1000, 10_000_000

Puzzle = tuple[int, int | None, tuple[int, ...]]
"""The capacity, the number of bins if it is given, the sizes."""

FORMATS = ("lines", "scholl", "bpa")


@lru_cache(maxsize=32)
def pack_largest_first(capacity: int, sizes: tuple[int, ...]) -> int:
    """How many bins it takes to put each item, largest first, where it first fits."""
    room: list[int] = []
    for size in sorted(sizes, reverse=True):
        place_ = next((k for k, left in enumerate(room) if left >= size), None)
        if place_ is None:
            room.append(capacity - size)
        else:
            room[place_] -= size
    return len(room)


@lru_cache(maxsize=16)
def structure(capacity: int, bins: int | None, sizes: tuple[int, ...]) -> Structure:
    """The load of each bin is bounded."""
    most = pack_largest_first(capacity, sizes) if bins is None else bins
    items = tuple(range(len(sizes)))
    return Structure(
        tuple(f"b{i + 1}" for i in items),
        (tuple(range(1, most + 1)),) * len(sizes),
        (
            Packed(
                tuple(Affine(i, 1, -1) for i in items), sizes, "<=", constants(*(capacity,) * most)
            ),
        ),
        Objective("minimize", Maximum(items)) if bins is None else None,
    )


class BinPacking(LineFamily[Puzzle]):
    """Implements ``puzzles.family.Family``, ``Valued``, ``Generated`` and ``Formatted``."""

    name = "bin_packing"
    about = "bin packing: items into as few bins as can be, or into k"
    parameters = (
        Parameter("items", 30, "Number of items.", 1, MOST_ITEMS),
        Parameter("capacity", 150, "Capacity of a bin.", 1, MOST_CAPACITY),
        Parameter("least", 20, "Smallest size of an item.", 1, MOST_CAPACITY),
        Parameter(
            "largest",
            100,
            "Largest size; sizes of a third of the capacity on average are hardest.",
            1,
            MOST_CAPACITY,
        ),
    )

    def parse(self, body: str, locate: Locate = in_text) -> Puzzle:
        """The capacity, the bins if told, the sizes."""
        head, colon, _ = body.partition(":")
        words = split_words(body, len(head) + 1)
        if not colon or not 1 <= len(words) <= MOST_ITEMS:
            cause = f"write a capacity, a colon and 1 to {MOST_ITEMS} sizes, as '10: 6 5 4 3 2'"
            raise PuzzleError(cause, locate(1))
        wanted = ("the capacity", 1, MOST_CAPACITY), ("the number of bins", 1, MOST_ITEMS)
        told = read_numbers(
            head, locate, "10 2: 6 5 4 3 2", *wanted[: max(1, len(split_words(head)))]
        )
        sizes = tuple(
            read_number(word, "a size", 1, told[0], locate(column)) for word, column in words
        )
        return told[0], told[1] if len(told) == 2 else None, sizes

    def text(self, puzzle: Puzzle) -> str:
        """The capacity, the bins if told, the sizes."""
        capacity, bins, sizes = puzzle
        head = f"{capacity}" if bins is None else f"{capacity} {bins}"
        return f"{head}: {' '.join(map(str, sizes))}"

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``."""
        return structure(*puzzle).problem()

    def count_values(self, puzzle: Puzzle) -> int:
        """The items."""
        return len(puzzle[2])

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """The bins are filled."""
        capacity, bins, sizes = puzzle
        most = pack_largest_first(capacity, sizes) if bins is None else bins
        yield from out_of_range([f"b{i}" for i in range(1, len(sizes) + 1)], values, 1, most)
        loads: dict[int, int] = {}
        for size, bin_ in zip(sizes, values, strict=True):
            loads[bin_] = loads.get(bin_, 0) + size
        for bin_, load in sorted(loads.items()):
            if load > capacity:
                yield f"bin {bin_} holds {load}, more than {capacity}"

    def value(self, text: str, values: Sequence[int]) -> int:
        """See ``Valued``: the largest bin, which is the number of bins where it is best."""
        return max(values)

    def draw(self, puzzle: Puzzle, values: Sequence[int] | None) -> str:
        """The sizes; or the bins, a line each."""
        capacity, bins, sizes = puzzle
        if values is None:
            many = "as few bins as can be" if bins is None else f"{bins} bins"
            return f"{many} of {capacity}: {' '.join(map(str, sizes))}"
        return "\n".join(
            f"{bin_}: {' '.join(str(s) for s, b in zip(sizes, values, strict=True) if b == bin_)}"
            for bin_ in sorted(set(values))
        )

    def generate(
        self, draws: Stream, *, items: int, capacity: int, least: int, largest: int
    ) -> str:
        """See ``Generated``: sizes from ``least`` to ``largest``, each as likely.

        The defaults are Falkenauer's uniform class ("A hybrid grouping genetic algorithm for bin
        packing", Journal of Heuristics 2, 1996).
        """
        if not least <= largest <= capacity:
            raise InputError(f"no {items} sizes from {least} to {largest} for bins of {capacity}")
        sizes = tuple(least + draws.below(largest - least + 1) for _ in range(items))
        return self.text((capacity, None, sizes))

    def formats(self) -> Sequence[str]:
        """See ``Formatted``."""
        return FORMATS

    def in_format(self, name: str) -> Family:
        """See ``Formatted``."""
        if name not in FORMATS:
            hint = did_you_mean(name, FORMATS)
            raise InputError(
                f"no format is called {name!r}{hint} (there are: {', '.join(FORMATS)})"
            )
        return BIN_PACKING if name == "lines" else _FilePacking(name)

    def as_written(self, head: Sequence[str], first: str, path: str) -> Family:
        """See ``Formatted``: Scholl's files begin with one number, the others with a name."""
        if re.fullmatch(r"\s*[0-9]+\s*", first):
            return self.in_format("scholl")
        return self.in_format("lines" if ":" in first else "bpa")


class _FilePacking(BinPacking):
    """Reads one problem a file."""

    def __init__(self, form: str) -> None:
        self.form = form

    def read(self, lines: Iterable[str], source: str) -> Iterator[Instance | PuzzleError]:
        """See ``Family.read``."""
        told = [(number, line.strip()) for number, line in numbered(lines) if line.strip()]
        name = told[0][1] if told and self.form == "bpa" else label(source)
        try:
            puzzle = _read_file(told[1:] if self.form == "bpa" else told, self.form, source)
        except PuzzleError as error:
            yield error
            return
        yield Instance(self.name, name, self.text(puzzle), f"{source}:{told[0][0]}")


def _read_file(told: Sequence[tuple[int, str]], form: str, source: str) -> Puzzle:
    words = [(word, place(source, line, 1)) for line, text in told for word in text.split()]
    head = 3 if form == "bpa" else 2
    if len(words) <= head:
        raise PuzzleError("the file ends before the first size", place(source, 1, 1))
    capacity, number = words[:2] if form == "bpa" else words[1::-1]
    limit = read_number(capacity[0], "the capacity", 1, MOST_CAPACITY, capacity[1])
    items = read_number(number[0], "the number of items", 1, MOST_ITEMS, number[1])
    sizes = tuple(read_number(word, "a size", 1, limit, where) for word, where in words[head:])
    if len(sizes) != items:
        raise PuzzleError(f"{len(sizes)} sizes follow, not {items}", number[1])
    return limit, None, sizes


BIN_PACKING = BinPacking()
