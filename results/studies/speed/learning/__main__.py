"""Times every solver on every problem, and writes the table."""

from __future__ import annotations

import os
import pickle
import resource
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import exp, log
from statistics import fmean
from typing import NamedTuple, TypeAlias

import msgspec

from backends.interface import registry
from backends.interface.api import Backend, Limits, Optimum, Solutions
from concord import Problem
from results.studies.markdown import join_page, list_table
from results.studies.runner import Fault, Known, Options, Study, find_installed, option
from results.studies.speed.learning.instances import SETS

OURS = "propagation:search=learning,form=compiled"
BACKENDS = (OURS, "cpsat:workers=1", "pumpkin", "propagation:form=compiled")
ENDED = ("exhausted", "enough", "sink")
"""Why a search stopped that answered what was asked."""
WARM = 0.1
"""Seconds that a call may take that only loads and compiles."""
Ask: TypeAlias = Solutions | Optimum


class Row(msgspec.Struct, frozen=True):
    """CPU seconds of one backend on one problem, None where it was not solved; and its answer.

    ``conflicts`` are the failures that it reports, if it does.
    """

    family: str
    problem: str
    backend: str
    seconds: float | None
    answer: str
    conflicts: int | None = None


class Answer(NamedTuple):
    """What a call has found, in CPU seconds; ``why`` it stopped."""

    seconds: float
    status: str
    objective: int | None
    why: str
    conflicts: int | None


def solve(backend: Backend, problem: Problem, ask: Ask) -> Answer:
    """Solve in this process."""
    begin = resource.getrusage(resource.RUSAGE_SELF)
    result = backend.solve(problem, ask)
    end = resource.getrusage(resource.RUSAGE_SELF)
    seconds = end.ru_utime - begin.ru_utime + end.ru_stime - begin.ru_stime
    found = result.statistics.get("failures", result.statistics.get("conflicts"))
    conflicts = None if found is None else int(found)
    return Answer(seconds, result.status, result.objective, result.stopped_by, conflicts)


def solve_apart(name: str, problem: Problem, ask: Ask, seconds: float) -> Answer | None:
    """Solve in a process that has so much CPU time; None where that is too little."""
    registry.get(name).solve(problem, ask, Limits(seconds=WARM))  # loads and compiles
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        most = int(seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
        try:
            os.write(writing, pickle.dumps(solve(registry.get(name), problem, ask)))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    found: Answer | None = pickle.loads(data) if data else None  # what this program has written
    return found if found is not None and found.seconds <= seconds else None


def measure(chosen: Options, known: Known) -> Iterator[Row | Fault]:
    """The rows of each problem, one after the other."""
    names = [name for name, _ in find_installed(BACKENDS) if chosen.backend in name]
    for family, of in SETS.items():
        if chosen.only not in family:
            continue
        for problem_name, problem in of.problems().items():
            answers = set()
            for name in names:
                if (family, problem_name, name) not in known:
                    answer = solve_apart(name, problem, of.ask, chosen.seconds)
                    row = row_of(family, problem_name, name, answer)
                    yield row
                    answers |= {row.answer} - {""}
            if len(answers) > 1:
                yield Fault(f"{family} {problem_name}: the answers differ: {sorted(answers)}")


def row_of(family: str, name: str, backend: str, answer: Answer | None) -> Row:
    """The row of one call."""
    if answer is None or answer.why not in ENDED:
        return Row(family, name, backend, None, "")
    text = f"{answer.status} {answer.objective}"
    return Row(family, name, backend, round(answer.seconds, 4), text, answer.conflicts)


def report(rows: Sequence[Row], chosen: Options) -> str:
    """The table by family, and one by problem."""
    names = [name for name in BACKENDS if any(row.backend == name for row in rows)]
    times: defaultdict[str, defaultdict[str, list[float]]]
    times = defaultdict(lambda: defaultdict(list))
    problems: dict[tuple[str, str], dict[str, Row]] = {}
    for row in rows:
        penalised = 2 * chosen.seconds if row.seconds is None else row.seconds
        times[row.family][row.backend].append(penalised)
        problems.setdefault((row.family, row.problem), {})[row.backend] = row
    families = [
        " | ".join([family, *(show_mean(of.get(name)) for name in names)])
        for family, of in times.items()
    ]
    every = [
        " | ".join([f"{family} {problem}", *(show(of.get(name)) for name in names)])
        for (family, problem), of in problems.items()
    ]
    heads = " | ".join(f"{name}:" for name in names)
    return join_page(
        "# Learning, CP-SAT and Pumpkin",
        f"Made by `{chosen.command}`. PAR-2 in CPU seconds by family, limit {chosen.seconds:g} s.",
        list_table(f"family | {heads}", families),
        "PAR-2 of each backend over that of ours: all problems; geometric mean of the families.",
        list_table("of what | all: | families:", compare(times, names)),
        "CPU seconds, and conflicts, of each problem.",
        list_table(f"problem | {heads}", every),
    )


def compare(
    times: Mapping[str, Mapping[str, Sequence[float]]], names: Sequence[str]
) -> Iterator[str]:
    """For each other backend how far we are ahead."""
    for name in names:
        both = [of for of in times.values() if of.get(name) and of.get(OURS)]
        if name == OURS or not both:
            continue
        theirs, ours = (fmean([t for of in both for t in of[one]]) for one in (name, OURS))
        means = [fmean(of[name]) / fmean(of[OURS]) for of in both]
        yield f"{name} | {theirs / ours:.2f} | {exp(fmean(map(log, means))):.2f}"


def show_mean(seconds: Sequence[float] | None) -> str:
    """The mean of some times."""
    return f"{fmean(seconds):.2f}" if seconds else ""


def show(row: Row | None) -> str:
    """Seconds and conflicts of a call."""
    if row is None:
        return ""
    if row.seconds is None:
        return "-"
    return f"{row.seconds:.2f}" + ("" if row.conflicts is None else f", {row.conflicts}")


STUDY = Study(
    "speed.learning",
    "Learning against CP-SAT and Pumpkin",
    Row,
    key=lambda row: (row.family, row.problem, row.backend),
    measure=measure,
    report=report,
    keeps=True,
    options=(
        option("--only", "", "families whose name has this text"),
        option("--backend", "", "backends whose name has this text"),
        option("--seconds", 60.0, "CPU seconds for a problem"),
    ),
)
main = STUDY.main

if __name__ == "__main__":
    sys.exit(main())
