"""The measurement of the compiled kernel, on a handful of puzzles."""

import json

import pytest

pytest.importorskip("numba", reason="numba is optional: pip install 'solver-concord[compiled]'")

from harness.experiments import kernel
from modelling.errors import InputError

pytestmark = pytest.mark.once

EASY = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
GUESSED = "......8.1.64...9.......3..6.39.4.2..5....2....1..3..7....36...2.9.....5.651.....7"
NONE = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."


def test_it_measures_compares_and_writes(tmp_path, monkeypatch, capsys):
    for file in (kernel.SEVENTEEN, kernel.TOP, kernel.ELEVEN, "17clue.txt.gz"):
        (tmp_path / file).write_text(f"{EASY}\n{GUESSED}\n")
    (tmp_path / "none.txt").write_text(f"{NONE}\n")
    targets = {
        "solved": kernel.Target(kernel.SEVENTEEN, kernel.SEVENTEEN, 10, 20),
        "none": kernel.Target("none.txt", kernel.TOP, 1, 2),
        "other": kernel.Target(kernel.ELEVEN, kernel.ELEVEN, 1, 2),
    }
    monkeypatch.setattr(kernel, "TARGETS", targets)
    monkeypatch.setattr(kernel, "LEAST_SECONDS", 0.002)
    names = ("imports_s", "one_grid_without_cache_s", "one_grid_s", "concord_solve_17clue_s")
    monkeypatch.setattr(kernel, "cache", lambda folder, repeats: dict.fromkeys(names, 1.5))
    kernel.main(["--folder", str(tmp_path), "--repeat", "2", "--out", str(tmp_path / "out")])
    figures = json.loads((tmp_path / "out" / "kernel.json").read_text())
    assert [row["set"] for row in figures["sets"]] == ["solved", "none", "other"]
    solved = figures["sets"][0]
    assert (solved["puzzles"], solved["required"], solved["goal"]) == (2, 10, 20)
    assert solved["guesses"] > 0  # one of the two needs guesses
    assert solved["sweeps"] > 2
    for row in figures["sets"]:
        # rounded figures, so within a tenth
        assert row["times_norvig"] == pytest.approx(row["thousands"] * row["norvig_ms"], rel=0.1)
    parts = figures["overhead"]
    assert parts["overhead_us"] == pytest.approx(parts["solve_us"] - parts["kernel_us"], abs=0.02)
    page = (tmp_path / "out" / "kernel.md").read_text()
    assert page.count("| solved | 2 |") == 1
    assert "takes 1.5 s of wall time with a warm cache" in page
    assert page in capsys.readouterr().out


def test_without_the_public_sets_it_says_so(tmp_path):
    (tmp_path / "17clue.txt.gz").write_text("# nothing\n")
    with pytest.raises(InputError, match="this experiment runs on the public sets"):
        kernel.texts(tmp_path / "17clue.txt.gz")


def test_processes_are_timed_with_a_cache_of_their_own(tmp_path):
    seconds = kernel.process_seconds(
        ["-c", "import os, pathlib; pathlib.Path(os.environ['NUMBA_CACHE_DIR'], 'x').touch()"],
        {"NUMBA_CACHE_DIR": str(tmp_path)},
    )
    assert seconds > 0
    assert (tmp_path / "x").exists()
