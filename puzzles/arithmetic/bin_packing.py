"""Bin packing: items into as few bins as can be, or into a given number, none of them too full.

Text is the capacity, the number of bins if it is given, a colon, and the sizes: ``10: 6 5 4 3 2``
asks for the fewest bins, ``10 2: 6 5 4 3 2`` for a packing into two. Variable ``bI`` is the bin of
item I, from 1. Packings that differ in the names of the bins are solutions apart. With the fewest
bins sought, bins go up to what packing the largest first takes, and the largest number of a bin in
use is what is minimised.

Files may be Scholl's (``scholl``, ``.bpp``: how many items, the capacity, then a size a line) or
those of OR-Library, which are Falkenauer's (``bpa``: a name, then the capacity, how many items and
the fewest bins known, then a size a line); the latter hold one problem, as SCIP has them, or
several, and then their number comes first. Numbers with decimals are made whole, all in
the same proportion.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from modelling.errors import InputError, InstanceError
from modelling.problem import Objective, Problem, Structure
from modelling.terms import Affine, constants
from modelling.vocabulary.counting.bin_packing import BinPacking as Packed
from modelling.vocabulary.formulas.linear import Linear
from modelling.vocabulary.functions.extremes import Maximum
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

MOST_ITEMS, MOST_CAPACITY = 1000, 10_000_000

Puzzle = tuple[int, int | None, tuple[int, ...]]
"""The capacity, the number of bins if it is given, the sizes."""

_NUMBER = re.compile(r"\s*[0-9.]+(?:\s|$)")


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
    """The load of each bin is bounded; it follows, and is stated where the fewest bins are sought,
    that there are bins enough for the sum of the sizes."""
    most = pack_largest_first(capacity, sizes) if bins is None else bins
    items = tuple(range(len(sizes)))
    enough = Linear((Maximum(items),), (1,), ">=", -(-sum(sizes) // capacity))
    return Structure(
        tuple(f"b{i + 1}" for i in items),
        (tuple(range(1, most + 1)),) * len(sizes),
        (
            Packed(
                tuple(Affine(i, 1, -1) for i in items), sizes, "<=", constants(*(capacity,) * most)
            ),
            *((enough,) if bins is None else ()),
        ),
        Objective("minimize", Maximum(items)) if bins is None else None,
    )


class BinPacking(FormattedFamily[Puzzle]):
    """Implements ``puzzles.family.Family``, ``Valued``, ``Generated`` and ``Formatted``."""

    name = "bin_packing"
    file_formats = ("scholl", "bpa")
    about = "bin packing: items into as few bins as can be, or into k"
    unit = "items"
    endings = (".bpa", ".bpp")
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
        """The capacity, the bins if given, the sizes."""
        head, colon, _ = body.partition(":")
        words = split_words(body, len(head) + 1)
        if not colon or not 1 <= len(words) <= MOST_ITEMS:
            cause = f"write a capacity, a colon and 1 to {MOST_ITEMS} sizes, as '10: 6 5 4 3 2'"
            raise InstanceError(cause, locate(1))
        wanted = ("the capacity", 1, MOST_CAPACITY), ("the number of bins", 1, MOST_ITEMS)
        given = read_numbers(
            head, locate, "10 2: 6 5 4 3 2", *wanted[: max(1, len(split_words(head)))]
        )
        sizes = tuple(
            read_number(word, "a size", 1, given[0], locate(column)) for word, column in words
        )
        return given[0], given[1] if len(given) == 2 else None, sizes

    def text(self, puzzle: Puzzle) -> str:
        """The capacity, the bins if given, the sizes."""
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

    def has_objective(self, text: str) -> bool:
        """See ``OptionalObjective``: without a number of bins."""
        return " " not in text.partition(":")[0]

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

    def sketch(self, puzzle: Puzzle, values: Sequence[int] | None) -> Picture:
        """The bins, each with its items and its capacity."""
        capacity, _, sizes = puzzle
        if values is None:
            return super().sketch(puzzle, None)
        rows: dict[int, list[Bar]] = {bin_: [] for bin_ in sorted(set(values))}
        for k, (size, bin_) in enumerate(zip(sizes, values, strict=True)):
            begin = rows[bin_][-1].end if rows[bin_] else 0
            rows[bin_].append(Bar(begin, begin + size, str(size), k))
        fullest = max(bars[-1].end for bars in rows.values())
        chart = [(f"bin {bin_}", bars) for bin_, bars in rows.items()]
        return draw_bars(chart, max(fullest, capacity), capacity)

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

    def as_written(self, head: Sequence[str], first: str, path: str) -> Family:
        """See ``Formatted``: Scholl's files begin with one number, the others with a name, or
        with a number and then a name."""
        if re.fullmatch(r"\s*[0-9]+\s*", first):
            return self.in_format("scholl")
        return self.in_format("lines" if ":" in first else "bpa")

    def read_file(
        self, lines: Iterable[str], source: str
    ) -> Iterator[Read[Puzzle] | InstanceError]:
        """One problem or several; after one with an error the next is read."""
        for name, line, rows, form in _part(list_filled_lines(lines), self.form, source):
            try:
                yield name, line, _read_file(rows, form, source)
            except InstanceError as error:
                yield error


Rows = Sequence[tuple[int, str]]


def _part(given: Rows, form: str, source: str) -> list[tuple[str, int, Rows, str]]:
    """Name, line, rows and format of each problem of a file."""
    names = [k for k, (_, text) in enumerate(given) if not _NUMBER.match(text)]
    count = given[0][1].strip() if given else ""
    if form == "scholl" and names[:1] != [1]:
        return [(label(source), given[0][0] if given else 1, given, form)]
    if not given:
        return [(label(source), 1, given, "bpa")]
    if names[:1] not in ([0], [1]):
        cause = "expected the name of a problem, or how many follow and then a name"
        raise InstanceError(cause, place(source, given[0][0], 1))
    if names[0] and not (count.isdigit() and int(count) == len(names)):
        cause = f"{count[:40]!r} is not how many problems follow, which are {len(names)}"
        raise InstanceError(cause, place(source, given[0][0], 1))
    ends = [*names[1:], len(given)]
    return [
        (given[k][1].strip(), given[k][0], given[k + 1 : end], "bpa")
        for k, end in zip(names, ends, strict=True)
    ]


def _read_file(given: Rows, form: str, source: str) -> Puzzle:
    words = [
        (word, place(source, line, column))
        for line, text in given
        for word, column in split_words(text)
    ]
    head = 3 if form == "bpa" else 2
    if len(words) <= head:
        raise InstanceError("the file ends before the first size", place(source, 1, 1))
    capacity, number = words[:2] if form == "bpa" else words[1::-1]
    (capacity, *rest) = _scale([capacity, *words[head:]])
    limit = read_number(capacity[0], "the capacity", 1, MOST_CAPACITY, capacity[1])
    items = read_number(number[0], "the number of items", 1, MOST_ITEMS, number[1])
    sizes = tuple(read_number(word, "a size", 1, limit, where) for word, where in rest)
    if len(sizes) != items:
        raise InstanceError(f"{len(sizes)} sizes follow, not {items}", number[1])
    return limit, None, sizes


def _scale(words: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Numbers with decimals as whole ones, all in the same proportion."""
    fractions = [word.partition(".")[2].rstrip("0") for word, _ in words]
    longest = max(map(len, fractions))
    if not any("." in word for word, _ in words):
        return list(words)
    return [
        (word.partition(".")[0] + fraction.ljust(longest, "0"), where)
        for (word, where), fraction in zip(words, fractions, strict=True)
    ]


BIN_PACKING = BinPacking()
