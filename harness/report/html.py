"""A run as HTML: ``summarise`` for a notebook, ``make_page`` as one page that needs no other file.

Whatever a backend, a set or an error message is called, it is text.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from io import BytesIO
from typing import TYPE_CHECKING, Any

import msgspec

from harness.report.sentences import FAULTS, find_faults, footnotes, headline
from harness.report.standings import FAILED, FATES
from harness.report.table_text import split
from modelling.errors import InputError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from harness.report.run import Run

MOST_ANSWERS = 100
"""So many wrong or disputed answers are on the page."""

_ALIGN = "text-align: {}; font-variant-numeric: tabular-nums"

_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2 { line-height: 1.2; }
div.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; }
th, td { padding: 0.2em 0.7em; border-bottom: 1px solid #8884; vertical-align: top; }
th { border-bottom: 2px solid #8888; white-space: nowrap; }
img { max-width: 100%; background: white; }
.fault { color: #c22; }
"""


def summarise(run: Run) -> str:
    """Who won, and the summary as a table, as a notebook shows them."""
    where = f"<p><small>{escape(str(run.folder))}</small></p>"
    return f"<p>{escape(_state(run))}</p>{_summary(run)}{where}"


def make_page(run: Run) -> str:
    """The whole report: who won, agreement, timing, what went wrong, plots, how it was measured."""
    name = "Run" if run.experiment is None else run.experiment.name
    faults = [f'<li class="fault">{escape(fault)}</li>' for fault in find_faults(run)]
    parts = [
        f"<h1>{escape(name)}</h1>",
        f"<p>{escape(_state(run))}</p>",
        f"<p>{escape(run.judging)}</p>" if run.judging else "",
        f"<ul>{''.join(faults)}</ul>" if faults else "",
    ]
    if len(run.summary):
        parts += [
            _section("Summary", _summary(run)),
            _section("Agreement", _table(run.agreement)),
            _section("Timing", _timing(run.timing)),
            _section("Not answered", _table(run.reasons) if len(run.reasons) else ""),
            _section("Answers to look at", _bad_answers(run)),
            _section("Plots", _plots(run)),
        ]
    parts.append(_section("How it was measured", _provenance(run)))
    head = f'<meta charset="utf-8"><title>{escape(name)}</title><style>{_STYLE}</style>'
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    body = "\n".join(filter(None, parts))
    page = f'<html lang="en"><head>{head}{view}</head>\n<body>\n{body}\n</body></html>'
    return f"<!DOCTYPE html>\n{page}\n"


def _state(run: Run) -> str:
    left = "" if run.complete else f" {run.ended} of {run.total} jobs have ended."
    return headline(run.summary) + left


def _section(title: str, content: str) -> str:
    return f'<h2>{title}</h2>\n<div class="wide">{content}</div>' if content else ""


def _summary(run: Run) -> str:
    summary = run.summary
    outcomes = [name for name in ("unverified", *FAILED) if summary[name].any()]
    shown = [
        *("rank", "backend", "instances", "verified", "unwitnessed", "wrong", "disputed"),
        *outcomes,
        *("wins", "sets_won", "median_s", "par2_s"),
        *("relative", "relative_low", "relative_high", "relative_note"),
    ]
    return _table(summary[shown])


def _timing(timing: pd.DataFrame) -> str:
    """The columns that say something: fates that occurred, figures that are known."""
    empty = [name for name in FATES if not timing[name].any()]
    empty += [str(name) for name in timing if timing[name].isna().all()]
    return _table(timing.drop(columns=[*empty, "solved", "failed"]))


def _bad_answers(run: Run) -> str:
    """The first of the jobs whose answer is wrong or disputed."""
    bad = run.jobs[run.jobs["verdict"].isin(FAULTS)]
    if bad.empty:
        return ""
    left = f"<p>... and {len(bad) - MOST_ANSWERS} more.</p>" if len(bad) > MOST_ANSWERS else ""
    shown = ["job", "set", "instance", "backend", "status", "verdict", "evidence"]
    return _table(bad[shown].head(MOST_ANSWERS)) + left


def _plots(run: Run) -> str:
    """The cactus plot, and the scatter plot of the first two backends."""
    first, *others = run.summary["backend"]
    try:
        figures = [run.plot("cactus")]
        figures += [run.plot("scatter", x=first, y=others[0])] if others else []
    except InputError as error:
        return f"<p>{escape(str(error))}</p>"
    return "".join(map(_image, figures))


def _image(figure: Figure) -> str:
    """A figure inside the page; as an image of its own its names cannot meet those of another."""
    drawn = BytesIO()
    figure.savefig(drawn, format="svg")
    data = b64encode(drawn.getvalue()).decode("ascii")
    title = escape(figure.axes[0].get_ylabel(), quote=True)
    return f'<img alt="{title}" src="data:image/svg+xml;base64,{data}">'


def _provenance(run: Run) -> str:
    """Footnotes, machines and versions."""
    notes = "".join(f"<li>{escape(note)}</li>" for note in footnotes(run))
    versions = [v for v in msgspec.to_builtins(run.versions) if v.pop("native") is not None]
    return (
        (f"<ul>{notes}</ul>" if notes else "")
        + _of_records("Machines", msgspec.to_builtins(run.machines))
        + _of_records("Versions", versions)
        + f"<p>Folder of the run: {escape(str(run.folder))}</p>"
    )


def _of_records(title: str, records: Sequence[dict[str, Any]]) -> str:
    import pandas as pd

    return f"<h3>{title}</h3>{_table(pd.DataFrame(records))}" if records else ""


def _table(frame: pd.DataFrame) -> str:
    head, body, numeric = split(frame)
    rows = [_row("th", head, numeric), *(_row("td", cells, numeric) for cells in body)]
    return f"<table>{''.join(rows)}</table>"


def _row(tag: str, cells: Iterable[str], numeric: list[bool]) -> str:
    styles = [_ALIGN.format("right" if right else "left") for right in numeric]
    inner = (
        f'<{tag} style="{style}">{escape(cell)}</{tag}>'
        for cell, style in zip(cells, styles, strict=True)
    )
    return f"<tr>{''.join(inner)}</tr>"
