"""Which known wrong answers a hunt finds by itself, and how soon.

    python -m results.studies.correctness.found_again [--seconds 900] [--seed 1] [--jobs 1]
                                                      [--run FOLDER] [--out FOLDER]

A hunt begins in an empty folder ``--run``, on releases of today and pinned ones, whose workarounds
are dropped. Each cause of its findings is noted when it first appears. An entry of
``docs/disagreements/`` is found again where a cause shows one of its signs; a cause that shows none
is listed as well. A hunt that was stopped is not continued: its seconds would be of two sessions.
"""

from __future__ import annotations

import resource
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from time import monotonic

import msgspec

from harness.hunting.findings import FILE, Finding
from harness.hunting.fuzzing.causes import name_folder
from harness.hunting.fuzzing.hunt import Plan, Progress, Summary, hunt
from harness.hunting.shrinking import measure as measure_size
from modelling.errors import InputError
from modelling.wording import plural
from results.studies.correctness.disagreements import match, read_entries
from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study, option

REFERENCE = Path("results") / "reference" / "found_again"
RUN = Path("results") / "runs" / "found_again"

HUNTED = (
    *("cpsat:workarounds=dropped", "cpsat@9.12:workarounds=dropped"),
    *("choco:workarounds=dropped", "choco@0.3.0:workarounds=dropped"),
    *("pumpkin:workarounds=dropped", "pumpkin@0.4.0:workarounds=dropped"),
    *("python_constraint", "python_constraint@2.8", "xcsp3:cosoco,workarounds=dropped"),
)
"""Releases of today, and older ones."""


class Row(msgspec.Struct):
    """One cause: ``entries`` are those that it finds again, ``seconds`` when it first appeared,
    ``number`` its findings. ``hunt`` says of which hunt, with seed, time and CPU time."""

    cause: str
    number: int
    seconds: float
    entries: list[str]
    hunt: str
    problem: str = ""


def measure(chosen: Options, known: Known) -> Iterator[Row]:
    """A hunt, and a row for each cause."""
    folder = chosen.run or RUN
    if folder.exists() and any(folder.iterdir()):
        raise InputError(f"{folder}: there is a hunt already; remove it, or choose another --run")
    backends = tuple(chosen.backend or HUNTED)
    started, before, seen = monotonic(), _count_cpu(), dict[str, float]()

    def note(now: Progress) -> None:
        for path in folder.glob(f"findings/*/1/{FILE}"):
            seen.setdefault(path.parents[1].name, monotonic() - started)

    plan = Plan(backends, folder, chosen.seed, seconds=chosen.seconds, jobs=chosen.jobs)
    summary = hunt(plan, note)
    called = (
        f"seed {chosen.seed}, {chosen.jobs} at a time: "
        f"{summary.comparisons:,} comparisons in {summary.seconds:.0f} s, "
        f"{_count_cpu() - before:.0f} s of CPU time"
    )
    yield from _list_rows(summary, seen, called)
    if chosen.run is None:
        shutil.rmtree(folder)


def _count_cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _list_rows(summary: Summary, seen: dict[str, float], called: str) -> Iterator[Row]:
    entries = read_entries()
    counted: dict[str, int] = {}
    for lane in summary.lanes:
        for cause, number in lane.wrong.items():
            counted[cause] = counted.get(cause, 0) + number
    heads = {cause for one in summary.found for cause in (one.cause, *one.also)}
    for cause in sorted(heads):
        folder = name_folder(cause)
        found = [entry.name for entry in match(cause, entries)]
        when = seen.get(folder, summary.seconds)
        path = summary.found[0].folder.parent / folder / "1"
        yield Row(cause, counted.get(cause, 1), round(when, 1), found, called, _describe(path))


def _describe(folder: Path) -> str:
    """The size of the smallest problem that is known of a cause."""
    try:
        return str(measure_size(Finding.read(folder)))
    except InputError:
        return ""


def match_again(rows: Iterable[Row]) -> list[Row]:
    """The rows with the entries that they show by the signs of today."""
    entries = read_entries()
    return [
        msgspec.structs.replace(row, entries=[entry.name for entry in match(row.cause, entries)])
        for row in rows
    ]


def find_first(rows: Iterable[Row]) -> dict[str, Row]:
    """The row that found each entry first."""
    first: dict[str, Row] = {}
    for row in sorted(rows, key=lambda one: one.seconds):
        for entry in row.entries:
            first.setdefault(entry, row)
    return first


def report(rows: Sequence[Row], chosen: Options) -> str:
    """The page: what was found again, what was not, and what else was found."""
    entries = {entry.name: entry for entry in read_entries()}
    first = find_first(rows)
    hunts = list(dict.fromkeys(row.hunt for row in rows))
    again = (
        f"{entries[name].title} | {row.seconds:.0f} | {row.cause} | {hunts.index(row.hunt) + 1}"
        for name, row in sorted(first.items(), key=lambda item: item[1].seconds)
        if name in entries
    )
    others: dict[str, Row] = {}
    for row in rows:
        if not row.entries:
            others.setdefault(row.cause, row)
    rest = (f"{row.cause} | {row.number} | {row.seconds:.0f}" for row in others.values())
    sought = [one for one in entries.values() if one.signs]
    missed = [one.title for one in sought if one.name not in first]
    return join_page(
        "# Known wrong answers, found again by a hunt",
        f"Of {plural(len(sought), 'wrong answer')} of `docs/disagreements.md` that a hunt of these "
        f"solvers can find, found again from nothing: {len(first) or 'none'}.",
        [f"{k}. {one}" for k, one in enumerate(hunts, 1)],
        list_table("what is wrong | after seconds: | cause | hunt:", again),
        "Other causes, each a folder of the hunt:" if others else "",
        list_table("cause | findings: | after seconds:", rest) if others else "",
        "Not found again:" if missed else "",
        [f"- {title}" for title in missed],
        f"`{chosen.command}`",
    )


STUDY = Study(
    "correctness.found_again",
    __doc__,
    Row,
    key=lambda row: (row.hunt, row.cause),
    measure=measure,
    report=report,
    order=match_again,
    describe=lambda row: f"{row.seconds:6.1f} s  {row.cause}  {', '.join(row.entries)}",
    keeps=True,
    out=REFERENCE,
    options=(
        option("--seconds", 900.0, "time of the hunt"),
        option("--seed", 1, "of the hunt"),
        option("--jobs", 1, "solvers at a time"),
        option("--run", None, "folder of the hunt, which is kept", type=Path),
        option("--backend", [], "these in place of those that ship"),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
