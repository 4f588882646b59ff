"""Plots of the times of instances: cactus, ECDF, scatter, performance profile, boxes, phases,
scaling.

All but the last two take ``Standings.instances``; ``draw_phases`` takes ``Run.timing``, and boxes
take ``Run.named``, and scaling ``Run.size_instances``. ``points`` says what is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.report.plots import points
from harness.report.plots.colours import COLOURS
from harness.report.plots.figures import (
    LIMIT,
    add_legend,
    count_in_whole_numbers,
    label_decades,
    look,
    make_figure,
    make_panels,
)
from harness.report.standings import INSTANCE
from modelling.errors import InputError
from modelling.wording import did_you_mean

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_FAMILIES = 12
"""Most families that have a panel of boxes."""

MOST_LABELS = 8
"""Most sizes that have a label on an axis."""

_MARKERS = "osD^vPX*<>"


def draw_cactus(per: pd.DataFrame, *, title: str = "") -> Figure:
    """How many instances each backend solves within a given time each (time is logarithmic).

    A curve further right solves more, a lower one solves faster; the legend has the best first.
    """
    figure, axes = make_figure(title, "instances solved", "wall time of an instance (s)")
    _draw_solved(axes, per, lambda solved, seconds: (solved, seconds))
    axes.set(yscale="log")
    axes.set_xlim(left=0)
    count_in_whole_numbers(axes, "x")
    for limit in sorted(per["limit_s"].dropna().unique()):
        axes.axhline(limit, **LIMIT)
    add_legend(figure)
    return figure


def draw_ecdf(per: pd.DataFrame, *, title: str = "") -> Figure:
    """The same with time across: how many instances each backend has solved by then."""
    figure, axes = make_figure(title, "wall time of an instance (s)", "instances solved")
    _draw_solved(axes, per, lambda solved, seconds: (seconds, solved))
    axes.set(xscale="log")
    axes.set_ylim(bottom=0)
    count_in_whole_numbers(axes, "y")
    for limit in sorted(per["limit_s"].dropna().unique()):
        axes.axvline(limit, **LIMIT)
    add_legend(figure)
    return figure


def _draw_solved(axes: Any, per: pd.DataFrame, turn: Any) -> None:
    total = len(per.drop_duplicates(INSTANCE))
    traced = points.trace_solved(per)
    for name in _rank(per):
        part = traced[traced["backend"] == name]
        most = int(part["solved"].max()) if len(part) else 0
        axes.step(
            *turn(part["solved"].tolist(), part["seconds"].tolist()),
            where="post",
            label=f"{name} ({most} of {total})",
            markevery=max(1, len(part) // 15),
            **look(name),
        )


def ensure_backends(jobs: pd.DataFrame, names: Iterable[str]) -> None:
    """Raise ``InputError`` where these jobs have no backend of a name."""
    known = sorted(jobs["backend"].unique())
    for name in names:
        if name not in known:
            raise InputError(
                f"no backend of this run is called {name!r}{did_you_mean(name, known)} "
                f"(there are: {', '.join(known)})"
            )


def draw_scatter(per: pd.DataFrame, x: str, y: str, *, title: str = "") -> Figure:
    """Backend ``x`` against backend ``y``, a point an instance, both axes logarithmic.

    Above the diagonal ``x`` is faster. An instance that one of them did not solve lies on that
    one's line of unsolved instances, at twice the longest limit; the line is there only if needed.
    """
    ensure_backends(per, (x, y))
    per = per[per["backend"].isin([x, y])]
    figure, axes = make_figure(title, f"{x}: wall time (s)", f"{y}: wall time (s)", (6.5, 6.8))
    seconds = per["wall_s"].clip(lower=points.LEAST_SECONDS)
    unsolved, edge = not per["solved"].all(), 2 * float(seconds.max())
    if unsolved:
        edge = 2 * float(per["limit_s"].fillna(seconds.max()).max())
        seconds = seconds.where(per["solved"], edge)
    wide = per.assign(seconds=seconds).pivot(index=INSTANCE, columns="backend", values="seconds")
    both = wide[list(dict.fromkeys((x, y)))].dropna()
    for number, (set_name, part) in enumerate(both.groupby(level="set", observed=True)):
        axes.scatter(
            part[x],
            part[y],
            s=26,
            alpha=0.65,
            label=f"{set_name} ({len(part)})",
            linewidths=0,
            marker=_MARKERS[number % len(_MARKERS)],
            color=COLOURS[number % len(COLOURS)],
        )
    least = float(seconds.min()) / 2
    axes.plot([least, edge], [least, edge], color="black", linewidth=1)
    for factor in (0.1, 10):
        ends = [least, edge], [least * factor, edge * factor]
        axes.plot(*ends, color="black", linewidth=0.6, linestyle=":", alpha=0.6)
    if unsolved:
        axes.axhline(edge, **LIMIT)
        axes.axvline(edge, **LIMIT)
        place = (least * 1.2, edge)
        axes.annotate("unsolved", place, va="bottom", fontsize="x-small", color="grey")
    most = edge * 1.6 if unsolved else edge
    axes.set(xscale="log", yscale="log")
    from matplotlib.ticker import LogLocator

    for axis in (axes.xaxis, axes.yaxis):  # the default's labels overlap within a decade
        axis.set_minor_locator(LogLocator(subs=(2, 4)))
    axes.set(xlim=(least, most), ylim=(least, most), aspect="equal")
    add_legend(figure)
    return figure


def draw_profile(per: pd.DataFrame, *, title: str = "") -> Figure:
    """The performance profile of Dolan and More: the part of the instances that each backend
    solves within a multiple of the time of the fastest one.

    At 1 it is the part on which it is the fastest; at the right end the part that it solves.
    """
    labels = "times the fastest backend of the instance", "part of the instances"
    figure, axes = make_figure(title, *labels)
    profile = points.trace_profile(per)
    ends = profile.groupby("backend")["share"].max().sort_values(ascending=False)
    most = max(2.0, float(profile["ratio"].max()) * 1.1) if len(profile) else 2.0
    for name in ends.index:
        part = profile[profile["backend"] == name]
        ratios, shares = [*part["ratio"], most], [*part["share"], part["share"].iloc[-1]]
        every = max(1, len(part) // 15)
        axes.step(ratios, shares, where="post", label=name, markevery=every, **look(name))
    axes.set(xscale="log", xlim=(1, most), ylim=(0, 1.02))
    add_legend(figure)
    return figure


def draw_boxes(named: pd.DataFrame, *, title: str = "") -> Figure:
    """The times of each backend, a panel a family: quartiles and median, whiskers from 5% to 95%,
    instances beyond as dots. What was not solved counts with its limit."""
    times = points.list_times(named).assign(family=named["family"].to_numpy())
    families = _list_families(times)
    backends = _rank(named)
    titles = [f"{name} ({number})" for name, number in families.items()]
    figure, panels = make_panels(titles, title, 0.3 * len(backends) + 1.1)
    for axes, name in zip(panels, families, strict=True):
        part = times[times["family"] == name]
        drawn = axes.boxplot(
            [part["seconds"][part["backend"] == backend].to_list() for backend in backends],
            orientation="horizontal",
            tick_labels=backends,
            whis=(5, 95),
            widths=0.6,
            patch_artist=True,
            flierprops={"markersize": 3},
            medianprops={"color": "black"},
        )
        for box, backend in zip(drawn["boxes"], backends, strict=True):
            box.set_facecolor(look(backend)["color"])
            box.set_alpha(0.7)
        axes.set(xscale="log", xlabel="wall time (s)")
        axes.invert_yaxis()
        label_decades(axes, "x")
    return figure


def _list_families(times: pd.DataFrame) -> dict[str, int]:
    """The families with the number of their instances, the largest first."""
    one = times.drop_duplicates(INSTANCE)
    numbers = one["family"].value_counts().head(MOST_FAMILIES)
    if not len(numbers):
        raise InputError("no instance of this run has a family that is known")
    return {str(name): int(number) for name, number in numbers.items()}


def _rank(per: pd.DataFrame) -> list[str]:
    """The backends, that one first that solves most; of equal ones the faster one."""
    first = [str(name) for name in points.trace_solved(per)["backend"].unique()]
    return [*first, *sorted(set(map(str, per["backend"].unique())) - set(first))]


def _label_sizes(axes: Axes, sizes: pd.Series[float]) -> None:
    """Labels at sizes that there are, as many as have room: whole numbers all of them."""
    from matplotlib.ticker import FixedLocator, NullLocator

    low, high = float(np.log(sizes.min())), float(np.log(sizes.max()))
    shown: list[float] = []
    for size in sorted(sizes.unique()):
        if not shown or np.log(size / shown[-1]) >= (high - low) / MOST_LABELS:
            shown.append(size)
    axes.xaxis.set_major_locator(FixedLocator(shown))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0f}")
    axes.xaxis.set_minor_locator(NullLocator())


def draw_phases(timing: pd.DataFrame, *, title: str = "") -> Figure:
    """What the time of each backend is spent on, over the instances that it solved."""
    phases = points.stack_phases(timing)
    wide = phases.pivot(index="backend", columns="phase", values="seconds").fillna(0.0)
    order = [str(name) for name in wide.sum(axis="columns").sort_values().index]
    height = 0.4 * len(order) + 1.6
    figure, axes = make_figure(title, "mean time of an instance (s)", "", (7.5, height))
    left = np.zeros(len(order))
    for phase, colour in zip(points.PHASES.values(), PHASE_COLOURS, strict=True):
        if phase in wide:
            widths = wide[phase].reindex(order).to_numpy()
            axes.barh(order, widths, left=left, label=phase, color=colour)
            left += widths
    axes.invert_yaxis()
    add_legend(figure)
    return figure


PHASE_COLOURS = ("#999999", "#E69F00", "#56B4E9", "#0072B2")


def draw_scaling(sized: pd.DataFrame, *, title: str = "") -> Figure:
    """The time of each backend by the size of the instances, a panel a family: the median of each
    size, and a band from the first to the third quartile.

    ``sized`` is ``Run.size_instances``. What was not solved counts with its limit. Only families
    are drawn that have at least two sizes.
    """
    columns = {name: sized[name].to_numpy() for name in ("family", "size", "unit")}
    sized = points.list_times(sized).assign(**columns)
    sizes = sized.groupby("family", observed=True)["size"].nunique()
    several = [name for name in _list_families(sized) if sizes[name] > 1]
    if not several:
        raise InputError(
            "no family of this run has instances of two sizes: compare on more sizes, or name "
            "another size with --size"
        )
    figure, panels = make_panels(several, title, 3.4)
    for axes, family in zip(panels, several, strict=True):
        of_family = sized[sized["family"] == family]
        for name, part in of_family.groupby("backend"):
            spots = part.groupby("size")["seconds"].quantile(np.array([0.25, 0.5, 0.75])).unstack()
            how = look(str(name))
            axes.plot(spots.index, spots[0.5], label=name, **how)
            axes.fill_between(spots.index, spots[0.25], spots[0.75], color=how["color"], alpha=0.15)
        axes.set(xscale="log", yscale="log", ylabel="wall time (s)")
        axes.set_xlabel(of_family["unit"].iloc[0])
        _label_sizes(axes, of_family["size"])
        label_decades(axes, "y")
    add_legend(figure)
    return figure
