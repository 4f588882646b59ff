"""Times every solver on every family."""

from __future__ import annotations

import gc
import resource
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from statistics import median
from typing import NamedTuple

from backends.interface import registry
from backends.interface.api import Backend, Limits
from concord import Problem
from modelling.errors import InputError, Unsupported
from results.studies.runner import Fault, Known, Options, Study, option
from results.studies.speed.engine.families import FAMILIES, FIRST, Measured
from results.studies.speed.engine.rows import ANSWERED, LEFT, OURS, REFUSED, RIVALS, TOO_LONG, Row
from results.studies.speed.engine.tables import report

ENDED = ("exhausted", "enough", "sink")
"""Why a search stopped that answered what was asked."""
LONG = 5.0
"""CPU seconds of a call that is made once: that it is the first one no longer shows."""
COMPILING = 60.0
"""Seconds more for our first call, in which numba may compile."""
LOADING = 2.0
"""CPU seconds that the first call may take besides solving."""
AS_LONG = 2.0
"""How many times as long as its solver's best search one may take before it is given up."""


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
) -> Time | str:
    """One round; REFUSED or TOO_LONG where a problem is refused or not solved in time.

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
            return REFUSED
        if result.stopped_by not in ENDED:
            return TOO_LONG
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
    ended: dict[str, str] = {}
    for turn in range(chosen.rounds + 1):
        for name in list(backends):
            seconds = allow(name, times, chosen.limit, first=turn == 0)
            found = time_once(backends[name], problems, measured, seconds)
            if isinstance(found, str):
                del backends[name]
                times.pop(name, None)
                ended[name] = LEFT if found == TOO_LONG and seconds < chosen.limit else found
                continue
            times[name].append(found)
            if found.call >= LONG and (turn or name != OURS):
                del backends[name]
    counted = {name: of[1:] or of for name, of in times.items()}
    answers = {name: of[0].answers for name, of in counted.items()}
    if measured.ask != FIRST and len(set(answers.values())) > 1:
        yield Fault(f"{family}: the answers differ: {answers}")
    for name in names:
        if name in counted:
            yield Row(family, name, *medians_of(counted[name]), ANSWERED)
        else:
            yield Row(family, name, None, None, ended[name])


def allow(name: str, times: Mapping[str, Sequence[Time]], limit: float, *, first: bool) -> float:
    """The seconds that a backend may take for a problem.

    A search that is far slower than another of its solver does not need its whole limit.
    """
    if name.startswith(OURS):
        return limit + (COMPILING if first else 0)
    of = next((names for names in RIVALS.values() if name in names), ())
    calls = [time.call for other in of if other != name for time in times.get(other, ())]
    return min(limit, AS_LONG * min(calls) + LOADING) if calls else limit


def medians_of(times: Sequence[Time]) -> tuple[float, float]:
    """The milliseconds of searching, and of the call."""
    search, call = (median(getattr(t, field) for t in times) for field in ("search", "call"))
    return round(1000 * search, 3), round(1000 * call, 3)


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
