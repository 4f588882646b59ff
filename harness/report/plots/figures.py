"""Empty figures, and the look of a solver in them. matplotlib is imported when one is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from harness.report.plots.colours import style_of
from modelling.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LIMIT: Mapping[str, Any] = {"color": "grey", "linestyle": "--", "linewidth": 1}
"""How limits are drawn."""

_MARKERS = {
    "circle": "o",
    "square": "s",
    "diamond": "D",
    "triangle-up": "^",
    "cross": "X",
    "triangle-down": "v",
}


def require_matplotlib() -> None:
    """Raise InputError where plots cannot be drawn."""
    try:
        import matplotlib.figure  # noqa: F401 - whether it can be imported
    except ImportError as error:
        raise InputError("plots need matplotlib: pip install 'solver-concord[report]'") from error


@lru_cache(maxsize=1)
def _figure_class() -> type[Figure]:
    from matplotlib.figure import Figure

    class ShownFigure(Figure):
        """A Figure that a notebook shows without ``%matplotlib inline``."""

        def _repr_png_(self) -> bytes:
            written = BytesIO()
            self.savefig(written, format="png", dpi=100)
            return written.getvalue()

    return ShownFigure


def open_figure(width: float, height: float) -> Figure:
    """An empty figure of a size in inches. Raises InputError where plots cannot be drawn."""
    require_matplotlib()
    return _figure_class()(figsize=(width, height), layout="constrained")


def make_figure(
    title: str, x_label: str, y_label: str, size: tuple[float, float] = (7.5, 5.0)
) -> tuple[Figure, Axes]:
    """An empty plot with a grid."""
    figure = open_figure(*size)
    axes = figure.subplots()
    axes.set(title=title, xlabel=x_label, ylabel=y_label)
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.set_axisbelow(True)
    return figure, axes


def make_panels(titles: Sequence[str], title: str, height: float) -> tuple[Figure, list[Axes]]:
    """A figure with a panel for each title, two beside each other, each ``height`` inches high."""
    columns = min(2, len(titles))
    rows = -(-len(titles) // columns)
    figure = open_figure(2.4 + 4.4 * columns, height * rows + 0.5)
    panels = list(figure.subplots(rows, columns, squeeze=False).flatten())
    for axes, name in zip(panels, titles, strict=False):
        axes.set_title(name)
        axes.grid(visible=True, which="major", alpha=0.3)
        axes.set_axisbelow(True)
    for axes in panels[len(titles) :]:
        axes.set_axis_off()
    figure.suptitle(title)
    return figure, panels[: len(titles)]


def look(backend: str) -> dict[str, Any]:
    """Colour, dashes and marker of a solver, as a line of matplotlib takes them."""
    style = style_of(backend)
    return {
        "color": style.colour,
        "linestyle": (0, style.dash) if style.dash else "-",
        "marker": _MARKERS[style.marker],
        "markersize": 4,
        "linewidth": 1.6,
    }


def add_legend(figure: Figure, columns: int = 0) -> None:
    """The legend of all panels below them, where it covers nothing; one line for each entry with
    ``columns=1``."""
    found = [axes.get_legend_handles_labels() for axes in figure.axes]
    entries = {label: handle for pair in found for handle, label in zip(*pair, strict=True)}
    labels, handles = list(entries), list(entries.values())
    if not labels:
        return
    fits = max(1, int(12 * figure.get_figwidth() // (4 + max(map(len, labels)))))
    figure.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=columns or min(len(labels), fits),
        fontsize="small",
        frameon=False,
    )


def count_in_whole_numbers(axes: Axes, which: str) -> None:
    """Ticks at whole numbers alone, on the axis ``x`` or ``y``; two of them at least."""
    from matplotlib.ticker import MaxNLocator

    axis = getattr(axes, f"{which}axis")
    low, high = axis.get_data_interval()
    if high - low < 1:
        axis.set_view_interval(low - 1, high + 1, ignore=True)
    axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))


def label_decades(axes: Axes, which: str) -> None:
    """Labels at powers of ten, on a short axis at twice and five times them as well."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axis = getattr(axes, f"{which}axis")
    low, high = axis.get_view_interval()
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 100 * low else (1,)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


def write_figure(figure: Figure, file: BinaryIO | Path, form: str, dots: int = 150) -> None:
    """Write a figure as ``svg``, ``pdf`` or ``png`` (with ``dots`` an inch), without the date and
    with fixed names inside: equal figures, equal bytes."""
    from matplotlib import rc_context

    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}
    with rc_context({"svg.hashsalt": "concord"}):
        figure.savefig(file, format=form, dpi=dots, metadata=dates.get(form))
