"""How columns of jobs are finished, and which rows count as gains by later sights."""

from __future__ import annotations

from array import array

import numpy as np
import pandas as pd
import pytest

from harness.report import jobs, standings


def test_whole_seconds_stay_floats_and_integers_shrink_where_that_is_asked() -> None:
    assert jobs._finish(array("d", [1.0, 2.0]), compactly=True).dtype == np.float64
    assert jobs._finish(array("q", [1, 2]), compactly=True).dtype == np.int8
    assert jobs._finish(array("q", [1, 2])).dtype == np.int64


def test_what_was_not_solved_each_time_is_no_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        standings,
        "find_gains",
        lambda times: {name: list(pieces) for name, pieces in times.items()},
    )
    table = pd.DataFrame(
        {"backend": "a", "wall_s": [1.0, 2.0, 3.0, 4.0], "solved": [True, True, True, False]}
    )
    tried = np.array([0, 0, 1, 1])
    everything = standings._find_gains(table, tried)
    solved = standings._find_gains(table[:2], tried[:2])
    assert str(everything) == str(solved)
    assert str(everything) != str(standings._find_gains(table.assign(solved=True), tried))
