"""The kinds of problem in a run: who is ranked how on each, and searches for an optimum by size.

Words
-----
kind        see ``harness.report.standings``
size        of a search for an optimum: the set, where a kind has a few, else a part of its
            instances in the order of the sizes that their family declares, or of the lengths of
            their texts
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from harness.record import SOLVED, UNPROVEN
from harness.report.standings import INSTANCE, KIND, Standings
from harness.report.statistics.equality import LEVEL, name_difference_to_first
from harness.report.statistics.sizes import format_size
from harness.report.table_text import list_rows
from harness.report.tables import COUNTS, compare_with_first, measure, rank
from modelling.wording import join_words

KINDS = [
    *("kind", "rank", "backend", "disqualified", *COUNTS, "wins", "to_best_percent", "par2_s"),
    *("relative", "relative_note", "both"),
    *("to_first", "to_first_low", "to_first_high", "to_first_p"),
]

Row = dict[str, Any]
"""A row of a table, by the names of its columns."""

SIZES = ["kind", "size", "unit", "backend", "instances", "proven", "to_best_percent", "par2_s"]

BY_SET, BY_LENGTH = "set", "characters"
"""The units of sizes that no family declares."""

MOST_NAMED = 3
"""Most others that a sentence names."""

MOST_SIZES = 4
"""Parts of the instances of a kind, unless they are sets."""


def make_kinds(standings: Standings) -> pd.DataFrame:
    """One row a kind and backend, in the order of ranking; the largest kind comes first."""
    rows: list[dict[str, Any]] = []
    for kind, group in _split_by_kind(standings.instances):
        parts = {str(name): part for name, part in group.groupby("backend", observed=True)}
        ranked = rank([measure(name, part) for name, part in parts.items()])
        first = parts[ranked[0]["backend"]]
        rows += [
            {"kind": kind, **row, **compare_with_first(parts[row["backend"]], first)}
            for row in ranked
        ]
    return pd.DataFrame(rows, columns=KINDS)


def _split_by_kind(per: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    groups = [(str(kind), part) for kind, part in per.groupby(KIND, observed=True)]
    number = {kind: len(part.drop_duplicates(INSTANCE)) for kind, part in groups}
    return sorted(groups, key=lambda one: (-number[one[0]], one[0]))


def make_sizes(
    standings: Standings, measure_all: Callable[[pd.DataFrame], pd.DataFrame] | None = None
) -> pd.DataFrame:
    """One row a kind, size and backend of the searches for an optimum, the smallest size first.

    ``measure_all`` gives of rows of the standings those whose size is declared, with the columns
    ``size`` and ``unit``.
    """
    per = standings.instances
    rows: list[dict[str, Any]] = []
    for kind, group in _split_by_kind(per[per["ask"].astype(str).str.startswith("opti")]):
        known = group.iloc[:0] if measure_all is None else measure_all(group)
        sizes, unit = _find_sizes(group, known)
        for size, part in group.groupby(sizes, observed=True):
            for name, own in part.groupby("backend", observed=True):
                found = measure(str(name), own)
                proven = sum(found[word] for word in SOLVED)
                about = {"kind": kind, "size": str(size), "unit": unit}
                rows.append({**found, **about, "proven": proven})
    return pd.DataFrame(rows, columns=SIZES)


def _find_sizes(group: pd.DataFrame, known: pd.DataFrame) -> tuple[pd.Series[Any], str]:
    """The size of each row, whose instances are of one kind, and what it counts.

    ``known`` are these rows with their declared sizes, or fewer where some have none.
    """
    is_declared = len(known) == len(group) > 0 and known["unit"].nunique() == 1
    values = known["size"].to_numpy() if is_declared else group["characters"].to_numpy()
    of_sets = pd.Series(values).groupby(group["set"].astype(str).to_numpy()).median().sort_values()
    if 1 < len(of_sets) <= MOST_SIZES + 1:
        order = [str(name) for name in of_sets.index]
        named = pd.Categorical(group["set"].astype(str), order)
        return pd.Series(named, index=group.index), BY_SET
    if is_declared:
        return pd.Series(_part_sizes(values), index=group.index), str(known["unit"].iloc[0])
    return _part_lengths(group), BY_LENGTH


def _part_sizes(values: Any) -> pd.Categorical[Any]:
    """Each size by itself where they are a few, else parts of about as many instances each."""
    sizes = np.unique(values)
    parts = pd.Series(values)
    if len(sizes) > MOST_SIZES + 1:
        parts = pd.Series(pd.qcut(values, MOST_SIZES, duplicates="drop"))
    ends = parts.groupby(parts, observed=True).indices
    names = {
        part: "-".join(map(format_size, np.unique([values[own].min(), values[own].max()])))
        for part, own in ends.items()
    }
    return pd.Categorical(parts.map(names).astype(str), list(names.values()))


def _part_lengths(group: pd.DataFrame) -> pd.Series[Any]:
    """Up to ``MOST_SIZES`` parts of the instances in the order of the lengths of their texts."""
    each = group.drop_duplicates(INSTANCE)
    number = min(MOST_SIZES, len(each))
    order = each["characters"].rank(method="first").to_numpy() - 1
    places = np.minimum(order * number // len(each), number - 1).astype(int)
    named = name_sizes(number)
    keys = [tuple(map(str, key)) for key in each[INSTANCE].itertuples(index=False)]
    by_instance = {key: named[place] for key, place in zip(keys, places, strict=True)}
    every = [tuple(map(str, key)) for key in group[INSTANCE].itertuples(index=False)]
    return pd.Series(pd.Categorical([by_instance[key] for key in every], named), index=group.index)


def name_sizes(number: int) -> list[str]:
    """What ``number`` parts are called, from the smallest instances to the largest."""
    between = [str(place) for place in range(2, number)]
    return ["all"] if number == 1 else ["small", *between, "large"]


# --- in a sentence --------------------------------------------------------------------------------


def write_which(kinds: pd.DataFrame) -> str:
    """In a sentence who is first on which kinds, of several; empty where nobody solved anything,
    and where there is one backend alone."""
    if kinds["backend"].nunique() < 2:
        return ""
    firsts: dict[str, list[str]] = {}
    ranked = list_rows(kinds)
    for row in ranked:
        if row["rank"] == 1 and is_ranked(row):
            firsts.setdefault(row["backend"], []).append(row["kind"])
    number = len(kinds["kind"].unique())
    if not firsts:
        return ""
    (name, own), *others = sorted(firsts.items(), key=lambda one: -len(one[1]))
    if not others and len(own) == number:
        return f"{name} is first on each of {number} kinds."
    each = [[row for row in ranked if row["kind"] == kind] for kind in kinds["kind"].unique()]
    if all(is_first(name, one) for one in each):
        level = f"level with {join_words([other for other, _ in others])} on the rest"
        return f"{name} is first on {len(own)} of {number} kinds, and {level}."
    parts = [f"{other} on {join_words(theirs)}" for other, theirs in others[:MOST_NAMED]]
    if len(others) > MOST_NAMED or sum(len(theirs) for _, theirs in others) > MOST_NAMED:
        parts = [f"{other} on {len(theirs)}" for other, theirs in others[:MOST_NAMED]]
    more = "" if len(others) <= MOST_NAMED else ", others on the rest"
    first = f"{name} is first on {len(own)} of {number} kinds"
    return f"It depends on the kind: {first}, {join_words(parts)}{more}."


def is_first(name: str, ranked: list[Row]) -> bool:
    """Whether a backend is first on a kind, or level with the first: it solved as much, and their
    times differ by no more than the error."""
    own = next((row for row in ranked if row["backend"] == name), None)
    if own is None:
        return False
    if own["rank"] == 1:
        return is_ranked(own)
    is_equal = all(own[word] == ranked[0][word] for word in SOLVED)
    return is_equal and name_difference_to_first(own) in LEVEL


def is_ranked(row: Row) -> bool:
    """Whether a backend has a place: it solved anything, or found a solution, and is not wrong."""
    return bool((row["solved"] or row[UNPROVEN]) and not row["disqualified"])
