"""A DataFrame as text: aligned columns, Markdown, CSV or LaTeX.

Seconds are shown with three digits that matter; what is missing is a dash. Signs that a terminal,
Markdown or LaTeX would take for commands are made harmless.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isinf, isnan
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

MISSING = "-"

_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}


def format_cell(value: Any) -> str:
    """One cell: numbers short, text without control characters."""
    if value is None:
        return MISSING
    if isinstance(value, str):
        return "".join(
            sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in value
        )
    if isinstance(value, Integral):
        return str(value)
    if isinstance(value, Real):
        return _short(float(value))
    return format_cell(str(value))


def _short(value: float) -> str:
    if isnan(value):
        return MISSING
    if isinf(value):
        return "inf" if value > 0 else "-inf"
    size = abs(value)
    for least, digits in ((100, 0), (10, 1), (1, 2), (0.1, 3), (0.01, 4)):
        if size >= least:
            return f"{value:.{digits}f}"
    return f"{value:.5f}" if size >= 0.001 or not size else f"{value:.6f}"


def as_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Each row as a dictionary by the names of the columns."""
    return [{str(name): cell for name, cell in row.items()} for row in frame.to_dict("records")]


def to_text(frame: pd.DataFrame) -> str:
    """Columns side by side, numbers to the right, for a terminal or a plain file."""
    return "\n".join(align(*split(frame))) + "\n"


def align(head: list[str], body: list[list[str]], numeric: list[bool]) -> list[str]:
    """The lines of a table: its head, a rule, its rows; numeric columns stand to the right."""
    widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]

    def line(cells: list[str]) -> str:
        pairs = zip(cells, widths, numeric, strict=True)
        return "  ".join(c.rjust(w) if n else c.ljust(w) for c, w, n in pairs).rstrip()

    rule = "  ".join("-" * width for width in widths)
    return [line(head), rule, *map(line, body)]


def to_markdown(frame: pd.DataFrame) -> str:
    """A pipe table."""
    head, body, numeric = split(frame)
    rule = ["---:" if right else "---" for right in numeric]
    rows = [[cell.replace("\\", "\\\\").replace("|", "\\|") for cell in row] for row in body]
    return "".join(f"| {' | '.join(row)} |\n" for row in [head, rule, *rows])


def to_csv(frame: pd.DataFrame) -> str:
    """Comma-separated values, numbers in full."""
    return str(frame.to_csv(index=False))


def to_latex(frame: pd.DataFrame) -> str:
    """A tabular environment; it needs no package."""
    head, body, numeric = split(frame)
    columns = "".join("r" if right else "l" for right in numeric)
    rows = [" & ".join(map(_escape, row)) + r" \\" for row in [head, *body]]
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\hline", rows[0], r"\hline"]
    return "\n".join([*lines, *rows[1:], r"\hline", r"\end{tabular}"]) + "\n"


FORMATS: Mapping[str, Callable[[pd.DataFrame], str]] = {
    "text": to_text,
    "markdown": to_markdown,
    "csv": to_csv,
    "latex": to_latex,
}


def _escape(cell: str) -> str:
    return "".join(_LATEX.get(sign, sign) for sign in cell)


def split(frame: pd.DataFrame) -> tuple[list[str], list[list[str]], list[bool]]:
    """Headings, cells as text, and which columns hold numbers."""
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    kinds = list(frame.dtypes)
    numeric = [is_numeric_dtype(kind) and not is_bool_dtype(kind) for kind in kinds]
    body = [[format_cell(cell) for cell in row] for row in frame.itertuples(index=False, name=None)]
    return [format_cell(str(name)) for name in frame.columns], body, numeric
