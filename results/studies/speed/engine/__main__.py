"""Times every solver on every family, and writes the table."""

from __future__ import annotations

import gc
import resource
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import exp, log
from statistics import fmean, median
from typing import NamedTuple

import msgspec

from backends.interface import registry
from backends.interface.api import Backend, Limits
from concord import Problem
from modelling.errors import InputError, Unsupported
from results.studies.markdown import join_page, list_table
from results.studies.runner import Fault, Known, Options, Study, option
from results.studies.speed.engine.families import FAMILIES, FIRST, Measured

OURS = "propagation:form=compiled,reuse=none"
RIVALS: Mapping[str, Sequence[str]] = {
    "gecode": (
        "minizinc:gecode",
        "minizinc:gecode,search=dom_w_deg",
        "minizinc:gecode,search=dom_w_deg,restarts=luby",
    ),
    "choco": ("choco", "choco:search=smallest", "choco:search=conflicts"),
    "cpsat": ("cpsat:workers=1,reuse=none",),
}
"""Choco's own restarts are missing: the functions of pychoco 0.4.0 that set them fail."""
ENDED = ("exhausted", "enough", "sink")
"""Why a search stopped that answered what was asked."""
LONG = 5.0
"""CPU seconds of a call that is made once: that it is the first one no longer shows."""
COMPILING = 60.0
"""Seconds more for our first call, in which numba may compile."""
LEAST = 0.001
"""Milliseconds; what took less counts as this."""


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


@contextmanager
def without_collections() -> Iterator[None]:
    """Keep the collector of cycles out of a measurement, as the timeit module does.

    What it takes depends on how many objects earlier measurements have left.
    """
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def time_once(
    backend: Backend, problems: Sequence[Problem], measured: Measured, seconds: float
) -> Time | None:
    """One round; None where a problem is refused or not solved in time.

    What others have left behind is cleared away before: where every solver is loaded, Python takes
    more than 0.1 s to look for cycles, in whichever call the turn comes.
    """
    search = call = 0.0
    answers = []
    for problem in problems:
        try:
            with without_collections():
                before = use_of_cpu()
                result = backend.solve(problem, measured.ask, Limits(seconds=seconds, threads=1))
                used = use_of_cpu() - before
        except Unsupported:
            return None
        if result.stopped_by not in ENDED:
            return None
        own = result.statistics.get("solve_time", result.phases.get("solve", used))
        search += min(float(own), used)  # Gecode's is not CPU time, and more on a busy machine
        call += used
        answers.append((result.status, result.count, result.objective))
    return Time(search, call, tuple(answers))


def measure(chosen: Options, known: Known) -> Iterator[Row | Fault]:
    """The rows of each family, one after the other."""
    if not any(chosen.only in family for family in FAMILIES):
        raise InputError(f"--only {chosen.only}: no family has this text; see families.py")
    names = [OURS, *(name for of in RIVALS.values() for name in of), *chosen.also]
    for family, measured in FAMILIES.items():
        missing = [name for name in names if (family, name) not in known]
        if chosen.only in family and missing:
            yield from measure_family(family, missing, measured, chosen)


def measure_family(
    family: str, names: Sequence[str], measured: Measured, chosen: Options
) -> Iterator[Row | Fault]:
    """The medians of every backend, in interleaved rounds; the first loads and compiles."""
    problems = measured.problems()
    backends = {name: registry.get(name) for name in names}
    times: defaultdict[str, list[Time]] = defaultdict(list)
    for turn in range(chosen.rounds + 1):
        for name in list(backends):
            compiling = COMPILING if turn == 0 and name.startswith(OURS) else 0
            found = time_once(backends[name], problems, measured, chosen.limit + compiling)
            if found is None:
                del backends[name]
                times.pop(name, None)
            elif turn == 0 and (found.call < LONG or name == OURS):
                times[name] = []
            else:
                times[name].append(found)
                if found.call >= LONG:
                    del backends[name]
    answers = {name: of[0].answers for name, of in times.items()}
    if measured.ask != FIRST and len(set(answers.values())) > 1:
        yield Fault(f"{family}: the answers differ: {answers}")
    for name in names:
        of = times.get(name)
        if of is None:
            yield Row(family, name, None, None)
        else:
            search, call = (median(getattr(t, field) for t in of) for field in ("search", "call"))
            yield Row(family, name, round(1000 * search, 3), round(1000 * call, 3))


class Best(NamedTuple):
    """The least times of one solver on a family, in milliseconds; None if none of its searches
    answered in time."""

    search: float | None
    call: float | None


def best_of(of: Mapping[str, Row], names: Sequence[str]) -> Best:
    """The least times of several searches."""
    rows = [of[name] for name in names if name in of]
    return Best(
        min((row.search_ms for row in rows if row.search_ms is not None), default=None),
        min((row.call_ms for row in rows if row.call_ms is not None), default=None),
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


def ratios_of(check: Check, bests: Mapping[str, Mapping[str, Best]]) -> Ratios:
    """The families that both solved; where one did not, it is not known how far it is behind."""
    found = []
    for family, best in bests.items():
        ours, theirs = (
            getattr(best[OURS], check.ours),
            getattr(best[check.rival], check.theirs),
        )
        if ours is not None and theirs is not None and theirs >= check.over:
            found.append((family, max(theirs, LEAST) / max(ours, LEAST)))
    return found


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
    checks = [show_check(check, ratios_of(check, bests)) for check in CHECKS]
    heads = ["family", *[f"{name}:" for name in groups], "least ahead"]
    return join_page(
        "# Our engine and its rivals",
        f"{len(bests)} of {len(FAMILIES)} families.",
        f"Made by `{chosen.command}`. CPU milliseconds of the call, and of the search; `-` where "
        "it was not answered in time, or is refused. A rival has the best of its searches: "
        + "; ".join(map(", ".join, RIVALS.values()))
        + ".",
        list_table(" | ".join(heads), table),
        f"How far `{OURS}` is ahead: the rival's time over ours, where both answered. *Level* is "
        "the part of the families in which we are not behind.",
        list_table("of what | families: | geometric mean: | required: | level: | least:", checks),
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
        return "-"
    return f"{best.call:.1f}, {best.search:.1f}"


STUDY = Study(
    "speed.engine",
    "Our engine against Gecode, Choco and CP-SAT",
    Row,
    key=lambda row: (row.family, row.backend),
    measure=measure,
    report=report,
    keeps=True,
    data="engine.jsonl",
    options=(
        option("--only", "", "families whose name has this text"),
        option("--rounds", 3, "rounds after the first, which is not counted"),
        option("--limit", 60.0, "seconds for a problem"),
        option("--also", [], "a further backend, in a column of its own"),
    ),
)
main = STUDY.main

if __name__ == "__main__":
    sys.exit(main())
