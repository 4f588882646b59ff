"""A run as a notebook shows it: who won, and the summary as a table."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from harness.report import table_text
from harness.report.sentences import headline
from harness.report.standings import FAILED

if TYPE_CHECKING:
    import pandas as pd

    from harness.report.run import Run

_STYLE = "text-align: {}; font-variant-numeric: tabular-nums"


def run_as_html(run: Run) -> str:
    """A paragraph, and a table; whatever a backend or a set is called, it is text."""
    state = "" if run.complete else f" {run.ended} of {run.total} jobs have ended."
    where = f"<p><small>{escape(str(run.folder))}</small></p>"
    return f"<p>{escape(headline(run.summary) + state)}</p>{_table(run.summary)}{where}"


def _table(summary: pd.DataFrame) -> str:
    outcomes = [name for name in ("unverified", *FAILED) if summary[name].any()]
    shown = [
        *("rank", "backend", "instances", "verified", "unwitnessed", "wrong", "disputed"),
        *outcomes,
        *("wins", "sets_won", "median_s", "par2_s"),
        *("relative", "relative_low", "relative_high", "relative_note"),
    ]
    head, body, numeric = table_text.split(summary[shown])
    rows = [_row("th", head, numeric), *(_row("td", cells, numeric) for cells in body)]
    return f"<table>{''.join(rows)}</table>"


def _row(tag: str, cells: list[str], numeric: list[bool]) -> str:
    styles = [_STYLE.format("right" if right else "left") for right in numeric]
    inner = (
        f'<{tag} style="{style}">{escape(cell)}</{tag}>'
        for cell, style in zip(cells, styles, strict=True)
    )
    return f"<tr>{''.join(inner)}</tr>"
