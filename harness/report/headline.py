"""Who won, in a sentence or two, from the summary of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.report.standings import SOLVED
from harness.report.table_text import as_rows
from harness.wording import join_words, plural

if TYPE_CHECKING:
    import pandas as pd

Rows = list[dict[str, Any]]


def headline(summary: pd.DataFrame) -> str:
    """Who comes first, by how much, and what became of the answers."""
    rows: Rows = as_rows(summary)
    if not rows:
        return "No job has ended yet."
    ranked = [row for row in rows if row["solved"] and not row["disqualified"]]
    sentences = [f"{_first(ranked, rows)}; {_answers(rows)}."] if ranked else [_nobody(rows)]
    sentences += _fastest(ranked) + _disqualified(rows)
    return " ".join(sentences)


def _nobody(rows: Rows) -> str:
    if any(row["disqualified"] for row in rows):
        return "No backend is ranked: none that solved anything is without a wrong answer."
    number = rows[0]["instances"]
    nothing = "the one instance" if number == 1 else f"any of the {number} instances"
    if len(rows) == 1:
        return f"{rows[0]['backend']} did not solve {nothing}."
    return f"No backend solved {nothing}."


def _first(ranked: Rows, rows: Rows) -> str:
    first, *others = ranked
    if len(rows) == 1:
        return f"{first['backend']} solved {_share_solved(first)}; no other backend to compare with"
    if not others:
        return f"only {first['backend']} is ranked: it solved {_share_solved(first)}"
    level = [row["backend"] for row in ranked if row["rank"] == first["rank"]]
    if len(level) > 1:
        return (
            f"{join_words(level)} are level: {_share_solved(first)} solved each, in the same time"
        )
    return f"{first['backend']} {_compare_with(first, others[0])}"


def _compare_with(first: dict[str, Any], second: dict[str, Any]) -> str:
    """How the first compares with the next one: by what they are ranked by, and by speed."""
    name, where = second["backend"], " overall"
    said = [_sets_won(first)] if first["sets_won"] else []
    if any(first[word] != second[word] for word in SOLVED):
        where = " where both solved it"
        ranks = f"ranks first with {_count_solved(first)} where {name} has {_count_solved(second)}"
        said = [ranks, *(said if first["sets"] > 1 else [])]
    return ", ".join([*(said or ["ranks first"]), _speed(second, name, where)])


def _sets_won(row: dict[str, Any]) -> str:
    if row["sets"] == 1:
        return "is fastest"
    return f"is fastest on {row['sets_won']} of {row['sets']} sets"


def _speed(second: dict[str, Any], name: str, where: str) -> str:
    """How much faster than the second the first is, over the instances that both solved."""
    if not second["both"]:
        return f"no instance was solved by both it and {name}"
    ratio, low, high = (second[f"to_first{end}"] for end in ("", "_low", "_high"))
    if second["both"] == 1:
        (taken,) = _format_alike(ratio)
        return f"{name} took {taken} times as long on the one instance that both solved"
    value, *ends = _format_alike(ratio, low, high)
    interval = f"[{', '.join(ends)}]"
    if low <= 1 <= high:
        return f"as fast as {name}{where} within the error: {value} {interval} times its speed"
    if ratio > 1:
        return f"{value} times faster than {name}{where} {interval}"
    value, *ends = _format_alike(1 / ratio, 1 / high, 1 / low)
    return f"though {name} is {value} times faster{where} [{', '.join(ends)}]"


def _format_alike(*values: float) -> list[str]:
    """Numbers with as many decimals as the least of them needs."""
    least = min(values)
    decimals = 2 if least < 2 else 1 if least < 20 else 0
    return [f"{value:.{decimals}f}" for value in values]


def _share_solved(row: dict[str, Any]) -> str:
    solved, number = row["solved"], row["instances"]
    if solved == number:
        return "the one instance" if number == 1 else f"all {number} instances"
    return f"{solved} of {plural(number, 'instance')}"


def _count_solved(row: dict[str, Any]) -> str:
    alone = f" and {row['unwitnessed']} unwitnessed" if row["unwitnessed"] else ""
    return f"{row['verified']} of {row['instances']} verified{alone}"


def _answers(rows: Rows) -> str:
    """What the answers of all backends are worth."""
    words = ("unwitnessed", "unverified", "disputed", "wrong")
    open_ones = {word: sum(row[word] for row in rows) for word in words}
    said = [f"{number} {word}" for word, number in open_ones.items() if number]
    if not said:
        return "every answer verified"
    total = sum(open_ones.values()) + sum(row["verified"] for row in rows)
    return f"of {plural(total, 'answer')} {join_words(said)}"


def _fastest(ranked: Rows) -> list[str]:
    """Who is fastest on more sets than the first, but left instances unsolved."""
    if len(ranked) < 2:
        return []
    first, best = ranked[0], max(ranked, key=lambda row: row["sets_won"])
    if best["sets_won"] <= first["sets_won"]:
        return []
    why = f" ({best['relative_note']})" if best["relative_note"] else ""
    but = f", but solved {_share_solved(best)}{why}" if why else ""
    return [f"{best['backend']} {_sets_won(best)}{but}."]


def _disqualified(rows: Rows) -> list[str]:
    return [
        f"{row['backend']} is disqualified: {plural(row['wrong'], 'wrong answer')}."
        for row in rows
        if row["disqualified"]
    ]
