"""The ladder of a run: its backends from the slowest to the fastest, and what each step brings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from harness.report.plots import points
from harness.report.plots.figures import LIMIT, label_decades, look, make_figure
from harness.report.standings import INSTANCE

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


def draw_ladder(per: pd.DataFrame, *, title: str = "") -> Figure:
    """The backends from the slowest to the fastest: the median time of each, a line over its
    quartiles, and between two neighbours how many times faster the upper one is.

    What was not solved counts with its limit: a factor below which the slower backend left more
    than half unsolved is at least that large, which ``>`` says.
    """
    rungs = points.list_rungs(per)
    height = 0.45 * len(rungs) + 1.4
    figure, axes = make_figure(title, "wall time of an instance (s)", "", (7.5, height))
    for place, row in enumerate(rungs.to_dict("records")):
        how = look(row["backend"]) | {"linestyle": "-", "markersize": 7}
        axes.plot([row["low"], row["high"]], [place, place], **how | {"marker": ""}, alpha=0.5)
        axes.plot([row["middle"]], [place], **how)
    steps = zip(rungs["middle"], rungs["middle"][1:], rungs["solved"], strict=False)
    for place, (slower, faster, is_solved) in enumerate(steps):
        factor = f"{'' if is_solved else '> '}{_write_factor(slower / faster)}"
        spot = float(np.sqrt(slower * faster)), place + 0.5
        axes.annotate(factor, spot, ha="center", va="center", fontsize="small", color="grey")
    for limit in sorted(per["limit_s"].dropna().unique()):
        axes.axvline(limit, **LIMIT)
    axes.set_yticks(range(len(rungs)), list(rungs["backend"]))
    axes.set(xscale="log", ylim=(-0.6, len(rungs) - 0.4))
    axes.set_xlabel(f"wall time (s), {len(per.drop_duplicates(INSTANCE))} instances")
    label_decades(axes, "x")
    return figure


def _write_factor(factor: float) -> str:
    return f"{factor:.1f}x" if factor < 10 else f"{factor:.0f}x"
