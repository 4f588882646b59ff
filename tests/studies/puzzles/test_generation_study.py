"""The measurement of generation, on a handful of puzzles."""

import json
import sys

import pytest

pytest.importorskip("numba", reason="numba is optional: pip install 'solver-concord[compiled]'")

import numpy as np

from backends.interface import registry
from modelling.errors import InputError
from puzzles.grid import model
from puzzles.grid.layout import Layout
from puzzles.sudoku.wish import Wish
from results.studies.puzzles import generation

pytestmark = pytest.mark.once


@pytest.fixture
def small(monkeypatch):
    """Few wishes, small grids for large ones, and everything in one process."""
    wishes = {"minimal": Wish(), "5 solutions": Wish(solutions=5)}
    monkeypatch.setattr(generation, "WISHES", wishes)
    monkeypatch.setattr(generation, "SIXTEEN", Layout(6, (2, 3)))
    monkeypatch.setattr(
        generation,
        "larges",
        lambda number: iter([generation.large(Layout(6, (2, 3)), Wish(), "compiled", number)]),
    )
    monkeypatch.setattr(generation, "memory", lambda size: generation.Memory(size, 1.5, 1.2, 99.0))


@pytest.mark.skipif(sys.platform == "win32", reason="the measurement is for POSIX systems")
def test_it_measures_checks_and_writes(small, tmp_path, capsys):
    few = ["--puzzles", "30", "--million", "100", "--large", "2", "--pure", "3", "--jobs", "1"]
    status = generation.main([*few, "--out", str(tmp_path)])
    assert status == 0
    figures = json.loads((tmp_path / "generation.json").read_text())
    assert [row["puzzles"] for row in figures["speed"]] == [30, 3, 3]
    assert all(row["met"] == 1 and row["a_second"] > 0 for row in figures["speed"])
    assert figures["large"][0]["sure"] == 1
    assert [row["puzzles"] for row in figures["memory"]] == [10, 100]
    assert [row["wrong"] for row in figures["checked"]] == [0, 0, 0]
    assert [row["counts"] for row in figures["checked"]][:2] == [30, 30]
    assert figures["checked"][2]["counts"] > 30 * 20
    page = (tmp_path / "generation.md").read_text()
    assert "None is wrong." in page
    assert page in capsys.readouterr().out


def test_wrong_puzzles_are_counted():
    good = generation.generated(3, 1)
    several, idle = good.copy(), good.copy()
    several[1, np.flatnonzero(several[1])[0]] = 0
    for backend in generation.CHECKERS:
        assert generation.unique(backend, good)[:2] == (0, 3)
        assert generation.unique(backend, several)[0] == 1
    clues = (good > 0).sum()
    assert generation.minimal(generation.CHECKERS[0], good)[:2] == (0, clues)
    solved = registry.get("compiled").solve_batch(model.structure(generation.NINE), good, 1)[1][
        :, 0
    ]
    blank = np.flatnonzero(idle[2] == 0)[0]
    idle[2, blank] = solved[2, blank]
    assert generation.minimal(generation.CHECKERS[0], idle)[:2] == (1, clues + 1)
    assert generation.unique(generation.CHECKERS[0], idle)[0] == 0


@pytest.mark.skipif(sys.platform == "win32", reason="the measurement is for POSIX systems")
def test_a_large_set_is_made_by_the_command():
    run = generation.memory(20)
    assert run.puzzles == 20
    assert run.peak_mb > 20
    assert run.wall_s > 0


def test_numbers_below_one():
    with pytest.raises(InputError, match="--pure takes a number of at least 1"):
        generation.main(["--pure", "0"])
