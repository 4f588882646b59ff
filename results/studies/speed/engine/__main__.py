"""Times every solver on every family, and writes the table."""

from __future__ import annotations

import resource
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import exp, log
from statistics import fmean, median
from typing import NamedTuple

import msgspec

from backends.interface import registry
from backends.interface.api import Backend, Limits
from concord import Problem
from modelling.errors import Unsupported
from results.studies.markdown import join_page, list_table
from results.studies.runner import Fault, Known, Options, Study, option
from results.studies.speed.engine.families import FAMILIES, FIRST, Measured

OURS = ("propagation:form=compiled", "propagation:form=pure")
RIVALS: Mapping[str, Sequence[str]] = {
    "gecode": (
        "minizinc:gecode",
        "minizinc:gecode,search=dom_w_deg",
        "minizinc:gecode,search=dom_w_deg,restarts=luby",
    ),
    "choco": ("choco", "choco:search=smallest", "choco:search=conflicts"),
    "cpsat": ("cpsat:workers=1",),
}
ENDED = ("exhausted", "enough", "sink")
"""Why a search stopped that answered what was asked."""


class Row(msgspec.Struct, frozen=True):
    """CPU milliseconds of one backend on a family's problems: of searching, and of the calls.

    None where it refused one or did not answer it in time.
    """

    family: str
    backend: str
    search_ms: float | None
    call_ms: float | None


class Time(NamedTuple):
    """CPU seconds, and what was answered."""

    search: float
    call: float
    answers: tuple[object, ...]


def use_of_cpu() -> float:
    """CPU seconds of this process and of those that have ended below it."""
    own, below = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + below.ru_utime + below.ru_stime


def time_once(
    backend: Backend, problems: Sequence[Problem], measured: Measured, seconds: float
) -> Time | None:
    """One round; None where a problem is refused or not solved in time."""
    search, begin = 0.0, use_of_cpu()
    answers = []
    for problem in problems:
        before = use_of_cpu()
        try:
            result = backend.solve(problem, measured.ask, Limits(seconds=seconds, threads=1))
        except Unsupported:
            return None
        if result.stopped_by not in ENDED:
            return None
        used = use_of_cpu() - before
        own = result.statistics.get("solve_time", min(used, result.phases.get("solve", used)))
        search += float(own)
        answers.append((result.status, result.count, result.objective))
    return Time(search, use_of_cpu() - begin, tuple(answers))


def measure(chosen: Options, known: Known) -> Iterator[Row | Fault]:
    """The rows of each family, one after the other."""
    names = [*OURS, *(name for of in RIVALS.values() for name in of)]
    for family, measured in FAMILIES.items():
        if chosen.only in family and not all((family, name) in known for name in names):
            yield from measure_family(family, names, measured, chosen)


def measure_family(
    family: str, names: Sequence[str], measured: Measured, chosen: Options
) -> Iterator[Row | Fault]:
    """The medians of every backend, in interleaved rounds; the first loads and compiles."""
    problems = measured.problems()
    backends = {name: registry.get(name) for name in names}
    times: defaultdict[str, list[Time]] = defaultdict(list)
    for turn in range(chosen.rounds + 1):
        for name in list(backends):
            found = time_once(backends[name], problems, measured, chosen.seconds)
            if found is None:
                del backends[name]
                times.pop(name, None)
            elif turn:
                times[name].append(found)
    answers = {name: found[0].answers for name, found in times.items()}
    if measured.ask != FIRST and len(set(answers.values())) > 1:
        yield Fault(f"{family}: the answers differ: {answers}")
    for name in names:
        of = times.get(name)
        if of is None:
            yield Row(family, name, None, None)
        else:
            search, call = (median(getattr(t, field) for t in of) for field in ("search", "call"))
            yield Row(family, name, round(1000 * search, 3), round(1000 * call, 3))


def report(rows: Sequence[Row], chosen: Options) -> str:
    """The tables as Markdown."""
    families: dict[str, dict[str, Row]] = {}
    for row in rows:
        families.setdefault(row.family, {})[row.backend] = row
    heads = ["family", *(f"{name}:" for name in (*OURS, *RIVALS))]
    table = []
    ahead: defaultdict[str, list[float]] = defaultdict(list)
    for family, of in families.items():
        if not of.keys() >= {*OURS}:
            continue  # while it is measured
        cells = [show(of[name].call_ms, of[name].search_ms) for name in OURS]
        for rival, names in RIVALS.items():
            search, call = (best_of(of, names, field) for field in ("search_ms", "call_ms"))
            cells.append(show(call, search))
            note(ahead, rival, of[OURS[0]], search, call)
        table.append(" | ".join([family, *cells]))
    means = [
        f"{what} | {len(of)} | {exp(fmean(map(log, of))):.2f} | {min(of):.2f}"
        for what, of in ahead.items()
    ]
    return join_page(
        "# Our engine and its rivals",
        f"Made by `{chosen.command}`. CPU milliseconds of the call, and of the search. A rival "
        "has the best of its searches: " + "; ".join(map(", ".join, RIVALS.values())) + ".",
        list_table(" | ".join(heads), table),
        "How far `propagation:compiled` is ahead: the rival's time over ours.",
        list_table("of what | families: | geometric mean: | least:", means),
    )


def best_of(of: Mapping[str, Row], names: Sequence[str], field: str) -> float | None:
    """The least time of a rival's searches."""
    times = [getattr(of[name], field) for name in names if name in of]
    return min((time for time in times if time is not None), default=None)


def note(
    ahead: defaultdict[str, list[float]],
    rival: str,
    our: Row,
    search: float | None,
    call: float | None,
) -> None:
    """Add the ratios of one family; none where either did not solve it."""
    if our.search_ms is None or our.call_ms is None or search is None or call is None:
        return
    ahead[f"{rival}, search"].append(search / max(our.search_ms, 0.001))
    if rival == "gecode":  # its call starts a process
        ahead[f"{rival}, our call against its search"].append(search / our.call_ms)
        if search > 10:
            ahead[f"{rival}, the same over 10 ms"].append(search / our.call_ms)
        return
    ahead[f"{rival}, call"].append(call / our.call_ms)
    if call > 20:
        ahead[f"{rival}, call over 20 ms"].append(call / our.call_ms)


def show(call: float | None, search: float | None) -> str:
    """The call and the search, in milliseconds."""
    return "-" if call is None or search is None else f"{call:.1f}, {search:.1f}"


STUDY = Study(
    "speed.engine",
    "Our engine against Gecode, Choco and CP-SAT",
    Row,
    key=lambda row: (row.family, row.backend),
    measure=measure,
    report=report,
    keeps=True,
    options=(
        option("--only", "", "families whose name has this text"),
        option("--rounds", 3),
        option("--seconds", 60.0, "for a problem"),
    ),
)
main = STUDY.main

if __name__ == "__main__":
    sys.exit(main())
