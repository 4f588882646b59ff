"""The differences between two runs as text, Markdown for a pull request, and JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd

from harness.report.differences import Differences, word_ratio
from harness.report.table_text import (
    Lines,
    align_named,
    choose_unit,
    format_cell,
    format_figure,
    list_rows,
    to_markdown,
    wrap,
)
from modelling.wording import join_words, plural

MOST = 20
"""Most verdicts, and most names, that are shown."""

CHANGED = ("slower", "faster")

Row = dict[str, Any]


def write_headline(found: Differences) -> list[str]:
    """What changed, in a few sentences."""
    said = []
    for change in CHANGED:
        rows = list_rows(found.backends[found.backends["change"] == change])
        if rows:
            listed = join_words([f"{_name(row)} {word_ratio(row)}" for row in rows])
            said.append(f"{change.capitalize()} (time in NEW / BASE): {listed}.")
    if not said:
        said.append("No backend is faster or slower beyond noise.")
    counts = found.verdicts["change"].value_counts()
    words = {
        "worse": "got worse",
        "better": "got better",
        "borderline": "changed near the time limit",
        "changed": "changed otherwise",
    }
    counted = [f"{counts[key]} {word}" for key, word in words.items() if counts.get(key)]
    pairs = int(found.backends["pairs"].sum())
    if counted:
        said.append(f"Verdicts of {plural(pairs, 'pair')}: {join_words(counted)}.")
    else:
        said.append(f"No verdict changed, of {plural(pairs, 'pair')}.")
    return said


def lay_out_differences(
    found: Differences, width: int, wide: bool = False
) -> list[tuple[str, Lines]]:
    """What is shown on a terminal: headings, and lines that fit ``width``."""
    sections = [("", list(chain(*(wrap(line, width) for line in write_headline(found)))))]
    sections.append(("Speed, by backend", _lay_out_speed(found.backends, width)))
    families = _choose_families(found, wide)
    if len(families):
        sections.append(("Speed, by family", _lay_out_speed(families, width)))
    lists = {
        "Verdicts": _shorten([_word_verdict(row) for row in list_rows(found.verdicts)], wide),
        "In one run alone": _word_lone(found.lone, wide),
        "Circumstances that differ": found.circumstances,
        "Doubts": found.doubts,
    }
    sections += [
        (heading, list(chain(*(wrap(line, width, "  ") for line in lines))))
        for heading, lines in lists.items()
        if lines
    ]
    return [(heading, [format_cell(line) for line in lines]) for heading, lines in sections]


def write_markdown(found: Differences, faults: Sequence[str], wide: bool = False) -> str:
    """A summary for a pull request; ``faults`` are why the run does not pass."""
    said = [f"**Failed:** {fault}." for fault in faults] + write_headline(found)
    parts = ["\n".join(f"{_escape(line)}  " for line in said), _tabulate(found.backends)]
    families = _choose_families(found, wide)
    if len(families):
        parts += ["**By family**", _tabulate(families)]
    if len(found.verdicts):
        shown = found.verdicts if wide else found.verdicts.head(MOST)
        parts += ["**Verdicts**", to_markdown(_make_verdict_rows(shown))]
        if len(shown) < len(found.verdicts):
            parts.append(f"{len(found.verdicts) - len(shown)} more are in the JSON.")
    notes = [*_word_lone(found.lone, wide), *found.circumstances, *found.doubts]
    if notes:
        parts.append("\n".join(f"- {_escape(note)}" for note in notes))
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def write_json(found: Differences, faults: Sequence[str]) -> str:
    """All that is known of the differences; what is missing is null."""
    frames = ("backends", "families", "verdicts", "lone")
    tables = {name: json.loads(getattr(found, name).to_json(orient="records")) for name in frames}
    more = {"circumstances": found.circumstances, "doubts": found.doubts, "faults": list(faults)}
    return json.dumps({"passed": not faults, **tables, **more}, indent=2) + "\n"


def _escape(text: str) -> str:
    """A sentence that has no HTML and no link in it, whatever a backend is called."""
    safe = escape(format_cell(text), quote=False)
    for sign in "|`<":
        safe = safe.replace(sign, f"\\{sign}")
    return safe.replace("](", "]\\(")


# --- parts ---------------------------------------------------------------------------------------


def _choose_families(found: Differences, wide: bool) -> pd.DataFrame:
    """Those that changed; with ``wide`` all, unless there is a single one."""
    families = found.families
    if families["family"].nunique() == 1:
        return families.head(0)
    return families if wide else families[families["change"].isin(CHANGED)]


def _name(row: Row) -> str:
    same = row["backend"] == row["new_backend"]
    return str(row["backend"]) if same else f"{row['backend']} -> {row['new_backend']}"


def _make_speed_rows(speed: pd.DataFrame) -> list[Row]:
    factor, unit = choose_unit([*speed["base_s"], *speed["new_s"]])
    by_family = bool(speed["family"].any())
    return [
        {
            "backend": _name(row),
            **({"family": row["family"]} if by_family else {}),
            "timed": f"{row['timed']}/{row['pairs']}",
            f"base {unit}": format_figure(factor * row["base_s"]),
            f"new {unit}": format_figure(factor * row["new_s"]),
            "ratio": "-" if np.isnan(row["ratio"]) else f"{row['ratio']:.2f}",
            "95% interval": "-"
            if np.isnan(row["low"])
            else f"[{row['low']:.2f}, {row['high']:.2f}]",
            "p (Holm)": _format_chance(row["p"]),
            "change": row["change"],
        }
        for row in list_rows(speed)
    ]


def _format_chance(chance: float) -> str:
    if np.isnan(chance):
        return "-"
    return "<0.001" if chance < 0.001 else f"{chance:.3f}"


def _lay_out_speed(speed: pd.DataFrame, width: int) -> Lines:
    rows = _make_speed_rows(speed)
    head = list(rows[0])
    if "family" in head:
        names = [f"{row['backend']}, {row['family']}" for row in rows]
        head = ["backend, family", *(name for name in head if name not in ("backend", "family"))]
    else:
        names = [row["backend"] for row in rows]
    cells = [[row[name] for name in head[1:]] for row in rows]
    return align_named(head, names, cells, width)


def _tabulate(speed: pd.DataFrame) -> str:
    return to_markdown(_make_speed_rows(speed))


def _make_verdict_rows(verdicts: pd.DataFrame) -> list[Row]:
    return [
        {
            "change": row["change"],
            "backend": _name(row),
            "set": row["set"],
            "instance": row["instance"],
            "base": _word_side(row["base"], row["base_answer"]),
            "new": _word_side(row["new"], row["new_answer"]),
        }
        for row in list_rows(verdicts)
    ]


def _word_side(fate: str, answer: str) -> str:
    return fate if fate == answer else f"{fate} ({answer})"


def _word_verdict(row: Row) -> str:
    before = _word_side(row["base"], row["base_answer"])
    after = _word_side(row["new"], row["new_answer"])
    return f"{row['change']}: {_name(row)} on {row['set']} {row['instance']}: {before} -> {after}"


def _word_lone(lone: pd.DataFrame, wide: bool) -> list[str]:
    said = []
    for (run, what), part in lone.groupby(["run", "what"], sort=False):  # type: ignore[misc]
        names = list(part["name"])
        shown = names if wide else names[:3]
        more = f" and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
        said.append(f"{plural(len(names), str(what))} in {run} alone: {', '.join(shown)}{more}")
    return said


def _shorten(lines: list[str], wide: bool) -> list[str]:
    if wide or len(lines) <= MOST:
        return lines
    return [*lines[:MOST], f"{len(lines) - MOST} more; --wide shows all"]
