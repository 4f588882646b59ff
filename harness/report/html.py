"""Tables as HTML, and a run as a notebook shows it.

Whatever a backend, a set or an error message is called, it is text.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from harness.report.headline import headline
from harness.report.standings import FAILED
from harness.report.table_text import split

if TYPE_CHECKING:
    import pandas as pd

_ALIGN = "text-align: {}; font-variant-numeric: tabular-nums"


def summarise(summary: pd.DataFrame, ended: int, total: int, folder: str) -> str:
    """Who won, and the summary as a table."""
    text = escape(describe(summary, ended, total))
    return f"<p>{text}</p>{summary_table(summary)}<p><small>{escape(folder)}</small></p>"


def describe(summary: pd.DataFrame, ended: int, total: int) -> str:
    """Who won, and how many jobs have ended where some have not."""
    left = "" if ended == total else f" {ended} of {total} jobs have ended."
    return headline(summary) + left


def summary_table(summary: pd.DataFrame) -> str:
    """The columns of the summary that matter most, and the outcomes that occurred."""
    outcomes = [name for name in ("unverified", *FAILED) if summary[name].any()]
    shown = [
        *("rank", "backend", "instances", "verified", "unwitnessed", "wrong", "disputed"),
        *outcomes,
        *("wins", "sets_won", "median_s", "par2_s"),
        *("relative", "relative_low", "relative_high", "relative_note"),
    ]
    return table(summary[shown])


def table(frame: pd.DataFrame) -> str:
    """A table, numbers to the right."""
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
