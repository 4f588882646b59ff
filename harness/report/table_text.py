"""Numbers, sentences and tables as text: what fits a screen, Markdown, CSV or HTML.

Seconds are shown with three digits that matter; what is missing is a dash. Signs that a terminal,
Markdown or HTML would take for commands are made harmless. ``presentation`` has tables for papers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from math import isinf, isnan
from numbers import Integral, Real
from textwrap import wrap as wrap_words
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import pandas as pd

    Rows: TypeAlias = pd.DataFrame | Sequence[Mapping[str, Any]]

MISSING = "-"

GAP = 2
"""Spaces between two columns."""

Lines = list[str]


# --- numbers --------------------------------------------------------------------------------------


def format_cell(value: Any) -> str:
    """One cell: numbers short, text without control characters."""
    if value is None:
        return MISSING
    if isinstance(value, str):
        return _replace_control_signs(value)
    if isinstance(value, Real) and not isinstance(value, Integral):
        return _format_float(float(value), 6)
    return format_cell(str(value))


def _replace_control_signs(text: str, but: str = "") -> str:
    """The text without what a terminal would obey, as escapes and marks of direction."""
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() or sign in but else "\N{REPLACEMENT CHARACTER}" for sign in text
    )


def format_figure(value: float) -> str:
    """Three digits that matter, but no more than three decimals."""
    return _format_float(value, 3)


def _format_float(value: float, most: int) -> str:
    """Three digits that matter, with ``most`` decimals at most; zero with one digit less."""
    if isnan(value):
        return MISSING
    if isinf(value):
        return "inf" if value > 0 else "-inf"
    size = abs(value) or 0.001
    steps = (100, 10, 1, 0.1, 0.01, 0.001, 0)
    decimals = next(number for number, least in enumerate(steps) if size >= least)
    return f"{value:.{min(decimals, most)}f}"


def format_alike(*values: float) -> list[str]:
    """Numbers with as many decimals as the least of them needs."""
    least = min(values)
    decimals = 2 if least < 2 else 1 if least < 20 else 0
    return [f"{value:.{decimals}f}" for value in values]


def choose_unit(seconds: Iterable[float]) -> tuple[float, str]:
    """Times whose longest is under 100 seconds are easier to read in milliseconds."""
    longest = max((s for s in seconds if not (isnan(s) or isinf(s))), default=0.0)
    return (1000.0, "ms") if longest < 100 else (1.0, "s")


# --- lines that fit -------------------------------------------------------------------------------


def wrap(text: str, width: int, indent: str = "") -> Lines:
    """A sentence in lines; text in brackets, such as an interval, stays together."""
    held = re.sub(r"\[[^\]]*\]", lambda found: found[0].replace(" ", "\0"), text)
    lines = wrap_words(held, width, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines] or [""]


def fill(items: Sequence[str], width: int) -> Lines:
    """Items side by side, none broken over lines unless it is wider than one."""
    lines: Lines = []
    for place, item in enumerate(items):
        text = item if place == len(items) - 1 else f"{item},"
        if lines and len(lines[-1]) + 1 + len(text) <= width:
            lines[-1] += f" {text}"
        else:
            lines += wrap(text, width)
    return lines


def measure(rows: Sequence[Sequence[str]]) -> list[int]:
    """The width of each column."""
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


def align(head: list[str], body: list[list[str]], numeric: list[bool]) -> Lines:
    """The lines of a table: its head, a rule, its rows; numeric columns are aligned right."""
    widths, gap = measure([head, *body]), " " * GAP

    def line(cells: list[str]) -> str:
        pairs = zip(cells, widths, numeric, strict=True)
        return gap.join(c.rjust(w) if n else c.ljust(w) for c, w, n in pairs).rstrip()

    return [line(head), gap.join("-" * width for width in widths), *map(line, body)]


def align_named(head: list[str], names: list[str], cells: list[list[str]], width: int) -> Lines:
    """A table whose first column holds ``names``, and all others but ``ask`` numbers.

    A name that is longer than what the other columns leave has a line of its own above its row.
    """
    room = width - sum(GAP + column for column in measure([head[1:], *cells]))
    short = [name if len(name) <= max(room, len(head[0])) else "" for name in names]
    rows = [[name, *row] for name, row in zip(short, cells, strict=True)]
    top, rule, *body = align(head, rows, [place > 0 and n != "ask" for place, n in enumerate(head)])
    lines = [top, rule]
    for name, shown, line in zip(names, short, body, strict=True):
        lines += [line] if shown or not name else [*wrap(name, width), line]
    return lines


# --- tables: DataFrames, or a few rows without pandas ---------------------------------------------


def list_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Each row as a dictionary by the names of the columns."""
    return [{str(name): cell for name, cell in row.items()} for row in frame.to_dict("records")]


def split(table: Rows) -> tuple[list[str], list[list[str]], list[bool]]:
    """Headings, cells as text, which columns hold numbers alone: what all forms are made of."""
    if isinstance(table, Sequence):
        head, rows = list(next(iter(table), ())), [list(row.values()) for row in table]
        numeric = [all(map(_is_number, column)) for column in zip(*rows, strict=True)]
    else:
        from pandas.api.types import is_bool_dtype, is_numeric_dtype

        head, cells = list(table.columns), table.astype(object).where(table.notna(), None)
        rows = cells.to_numpy().tolist()
        numeric = [is_numeric_dtype(kind) and not is_bool_dtype(kind) for kind in table.dtypes]
    return list(map(format_cell, head)), [list(map(format_cell, row)) for row in rows], numeric


def _is_number(cell: Any) -> bool:
    return isinstance(cell, Real) and not isinstance(cell, bool)


def to_text(table: Rows) -> str:
    """Columns side by side, numbers to the right, for a terminal or a plain file."""
    return "\n".join(align(*split(table))) + "\n"


def fold(frame: pd.DataFrame, width: int, keys: int) -> Lines:
    """The columns in blocks that fit, each of which begins with the first ``keys`` columns."""
    return fold_cells(*split(frame), width, keys)


def fold_cells(
    head: list[str], body: list[list[str]], numeric: list[bool], width: int, keys: int
) -> Lines:
    """As ``fold``, of what ``split`` returns."""
    widths = [GAP + column for column in measure([head, *body])]
    blocks: list[list[int]] = []
    room = 0
    for column in range(keys, len(head)):
        if widths[column] > room:
            blocks.append(list(range(keys)))
            room = width + GAP - sum(widths[:keys])
        blocks[-1].append(column)
        room -= widths[column]
    lines: Lines = []
    for block in blocks:
        rows = [[row[column] for column in block] for row in (head, *body)]
        lines += [*align(rows[0], rows[1:], [numeric[column] for column in block]), ""]
    return lines[:-1]


def to_markdown(table: Rows) -> str:
    """A pipe table."""
    head, body, numeric = split(table)
    rule = ["---:" if right else "---" for right in numeric]
    rows = [[_escape_markdown(cell) for cell in row] for row in body]
    return "".join(f"| {' | '.join(row)} |\n" for row in [head, rule, *rows])


def to_csv(frame: pd.DataFrame) -> str:
    """Comma-separated values, numbers in full."""
    return str(escape_formulas(frame).to_csv(index=False))


def escape_formulas(frame: pd.DataFrame) -> pd.DataFrame:
    """The table, where no text of a cell or head is a formula to a spreadsheet: an apostrophe
    before it says that it is text (OWASP, CSV injection). Nor has it control characters, but for
    ends of lines and tabulators."""
    escaped = frame.copy(deep=False)
    for name, kind in frame.dtypes.items():
        if kind.kind == "O":
            # Not ``map``, which makes floats of whole numbers beside None, and loses their digits.
            cells = escaped[str(name)].astype(object)
            cells[:] = [_escape_formula(cell) for cell in cells]
            escaped[str(name)] = cells
    return escaped.rename(columns=_escape_formula)


def _escape_formula(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    is_formula = value.startswith(("=", "+", "-", "@", "\t", "\r"))
    text = _replace_control_signs(value, but="\n\t")
    return f"'{text}" if is_formula else text


def _escape_markdown(cell: str) -> str:
    """Text, of which nothing is HTML, a link or the end of a cell."""
    for sign in "\\|[]`":
        cell = cell.replace(sign, f"\\{sign}")
    return cell.replace("&", "&amp;").replace("<", "&lt;")


def to_html(table: Rows) -> str:
    """A table for a page or a notebook; whatever a backend, set or error is called, it is text."""
    head, body, numeric = split(table)
    sides = ["right" if right else "left" for right in numeric]

    def row(tag: str, cells: list[str]) -> str:
        style = "text-align: {}; font-variant-numeric: tabular-nums"
        pairs = zip(cells, map(style.format, sides), strict=True)
        inner = (f'<{tag} style="{look}">{escape(cell)}</{tag}>' for cell, look in pairs)
        return f"<tr>{''.join(inner)}</tr>"

    return f"<table>{row('th', head)}{''.join(row('td', cells) for cells in body)}</table>"
