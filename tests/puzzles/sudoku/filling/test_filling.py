"""Full grids, each way of making them: they are right, they come again, and all are reached."""

from functools import cache
from itertools import permutations, product
from math import factorial

import numpy as np
import pytest

from modelling.errors import ContradictoryResult, InputError
from puzzles.grid.checking import faults
from puzzles.grid.layout import Layout
from puzzles.grid.model import problem
from puzzles.random_stream import Stream, Streams
from puzzles.sudoku import sudoku_layout
from puzzles.sudoku.filling.propagating import propagate, sets_of
from puzzles.sudoku.filling.random_fill import random_fill
from puzzles.sudoku.filling.retry import free_columns, retry, with_moves
from puzzles.sudoku.filling.uniform import tables_of, uniform
from tests.puzzles.exhaustive_count import count as count_one
from tests.puzzles.exhaustive_count import solve

FOUR, SIX, TALL, NINE = (
    sudoku_layout(4),
    sudoku_layout(6),
    sudoku_layout(6, (3, 2)),
    sudoku_layout(9),
)


class Asked:
    """A count by the tests' own solver that keeps what it was asked."""

    def __init__(self, layout):
        self.layout = layout
        self.grids = 0

    def __call__(self, grids, limit):
        assert grids.dtype == np.uint8
        assert len(grids)
        self.grids += len(grids)
        return np.array([self.one(tuple(grid), limit) for grid in grids.tolist()])

    @cache  # noqa: B019 - lives as long as a test
    def one(self, grid, limit):
        return count_one(problem(self.layout, grid), limit)


def compiled(layout, nodes=None):
    pytest.importorskip("numba", reason="numba is optional: pip install 'solver-concord[compiled]'")
    from backends.counting import counter
    from puzzles.grid.model import structure

    return counter(structure(layout), "compiled", nodes)


def all_right(layout, grids):
    return all(not faults(layout, [0] * layout.cells, grid) for grid in grids.tolist())


def numbered(grids):
    return {tuple(grid) for grid in grids.tolist()}


# --- random filling ------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", [Layout(1, (1, 1)), FOUR, SIX, TALL, NINE], ids=str)
def test_random_filling_fills_and_its_puzzles_are_unique(layout):
    count = Asked(layout)
    made = random_fill(layout, count, Streams(3, range(6)), puzzles=True)
    assert made.filled.all()
    assert not made.restarts.any()
    assert all_right(layout, made.grids)
    assert ((made.puzzles == 0) | (made.puzzles == made.grids)).all()
    for puzzle in made.puzzles.tolist():
        assert count_one(problem(layout, puzzle), 2) == 1


def test_the_puzzle_is_the_first_placement_that_leaves_one_solution():
    """Without the last placement there would be several: some clue less leaves several."""
    made = random_fill(FOUR, Asked(FOUR), Streams(4, range(50)), puzzles=True)
    for puzzle in made.puzzles.tolist():
        fewer = [
            [0 if cell == other else value for other, value in enumerate(puzzle)]
            for cell in range(16)
            if puzzle[cell]
        ]
        assert any(count_one(problem(FOUR, grid), 2) == 2 for grid in fewer)


@pytest.mark.parametrize("cells", ["any", "fewest"])
def test_random_filling_does_not_depend_on_the_batch(cells):
    def made(items):
        return random_fill(SIX, Asked(SIX), Streams(9, items), puzzles=True, cells=cells)

    together = made(range(40))
    backwards = made(range(39, -1, -1))
    alone = made([17])
    for name in ("grids", "puzzles", "filled", "runs", "restarts"):
        assert (getattr(together, name) == getattr(backwards, name)[::-1]).all()
        assert (getattr(together, name)[17] == getattr(alone, name)[0]).all()
    assert len(numbered(together.grids)) == 40
    assert together.runs.any() == (cells == "any")  # some candidate was taken back


def test_random_filling_is_the_posts_algorithm_with_fewer_questions():
    """The same draws, asking after each placement, lead to the same grids and puzzles."""
    from puzzles.sudoku.filling.propagating import is_open, open_sets

    def asking_each_time(item, count):
        streams, rows = Streams(12, [item]), np.array([0])
        sets, givens, first = open_sets(SIX, 1), np.zeros((1, 36), np.uint8), None
        denied = 0
        while is_open(sets).any():
            cells = np.flatnonzero(is_open(sets)[:, 0])
            cell = cells[streams.below(len(cells), rows)[0]]
            values = [v for v in range(6) if int(sets[cell, 0]) >> v & 1]
            value = values[streams.below(len(values), rows)[0]]
            givens[0, cell] = value + 1
            left = count(givens, 2)[0]
            if left:
                sets[cell, 0] = 1 << value
                first = givens.copy() if left == 1 and first is None else first
            else:
                sets[cell, 0] &= 0b111111 ^ 1 << value
                givens[0, cell] = 0
                denied += 1
            assert propagate(SIX, sets)[0]
        return denied, sets, first

    count = Asked(SIX)
    made = random_fill(SIX, count, Streams(12, range(25)), puzzles=True)
    asked = count.grids
    compared = 0
    for item in range(25):
        denied, sets, first = asking_each_time(item, count)
        # draws that were forgotten are not drawn here: the courses part at the first of them
        if not denied:
            compared += 1
            assert (1 << made.grids[item].astype(int) - 1 == sets[:, 0]).all()
            assert (made.puzzles[item] == first[0]).all()
    assert compared > 8
    assert asked < count.grids / 2


def test_a_solver_that_gives_up_ends_in_a_failure_and_not_in_a_loop():
    made = random_fill(
        NINE,
        lambda grids, limit: np.full(len(grids), -1),
        Streams(1, range(30)),
        puzzles=True,
        runs=1,
        restarts=1,
    )
    assert made.filled.any()  # those that propagation alone has filled
    assert not made.filled.all()
    assert not made.grids[~made.filled].any()
    assert not made.puzzles[~made.filled].any()
    assert (made.restarts[~made.filled] == 1).all()
    assert (made.runs[~made.filled] == 2).all()
    assert all_right(NINE, made.grids[made.filled])
    for puzzle, grid in zip(made.puzzles[made.filled], made.grids[made.filled], strict=True):
        assert (puzzle == grid).any()
        sets = sets_of(NINE, puzzle[None])
        assert propagate(NINE, sets)[0]  # its solution is found by singles, so it is the only one


def test_a_solver_that_sometimes_gives_up_still_leads_to_full_grids():
    true = Asked(SIX)

    def moody(grids, limit):
        found = true(grids, limit)
        return np.where(grids.sum(axis=1) % 3 == 0, -1, found)

    made = random_fill(SIX, moody, Streams(2, range(40)), puzzles=True)
    assert made.filled.all()
    assert all_right(SIX, made.grids)
    for puzzle in made.puzzles.tolist():
        assert count_one(problem(SIX, puzzle), 2) == 1


def test_a_solver_that_counts_what_there_is_not_is_found_out():
    with pytest.raises(ContradictoryResult, match="propagation shows that there is none"):
        random_fill(NINE, lambda grids, limit: np.ones(len(grids), int), Streams(1, range(30)))


def test_no_items_ask_nothing():
    def never(grids, limit):
        raise AssertionError("asked about nothing")

    made = random_fill(NINE, never, Streams(1, []), puzzles=True)
    assert made.grids.shape == made.puzzles.shape == (0, 81)


def test_options_without_a_meaning_are_refused():
    for wrong in ({"cells": "best"}, {"runs": 0}, {"restarts": -1}):
        with pytest.raises(InputError, match=next(iter(wrong))):
            random_fill(FOUR, Asked(FOUR), Streams(1, [0]), **wrong)


@pytest.mark.parametrize(
    ("layout", "number"),
    [
        (NINE, 300),
        (sudoku_layout(12), 20),
        (sudoku_layout(12, (2, 6)), 5),
        (sudoku_layout(16), 5),
        (sudoku_layout(25), 1),
        (Layout(10), 5),
    ],
    ids=str,
)
def test_larger_grids_with_the_compiled_solver(layout, number):
    made = random_fill(layout, compiled(layout, 2000), Streams(5, range(number)), puzzles=True)
    assert made.filled.all()
    assert all_right(layout, made.grids)
    assert (compiled(layout)(made.puzzles, 2) == 1).all()


def test_a_solver_that_may_guess_but_little_is_enough():
    layout = sudoku_layout(16)
    count = compiled(layout, 60)
    gave_up = []

    def counted(grids, limit):
        found = count(grids, limit)
        gave_up.extend(found < 0)
        return found

    made = random_fill(layout, counted, Streams(5, range(4)))
    assert any(gave_up)
    assert made.filled.all()
    assert all_right(layout, made.grids)


# --- the Retry Pattern ---------------------------------------------------------------------------

POSTED = """
.4...321.
.3.2.14..
1.2.4...3
.2.4..13.
3.1.2..4.
4..13...2
....1432.
2143.....
..3..2..1
"""


def posted():
    """The deadlocked grid: columns of the 4s placed so far, and what 1, 2 and 3 have taken."""
    rows = POSTED.split()
    columns = [row.index("4") for row in rows if "4" in row]
    taken = [sum(1 << c for c, sign in enumerate(row) if sign in "123") for row in rows]
    return columns, taken


def test_the_posted_grid_is_stuck():
    columns, taken = posted()
    assert len(columns) == 8
    for row in range(8):  # every 4 stands where it could be put
        assert columns[row] in free_columns(NINE, columns[:row], taken[row])
    assert free_columns(NINE, columns, taken[8]) == []


def test_the_repair_frees_the_posted_grid_as_the_post_does():
    columns, taken = posted()
    moved = set()
    for item in range(30):
        found, spent = with_moves(NINE, columns, taken, Stream(1, item), 2000)
        assert 0 < spent <= 2000
        for row in range(9):
            assert found[row] in free_columns(NINE, found[:row], taken[row])
        rows = [row for row in range(8) if found[row] != columns[row]]
        assert len(rows) == 1  # where one move is enough, one is made
        moved.add((rows[0], found[rows[0]], found[8]))
    # the post's own: the 4 of row 2 from the first to the third place of its box
    assert (1, 8, 6) in moved
    assert len(moved) > 1


def test_moves_are_found_whenever_there_are_any():
    """Against all ways to place a digit in the rows so far, for boards drawn at random."""
    outcomes = []
    for item in range(400):
        stream = Stream(6, item)
        taken = [stream.below(16) for _ in range(4)]
        columns = []
        while len(columns) < 4 and (choice := free_columns(FOUR, columns, taken[len(columns)])):
            columns.append(stream.choice(choice))
        if len(columns) < 4:
            rows = range(len(columns) + 1)
            ways = [
                list(way)
                for way in product(range(4), repeat=len(rows))
                if all(way[row] in free_columns(FOUR, list(way[:row]), taken[row]) for row in rows)
            ]
            found, _ = with_moves(FOUR, columns, taken, stream, 10**6)
            assert (found in ways) if ways else (found is None)
            outcomes.append(found is None)
    assert 20 < sum(outcomes) < len(outcomes) - 20


def test_moves_are_bounded():
    columns, taken = posted()
    assert with_moves(NINE, columns, taken, Stream(1), 1) == (None, 1)


@pytest.mark.parametrize("repair", [False, True])
@pytest.mark.parametrize("layout", [Layout(1, (1, 1)), FOUR, SIX, TALL, NINE, Layout(5)], ids=str)
def test_retrying_fills(layout, repair):
    for item in range(4):
        tried = retry(layout, Stream(8, item), repair=repair)
        assert all_right(layout, np.array([tried.grid]))
        assert tried == retry(layout, Stream(8, item), repair=repair)


def test_restarts_are_reported():
    tried = [retry(NINE, Stream(5, item)) for item in range(12)]
    assert len({t.restarts for t in tried}) > 6
    assert max(t.restarts for t in tried) > 100
    assert all(t.attempts >= 81 + t.restarts for t in tried)
    repaired = [retry(NINE, Stream(5, item), repair=True) for item in range(12)]
    assert sum(t.restarts for t in repaired) == 0
    assert all(t.moved for t in repaired)


def test_the_repair_fills_grids_that_are_out_of_reach_without():
    layout = sudoku_layout(16)
    assert all_right(layout, np.array([retry(layout, Stream(2), repair=True).grid]))
    given_up = retry(layout, Stream(2), attempts=20_000)
    assert given_up.grid is None
    assert given_up.restarts > 100
    assert 20_000 <= given_up.attempts < 20_000 + layout.cells


def test_retrying_not_at_all_is_refused():
    with pytest.raises(InputError, match="at least 1"):
        retry(NINE, Stream(1), attempts=0)


# --- uniform -------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", list(product((1, 2, 3), repeat=2)), ids=str)
def test_uniform_grids_are_right_and_do_not_depend_on_the_batch(box):
    layout = sudoku_layout(box[0] * box[1], box)
    together = uniform(layout, Streams(7, range(25)))
    assert all_right(layout, together)
    assert (uniform(layout, Streams(7, range(24, -1, -1)))[::-1] == together).all()
    assert (uniform(layout, Streams(7, [11]))[0] == together[11]).all()


def grids_by_tables(tables):
    """The number of full grids that the tables make: for each way to share out the first band the
    ways of the other bands, over all patterns of the stacks that go with it."""
    size, high = len(tables.labelled), tables.high
    powers = tables.wide ** np.arange(tables.n)[::-1]

    def patterns(label):
        return tables.stacks[label * tables.further : (label + 1) * tables.further]

    first_stack = patterns(0)
    total = 0
    for first, ways, alike in one_of_each(tables):
        others = np.ones((tables.further,) * high, np.int64)
        for band in range(1, tables.wide):
            order = np.argsort(first_stack[..., band], axis=1, kind="stable")
            index = np.zeros((1,) * high, np.int64)
            for stack, shared in enumerate(first, 1):
                columns = patterns(int(tables.labelled[shared, 0]))[..., band]
                renamed = columns[:, order].swapaxes(0, 1)  # of the first stack, of this one
                shape = [tables.further if k in (0, stack) else 1 for k in range(high)]
                index = index * size + tables.sharing[renamed @ powers].reshape(shape)
            others = others * tables.ways[index]
        total += alike * ways * int(others.sum())
    labellings = factorial(tables.wide) ** (high - 1)
    return total * labellings * factorial(tables.n) // factorial(high) ** tables.wide


def one_of_each(tables):
    """Of the ways to share out the first band, one of those that digits and boxes can be renamed
    and swapped into each other: its sharings, the ways of the band, and how many are alike."""
    size = len(tables.labelled)
    everything = list(np.ndindex(*[size] * (tables.high - 1)))
    if tables.n < 9:
        for at, first in enumerate(everything):
            yield first, int(tables.ways[at]), 1
        return
    # renamings that leave the first box's columns as they are, up to their order
    images = []
    for of_columns in permutations(range(3)):
        for within in product(permutations(range(3)), repeat=3):
            digits = np.array([3 * of_columns[d // 3] + within[d // 3][d % 3] for d in range(9)])
            renamed = tables.ranks[tables.labelled[:, 0]][:, digits]
            images.append(tables.sharing[renamed @ 3 ** np.arange(9)[::-1]])
    images = np.array(images)
    seen = np.zeros((size, size), bool)
    for first in everything:
        if not seen[first]:
            orbit = images[:, first[0]] * size + images[:, first[1]]
            swapped = images[:, first[1]] * size + images[:, first[0]]
            alike = np.unique(np.concatenate([orbit, swapped]))
            seen.reshape(-1)[alike] = True
            ways = tables.ways[alike]
            assert (ways == ways[0]).all()
            yield first, int(ways[0]), len(alike)


@pytest.mark.parametrize(
    ("box", "number"),
    [
        ((1, 3), 12),
        ((3, 1), 12),
        ((2, 2), 288),
        ((2, 3), 28_200_960),
        ((3, 2), 28_200_960),
        ((3, 3), 6_670_903_752_021_072_936_960),
    ],
    ids=str,
)
def test_the_tables_make_as_many_grids_as_there_are(box, number):
    assert grids_by_tables(tables_of(*box)) == number


def test_of_9x9_one_in_75_is_accepted():
    tables = tables_of(3, 3)
    configurations = 1680 * int(tables.ways.sum()) * 36 * 56**3
    accepted = 6_670_903_752_021_072_936_960 / (configurations * int(tables.ways.max()) ** 2)
    assert 74 < 1 / accepted < 76


def test_other_boxes_are_refused():
    for layout in (sudoku_layout(12), sudoku_layout(8, (2, 4)), Layout(9)):
        with pytest.raises(InputError, match="at most three rows and three columns"):
            uniform(layout, Streams(1, [0]))


# --- all of 4x4 ----------------------------------------------------------------------------------


@cache
def all_of_four():
    return set(solve(problem(FOUR, [0] * 16)))


def test_every_4x4_grid_is_reached():
    assert len(all_of_four()) == 288
    streams = Streams(1, range(4000))
    assert numbered(random_fill(FOUR, Asked(FOUR), streams).grids) == all_of_four()
    assert numbered(uniform(FOUR, streams)) == all_of_four()
    for repair in (False, True):
        made = {retry(FOUR, Stream(1, item), repair=repair).grid for item in range(4000)}
        assert made == all_of_four()


def test_uniform_4x4_grids_come_equally_often():
    stats = pytest.importorskip("scipy.stats", reason="scipy is of the dev extra")
    grids = uniform(FOUR, Streams(2, range(14_400)))
    counts = np.unique(grids, axis=0, return_counts=True)[1]
    statistic = ((counts - 50) ** 2 / 50).sum()
    assert 0.001 < stats.chi2.sf(statistic, 287) < 0.999  # the seed is fixed: so is the outcome
