"""Objectives over time: the best solution and the best bound of each backend."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from harness.report.plots import points
from harness.report.plots.figures import count_in_whole_numbers, look, open_figure
from harness.report.plots.points import LEAST_SECONDS
from modelling.errors import InputError
from modelling.wording import did_you_mean

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LARGEST = 10**300
"""Values further from zero are not drawn: an axis is made of floats, with room beyond its ends."""

MOST_PANELS = 6
"""Most instances that are drawn where none is named."""


def draw_objective(searches: pd.DataFrame, instance: str = "", *, title: str = "") -> Figure:
    """The best solution and the best bound of each backend over time, a panel an instance.

    Solutions are whole lines, bounds dashed ones, each in steps; the mark at the end is full where
    the optimum was proven. Without ``instance``, those ``MOST_PANELS`` are drawn on which the
    searches took longest. Values beyond ``LARGEST`` are left out, and the axis says so.
    """
    names = points.choose_longest(searches, MOST_PANELS)
    if instance:
        every = sorted(set(zip(searches["set"], searches["instance"], strict=True)))
        known = [name for _, name in every]
        names = [pair for pair in every if pair[1] == instance]
        if not names:
            hint = did_you_mean(instance, known)
            raise InputError(f"no optimum was asked of an instance called {instance!r}{hint}")
    if not names:
        raise InputError(
            "no optimum was asked in this run: compare instances that have an objective, "
            "without --count"
        )
    columns = min(2, len(names))
    rows = -(-len(names) // columns)
    figure = open_figure(7.5 * (1 if columns == 1 else 1.6), 4.2 * rows)
    panels = figure.subplots(rows, columns, squeeze=False).flatten()
    looks = {name: look(name) for name in sorted(set(searches["backend"]))}
    for axes, (set_name, name) in zip(panels, names, strict=False):
        part = searches[(searches["set"] == set_name) & (searches["instance"] == name)]
        left_out = _draw_course(axes, part, looks)
        sense = next(filter(None, part["sense"]), "")
        axes.set(
            title=f"{set_name}: {name}" + (f" ({sense})" if sense else ""),
            xlabel="seconds",
            ylabel="objective" + f" (without values beyond {float(LARGEST):.0e})" * left_out,
            xscale="log",
        )
        axes.grid(visible=True, which="major", alpha=0.3)
        count_in_whole_numbers(axes, "y")
    for axes in panels[len(names) :]:
        axes.set_axis_off()
    figure.suptitle(title)
    _add_legend(figure, looks)
    return figure


def _add_legend(figure: Figure, looks: Mapping[str, Mapping[str, Any]]) -> None:
    """The backends below all panels, where no curve is."""
    from matplotlib.lines import Line2D

    whole: dict[str, Any] = {"linestyle": "-", "markersize": 7}
    handles = [Line2D([], [], label=name, **dict(how) | whole) for name, how in looks.items()]
    handles.append(Line2D([], [], color="grey", linestyle="--", label="bound"))
    hollow: dict[str, Any] = {"marker": "o", "markerfacecolor": "white", "linestyle": ""}
    handles.append(Line2D([], [], color="grey", label="not proven", **hollow))
    figure.legend(
        handles=handles, loc="outside lower center", ncols=5, fontsize="small", frameon=False
    )


def _draw_course(axes: Axes, part: pd.DataFrame, looks: Mapping[str, Mapping[str, Any]]) -> bool:
    """The first search of each backend for the optimum of an instance; whether some is left out."""
    left_out = False
    for row in part.drop_duplicates("backend").to_dict("records"):
        how, end = looks[row["backend"]], max(row["wall_s"], LEAST_SECONDS)
        proven = row["outcome"] == "finished" and row["objective"] is not None
        for kind, last, style in (("found", row["objective"], "-"), ("bound", row["bound"], "--")):
            steps = [(max(s, LEAST_SECONDS), v) for s, v, word in row["incumbents"] if word == kind]
            if last is not None and (not steps or steps[-1][1] != last):
                steps.append((end, last))
            every, steps = steps, [step for step in steps if abs(step[1]) <= LARGEST]
            left_out |= len(steps) < len(every)
            if not steps:
                continue
            seconds, values = zip(*steps, (max(end, steps[-1][0]), steps[-1][1]), strict=True)
            label = row["backend"] if kind == "found" else None
            drawn: dict[str, Any] = {"linewidth": 1.6 if kind == "found" else 1.1, "label": label}
            axes.step(seconds, values, where="post", color=how["color"], linestyle=style, **drawn)
            if kind == "found":
                face = how["color"] if proven else "white"
                last_mark = {"linestyle": "", "markersize": 8, "markerfacecolor": face}
                axes.plot([seconds[-1]], [values[-1]], **dict(how) | last_mark, zorder=3)
    return left_out
