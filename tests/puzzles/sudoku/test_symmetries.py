"""The symmetries of Sudoku, a group of known size, evenly drawn; and grids shuffled by them."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelling.errors import InstanceError
from puzzles.grid.arrays import wrong
from puzzles.grid.layout import Layout
from puzzles.random_stream import Stream, Streams
from puzzles.sudoku import SUDOKU, sudoku_layout
from puzzles.sudoku.filling.shuffle import pattern, shuffle
from puzzles.sudoku.symmetries import (
    arrange,
    draw_images,
    draw_symmetry,
    identity,
    is_transposable,
    number_of_symmetries,
)

LAYOUTS = [
    sudoku_layout(order, box)
    for order, box in [(1, None), (2, (1, 2)), (4, None), (6, None), (6, (3, 2)), (9, None)]
]
NAMES = [f"{layout.box[0]}x{layout.box[1]}" for layout in LAYOUTS if layout.box]
layouts = st.sampled_from(LAYOUTS)
items = st.integers(0, 2**32)


@pytest.mark.parametrize(
    ("order", "number"),
    [(4, 3072), (9, 1_218_998_108_160), (6, 720 * 6 * 2**3 * 2 * 6**2), (1, 1), (2, 2 * 2 * 2)],
)
def test_the_number_of_symmetries(order, number):
    assert number_of_symmetries(sudoku_layout(order)) == number


def test_the_group_has_as_many_members_as_it_says():
    """What a few drawn symmetries generate is all of them, and no more."""
    for layout in LAYOUTS[:3]:
        members, border = {identity(layout)}, [identity(layout)]
        generators = [draw_symmetry(layout, Stream(1, item)) for item in range(8)]
        while border:
            found = {one.then(other) for one in border for other in generators} - members
            members |= found
            border = list(found)
        assert len(members) == number_of_symmetries(layout)


@given(layouts, items, items, items)
def test_composition_and_inverse(layout, first, second, item):
    one, other = draw_symmetry(layout, Stream(1, first)), draw_symmetry(layout, Stream(2, second))
    stream = Stream(3, item)
    grid = [stream.below(layout.order + 1) for _ in range(layout.cells)]
    assert one.then(other)(grid) == other(one(grid))
    assert one.then(one.inverse()) == one.inverse().then(one) == identity(layout)
    assert one.then(other).inverse() == other.inverse().then(one.inverse())
    assert identity(layout)(grid) == grid


@given(layouts, items)
def test_a_solution_stays_a_solution(layout, item):
    image = draw_symmetry(layout, Stream(4, item))(pattern(layout))
    assert SUDOKU.check(SUDOKU.text(layout, [0] * layout.cells), image) == []


@given(layouts, st.lists(items, min_size=1, max_size=5, unique=True))
def test_rows_draw_what_a_stream_draws(layout, many):
    grids = np.array(
        [
            [Stream(6, item, cell).below(layout.order + 1) for cell in range(layout.cells)]
            for item in many
        ],
        np.uint8,
    )
    images = draw_images(layout, Streams(5, many), grids)
    assert images.dtype == np.uint8
    for item, grid, image in zip(many, grids, images, strict=True):
        symmetry = draw_symmetry(layout, Stream(5, item))
        assert symmetry(grid.tolist()) == image.tolist()
        assert (symmetry.images(grids[:1])[0] == symmetry(grids[0].tolist())).all()


def test_every_symmetry_of_4x4_is_as_likely():
    layout = sudoku_layout(4)
    seen = Counter(draw_symmetry(layout, Stream(8, item)) for item in range(30_720))
    assert len(seen) > 3060  # of each 10 are expected: a few may be missing
    chi_square = sum((number - 10) ** 2 / 10 for number in seen.values())
    chi_square += 10 * (3072 - len(seen))
    assert chi_square < 3320  # 3071 degrees of freedom, p = 0.001; the draws are fixed


def test_rows_and_columns_are_those_asked_for():
    layout = sudoku_layout(4)
    grid = list(range(16))
    names = list(range(16))
    moved = arrange(layout, [1, 0, 2, 3], [2, 3, 0, 1], names)
    assert moved(grid)[:4] == [6, 7, 4, 5]
    turned = arrange(layout, [0, 1, 2, 3], [0, 1, 2, 3], names, transposed=True)
    assert turned(grid)[:4] == [0, 4, 8, 12]


def test_a_layout_with_oblong_boxes_is_not_transposed():
    assert not is_transposable(sudoku_layout(6))
    assert is_transposable(sudoku_layout(4))
    assert not is_transposable(sudoku_layout(1))


def test_a_latin_square_is_refused():
    with pytest.raises(InstanceError, match="without boxes is no Sudoku"):
        draw_symmetry(Layout(4), Stream(1))


def test_a_grid_of_another_size_is_refused():
    with pytest.raises(InstanceError, match="16 cells where the symmetry moves 81"):
        identity(sudoku_layout(9))([0] * 16)


@pytest.mark.parametrize("order", [1, 4, 6, 9, 12, 16, 25])
def test_shuffled_grids_are_full_and_right(order):
    layout = sudoku_layout(order)
    blank = SUDOKU.text(layout, [0] * layout.cells)
    grids = shuffle(layout, Streams(1, range(3)))
    assert grids.shape == (3, layout.cells)
    assert grids.dtype == np.uint8
    for grid in grids.tolist():
        assert SUDOKU.check(blank, grid) == []


def test_a_shuffle_depends_on_its_item_alone():
    layout = sudoku_layout(9)
    many = shuffle(layout, Streams(1, range(10)))
    assert (many[[7, 2]] == shuffle(layout, Streams(1, [7, 2]))).all()
    assert not wrong(layout, np.zeros_like(many), many).any()
    assert len({grid.tobytes() for grid in many}) == 10


def test_of_the_288_grids_of_4x4_a_shuffle_reaches_192():
    grids = shuffle(sudoku_layout(4), Streams(2, range(4000)))
    assert len({grid.tobytes() for grid in grids}) == 192
