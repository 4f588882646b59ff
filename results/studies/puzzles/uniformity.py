"""Is every full grid as likely as any other? Each way of making them, put to the test.

    python -m results.studies.puzzles.uniformity [--draws N] [--nine N] [--retries N] [--seed S]
                                                 [--out DIR]

Four measurements:

four        4x4 has 288 full grids. ``--draws`` of them with each method, how often each grid came,
            and chi-square against equal frequencies with 287 degrees of freedom.
exact       What the frequencies on 4x4 should be, by calculation. For random filling, as it is
            here and as the post has it, from all its courses (``random_fill_chances``); for the
            Retry Pattern, where a grid tells in which order its cells were drawn; for shuffling.
            Chi-square of the same draws against that.
nine        9x9 has too many grids to count each. Counted are rectangles: four cells in two boxes,
            in two rows and two columns, that hold two values. Their number in ``--nine`` grids of
            each method is compared with that in as many grids drawn uniformly.
retries     Restarts and milliseconds of ``--retries`` 9x9 grids by the Retry Pattern, and what the
            repair does instead.

The draws of a method are items 0, 1, ... of a seed of its own, so they are the same on any machine.
Writes ``uniformity.json`` to ``--out``.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from math import lcm
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from backends.counting import counter
from modelling.errors import InputError
from puzzles.grid.arrays import wrong
from puzzles.grid.layout import Layout, peers
from puzzles.grid.model import structure
from puzzles.random_stream import Stream, Streams
from puzzles.sudoku import sudoku_layout
from puzzles.sudoku.canonical import forms
from puzzles.sudoku.filling.propagating import open_sets, propagate
from puzzles.sudoku.filling.random_fill import random_fill
from puzzles.sudoku.filling.retry import free_columns, retry
from puzzles.sudoku.filling.shuffle import pattern, shuffle
from puzzles.sudoku.filling.uniform import uniform
from results.studies.runner import write_json

FOUR, NINE = sudoku_layout(4), sudoku_layout(9)
VALUES = [[v for v in range(4) if mask >> v & 1] for mask in range(16)]
"""Set of values of a 4x4, as a mask -> the values, from 0."""

BATCH = 4096

Make = Callable[[Layout, int, range], Any]
"""``make(layout, seed, items)``: uint8[N, cells], the full grids of these items."""


# --- methods -------------------------------------------------------------------------------------


def by_random_fill(layout: Layout, seed: int, items: range) -> Any:
    return random_fill(layout, counter(structure(layout)), Streams(seed, items)).grids


def by_retry(layout: Layout, seed: int, items: range) -> Any:
    return np.array([retry(layout, Stream(seed, item)).grid for item in items], np.uint8)


def by_repair(layout: Layout, seed: int, items: range) -> Any:
    made = [retry(layout, Stream(seed, item), repair=True).grid for item in items]
    return np.array(made, np.uint8)


def by_shuffle(layout: Layout, seed: int, items: range) -> Any:
    return shuffle(layout, Streams(seed, items))


def by_uniform(layout: Layout, seed: int, items: range) -> Any:
    return uniform(layout, Streams(seed, items))


METHODS: dict[str, Make] = {
    "random_fill": by_random_fill,
    "retry": by_retry,
    "retry with repair": by_repair,
    "shuffle": by_shuffle,
    "uniform": by_uniform,
}


def batches(make: Make, layout: Layout, seed: int, draws: int) -> Iterator[Any]:
    """The grids of items 0..draws - 1, some thousand at a time."""
    for start in range(0, draws, BATCH):
        grids = make(layout, seed, range(start, min(start + BATCH, draws)))
        if wrong(layout, np.zeros_like(grids), grids).any():
            raise AssertionError(f"{make.__name__} made a grid that is none")
        yield grids


# --- 4x4 -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Four:
    """All full grids of 4x4 in the order of their text, and for each the number of its class."""

    grids: Any
    classes: Any

    def numbers(self, grids: Any) -> Any:
        """int64[N]: which of them these are."""
        return np.searchsorted(_codes(self.grids), _codes(grids))


def _codes(grids: Any) -> Any:
    return (grids.astype(np.int64) - 1) @ 4 ** np.arange(16)[::-1]


def all_of_four() -> Four:
    """The 288 grids, found among all ways to write four permutations below each other."""
    rows = list(permutations(range(1, 5)))
    every = np.array([sum(four, ()) for four in product(rows, repeat=4)], np.uint8)
    grids = every[~wrong(FOUR, np.zeros_like(every), every)]
    classes = np.unique(forms(FOUR, grids), axis=0, return_inverse=True)[1]
    return Four(grids, classes.reshape(-1))


def tested(counts: Any, chances: Any) -> dict[str, float]:
    """Pearson's chi-square of counts against chances that add up to one.

    Where a grid cannot be at all, it is left out if it never came."""
    try:
        from scipy.stats import chi2
    except ImportError as error:
        raise InputError("this measurement needs scipy: pip install scipy") from error
    possible = chances > 0
    if counts[~possible].any():
        return {"chi_square": float("inf"), "freedom": len(counts) - 1, "p": 0.0}
    expected = chances[possible] * counts.sum()
    statistic = float(((counts[possible] - expected) ** 2 / expected).sum())
    freedom = int(possible.sum()) - 1
    return {
        "chi_square": round(statistic, 2),
        "freedom": freedom,
        "p": float(chi2.sf(statistic, freedom)),
    }


def four(draws: int, seed: int, exact: dict[str, Any]) -> list[dict[str, Any]]:
    """Each method's counts, tested against equal chances and, if known, against its own."""
    every = all_of_four()
    equal = np.full(len(every.grids), 1 / len(every.grids))
    found = []
    for place, (name, make) in enumerate(METHODS.items()):
        counts = np.zeros(len(every.grids), np.int64)
        started = process_time()
        for grids in batches(make, FOUR, seed + place, draws):
            counts += np.bincount(every.numbers(grids), minlength=len(counts))
        row = {
            "method": name,
            "draws": draws,
            "seconds": round(process_time() - started, 2),
            "least": int(counts.min()),
            "most": int(counts.max()),
            "never": int((counts == 0).sum()),
            "in_class": np.bincount(every.classes, weights=counts).astype(int).tolist(),
            "equal": tested(counts, equal),
            "counts": counts.tolist(),
        }
        if name in exact:
            row["exact"] = tested(counts, exact[name])
        print(name, {k: v for k, v in row.items() if k != "counts"}, flush=True)
        found.append(row)
    return found


# --- exact chances on 4x4 ------------------------------------------------------------------------


def naked_only(layout: Layout, sets: Any) -> Any:
    """As ``propagate``, but without hidden singles: what the post's ``PlaceValue`` does."""
    near = [list(peers(layout, cell)) for cell in range(layout.cells)]
    while True:
        before = sets.copy()
        single = np.where(sets & (sets - 1), 0, sets)
        for cell, others in enumerate(near):
            sets[cell] &= ~np.bitwise_or.reduce(single[others], axis=0)
        if (sets == before).all():
            return (sets != 0).all(axis=0)


@dataclass(frozen=True, slots=True)
class _Course:
    """A state of random filling: ``cells`` are the open ones, each with a weight that is inverse
    to the number of its values; ``weight`` is that of all candidates that may be drawn."""

    sets: list[int]
    chance: int
    solutions: int
    cells: dict[int, int]
    weight: int

    @classmethod
    def of(
        cls, sets: Any, chance: int, solutions: int, bits: list[list[int]], as_posted: bool
    ) -> _Course:
        """As posted, what leaves no solution is drawn until something else is."""
        masks = sets.tolist()
        cells = {c: 12 // len(VALUES[s]) for c, s in enumerate(masks) if len(VALUES[s]) > 1}
        weight = 12 * len(cells)
        if as_posted:
            weight = sum(
                w * sum(1 for v in VALUES[masks[c]] if solutions & bits[c][v])
                for c, w in cells.items()
            )
        return cls(masks, chance, solutions, cells, weight)


def random_fill_chances(every: Four, as_posted: bool) -> list[Fraction]:
    """The chance of each grid by random filling, exactly: all courses that it can take.

    ``as_posted``: only naked singles are propagated, and a candidate that was taken back can be
    drawn again. All begin with value 1 in the first cell: by symmetry the other beginnings give
    every class the same chance, and the grids of a class are equally likely (``four`` tests that
    too).
    """
    bits = [
        [sum(1 << int(g) for g in np.flatnonzero(every.grids[:, c] == v)) for v in range(1, 5)]
        for c in range(16)
    ]
    spread = naked_only if as_posted else propagate
    start = open_sets(FOUR, 1)
    start[0] = 1
    spread(FOUR, start)
    # from the sets of a state: its chance and its solutions, one bit a grid; chances of a level are
    # integers over ``whole``, which takes a third of the time of fractions
    level, whole = {start.tobytes(): (1, bits[0][0])}, 1
    chances = [Fraction(0)] * len(every.grids)
    while level:
        courses = [
            _Course.of(np.frombuffer(key, start.dtype), chance, solutions, bits, as_posted)
            for key, (chance, solutions) in level.items()
        ]
        unit = lcm(*{course.weight for course in courses})
        whole *= unit
        ended: Counter[int] = Counter()
        drawn: list[tuple[Any, int, int]] = []
        for course in courses:
            share = course.chance * (unit // course.weight)
            for c, weight in course.cells.items():
                for v in VALUES[course.sets[c]]:
                    then = course.solutions & bits[c][v]
                    if then.bit_count() == 1:
                        ended[then.bit_length() - 1] += share * weight
                    elif then or not as_posted:
                        after = course.sets.copy()
                        after[c] = 1 << v if then else after[c] & ~(1 << v)
                        drawn.append((after, share * weight, then or course.solutions))
        for number, counted in ended.items():
            chances[number] += Fraction(counted, whole)
        level = {}
        if drawn:
            sets = np.array([after for after, _, _ in drawn], start.dtype).T.copy()
            spread(FOUR, sets)
            for after, (_, chance, solutions) in zip(sets.T, drawn, strict=True):
                key = after.tobytes()
                level[key] = (level.get(key, (0, 0))[0] + chance, solutions)
    shares = [Fraction(0)] * (int(every.classes.max()) + 1)
    for number, exact in zip(every.classes.tolist(), chances, strict=True):
        shares[number] += exact
    sizes = np.bincount(every.classes).tolist()
    return [shares[number] / sizes[number] for number in every.classes.tolist()]


def retry_chances(every: Four) -> list[Fraction]:
    """The chance of each grid by the Retry Pattern, exactly.

    A grid tells where each value went in each row, hence among how many free cells it was drawn.
    Starting again when stuck divides by the chance to come through.
    """
    chances = []
    for grid in every.grids.tolist():
        chance = Fraction(1)
        taken = [0] * 4
        for value in range(1, 5):
            columns: list[int] = []
            for row in range(4):
                chance /= len(free_columns(FOUR, columns, taken[row]))
                columns.append(grid[4 * row : 4 * row + 4].index(value))
            for row, column in enumerate(columns):
                taken[row] |= 1 << column
        chances.append(chance)
    through = sum(chances, Fraction(0))
    return [chance / through for chance in chances]


def shuffle_chances(every: Four) -> list[Fraction]:
    """The chance of each grid by shuffling: that of a class is shared by its grids alone."""
    known = int(every.numbers(np.array([pattern(FOUR)], np.uint8))[0])
    reached = every.classes == every.classes[known]
    chance = Fraction(1, int(reached.sum()))
    return [chance if of else Fraction(0) for of in reached.tolist()]


def of_classes(every: Four, chances: Sequence[Fraction]) -> dict[str, Any]:
    """The classes' shares as fractions, and each class's least and greatest chance times 288."""
    numbers = every.classes.tolist()
    shares = [
        sum((c for c, of in zip(chances, numbers, strict=True) if of == number), Fraction(0))
        for number in range(max(numbers) + 1)
    ]
    within = [
        [c for c, of in zip(chances, numbers, strict=True) if of == number]
        for number in range(max(numbers) + 1)
    ]
    return {
        "shares": [str(share) for share in shares],
        "share": [round(float(share), 6) for share in shares],
        "times_288": [[round(float(288 * f(c)), 6) for f in (min, max)] for c in within],
    }


# --- 9x9 -----------------------------------------------------------------------------------------


def rectangles(grids: Any) -> Any:
    """int64[N]: for 9x9 grids, the rectangles of two values in two boxes.

    Two rows of a band map each value to the one above or below it; two values that are mapped to
    each other make a rectangle. Likewise the columns of a stack.
    """
    square = grids.reshape(-1, 9, 9).astype(np.int64) - 1
    found = np.zeros(len(grids), np.int64)
    for lines in (square, square.transpose(0, 2, 1)):
        where = np.argsort(lines, axis=2)  # of each value, in each line
        for band in range(0, 9, 3):
            for first, second in ((0, 1), (0, 2), (1, 2)):
                facing = np.take_along_axis(lines[:, band + second], where[:, band + first], axis=1)
                twice = np.take_along_axis(facing, facing, axis=1)
                found += (twice == np.arange(9)).sum(axis=1) // 2
    return found


def nine(draws: dict[str, int], seed: int) -> list[dict[str, Any]]:
    """How many rectangles the grids of each method have, beside uniform ones."""
    found: dict[str, dict[str, Any]] = {}
    for place, (name, make) in enumerate(METHODS.items()):
        counts = np.zeros(64, np.int64)
        started = process_time()
        for grids in batches(make, NINE, seed + place, draws[name]):
            counts += np.bincount(rectangles(grids), minlength=64)
        mean = float((counts * np.arange(64)).sum() / counts.sum())
        found[name] = {
            "method": name,
            "draws": draws[name],
            "a_second": round(draws[name] / (process_time() - started)),
            "mean": round(mean, 4),
            "counts": counts.tolist(),
        }
        print(name, found[name], flush=True)
    for name, row in found.items():
        if name != "uniform":
            row["equal"] = compared(row["counts"], found["uniform"]["counts"])
    return list(found.values())


def compared(counts: Sequence[int], others: Sequence[int]) -> dict[str, float]:
    """Chi-square of two rows of counts: do they come from the same chances?

    Neighbours too rare for the test are taken together, until each has been seen fifty times.
    """
    from scipy.stats import chi2_contingency

    bins = [[0, 0]]
    for pair in zip(counts, others, strict=True):
        bins[-1] = [have + more for have, more in zip(bins[-1], pair, strict=True)]
        if sum(bins[-1]) >= 50:
            bins.append([0, 0])
    last = bins.pop()
    if bins:
        bins[-1] = [have + more for have, more in zip(bins[-1], last, strict=True)]
    if len(bins) < 2:
        return {"chi_square": 0.0, "freedom": 0, "p": 1.0}
    outcome = chi2_contingency(np.array(bins).T)
    return {
        "chi_square": round(float(outcome.statistic), 2),
        "freedom": int(outcome.dof),
        "p": float(outcome.pvalue),
    }


def retries(number: int, seed: int) -> list[dict[str, Any]]:
    """Restarts, attempts and milliseconds of 9x9 grids, without and with repair."""
    found = []
    for repair in (False, True):
        tried, times = [], []
        for item in range(number):
            started = process_time()
            tried.append(retry(NINE, Stream(seed, item), repair=repair))
            times.append(1e3 * (process_time() - started))
        restarts = [t.restarts for t in tried]
        found.append(
            {
                "repair": repair,
                "grids": number,
                "restarts_mean": round(float(np.mean(restarts)), 2),
                "restarts_median": float(np.median(restarts)),
                "restarts_most": max(restarts),
                "ms_mean": round(float(np.mean(times)), 3),
                "ms_most": round(max(times), 2),
                "attempts_mean": round(float(np.mean([t.attempts for t in tried])), 1),
                "moved_mean": round(float(np.mean([t.moved for t in tried])), 2),
                "taken_back_mean": round(float(np.mean([t.taken_back for t in tried])), 2),
                "restarts": restarts,
            }
        )
        print({k: v for k, v in found[-1].items() if k != "restarts"}, flush=True)
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write to ``--out``."""
    parser = argparse.ArgumentParser(description="whether every full grid is as likely")
    parser.add_argument("--draws", type=int, default=100_000, help="4x4 grids of each method")
    parser.add_argument("--nine", type=int, default=100_000, help="9x9 grids of each quick method")
    parser.add_argument("--retries", type=int, default=2_000, help="9x9 grids by retrying")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("results/reference/uniformity"))
    chosen = parser.parse_args(arguments)
    if min(chosen.draws, chosen.nine, chosen.retries) < 1:
        raise InputError("--draws, --nine and --retries are at least 1")
    every = all_of_four()
    chances = {
        "random_fill": random_fill_chances(every, as_posted=False),
        "random_fill as posted": random_fill_chances(every, as_posted=True),
        "retry": retry_chances(every),
        "shuffle": shuffle_chances(every),
    }
    arrays = {name: np.array(c, float) for name, c in chances.items()}
    draws = dict.fromkeys(METHODS, chosen.nine) | {
        "retry": chosen.retries,
        "retry with repair": 10 * chosen.retries,
    }
    figures = {
        "seed": chosen.seed,
        "classes": every.classes.tolist(),
        "exact": {name: of_classes(every, c) for name, c in chances.items()},
        "four": four(chosen.draws, chosen.seed, arrays),
        "nine": nine(draws, chosen.seed),
        "retries": retries(chosen.retries, chosen.seed),
    }
    write_json(chosen.out / "uniformity.json", figures, indent=1)


if __name__ == "__main__":
    main()
