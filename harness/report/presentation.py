"""Tables as people read them: labels with units, three digits that matter, the interval beside its
value, the best value of a column marked; as LaTeX, Markdown and HTML.

Words
-----
sheet       a table ready to be shown: columns, and rows of cells
screen      the columns that the screen has; the others are there on demand
best        the best value of a column among the rows of one set and question, and of one instance
            where rows are about instances

``docs/columns.md`` describes the columns. CSV has the plain numbers instead (``table_text``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import isfinite, nan
from numbers import Integral, Real
from typing import Any, Literal

import numpy as np
import pandas as pd

from harness.report.standings import INSTANCE
from harness.report.table_text import MISSING, choose_unit, format_cell, format_figure, list_rows
from modelling.errors import InputError
from modelling.wording import did_you_mean

SCREENS: Mapping[str, Sequence[str]] = {
    "summary": (
        *("rank", "backend", "verified", "unwitnessed", "unproven", "wrong", "disputed", "failed"),
        *("wins", "to_best_percent", "par2_s", "relative", "relative_note"),
    ),
    "agreement": (
        *("set", "ask", "instances", "verified", "unwitnessed", "disputed", "wrong", "unsolved"),
    ),
    "timing": (
        *("set", "ask", "rank", "backend", "verified", "unwitnessed", "failed", "median_s"),
        *("p25_s", "p75_s", "par2_s", "relative", "relative_note"),
    ),
    "optima": (
        *("set", "instance", "backend", "proven", "objective", "bound", "gap_percent"),
        *("to_best_percent", "incumbent_s", "integral_s"),
    ),
    "jobs": (
        *("job", "set", "instance", "backend", "ask", "outcome", "status", "count", "verdict"),
        *("evidence", "wall_s"),
    ),
    "reasons": ("backend", "outcome", "reason", "jobs", "first_job"),
}
"""The columns of each table that the screen has; of one that is not here it has all."""

CAPTIONS: Mapping[str, str] = {
    "summary": "All sets together. A 95% interval is in brackets; the best value is bold.",
    "timing": "Each set and question. Brackets beside a median hold the quartiles.",
    "agreement": "What became of the instances.",
}
"""What tables that are written together show."""

OCCASIONAL = ("unwitnessed", "unproven", "disputed", "to_best_percent", "relative_note")
"""Columns of the screen that are left out where they say nothing."""

_BEST: Mapping[str, Literal["least", "most"]] = {
    **dict.fromkeys(("verified", "solved", "wins", "sets_won"), "most"),
    **dict.fromkeys(("par2_s", "median_s", "relative", "to_best_percent", "to_first"), "least"),
    **dict.fromkeys(("gap_percent", "mean_s", "total_s", "integral_s"), "least"),
}
_RANGES = {"relative": ("relative_low", "relative_high")}
_RANGES |= {"ratio": ("low", "high"), "used_ratio": ("used_low", "used_high")}
_RANGES |= {"growth": ("low", "high"), "p50_s": ("median_low", "median_high")}
_RANGES |= {"to_first": ("to_first_low", "to_first_high"), "median_s": ("p25_s", "p75_s")}
"""Columns whose two ends are shown beside the value: a 95% interval, or the quartiles."""

LEAST_P = 0.001
"""A smaller p is shown as less than this."""

_LABELS = {
    "par2_s": "PAR-2",
    "relative": "x VBS",
    "relative_note": "note",
    "to_first": "x first",
    "to_best_percent": "to best",
    "gap_percent": "gap",
    "incumbent_s": "best found after",
    "integral_s": "primal integral",
    "wall_s": "wall time",
    "cpu_s": "CPU time",
}
_UNITS = {"_percent": "%", "_s": "s", "_mb": "MB", "_bytes": "bytes"}


@dataclass(frozen=True)
class Column:
    """A column: its name in the DataFrame, what people call it, its unit, on which side it is
    aligned, and whether the screen has it."""

    name: str
    label: str
    unit: str = ""
    is_numeric: bool = False
    on_screen: bool = True

    @property
    def heading(self) -> str:
        """The label, with the unit in brackets."""
        return f"{self.label} ({self.unit})" if self.unit else self.label


@dataclass(frozen=True)
class Cell:
    """A cell: its text, the value to sort by, and whether it is the best."""

    text: str
    value: Any = None
    is_best: bool = False


@dataclass(frozen=True)
class Sheet:
    """A table ready to be shown."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]

    def narrow(self) -> Sheet:
        """Only the columns of the screen."""
        kept = [place for place, column in enumerate(self.columns) if column.on_screen]
        return Sheet(
            [self.columns[place] for place in kept],
            [[row[place] for place in kept] for row in self.rows],
        )


def choose_columns(frame: pd.DataFrame, text: str) -> list[str]:
    """The columns named in ``text``, with commas in between; InputError for an unknown one."""
    names = [name.strip() for name in text.split(",")]
    known = list(map(str, frame.columns))
    for name in names:
        if name not in known:
            raise InputError(
                f"no column is called {name!r}{did_you_mean(name, known)} "
                f"(there are: {', '.join(known)})"
            )
    return names


def present(
    frame: pd.DataFrame,
    screen: Sequence[str],
    chosen: Sequence[str] = (),
    alike: Sequence[str] = (),
) -> Sheet:
    """The sheet of a DataFrame whose screen has these columns; or only the ``chosen`` columns.

    Times in the columns ``alike`` have one unit, so that they can be compared across a row.
    """
    silent = {n for n in OCCASIONAL if n in frame and not chosen and not _says_something(frame[n])}
    wanted = [n for n in chosen or screen if n in frame and n not in silent]
    ends = {end for name in wanted for end in _RANGES.get(name, ()) if not chosen}
    wanted = [name for name in wanted if name not in ends]
    others = [] if chosen else [n for n in map(str, frame.columns) if n not in {*wanted, *ends}]
    rows = list_rows(frame)
    best = _find_best(frame)
    columns, cells = [], []
    for name in [*wanted, *others]:
        factor, unit = _choose_unit(alike if name in alike else [name], frame)
        range_ = () if chosen else _RANGES.get(name, ())
        columns.append(
            Column(name, name_column(name), unit, _is_numeric(frame[name]), name in wanted)
        )
        cells.append(
            [
                Cell(_write(row, name, range_, factor), row[name], (place, name) in best)
                for place, row in enumerate(rows)
            ]
        )
    return Sheet(columns, [list(row) for row in zip(*cells, strict=True)])


def name_column(name: str) -> str:
    """What people call a column."""
    if name in _LABELS:
        return _LABELS[name]
    stem = next((name.removesuffix(end) for end in _UNITS if name.endswith(end)), name)
    return stem.removeprefix("stat_").replace("_", " ")


def _says_something(column: pd.Series[Any]) -> bool:
    return any(bool(value) for value in column.dropna().unique())


def _is_numeric(column: pd.Series[Any]) -> bool:
    found = column.dropna()
    if pd.api.types.is_bool_dtype(column):
        return False
    return pd.api.types.is_numeric_dtype(column) or (
        len(found) > 0 and all(isinstance(value, Integral) for value in found)
    )


def _choose_unit(names: Sequence[str], frame: pd.DataFrame) -> tuple[float, str]:
    ending = next((end for end in _UNITS if names[0].endswith(end)), "")
    if ending != "_s":
        return 1.0, _UNITS.get(ending, "")
    return choose_unit(second for name in names for second in frame[name].dropna().astype(float))


def _write(row: Mapping[str, Any], name: str, range_: Sequence[str], factor: float) -> str:
    value = row[name]
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Integral) or not isinstance(value, Real):
        return MISSING if value is None or value is pd.NA else format_cell(value)
    if (name == "p" or name.endswith("_p")) and 0 <= float(value) < LEAST_P:
        return f"<{LEAST_P}"
    text = "over" if value == float("inf") else format_figure(float(value) * factor)
    ends = [float(row.get(end, nan)) for end in range_]
    if ends and all(map(isfinite, [float(value), *ends])):
        text += f" [{', '.join(format_figure(end * factor) for end in ends)}]"
    return text


def _find_best(frame: pd.DataFrame) -> set[tuple[int, str]]:
    """The places of the best cells, by row and column."""
    if not len(frame):
        return set()
    groups = [name for name in INSTANCE if name in frame]
    found = set()
    for name, sense in _BEST.items():
        if name not in frame or "backend" not in frame:
            continue
        values = frame[name].astype(float).replace(np.inf, np.nan)
        values = values.mask(_is_disqualified(frame)).reset_index(drop=True)
        keys = [frame[key].astype(str).reset_index(drop=True) for key in groups]
        by: Any = values.groupby(keys) if keys else values.groupby(lambda place: 0)
        level = by.transform("min" if sense == "least" else "max")
        ties = (values == level).groupby(keys or (lambda place: 0)).transform("sum")
        rows = by.transform("size")
        is_best = (values == level) & (2 * ties <= rows)  # what most have is nothing special
        found |= {(int(place), name) for place in values.index[is_best]}
    return found


def _is_disqualified(frame: pd.DataFrame) -> Any:
    """The rows of backends with a wrong answer, which are the best in nothing."""
    if "relative_note" in frame:
        return (frame["relative_note"] == "disqualified").to_numpy()
    return (frame["verdict"] == "wrong").to_numpy() if "verdict" in frame else [False] * len(frame)


# --- forms ---------------------------------------------------------------------------------

_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    }
)
_MARKDOWN = str.maketrans({"&": "&amp;", "<": "&lt;", **{sign: f"\\{sign}" for sign in "\\|[]`*_"}})


def to_latex(sheet: Sheet, caption: str = "", label: str = "") -> str:
    r"""A ``tabular`` with the rules of booktabs: ``\usepackage{booktabs}``.

    With a caption it lies in a ``table``, the caption above it, with the label if there is one.
    """
    sides = "".join("r" if column.is_numeric else "l" for column in sheet.columns)
    head = [column.heading.translate(_LATEX) for column in sheet.columns]
    body = [[_embolden(cell, r"\textbf{%s}", _LATEX) for cell in row] for row in sheet.rows]
    lines = [
        *(
            "% needs \\usepackage{booktabs}",
            rf"\begin{{tabular}}{{@{{}}{sides}@{{}}}}",
            r"\toprule",
        ),
        " & ".join(head) + r" \\",
        r"\midrule",
        *(" & ".join(row) + r" \\" for row in body),
        *(r"\bottomrule", r"\end{tabular}"),
    ]
    if caption:
        named = [rf"\label{{{label}}}"] if label else []
        begin = [r"\begin{table}", r"\centering", rf"\caption{{{caption.translate(_LATEX)}}}"]
        lines = [lines[0], *begin, *named, *lines[1:], r"\end{table}"]
    return "\n".join(lines) + "\n"


def to_markdown(sheet: Sheet) -> str:
    """A pipe table."""
    head = [column.heading.translate(_MARKDOWN) for column in sheet.columns]
    rule = ["---:" if column.is_numeric else "---" for column in sheet.columns]
    body = [[_embolden(cell, "**%s**", _MARKDOWN) for cell in row] for row in sheet.rows]
    return "".join(f"| {' | '.join(row)} |\n" for row in [head, rule, *body])


def _embolden(cell: Cell, bold: str, signs: dict[int, str]) -> str:
    text = cell.text.translate(signs)
    return bold % text if cell.is_best else text


def to_html(sheet: Sheet) -> str:
    """A table element; names and messages are text, whatever they hold.

    Columns that the screen does not have are of the class ``more``, numbers of the class ``n``;
    a cell whose text does not sort as its value does has that in ``data-v``.
    """
    head = "".join(
        f'<th scope="col"{_mark(column)} data-name="{escape(column.name)}">'
        f"{escape(column.label)}{f' <small>{escape(column.unit)}</small>' * bool(column.unit)}</th>"
        for column in sheet.columns
    )
    body = "".join(
        f"<tr>{''.join(map(_write_cell, sheet.columns, row))}</tr>\n" for row in sheet.rows
    )
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n"


def _mark(column: Column) -> str:
    names = ["n"] * column.is_numeric + ["more"] * (not column.on_screen)
    return f' class="{" ".join(names)}"' if names else ""


def _write_cell(column: Column, cell: Cell) -> str:
    value = cell.value
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    sorts = f' data-v="{value:.6g}"' if is_number and not isinstance(value, Integral) else ""
    if is_number and isinstance(value, Integral) and cell.text != str(value):
        sorts = f' data-v="{value}"'
    text = escape(cell.text)
    return f"<td{_mark(column)}{sorts}>{f'<b>{text}</b>' if cell.is_best else text}</td>"


FORMS = {"latex": to_latex, "markdown": to_markdown, "html": to_html}
