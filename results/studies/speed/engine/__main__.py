"""Times every solver on every family, and writes the table."""

from __future__ import annotations

import argparse
import resource
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import exp, log
from pathlib import Path
from statistics import fmean, median
from typing import NamedTuple

from backends.interface import registry
from backends.interface.api import Backend, Limits
from concord import Problem
from harness.machine import this_machine
from modelling.errors import Unsupported
from results.studies.markdown import join_page, list_table
from results.studies.speed.engine.families import FAMILIES, FIRST, Measured

OURS = ("propagation:compiled", "propagation:pure")
RIVALS: Mapping[str, Sequence[str]] = {
    "gecode": (
        "minizinc:gecode",
        "minizinc:gecode,search=dom_w_deg",
        "minizinc:gecode,search=dom_w_deg,restarts=luby",
    ),
    "choco": ("choco", "choco:search=smallest", "choco:search=conflicts"),
    "cp-sat": ("cpsat:workers=1",),
}


class Time(NamedTuple):
    """CPU seconds of a family's problems: of searching, and of the whole calls."""

    search: float
    call: float
    answers: tuple[object, ...] = ()


def cpu() -> float:
    """CPU seconds of this process and of those that have ended below it."""
    own, below = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime + below.ru_utime + below.ru_stime


def time_once(
    backend: Backend, problems: Sequence[Problem], measured: Measured, seconds: float
) -> Time | None:
    """One round; None where a problem is refused or not solved in time."""
    search, begin = 0.0, cpu()
    answers = []
    for problem in problems:
        before = cpu()
        try:
            result = backend.solve(problem, measured.ask, Limits(seconds=seconds, threads=1))
        except Unsupported:
            return None
        if result.stopped_by not in ("exhausted", "limit", "optimum", "enough", "sink"):
            return None
        used = cpu() - before
        statistics = result.statistics
        own = statistics.get("solve_time", min(used, result.phases.get("solve", used)))
        search += float(own)
        answers.append((result.status, result.count, result.objective))
    return Time(search, cpu() - begin, tuple(answers))


def measure(
    names: Sequence[str], measured: Measured, rounds: int, seconds: float
) -> dict[str, Time]:
    """The medians of every backend that solves a family, in interleaved rounds."""
    problems = measured.problems()
    backends = {name: registry.get(name) for name in names}
    times: defaultdict[str, list[Time]] = defaultdict(list)
    for turn in range(rounds + 1):  # the first is not counted: it loads and compiles
        for name in list(backends):
            found = time_once(backends[name], problems, measured, seconds)
            if found is None:
                del backends[name]
                times.pop(name, None)
            elif turn:
                times[name].append(found)
    answers = {name: found[0].answers for name, found in times.items()}
    if len(set(answers.values())) > 1 and measured.ask != FIRST:
        print(f"the answers differ: {answers}", file=sys.stderr)
    return {
        name: Time(median(t.search for t in found), median(t.call for t in found))
        for name, found in times.items()
    }


def best_of(rivals: Sequence[str], times: Mapping[str, Time], field: str) -> float | None:
    """The least time of a rival's searches."""
    return min((getattr(times[name], field) for name in rivals if name in times), default=None)


def main() -> None:
    """Measure, print as it goes, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="families whose name has this text")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--ours", default=",".join(OURS), help="separated by commas")
    parser.add_argument("--rivals", default=",".join(RIVALS), help="separated by commas")
    parser.add_argument("--to", type=Path, help="write a page in Markdown")
    asked = parser.parse_args()
    ours = asked.ours.replace(",propagation", ";propagation").split(";")
    rivals = {name: RIVALS[name] for name in asked.rivals.split(",") if name}
    rows: list[list[str]] = []
    ahead: defaultdict[str, list[float]] = defaultdict(list)
    for family, measured in FAMILIES.items():
        if asked.only not in family:
            continue
        names = [*ours, *(name for of in rivals.values() for name in of)]
        times = measure(names, measured, asked.rounds, asked.seconds)
        row = [family, *[show(times.get(name)) for name in ours]]
        for rival, of in rivals.items():
            search, call = (best_of(of, times, field) for field in ("search", "call"))
            row.append(show(None if search is None or call is None else Time(search, call)))
            note(ahead, rival, times.get(ours[0]), search, call)
        rows.append(row)
        print("\t".join(row), flush=True)
    summary = [f"{what} | {len(of)} | {exp(fmean(map(log, of))):.2f}" for what, of in ahead.items()]
    print("\n".join(summary))
    if asked.to:
        heads = " | ".join(["family", *(f"{name}:" for name in (*ours, *rivals))])
        page = join_page(
            "# Our engine and its rivals",
            "CPU milliseconds: the call, and the search.",
            list_table(heads, map(" | ".join, rows)),
            list_table("ahead of | families: | geometric mean:", summary),
            str(this_machine()),
        )
        asked.to.write_text(page, encoding="utf-8")


def note(
    ahead: defaultdict[str, list[float]],
    rival: str,
    our: Time | None,
    search: float | None,
    call: float | None,
) -> None:
    """Add the ratios of one family; none where either did not solve it."""
    if our is None or search is None or call is None:
        return
    ahead[f"{rival}: search"].append(search / max(our.search, 1e-6))
    if rival == "gecode":  # its call starts a process
        ahead[f"{rival}: call against its search"].append(search / our.call)
        if search > 0.010:
            ahead[f"{rival}: call against its search over 10 ms"].append(search / our.call)
        return
    ahead[f"{rival}: call"].append(call / our.call)
    if call > 0.020:
        ahead[f"{rival}: call over 20 ms"].append(call / our.call)


def show(time: Time | None) -> str:
    """Milliseconds of the call and of the search."""
    return "-" if time is None else f"{1000 * time.call:.1f} / {1000 * time.search:.1f}"


if __name__ == "__main__":
    main()
