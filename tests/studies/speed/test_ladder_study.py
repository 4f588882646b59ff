"""The experiment that sets the ladder beside the posts' tables."""

import gzip
import json

import pytest

from modelling.errors import InputError
from results.studies.speed import ladder

pytestmark = pytest.mark.once

EASY = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."


def timing(backend, mean, timeouts=0):
    return ladder.Timing(backend, 300, 10, timeouts, mean, 2 * mean, 5.0)


def cells(row):
    return [cell.strip() for cell in row.strip("|").split("|")]


def test_speed_ups_and_extrapolated_run_times():
    timings = [timing("ladder:exclusives", 0.004), timing("ladder:bitset", 0.002)]
    _, _, first, second = ladder.seventeen_table(timings).splitlines()
    assert cells(first)[6:] == ["197", "1x", "1x", "258.97", ""]
    assert cells(second)[6:] == ["98.3", "2x", "2x", "69.44", "3.73x"]


def test_what_met_a_timeout_is_marked_as_a_lower_bound():
    *_, row = ladder.seventeen_table([timing("ladder:pruning", 3.0, timeouts=2)]).splitlines()
    assert all(cell.startswith("≥ ") for cell in cells(row)[3:7])
    *_, row = ladder.top95_table([timing("ladder:placing", 0.5, timeouts=1)]).splitlines()
    assert cells(row)[3:] == ["≥ 0.5", "≥ 1", "≥ 5", "0.328", "5.3"]


def test_a_rung_stops_at_its_budget_and_counts_timeouts():
    hard = "." * 81
    found = ladder.timed("ladder:norvig", [EASY] * 50, budget=0.0001, timeout=5)
    assert found.taken < found.sample == 50
    assert found.timeouts == 0
    assert ladder.timed("ladder:pruning", [hard], budget=5, timeout=0).timeouts == 1


def test_all_is_written(tmp_path, capsys):
    for name in ("17clue.txt.gz", "top95.txt", *(f"{anchor}.txt" for anchor in ladder.ANCHORS)):
        if not name.endswith(".gz"):
            (tmp_path / name).write_text(EASY + "\n", encoding="utf-8")
    with pytest.raises(InputError):
        ladder.main(["--folder", str(tmp_path), "--out", str(tmp_path / "out")])
    (tmp_path / "17clue.txt.gz").write_bytes(gzip.compress((EASY + "\n").encode()))
    chosen = ["--only", "ladder:trail", "--only", "ladder:one_integer", "--repeat", "1"]
    ladder.main(["--folder", str(tmp_path), "--out", str(tmp_path / "out"), *chosen])
    capsys.readouterr()
    text = (tmp_path / "out" / "ladder.md").read_text(encoding="utf-8")
    assert "extrapolated" in text
    for name, length in (("seventeen", 2), ("top95", 2), ("yardstick", 9)):
        figures = json.loads((tmp_path / "out" / f"{name}.json").read_bytes())
        assert len(figures[name]) == length
        assert figures["machine"]
