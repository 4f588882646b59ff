"""The critical-difference diagram: mean ranks on a line, and bars that join what does not differ.

Demšar, "Statistical Comparisons of Classifiers over Multiple Data Sets", Journal of Machine
Learning Research 7, 2006, figure 1. ``harness.report.statistics.ranks`` works the figures out.
"""

from __future__ import annotations

from math import ceil, floor, isnan
from typing import TYPE_CHECKING, Any

from harness.report.plots.figures import look, open_figure
from harness.report.statistics.significance import SIGNIFICANT, join_alike
from modelling.errors import InputError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

ROW, BAR = 1.0, 0.5
"""Heights of a name and of a bar; the line of ranks is at 0."""


def draw_critical_difference(ranks: pd.DataFrame, *, title: str = "") -> Figure:
    """The mean rank of each backend, the best to the left. Bars join backends whose ranks differ by
    less than the critical difference; where Friedman's test finds no difference, one joins all.

    ``ranks`` is ``Run.ranks()``.
    """
    if len(ranks) < 2:
        raise InputError("mean ranks need two backends that are not disqualified, and an instance")
    means = ranks["mean_rank"].to_numpy(dtype=float)
    critical, p = float(ranks["critical_difference"].iloc[0]), float(ranks["p"].iloc[0])
    bars = join_alike(means, critical, p)
    left = ceil(len(means) / 2)
    low, high = floor(means[0]), max(ceil(means[-1]), floor(means[0]) + 1)
    high = max(high, ceil(low + critical)) if critical < len(means) else high
    rows = _stack(bars)
    depth = BAR * (max(rows, default=0) + 1)
    longest = max(map(len, ranks["backend"]))
    figure = open_figure(6.0 + 0.15 * longest, 0.34 * (depth + ROW * left) + 1.5)
    axes = figure.subplots()
    axes.plot([low, high], [0, 0], color="black", linewidth=1.2)
    for rank in range(low, high + 1):
        axes.plot([rank, rank], [0, 0.3], color="black", linewidth=1.2)
        axes.text(rank, 0.45, str(rank), ha="center", va="bottom")
    _draw_critical(axes, low, critical)
    for number, (first, last) in zip(rows, bars, strict=True):
        beyond = 0.005 * (high - low)
        ends = [means[first] - beyond, means[last] + beyond]
        axes.plot(ends, [-BAR * number] * 2, color="black", linewidth=3, solid_capstyle="round")
    for place, (name, mean) in enumerate(zip(ranks["backend"], means, strict=True)):
        is_left = place < left
        row = place if is_left else len(means) - 1 - place
        end, side = (low, "right") if is_left else (high, "left")
        height = -depth - ROW * row
        style = look(str(name))
        axes.plot([mean, mean, end], [0, height, height], color=style["color"], linewidth=1.2)
        axes.plot([mean], [0], color=style["color"], marker=style["marker"], markersize=6)
        text = f" {mean:.2f}  {name} " if not is_left else f" {name}  {mean:.2f} "
        axes.text(end, height, text, ha=side, va="center")
    axes.set_title(title or _describe(p), fontsize="medium")
    axes.set_ylim(-depth - ROW * (left - 1) - 0.7, 2.6)
    axes.set_axis_off()
    return figure


def _stack(bars: list[tuple[int, int]]) -> list[int]:
    """The row of each bar, from 1: the first in which it touches no other."""
    ends: list[int] = []
    rows = []
    for first, last in bars:
        row = next((row for row, end in enumerate(ends) if end < first), len(ends))
        ends[row : row + 1] = [last]
        rows.append(row + 1)
    return rows


def _draw_critical(axes: Any, low: float, critical: float) -> None:
    """The critical difference as a length, above the line."""
    ends = [low, low + critical]
    axes.plot(ends, [1.7, 1.7], color="black", linewidth=1.2, marker="|", markersize=8)
    label = f"critical difference {critical:.2f}"
    axes.text(low, 1.95, label, ha="left", va="bottom", fontsize="small")


def _describe(p: float) -> str:
    """What the bars mean, and what Friedman's test says."""
    about = "mean rank, 1 is the fastest; bars join what does not differ"
    if isnan(p):
        return f"{about} (Nemenyi, {SIGNIFICANT:.0%})"
    found = "p < 0.001" if p < 0.001 else f"p = {p:.2g}"
    return f"{about} (Nemenyi, {SIGNIFICANT:.0%}; Friedman {found})"
