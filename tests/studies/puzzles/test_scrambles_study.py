"""The experiment on scrambles: its effects and intervals are right, and their power is told."""

import gzip
import json

import numpy as np
import pytest

from modelling.errors import InputError
from puzzles.family import Instance
from results.studies.puzzles import scrambles

pytestmark = pytest.mark.once

EASY = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
GUESSED = "......8.1.64...9.......3..6.39.4.2..5....2....1..3..7....36...2.9.....5.651.....7"
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


def efforts(seed, rows, versions, gain=1.0):
    """Heavy-tailed efforts of puzzles, and of the first version by ``gain`` less on average."""
    draw = np.random.default_rng(seed)
    hardness = draw.lognormal(1, 1, (rows, 1))
    found = hardness * draw.lognormal(0, 1, (rows, versions))
    found[:, 0] /= gain
    return found


@pytest.mark.parametrize(
    "estimate", [scrambles.total, lambda values: scrambles.typical(values, 1e-9)], ids=range(2)
)
@pytest.mark.parametrize("gain", [1.0, 1.5])
def test_intervals_hold_what_is_true_in_about_95_of_100_samples(estimate, gain):
    effects = [estimate(efforts(seed, 300, 5, gain)) for seed in range(200)]
    within = sum(e.low <= 100 * (gain - 1) <= e.high for e in effects)
    assert 178 <= within <= 198  # the draws are fixed


def test_what_it_says_that_it_finds_it_finds_with_a_probability_of_80_percent():
    finds = scrambles.typical(efforts(0, 300, 5), 1e-9).finds
    gain = 1 + finds / 100
    shown = [
        scrambles.typical(efforts(seed, 300, 5, gain), 1e-9).is_shown for seed in range(1, 201)
    ]
    assert 140 <= sum(shown) <= 180  # the draws are fixed


def test_effects_by_hand():
    """Sums 3 and 6 of written and scrambles; residuals 1 and -1 off the ratio of 2."""
    effect = scrambles.total(np.array([[1.0, 2.0, 4.0], [2.0, 2.0, 4.0]]))
    assert effect.percent == 100.0
    error = 100 * (2 * 2) ** 0.5 / 3
    assert effect.high - effect.percent == pytest.approx(1.96 * error, rel=1e-3)
    assert effect.finds == pytest.approx((1.96 + 0.8416) * error, rel=1e-3)
    typical = scrambles.typical(np.array([[0.0, 1.0], [0.0, 3.0]]), 1.0)
    assert typical.percent == pytest.approx(100 * (8**0.5 - 1), abs=0.01)
    # the differences are log 2 and log 4: their standard error is half of log 2
    assert typical.high == pytest.approx(100 * (8**0.5 * 2 ** (1.96 / 2) - 1), rel=1e-3)
    assert typical.low == pytest.approx(100 * (8**0.5 / 2 ** (1.96 / 2) - 1), rel=1e-3)


def test_equal_figures_show_nothing_and_no_effort_has_no_effect():
    effect = scrambles.total(np.ones((10, 4)))
    assert (effect.percent, effect.low, effect.high, effect.is_shown) == (0, 0, 0, False)
    assert scrambles.total(np.zeros((10, 4))) is None
    assert scrambles.typical(np.zeros((10, 4)), 1.0) is None
    assert scrambles.total(np.ones((1, 4))) is None


def test_what_timed_out_is_counted_and_left_out_with_its_row():
    found = np.ones((3, 4, 2))
    found[1, 2] = np.nan
    gain = scrambles.compared("some", "one", found, 3)
    assert (gain.puzzles, gain.rows, gain.timeouts) == (2, 2, 1)
    assert gain.nodes_total.percent == 0
    with pytest.raises(InputError, match="no puzzle was solved in all versions"):
        scrambles.compared("some", "one", found[1:2], 1)


def test_puzzles_are_spread_over_the_set():
    assert scrambles.spread(10, 3) == [0, 3, 6]
    assert scrambles.spread(3, 10) == [0, 1, 2]


def test_the_kernel_gets_the_same_scrambles_and_counts_its_guesses(monkeypatch):
    pytest.importorskip("numba", reason="numba is optional: pip install 'solver-concord[compiled]'")
    from backends.sudoku_kernel import bitboard

    seen = []
    count = bitboard.count

    def watched(block, *rest):
        seen.append("".join(map(str, block[0])).replace("0", "."))
        return count(block, *rest)

    monkeypatch.setattr(bitboard, "count", watched)
    monkeypatch.setattr(scrambles, "BLOCK", 1)
    every = [Instance("sudoku", "a", EASY), Instance("sudoku", "b", GUESSED)]
    found = scrambles.kernel_measured(every, 2, 5)
    assert found.shape == (2, 3, 2)
    assert (found[0, :, 0] == 0).all()  # it needs no guess, however it is written
    assert found[1, 0, 0] > 0
    assert set(seen) == {text for row in scrambles.versions(every, 2, 2, 5) for text in row}


def test_small_run(tmp_path, capsys):
    (tmp_path / "some.txt").write_text(f"{EASY}\n{HARD}\n", encoding="utf-8")
    options = ["--folder", tmp_path, "--set", "some.txt", "--copies", "3", "--out", tmp_path]
    backends = ["--backend", "ladder:trail", "--backend", "propagation"]
    scrambles.main([str(option) for option in [*options, *backends]])
    figures = json.loads((tmp_path / "scrambles.json").read_text())
    assert [gain["backend"] for gain in figures["gains"]] == ["ladder:trail", "propagation"]
    assert all(gain["puzzles"] == 2 for gain in figures["gains"])
    assert figures["settings"] == {"limit": 600, "copies": 3, "seed": 1, "seconds": 20.0}
    assert (tmp_path / "scrambles.md").read_text().count("| some | propagation | 2 |") == 2
    assert "ladder:trail" in capsys.readouterr().out
    lines = gzip.decompress((tmp_path / "raw.csv.gz").read_bytes()).decode().splitlines()
    assert lines[0] == "set,backend,row,version,nodes,cpu_us"
    assert len(lines) == 1 + 2 * 2 * 4
    rows = [line.split(",") for line in lines[1:]]
    trail = [row for row in rows if row[1] == "ladder:trail"]
    means = sum(int(row[4]) for row in trail if row[3] == "0") / 2
    assert figures["gains"][0]["nodes"] == pytest.approx(means)
