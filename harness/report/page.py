"""A run as one HTML page that needs no other file."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from io import BytesIO
from typing import TYPE_CHECKING

import msgspec
import pandas as pd

from harness.report.table_text import to_html
from harness.report.tables import shorten_summary, shorten_timing
from modelling.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from harness.report.run import Run

MOST_ANSWERS = 100
"""Most wrong or disputed answers on the page."""

_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2 { line-height: 1.2; }
div.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; }
th, td { padding: 0.2em 0.7em; border-bottom: 1px solid #8884; vertical-align: top; }
th { border-bottom: 2px solid #8888; }
th, td:first-child { white-space: nowrap; }
img { max-width: 100%; background: white; }
.fault { color: #c22; }
"""


def make_page(run: Run) -> str:
    """The whole report: who won, agreement, timing, what went wrong, plots, how it was measured."""
    name = "Run" if run.experiment is None else run.experiment.name
    faults = [f'<li class="fault">{escape(fault)}</li>' for fault in run.faults]
    parts = [
        f"<h1>{escape(name)}</h1>",
        f"<p>{escape(run.question)}</p>" if run.question else "",
        f"<p>{escape(run.headline)}</p>",
        f"<p>{escape(run.judging)}</p>" if run.judging else "",
        f"<ul>{''.join(faults)}</ul>" if faults else "",
    ]
    if len(run.summary):
        parts += [
            _make_section("Summary", to_html(shorten_summary(run.summary))),
            _make_section("Agreement", to_html(run.agreement)),
            _make_section("Timing", to_html(shorten_timing(run.timing))),
            _make_section("Not answered", to_html(run.reasons) if len(run.reasons) else ""),
            _make_section("Answers to look at", _list_bad_answers(run)),
            _make_section("Plots", _draw_plots(run)),
        ]
    parts.append(_make_section("How it was measured", _describe_measuring(run)))
    head = f'<meta charset="utf-8"><title>{escape(name)}</title><style>{_STYLE}</style>'
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    body = "\n".join(filter(None, parts))
    page = f'<html lang="en"><head>{head}{view}</head>\n<body>\n{body}\n</body></html>'
    return f"<!DOCTYPE html>\n{page}\n"


def _make_section(title: str, content: str) -> str:
    return f'<h2>{title}</h2>\n<div class="wide">{content}</div>' if content else ""


def _list_bad_answers(run: Run) -> str:
    """The first of the answers that are wrong or disputed."""
    bad = run.troubles
    if bad.empty:
        return ""
    left = f"<p>... and {len(bad) - MOST_ANSWERS} more.</p>" if len(bad) > MOST_ANSWERS else ""
    return to_html(bad.head(MOST_ANSWERS)) + left


def _draw_plots(run: Run) -> str:
    """The cactus plot, and the scatter plot of the first two backends."""
    first, *others = run.summary["backend"]
    try:
        figures = [run.plot("cactus")]
        figures += [run.plot("scatter", x=first, y=others[0])] if others else []
    except InputError as error:
        return f"<p>{escape(str(error))}</p>"
    return "".join(map(_embed, figures))


def _embed(figure: Figure) -> str:
    """A figure inside the page; as an image of its own its names cannot meet those of another."""
    drawn = BytesIO()
    figure.savefig(drawn, format="svg")
    data = b64encode(drawn.getvalue()).decode("ascii")
    title = escape(figure.axes[0].get_ylabel(), quote=True)
    return f'<img alt="{title}" src="data:image/svg+xml;base64,{data}">'


def _describe_measuring(run: Run) -> str:
    """Footnotes, machines and versions."""
    notes = "".join(f"<li>{escape(note)}</li>" for note in run.footnotes)
    versions = msgspec.to_builtins(run.versions)
    for version in versions:
        del version["native"]  # a long list
    found = {"Machines": msgspec.to_builtins(run.machines), "Versions": versions}
    return "".join(
        [
            f"<ul>{notes}</ul>" if notes else "",
            *(f"<h3>{t}</h3>{to_html(pd.DataFrame(rows))}" for t, rows in found.items() if rows),
            f"<p>Folder of the run: {escape(str(run.folder))}</p>",
        ]
    )
