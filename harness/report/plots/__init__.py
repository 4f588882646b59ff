"""Plots of a run as pictures: SVG, PDF, PNG.

In: the tables of a run. Out: matplotlib Figures, which a notebook shows, and ``figure.savefig``
writes. Read ``points``, which says what is drawn, and
``colours``, which says how; ``times``, ``maps``, ``rungs``, ``ranks`` and ``course`` draw.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.report.plots.course import draw_objective
from harness.report.plots.figures import require_matplotlib, write_figure
from harness.report.plots.maps import draw_agreement, draw_wins
from harness.report.plots.ranks import draw_critical_difference
from harness.report.plots.rungs import draw_ladder
from harness.report.plots.times import (
    draw_boxes,
    draw_cactus,
    draw_ecdf,
    draw_phases,
    draw_profile,
    draw_scaling,
    draw_scatter,
)
from modelling.errors import InputError
from modelling.wording import did_you_mean

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Kind(NamedTuple):
    """A kind of plot: its function, and the table of the run that this takes; where the table is
    a method, the options that are its own."""

    draw: Callable[..., Figure]
    table: str
    options: tuple[str, ...] = ()


KINDS: Mapping[str, Kind] = {
    "cactus": Kind(draw_cactus, "named"),
    "ecdf": Kind(draw_ecdf, "named"),
    "scatter": Kind(draw_scatter, "named"),
    "profile": Kind(draw_profile, "named"),
    "box": Kind(draw_boxes, "named"),
    "phases": Kind(draw_phases, "timing"),
    "objective": Kind(draw_objective, "searches"),
    "scaling": Kind(draw_scaling, "size_instances", ("size",)),
    "wins": Kind(draw_wins, "named"),
    "agreement": Kind(draw_agreement, "jobs"),
    "ladder": Kind(draw_ladder, "named"),
    "critical-difference": Kind(draw_critical_difference, "ranks"),
}


def find_kind(name: str) -> Kind:
    """The kind of this name; raises InputError for another, naming the nearest one."""
    if name not in KINDS:
        hint = did_you_mean(name, KINDS)
        raise InputError(f"no plot is called {name!r}{hint} (there are: {', '.join(KINDS)})")
    return KINDS[name]


def plot(run: Any, kind: str, **more: Any) -> Figure:
    """The plot called ``kind`` of a run, which has the tables; ``more`` is what its function
    takes."""
    chosen = find_kind(kind)
    table = getattr(run, chosen.table)
    if callable(table):
        table = table(**{name: more.pop(name) for name in chosen.options if name in more})
    return chosen.draw(table, **more)


__all__ = ["KINDS", "draw_objective", "find_kind", "plot", "require_matplotlib", "write_figure"]
