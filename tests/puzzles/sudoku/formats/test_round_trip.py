"""Every format gives back what was written: 1,000 puzzles, other sizes, all that is said."""

from dataclasses import replace
from functools import lru_cache
from itertools import islice

import pytest

from modelling.errors import InputError, InstanceError
from puzzles.grid.layout import Layout
from puzzles.grid.reading import Grid
from puzzles.random_stream import Stream
from puzzles.sets import instances
from puzzles.sudoku.formats import FORMATS, Entry, by_name, read
from puzzles.sudoku.formats.entry import HEADERS, grid_in, possible, with_state

pytestmark = pytest.mark.once

SETS = {"sudoku-easy": 400, "sudoku-minimal": 251, "sudoku-hard": 200, "sudoku-many-solutions": 149}
SHAPES = [(2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (4, 3), (2, 6), (6, 2), (4, 4), (5, 5)]
ABOUT = {
    **{key: f"some {key}: a #1, 'b' \"c\" & <d>" for key in HEADERS},
    "difficulty": "2.2",
    "folder": "a & b",
    "technique": "0901",
    "eliminations": "123 456",
    "clues": 7,
    "nested": {"list": [1, None, "x"]},
}
NAME = "Name, „quoted“ & <more>"


@lru_cache(maxsize=1)
def thousand():
    """Puzzles of the sets that ship."""
    lines = [
        entry.text for name, number in SETS.items() for entry in islice(instances(name), number)
    ]
    assert len(lines) == 1000
    return [Entry(grid_in(line, "shipped", k)) for k, line in enumerate(lines, 1)]


def filled_grid(layout):
    """The values of a full grid: each row is the one above, shifted."""
    order, (high, _) = layout.order, layout.box
    wide = order // high
    rows = [
        [(r % high * wide + r // high + c) % order + 1 for c in range(order)] for r in range(order)
    ]
    return [value for row in rows for value in row]


def drawn(layout, stream):
    """A puzzle of a layout with a solution, a third of it given."""
    full = filled_grid(layout)
    values = [value if stream.below(3) == 0 else 0 for value in full]
    return Entry(Grid(layout, values, 1), solution=full)


def dressed(entry, form, stream):
    """The entry with everything that the format holds."""
    holds = form.holds
    if "name" in holds:
        entry = replace(entry, name=NAME)
    about = {key: value for key, value in ABOUT.items() if key in holds or "*" in holds}
    entry = replace(entry, about=about)
    if "solution" not in holds:
        entry = replace(entry, solution=None)
    if "placed" not in holds:
        return entry
    filled = list(entry.givens)
    for cell, mask in enumerate(possible(entry.layout, filled)):
        if mask.bit_count() == 1 and stream.below(3) == 0:
            filled[cell] = mask.bit_length()
    order = entry.layout.order
    masks = [
        mask & ~(1 << stream.below(order)) if stream.below(4) == 0 else mask
        for mask in possible(entry.layout, filled)
    ]
    return with_state(entry, filled, masks)


def back(form, entries, end="\n"):
    text = "".join(form.write(entries)).replace("\n", end)
    return list(read(form, text.splitlines(keepends=True), "there"))


def same(form, entries, **more):
    found = back(form, entries, **more)
    wrong = [entry for entry in found if isinstance(entry, InstanceError)]
    assert not wrong, wrong[0]
    assert [entry.contents() for entry in found] == [entry.contents() for entry in entries]


@pytest.mark.parametrize("name", FORMATS)
def test_a_thousand_puzzles_as_they_are(name):
    same(FORMATS[name], thousand())


@pytest.mark.parametrize("name", FORMATS)
def test_a_thousand_puzzles_with_all_that_the_format_holds(name):
    form = FORMATS[name]
    entries = [dressed(entry, form, Stream(1, k)) for k, entry in enumerate(thousand())]
    if "solution" in form.holds:  # of these only the shape matters
        solution = filled_grid(Layout(9, (3, 3)))
        entries = [replace(entry, solution=solution) for entry in entries]
    same(form, entries, end="\r\n" if name != "opensudoku" else "\n")


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape[0]}x{shape[1]}")
@pytest.mark.parametrize("name", FORMATS)
def test_every_size_that_a_format_can_write(name, shape):
    form, layout = FORMATS[name], Layout(shape[0] * shape[1], shape)
    entries = [dressed(drawn(layout, Stream(2, k)), form, Stream(3, k)) for k in range(8)]
    if not form.refusal(layout):
        same(form, entries)
        return
    assert f"{layout.order}x{layout.order} with boxes of {shape[0]}x{shape[1]}" in form.refusal(
        layout
    )
    assert form.shapes != "any"
    assert shape != (3, 3)


@pytest.mark.parametrize("name", ["lines", "csv", "jsonl"])
@pytest.mark.parametrize("shape", [(1, 5), (1, 1), (6, 6), (5, 8), (10, 10)], ids=str)
def test_unusual_sizes(name, shape):
    layout = Layout(shape[0] * shape[1], shape)
    entry = dressed(drawn(layout, Stream(4, 1)), FORMATS[name], Stream(5, 1))
    if layout.order > 35 and entry.candidates is not None:
        assert FORMATS[name].lost(entry) == ["candidates"]
        entry = replace(entry, candidates=None)
    same(FORMATS[name], [entry])


@pytest.mark.parametrize("name", ["ss", "pencilmarks"])
def test_what_looks_like_the_puzzle_before_with_more_in_it_stays_a_puzzle(name):
    layout = Layout(9, (3, 3))
    full = filled_grid(layout)
    part = [value if cell % 2 else 0 for cell, value in enumerate(full)]
    one_open = [0, *full[1:]]
    grids = [Grid(layout, values, 1) for values in (part, one_open, full, part, part)]
    same(FORMATS[name], [Entry(grid) for grid in grids])


@pytest.mark.parametrize("name", ["ss", "pencilmarks", "sdk", "hodoku", "opensudoku", "jsonl"])
def test_open_cells_without_candidates_and_with_one(name):
    layout = Layout(9, (3, 3))
    full = filled_grid(layout)
    grid = Grid(layout, [0, 0, 0, *full[3:]], 1)
    for masks in ([1, 2, 0], [0, 0, 1], [1 << v - 1 for v in full[:3]], [7, 6, 3]):
        kept = [
            a & b for a, b in zip([*masks, *[0] * 78], possible(layout, grid.values), strict=True)
        ]
        if any(kept) or name != "opensudoku":  # there a game without notes says nothing
            same(FORMATS[name], [with_state(Entry(grid), None, kept)])


def test_headers_of_several_lines():
    layout = Layout(9, (3, 3))
    about = {"comment": "one\ntwo\nthree"}
    entry = Entry(Grid(layout, [0] * 80 + [1], 1), about=about)
    same(FORMATS["sdk"], [entry])
    same(FORMATS["opensudoku"], [entry])
    same(FORMATS["jsonl"], [entry])


@pytest.mark.parametrize("name", FORMATS)
def test_what_a_name_may_do_to_a_file(name):
    layout = Layout(9, (3, 3))
    grid = Grid(layout, [0] * 80 + [1], 1)
    for nasty in ("a\nb", "#", '","', "\x00", "]]>", "\ud800", " ", "[Puzzle]", ":::", "x" * 500):
        about = dict.fromkeys(("comment", "folder", "technique", "difficulty", "level"), nasty)
        found = back(FORMATS[name], [Entry(grid, nasty, about=about)] * 2)
        assert [tuple(entry.givens) for entry in found] == [tuple(grid.values)] * 2


def test_an_unknown_format_names_the_nearest():
    with pytest.raises(InputError, match=r"'hodok'; did you mean 'hodoku'\?.*lines, sdm"):
        by_name("hodok")


def test_a_format_says_what_it_loses():
    entry = Entry(Grid(Layout(9, (3, 3)), [0] * 81, 1), "n", [1] * 81, about={"level": "easy"})
    assert FORMATS["sdm"].lost(entry) == ["name", "solution", "level"]
    assert FORMATS["sdk"].lost(entry) == ["name", "solution"]
    assert FORMATS["csv"].lost(entry) == ["level"]
    assert FORMATS["jsonl"].lost(entry) == []
