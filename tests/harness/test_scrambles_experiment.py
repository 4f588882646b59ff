"""The experiment on scrambles: it finds out a solver that likes an order, and no other."""

import json

import numpy as np
import pytest

from harness.experiments import scrambles
from puzzles.random_stream import Stream

pytestmark = pytest.mark.once

EASY = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


def places(rows, versions, favour):
    """Nodes with many ties in which the first version is drawn like the others, or from fewer."""
    found = np.empty((rows, versions))
    for row in range(rows):
        stream = Stream(1, row)
        found[row] = [stream.below(6) for _ in range(versions)]
        found[row, 0] = stream.below(6 - favour)
    return found


def test_without_a_gain_the_deviation_is_that_of_a_normal_variable():
    """Its sum of squares over 60 samples is chi-square with 60 degrees of freedom."""
    drawn = places(60 * 40, 5, 0).reshape(60, 40, 5)
    squares = sum(scrambles.deviation(sample) ** 2 for sample in drawn)
    assert 30 < squares < 100  # p = 0.0005 at either end; the draws are fixed


def test_a_gain_is_found_out():
    assert scrambles.deviation(places(100, 10, 3)) < -scrambles.FOUND_OUT
    assert scrambles.deviation(-places(100, 10, 3)) > scrambles.FOUND_OUT


def test_equal_figures_say_nothing():
    assert scrambles.deviation(np.ones((10, 4))) == 0


def test_by_hand():
    """One puzzle, the least of three: place 0, variance 2/3 of a rank, a quarter on the scale."""
    assert scrambles.deviation(np.array([[1, 2, 3]])) == pytest.approx(-0.5 / (1 / 6) ** 0.5)


def test_what_timed_out_is_counted_and_left_out():
    found = np.ones((3, 4, 2))
    found[1, 2] = np.nan
    gain = scrambles.compared("some", "one", found)
    assert (gain.puzzles, gain.timeouts, gain.ratio_nodes, gain.depends) == (2, 1, 1.0, False)


def test_small_run(tmp_path, capsys):
    (tmp_path / "some.txt").write_text(f"{EASY}\n{HARD}\n", encoding="utf-8")
    options = ["--folder", tmp_path, "--set", "some.txt", "--copies", "3", "--out", tmp_path]
    backends = ["--backend", "ladder:trail", "--backend", "propagation"]
    scrambles.main([str(option) for option in [*options, *backends]])
    figures = json.loads((tmp_path / "scrambles.json").read_text())
    assert [gain["backend"] for gain in figures["gains"]] == ["ladder:trail", "propagation"]
    assert all(gain["puzzles"] == 2 for gain in figures["gains"])
    assert figures["settings"] == {"limit": 100, "copies": 3, "seed": 1, "seconds": 20.0}
    assert "| some | propagation | 2 | 0 |" in (tmp_path / "scrambles.md").read_text()
    assert "ladder:trail" in capsys.readouterr().out
