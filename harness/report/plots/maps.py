"""Heat maps: a row and a column for each backend, what is known of the pair in between."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from harness.report.plots import points
from harness.report.plots.figures import make_figure

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


def draw_wins(per: pd.DataFrame, *, title: str = "") -> Figure:
    """On how many of the instances, in per cent, the backend of the row beats that of the column:
    solves what the other does not, or is faster."""
    return _draw_map(points.count_wins(per), title, "is better than", "% of instances")


def draw_agreement(jobs: pd.DataFrame, *, title: str = "") -> Figure:
    """On how many of the instances that two backends both answered, in per cent, the answers are
    the same, and of how many. ``jobs`` is ``Run.jobs``."""
    return _draw_map(
        points.count_agreement(jobs), title, "agrees with", "% of what both answered", counts=True
    )


def _draw_map(
    pairs: pd.DataFrame, title: str, relation: str, unit: str, *, counts: bool = False
) -> Figure:
    names = list(dict.fromkeys(pairs["backend"]))
    table = pairs.pivot(index="backend", columns="other", values="share")
    numbers = pairs.set_index(["backend", "other"])["instances"]
    shares = 100 * table.reindex(index=names, columns=names).to_numpy(dtype=float)
    side = 0.55 * len(names) + 2.2
    figure, axes = make_figure(title, f"the row {relation} the column", "", (side + 1.8, side))
    drawn = axes.imshow(np.ma.masked_invalid(shares), cmap="Blues", vmin=0, vmax=100)
    axes.grid(visible=False)
    places = range(len(names))
    axes.set_xticks(places, names, rotation=45, ha="right")
    axes.set_yticks(places, names)
    edges = [place + 0.5 for place in places][:-1]
    axes.hlines(edges, -0.5, len(names) - 0.5, color="white", linewidth=1)
    axes.vlines(edges, -0.5, len(names) - 0.5, color="white", linewidth=1)
    for row in places:
        for column in places:
            share = shares[row, column]
            if np.isfinite(share):
                shown = (
                    "100" if share == 100 else f"{min(share, 99.9):.0f}" if share < 99 else ">99"
                )
                if counts:
                    shown += f"\nof {numbers[names[row], names[column]]}"
                colour = "white" if share > 60 else "black"
                axes.text(
                    column, row, shown, ha="center", va="center", color=colour, fontsize="small"
                )
    figure.colorbar(drawn, ax=axes, label=unit, shrink=0.8)
    return figure
