"""The gate on times of real runs: it fails on a slower release, and not on the same one."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from results.studies.runner import parse
from results.studies.runs.gate import (
    STUDY,
    TIMES,
    TRIALS,
    Draw,
    draw_mixed,
    draw_resampled,
    try_gate,
)

pytestmark = pytest.mark.once

FOLDER = Path(__file__).parents[3] / "results" / "reference" / "gate"


@pytest.fixture(scope="module")
def times() -> pd.DataFrame:
    return pd.read_csv(FOLDER / TIMES, dtype={"ask": str, "instance": str})


@pytest.mark.parametrize("draw", [draw_mixed, draw_resampled])
@pytest.mark.parametrize("backend", ["cpsat", "propagation", "sat"])
@pytest.mark.parametrize(("factor", "failed"), [(1.0, 0), (1.3, TRIALS)])
def test_20_of_20(
    times: pd.DataFrame, draw: Draw, backend: str, factor: float, failed: int
) -> None:
    own = times[times["backend"] == backend]
    row = try_gate("", "cpu", backend, factor, list(draw(own, "cpu")))
    assert (row.trials, row.failed) == (TRIALS, failed)


def test_the_table_is_that_of_the_rows() -> None:
    rows = STUDY.read(FOLDER)
    text = STUDY.report(rows, parse(STUDY, ["--out", str(FOLDER)]))
    assert (FOLDER / "gate.md").read_text() == text
