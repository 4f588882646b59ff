"""The power of the timing checks, as docs/trust.md gives it."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest

from harness.judge.times import find_gains, find_hidden_time

DOCUMENT = Path(__file__).parents[3] / "docs" / "trust.md"
UNSEEN_S = 0.0005
"""What honest backends leave unseen: half a millisecond."""


def is_found(hidden: list[float], told_s: float = 0.001, noise_s: float = UNSEEN_S) -> bool:
    """Whether a backend of no known family is suspected that hides these seconds, by instance;
    nine tenths of what two known families leave unseen are below ``noise_s``."""
    rows = []
    for instance, seconds in enumerate(hidden):
        for name in ("propagation", "sat", "py:somebody:else"):
            unseen = UNSEEN_S + seconds if name.startswith("py:") else noise_s
            rows.append((instance, name, told_s, told_s + unseen))
    frame = pd.DataFrame(rows, columns=["instance", "backend", "wall_s", "elapsed_s"])
    return bool(find_hidden_time(frame, ["instance"]))


def found_gain(instances: int, repeats: int, ratio: float) -> bool:
    times = [[1.0, *[ratio] * (repeats - 1)]] * instances
    gains = find_gains({"it": times, "other": [[1.0] * repeats] * instances})
    return gains["it"].is_systematic


@pytest.mark.parametrize(
    ("hidden", "found"),
    [
        ([0.011], True),  # one instance: beyond 10 ms
        ([0.009], False),
        ([0.0025] * 5, True),  # five: beyond what it tells, and noise
        ([0.0025] * 4, False),
        ([0.0009] * 50, False),  # less than it tells
        ([0.0025] * 8 + [-0.0001] * 2, False),  # 8 of 10 may be chance, 9 are not
        ([0.0025] * 9 + [-0.0001], True),
    ],
)
def test_hidden_time(hidden: list[float], found: bool) -> None:
    assert is_found(hidden) is found


def test_what_hides_in_noise_or_behind_what_is_told() -> None:
    assert not is_found([0.019], noise_s=0.02)
    assert is_found([0.041], noise_s=0.02)
    assert not is_found([0.09] * 20, told_s=0.1)
    assert is_found([0.11] * 20, told_s=0.1)


@pytest.mark.parametrize(("repeats", "instances"), [(2, 5), (3, 3), (5, 2), (21, 1)])
def test_kept_answers(repeats: int, instances: int) -> None:
    """Least numbers of instances on which the first of these repeats must be the longest."""
    assert found_gain(instances, repeats, 0.69)
    assert not found_gain(instances, repeats, 0.71)
    assert instances == 1 or not found_gain(instances - 1, repeats, 0.1)


def test_the_figures_of_the_document_are_these() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    for figure in (
        "10 ms",
        "5 instances",
        "9 of 10",
        "2 repeats, 5 instances",
        "3 repeats, 3",
        "0.7",
    ):
        assert re.search(rf"\b{re.escape(figure)}", text), figure
