"""The page of the study: every solver's best times on each family, and how far we are ahead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log
from statistics import fmean
from typing import NamedTuple

from results.studies.markdown import join_page, list_table
from results.studies.runner import Options
from results.studies.speed.engine.families import FAMILIES
from results.studies.speed.engine.rows import LEAST, OURS, RIVALS, TOO_LONG, Row


class Best(NamedTuple):
    """The least times of one solver on a family, in milliseconds; None if none of its searches
    answered in time, and then ``late`` if the limit passed for one of them."""

    search: float | None
    call: float | None
    late: bool


def best_of(of: Mapping[str, Row], names: Sequence[str]) -> Best:
    """The least times of several searches."""
    rows = [of[name] for name in names if name in of]
    return Best(
        min((row.search_ms for row in rows if row.search_ms is not None), default=None),
        min((row.call_ms for row in rows if row.call_ms is not None), default=None),
        any(row.ended == TOO_LONG for row in rows),
    )


Ratios = Sequence[tuple[str, float]]
"""Families, and how far we are ahead: the rival's time over ours."""


class Check(NamedTuple):
    """How far we are ahead of a rival in one respect: our time, the rival's, and from how many
    milliseconds of the rival on."""

    what: str
    rival: str
    ours: str
    theirs: str
    over: float
    required: float


CHECKS = (
    Check("search, against Gecode's", "gecode", "search", "search", 0, 4),
    Check("call, against Gecode's search over 10 ms", "gecode", "call", "search", 10, 2.5),
    Check("call, against Choco's", "choco", "call", "call", 0, 3),
    Check("call, against Choco's over 20 ms", "choco", "call", "call", 20, 7),
    Check("call, against CP-SAT's", "cpsat", "call", "call", 0, 0),
    Check("call, against CP-SAT's over 20 ms", "cpsat", "call", "call", 20, 5),
)
"""With what the engine is required to reach; 0 is reported only."""


def ratios_of(
    check: Check, bests: Mapping[str, Mapping[str, Best]], limit: float | None = None
) -> Ratios:
    """The families that both answered; with a limit in milliseconds, those too that one of them
    did not answer within it, whose time counts as the limit."""
    found = []
    for family, best in bests.items():
        ours = time_of(best[OURS], check.ours, limit)
        theirs = time_of(best[check.rival], check.theirs, limit)
        if ours is None or theirs is None or theirs < check.over or ours == theirs == limit:
            continue
        found.append((family, max(theirs, LEAST) / max(ours, LEAST)))
    return found


def time_of(best: Best, field: str, limit: float | None) -> float | None:
    """The milliseconds of searching or of the call; the limit where it passed."""
    time: float | None = getattr(best, field)
    return limit if time is None and best.late else time


def show_check(check: Check, ratios: Ratios) -> str:
    """One line of the table of what is required."""
    if not ratios:
        return f"{check.what} | 0 | - | {check.required or '-'} | - | -"
    mean = exp(fmean(log(ratio) for _, ratio in ratios))
    level = sum(ratio >= 1 for _, ratio in ratios) / len(ratios)
    family, least = min(ratios, key=lambda pair: pair[1])
    return (
        f"{check.what} | {len(ratios)} | {mean:.2f} | {check.required or '-'} | {level:.0%} "
        f"| {least:.2f} ({family})"
    )


def report(rows: Sequence[Row], chosen: Options) -> str:
    """The tables as Markdown."""
    families: dict[str, dict[str, Row]] = {}
    for row in rows:
        families.setdefault(row.family, {})[row.backend] = row
    groups = {OURS: (OURS,), **RIVALS, **{name: (name,) for name in chosen.also}}
    bests = {
        family: {solver: best_of(of, names) for solver, names in groups.items()}
        for family, of in families.items()
        if OURS in of
    }
    table = [
        " | ".join([family, *[show(best) for best in of.values()], least_ahead(of)])
        for family, of in bests.items()
    ]
    both = [show_check(check, ratios_of(check, bests)) for check in CHECKS]
    limited = [show_check(check, ratios_of(check, bests, 1000 * chosen.limit)) for check in CHECKS]
    columns = "of what | families: | geometric mean: | required: | level: | least:"
    heads = ["family", *[f"{name}:" for name in groups], "least ahead"]
    return join_page(
        "# Our engine and its rivals",
        f"{len(bests)} of {len(FAMILIES)} families.",
        f"Made by `{chosen.command}`. CPU milliseconds of the call, and of the search; `late` "
        "where it was not answered in time, `-` where it is refused. A rival has the best of its "
        "searches: " + "; ".join(map(", ".join, RIVALS.values())) + ".",
        list_table(" | ".join(heads), table),
        f"How far `{OURS}` is ahead: the rival's time over ours, where both answered. *Level* is "
        "the part of the families in which we are not behind.",
        list_table(columns, both),
        "The same, where a time that passed the limit counts as the limit, ours too. Families "
        "that neither answers are left out, as are those that the rival refuses.",
        list_table(columns, limited),
    )


def least_ahead(of: Mapping[str, Best]) -> str:
    """The rival that is ahead of us, and how far; empty if none is."""
    behind = []
    for rival in RIVALS:
        field = "search" if rival == "gecode" else "call"  # a call of Gecode's starts a process
        ours, theirs = getattr(of[OURS], field), getattr(of[rival], field)
        if theirs is not None and (ours is None or theirs < ours):
            behind.append((theirs / ours if ours else 0, rival))
    if not behind:
        return ""
    ratio, rival = min(behind)
    return f"{rival} {ratio:.2f}" if ratio else f"{rival}, alone"


def show(best: Best) -> str:
    """The call and the search, in milliseconds."""
    if best.call is None or best.search is None:
        return "late" if best.late else "-"
    return f"{best.call:.1f}, {best.search:.1f}"
