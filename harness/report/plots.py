"""Plots of a run: the cactus plot and the scatter plot of the competitions, objectives over time.

The first two take ``Standings.instances``, the last one ``Run.searches``. All return a matplotlib
Figure, which a notebook shows, and ``figure.savefig`` writes.
matplotlib is imported when they are called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any

from harness.report.standings import INSTANCE
from modelling.errors import InputError
from modelling.wording import did_you_mean

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEAST_SECONDS = 1e-5
"""Shorter times are drawn here: a logarithmic axis has no zero."""

LARGEST = 10**300
"""Values further from zero are not drawn: an axis is made of floats, with room beyond its ends."""

MOST_PANELS = 6
"""Most instances that are drawn where none is named."""

MOST_WITHIN = 8
"""Most backends whose legend lies within the axes."""

_STYLES = ("-", "--", ":", "-.")
_MARKERS = "osD^vPX*<>"
_LIMIT: Mapping[str, Any] = {"color": "grey", "linestyle": "--", "linewidth": 1}


def draw_cactus(per: pd.DataFrame, *, title: str = "") -> Figure:
    """How many instances each backend solves within a given time each (time is logarithmic).

    A curve further right solves more, a lower one solves faster; the legend has the best first.
    """
    total = len(per.drop_duplicates(INSTANCE))
    figure, axes = _make_figure(title, "instances solved", "wall time of an instance (s)")
    solved = {
        str(name): part["wall_s"][part["solved"]].clip(lower=LEAST_SECONDS).sort_values()
        for name, part in per.groupby("backend")
    }
    ranked = sorted(solved.items(), key=lambda pair: (-len(pair[1]), pair[1].sum()))
    for number, (name, times) in enumerate(ranked):
        axes.step(
            range(1, len(times) + 1),
            list(times),
            where="post",
            label=f"{name} ({len(times)} of {total})",
            color=f"C{number % 10}",
            linestyle=_STYLES[number // 10 % len(_STYLES)],
            marker=_MARKERS[number % len(_MARKERS)],
            markersize=4,
            markevery=max(1, len(times) // 15),
            linewidth=1.4,
        )
    for limit in sorted(per["limit_s"].dropna().unique()):
        axes.axhline(limit, **_LIMIT)
    axes.set_xlim(left=0)
    if len(ranked) <= MOST_WITHIN:
        axes.legend(loc="best", fontsize="small")
    else:
        figure.set_figwidth(1.5 * figure.get_figwidth())
        figure.legend(loc="outside right upper", fontsize="small")
    return figure


def draw_scatter(per: pd.DataFrame, x: str, y: str, *, title: str = "") -> Figure:
    """Backend ``x`` against backend ``y``, a point an instance, both axes logarithmic.

    Above the diagonal ``x`` is faster. An instance that one of them did not solve lies on that
    one's line of unsolved instances, at twice the longest limit; the line is there only if needed.
    """
    for name in (x, y):
        if not (per["backend"] == name).any():
            known = ", ".join(sorted(per["backend"].unique()))
            raise InputError(f"no backend of this run is called {name!r} (there are: {known})")
    per = per[per["backend"].isin([x, y])]
    figure, axes = _make_figure(title, f"{x}: wall time (s)", f"{y}: wall time (s)")
    seconds = per["wall_s"].clip(lower=LEAST_SECONDS)
    unsolved, edge = not per["solved"].all(), 2 * float(seconds.max())
    if unsolved:
        edge = 2 * float(per["limit_s"].fillna(seconds.max()).max())
        seconds = seconds.where(per["solved"], edge)
    wide = per.assign(seconds=seconds).pivot(index=INSTANCE, columns="backend", values="seconds")
    both = wide[list(dict.fromkeys((x, y)))].dropna()
    for number, (set_name, part) in enumerate(both.groupby(level="set")):
        marker = _MARKERS[number % len(_MARKERS)]
        label = f"{set_name} ({len(part)})"
        axes.scatter(part[x], part[y], s=26, alpha=0.65, marker=marker, label=label, linewidths=0)
    least = float(seconds.min()) / 2
    axes.plot([least, edge], [least, edge], color="black", linewidth=1)
    for factor in (0.1, 10):
        ends = [least, edge], [least * factor, edge * factor]
        axes.plot(*ends, color="black", linewidth=0.6, linestyle=":", alpha=0.6)
    if unsolved:
        axes.axhline(edge, **_LIMIT)
        axes.axvline(edge, **_LIMIT)
        place = (least * 1.2, edge)
        axes.annotate("unsolved", place, va="bottom", fontsize="x-small", color="grey")
    most = edge * 1.6 if unsolved else edge
    axes.set_xscale("log")
    from matplotlib.ticker import LogLocator

    for axis in (axes.xaxis, axes.yaxis):  # the default's labels overlap within a decade
        axis.set_minor_locator(LogLocator(subs=(2, 4)))
    axes.set(xlim=(least, most), ylim=(least, most), aspect="equal")
    axes.legend(loc="lower right", fontsize="small")
    return figure


def draw_objective(searches: pd.DataFrame, instance: str = "", *, title: str = "") -> Figure:
    """The best solution and the best bound of each backend over time, a panel an instance.

    Solutions are whole lines, bounds dashed ones, each in steps; a star marks where the optimum
    was proven. Without ``instance``, the first ``MOST_PANELS`` are drawn. Values beyond ``LARGEST``
    are left out, and the axis says so.
    """
    names = sorted(set(zip(searches["set"], searches["instance"], strict=True)))
    if instance:
        known = [name for _, name in names]
        names = [pair for pair in names if pair[1] == instance]
        if not names:
            hint = did_you_mean(instance, known)
            raise InputError(f"no optimum was asked of an instance called {instance!r}{hint}")
    if not names:
        raise InputError(
            "no optimum was asked in this run: compare instances that have an objective, "
            "without --count"
        )
    names = names[:MOST_PANELS]
    require_matplotlib()
    from matplotlib.figure import Figure

    columns = min(2, len(names))
    rows = -(-len(names) // columns)
    figure = Figure(figsize=(7.5 * (1 if columns == 1 else 1.6), 4.2 * rows), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False).flatten()
    colours = {name: f"C{k % 10}" for k, name in enumerate(dict.fromkeys(searches["backend"]))}
    for axes, (set_name, name) in zip(panels, names, strict=False):
        part = searches[(searches["set"] == set_name) & (searches["instance"] == name)]
        left_out = _draw_course(axes, part, colours)
        sense = next(filter(None, part["sense"]), "")
        axes.set(
            title=f"{set_name}: {name}" + (f" ({sense})" if sense else ""),
            xlabel="seconds",
            ylabel="objective" + f" (without values beyond {float(LARGEST):.0e})" * left_out,
            xscale="log",
        )
        axes.grid(visible=True, which="major", alpha=0.3)
        if axes.get_lines():
            axes.legend(loc="best", fontsize="small")
    for axes in panels[len(names) :]:
        axes.set_axis_off()
    figure.suptitle(title)
    return figure


def _draw_course(axes: Axes, part: pd.DataFrame, colours: Mapping[str, str]) -> bool:
    """The first search of each backend for the optimum of an instance; whether some is left out."""
    left_out = False
    for row in part.drop_duplicates("backend").to_dict("records"):
        colour, end = colours[row["backend"]], max(row["wall_s"], LEAST_SECONDS)
        proven = row["outcome"] == "finished" and row["objective"] is not None
        for kind, last, style in (("found", row["objective"], "-"), ("bound", row["bound"], "--")):
            steps = [(max(s, LEAST_SECONDS), v) for s, v, told in row["incumbents"] if told == kind]
            if last is not None and (not steps or steps[-1][1] != last):
                steps.append((end, last))
            every, steps = steps, [step for step in steps if abs(step[1]) <= LARGEST]
            left_out |= len(steps) < len(every)
            if not steps:
                continue
            seconds, values = zip(*steps, (max(end, steps[-1][0]), steps[-1][1]), strict=True)
            label = row["backend"] if kind == "found" else None
            drawn: dict[str, Any] = {"linewidth": 1.6 if kind == "found" else 1.1, "label": label}
            axes.step(seconds, values, where="post", color=colour, linestyle=style, **drawn)
            if kind == "found":
                mark = "*" if proven else "o"
                axes.plot([seconds[-1]], [values[-1]], mark, color=colour, markersize=9)
    return left_out


KINDS: Mapping[str, Callable[..., Figure]] = {
    "cactus": draw_cactus,
    "scatter": draw_scatter,
    "objective": draw_objective,
}


def plot(per: pd.DataFrame, kind: str, **more: Any) -> Figure:
    """The plot called ``kind``; ``more`` is what its function takes."""
    if kind not in KINDS:
        raise InputError(f"no plot is called {kind!r} (there are: {', '.join(KINDS)})")
    return KINDS[kind](per, **more)


def require_matplotlib() -> None:
    """Raise InputError where plots cannot be drawn."""
    try:
        import matplotlib.figure  # noqa: F401 - whether it can be imported
    except ImportError as error:
        raise InputError("plots need matplotlib: pip install 'solver-concord[report]'") from error


@lru_cache(maxsize=1)
def _figure_class() -> type[Figure]:
    """A Figure that a notebook shows without ``%matplotlib inline``."""
    from matplotlib.figure import Figure

    class ShownFigure(Figure):
        def _repr_png_(self) -> bytes:
            written = BytesIO()
            self.savefig(written, format="png", dpi=100)
            return written.getvalue()

    return ShownFigure


def _make_figure(title: str, x_label: str, y_label: str) -> tuple[Figure, Axes]:
    """An empty plot whose upright axis is logarithmic."""
    require_matplotlib()
    figure = _figure_class()(figsize=(7.5, 5.5), layout="constrained")
    axes = figure.subplots()
    axes.set(title=title, xlabel=x_label, ylabel=y_label, yscale="log")
    axes.grid(visible=True, which="major", alpha=0.3)
    return figure, axes
