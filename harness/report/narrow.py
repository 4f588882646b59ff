"""The tables of a run in as many columns as there is room for: a heading, and lines that fit.

Names that are too long are shortened, and a legend says what they stand for.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from math import isinf, isnan
from typing import TYPE_CHECKING, Any

from harness.cli.screen import plural
from harness.report.labels import fill, labels, legend, share, wrap
from harness.report.standings import FAILED, FATES
from harness.report.table_text import MISSING, aligned, as_rows, shown

if TYPE_CHECKING:
    import pandas as pd

MOST_BACKENDS = 6
"""So many backends have a row of the summary and a column of the timing table."""

MOST_SETS = 25
"""So many sets have a row."""

GAP = 2
"""Spaces between two columns."""

LEAST_NAME = 8
"""Names are not cut below so many characters, however narrow the screen."""

LETTERS = {
    "unverified": "n",
    "gave_up": "g",
    "timeout": "t",
    "memout": "m",
    "unsupported": "u",
    "refused": "r",
    "lost": "l",
    "error": "e",
    "crashed": "c",
    "disputed": "d",
    "wrong": "w",
}
"""What stands behind the number of instances that were not solved."""

Rows = list[dict[str, Any]]
Lines = list[str]
Section = tuple[str, Lines]
"""A heading and the lines below it."""


# --- summary -------------------------------------------------------------------------------


def summary_table(summary: pd.DataFrame, width: int) -> Section:
    """One row a backend; those beyond the sixth below one another, in short."""
    rows: Rows = as_rows(summary)
    factor, unit = in_unit([row["par2_s"] for row in rows])
    first = rows[:MOST_BACKENDS]
    lines = _named(
        [str(row["backend"]) for row in first],
        ["backend", "solved", "wrong", "disp.", "failed", "wins", "PAR-2", "x VBS"],
        [_summary_cells(row, factor) for row in first],
        width,
    )
    for row in rows[MOST_BACKENDS:]:
        lines += _in_short(row, unit, factor, width)
    lines += fill(_summary_notes(rows, unit), width)
    sets = plural(int(summary["sets"].max()), "set")
    number = plural(int(summary["instances"].max()), "instance")
    return f"Summary of {sets}, {number}; ranked by verified, unwitnessed, PAR-2", lines


def _summary_cells(row: dict[str, Any], factor: float) -> list[str]:
    solved = str(row["verified"])
    if row["unwitnessed"]:
        solved += f"+{row['unwitnessed']}"
    relative = row["relative_note"] or figure(row["relative"])
    low, high = row["relative_low"], row["relative_high"]
    if not row["relative_note"] and not isnan(low):
        relative += f" [{figure(low)},{figure(high)}]"
    failed = row["failed"] + row["unverified"]
    return [
        *(solved, str(row["wrong"]), str(row["disputed"]), str(failed), str(row["wins"])),
        *(figure(row["par2_s"] * factor), relative),
    ]


def _in_short(row: dict[str, Any], unit: str, factor: float, width: int) -> Lines:
    counts = [f"{row[fate]} {fate}" for fate in FATES if row[fate]]
    wins = plural(row["wins"], "win")
    said = [*counts, wins, f"PAR-2 {figure(row['par2_s'] * factor)} {unit}"]
    if row["disqualified"]:
        said.append("disqualified")
    return wrap(f"{row['backend']}: {', '.join(said)}", width, indent="  ")


def _summary_notes(rows: Rows, unit: str) -> list[str]:
    notes = [f"PAR-2 in {unit}", "x VBS: times the virtual best solver [95% interval]"]
    if any(row["unwitnessed"] for row in rows):
        notes.append("solved: verified+unwitnessed")
    if any(row["disputed"] for row in rows):
        notes.append("disp.: disputed")
    if any(row["unverified"] for row in rows):
        notes.append("failed counts unverified answers")
    return notes


# --- agreement -----------------------------------------------------------------------------


def agreement_table(agreement: pd.DataFrame, summary: pd.DataFrame, width: int) -> Section:
    """The sets on which something but agreement was found; in a line, if there are none."""
    rows: Rows = as_rows(agreement)
    kinds = [name for name in agreement.columns if name not in ("set", "ask", "instances")]
    good, total = kinds[0], int(agreement["instances"].sum())
    failed = [f"{n} {fate}" for fate in FAILED if (n := int(summary[fate].sum()))]
    asked = plural(int(summary["instances"].sum()), "question")
    foot = wrap(f"of {asked} not answered: {', '.join(failed)}", width) if failed else []
    odd = [row for row in rows if row[good] < row["instances"]]
    if not odd:
        every = "the one instance" if total == 1 else f"all {total} instances"
        return f"Agreement: {every} {good}", foot
    head = ["ask", "instances", *(kind for kind in kinds if agreement[kind].sum())]
    names = [str(row["set"]) for row in odd[:MOST_SETS]]
    body = [[str(row[name]) for name in head] for row in odd[:MOST_SETS]]
    rest = [row for row in rows if row not in odd[:MOST_SETS]]
    if rest:
        names.append(plural(len(rest), "other set"))
        body.append(["", *(str(sum(row[name] for row in rest)) for name in head[1:])])
    lines = _named(names, ["set", *head], body, width)
    return "Agreement: what became of the instances", lines + foot


# --- timing --------------------------------------------------------------------------------


def timing_table(timing: pd.DataFrame, summary: pd.DataFrame, width: int) -> Section:
    """A row a set, a column a backend: the median time of the instances solved, and what failed."""
    order = [str(name) for name in summary["backend"]]
    backends = order[:MOST_BACKENDS]
    rows = {
        (row["set"], row["ask"], row["backend"]): row
        for row in as_rows(timing)
        if row["backend"] in backends
    }
    every = list(dict.fromkeys((name, ask) for name, ask, _ in rows))
    questions = every[:MOST_SETS]
    factor, unit = in_unit([row["median_s"] for row in rows.values()])
    usual, names, odd = _named_questions(questions)

    def body(spread: bool) -> list[list[str]]:
        return [
            [_median(rows.get((*question, name)), factor, spread) for name in backends]
            for question in questions
        ]

    room = width - GAP * len(backends)
    with_spread, without = body(True), body(False)
    spread = max(map(len, names)) + sum(_widths(with_spread)) <= room
    cells = with_spread if spread else without
    least = _widths(cells)
    most = max(min(max(map(len, names)), room - sum(least)), LEAST_NAME)
    wanted = [max(len(name), low) for name, low in zip(backends, least, strict=True)]
    short = labels(backends, share(least, wanted, room - most))
    short_names = labels(names, [most] * len(names))
    lines = aligned(
        ["set", *short],
        [[name, *row] for name, row in zip(short_names, cells, strict=True)],
        [False] + [True] * len(backends),
    )
    lines += legend([*backends, *names], [*short, *short_names], width)
    lines += fill([*_timing_notes(cells, rows.values()), *odd], width)
    lines += _left_out(len(every) - len(questions), len(order) - len(backends))
    return f"Timing: median {unit} of the instances solved; {asked(usual)}", lines


def _named_questions(questions: list[tuple[str, str]]) -> tuple[str, list[str], list[str]]:
    """What is asked most; the sets' names, with the question where a set has several; notes."""
    asks, sets = [ask for _, ask in questions], [name for name, _ in questions]
    usual = max(dict.fromkeys(asks), key=asks.count)
    names = [f"{name}:{ask}" if sets.count(name) > 1 else name for name, ask in questions]
    odd = [f"{name}: {asked(ask)}" for name, ask in questions if ask != usual]
    return usual, names, odd


def _median(row: dict[str, Any] | None, factor: float, spread: bool) -> str:
    """The median, marked where the backend comes first, and what was not solved."""
    if row is None:
        return MISSING
    failed = "".join(f"{row[fate]}{letter}" for fate, letter in LETTERS.items() if row[fate])
    if not row["solved"]:
        return failed
    said = figure(row["median_s"] * factor)
    if spread and row["solved"] > 1:
        said += f" [{figure(row['p25_s'] * factor)},{figure(row['p75_s'] * factor)}]"
    first = row["rank"] == 1 and row["relative_note"] != "disqualified"
    return f"{said}{'*' if first else ''}{f' {failed}' if failed else ''}"


def _timing_notes(cells: list[list[str]], rows: Iterable[dict[str, Any]]) -> list[str]:
    """What the signs and letters in the cells mean, of those that occur."""
    signs = {"*": "* first on its set by the same ranking", "[": "[first and third quartile]"}
    text = "".join(chain(*cells))
    found = [fate for fate in LETTERS if any(row[fate] for row in rows)]
    return [
        *(meaning for sign, meaning in signs.items() if sign in text),
        *(f"{LETTERS[fate]} {fate}" for fate in found),
    ]


def _left_out(sets: int, backends: int) -> Lines:
    """What there was no room for."""
    counts = ((sets, "set"), (backends, "backend"))
    more = [plural(number, thing) for number, thing in counts if number]
    return [f"... and {' and '.join(more)} more: --wide shows all"] if more else []


# --- columns -------------------------------------------------------------------------------


def _named(names: list[str], head: list[str], body: list[list[str]], width: int) -> Lines:
    """A table whose first column, of names, has what the others leave; its legend below it."""
    others = _widths([head[1:], *body])
    room = width - sum(others) - GAP * len(others)
    short = labels(names, [max(room, LEAST_NAME)] * len(names))
    lines = aligned(
        head,
        [[name, *cells] for name, cells in zip(short, body, strict=True)],
        [place > 0 and name != "ask" for place, name in enumerate(head)],
    )
    return lines + legend(names, short, width)


def _widths(cells: list[list[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*cells, strict=True)]


# --- figures -------------------------------------------------------------------------------


def figure(value: float) -> str:
    """Three digits that matter, but no more than three decimals."""
    if isnan(value) or isinf(value) or abs(value) >= 0.1:
        return shown(float(value))
    return f"{value:.3f}"


def in_unit(seconds: list[float]) -> tuple[float, str]:
    """Times whose longest is under 100 seconds are easier to read in milliseconds."""
    longest = max((s for s in seconds if not (isnan(s) or isinf(s))), default=0.0)
    return (1000.0, "ms") if longest < 100 else (1.0, "s")


def asked(ask: str) -> str:
    """The question in words."""
    words = {"1": "first solution", "all": "all solutions"}
    return words.get(ask, f"up to {ask} solutions" if ask.isdigit() else ask)
