"""Canonical forms: against brute force over the group on small grids, against others' on 9x9."""

from functools import lru_cache
from itertools import islice, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modelling.errors import InstanceError
from puzzles.random_stream import Stream, Streams
from puzzles.sets import instances, sets
from puzzles.sudoku import SUDOKU, sudoku_layout
from puzzles.sudoku.canonical import canonical, duplicates, forms, repeats, texts
from puzzles.sudoku.filling.shuffle import pattern, shuffle
from puzzles.sudoku.symmetries import draw_images, draw_symmetry, number_of_symmetries
from tests.data import samples

pytestmark = pytest.mark.once

NINE = sudoku_layout(9)
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
MOST_CANONICAL = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
"""The grid with the most automorphisms, 648 (as told in the players' forum)."""


@lru_cache(maxsize=8)
def moves(high, wide):
    """Every way to arrange the cells, from nested loops: rows and columns, and transposed."""
    n = high * wide

    def lines(groups, size):
        inside = list(permutations(range(size)))
        for order in permutations(range(groups)):
            for parts in product(inside, repeat=groups):
                yield [
                    group * size + k for group, part in zip(order, parts, strict=True) for k in part
                ]

    found = []
    for rows in lines(wide, high):
        for columns in lines(high, wide):
            found.append([r * n + c for r in rows for c in columns])
            if high == wide > 1:
                found.append([c * n + r for r in rows for c in columns])
    return np.array(found)


def by_force(box, values):
    """The least image and the number of automorphisms. Names are tried in all ways on 4x4; on
    larger grids they are given in the order of appearance, which is least for given cells."""
    n = box[0] * box[1]
    images = np.array(values, np.uint8)[moves(*box)]
    if n <= 4:
        ways = np.array([(0, *way) for way in permutations(range(1, n + 1))], np.uint8)
        every = np.unique(ways[:, images].reshape(-1, n * n), axis=0)
        plain = (ways[:, images] == np.array(values)).all(axis=2).sum()
        return tuple(every[0].tolist()), int(plain)
    named = []
    for image in images.tolist():
        names = {0: 0}
        named.append(tuple(names.setdefault(value, len(names)) for value in image))
    absent = n - len(set(values) - {0})
    ways = np.prod(range(1, absent + 1), dtype=int)
    return min(named), named.count(min(named)) * int(ways)


@lru_cache(maxsize=1)
def grids_of_4x4():
    """All full grids, by putting every row under every other."""
    rows = list(permutations(range(1, 5)))
    found = []
    for four in product(rows, repeat=4):
        if all(len({row[c] for row in four}) == 4 for c in range(4)) and all(
            len({four[r][c] for r in (b, b + 1) for c in (s, s + 1)}) == 4
            for b in (0, 2)
            for s in (0, 2)
        ):
            found.append(sum(four, ()))
    return found


def test_the_288_grids_of_4x4_make_two_classes():
    grids = grids_of_4x4()
    assert len(grids) == 288
    layout = sudoku_layout(4)
    found = forms(layout, np.array(grids, np.uint8))
    classes = {tuple(form) for form in found.tolist()}
    assert len(classes) == 2
    assert {form: by_force((2, 2), form)[0] for form in classes} == {f: f for f in classes}
    sizes = sorted(sum(tuple(form) == one for form in found.tolist()) for one in classes)
    assert sizes == [96, 192]
    for grid, form in zip(grids, found.tolist(), strict=True):
        own = canonical(layout, grid)
        assert own.values == tuple(form)
        assert number_of_symmetries(layout) // own.automorphisms in sizes


def holes(cells):
    return st.lists(st.booleans(), min_size=cells, max_size=cells)


@settings(max_examples=60)
@given(st.sampled_from(range(288)), holes(16))
def test_4x4_puzzles_by_force(which, kept):
    values = [v if keep else 0 for v, keep in zip(grids_of_4x4()[which], kept, strict=True)]
    found = canonical(sudoku_layout(4), values)
    assert (found.values, found.automorphisms) == by_force((2, 2), values)
    assert tuple(found.symmetry(values)) == found.values


@settings(max_examples=15, deadline=None)
@given(st.sampled_from([(2, 3), (3, 2)]), st.integers(0, 2**32), st.floats(0.05, 1), st.data())
def test_6x6_puzzles_by_force(box, item, density, data):
    layout = sudoku_layout(6, box)
    full = shuffle(layout, Streams(1, [item]))[0].tolist()
    stream = Stream(2, item)
    values = [v if stream.below(1000) < 1000 * density else 0 for v in full]
    found = canonical(layout, values)
    assert (found.values, found.automorphisms) == by_force(box, values)
    assert tuple(found.symmetry(values)) == found.values


@pytest.mark.parametrize("box", [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (1, 4)])
def test_grids_with_boxes_of_one_line_by_force(box):
    layout = sudoku_layout(box[0] * box[1], box)
    full = pattern(layout)
    for item in range(12):
        stream = Stream(3, item)
        values = [value if stream.below(12) >= item else 0 for value in full]
        found = canonical(layout, values)
        assert (found.values, found.automorphisms) == by_force(box, values)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 81), st.integers(0, 2**32))
def test_a_disguise_has_the_same_form(item, clues, other):
    full = shuffle(NINE, Streams(4, [item]))[0].tolist()
    kept = set(Stream(5, item).shuffled(range(81))[:clues])
    values = [value if cell in kept else 0 for cell, value in enumerate(full)]
    disguised = draw_symmetry(NINE, Stream(6, other))(values)
    one, two = canonical(NINE, values), canonical(NINE, disguised)
    assert one.values == two.values
    assert one.automorphisms == two.automorphisms
    assert tuple(two.symmetry(disguised)) == two.values == canonical(NINE, two.values).values
    assert number_of_symmetries(NINE) % one.automorphisms == 0
    assert two.values <= tuple(disguised)


def test_a_clue_less_or_a_value_changed_is_another_puzzle():
    values = list(SUDOKU.parse(HARD)[1])
    clues = [cell for cell, value in enumerate(values) if value]
    others = [[0 if cell == gone else v for cell, v in enumerate(values)] for gone in clues]
    found = {tuple(form) for form in forms(NINE, np.array([values, *others], np.uint8)).tolist()}
    assert len(found) == len(clues) + 1


def test_a_grid_that_is_its_own_mirror_image_and_one_that_is_not():
    assert canonical(NINE, SUDOKU.parse(HARD)[1]).automorphisms == 1
    found = canonical(NINE, SUDOKU.parse(MOST_CANONICAL)[1])
    assert found.automorphisms == 648
    assert SUDOKU.text(NINE, found.values) == MOST_CANONICAL
    assert canonical(NINE, pattern(NINE)).automorphisms == 54


def test_an_empty_grid_is_its_own_form_under_every_symmetry():
    for order in (1, 4, 6, 9, 16, 25):
        layout = sudoku_layout(order)
        found = canonical(layout, [0] * layout.cells)
        assert set(found.values) == {0}
        assert found.automorphisms == number_of_symmetries(layout)


@pytest.mark.parametrize("order", [12, 16])
def test_larger_puzzles(order):
    layout = sudoku_layout(order)
    full = shuffle(layout, Streams(7, [1]))[0].tolist()
    stream = Stream(8, order)
    values = [value if stream.below(10) < 4 else 0 for value in full]
    one = canonical(layout, values)
    disguised = draw_symmetry(layout, Stream(9, 1))(values)
    two = canonical(layout, disguised)
    assert one.values == two.values
    assert tuple(two.symmetry(disguised)) == two.values


def test_what_would_take_too_long_is_refused():
    layout = sudoku_layout(16)
    with pytest.raises(InstanceError, match="too much work"):
        canonical(layout, pattern(layout))


def test_clashing_givens_have_no_form():
    with pytest.raises(InstanceError, match="1 occurs twice in row 1: r1c1 and r1c2; it has no"):
        canonical(NINE, [1, 1] + [0] * 79)
    with pytest.raises(InstanceError, match="go up to order 60"):
        canonical(sudoku_layout(64), [0] * 64**2)


def test_what_is_no_grid_of_the_layout_is_refused():
    with pytest.raises(InstanceError, match=r"arrays of \(1, 80\) where grids have 81 cells"):
        canonical(NINE, [0] * 80)
    for value in (10, 256, -1):
        with pytest.raises(InstanceError, match=f"a value of {value} in a Sudoku of order 9"):
            canonical(NINE, [value] + [0] * 80)


def test_many_together_are_what_they_are_alone():
    grids = shuffle(NINE, Streams(10, range(40)))
    for k in range(30):
        for cell in Stream(11, k).shuffled(range(81))[: 2 * k + 8]:
            grids[k, cell] = 0
    grids[5] = 0
    together = forms(NINE, grids)
    for grid, form in zip(grids.tolist(), together.tolist(), strict=True):
        assert canonical(NINE, grid).values == tuple(form)


def test_texts_of_any_layouts_keep_their_order():
    puzzles = [HARD, "1..............2", "3x2:" + "." * 35 + "6", "." * 35 + "6", HARD]
    assert list(texts(puzzles)) == [
        *islice(texts([HARD]), 1),
        ".......1.....2..",
        "3x2:" + "." * 35 + "1",
        "." * 35 + "1",
        *islice(texts([HARD]), 1),
    ]


def test_what_has_no_form_is_told_in_its_place():
    whole = SUDOKU.text(sudoku_layout(16), pattern(sudoku_layout(16)))
    puzzles = [HARD, "11" + "." * 79, whole, HARD]
    found = list(texts(puzzles))
    assert found[0] == found[3]
    assert "occurs twice in row 1" in found[1].cause
    assert "too much work" in found[2].cause
    assert list(repeats(found)) == [(3, 0)]
    with pytest.raises(InstanceError, match="puzzle 2: clashing givens"):
        list(duplicates(puzzles))


def test_duplicates():
    values = SUDOKU.parse(HARD)[1]
    disguised = [SUDOKU.text(NINE, draw_symmetry(NINE, Stream(1, k))(values)) for k in range(2)]
    other = HARD.replace("4", ".", 1)
    assert list(duplicates([HARD, other, *disguised, other])) == [(2, 0), (3, 0), (4, 1)]
    assert list(duplicates([])) == []


@pytest.mark.parametrize("name", [s.name for s in sets() if s.family == "sudoku"])
def test_no_two_puzzles_of_a_set_that_ships_are_the_same(name):
    every = (entry.text for entry in instances(name))
    assert list(duplicates(islice((text for text in every if len(text) <= 81), 1000))) == []


def least_image(text):
    """The least of all 9! * 2 * 6**8 images of a 9x9 puzzle: each arrangement of rows and columns,
    with its digits renamed in the order in which they appear.

    In the first row that is not empty no digit is repeated, so there the blanks alone decide."""
    lines = np.array(
        [
            [3 * band + row for band, rows in zip(bands, inside, strict=True) for row in rows]
            for bands in permutations(range(3))
            for inside in product(permutations(range(3)), repeat=3)
        ]
    )
    square = np.array([0 if sign == "." else int(sign) for sign in text]).reshape(9, 9)
    best = None
    for grid in (square, square.T):
        blank_rows = (grid == 0).all(axis=1)
        blanks_before = [
            next(k for k in range(10) if k == 9 or not blank_rows[rows[k]]) for rows in lines
        ]
        for rows in lines[np.array(blanks_before) == max(blanks_before)]:
            first = grid[rows[max(blanks_before)]] > 0
            keys = first[lines] @ (1 << np.arange(8, -1, -1))
            lead = (-max(blanks_before), int(keys.min()))
            if best is not None and lead > best[0]:
                continue
            images = grid[rows][:, lines[keys == keys.min()]].swapaxes(0, 1).reshape(-1, 81)
            appears = np.stack(
                [
                    np.where((images == d).any(1), (images == d).argmax(1), 81 + d)
                    for d in range(1, 10)
                ],
                1,
            )
            names = np.zeros((len(images), 10), np.int64)
            np.put_along_axis(names[:, 1:], appears.argsort(1), np.arange(1, 10)[None], 1)
            least = min(np.take_along_axis(names, images, 1).tolist())
            if best is None or (lead, least) < best:
                best = (lead, least)
    return "".join(map(str, best[1])).replace("0", ".")


@pytest.mark.parametrize("name", ["few-clues.txt", "hardest.txt", "minimal.txt", "none.txt"])
def test_a_form_is_the_least_image_of_all(name):
    lines = samples.lines(name)[:2]
    assert list(texts(lines)) == [least_image(text) for text in lines]


if samples.only("17clue.txt.gz"):

    def test_most_of_the_list_of_17_clues_is_written_in_this_form():
        """Programs by others put it into min-lex form: 47,171 of its 48,658 lines are, the first
        3,735 among them. For each of the rest an image is found that comes before it."""
        puzzles = samples.lines("17clue.txt.gz")[:3796]
        found = list(texts(puzzles[:500] + puzzles[3730:]))
        assert tuple(found[:505]) == puzzles[:500] + puzzles[3730:3735]
        for line in (3735, 3795):
            values = list(SUDOKU.parse(puzzles[line])[1])
            own = canonical(NINE, values)
            assert SUDOKU.text(NINE, own.symmetry(values)) == found[line - 3230] < puzzles[line]


@pytest.mark.parametrize(
    "name",
    samples.only("minimal.txt", "none.txt", "random_minimal.txt.gz", "serg_multi_solution.txt"),
)
def test_puzzles_in_disguise(name):
    lines = samples.lines(name)[:300]
    grids = np.array([list(SUDOKU.parse(text)[1]) for text in lines], np.uint8)
    found = forms(NINE, grids)
    disguised = draw_images(NINE, Streams(12, range(len(grids))), grids)
    assert (forms(NINE, disguised) == found).all()
    assert len({form.tobytes() for form in found}) == len(grids)
