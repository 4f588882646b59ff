"""Singles in many grids at once, against their definition carried out cell by cell."""

import numpy as np
import pytest

from modelling.errors import InputError
from puzzles.grid.layout import Layout, units
from puzzles.random_stream import Stream
from puzzles.sudoku import sudoku_layout
from puzzles.sudoku.filling.propagating import (
    grids_of,
    is_open,
    open_sets,
    propagate,
    sets_of,
    sizes,
)
from puzzles.sudoku.filling.retry import retry


def slowly(layout, sets):
    """The fixed point from the definition: sets of values, a rule at a time; None if unsound."""
    cells = [{v for v in range(layout.order) if int(s) >> v & 1} for s in sets]
    every = units(layout)
    changed = True
    while changed:
        if not all(cells):
            return None
        before = [set(cell) for cell in cells]
        for unit in every:
            for cell in unit:
                if len(cells[cell]) == 1:
                    for other in unit:
                        if other != cell:
                            cells[other] -= cells[cell]
            for value in range(layout.order):
                places = [cell for cell in unit if value in cells[cell]]
                if not places:
                    return None
                if len(places) == 1:
                    cells[places[0]] &= {value}
        changed = before != cells
    return [sum(1 << v for v in cell) for cell in cells]


def puzzles(layout, number, seed):
    """Full grids with cells blanked at random, some of them with a wrong value put in."""
    made = []
    for item in range(number):
        stream = Stream(seed, item)
        grid = list(retry(layout, stream, repair=True).grid)
        for cell in stream.shuffled(range(layout.cells))[: stream.below(layout.cells)]:
            grid[cell] = 0
        if item % 3 == 0:
            grid[stream.below(layout.cells)] = 1 + stream.below(layout.order)
        made.append(grid)
    return np.array(made, np.uint8)


LAYOUTS = [
    sudoku_layout(4),
    sudoku_layout(6),
    sudoku_layout(6, (3, 2)),
    sudoku_layout(9),
    sudoku_layout(12),
    Layout(5),
]


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_it_reaches_the_fixed_point_of_the_definition(layout):
    grids = puzzles(layout, 60, 1)
    sets = sets_of(layout, grids)
    expected = [slowly(layout, column) for column in sets.T]
    sound = propagate(layout, sets)
    assert sound.tolist() == [fixed is not None for fixed in expected]
    assert 0 < sound.sum() < len(sound)
    for row, fixed in enumerate(expected):
        if fixed is not None:
            assert sets[:, row].tolist() == fixed


def test_a_cell_without_a_candidate_contradicts():
    """Though every value still has a place in every unit."""
    layout = sudoku_layout(9)
    grids = np.zeros((1, 81), np.uint8)
    grids[0, [1, 2, 3, 4, 18, 27, 36, 45]] = [1, 2, 3, 4, 5, 6, 7, 8]
    grids[0, 10] = 9
    sets = sets_of(layout, grids)
    assert slowly(layout, sets[:, 0]) is None
    assert not propagate(layout, sets)[0]


def test_many_grids_give_what_each_gives_alone():
    layout = sudoku_layout(9)
    grids = np.tile(puzzles(layout, 40, 2), (40, 1))  # more than one block of them
    together = sets_of(layout, grids)
    sound = propagate(layout, together)
    for row in range(40):
        alone = sets_of(layout, grids[row : row + 1])
        assert propagate(layout, alone)[0] == sound[row]
        if sound[row]:
            same = together[:, row::40]
            assert (same == alone).all()


def test_two_values_with_one_and_the_same_place_contradict():
    layout = Layout(3)
    sets = open_sets(layout, 1)
    sets[:, 0] = [0b111, 0b001, 0b001, 0b111, 0b111, 0b111, 0b111, 0b111, 0b111]
    assert not propagate(layout, sets)[0]
    sets[:, 0] = [0b111, 0b100, 0b100, 0b111, 0b111, 0b111, 0b111, 0b111, 0b111]
    assert not propagate(layout, sets)[0]


@pytest.mark.parametrize("order", [1, 4, 12, 16, 25, 49, 58])
def test_sets_hold_every_order_up_to_58(order):
    layout = Layout(order)
    sets = open_sets(layout, 2)
    assert sizes(sets).tolist() == [[order] * 2] * layout.cells
    grids = np.zeros((2, layout.cells), np.uint8)
    grids[1, 0] = order
    sets = sets_of(layout, grids)
    assert propagate(layout, sets).all()
    assert sizes(sets)[:, 0].tolist() == [order] * layout.cells
    expected = order if order == 1 else order - 1
    assert sizes(sets)[1 % layout.cells, 1] == expected
    assert is_open(sets)[0].tolist() == [order > 1, False]
    assert grids_of(sets)[1, 0] == order


def test_larger_orders_are_refused():
    with pytest.raises(InputError, match="orders up to 58"):
        open_sets(Layout(59), 1)


def test_no_grids_at_all():
    sets = open_sets(sudoku_layout(9), 0)
    assert propagate(sudoku_layout(9), sets).shape == (0,)
    assert sizes(sets).shape == (81, 0)
    assert grids_of(sets).shape == (0, 81)
