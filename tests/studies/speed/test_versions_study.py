"""The comparison of two checkouts: ratios by hand, and this checkout beside itself."""

import csv
import gzip
import json
import sys
from pathlib import Path

import pytest

from results.studies.speed.versions.__main__ import find_ratios, main

pytestmark = pytest.mark.once

ROOT = Path(__file__).parents[3]


def test_ratios_are_of_throughput_and_of_what_both_have():
    this = {("a", "x"): [1.0, 2.0, 9.0], ("a", "y"): [1.0, 1.0, 1.0], ("b", "z"): [1.0, 1.0, 1.0]}
    other = {("a", "x"): [4.0, 16.0, 9.0], ("a", "y"): [2.0, 2.0, 2.0], ("b", "z"): [1.0, 1.0]}
    (one,) = find_ratios(this, other)
    assert (one.row, one.items) == ("a", 2)
    assert one.ratio == pytest.approx((9 / 2 * 2) ** 0.5)
    assert (one.least, one.greatest) == pytest.approx((2**0.5, 4.0))
    assert (one.this_ms, one.other_ms) == (1500.0, 5500.0)


def test_a_row_that_two_cases_have_hides_none_of_the_others():
    times = {("a", "x"): [1.0, 2.0, 3.0, 4.0], ("b", "y"): [1.0, 2.0]}
    assert [(one.row, one.ratio) for one in find_ratios(times, times)] == [("a", 1.0), ("b", 1.0)]


def test_a_checkout_beside_itself(tmp_path, capsys):
    words = [str(ROOT), "--python", sys.executable, "--rounds", "1", "--only", "ruler"]
    main([*words, "--out", str(tmp_path)])
    rows = list(csv.DictReader((tmp_path / "ratios.csv").open(encoding="utf-8")))
    assert [row["row"] for row in rows] == [
        f"Golomb 7 to its optimum by {name}" for name in ("propagation", "sat", "cpsat")
    ]
    assert all(float(row["ratio"]) > 0 for row in rows)
    assert (tmp_path / "ratios.md").read_text() == capsys.readouterr().out
    raw = json.loads(gzip.decompress((tmp_path / "times.json.gz").read_bytes()))
    assert len(raw["times"]) == 3


def test_a_checkout_that_fails_is_reported(tmp_path):
    fails = tmp_path / "python"
    fails.write_text("#!/bin/sh\necho no such thing >&2; exit 3\n")
    fails.chmod(0o755)
    with pytest.raises(SystemExit, match="exit status 3\nno such thing"):
        main([str(tmp_path), "--python", str(fails), "--rounds", "1", "--only", "ruler"])
