"""The plots of tests on the page: ratios of every two solvers, mean ranks, growth with size.

Descriptions in Vega-Lite, as those of ``charts``; ``harness.report.statistics`` works the figures
out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor, isnan, log2
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from harness.report.page.charts import (
    MOST_NUMBERED,
    Chart,
    colour_solvers,
    give_values,
    mark_decades,
    round_figure,
)
from harness.report.statistics.significance import SIGNIFICANT, join_alike
from harness.report.table_text import format_figure

if TYPE_CHECKING:
    import altair as alt

MOST_GROWING = 40
"""Most sizes of a family that are drawn one by one."""

MOST_TIMES = 8.0
"""The colour of a ratio does not change beyond this one."""

DIFFERENCE, ALIKE = "critical difference", "not distinguished"


def draw_ratios(pairs: pd.DataFrame, backends: Sequence[str]) -> Chart:
    """A tile for each ordered pair of ``Run.pairs()``: by the times used, the other over the own
    one."""
    import altair as alt

    rows = [row for row in _mirror(pairs) if not isnan(row["ratio"])]
    for row in rows:
        row["doubling"] = round_figure(log2(min(max(row["ratio"], 1e-9), 1e9)))
        row["shown"] = format_figure(row["ratio"]) + ("" if row["p"] < SIGNIFICANT else " ?")
    base = alt.Chart(give_values(rows)).encode(
        x=alt.X("other:N", sort=list(backends), title="than", axis=alt.Axis(labelAngle=-45)),
        y=alt.Y("backend:N", sort=list(backends), title="is faster by"),
        tooltip=[
            *("backend:N", "other:N", "ratio:Q"),
            alt.Tooltip("interval:N", title="95% interval"),
            alt.Tooltip("p:Q", title="p (Holm)"),
            *("effect:Q", "wins:Q", "losses:Q"),
        ],
    )
    end = log2(MOST_TIMES)
    tiles = base.mark_rect().encode(
        color=alt.Color(
            "doubling:Q",
            title="times faster",
            scale=alt.Scale(scheme="blueorange", domain=[end, 0, -end], clamp=True),
            legend=alt.Legend(
                values=[-end, -1, 0, 1, end],
                labelExpr="format(pow(2, datum.value), '.3~g')",
                symbolType="square",
            ),
        )
    )
    text = base.mark_text(fontSize=11).encode(
        text="shown:N",
        color=alt.condition(
            f"abs(datum.doubling) > {0.75 * end:g}", alt.value("white"), alt.value("#111")
        ),
    )
    about = (
        "By how many times the solver of the row is faster than that of the column, as geometric "
        "mean of the times used; what is not solved counts with its limit. ?: may be chance "
        f"(signed ranks, Holm, {SIGNIFICANT:.0%}). The pointer shows the interval and the effect."
    )
    if len(backends) > MOST_NUMBERED:
        about += " So it does the numbers."
    height = max(120, min(34, 480 // len(backends)) * len(backends))
    layers = tiles + text if len(backends) <= MOST_NUMBERED else tiles
    chart = layers.properties(width="container", height=height)
    return Chart("Pairwise ratios", about, chart.to_dict(validate=False))


def _mirror(pairs: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Each pair, and the same from the side of the other one."""
    for row in pairs.to_dict("records"):
        ratio, low, high = (row[f"used_{name}"] for name in ("ratio", "low", "high"))
        about = {"p": round_figure(row["p"])}
        yield {
            **{name: row[name] for name in ("backend", "other", "wins", "losses")},
            **about,
            "ratio": round_figure(ratio),
            "interval": _join_ends(low, high),
            "effect": round_figure(row["effect"]),
        }
        yield {
            "backend": row["other"],
            "other": row["backend"],
            "wins": row["losses"],
            "losses": row["wins"],
            **about,
            "ratio": round_figure(1 / ratio),
            "interval": _join_ends(1 / high, 1 / low),
            "effect": round_figure(-row["effect"]),
        }


def _join_ends(low: float, high: float) -> str:
    return "too few" if isnan(low) else f"{format_figure(low)} to {format_figure(high)}"


def draw_mean_ranks(ranks: pd.DataFrame) -> Chart:
    """The critical-difference diagram of ``Run.ranks()``, with a row for each solver, so that a
    narrow screen has room for it.

    Demšar, "Statistical Comparisons of Classifiers over Multiple Data Sets", Journal of Machine
    Learning Research 7, 2006, figure 1.
    """
    import altair as alt

    backends = list(map(str, ranks["backend"]))
    means = ranks["mean_rank"].to_numpy(dtype=float)
    critical, p = float(ranks["critical_difference"].iloc[0]), float(ranks["p"].iloc[0])
    groups = join_alike(means, critical, p)
    start = floor(means[0])
    bars = [{"place": DIFFERENCE, "low": start, "high": round_figure(start + critical)}]
    bars += [
        {
            "place": ALIKE + " " * turn,
            "low": round_figure(means[first]),
            "high": round_figure(means[last]),
            "solvers": ", ".join(backends[first : last + 1]),
        }
        for turn, (first, last) in enumerate(groups)
    ]
    dots = [
        {"place": name, "backend": name, "top": DIFFERENCE, "rank": round_figure(mean)}
        for name, mean in zip(backends, means, strict=True)
    ]
    order = [*(bar["place"] for bar in bars), *backends]
    end = max(ceil(means[-1]), ceil(start + critical) if critical < len(means) else 0, start + 1)
    across = alt.X(
        "rank:Q",
        title="mean rank (1 is the fastest)",
        scale=alt.Scale(domain=[start, end], nice=False),
        axis=alt.Axis(values=list(range(start, end + 1)), format="d"),
    )
    upward = alt.Y(
        "place:N",
        sort=order,
        scale=alt.Scale(domain=order),
        title=None,
        axis=alt.Axis(
            labelExpr=f"indexof(datum.label, '{ALIKE} ') == 0 ? '' : datum.label", grid=False
        ),
    )
    base = alt.Chart(give_values(dots)).encode(
        x=across, y=upward, color=colour_solvers(backends, legend=False)
    )
    lines = base.mark_rule(strokeWidth=1.5).encode(y2="top:N")
    points = base.mark_point(filled=True, size=70, opacity=1).encode(
        tooltip=["backend:N", "rank:Q"]
    )
    joined = (
        alt.Chart(give_values(bars))
        .mark_bar(height=6, color="#888", clip=True)
        .encode(
            x=alt.X("low:Q"),
            x2="high:Q",
            y=upward,
            tooltip=["place:N", "low:Q", "high:Q", "solvers:N"],
        )
    )
    found = "" if isnan(p) else f"; Friedman: p {'< 0.001' if p < 0.001 else f'= {p:.2g}'}"
    about = (
        "The mean rank of each solver over the instances. Bars join solvers whose ranks differ by "
        f"less than the critical difference, {critical:.2f} (Nemenyi, {SIGNIFICANT:.0%}{found})."
    )
    chart = (lines + joined + points).properties(width="container", height=24 * len(order) + 10)
    return Chart("Critical difference", about, chart.to_dict(validate=False))


def draw_growth(sized: pd.DataFrame, backends: Sequence[str], name: str) -> Chart:
    """The time of each solver by the size of the instances of a family: medians and quartiles.

    ``sized`` has the columns of ``points.list_times``, and ``size`` and ``unit``.
    """
    import altair as alt

    sizes = sized["size"]
    if sizes.nunique() > MOST_GROWING:
        parts = pd.qcut(sizes, MOST_GROWING, duplicates="drop")
        sizes = sizes.groupby(parts, observed=True).transform("median")
    grouped = sized.assign(size=sizes).groupby(["backend", "size"])
    spots = grouped["seconds"].quantile(np.array([0.25, 0.5, 0.75])).unstack()
    spots = spots.set_axis(["low", "seconds", "high"], axis="columns").map(round_figure)
    solved = grouped["solved"].agg(lambda part: f"{int(part.sum())} of {len(part)}")
    unit = str(sized["unit"].iloc[0])
    base = alt.Chart(give_values(spots.assign(solved=solved).reset_index())).encode(
        x=alt.X("size:Q", title=unit, scale=_scale_sizes(sizes), axis=_mark_sizes(sizes)),
        color=colour_solvers(backends),
    )
    scale = alt.Scale(type="log")
    band = base.mark_area(opacity=0.15).encode(y=alt.Y("low:Q", scale=scale), y2="high:Q")
    lines = base.mark_line(strokeWidth=2, point=alt.OverlayMarkDef(filled=True, size=36)).encode(
        y=alt.Y(
            "seconds:Q", scale=scale, title="time (s)", axis=mark_decades(spots.to_numpy().ravel())
        ),
        tooltip=["backend:N", "size:Q", "seconds:Q", "low:Q", "high:Q", "solved:N"],
    )
    about = (
        f"The median of each solver by size, which counts {unit}, with the quartiles as a band. "
        "What is not solved counts with its limit."
    )
    if sized["size"].nunique() > MOST_GROWING:
        about += f" {sizes.nunique()} sizes represent {sized['size'].nunique():,}."
    chart = (band + lines).properties(width="container", height=260)
    return Chart(f"Growth of {name}", about, chart.to_dict(validate=False))


def _scale_sizes(sizes: pd.Series[float]) -> alt.Scale:
    import altair as alt

    return alt.Scale(type="log", domain=[float(sizes.min()), float(sizes.max())], nice=False)


def _mark_sizes(sizes: pd.Series[float]) -> alt.Axis:
    """Ticks at the sizes; of many at some that lie evenly on the axis."""
    import altair as alt

    known = np.unique(sizes)
    wanted = np.geomspace(known[0], known[-1], 8)
    nearest = known[np.abs(np.log(known[:, None] / wanted)).argmin(axis=0)]
    return alt.Axis(values=[float(one) for one in np.unique(nearest)], format="~g")
