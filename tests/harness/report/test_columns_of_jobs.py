"""How columns of jobs are finished, and which rows count as gains by later sights."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from math import nan
from typing import Any

import msgspec
import numpy as np
import pandas as pd
import pytest
from harness_samples import job, list_jobs, outline_jobs, row

from harness.plan.reading import plan_comparison
from harness.record import Row, Verdict
from harness.report import jobs, standings
from harness.report.jobs import _Texts
from harness.report.standings import find_standings
from harness.report.tables import make_timing


def test_whole_seconds_stay_floats_and_integers_shrink_where_that_is_asked() -> None:
    assert jobs._finish(array("d", [1.0, 2.0]), compactly=True).dtype == np.float64
    assert jobs._finish(array("q", [1, 2]), compactly=True).dtype == np.int8
    assert jobs._finish(array("q", [1, 2])).dtype == np.int64


@pytest.mark.parametrize("make", [list_jobs, outline_jobs])
def test_a_table_has_its_columns_as_they_were_finished(
    make: Callable[[Iterable[Row]], pd.DataFrame], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not copy them: a million rows are in memory once."""
    finished = []
    finish = jobs._finish

    def note(column: Any, compactly: bool = False) -> Any:
        finished.append(finish(column, compactly))
        return finished[-1]

    monkeypatch.setattr(jobs, "_finish", note)
    seconds = make([row(job(1), wall_s=0.5), row(job(2), wall_s=0.25)])["wall_s"].to_numpy()
    assert any(np.shares_memory(seconds, one) for one in finished if isinstance(one, np.ndarray))


def test_the_time_from_file_to_answer_has_a_cold_start_in_it_and_no_warm_one() -> None:
    timed = {"wall_s": 0.5, "import_s": 0.25}
    rows = [
        row(job(1), mode="fresh", **timed),
        row(job(2), mode="fresh", wall_s=0.5),  # its worker did not start
        row(job(3), mode="isolated", **timed),
        row(job(4), mode="pooled", **timed),
    ]
    table = list_jobs(rows)
    assert list(table["start"]) == ["cold", "cold", "warm", "warm"]
    assert table["file_to_answer_s"].tolist() == pytest.approx([0.75, nan, 0.5, 0.5], nan_ok=True)


def test_the_timing_table_names_the_start() -> None:
    answered = {"status": "SATISFIABLE", "count": 1, "wall_s": 0.5, "import_s": 0.25}
    verified = Verdict(job=1, verdict="verified")
    cold = msgspec.structs.replace(row(job(1), mode="fresh", **answered), verdict=verified)
    (line,) = make_timing(find_standings(outline_jobs([cold]))).to_dict("records")
    assert (line["start"], line["file_to_answer_s"], line["start_s"]) == ("cold", 0.75, 0.25)
    asked = plan_comparison(["queens"], ["sat"], cold=True)
    assert (asked.mode, asked.warm_ups) == ("fresh", 0)


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


def test_more_texts_than_a_byte_numbers_are_kept() -> None:
    column, texts = _Texts(), [f"text {k}" for k in range(300)]
    column.extend(texts)
    assert list(column.as_index()) == texts
