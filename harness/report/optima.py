"""Searches for an optimum: what each found and proved, when, and how good that is.

Words
-----
search      a job that was asked for the best solution
gap         how far two values of an objective lie apart, as a part of the larger one: 0 where they
            are equal, 1 where their signs differ or one is missing
best known  the best value among the checked solutions of an instance, whoever found it
proven      the search ended with an optimum that is verified or unwitnessed
unproven    it ended without, and a solution of it holds: no failure, and no answer either
no search   the backend refused it, cannot express it, or was not run: gap and integral are missing
integral    the primal integral: the sum over the time to the limit of the gap between the best
            solution so far and the best known one, in seconds; 0 is best, the limit itself is worst

Gap and integral are those of Berthold, "Measuring the impact of primal heuristics", Operations
Research Letters 41, 2013.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isinf, isnan, nan
from typing import Any

import pandas as pd

from harness import statistics
from harness.record import REFUSALS, SOLVED, UNRUN
from harness.report.standings import INSTANCE, TRIED
from harness.report.table_text import Lines, align_named, format_figure, list_rows

OPTIMA = [
    *("job", "set", "ask", "instance", "backend", "sense", "outcome", "verdict", "proven"),
    *("unproven", "objective", "bound", "best_known", "gap_percent", "to_best_percent"),
    *("incumbents", "incumbent_s", "integral_s"),
]

STOPPED = ("timeout", "memout", "gave_up")
"""How a search ends that was going well."""

MOST_SEARCHES = 24
"""Most searches that are shown one by one."""

Row = dict[str, Any]


def find_gap(value: int | None, other: int | None) -> float:
    """The gap between two values; see above."""
    if value is None or other is None or value * other < 0:
        return 1.0
    return 0.0 if value == other else abs(value - other) / max(abs(value), abs(other))


def integrate(steps: Sequence[tuple[float, int]], best: int, until: float) -> float:
    """The primal integral of solutions, each with its seconds, up to ``until`` seconds."""
    total, since, gap = 0.0, 0.0, 1.0
    for seconds, value in steps:
        now = min(seconds, until)
        total += gap * (now - since)
        since, gap = now, find_gap(value, best)
    return total + gap * max(0.0, until - since)


def make_optima(searches: pd.DataFrame) -> pd.DataFrame:
    """One row a search, by set, instance and backend; without a search the row is missing.

    ``searches`` has the columns that ``harness.report.jobs.list_searches`` reads.
    """
    rows = []
    for _, group in searches.groupby(INSTANCE, sort=False, observed=True):
        same = list_rows(group)
        sense = next((row["sense"] for row in same if row["sense"]), "")
        known = [row["objective"] for row in same if _is_shown(row)]
        best = (max if sense == "maximize" else min)(known, default=None)
        longest = max(row["wall_s"] for row in same)
        rows += [_measure(row, sense, best, longest) for row in same]
    rows.sort(key=lambda row: (row["set"], row["ask"], row["instance"], row["backend"]))
    return _tabulate(rows)


def _tabulate(rows: Sequence[Row]) -> pd.DataFrame:
    found = {name: [row[name] for row in rows] for name in OPTIMA}
    whole = ("objective", "bound", "best_known")  # numbers of any size, or None
    return pd.DataFrame(
        {n: pd.Series(v, dtype=object if n in whole else None) for n, v in found.items()}
    )


def _is_shown(row: Row) -> bool:
    """Whether the objective is that of a solution that holds."""
    is_refuted = row["verdict"] in ("wrong", "disputed")
    return row["objective"] is not None and row["checked"] > 0 and not is_refuted


def _measure(row: Row, sense: str, best: int | None, longest: float) -> Row:
    shown = _is_shown(row)
    solved = row["outcome"] == "finished" and row["verdict"] in SOLVED
    value = row["objective"] if shown else None
    steps = [(seconds, v) for seconds, v, kind in row["incumbents"] if kind == "found"]
    if shown and not steps:  # it reported nothing on its way
        steps = [(row["wall_s"], row["objective"])]
    until = longest if isnan(row["limit_s"]) else row["limit_s"]
    gap = 0.0 if solved else 100 * find_gap(value, row["bound"])
    to_best = 0.0 if solved else nan if best is None else 100 * find_gap(value, best)
    integral = nan if best is None else integrate(steps if shown else [], best, until)
    if row["outcome"] in (*REFUSALS, *UNRUN):
        gap = to_best = integral = nan
    return {
        **{name: row[name] for name in OPTIMA if name in row},
        "sense": sense,
        "proven": solved and shown,
        "unproven": shown and not solved and row["outcome"] in STOPPED,
        "best_known": best,
        "gap_percent": gap,
        "to_best_percent": to_best,
        "incumbents": len(steps),
        "incumbent_s": steps[-1][0] if shown else nan,
        "integral_s": integral,
    }


def merge_repeats(optima: pd.DataFrame) -> pd.DataFrame:
    """One row an instance and backend, of ``make_optima``: the worst of its repeats, with the
    median of their seconds to the best solution and the mean of their integrals.

    A repeat that found no solution is over every limit.
    """
    rows = []
    for _, group in optima.groupby(TRIED, sort=False, observed=True):
        repeats = list_rows(group)
        found = [row["incumbent_s"] for row in repeats if not isnan(row["incumbent_s"])]
        (middle,) = statistics.percentiles_of_all(found, len(repeats) - len(found), 50)
        integrals = [row["integral_s"] for row in repeats if not isnan(row["integral_s"])]
        seconds = {"incumbent_s": middle, "integral_s": statistics.mean(integrals)}
        worst: Row = max(repeats, key=_rate_badness)
        rows.append(worst | seconds)
    return _tabulate(rows)


def _rate_badness(row: Row) -> tuple[bool, bool, float]:
    far = row["to_best_percent"]
    return not row["proven"], not row["unproven"], inf if isnan(far) else far


# --- as text --------------------------------------------------------------------------------------


def lay_out_optima(optima: pd.DataFrame, backends: Sequence[str], width: int) -> Lines:
    """A row a backend, in the order given; and one an instance and backend, unless there are too
    many. ``optima`` has one of these (``merge_repeats``)."""
    head = ["backend", "proven", "found", "best", "gap %", "to best %", "s to best", "integral"]
    parts = {str(name): part for name, part in optima.groupby("backend", observed=True)}
    ranked = [name for name in backends if name in parts]
    lines = align_named(head, ranked, [_sum_up(parts[name]) for name in ranked], width)
    if len(optima) > MOST_SEARCHES:
        return lines
    head = ["search", "objective", "bound", "gap %", "to best %", "s to best", "integral"]
    names: Lines = []
    cells: list[Lines] = []
    for (set_name, _, instance), part in optima.groupby(INSTANCE, observed=True):
        rows = sorted(list_rows(part), key=lambda row: ranked.index(row["backend"]))
        names += [f"{set_name}: {instance}", *(f"  {row['backend']}" for row in rows)]
        cells += [[""] * (len(head) - 1), *map(_format_search, rows)]
    return [*lines, "", *filter(None, align_named(head, names, cells, width))]


def _sum_up(part: pd.DataFrame) -> list[str]:
    found = part[part["proven"] | part["unproven"]]

    def known(rows: pd.DataFrame, name: str) -> list[float]:
        return [float(value) for value in rows[name].dropna()]

    means = [statistics.mean(known(part, name)) for name in ("gap_percent", "to_best_percent")]
    seconds = [value for value in known(found, "incumbent_s") if not isinf(value)]
    (middle,) = statistics.percentiles_of_all(seconds, len(part) - len(seconds), 50)
    integral = statistics.mean(known(part, "integral_s"))
    level = int((found["to_best_percent"] == 0).sum())
    counts = int(part["proven"].sum()), len(found), level
    return [*map(str, counts), *map(_format_seconds, (*means, middle, integral))]


def _format_seconds(value: float) -> str:
    return "over" if isinf(value) else format_figure(value)


def _format_search(row: Row) -> list[str]:
    proof = "*" if row["proven"] else ""
    value = "-" if row["objective"] is None else f"{row['objective']}{proof}"
    bound = "-" if row["bound"] is None else str(row["bound"])
    names = ("gap_percent", "to_best_percent", "incumbent_s", "integral_s")
    return [value, bound, *(_format_seconds(row[name]) for name in names)]
