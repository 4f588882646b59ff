"""Puzzles from grids: every promise checked by another solver, or by code of the tests' own."""

from functools import lru_cache

import numpy as np
import pytest

from backends.counting import counter
from backends.interface import registry
from backends.interface.api import Solutions
from modelling.errors import InputError
from puzzles.grid import model
from puzzles.grid.layout import Layout, peers, units
from puzzles.random_stream import Stream, Streams
from puzzles.sudoku import generating
from puzzles.sudoku.filling.random_fill import random_fill
from puzzles.sudoku.generating import generate, make
from puzzles.sudoku.grading.path import grade_grid
from puzzles.sudoku.reducing.easing import ease
from puzzles.sudoku.reducing.exchanging import exchange_clues
from puzzles.sudoku.reducing.patterns import SYMMETRIES, check_symmetry, orbits
from puzzles.sudoku.reducing.removing import remove_clues
from puzzles.sudoku.reducing.several import several
from puzzles.sudoku.reducing.sight import candidates, find_refuted
from puzzles.sudoku.reducing.unsatisfiable import contradict
from puzzles.sudoku.specification import PuzzleSpec
from tests.puzzles.exhaustive_count import count as exhaustive

pytestmark = pytest.mark.once

NINE, SIX, FOUR = Layout(9, (3, 3)), Layout(6, (2, 3)), Layout(4, (2, 2))
LATIN = Layout(5)
LAYOUTS = [NINE, SIX, FOUR, LATIN]


def named(layout):
    return f"{layout.order}" + ("x{}x{}".format(*layout.box) if layout.box else "latin")


layouts = pytest.mark.parametrize("layout", LAYOUTS, ids=named)


@lru_cache
def count_of(layout):
    return counter(model.structure(layout))


@lru_cache
def solved(layout, number):
    """Full grids, uint8[number, cells]."""
    filled = random_fill(layout, count_of(layout), Streams(99, range(number)))
    assert filled.filled.all()
    filled.grids.setflags(write=False)
    return filled.grids


def independent(layout, grid, limit):
    """Counted by a backend that no default counter is made of."""
    problem = model.problem(layout, grid.tolist())
    return registry.get("sat:extended,cadical153").solve(problem, Solutions(limit, 0)).count


def clues(grids):
    return (grids > 0).sum(axis=-1)


# --- patterns -------------------------------------------------------------------------------------

TURNS = {
    "none": [],
    "half-turn": [lambda square: np.rot90(square, 2)],
    "mirror": [np.fliplr],
    "diagonal": [np.transpose],
    "quarter-turn": [np.rot90],
    "full": [np.rot90, np.fliplr, np.flipud, np.transpose],
}


def is_symmetric(layout, grid, symmetry):
    square = (grid > 0).reshape(layout.order, layout.order)
    return all((turn(square) == square).all() for turn in TURNS[symmetry])


@pytest.mark.parametrize("symmetry", SYMMETRIES)
@layouts
def test_orbits_are_the_least_symmetric_patterns(layout, symmetry):
    found = orbits(layout, symmetry)
    assert sorted(cell for orbit in found for cell in orbit) == list(range(layout.cells))
    for orbit in found:
        pattern = np.zeros(layout.cells, int)
        pattern[orbit[0]] = 1
        while not is_symmetric(layout, pattern, symmetry):
            square = pattern.reshape(layout.order, -1)
            for turn in TURNS[symmetry]:
                square = square | turn(square)
            pattern = square.reshape(-1)
        assert np.flatnonzero(pattern).tolist() == list(orbit)


def test_orbit_sizes_of_nine():
    sizes = {name: sorted(map(len, orbits(NINE, name))) for name in SYMMETRIES}
    assert sizes["half-turn"] == [1] + [2] * 40
    assert sizes["mirror"] == [1] * 9 + [2] * 36
    assert sizes["diagonal"] == [1] * 9 + [2] * 36
    assert sizes["quarter-turn"] == [1] + [4] * 20
    assert sizes["full"] == [1] + [4] * 8 + [8] * 6


def test_a_symmetry_that_is_none():
    with pytest.raises(InputError, match="did you mean 'half-turn'"):
        check_symmetry("halfturn")


# --- removing -------------------------------------------------------------------------------------


def one_by_one(grids, turns, count, least, solutions):
    """What ``remove_clues`` does, without blocks."""
    grids = grids.copy()
    for turn in range(turns.max() + 1):
        trial = np.where(turns == turn, 0, grids).astype(np.uint8)
        number = count(trial, solutions + 1)
        fine = (number >= 1) & (number <= solutions) & (clues(trial) >= least)
        grids[fine] = trial[fine]
    return grids


@pytest.mark.parametrize("solutions", [1, 7])
@pytest.mark.parametrize("part", [0, 0.4])
@pytest.mark.parametrize("symmetry", SYMMETRIES)
@layouts
def test_blocks_come_to_what_one_by_one_comes_to(layout, symmetry, part, solutions):
    least = int(part * layout.cells)
    full, count = solved(layout, 8), count_of(layout)
    reduced = remove_clues(layout, full, count, Streams(1, range(8)), symmetry, least, solutions)
    expected = one_by_one(full, reduced.turns, count, least, solutions)
    assert (reduced.grids == expected).all()
    assert reduced.sure.all()
    assert ((reduced.grids == 0) | (reduced.grids == full)).all()
    assert (clues(reduced.grids) >= least).all()


@layouts
def test_minimal_by_an_independent_backend(layout):
    reduced = remove_clues(layout, solved(layout, 3), count_of(layout), Streams(2, range(3)))
    for grid in reduced.grids:
        assert independent(layout, grid, 2) == 1
        for cell in np.flatnonzero(grid):
            without = grid.copy()
            without[cell] = 0
            assert independent(layout, without, 2) == 2


@pytest.mark.parametrize("symmetry", [name for name in SYMMETRIES if name != "none"])
@layouts
def test_symmetric_and_no_orbit_can_go(layout, symmetry):
    full = solved(layout, 3)
    reduced = remove_clues(layout, full, count_of(layout), Streams(3, range(3)), symmetry)
    for grid in reduced.grids:
        assert is_symmetric(layout, grid, symmetry)
        assert independent(layout, grid, 2) == 1
        for orbit in orbits(layout, symmetry):
            without = grid.copy()
            without[list(orbit)] = 0
            if grid[orbit[0]]:
                assert independent(layout, without, 2) == 2


def test_an_order_is_drawn_evenly_and_by_each_stream_alone():
    full, count = solved(FOUR, 5), count_of(FOUR)
    turns = remove_clues(FOUR, full, count, Streams(4, range(5))).turns
    for item in range(5):
        order = Stream(4, item).shuffled(range(16))
        assert np.argsort(turns[item]).tolist() == order


def test_a_grid_is_reduced_alike_in_any_company():
    full, count = solved(NINE, 20), count_of(NINE)
    together = remove_clues(NINE, full, count, Streams(5, range(20)), clues=25)
    for k in (0, 7, 19):
        alone = remove_clues(NINE, full[k : k + 1], count, Streams(5, [k]), clues=25)
        assert (alone.grids[0] == together.grids[k]).all()
    rows = np.array([3, 11])
    some = remove_clues(NINE, full[rows], count, Streams(5, range(20)), clues=25, rows=rows)
    assert (some.grids == together.grids[rows]).all()


def test_grids_with_blanks_are_reduced_further():
    full, count = solved(NINE, 10), count_of(NINE)
    half = remove_clues(NINE, full, count, Streams(6, range(10)), clues=40).grids
    assert (clues(half) == 40).all()
    less = remove_clues(NINE, half, count, Streams(7, range(10)))
    assert ((less.grids == 0) | (less.grids == half)).all()
    assert (clues(less.grids) < 30).all()
    again = remove_clues(NINE, less.grids, count, Streams(8, range(10)))
    assert (again.grids == less.grids).all()
    assert (less.grids == one_by_one(half, less.turns, count, 0, 1)).all()


def test_a_clue_whose_count_gives_up_stays():
    full, count = solved(NINE, 30), count_of(NINE)
    plain = remove_clues(NINE, full, count, Streams(9, range(30)))

    def tired(grids, limit):
        """Gives up on every grid without the first cell."""
        return np.where(grids[:, 0] == 0, -1, count(grids, limit))

    reduced = remove_clues(NINE, full, tired, Streams(9, range(30)))
    assert (reduced.grids[:, 0] == full[:, 0]).all()
    assert not reduced.sure.any()
    for grid in reduced.grids[:3]:
        assert independent(NINE, grid, 2) == 1
    assert plain.sure.all()

    def exhausted(grids, limit):
        return np.full(len(grids), -1)

    nothing = remove_clues(NINE, full, exhausted, Streams(9, range(30)))
    assert (nothing.grids == full).all()
    assert not nothing.sure.any()


def test_few_counts_are_asked_for():
    """Blocks: some 47 counts instead of 81."""
    asked, count = 0, count_of(NINE)

    def counted(grids, limit):
        nonlocal asked
        asked += len(grids)
        return count(grids, limit)

    remove_clues(NINE, solved(NINE, 40), counted, Streams(10, range(40)))
    assert asked < 55 * 40


def test_no_grids():
    none = np.zeros((0, 81), np.uint8)
    assert remove_clues(NINE, none, count_of(NINE), Streams(1, []), clues=3).grids.shape == (0, 81)


# --- at sight -------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", [FOUR, SIX, LATIN], ids=named)
def test_sight_by_its_definition(layout):
    rng = np.random.default_rng(1)
    grids = np.zeros((150, layout.cells), np.uint8)
    for grid in grids:
        cells = rng.choice(layout.cells, rng.integers(1, layout.order + 2), replace=False)
        grid[cells] = rng.integers(1, layout.order + 1, len(cells))
    values = range(1, layout.order + 1)
    verdicts = find_refuted(layout, grids)
    assert 20 < verdicts.sum() < 130
    for grid, verdict, found in zip(
        grids.tolist(), verdicts, candidates(layout, grids), strict=True
    ):
        near = [{grid[c] for c in peers(layout, cell)} for cell in range(layout.cells)]
        left = [
            set() if grid[cell] else {v for v in values if v not in near[cell]}
            for cell in range(layout.cells)
        ]
        assert [set((np.flatnonzero(row) + 1).tolist()) for row in found] == left
        clash = any(grid[cell] in near[cell] for cell in range(layout.cells) if grid[cell])
        stuck = any(not grid[cell] and not left[cell] for cell in range(layout.cells))
        homeless = any(
            value not in {grid[c] for c in unit} and not any(value in left[c] for c in unit)
            for unit in units(layout)
            for value in values
        )
        assert verdict == (clash or stuck or homeless)


# --- unsatisfiable, several -----------------------------------------------------------------------


@layouts
def test_unsatisfiable_by_an_independent_backend(layout):
    number = 30
    count = count_of(layout)
    puzzles = remove_clues(layout, solved(layout, number), count, Streams(1, range(number))).grids
    grids, found = contradict(layout, puzzles, count, Streams(2, range(number)))
    assert found.mean() > (0.02 if layout == FOUR else 0.5)  # small grids mostly tell at sight
    assert (grids[~found] == puzzles[~found]).all()
    assert ((grids != puzzles).sum(axis=1) == found).all()
    assert ((grids > 0) == (puzzles > 0)).all()
    assert not find_refuted(layout, grids[found]).any()
    for grid in grids[found][:10]:
        assert independent(layout, grid, 1) == 0


def test_what_gives_up_is_not_taken_for_unsatisfiable():
    puzzles = remove_clues(SIX, solved(SIX, 3), count_of(SIX), Streams(1, range(3))).grids
    tired = lambda grids, limit: np.full(len(grids), -1)  # noqa: E731
    grids, found = contradict(SIX, puzzles, tired, Streams(2, range(3)))
    assert not found.any()
    assert (grids == puzzles).all()


@pytest.mark.parametrize("number", [2, 3, 12, 100])
def test_a_number_of_solutions_by_an_independent_backend(number):
    full = solved(NINE, 60)
    grids, found, sure = several(NINE, full, count_of(NINE), Streams(3, range(60)), number)
    assert sure.all()
    assert found.any()
    for grid in grids[found][:2]:
        assert independent(NINE, grid, number + 1) == number
    for grid in grids[~found][:2]:
        assert independent(NINE, grid, number) < number


def test_numbers_of_solutions_of_four_by_exhaustion():
    full = solved(FOUR, 40)
    for number in (2, 3, 4, 288):
        grids, found, _ = several(FOUR, full, count_of(FOUR), Streams(4, range(40)), number)
        for grid, right in zip(grids, found, strict=True):
            assert (exhaustive(model.problem(FOUR, grid.tolist())) == number) == right
    assert found.all()
    assert not grids.any()


# --- exchanging -----------------------------------------------------------------------------------


def test_exchanges_never_add_clues_and_keep_puzzles_minimal():
    count = count_of(NINE)
    puzzles = remove_clues(NINE, solved(NINE, 12), count, Streams(5, range(12))).grids
    start = clues(puzzles)
    values = puzzles.copy()
    for step in range(12):
        before = clues(puzzles)
        last = puzzles
        puzzles, moved, sure = exchange_clues(NINE, last, count, Streams(6, range(12), step), 20)
        assert sure.all()
        assert ((puzzles != last).any(axis=1) == moved).all()
        assert (clues(puzzles) <= before).all()
    assert (clues(puzzles) >= 20).all()
    assert (clues(puzzles) < start).sum() >= 4
    assert (puzzles != values).any(axis=1).all()
    assert (count(puzzles, 2) == 1).all()
    again = remove_clues(NINE, puzzles, count, Streams(7, range(12)), clues=20)
    assert (again.grids == puzzles).all()
    for grid in puzzles[:3]:
        assert independent(NINE, grid, 2) == 1


def test_exchanges_stop_at_the_wished_number():
    count = count_of(NINE)
    puzzles = remove_clues(NINE, solved(NINE, 30), count, Streams(8, range(30))).grids
    rows = np.flatnonzero(clues(puzzles) > 24)
    for step in range(8):
        puzzles[rows], *_ = exchange_clues(NINE, puzzles[rows], count, Streams(9, rows, step), 24)
        rows = rows[clues(puzzles[rows]) > 24]
    assert clues(puzzles).min() >= 22  # those that began there
    assert (clues(puzzles) == 24).sum() >= 10


def test_an_exchange_that_finds_nothing_leaves_the_puzzle():
    count = count_of(FOUR)
    puzzles = remove_clues(FOUR, solved(FOUR, 5), count, Streams(8, range(5))).grids
    tired = lambda grids, limit: np.full(len(grids), -1)  # noqa: E731
    same, moved, _ = exchange_clues(FOUR, puzzles, tired, Streams(9, range(5)), 4)
    assert (same == puzzles).all()
    assert not moved.any()


# --- easing ---------------------------------------------------------------------------------------


def test_clues_come_back_until_the_rank_is_as_wished():
    full = np.arange(1, 10, dtype=np.uint8)
    turns = np.arange(9)
    puzzle = np.where(turns < 6, 0, full).astype(np.uint8)

    def rank(grid):
        return {3: 5, 4: 5, 5: 3, 6: 3, 7: 1, 8: 1, 9: 0}[int((grid > 0).sum())]

    assert ease(puzzle, full, turns, rank, 5).tolist() == puzzle.tolist()
    three = ease(puzzle, full, turns, rank, 3)
    assert three.tolist() == [0, 0, 0, 0, 5, 6, 7, 8, 9]
    assert ease(puzzle, full, turns, rank, 1).tolist() == [0, 0, 3, 4, 5, 6, 7, 8, 9]
    assert ease(puzzle, full, turns, rank, 2) is None  # it falls past
    assert ease(puzzle, full, turns, rank, 6) is None  # it is easier from the start


# --- specs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"symmetry": "spiral"}, "no symmetry is called 'spiral'"),
        ({"grade": "guessing"}, "no grade is called 'guessing'"),
        ({"clues": -1}, "at least 0"),
        ({"attempts": 0}, "at least 1"),
        ({"solutions": 2.5}, "whole number"),
        ({"grade": "trial", "solutions": 2}, "only a puzzle with one solution"),
        ({"clues": 20, "solutions": 2}, "clues cannot be combined with several solutions"),
    ],
)
def test_wishes_that_contradict_themselves(spec, message):
    with pytest.raises(InputError, match=message):
        PuzzleSpec(**spec)


@pytest.mark.parametrize(
    ("spec", "layout", "message"),
    [
        (PuzzleSpec(clues=82), NINE, "the grid has 81 cells"),
        (PuzzleSpec(clues=16), NINE, "fewer than 17"),
        (PuzzleSpec(clues=3), FOUR, "fewer than 4"),
        (PuzzleSpec(clues=25, symmetry="half-turn"), Layout(16, (4, 4)), "orbits of 2 cells"),
        (PuzzleSpec(clues=31, symmetry="quarter-turn"), NINE, "orbits of 1 and 4 cells"),
        (PuzzleSpec(grade="trial"), LATIN, "a Latin square has none"),
        (PuzzleSpec(solutions=0), Layout(1, (1, 1)), "a grid of one cell"),
    ],
)
def test_wishes_that_a_layout_cannot_fulfil(spec, layout, message):
    with pytest.raises(InputError, match=message):
        list(generate(spec, layout, 0, range(1), count_of(layout)))


# --- generating -----------------------------------------------------------------------------------

WISHES = {
    "minimal": PuzzleSpec(),
    "clues": PuzzleSpec(clues=28),
    "few": PuzzleSpec(clues=22, attempts=60),
    "symmetric": PuzzleSpec(symmetry="diagonal"),
    "symmetric clues": PuzzleSpec(clues=32, symmetry="quarter-turn"),
    "several": PuzzleSpec(solutions=5),
    "unsatisfiable": PuzzleSpec(solutions=0, symmetry="half-turn"),
    "easy": PuzzleSpec(grade="hidden-single"),
    "graded": PuzzleSpec(grade="naked-single", clues=36, symmetry="mirror"),
}


@pytest.mark.parametrize("name", WISHES)
def test_wishes_come_true(name):
    spec = WISHES[name]
    made = list(generate(spec, NINE, 3, range(4), count_of(NINE)))
    assert [one.item for one in made] == [0, 1, 2, 3]
    assert all(one.met and one.sure and 1 <= one.attempts <= spec.attempts for one in made)
    for one in made:
        grid = np.frombuffer(one.grid, np.uint8)
        assert independent(NINE, grid, spec.solutions + 1) == spec.solutions
        assert is_symmetric(NINE, grid, spec.symmetry)
        if spec.clues is not None:
            assert clues(grid) == spec.clues
        if spec.grade is not None:
            assert grade_grid(NINE, grid.tolist()).grade == spec.grade
        if spec.solutions == 0:
            assert not find_refuted(NINE, grid[None])[0]


@pytest.mark.parametrize("name", ["minimal", "few", "several", "unsatisfiable", "easy"])
def test_items_are_the_same_in_any_batch(name):
    spec, count = WISHES[name], count_of(NINE)
    whole = list(generate(spec, NINE, 11, range(9), count))
    assert list(generate(spec, NINE, 11, range(9), count, together=2)) == whole
    assert list(generate(spec, NINE, 11, [7, 3], count)) == [whole[7], whole[3]]
    other = list(generate(spec, NINE, 12, range(9), count))
    assert {one.grid for one in other}.isdisjoint(one.grid for one in whole)


@layouts
def test_items_are_the_same_with_any_solver(layout):
    """As with or without numba."""
    structure = model.structure(layout)
    for spec in (PuzzleSpec(), PuzzleSpec(solutions=0, attempts=20), PuzzleSpec(solutions=2)):
        made = make(spec, layout, 5, range(3), count_of(layout))
        for name in ("ladder:one_integer", "propagation"):
            again = make(spec, layout, 5, range(3), counter(structure, name))
            assert (again.grids == made.grids).all()
            assert (again.attempts == made.attempts).all()


def test_the_best_so_far_is_kept():
    made = make(PuzzleSpec(clues=17, attempts=10), NINE, 6, range(5), count_of(NINE))
    longer = make(PuzzleSpec(clues=17, attempts=40), NINE, 6, range(5), count_of(NINE))
    assert (made.attempts[~made.met] == 10).all()
    assert made.kept.all()
    assert not longer.met.all()
    assert (clues(longer.grids) <= clues(made.grids)).all()
    assert clues(longer.grids).sum() < clues(made.grids).sum()
    assert (count_of(NINE)(longer.grids, 2) == 1).all()


def test_the_best_so_far_of_symmetric_attempts():
    few = make(
        PuzzleSpec(clues=20, symmetry="half-turn", attempts=1), NINE, 7, range(8), count_of(NINE)
    )
    more = make(
        PuzzleSpec(clues=20, symmetry="half-turn", attempts=6), NINE, 7, range(8), count_of(NINE)
    )
    assert not few.met.any()
    assert (clues(more.grids) <= clues(few.grids)).all()
    assert (clues(more.grids) < clues(few.grids)).any()
    assert all(is_symmetric(NINE, grid, "half-turn") for grid in more.grids)


def test_what_is_not_found_is_said_so():
    made = list(generate(PuzzleSpec(solutions=1000, attempts=2), NINE, 1, range(3), count_of(NINE)))
    assert [(one.grid, one.met, one.attempts) for one in made] == [(None, False, 2)] * 3


def test_a_grade_function_of_ones_own():
    asked = []

    def grade(layout, grid):
        asked.append(layout)
        return "trial" if sum(map(bool, grid)) < 40 else "naked-pair"

    made = make(PuzzleSpec(grade="naked-pair"), NINE, 2, range(2), count_of(NINE), grade)
    assert made.met.all()
    assert clues(made.grids).tolist() == [40, 40]
    assert set(asked) == {NINE}


@pytest.mark.parametrize(
    "spec", [PuzzleSpec(), PuzzleSpec(clues=17, attempts=4)], ids=["minimal", "walk"]
)
def test_what_gave_up_is_not_sure(spec):
    count = counter(model.structure(NINE), "ladder:one_integer", 16)
    made = make(spec, NINE, 2, range(8), count)
    assert made.kept.all()
    assert not made.sure.all()
    assert (count_of(NINE)(made.grids, 2) == 1).all()
    sure = made.grids[made.sure]
    assert len(sure)
    again = remove_clues(NINE, sure, count_of(NINE), Streams(1, range(len(sure))))
    assert (again.grids == sure).all()


def test_the_smallest_grid():
    one = Layout(1, (1, 1))
    made = list(generate(PuzzleSpec(), one, 0, range(2), count_of(one)))
    assert [(item.grid, item.met) for item in made] == [(b"\0", True)] * 2


def test_drawing_purposes_are_apart():
    assert len({generating.FILL, generating.REDUCE, generating.CHANGE, generating.EXCHANGE}) == 4


def test_golden_items():
    """Frozen: the same seed and version, the same output on any machine."""
    made = list(generate(PuzzleSpec(), NINE, 0, range(2), count_of(NINE)))
    texts = ["".join(map(str, one.grid)).replace("0", ".") for one in made]
    assert texts == [
        "...........7..42...6...873..5..1....8....31...738.2..4....9..5.9....53.8...2.1..9",
        ".9...3.2..4..18.....35.7............2.....58..8..9..6....25.7....63....1...8...5.",
    ]
