"""The measurement of the compiled kernel, on a handful of puzzles."""

import json
from statistics import median

import pytest

pytest.importorskip("numba", reason="numba is optional: pip install 'solver-concord[compiled]'")

from backends.interface import registry
from modelling.errors import InputError
from results.studies.speed import kernel

pytestmark = pytest.mark.once

EASY = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
GUESSED = "......8.1.64...9.......3..6.39.4.2..5....2....1..3..7....36...2.9.....5.651.....7"
NONE = ".1..7..4..6.1.8.....7...5...84.23..........1.....4..355.12.......6...37.........4"


def test_it_measures_compares_and_writes(tmp_path, monkeypatch, capsys):
    (tmp_path / "17clue.txt.gz").write_text(f"{EASY}\n{GUESSED}\n")
    (tmp_path / "none.txt").write_text(f"{NONE}\n")
    (tmp_path / "many.txt").write_text(f"{EASY}\n{GUESSED}\n" * 5)
    files = {"solved": "17clue.txt.gz", "none": "none.txt", "many": "many.txt"}
    monkeypatch.setattr(kernel, "SETS", files)
    monkeypatch.setattr(kernel, "LEAST_SECONDS", 0.002)
    names = ("imports_s", "one_grid_without_cache_s", "one_grid_s", "concord_solve_17clue_s")
    monkeypatch.setattr(kernel, "cache", lambda folder, repeats: dict.fromkeys(names, 1.5))
    out = tmp_path / "out"
    options = ["--folder", tmp_path, "--repeat", "2", "--sample", "4", "--out", out]
    kernel.main([str(option) for option in options])
    figures = json.loads((out / "kernel.json").read_text())
    assert [row["set"] for row in figures["sets"]] == ["solved", "none", "many"]
    assert [(row["puzzles"], row["sample"]) for row in figures["sets"]] == [(2, 2), (1, 1), (10, 4)]
    solved = figures["sets"][0]
    assert solved["guesses"] > 0  # one of the two needs guesses
    assert solved["sweeps"] > 2
    for row in figures["sets"]:
        raw = figures["seconds a puzzle"][row["set"]]
        assert [len(raw[key]) for key in raw] == [2, 2, 2]
        ratio = median(raw["norvig_on_sample"]) / median(raw["kernel_on_sample"])
        assert row["times_norvig"] == pytest.approx(ratio, rel=0.01)
    parts = figures["overhead"]
    assert parts["overhead_us"] == pytest.approx(parts["solve_us"] - parts["kernel_us"], abs=0.02)
    page = (tmp_path / "out" / "kernel.md").read_text()
    assert page.count("| many | 10 |") == 1
    assert "takes 1.5 s of wall time with a warm cache" in page
    assert page in capsys.readouterr().out


def test_norvig_runs_on_the_puzzles_of_the_sample_and_disagreement_is_noticed(tmp_path):
    backend = registry.get("ladder:norvig")
    lines = [EASY, NONE]
    assert kernel.norvig_seconds(backend, lines, kernel.array_of(lines))() > 0
    crossed = kernel.norvig_seconds(backend, lines, kernel.array_of(lines[::-1]))
    with pytest.raises(AssertionError, match="ladder:norvig and the kernel disagree"):
        crossed()


def test_without_the_public_sets_it_says_so(tmp_path):
    (tmp_path / "17clue.txt.gz").write_text("# nothing\n")
    with pytest.raises(InputError, match="this experiment runs on the public sets"):
        kernel.read_texts(tmp_path / "17clue.txt.gz")


def test_processes_are_timed_with_a_cache_of_their_own(tmp_path):
    seconds = kernel.process_seconds(
        ["-c", "import os, pathlib; pathlib.Path(os.environ['NUMBA_CACHE_DIR'], 'x').touch()"],
        {"NUMBA_CACHE_DIR": str(tmp_path)},
    )
    assert seconds > 0
    assert (tmp_path / "x").exists()
