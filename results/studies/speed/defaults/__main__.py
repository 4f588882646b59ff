"""Asks the pairs, and writes the tables."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from statistics import median
from typing import NamedTuple

import msgspec

from harness.plan.experiment import Experiment
from harness.record import REFUSALS
from harness.report.run import Run
from results.studies.experiments import continue_run
from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study, option
from results.studies.speed.defaults.questions import list_files, list_questions

REFERENCE = Path("results") / "reference" / "defaults"
RUN = Path("results") / "runs" / "defaults"

LIBRARY = "py:results.studies.speed.defaults.library:"

FAULTS = ("wrong", "disputed")


class Pair(NamedTuple):
    """A backend, and what has the settings of its library; ``None`` where the calls are the same,
    for the ``reason``."""

    backend: str
    library: str | None
    reason: str


PAIRS = (
    Pair("cpsat", f"{LIBRARY}cpsat", "a bounded trial before CP-SAT's defaults"),
    Pair(
        "sat",
        "sat:minisat22",
        "MiniSat 2.2, python-sat's default, and CaDiCaL after 60,000 conflicts",
    ),
    Pair(
        "python_constraint",
        "python_constraint:optimized",
        "a dynamic order of the variables where a domain has more than two values",
    ),
    Pair("z3", f"{LIBRARY}z3", "the logic QF_FD, but for one solution of AllDifferent or of sums"),
)
"""The backends that set more than limits, threads and the seed."""

OWN = ("propagation", "compiled", "ladder", "brute_force")
"""Solvers of the project, which call no library."""

SAME = {
    "choco": "no search, strategy or consistency is set",
    "clingo": "--models and --project ask the question; optima by bb, clingo's default",
    "pumpkin": "no brancher is set but the default one; optima by sat-unsat, Pumpkin's default",
    "toulbar2": "tb2.init() sets every option to its default before each search",
    "exact": "verbosity alone",
    "bitwuzla": "models alone",
    "scip": "nothing for a solution or an optimum; for counts the settings that SCIP documents",
    "highs": "output_flag, one thread, and mip_rel_gap=0: an optimum within 0.01% is no optimum",
    "mathopt": "catchctrlc, and relative_gap_tolerance=0, which is SCIP's default",
    "minizinc": "the solver's own search; -a and --non-unique ask the question",
    "xcsp3": "options of output alone (cosoco: -model, -colors; ACE: -v, -ev, -xe, -xc, -npc; "
    "Choco: -csv)",
    "command": "the arguments are the user's",
}
"""Why the calls of the others are what their libraries do by default."""


class Row(msgspec.Struct):
    """A pair on one kind: instances, PAR-2 in seconds of CPU, time-outs, and instances that either
    side refused, which count in no figure."""

    backend: str
    kind: str
    instances: int
    par2: float
    library_par2: float
    timeouts: int
    library_timeouts: int
    only_here: tuple[str, ...]
    refused: int
    repeats: int = 1
    seconds: float = 5.0

    @property
    def ratio(self) -> float:
        return self.par2 / self.library_par2 if self.library_par2 else 1.0


def summarise(run: Run, pair: Pair, seconds: float, repeats: int) -> list[Row]:
    """A row for each kind."""
    times: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    refused: dict[str, set[str]] = defaultdict(set)
    for job in run.jobs.to_dict("records"):
        if job["role"] == "stated":
            continue
        kind, name, backend = str(job["set"]), str(job["instance"]), str(job["backend"])
        if job["outcome"] in REFUSALS:
            refused[kind].add(name)
        elif job["outcome"] not in ("finished", "timeout") or job["verdict"] in FAULTS:
            raise SystemExit(f"{backend} on {kind} {name}: {job['outcome']}, {job['verdict']}")
        ended = job["outcome"] == "finished" and job["verdict"] in ("verified", "unwitnessed")
        seconds_used = float(job["cpu_s"]) if ended else 2 * seconds
        times[kind, name][backend].append(seconds_used)
    rows: dict[str, list[tuple[str, float, float]]] = defaultdict(list)
    for (kind, name), of in times.items():
        sides = [median(of[side]) for side in (pair.backend, str(pair.library)) if of[side]]
        if name not in refused[kind] and len(sides) == 2:
            rows[kind].append((name, *sides))  # type: ignore[arg-type]
    limit = 2 * seconds
    return [
        Row(
            backend=pair.backend,
            kind=kind,
            instances=len(of),
            par2=round(sum(own for _, own, _ in of) / len(of), 5),
            library_par2=round(sum(other for _, _, other in of) / len(of), 5),
            timeouts=sum(own >= limit for _, own, _ in of),
            library_timeouts=sum(other >= limit for _, _, other in of),
            only_here=tuple(name for name, own, other in of if own >= limit > other),
            refused=len(refused[kind]),
            repeats=repeats,
            seconds=seconds,
        )
        for kind, of in rows.items()
    ]


def report(rows: Sequence[Row], chosen: Options) -> str:
    """The tables as Markdown."""
    pairs = ((pair, [row for row in rows if row.backend == pair.backend]) for pair in PAIRS)
    return join_page(
        "# Defaults beside those of the libraries",
        "Made by `python -m results.studies.speed.defaults`, drawn instances and files in turn. "
        "Seconds of CPU, the median of the interleaved repeats of each instance; PAR-2, and the "
        "limit, of CPU time too. `ratio` is Concord's default over the library's.",
        *chain.from_iterable(_report_pair(pair, of) for pair, of in pairs if of),
        "## The same call",
        list_table(
            "backend | what is set besides limits and the seed",
            (f"{name} | {reason}" for name, reason in SAME.items()),
        ),
    )


def _report_pair(pair: Pair, of: Sequence[Row]) -> Iterator[str | list[str]]:
    """The part of the page about a pair."""
    table = [
        f"{row.kind} | {row.instances} | {row.seconds:g} s, {row.repeats} | "
        f"{row.par2:.4f} | {row.library_par2:.4f} | {row.ratio:.2f} | "
        f"{row.timeouts} | {row.library_timeouts} | {row.refused}"
        for row in of
    ]
    number = sum(row.instances for row in of)
    own, library = (
        sum(getattr(row, name) * row.instances for row in of) / number
        for name in ("par2", "library_par2")
    )
    outs = [sum(getattr(row, name) for row in of) for name in ("timeouts", "library_timeouts")]
    table.append(
        f"all | {number} | | {own:.4f} | {library:.4f} | {own / library:.2f} | "
        f"{outs[0]} | {outs[1]} | {sum(row.refused for row in of)}"
    )
    yield f"## {pair.backend}: {pair.reason}"
    yield list_table(
        "kind | instances: | limit, repeats: | PAR-2: | library's: | ratio: | time-outs: | "
        "library's: | refused:",
        table,
    )
    joined = ", ".join(f"{name} {ratio:.2f}" for name, ratio in join_families(of).items())
    yield f"Ratios of families with several kinds: {joined}." if joined else ""
    names = ", ".join(f"{row.kind} {name}" for row in of for name in row.only_here)
    yield f"Timed out here alone: {names}." if names else ""


def join_families(rows: Sequence[Row]) -> dict[str, float]:
    """The ratio of each family with several kinds, such as ``sudoku`` and ``sudoku-all``: over all
    of its instances."""
    families: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        families[row.kind.split("-")[0]].append(row)
    return {
        family: sum(row.par2 * row.instances for row in of)
        / sum(row.library_par2 * row.instances for row in of)
        for family, of in families.items()
        if len(of) > 1
    }


def measure(chosen: Options, known: Known) -> Iterator[Row]:
    """The rows of each pair, from what is left of its run."""
    for pair in PAIRS:
        if not chosen.backend or pair.backend in chosen.backend:
            yield from compare(pair, chosen)


def compare(pair: Pair, chosen: Options) -> list[Row]:
    """Carry out a pair's run, or what is left of it."""
    if chosen.instances is None:
        folder, sets, answers = chosen.run / pair.backend, list_questions(), None
    else:
        folder = chosen.run / f"{pair.backend}-files"
        sets, stated = list_files(chosen.instances, chosen.run / "lists")
        answers = str(stated)
    experiment = Experiment(
        name="defaults",
        sets=sets,
        backends=[pair.backend, str(pair.library)],
        seconds=8 * chosen.seconds,  # a busy machine does not decide
        cpu_seconds=chosen.seconds,
        repeat=chosen.repeat,
        threads=1,
        answers=answers,
    )
    return summarise(continue_run(experiment, folder), pair, chosen.seconds, chosen.repeat)


def find_behind(rows: Sequence[Row]) -> list[str]:
    """The kinds on which a default is behind its library's."""
    return [
        f"{row.backend}, {row.kind}: {row.ratio:.2f} times the library's, {row.only_here}"
        for row in rows
        if row.ratio > 1.2 or row.only_here
    ]


STUDY = Study(
    "speed.defaults",
    "Concord's defaults beside the libraries'",
    Row,
    key=lambda row: (row.backend, row.kind),
    measure=measure,
    report=report,
    faults=find_behind,
    keeps=True,
    at_once=True,
    out=REFERENCE,
    options=(
        option("--seconds", 5.0, "of CPU time for a question"),
        option("--repeat", 3),
        option("--backend", [], "these alone", choices=[pair.backend for pair in PAIRS]),
        option("--instances", None, "files to ask instead of drawn instances", type=Path),
        option("--run", RUN, "folder of the runs"),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
