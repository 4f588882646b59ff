"""The tables of statistics on the screen: the columns that matter most, with units and intervals,
and a foot that says what they are.

``docs/statistics.md`` describes all columns, which ``--wide`` and the other forms have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from harness.report.presentation import present
from harness.report.table_text import Lines, fill, fold_cells, format_figure

if TYPE_CHECKING:
    import pandas as pd

COLUMNS: Mapping[str, Sequence[str]] = {
    "scores": (*("backend", "solved", "par2_s", "shifted_mean_s", "alone", "shapley", "borda"),),
    "pairs": (
        *("backend", "other", "both", "ratio", "low", "high", "p", "wins", "losses"),
        *("used_ratio", "used_low", "used_high", "effect"),
    ),
    "ranks": (
        *("backend", "mean_rank", "groups", "rank", "rank_low", "rank_high", "first_percent"),
    ),
    "quantiles": (
        *("backend", "solved", "p10_s", "p25_s", "p50_s", "median_low", "median_high", "p75_s"),
        "p90_s",
    ),
    "scaling": (
        *("set", "ask", "backend", "sizes", "smallest", "largest", "curve", "growth", "low"),
        *("high", "explained", "crosses", "crossing"),
    ),
}
"""The columns of each table, in the order of the screen."""

KEYS = {"scores": 1, "pairs": 2, "ranks": 1, "quantiles": 1, "scaling": 3}
"""The first columns, which say what a row is about."""

ALIKE = ("p10_s", "p25_s", "p50_s", "p75_s", "p90_s")
"""Times with one unit, which are compared across a row."""

WEIGHTS = "instances weigh alike here, while the summary weighs kinds alike"
INTERVAL = "[95% interval]"
OVER = "over: never"

NOTES: Mapping[str, Sequence[str]] = {
    "scores": (
        "PAR-2: mean time, twice the limit where unsolved",
        "shifted mean: geometric mean of the times plus 1 s, less 1 s",
        "alone: solved by no other",
        "shapley: each instance is shared by those that solved it",
        "borda: points of the MiniZinc Challenge",
        "kinds weigh alike in both means, as in the summary",
    ),
    "pairs": (
        "both: instances that both solved",
        "ratio: time of the other by that of the backend, geometric mean over these",
        INTERVAL,
        "used ratio: over all instances, the limit where unsolved",
        "p: signed-rank test on the times used, corrected for the number of rows",
        "effect: from -1 (always slower) to 1 (always faster)",
        WEIGHTS,
    ),
    "ranks": (
        "mean rank: by time, over the instances",
        "groups: two without a common letter are distinguished",
        "rank: by PAR-2",
        "rank low, rank high: hold 95% of its ranks when instances are drawn anew",
        "first: part of these draws in which it ranks first",
        "instances weigh alike in mean ranks, kinds in PAR-2",
    ),
    "quantiles": (
        "p50: half of the instances are solved within it",
        OVER,
        INTERVAL,
        WEIGHTS,
    ),
    "scaling": (
        "power: t = a n^growth",
        "exponential: t = a growth^n",
        INTERVAL,
        "explained: part of the variance of log t",
        "crosses: the backend whose curve its own crosses, at the size crossing",
    ),
}


def lay_out_statistics(name: str, frame: pd.DataFrame, width: int) -> Lines:
    """The lines of one of these tables, with its foot."""
    sheet = present(frame, COLUMNS[name], alike=ALIKE if name == "quantiles" else ()).narrow()
    cells = [[cell.text for cell in row] for row in sheet.rows]
    head = [column.heading for column in sheet.columns]
    numeric = [column.is_numeric for column in sheet.columns]
    lines = fold_cells(head, cells, numeric, width, KEYS[name])
    notes = [note for note in NOTES[name] if note != OVER or any(OVER[:4] in row for row in cells)]
    return [*lines, *fill([*_note_test(name, frame), *notes, "--wide: all columns"], width)]


def _note_test(name: str, frame: pd.DataFrame) -> list[str]:
    """What a table of ranks says once for all rows."""
    if name != "ranks" or not len(frame):
        return []
    difference = format_figure(float(frame["critical_difference"].iloc[0]))
    return [f"mean ranks that differ by less than {difference} are not distinguished"]
