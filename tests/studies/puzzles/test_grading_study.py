"""The measurement of grading: what it draws, compares and writes, and that it can fail."""

import dataclasses
import gzip
import json

import pandas as pd
import pytest

from backends.interface import registry
from modelling.errors import ConcordError, InputError
from puzzles.sets import instances
from puzzles.sudoku.grading.path import grade
from puzzles.sudoku.grading.techniques import TECHNIQUES
from results.studies.puzzles import grading

pytestmark = pytest.mark.once

TEXTS = [e.text for e in instances("sudoku") if len(e.text) == 81 and grade(e.text).grade]
"""But for the one that is solved already: there is nothing to grade."""


@pytest.fixture
def folder(tmp_path):
    """A folder with all files of the mix, made of the puzzles that ship."""
    for name in grading.MIX:
        data = "".join(f"{text}\n" for text in TEXTS).encode()
        (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return tmp_path


def pool():
    puzzles = [grading.Puzzle("x", k, text) for k, text in enumerate(TEXTS)]
    return list(grading.positions(puzzles))


def test_the_draw_follows_the_mix_and_the_seed(folder):
    drawn = grading.drawn(folder, 40, part=1)
    assert len(drawn) == 40
    counts = pd.Series([puzzle.set for puzzle in drawn]).value_counts()
    assert counts["random_minimal"] == 14
    assert drawn == grading.drawn(folder, 40, part=1)
    assert drawn != grading.drawn(folder, 40, part=2)
    for puzzle in drawn:
        assert TEXTS[puzzle.line - 1] == puzzle.text


def test_what_one_file_lacks_the_next_fills_up(folder):
    counts = pd.Series([p.set for p in grading.drawn(folder, 60, part=1)]).value_counts()
    assert counts["random_minimal"] == len(TEXTS)
    assert sum(counts) == 60


def test_half_of_the_positions_are_such_that_the_technique_finds():
    found = grading.compared("naked-pair", pool(), 10)
    assert (found.positions, found.applies, found.differ) == (10, 5, 0)
    assert found.steps >= 5


def test_a_technique_that_differs_is_counted(monkeypatch):
    real = TECHNIQUES["hidden-single"]

    def half(position):
        return list(real(position))[::2]

    assert grading.compared("hidden-single", pool(), 10).differ == 0
    monkeypatch.setitem(grading.TECHNIQUES, "hidden-single", half)
    assert grading.compared("hidden-single", pool(), 10).differ > 0


def test_a_wrong_step_is_seen():
    graded = grade(TEXTS[0])
    step = graded.steps[0]
    ((cell, value),) = step.placements
    assert not grading.contradicts(step, graded.end.values)
    other = dataclasses.replace(step, placements=((cell, value % 9 + 1),))
    assert grading.contradicts(other, graded.end.values)
    removing = dataclasses.replace(step, placements=(), eliminations=((cell, value),))
    assert grading.contradicts(removing, graded.end.values)
    assert grading.explained(step)
    assert not grading.explained(dataclasses.replace(step, explanation="two\nlines of text"))


def test_soundness_asks_another_solver():
    puzzles = [grading.Puzzle("x", k, text) for k, text in enumerate(TEXTS[:3])]
    found = grading.sound("x", puzzles, registry.get("propagation"))
    assert (found.puzzles, found.solved, found.wrong, found.unexplained) == (3, 3, 0, 0)
    several = grading.Puzzle("x", 1, "." * 81)
    with pytest.raises(ConcordError, match="x:1: propagation: not one solution"):
        grading.sound("x", [several], registry.get("propagation"))


def test_all_is_written(folder, tmp_path, capsys):
    out = tmp_path / "out"
    small = ["--positions", "2", "--puzzles", "10", "--effort", "12"]
    solvers = ["--solver", "propagation", "--backend", "propagation", "--backend", "sat"]
    grading.main(["--folder", str(folder), "--out", str(out), *small, *solvers])
    capsys.readouterr()
    figures = {name: json.loads((out / f"{name}.json").read_bytes()) for name in grading.PARTS}
    assert [row["technique"] for row in figures["techniques"]["techniques"]] == list(TECHNIQUES)
    assert sum(row["puzzles"] for row in figures["soundness"]["soundness"]) == 10
    assert set(figures["effort"]["effort"][0]) == {"propagation nodes", "sat failures"}
    assert all(part["machine"] and part["settings"]["seed"] for part in figures.values())
    rows = pd.read_csv(out / "effort.csv")
    assert len(rows) == 12
    page = (out / "grading.md").read_text(encoding="utf-8")
    for heading in ("exhaustive finder", "No step contradicts", "rank correlations"):
        assert heading in page


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="no folder of puzzle sets"):
        grading.main(["--folder", str(tmp_path / "none"), "--out", str(tmp_path / "out")])
