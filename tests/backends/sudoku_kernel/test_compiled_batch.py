"""The compiled rung on arrays: against ``solve``, whole sets, and symmetries."""

import pytest

pytest.importorskip("numba", reason="numba is optional: pip install 'solver-concord[compiled]'")

import numpy as np

from backends.interface.api import BatchBackend, Limits, Solutions
from modelling.constraints import AllDifferent, Linear
from modelling.errors import ModelError, Unsupported
from modelling.problem import Structure
from puzzles.family import family
from tests.data import samples

pytestmark = pytest.mark.once  # whole sets

SUDOKU = family("sudoku")
STRUCTURE = SUDOKU.problem("." * 81).structure


def first_of(compiled, *asked):
    """Counts and first solutions."""
    counts, kept = compiled.solve_batch(*asked)
    return counts, kept[:, 0]


def array_of(lines):
    signs = np.frombuffer("".join(lines).encode("ascii"), np.uint8).reshape(len(lines), -1)
    return np.where(signs == ord("."), 0, signs - ord("0")).astype(np.uint8)


def check(grids, counts, first):
    """By the rules, vectorised: every unit holds every digit, and the givens stand."""
    cell = np.arange(81)
    row, column = cell // 9, cell % 9
    units = [
        np.flatnonzero(of == k)
        for of in (row, column, row // 3 * 3 + column // 3)
        for k in range(9)
    ]
    solved = first[counts > 0]
    for unit in units:
        assert (np.sort(solved[:, unit], axis=1) == np.arange(1, 10)).all()
    given = grids[counts > 0]
    assert ((given == 0) | (given == solved)).all()
    assert not first[counts == 0].any()


@pytest.mark.parametrize("name", samples.SETS)
def test_every_puzzle_of_a_set(compiled, name):
    number, solutions = samples.SETS[name]
    grids = array_of(samples.lines(name))
    assert len(grids) == number
    for limit in (1, 2):
        counts, first = first_of(compiled, STRUCTURE, grids, limit)
        assert (counts == min(limit, solutions)).all()
        check(grids, counts, first)


SAME = {
    "minimal.txt": (5, 2),
    "few-clues.txt": (4, 2),
    "several.txt": (1, None),
    "none.txt": (2, None),
    "easy.txt": (6, 2),
    "hardest.txt": (5, 2),
    "17clue.txt.gz": (2000, 2),
    "magictour_top1465.txt": (40, 2),
    "forum_hardest_1905_11plus.txt.gz": (4000, 2),
    "serg_multi_solution.txt": (400, None),
    "random_minimal.txt.gz": (900, 2),
    "zero_solutions.txt": (80, None),
}
"""Name: every so manieth puzzle, counted up to a limit."""


@pytest.mark.parametrize("name", samples.only(*SAME))
def test_the_same_solutions_as_propagation(compiled, propagation, name):
    step, limit = SAME[name]
    lines = samples.lines(name)[::step]
    most = 400 if limit is None else limit
    counts, first = first_of(compiled, STRUCTURE, array_of(lines), most + 1)
    for text, count, solution in zip(lines, counts.tolist(), first.tolist(), strict=True):
        if count > most:
            continue  # too many for a quick test of the slow one
        problem = SUDOKU.problem(text)
        theirs = propagation.solve(problem, Solutions(limit, None))
        ours = compiled.solve(problem, Solutions(limit, None))
        assert ours.count == theirs.count == count
        assert ours.digest == theirs.digest
        assert set(ours.solutions) == set(theirs.solutions)
        assert tuple(solution) in ours.solutions or not count


def test_exact_totals_of_many_solutions(compiled, propagation):
    """Puzzles with up to some hundreds of solutions: the same totals, by batch and by solve."""
    told = samples.exact("several.txt")
    counts = compiled.count_batch(STRUCTURE, array_of(list(told)), 1000)
    assert counts.tolist() == list(told.values())
    assert max(told.values()) == 250
    for text, count in told.items():
        result = propagation.solve(SUDOKU.problem(text), Solutions(None, 0), Limits(seconds=60))
        assert (result.count, result.stopped_by) == (count, "exhausted")
        assert compiled.solve(SUDOKU.problem(text), Solutions(None, 0)).digest == result.digest
    short = compiled.count_batch(STRUCTURE, array_of(list(told)), 100)
    assert short.tolist() == [min(count, 100) for count in told.values()]


# --- symmetries ---------------------------------------------------------------------------------


def turned(grids, rng):
    """Digits relabelled; rows, columns, bands and stacks permuted; transposed or not."""
    out = np.empty_like(grids)
    for k, grid in enumerate(grids):
        square = grid.reshape(9, 9)
        if rng.integers(2):
            square = square.T
        rows, columns = (
            np.concatenate([3 * band + rng.permutation(3) for band in rng.permutation(3)])
            for _ in range(2)
        )
        digits = np.concatenate([[0], rng.permutation(9) + 1])
        out[k] = digits[square[rows][:, columns]].reshape(81)
    return out


@pytest.mark.parametrize(
    "name",
    samples.only(
        *("minimal.txt", "few-clues.txt", "hardest.txt", "several.txt", "none.txt"),
        *("17clue.txt.gz", "forum_hardest_1905_11plus.txt.gz", "serg_multi_solution.txt"),
        *("zero_solutions.txt", "random_minimal.txt.gz"),
    ),
)
def test_symmetries_leave_the_count_unchanged(compiled, name):
    limit = 1000 if samples.SETS[name][1] == 2 else 2
    rng = np.random.default_rng(1)
    grids = array_of(samples.lines(name))
    grids = grids[rng.permutation(len(grids))[:400]]
    counts = compiled.count_batch(STRUCTURE, grids, limit)
    for _ in range(3):
        other = turned(grids, rng)
        again, first = first_of(compiled, STRUCTURE, other, limit)
        assert (again == counts).all()
        check(other, again, first)


def broken():
    """Full grids of which two kinds of units hold every digit, and the third kind does not."""
    cell = np.arange(81)
    row, column = cell // 9, cell % 9
    full = ((row % 3 * 3 + row // 3 + column) % 9 + 1).astype(np.uint8)
    for line in range(9):
        for box in range(3):
            for one, other in ((0, 1), (0, 2), (1, 2)):
                for kind, cells in (
                    ("column", 9 * line + 3 * box + np.array([one, other])),
                    ("row", 9 * (3 * box + np.array([one, other])) + line),
                ):
                    grid = full.copy()
                    grid[cells] = grid[cells[::-1]]
                    yield kind, grid
    yield "box", ((row + column) % 9 + 1).astype(np.uint8)


def test_no_kind_of_unit_goes_unchecked(compiled):
    """Full grids with one kind of unit broken, and what is left when some of their cells go: none
    of the solutions that are found breaks a unit, and what propagation denies is denied."""
    kinds, grids = zip(*broken(), strict=True)
    assert set(kinds) == {"row", "column", "box"}
    grids = np.array(grids)
    assert not compiled.count_batch(STRUCTURE, grids, 2).any()
    for seed in range(40):
        rng = np.random.default_rng(seed)
        less = np.where(rng.random(grids.shape) < seed / 80, 0, grids).astype(np.uint8)
        counts, first = first_of(compiled, STRUCTURE, less, 1)
        check(less, counts, first)


def test_fewer_and_more_givens(compiled, propagation):
    """A given less: never fewer solutions; some more, mostly wrong: as propagation counts."""
    rng = np.random.default_rng(2)
    grids = array_of(samples.lines("minimal.txt")[:150])
    fewer = grids.copy()
    for grid in fewer:
        grid[rng.choice(np.flatnonzero(grid))] = 0
    assert (compiled.count_batch(STRUCTURE, fewer, 50) >= 2).all()  # they were minimal
    more = grids.copy()
    for grid in more:
        blank = rng.choice(np.flatnonzero(grid == 0), 2, replace=False)
        grid[blank] = rng.integers(1, 10, 2)
    counts = compiled.count_batch(STRUCTURE, more, 2)
    assert (counts == 0).sum() > 100
    for grid, count in zip(more[:40], counts[:40].tolist(), strict=True):
        text = "".join(map(str, grid.tolist())).replace("0", ".")
        assert propagation.solve(SUDOKU.problem(text), Solutions(2)).count == count


def test_symmetries_of_other_sizes(compiled):
    """6x6 with boxes of 2x3: the same, without transposing, in the other kernel."""
    rng = np.random.default_rng(3)
    six = SUDOKU.problem("." * 36).structure
    grids = np.zeros((30, 36), np.uint8)
    solution = first_of(compiled, six, grids[:1], 1)[1][0]
    for k, grid in enumerate(grids):
        cells = rng.choice(36, 11, replace=False)
        grid[cells] = solution[cells]
        if k % 3 == 0:
            grid[cells[0]] = grid[cells[0]] % 6 + 1
    counts = compiled.count_batch(six, grids, 500)
    assert (counts == 0).any()
    assert len(set(counts.tolist())) > 5
    other = np.empty_like(grids)
    for k, grid in enumerate(grids):
        rows = np.concatenate([2 * b + rng.permutation(2) for b in rng.permutation(3)])
        columns = np.concatenate([3 * b + rng.permutation(3) for b in rng.permutation(2)])
        digits = np.concatenate([[0], rng.permutation(6) + 1])
        other[k] = digits[grid.reshape(6, 6)[rows][:, columns]].reshape(36)
    assert (compiled.count_batch(six, other, 500) == counts).all()


# --- the batch interface ------------------------------------------------------------------------


def test_it_is_a_batch_backend(compiled, propagation):
    assert isinstance(compiled, BatchBackend)
    assert not isinstance(propagation, BatchBackend)
    assert compiled.takes(STRUCTURE)
    linear = Structure(("x", "y"), ((0, 1),) * 2, (Linear((0, 1), (1, 1), "==", 1),))
    assert not compiled.takes(linear)
    with pytest.raises(Unsupported, match="Linear"):
        compiled.count_batch(linear, np.zeros((1, 2), np.uint8))


def random_structure(rng):
    """Small, with unequal gapped domains, spare values and variables in no constraint."""
    size = int(rng.integers(1, 7))
    values = rng.choice(np.arange(-20, 40), int(rng.integers(1, 7)), replace=False)
    domains = []
    for _ in range(size):
        chosen = values[rng.random(len(values)) < rng.choice([0.4, 0.8, 1.0])]
        domains.append(tuple(sorted(int(v) for v in chosen)))
    scopes = [
        rng.permutation(size)[: int(rng.integers(0, size + 1))].tolist()
        for _ in range(int(rng.integers(0, 4)))
    ]
    names = tuple(f"x{k}" for k in range(size))
    return Structure(names, tuple(domains), tuple(AllDifferent(scope) for scope in scopes))


def test_batches_answer_as_solve_does(compiled):
    rng = np.random.default_rng(4)
    several = none = 0
    for _ in range(150):
        structure = random_structure(rng)
        most = [len(domain) for domain in structure.domains]
        grids = rng.integers(0, np.array(most) + 1, (5, structure.size)).astype(np.uint8)
        grids[rng.random(grids.shape) < 0.6] = 0
        for limit in (1, 2, 1000):
            counts, first = first_of(compiled, structure, grids, limit)
            for grid, count, solution in zip(grids, counts.tolist(), first, strict=True):
                givens = {v: structure.domains[v][k - 1] for v, k in enumerate(grid.tolist()) if k}
                result = compiled.solve(structure.problem(givens), Solutions(limit, None))
                assert count == result.count
                several += count > 1
                none += count == 0
                if count:
                    values = tuple(
                        structure.domains[v][k - 1] for v, k in enumerate(solution.tolist())
                    )
                    assert values in result.solutions
                else:
                    assert not solution.any()
            assert (compiled.count_batch(structure, grids, limit) == counts).all()
    assert min(several, none) > 50


def test_batches_keep_the_solutions_that_solve_finds_first(compiled):
    """In the same order, in both kernels; and none of those that are not settled."""
    rng = np.random.default_rng(6)
    shapes = (random_structure(rng) for _ in range(60))
    cases = [(s, np.zeros((2, s.size), np.uint8)) for s in shapes if s.size]
    open_nine = np.zeros((4, 81), np.uint8)
    open_nine[1, :9] = range(1, 10)
    open_nine[2, :2] = 5
    cases.append((STRUCTURE, open_nine))
    several = 0
    for structure, grids in cases:
        for limit, keep in ((1, 1), (2, 2), (5, 3), (3, 7), (40, 0)):
            counts, kept = compiled.solve_batch(structure, grids, limit, keep)
            assert kept.shape == (len(grids), keep, structure.size)
            for grid, count, rows in zip(grids, counts.tolist(), kept.tolist(), strict=True):
                givens = {v: structure.domains[v][k - 1] for v, k in enumerate(grid.tolist()) if k}
                result = compiled.solve(structure.problem(givens), Solutions(limit, keep))
                shown = min(count, keep)
                several += shown > 1
                found = [
                    tuple(structure.domains[v][k - 1] for v, k in enumerate(row))
                    for row in rows[:shown]
                ]
                assert (count, found) == (result.count, list(result.solutions))
                assert not any(map(any, rows[shown:]))
    assert several > 50
    counts, kept = compiled.solve_batch(STRUCTURE, open_nine, 50, 3, nodes=2)
    assert counts.tolist() == [-1, -1, 0, -1]
    assert not kept.any()


def test_what_takes_long_is_counted_in_slices(compiled, monkeypatch):
    """With one guess a slice of a batch nearly everything is counted again, to the same end."""
    from backends.sudoku_kernel import searches

    rng = np.random.default_rng(5)
    nine = np.zeros((6, 81), np.uint8)
    nine[np.arange(6), rng.choice(81, 6)] = rng.integers(1, 10, 6)
    latin = Structure(
        tuple(f"x{c}" for c in range(25)),
        (tuple(range(1, 6)),) * 25,
        tuple(AllDifferent(range(5 * k, 5 * k + 5)) for k in range(5))
        + tuple(AllDifferent(range(k, 25, 5)) for k in range(5)),
    )
    five = np.zeros((4, 25), np.uint8)
    five[np.arange(4), rng.choice(25, 4)] = rng.integers(1, 6, 4)
    for structure, grids, limit in ((STRUCTURE, nine, 1500), (latin, five, 40_000)):
        monkeypatch.undo()
        counts, first = first_of(compiled, structure, grids, limit)
        assert (counts > 1000).all()
        monkeypatch.setattr(searches, "BATCH", 4)
        monkeypatch.setattr(searches, "BATCH_GUESSES", 1)
        again, same = first_of(compiled, structure, grids, limit)
        assert (again == counts).all()
        assert (same == first).all()
        kept = compiled.solve_batch(structure, grids, limit, 1200)[1]
        monkeypatch.undo()
        assert (compiled.solve_batch(structure, grids, limit, 1200)[1] == kept).all()


def test_edges_of_batches(compiled):
    counts, first = first_of(compiled, STRUCTURE, np.zeros((0, 81), np.uint8))
    assert counts.shape == (0,)
    assert first.shape == (0, 81)
    nothing = Structure((), (), ())
    assert compiled.count_batch(nothing, np.zeros((3, 0), np.uint8)).tolist() == [1, 1, 1]
    clash = np.zeros((2, 81), np.int64)
    clash[0, :2] = 5
    assert compiled.count_batch(STRUCTURE, clash, 2).tolist() == [0, 2]
    spread = np.zeros((81, 4), np.uint8).T  # not contiguous
    assert compiled.count_batch(STRUCTURE, spread, 1).tolist() == [1] * 4
    before = clash.copy()
    compiled.solve_batch(STRUCTURE, clash)
    assert (clash == before).all()


@pytest.mark.parametrize(
    ("grids", "message"),
    [
        (np.zeros(81, np.uint8), r"shape \(81,\); the shape is \(N, 81\)"),
        (np.zeros((2, 80), np.uint8), r"shape \(2, 80\)"),
        (np.full((1, 81), 10, np.uint8), "beyond its base domain"),
        (np.full((1, 81), -1, np.int64), "beyond its base domain"),
        (np.full((1, 81), 257, np.int64), "beyond its base domain"),
        (np.full((1, 81), 0.5), "integers"),
    ],
)
def test_arrays_that_do_not_fit(compiled, grids, message):
    with pytest.raises(ModelError, match=message):
        compiled.count_batch(STRUCTURE, grids)


def test_a_limit_below_one(compiled):
    with pytest.raises(ModelError, match="at least 1"):
        compiled.count_batch(STRUCTURE, np.zeros((1, 81), np.uint8), 0)
