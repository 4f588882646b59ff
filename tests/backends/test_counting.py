"""Counts of many instances: every counter tells the same, and says so when it gives up."""

import importlib.util

import numpy as np
import pytest

from backends.counting import best, counter
from backends.interface import registry
from backends.interface.api import Limits, Result, Solutions
from backends.interface.shipped import SHIPPED
from modelling.constraints import AllDifferent, Linear
from modelling.errors import BackendUnavailable, ModelError, UnknownBackend, Unsupported
from modelling.problem import Structure
from puzzles.grid import model
from puzzles.grid.layout import Layout

NINE = Layout(9, (3, 3))
FOUR = Layout(4, (2, 2))
TEXT = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
SOLVED = np.array(list(map(int, TEXT)), np.uint8)

needs_numba = pytest.mark.skipif(
    importlib.util.find_spec("numba") is None, reason="numba is optional"
)
COUNTERS = [
    pytest.param("compiled", marks=needs_numba),
    *("ladder:one_integer", "ladder:trail", "ladder:norvig", "propagation"),
    *("sat:extended,cadical153", "cpsat"),
]


def partial_grids(seed, clues):
    """Grids with some cells of a full one, some of them with a wrong value."""
    rng = np.random.default_rng(seed)
    grids = np.zeros((len(clues), 81), np.uint8)
    for k, number in enumerate(clues):
        cells = rng.choice(81, number, replace=False)
        grids[k, cells] = SOLVED[cells]
        if k % 4 == 3:
            grids[k, cells[0]] = grids[k, cells[0]] % 9 + 1
    return grids


@pytest.fixture
def without_numba(monkeypatch):
    def get(name, real=registry.get):
        if name.startswith("compiled"):
            raise BackendUnavailable("numba is not here")
        return real(name)

    monkeypatch.setattr(registry, "get", get)


@pytest.mark.parametrize("name", COUNTERS)
def test_every_counter_counts_the_same(name):
    grids = partial_grids(1, [81, 50, 40, 36, 32, 30, 30, 28, 34, 26, 33, 31])
    expected = [
        registry.get("propagation").solve(model.problem(NINE, grid.tolist()), Solutions(5, 0)).count
        for grid in grids
    ]
    assert {0, 1, 5} <= set(expected)
    count = counter(model.structure(NINE), name)
    found = count(grids, 5)
    assert found.dtype == np.int64
    assert found.tolist() == expected
    assert count(grids, 2).tolist() == [min(2, k) for k in expected]
    assert count(grids[:0], 2).tolist() == []


@pytest.mark.parametrize("name", COUNTERS)
def test_the_288_grids_of_four(name):
    count = counter(model.structure(FOUR), name)
    empty = np.zeros((1, 16), np.uint8)
    assert count(empty, 1000).tolist() == [288]
    assert count(empty, 288).tolist() == [288]
    assert count(empty, 100).tolist() == [100]
    clash = empty.copy()
    clash[0, :2] = 3
    assert count(clash, 2).tolist() == [0]


@pytest.mark.parametrize("name", COUNTERS)
def test_positions_stand_for_the_values_of_gapped_domains(name):
    structure = Structure(
        ("x", "y", "z"),
        ((-5, 7), (7, 30, 31), (2, 7)),
        (AllDifferent((0, 1)), AllDifferent((1, 2))),
    )
    grids = np.array([[0, 0, 0], [2, 0, 0], [0, 1, 0], [2, 1, 0], [1, 3, 2]], np.uint8)
    assert counter(structure, name)(grids, 100).tolist() == [9, 4, 1, 0, 1]


def test_a_unit_with_too_few_values_and_an_empty_domain():
    for domains in (((1, 2),) * 3, ((1, 2), (), (1, 2))):
        structure = Structure(("x", "y", "z"), domains, (AllDifferent((0, 1, 2)),))
        for name in ("ladder:one_integer", "ladder:trail", None):
            assert counter(structure, name)(np.zeros((1, 3), np.uint8), 2).tolist() == [0]


@pytest.mark.parametrize("name", [name for name in COUNTERS if name != "cpsat"])
def test_who_is_limited_gives_up(name):
    few = partial_grids(2, [81, 17, 17])
    few[2] = 0
    for nodes in (1, 5):
        assert counter(model.structure(NINE), name, nodes)(few, 1000).tolist() == [1, -1, -1]


def test_a_backend_that_was_stopped_early_gave_up(monkeypatch):
    """Whatever it had found: two solutions of at least two are no count."""

    class Tired:
        name, native = "tired", frozenset({AllDifferent})

        def accepts(self, problem):
            return None

        def solve(self, problem, ask=Solutions(1), limits=Limits(), sink=None):
            assert (limits.nodes, limits.conflicts) == (7, 7)
            assert ask == Solutions(3, 1)  # one is shown
            one = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)
            return Result(2, "gave_up", (one,), "f" * 32)

    monkeypatch.setattr(registry, "get", lambda name: Tired())
    assert counter(model.structure(FOUR), "tired", 7)(np.zeros((1, 16)).astype(int), 3) == [-1]


@needs_numba
def test_the_compiled_limit_is_the_same_in_one_piece_and_in_slices(monkeypatch):
    from backends.sudoku_kernel import searches

    structure = model.structure(NINE)
    grids = partial_grids(3, [22, 20, 19, 24, 30, 18, 17, 23])
    for nodes in (1, 3, 10, 30, 100, 1000):
        monkeypatch.undo()
        whole = counter(structure, "compiled", nodes)(grids, 50)
        monkeypatch.setattr(searches, "BATCH_GUESSES", 2)
        monkeypatch.setattr(searches, "FIRST_SLICE", 3)
        assert counter(structure, "compiled", nodes)(grids, 50).tolist() == whole.tolist()
    six = Layout(6, (2, 3))
    empty = np.zeros((1, 36), np.uint8)
    assert counter(model.structure(six), "compiled", 4)(empty, 1000).tolist() == [-1]
    assert counter(model.structure(six), "compiled", 10**6)(empty, 1000).tolist() == [1000]


def test_the_best_counter(without_numba):
    assert best(model.structure(NINE)) == "ladder:one_integer"
    assert best(model.structure(Layout(25, (5, 5)))) == "ladder:trail"
    linear = Structure(("x", "y"), ((0, 1),) * 2, (Linear((0, 1), (1, 1), "==", 1),))
    assert best(linear) == "propagation"
    assert counter(linear)(np.zeros((2, 2), np.uint8), 5).tolist() == [2, 2]


@needs_numba
def test_numba_is_best_where_it_is():
    assert best(model.structure(NINE)) == "compiled"
    linear = Structure(("x", "y"), ((0, 1),) * 2, (Linear((0, 1), (1, 1), "==", 1),))
    assert best(linear) == "propagation"


@pytest.mark.parametrize("name", ["ladder:one_integer", "propagation", None])
@pytest.mark.parametrize(
    ("grids", "message"),
    [
        (np.zeros(81, np.uint8), r"shape \(81,\); the shape is \(N, 81\)"),
        (np.zeros((2, 80), np.uint8), r"shape \(2, 80\)"),
        (np.full((1, 81), 10, np.uint8), "beyond its base domain"),
        (np.full((1, 81), -1, np.int64), "beyond its base domain"),
        (np.full((1, 81), 0.5), "integers"),
    ],
)
def test_arrays_that_do_not_fit(name, grids, message):
    with pytest.raises(ModelError, match=message):
        counter(model.structure(NINE), name)(grids, 2)


@pytest.mark.parametrize("name", ["ladder:one_integer", "propagation", None])
def test_a_limit_below_one(name):
    with pytest.raises(ModelError, match="at least 1"):
        counter(model.structure(NINE), name)(np.zeros((1, 81), np.uint8), 0)


def test_backends_that_cannot_count():
    structure = model.structure(FOUR)
    with pytest.raises(UnknownBackend, match="did you mean 'propagation'"):
        counter(structure, "propagatoin")
    with pytest.raises(Unsupported, match="incomplete"):
        counter(structure, "python_constraint:minconflicts")
    for name in ("scip", "highs", "mathopt:gscip"):
        if not registry.missing(next(e for e in SHIPPED if e.name == name.partition(":")[0])):
            with pytest.raises(Unsupported, match="doubles, so it is not sure"):
                counter(structure, name)
    linear = Structure(("x", "y"), ((0, 1),) * 2, (Linear((0, 1), (1, 1), "==", 1),))
    with pytest.raises(Unsupported, match="Linear"):
        counter(linear, "ladder:one_integer")


def test_the_array_is_left_as_it_was():
    grids = partial_grids(4, [30, 40])
    before = grids.copy()
    for name in ("ladder:one_integer", "propagation", None):
        counter(model.structure(NINE), name)(grids, 2)
        assert (grids == before).all()
