"""The effort measure: against a plain program written from its definition, and values for ever."""

import hashlib
from functools import lru_cache
from itertools import islice
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modelling.errors import InputError, InstanceError
from puzzles.grid.layout import Layout, peers, units, units_of
from puzzles.random_stream import Stream, Streams
from puzzles.sets import instances, sets
from puzzles.sudoku import SUDOKU, sudoku_layout
from puzzles.sudoku.canonical import forms
from puzzles.sudoku.effort import EFFORT_VERSION, VIEWS, effort, hardest, nodes, views
from puzzles.sudoku.filling.shuffle import shuffle
from puzzles.sudoku.symmetries import draw_images
from tests.data import samples

pytestmark = pytest.mark.once

NINE = sudoku_layout(9)
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


def closed(layout, sets):
    """The closure of candidate sets (bit v for value v), or None for a contradiction."""
    every = (1 << layout.order + 1) - 2
    changed = True
    while changed:
        changed = False
        for cell in range(layout.cells):
            own = sets[cell]
            if not own:
                return None
            if own.bit_count() == 1:
                for peer in peers(layout, cell):
                    if sets[peer] & own:
                        sets[peer] ^= own
                        changed = True
        for unit in units(layout):
            some = several = 0  # the values with a place, and with more than one
            for cell in unit:
                several |= some & sets[cell]
                some |= sets[cell]
            if some != every:
                return None
            for cell in unit:
                only_here = sets[cell] & ~several
                if only_here.bit_count() > 1:
                    return None
                if only_here and only_here != sets[cell]:
                    sets[cell] = only_here
                    changed = True
    return sets


def plain_nodes(layout, values, most=inf):
    """The number of nodes of the tree, by recursion."""
    every = (1 << layout.order + 1) - 2
    waiting = [[1 << value if value else every for value in values]]
    number = 0
    while waiting and number <= most:
        number += 1
        sets = closed(layout, waiting.pop())
        if sets is None or all(own.bit_count() == 1 for own in sets):
            continue
        fewest = min(own.bit_count() for own in sets if own.bit_count() > 1)
        cell = next(cell for cell in range(layout.cells) if sets[cell].bit_count() == fewest)
        for value in range(1, layout.order + 1):
            if sets[cell] >> value & 1:
                waiting.append([*sets[:cell], 1 << value, *sets[cell + 1 :]])
    return number if number <= most else -1


def arrays(texts):
    return np.array([list(SUDOKU.parse(text)[1]) for text in texts], np.uint8)


@lru_cache(maxsize=1)
def shipped():
    """Some 9x9 puzzles of every set that ships."""
    found = []
    for every in sets():
        if every.family == "sudoku" and not every.members:
            texts = (entry.text for entry in instances(every.name))
            found += islice((text for text in texts if len(text) == 81), 12)
    return found


def with_holes(layout, item, clues):
    """A shuffled grid of which so many cells are left, perhaps with several solutions."""
    grid = shuffle(layout, Streams(1, [item]))[0]
    grid[Stream(2, item).shuffled(range(layout.cells))[clues:]] = 0
    return grid


def test_puzzles_that_ship_have_the_nodes_of_the_definition():
    grids = arrays(shipped())
    plain = [plain_nodes(NINE, grid, 300) for grid in grids.tolist()]
    assert nodes(NINE, grids, 300).tolist() == plain
    assert max(plain) > 20


NUMBERS = {
    "minimal.txt": 120,
    "few-clues.txt": 40,
    "none.txt": 40,
    "random_minimal.txt.gz": 120,
    "17clue.txt.gz": 40,
    "zero_solutions.txt": 40,
}


@pytest.mark.parametrize("name", samples.only(*NUMBERS))
def test_puzzles_of_other_origins_have_the_nodes_of_the_definition(name):
    grids = arrays(samples.lines(name)[: NUMBERS[name]])
    assert nodes(NINE, grids, 200).tolist() == [plain_nodes(NINE, g, 200) for g in grids.tolist()]


@pytest.mark.parametrize(
    ("order", "box", "clues"),
    [(1, None, 0), (4, None, 5), (6, None, 11), (6, (3, 2), 11), (8, None, 30), (12, None, 85)],
)
def test_other_sizes_have_the_nodes_of_the_definition(order, box, clues):
    layout = sudoku_layout(order, box)
    grids = np.array([with_holes(layout, item, clues) for item in range(6)])
    plain = [plain_nodes(layout, grid, 60) for grid in grids.tolist()]
    assert nodes(layout, grids, 60).tolist() == plain


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.integers(24, 40), st.integers(0, 80), st.integers(1, 9))
def test_any_grid_has_the_nodes_of_the_definition(item, clues, cell, value):
    """Also with a wrong clue, which may clash."""
    grid = with_holes(NINE, item, clues)
    assert nodes(NINE, grid[None], 40).tolist() == [plain_nodes(NINE, grid.tolist(), 40)]
    grid[cell] = value
    assert nodes(NINE, grid[None], 40).tolist() == [plain_nodes(NINE, grid.tolist(), 40)]


def test_a_cell_that_loses_its_last_candidate_is_a_contradiction():
    layout = sudoku_layout(9)
    clues = [0] * 81
    clues[0], clues[1] = 1, 2
    for cell, value in zip((29, 38, 56, 65), (3, 4, 5, 6), strict=True):
        clues[cell] = value
    for cell, value in zip((21, 22), (7, 8), strict=True):
        clues[cell] = value
    clues[26] = 9  # now nothing can stand in r3c3, though every value has places elsewhere
    assert plain_nodes(layout, clues) == 1
    assert nodes(layout, np.array([clues], np.uint8)).tolist() == [1]


def test_many_are_what_they_are_alone():
    """More puzzles than fit into a block, with trees that are left off among them."""
    grids = np.concatenate([arrays(shipped()), shuffle(NINE, Streams(3, range(4000)))])
    grids = np.concatenate([grids, np.zeros((2, 81), np.uint8), arrays(shipped()[:20])])
    together = nodes(NINE, grids, 500)
    number = len(shipped())
    assert (together[number : number + 4000] == 1).all()
    assert together[number + 4000 : number + 4002].tolist() == [-1, -1]
    assert together[:20].tolist() == together[-20:].tolist()
    alone = [nodes(NINE, grid[None], 500)[0] for grid in grids[:20]]
    assert together[:20].tolist() == alone
    assert nodes(NINE, grids[:0]).tolist() == []


def test_a_limit_is_kept_exactly():
    grid = arrays([HARD])
    number = int(nodes(NINE, grid)[0])
    assert nodes(NINE, grid, number).tolist() == [number]
    assert nodes(NINE, grid, number - 1).tolist() == [-1]
    assert effort(NINE, grid, 2).tolist() == [inf]


def test_effort_is_the_mean_over_the_views():
    grids = arrays(shipped()[:6])
    found = effort(NINE, grids)
    for grid, own in zip(grids, found.tolist(), strict=True):
        form = forms(NINE, grid[None])[0].tolist()
        seen = [plain_nodes(NINE, view(form)) for view in views(NINE)]
        assert own == sum(seen) / VIEWS


def test_effort_is_the_same_in_disguise():
    grids = arrays(shipped()[:40])
    disguised = draw_images(NINE, Streams(4, range(len(grids))), grids)
    assert len(grids) >= 20
    assert effort(NINE, disguised).tolist() == effort(NINE, grids).tolist()


FOR_EVER = {
    HARD: (101, 402.875),
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79": (1, 1.0),
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..": (
        321,
        346.5,
    ),
    "98.7..6..75..4......3..8.7.5....7.3...94.........2.1..3.......1.9...5.8...52....6": (
        635,
        305.25,
    ),
    "..2..85...1....7..9...35..8..7.1.9.....49.8......2...31........32......5....4...1": (
        3,
        10.375,
    ),
    ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7...": (
        127,
        27.125,
    ),
}
"""Text: nodes as it stands, and effort, both of version 1."""


def test_the_values_of_version_1_are_fixed_for_ever():
    """If this fails, what is counted has changed: put it back, or raise EFFORT_VERSION."""
    assert EFFORT_VERSION == 1
    grids = arrays(FOR_EVER)
    found = zip(nodes(NINE, grids).tolist(), effort(NINE, grids).tolist(), strict=True)
    assert dict(zip(FOR_EVER, found, strict=True)) == FOR_EVER


def test_the_views_are_fixed_for_ever():
    told = repr([(view.cells, view.values) for view in views(NINE)])
    assert hashlib.sha256(told.encode()).hexdigest()[:16] == "a6573c7810a2569b"
    assert len(views(NINE)) == VIEWS == 16


def test_the_hardest_are_those_with_the_most_effort():
    grids = arrays(shipped())
    every = effort(NINE, grids)
    best = np.argsort(-every, kind="stable")[:5]
    told = []
    kept, found = hardest(NINE, grids, 5, lambda done, of: told.append((done, of)))
    assert kept.tolist() == best.tolist()
    assert found.tolist() == every[best].tolist()
    assert told[-1][0] == told[-1][1]
    assert hardest(NINE, grids, 0)[0].tolist() == []
    with pytest.raises(InputError, match="there are not as many"):
        hardest(NINE, grids, len(grids) + 1)


def test_what_has_no_effort_is_refused():
    clashing = np.zeros((1, 81), np.uint8)
    clashing[0, :2] = 1
    with pytest.raises(InstanceError, match="occurs twice in row 1"):
        effort(NINE, clashing)
    with pytest.raises(InstanceError, match="without boxes"):
        nodes(Layout(4), np.zeros((1, 16), np.uint8))
    with pytest.raises(InputError, match="order 81"):
        nodes(sudoku_layout(81), np.zeros((1, 81 * 81), np.uint8))


def test_a_cells_units_are_its_peers():
    """The plain program above leans on these two."""
    every = units(NINE)
    for cell in range(81):
        near = {other for unit in units_of(NINE)[cell] for other in every[unit]} - {cell}
        assert set(peers(NINE, cell)) == near
        assert len(near) == 20
