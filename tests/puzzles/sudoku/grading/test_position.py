"""Positions: how candidates follow from placements, what does not fit, and how they are drawn."""

import dataclasses
from itertools import combinations

import pytest

from modelling.errors import InstanceError, ModelError
from puzzles.grid.layout import Layout, peers
from puzzles.random_stream import Stream
from puzzles.sudoku import SUDOKU
from puzzles.sudoku.grading.board import board, members, set_of
from puzzles.sudoku.grading.drawing import draw_position
from puzzles.sudoku.grading.position import from_candidates, start
from puzzles.sudoku.grading.singles import houses, option, state_of, values_of
from puzzles.sudoku.grading.step import Step
from puzzles.sudoku.grading.techniques.unions import hall_sets

FOUR = Layout(4, (2, 2))
LAYOUTS = [FOUR, Layout(6, (2, 3)), Layout(6, (3, 2)), Layout(9, (3, 3)), Layout(12, (3, 4))]


def consistent(position):
    """Whether values, candidates and places tell the same, by the rules."""
    layout = position.layout
    for cell in range(layout.cells):
        for value in range(1, layout.order + 1):
            is_candidate = position.candidates[cell] >> (value - 1) & 1
            assert is_candidate == position.places[value - 1] >> cell & 1
            if is_candidate:
                assert position.values[cell] == 0
                assert value not in [position.values[p] for p in peers(layout, cell)]


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_placing_and_eliminating(layout):
    stream = Stream(1, layout.order)
    position = start(layout, [0] * layout.cells)
    for _ in range(layout.cells):
        open_cells = [c for c, mask in enumerate(position.candidates) if mask]
        if not open_cells:
            break
        cell = stream.choice(open_cells)
        value = stream.choice(members(position.candidates[cell])) + 1
        before = position
        if stream.below(2):
            position = position.after([(cell, value)], ())
            assert position.values[cell] == value
        else:
            position = position.after((), [(cell, value)])
        assert before != position
        assert before.candidates[cell] >> (value - 1) & 1
        consistent(position)
        again = from_candidates(layout, position.values, position.candidates)
        assert again == position


def test_a_position_cannot_be_changed():
    position = start(FOUR, [0] * 16)
    with pytest.raises(dataclasses.FrozenInstanceError):
        position.values = ()


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda p: p.after([(1, 1)], ()), "1 is no candidate of r1c2"),
        (lambda p: p.after((), [(0, 1)]), "1 is no candidate of r1c1"),
        (lambda p: p.after([(2, 2), (3, 2)], ()), "2 is no candidate of r1c4"),
        (lambda p: p.after((), [(5, 0)]), "is no candidate of r2c2"),
        (lambda p: p.after((), [(5, 5)]), "is no candidate of r2c2"),
        (lambda p: from_candidates(FOUR, p.values, [1] * 16), "1 cannot be a candidate of r1c1"),
    ],
)
def test_what_does_not_fit_is_refused(action, message):
    position = start(FOUR, [1] + [0] * 15)
    with pytest.raises(ModelError, match=message):
        action(position)


def test_clashing_givens_are_refused():
    with pytest.raises(InstanceError, match="1 occurs twice in row 1: r1c1 and r1c3"):
        start(FOUR, [1, 0, 1] + [0] * 13)


@pytest.mark.parametrize(
    ("candidates", "words"),
    [
        ([15] * 16, ""),
        ([15] * 5 + [0] + [15] * 10, "no value is left for r2c2"),
        ([7] * 4 + [15] * 12, "no place is left for 4 in row 1"),
        ([7, 15, 15, 15] * 4, "no place is left for 4 in column 1"),
        ([15, 15, 13, 13, 15, 15, 13, 13] + [15] * 8, "no place is left for 2 in box 2"),
    ],
)
def test_contradictions_are_told(candidates, words):
    assert from_candidates(FOUR, [0] * 16, candidates).contradiction() == words


def test_a_value_that_stands_needs_no_place():
    layout, givens = SUDOKU.parse("1234341.2143432.")
    position = start(layout, givens)
    assert position.contradiction() == ""
    assert not position.solved
    assert position.after([(7, 2), (15, 1)], ()).solved


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_the_masks_of_a_layout(layout):
    masks = board(layout)
    assert [mask.bit_count() for mask in masks.units] == [layout.order] * 3 * layout.order
    assert all(set_of(peers(layout, c)) == masks.peers[c] for c in range(layout.cells))
    assert sorted(masks.scan) == list(range(3 * layout.order))
    for crossing in masks.crossings:
        box, line = masks.units[crossing.box], masks.units[crossing.line]
        assert crossing.shared == box & line
        assert crossing.box_only | crossing.shared == box
        assert crossing.line_only | crossing.shared == line


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_states_and_values(layout):
    cells = layout.cells
    begin = start(layout, [0] * cells)
    state, placed = state_of(begin)
    assert placed == 0
    assert state.bit_count() == cells * layout.order
    kept = state & houses(layout).keeps[option(layout, 1, 2)]
    after, placed = state_of(begin.after([(1, 2)], ()))
    assert kept == after
    assert members(placed) == [option(layout, 1, 2)]
    filled = set_of(option(layout, c, c % layout.order + 1) for c in range(cells))
    assert values_of(layout, filled) == tuple(c % layout.order + 1 for c in range(cells))


@pytest.mark.parametrize("size", [2, 3, 4])
def test_families_of_sets_with_a_small_union(size):
    found = 0
    for item in range(30):
        stream = Stream(2, item)
        sets = [1 << stream.below(6) | 1 << stream.below(6) for _ in range(stream.below(9))]
        expected = []
        for chosen in combinations(range(len(sets)), size):
            union = set().union(*(members(sets[k]) for k in chosen))
            if len(union) == size:
                expected.append((chosen, set_of(union)))
        assert list(hall_sets(sets, size)) == expected
        found += len(expected)
    assert found


def test_the_grid_of_candidates():
    layout, givens = SUDOKU.parse("1.3.341.2143432.")
    position = start(layout, givens)
    assert draw_position(position) == (
        "+-------+-------+\n"
        "| 1 (2) | 3 24  |\n"
        "| 3 4   | 1 (2) |\n"
        "+-------+-------+\n"
        "| 2 1   | 4 3   |\n"
        "| 4 3   | 2 (1) |\n"
        "+-------+-------+"
    )


def test_the_grid_of_candidates_shows_a_cell_without_any():
    position = from_candidates(FOUR, [0] * 16, [0] + [3] * 15)
    assert draw_position(position).splitlines()[1] == "| .  12 | 12 12 |"


def test_the_grid_is_painted_by_role():
    position = start(FOUR, [0] * 16).after([(15, 4)], ())
    step = Step("x", (0, 1), (1, 2), (), (), ((2, 1), (2, 2)), "")
    marks = {"rests": "!", "eliminated": "-", "placed": "+", "filled": "=", "candidate": " "}
    lines = draw_position(position, step, lambda text, role: text + marks[role]).splitlines()
    assert lines[1] == "| 1!2!3 4  1!2!3 4  | 1-2-3 4  1 2 3  |"
    assert lines[5].endswith("4=   |")
    placing = Step("x", (0,), (1,), (), ((0, 1),), (), "")
    first = draw_position(position, placing, lambda text, role: text + marks[role]).splitlines()[1]
    assert first.startswith("| 1+2 3 4 ")


def test_values_above_the_signs_are_numbers():
    layout = Layout(36, (6, 6))
    text = draw_position(start(layout, [0] * layout.cells))
    assert text.splitlines()[1].startswith("| 1,2,3,4,5,6,7,8,9,10,11,")
