"""Each technique finds exactly what an exhaustive finder written from its definition finds."""

from itertools import islice

import pytest

from puzzles.grid.layout import Layout, units
from puzzles.random_stream import Stream
from puzzles.sets import instances
from puzzles.sudoku.grading.definitions import DEFINITIONS, findings, to_finding
from puzzles.sudoku.grading.path import grade
from puzzles.sudoku.grading.position import from_candidates, start
from puzzles.sudoku.grading.scale import COSTS
from puzzles.sudoku.grading.techniques import TECHNIQUES
from tests.data import samples

NINE = Layout(9, (3, 3))
LAYOUTS = {
    "4x4": Layout(4, (2, 2)),
    "6x6-wide": Layout(6, (2, 3)),
    "6x6-tall": Layout(6, (3, 2)),
    "8x8": Layout(8, (2, 4)),
    "9x9": NINE,
    "latin-7": Layout(7),
}
DEAR = ("trial", "nested-trial")


def agree(name, position):
    """Compare a technique with its definition; whether it found anything."""
    steps = list(TECHNIQUES[name](position))
    found = [to_finding(step) for step in steps]
    assert len(found) == len(set(found))
    assert set(found) == findings(name, position)
    for step in steps:
        assert step.technique == name
        assert bool(step.placements) != bool(step.eliminations)
        assert step.explanation.isprintable()
        position.after(step.placements, step.eliminations)  # it changes what is there
    return bool(steps)


def full(layout):
    """A filled grid of a layout: every row is the first one, shifted."""
    n = layout.order
    high, wide = layout.box or (1, n)
    return [(r % high * wide + r // high + c) % n + 1 for r in range(n) for c in range(n)]


def thinned(layout, stream):
    """A position with some cells filled and candidates missing that need not be wrong."""
    n = layout.order
    kept = stream.below(layout.cells // 2 + 1)
    givens = [0] * layout.cells
    for cell in stream.shuffled(range(layout.cells))[:kept]:
        givens[cell] = full(layout)[cell]
    begin = start(layout, givens)
    missing = stream.below(80)
    drop = [
        (cell, value)
        for cell in range(layout.cells)
        for value in range(1, n + 1)
        if begin.candidates[cell] >> (value - 1) & 1 and stream.below(100) < missing
    ]
    return begin.after((), drop)


def test_there_is_a_definition_and_a_cost_for_each_technique():
    assert list(TECHNIQUES) == list(DEFINITIONS) == list(COSTS)


@pytest.mark.parametrize("shape", LAYOUTS)
@pytest.mark.parametrize("name", [name for name in TECHNIQUES if name not in DEAR])
def test_on_positions_without_sense(name, shape):
    """Candidates are missing at random, so that also contradictory positions occur."""
    layout = LAYOUTS[shape]
    for item in range(12 if layout.order > 6 else 40):
        agree(name, thinned(layout, Stream(1, item)))


@pytest.mark.parametrize("shape", ["4x4", "6x6-tall"])
def test_trials_on_positions_without_sense(shape):
    found = [agree("trial", thinned(LAYOUTS[shape], Stream(2, item))) for item in range(30)]
    assert 0 < sum(found) < len(found)
    for item in range(30):
        agree("nested-trial", thinned(LAYOUTS[shape], Stream(2, item)))


def test_nested_trial_sees_what_singles_do_not():
    """Four cells of a row for three values: no solution, and no single guess shows it."""
    position = from_candidates(NINE, [0] * 81, [0b111] * 4 + [511] * 77)
    assert next(TECHNIQUES["trial"](position), None) is None
    assert agree("nested-trial", position)
    first = next(TECHNIQUES["nested-trial"](position))
    assert first.explanation.startswith("if r1c1 were 1, all ")
    assert first.explanation.endswith("end in a contradiction: r1c1 is not 1")


@pytest.mark.once
@pytest.mark.parametrize("name", samples.only("hardest.txt", "anchor_hardest_11plus_100.txt"))
def test_nested_trial_on_the_hardest_puzzles(name):
    path = list(grade(samples.lines(name)[0]).positions())
    needed = [position for position, step in path if step.technique == "nested-trial"]
    assert needed
    assert agree("nested-trial", needed[-1])
    assert not agree("trial", needed[-1])


@pytest.fixture(scope="module")
def path_positions():
    """Positions on the paths of the set that ships, cheap and dear ones."""
    texts = [entry.text for entry in instances("sudoku") if len(entry.text) == 81]
    return [position for text in texts for position, _ in grade(text).positions()]


@pytest.mark.parametrize("name", TECHNIQUES)
def test_on_the_paths_of_puzzles(name, path_positions):
    """As many positions where it applies as where it does not."""
    quota = {"trial": 8, "nested-trial": 3}.get(name, 25)
    left = {True: quota, False: quota}
    for position in Stream(3, len(path_positions)).shuffled(path_positions):
        if not any(left.values()) or (name == "nested-trial" and not left[False]):
            break  # no puzzle of the set needs nested trial
        applies = next(TECHNIQUES[name](position), None) is not None
        if left[applies]:
            assert agree(name, position) == applies
            left[applies] -= 1
    assert not left[False]
    assert not left[True] or name == "nested-trial"


# --- patterns drawn by hand ----------------------------------------------------------------------


def cell(name):
    row, column = name[1:].split("c")
    return (int(row) - 1) * 9 + int(column) - 1


def position_with(kept):
    """An empty grid with all candidates, but for the cells in ``kept``: name -> their values."""
    candidates = [511] * 81
    for name, values in kept.items():
        candidates[cell(name)] = sum(1 << value - 1 for value in values)
    return from_candidates(NINE, [0] * 81, candidates)


def without(value, unit, places):
    """Cells of a unit with all candidates, but ``value`` only in ``places``."""
    every = set(range(1, 10))
    names = [f"r{c // 9 + 1}c{c % 9 + 1}" for c in units(NINE)[unit]]
    return {name: every - {value} for name in names if name not in places}


DRAWN = [
    (
        "naked-single",
        {"r4c7": [6]},
        "r4c7 can only be 6: the other values are in its row, column or box or are ruled out "
        "by now",
    ),
    ("hidden-single", without(5, 18 + 4, ["r5c6"]), "in box 5, 5 can only go to r5c6"),
    (
        "locked-candidates",
        without(2, 18, ["r1c1", "r3c1"]),
        "in box 1, 2 can only go to r1c1 or r3c1, all in column 1: r4c1, r5c1, r6c1, r7c1, r8c1 "
        "and r9c1 are not 2",
    ),
    (
        "naked-pair",
        {"r1c1": [3, 4], "r1c9": [3, 4]},
        "in row 1, r1c1 and r1c9 hold 3 and 4 between them: r1c2, r1c3, r1c4, r1c5, r1c6, r1c7 "
        "and r1c8 are not 3 or 4",
    ),
    (
        "naked-triple",
        {"r1c1": [3, 4], "r5c1": [4, 7], "r9c1": [3, 7]},
        "in column 1, r1c1, r5c1 and r9c1 hold 3, 4 and 7 between them: r2c1, r3c1, r4c1, r6c1, "
        "r7c1 and r8c1 are not 3, 4 or 7",
    ),
    (
        "naked-quad",
        {"r1c1": [1, 2], "r5c1": [2, 3], "r7c1": [3, 4], "r9c1": [4, 1]},
        "in column 1, r1c1, r5c1, r7c1 and r9c1 hold 1, 2, 3 and 4 between them: r2c1, r3c1, "
        "r4c1, r6c1 and r8c1 are not 1, 2, 3 or 4",
    ),
    (
        "hidden-pair",
        {f"r7c{c}": {1, 2, 3, 4, 5, 6, 7} for c in range(1, 8)},
        "in row 7, 8 and 9 can only go to r7c8 and r7c9, which hold nothing else: r7c8 and r7c9 "
        "are not 1, 2, 3, 4, 5, 6 or 7",
    ),
    (
        "hidden-triple",
        {f"r{r}c5": {1, 2, 3, 4, 5, 6} for r in (1, 2, 4, 5, 7, 8)},
        "in column 5, 7, 8 and 9 can only go to r3c5, r6c5 and r9c5, which hold nothing else: "
        "r3c5, r6c5 and r9c5 are not 1, 2, 3, 4, 5 or 6",
    ),
    (
        "hidden-quad",
        {f"r2c{c}": {1, 2, 3, 4, 5} for c in (1, 2, 4, 5, 7)},
        "in row 2, 6, 7, 8 and 9 can only go to r2c3, r2c6, r2c8 and r2c9, which hold nothing "
        "else: r2c3, r2c6, r2c8 and r2c9 are not 1, 2, 3, 4 or 5",
    ),
    (
        "x-wing",
        without(4, 1, ["r2c3", "r2c8"]) | without(4, 6, ["r7c3", "r7c8"]),
        "in rows 2 and 7, 4 can only go to columns 3 and 8, and takes one place in each: r1c3, "
        "r1c8, r3c3, r3c8, r4c3, r4c8, r5c3, r5c8, r6c3, r6c8, r8c3, r8c8, r9c3 and r9c8 are not 4",
    ),
    (
        "swordfish",
        without(4, 9, ["r1c1", "r5c1"])
        | without(4, 12, ["r5c4", "r9c4"])
        | without(4, 16, ["r1c8", "r9c8"]),
        "in columns 1, 4 and 8, 4 can only go to rows 1, 5 and 9, and takes one place in each: "
        "r1c2, r1c3, r1c5, r1c6, r1c7, r1c9, r5c2",
    ),
    (
        "xy-wing",
        {"r1c1": [1, 2], "r1c8": [1, 3], "r7c1": [2, 3]},
        "if r1c1 is 1, r1c8 is 3; if it is 2, r7c1 is 3: r7c8 is not 3",
    ),
    (
        "simple-colouring",
        without(9, 0, ["r1c2", "r1c9"])
        | without(9, 18, ["r1c2", "r3c3"])
        | without(9, 17, ["r1c9", "r5c9"])
        | without(9, 4, ["r5c3", "r5c9"]),
        "pairs of places for 9 link r1c9, r3c3 and r5c3: all are 9 or none is, and r3c3 and r5c3 "
        "see each other: r1c9, r3c3 and r5c3 are not 9",
    ),
    (
        "simple-colouring",
        without(9, 0, ["r1c2", "r1c5"])
        | without(9, 13, ["r1c5", "r7c5"])
        | without(9, 25, ["r7c5", "r9c4"]),
        "pairs of places for 9 link r1c2 and r7c5 on one side with r1c5 and r9c4 on the other: "
        "one side is 9, so what sees both is not: r9c2 is not 9",
    ),
    (
        "trial",
        {"r1c1": [1, 2], "r1c2": [1, 2], "r1c3": [1, 2, 3]},
        "if r1c3 were 1, following singles would leave no value for r1c1: r1c3 is not 1",
    ),
]


@pytest.mark.parametrize(("name", "kept", "explanation"), DRAWN)
def test_a_pattern_drawn_by_hand_is_found_and_explained(name, kept, explanation):
    position = position_with(kept)
    steps = TECHNIQUES[name](position)
    found = list(islice(steps, 5)) if name in DEAR else list(steps)
    assert any(step.explanation.startswith(explanation) for step in found), found
    if name not in DEAR:
        agree(name, position)


def test_a_net_that_cannot_be_coloured_is_left_alone():
    """A ring of five links: no value can stand at every second of five places."""
    ring = (
        without(9, 0, ["r1c1", "r1c4"])
        | without(9, 12, ["r1c4", "r4c4"])
        | without(9, 3, ["r4c4", "r4c2"])
        | without(9, 10, ["r4c2", "r2c2"])
    )
    chain = list(TECHNIQUES["simple-colouring"](position_with(ring)))
    assert chain  # four links can be coloured
    closed = position_with(ring | without(9, 18, ["r1c1", "r2c2"]))
    assert not list(TECHNIQUES["simple-colouring"](closed))
    assert not agree("simple-colouring", closed)
