"""The plots of the page: descriptions in Vega-Lite, which the reader's browser draws.

Altair makes the descriptions, vl-convert has the JavaScript that draws them; both come with the
extra ``report``, and without them the page has no plots, and says so. Each chart has as many points
as a screen can show: a run of a million jobs gives a page as small as any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from harness.report.plots import points
from harness.report.plots.colours import style_of
from harness.report.standings import INSTANCE
from modelling.errors import InputError

if TYPE_CHECKING:
    import altair as alt

MOST_INSTANCES = 1500
"""Most points of a scatter plot."""

MOST_DOTS = 300
"""Most instances of a family that are drawn one by one."""

MOST_COURSES = 6
"""Most instances whose objective over time is drawn."""

MOST_NUMBERED = 12
"""Most solvers of a heat map with numbers in its cells; with more they are there on hover."""

INSTALL = "pip install 'solver-concord[report]'"


class Chart(NamedTuple):
    """A plot: its heading, what it shows, and its description in Vega-Lite."""

    title: str
    about: str
    spec: Mapping[str, Any]


def require_altair() -> None:
    """Raise InputError where plots cannot be described or drawn."""
    try:
        import altair  # noqa: F401 - whether it can be imported
        import vl_convert  # noqa: F401 - likewise
    except ImportError as error:
        raise InputError(f"the plots of the page need altair and vl-convert: {INSTALL}") from error


@cache
def bundle_javascript() -> str:
    """Vega-Lite and what it needs, as one script without a request; it sets ``vegaEmbed``.

    To make it takes longer than all else of a page, so it is made once in a process.
    """
    import vl_convert

    return str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;"))


def draw_overview(per: pd.DataFrame, timing: pd.DataFrame) -> Iterator[Chart]:
    """The plots of a whole run; ``per`` has the names of instances."""
    backends = list(dict.fromkeys(timing["backend"].astype(str)))
    yield _draw_cactus(per, backends)
    if len(backends) > 1:
        yield _draw_scatter(per, backends)
        yield _draw_wins(per, backends)
    phases = points.stack_phases(timing)
    if len(phases):
        yield _draw_phases(phases, backends)


def _draw_cactus(per: pd.DataFrame, backends: Sequence[str]) -> Chart:
    import altair as alt

    traced = _round(points.trace_solved(per))
    chosen = alt.selection_point(fields=["backend"], bind="legend", name="chosen")
    base = alt.Chart(give_values(traced)).encode(
        x=alt.X("solved:Q", title="instances solved", axis=alt.Axis(tickMinStep=1, format="d")),
        y=alt.Y(
            "seconds:Q",
            title="time of an instance (s)",
            scale=alt.Scale(type="log"),
            axis=mark_decades(traced["seconds"]),
        ),
        color=colour_solvers(backends),
        strokeDash=alt.StrokeDash("backend:N", scale=_dashes(backends), legend=_legend(backends)),
        opacity=alt.condition(chosen, alt.value(1), alt.value(0.12)),
        tooltip=["backend:N", "solved:Q", "seconds:Q", "instance:N"],
    )
    lines = base.mark_line(interpolate="step-after", strokeWidth=2)
    dots = base.mark_point(filled=True, size=36).encode(opacity=alt.value(0))
    layered = (lines.add_params(chosen) + dots).properties(width="container", height=320)
    about = (
        "How many instances each solver solves within a given time each. Further right solves "
        "more, lower is faster. Choose a solver in the legend."
    )
    longest = traced["solved"].max() if len(traced) else 0
    if longest > points.MOST_POINTS:
        about += f" A curve has {points.MOST_POINTS} of its up to {longest:,} points."
    return Chart("Solved instances by time", about, layered.to_dict(validate=False))


def _draw_scatter(per: pd.DataFrame, backends: Sequence[str]) -> Chart:
    import altair as alt

    times = points.list_times(per, MOST_INSTANCES)
    edge = float(times["seconds"].max())
    if not times["solved"].all():
        edge *= 2
        times["seconds"] = times["seconds"].where(times["solved"], edge)
    wide = times.pivot_table(index=INSTANCE, columns="backend", values="seconds", observed=True)
    rows = [
        {
            "set": key[0],
            "instance": key[2],
            **{f"t{backends.index(name)}": round_figure(value) for name, value in row.items()},
        }
        for key, row in zip(wide.index, wide.to_dict("records"), strict=True)
    ]
    choices = [f"t{number}" for number in range(len(backends))]
    first, second = (
        alt.param(
            name=name,
            value=choices[place],
            bind=alt.binding_select(options=choices, labels=list(backends), name=f"{label}: "),
        )
        for place, (name, label) in enumerate((("across", "across"), ("upward", "upward")))
    )
    least = float(times["seconds"].min()) / 2
    scale = alt.Scale(type="log", domain=[least, edge * 1.3], nice=False)
    axis = mark_decades([least, edge])
    line = (
        alt.Chart(give_values([{"x": least, "y": least}, {"x": edge, "y": edge}]))
        .mark_line(strokeDash=[4, 3], strokeWidth=1, color="#888")
        .encode(x=alt.X("x:Q", scale=scale), y=alt.Y("y:Q", scale=scale))
    )
    cloud = (
        alt.Chart(give_values(rows))
        .transform_calculate(x="datum[across]", y="datum[upward]")
        .transform_filter("isValid(datum.x) && isValid(datum.y)")
        .mark_point(filled=True, opacity=0.7, size=44, color="#2f8fd8")
        .encode(
            x=alt.X("x:Q", title="time of the solver across (s)", scale=scale, axis=axis),
            y=alt.Y("y:Q", title="time of the solver upward (s)", scale=scale, axis=axis),
            tooltip=[
                "set:N",
                "instance:N",
                alt.Tooltip("x:Q", title="across (s)"),
                alt.Tooltip("y:Q", title="upward (s)"),
            ],
        )
        .add_params(first, second)
    )
    total = len(per.drop_duplicates(INSTANCE))
    shown = f" {len(rows):,} of {total:,} instances are drawn." if len(rows) < total else ""
    about = (
        "Two solvers, a point an instance. Above the line the one across is faster. What one did "
        f"not solve lies at the end, beyond the longest time.{shown}"
    )
    chart = (line + cloud).properties(width="container", height=380)
    return Chart("Two solvers against each other", about, chart.to_dict(validate=False))


def _draw_wins(per: pd.DataFrame, backends: Sequence[str]) -> Chart:
    import altair as alt

    wins = points.count_wins(per)
    wins = wins[wins["share"].notna()].assign(percent=lambda frame: (100 * frame["share"]).round())
    base = alt.Chart(give_values(wins.drop(columns="share"))).encode(
        x=alt.X("other:N", sort=list(backends), title="than", axis=alt.Axis(labelAngle=-45)),
        y=alt.Y("backend:N", sort=list(backends), title="is better"),
        tooltip=["backend:N", "other:N", "percent:Q", "instances:Q"],
    )
    tiles = base.mark_rect().encode(
        color=alt.Color(
            "percent:Q",
            title="% of instances",
            scale=alt.Scale(scheme="blues", domain=[0, 100]),
        )
    )
    text = base.mark_text(fontSize=11).encode(
        text="percent:Q",
        color=alt.condition("datum.percent > 55", alt.value("white"), alt.value("#111")),
    )
    about = (
        "On how many of the instances, in per cent, the solver of the row solves what the other "
        "does not, or is faster."
    )
    if len(backends) > MOST_NUMBERED:
        about += " The numbers are shown under the pointer."
    height = max(120, min(34, 480 // len(backends)) * len(backends))
    layers = tiles + text if len(backends) <= MOST_NUMBERED else tiles
    chart = layers.properties(width="container", height=height)
    return Chart("Pairwise wins", about, chart.to_dict(validate=False))


def _draw_phases(phases: pd.DataFrame, backends: Sequence[str]) -> Chart:
    import altair as alt

    order = list(points.PHASES.values())
    chart = (
        alt.Chart(give_values(_round(phases)))
        .mark_bar()
        .encode(
            x=alt.X("seconds:Q", title="mean seconds of an instance"),
            y=alt.Y("backend:N", sort=list(backends), title=None),
            color=alt.Color(
                "phase:N",
                sort=order,
                scale=alt.Scale(domain=order, range=["#999999", "#E69F00", "#56B4E9", "#0072B2"]),
                legend=alt.Legend(orient="bottom", title=None, symbolType="square"),
            ),
            tooltip=["backend:N", "phase:N", "seconds:Q"],
        )
        .properties(width="container", height=max(90, 28 * len(backends)))
    )
    about = "The mean over the solved instances: stating the problem, encoding, loading, search."
    return Chart("What the time is spent on", about, chart.to_dict(validate=False))


def draw_family(per: pd.DataFrame, backends: Sequence[str], name: str) -> Chart:
    """The times of one family: the instances as dots, and the box of the quartiles."""
    import altair as alt

    times = points.list_times(per, MOST_DOTS)
    times["solved"] = times["solved"].map({True: "solved", False: "not solved"})
    boxes = [
        {"backend": str(backend), **dict(zip(("low", "middle", "high"), spots, strict=True))}
        for backend, part in points.list_times(per).groupby("backend", observed=True)
        for spots in [[round_figure(s) for s in np.quantile(part["seconds"], (0.25, 0.5, 0.75))]]
    ]
    scale = alt.Scale(type="log")
    place = alt.Y("backend:N", sort=list(backends), title=None)
    dots = (
        alt.Chart(give_values(_round(times)))
        .transform_calculate(jitter="random()")
        .mark_point(filled=True, opacity=0.75, size=44)
        .encode(
            x=alt.X("seconds:Q", scale=scale, title="seconds", axis=mark_decades(times["seconds"])),
            y=place,
            yOffset=alt.YOffset("jitter:Q", scale=alt.Scale(domain=[-0.4, 1.4])),
            color=colour_solvers(backends, legend=False),
            shape=alt.Shape(
                "solved:N",
                scale=alt.Scale(domain=["solved", "not solved"], range=["circle", "cross"]),
                legend=None,
            ),
            tooltip=["set:N", "instance:N", "backend:N", "seconds:Q", "solved:N"],
        )
    )
    boxed = alt.Chart(give_values(boxes))
    quartiles = boxed.mark_bar(height=18, fillOpacity=0.15, stroke="#777", strokeWidth=1).encode(
        x=alt.X("low:Q", scale=scale), x2="high:Q", y=place
    )
    middle = boxed.mark_tick(thickness=3, size=18, color="#777").encode(
        x=alt.X("middle:Q", scale=scale), y=place, tooltip=["backend:N", "middle:Q"]
    )
    chart = (quartiles + dots + middle).properties(
        width="container", height=max(90, 34 * len(backends))
    )
    about = (
        "A dot an instance, a cross one that was not solved, at its limit; the box has the middle "
        "half, its line is the median."
    )
    total = len(per.drop_duplicates(INSTANCE))
    if total > MOST_DOTS:
        about += f" {MOST_DOTS} of {total:,} instances are dots; the box is that of all."
    return Chart(f"Times of {name}", about, chart.to_dict(validate=False))


def draw_courses(searches: pd.DataFrame, ranked: Sequence[str]) -> Iterator[Chart]:
    """Objectives over time, of the instances that took longest; ``ranked`` are the backends."""
    import altair as alt

    total = len(searches.drop_duplicates(["set", "instance"]))
    for set_name, instance in points.choose_longest(searches, MOST_COURSES):
        part = searches[(searches["set"] == set_name) & (searches["instance"] == instance)]
        rows = list(_list_steps(part))
        if not rows:
            continue
        backends = [name for name in ranked if (part["backend"] == name).any()]
        chart = (
            alt.Chart(give_values(rows))
            .mark_line(interpolate="step-after", point=True)
            .encode(
                x=alt.X(
                    "seconds:Q",
                    title="seconds",
                    scale=alt.Scale(type="log"),
                    axis=mark_decades([row["seconds"] for row in rows]),
                ),
                y=alt.Y(
                    "value:Q",
                    title="objective",
                    scale=alt.Scale(zero=False),
                    axis=alt.Axis(tickMinStep=1),
                ),
                color=colour_solvers(backends),
                strokeDash=alt.StrokeDash(
                    "kind:N",
                    scale=alt.Scale(domain=["found", "bound"], range=[[1, 0], [4, 3]]),
                    legend=None,
                ),
                tooltip=["backend:N", "kind:N", "seconds:Q", "value:Q"],
            )
            .properties(width="container", height=260)
        )
        about = "Solutions as whole lines, proven bounds as dashed ones."
        if total > MOST_COURSES:
            about += (
                f" One of the {MOST_COURSES} of {total:,} instances whose searches took longest."
            )
        yield Chart(
            f"Objective over time: {set_name}, {instance}", about, chart.to_dict(validate=False)
        )


def _list_steps(part: pd.DataFrame) -> Iterator[dict[str, Any]]:
    for row in part.drop_duplicates("backend").to_dict("records"):
        end = max(float(row["wall_s"]), points.LEAST_SECONDS)
        for kind, last in (("found", row["objective"]), ("bound", row["bound"])):
            steps = [(s, v) for s, v, k in row["incumbents"] if k == kind]
            if last is not None:
                steps.append((max([end, *(s for s, _ in steps)]), last))
            for seconds, value in steps:
                if abs(value) < 2**53:  # JSON's numbers end there
                    at = round_figure(max(seconds, points.LEAST_SECONDS))
                    yield {"backend": row["backend"], "kind": kind, "seconds": at, "value": value}


# --- parts of a description ----------------------------------------------------------------


def colour_solvers(backends: Sequence[str], legend: bool = True) -> alt.Color:
    """The colour of each solver, that of all plots."""
    import altair as alt

    colours = [style_of(name).colour for name in backends]
    scale = alt.Scale(domain=list(backends), range=colours)
    return alt.Color("backend:N", scale=scale, legend=_legend(backends) if legend else None)


def _legend(backends: Sequence[str]) -> alt.Legend:
    """Below the plot, where it covers nothing."""
    import altair as alt

    columns = 2 if max(map(len, backends), default=0) > 16 else 3
    return alt.Legend(orient="bottom", title=None, columns=columns, labelLimit=150, symbolOpacity=1)


def mark_decades(seconds: Iterable[float]) -> alt.Axis:
    """Ticks at powers of ten; where these are few, at twice and five times them as well."""
    import altair as alt

    found = [value for value in seconds if value > 0] or [1.0]
    low, high = floor(log10(min(found))), ceil(log10(max(found)))
    steps = (1,) if high - low > 2 else (1, 2, 5)
    values = [step * 10.0**power for power in range(low, high + 1) for step in steps]
    return alt.Axis(values=[float(f"{value:g}") for value in values], format="~g")


def _dashes(backends: Sequence[str]) -> alt.Scale:
    import altair as alt

    styles = [list(style_of(name).dash or (1, 0)) for name in backends]

    return alt.Scale(domain=list(backends), range=styles)


def give_values(rows: pd.DataFrame | Sequence[Mapping[str, Any]]) -> alt.InlineData:
    """Rows as data within the description."""
    import altair as alt

    found: list[Any] = rows.to_dict("records") if isinstance(rows, pd.DataFrame) else list(rows)
    return alt.InlineData(values=found)


def _round(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(seconds=frame["seconds"].map(round_figure))


def round_figure(value: float) -> float:
    """As many digits as can be seen."""
    return float(f"{value:.4g}")
