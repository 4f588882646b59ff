"""Does every backend keep a limit of one second on a problem that takes it longer?

    python -m results.studies.runs.limits [--only BACKEND]... [--load TEXT] [--out FOLDER]

Twelve pigeons in eleven holes, no two in one, posed by pairs: most solvers need far longer than a
second. Each backend has three jobs in one pool: four pigeons in three holes, after which it is
loaded; the twelve; and the four again, which shows that the pool continues. The limit is told to
the backend and kept from outside as well.

ended     how the second job ended: solved, by itself (the backend kept the limit), or killed
seconds   from sending the job until its answer was read, or nothing was left of its worker
recorded  the same until its record came out of the pool
next      how the third job ended

Results are added to those in the folder, a line for a backend.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from time import monotonic

import msgspec

from backends.interface import registry
from backends.interface.api import Limits
from harness.job import Job, Question
from harness.record import REFUSALS, Record
from harness.supervise.settings import Settings
from harness.supervise.supervisor import supervise
from puzzles.colouring.graph import make_graph, write_edges
from results.studies.markdown import join_page, list_loads, list_table
from results.studies.runner import Known, Options, Study, option

LIMIT = 1.0
AROUND = 10.0
"""Seconds for the jobs before and after: a virtual machine may take one to start."""
ENDED_BY, RECORDED_BY = 1.1, 1.5


class Kept(msgspec.Struct):
    """How one backend kept the limit; see this file's head."""

    backend: str
    version: str
    ended: str
    seconds: float
    recorded: float
    next: str
    load: str = ""

    @property
    def is_met(self) -> bool:
        """Whether the limit was kept; a refused problem keeps every limit."""
        if self.ended == "refused":
            return True
        in_time = self.seconds <= ENDED_BY and self.recorded <= RECORDED_BY
        return in_time and self.next == "finished" and self.ended in ("solved", "itself", "killed")


def pigeons(number: int) -> str:
    """As many pigeons in one hole less: a complete graph with one colour less than vertices."""
    edges = combinations(range(1, number + 1), 2)
    return f"{number} {number - 1}: {write_edges(make_graph(number, edges))}"


def jobs(backends: Iterable[str], large: int = 12) -> list[Job]:
    """Three for each, one after another."""
    texts = [(pigeons(4), AROUND), (pigeons(large), LIMIT), (pigeons(4), AROUND)]
    asked = [(name, *text) for name in backends for text in texts]
    return [
        Job(
            number=number,
            set="pigeons",
            instance=str(number),
            family="graph_colouring",
            text=text,
            backend=name,
            question=Question(),
            limits=Limits(seconds),
        )
        for number, (name, text, seconds) in enumerate(asked, 1)
    ]


def measure(backends: Sequence[str], load: str = "", large: int = 12) -> list[Kept]:
    """Run the jobs, one at a time."""
    todo = jobs(backends, large)
    came: dict[int, tuple[float, Record]] = {}
    for record in supervise(todo, Settings(slots=1)):
        if record is not None:
            came[record.job] = monotonic(), record
    found = []
    for first in todo[::3]:
        (before, _), (then, record), (_, after) = (came[first.number + i] for i in range(3))
        found.append(
            Kept(
                first.backend,
                str(getattr(registry.get(first.backend), "version", "")),
                ending(record),
                round(record.elapsed_s, 3),
                round(then - before, 3),
                after.outcome,
                load,
            )
        )
    return found


def ending(record: Record) -> str:
    """How the job of the twelve ended."""
    if record.outcome in REFUSALS:
        return "refused"
    if record.outcome == "finished":
        return "solved"
    if record.outcome != "timeout":
        return record.outcome
    return "itself" if record.stopped_by else "killed"


def report(rows: Sequence[Kept]) -> str:
    """The table as Markdown."""
    table = (
        f"{row.backend} | {row.version} | {row.ended} | {row.seconds:.2f} | {row.recorded:.2f} | "
        f"{row.next} | {'yes' if row.is_met else '**no**'}"
        for row in rows
    )
    met = sum(row.is_met for row in rows)
    return join_page(
        "# A limit of one second",
        "Twelve pigeons in eleven holes, asked of every backend with a limit of 1 s, by\n"
        "`python -m results.studies.runs.limits`. `itself`: the backend kept the limit; `killed`:\n"
        "it was ended from outside. Seconds from sending the job, the solver loaded; `next` is\n"
        "the job after it.",
        list_table("backend | version | ended | seconds: | recorded: | next | as asked", table),
        [
            f"{met} of {len(rows)} ended within {ENDED_BY} s, with a record by {RECORDED_BY} s.",
            *list_loads((row.load, row.backend) for row in rows),
        ],
    )


def measure_all(chosen: Options, known: Known) -> Iterator[Kept]:
    """A row for each backend, all in one pool."""
    every = chosen.only or [info.name for info in registry.summaries() if info.installed]
    yield from measure([name for name in every if name not in known], chosen.load)


STUDY = Study(
    "runs.limits",
    __doc__,
    Kept,
    key=lambda row: row.backend,
    keeps=True,
    measure=measure_all,
    report=lambda rows, chosen: report(rows),
    faults=lambda rows: [f"{row.backend} keeps no limit" for row in rows if not row.is_met],
    options=(
        option("--only", [], "these alone", metavar="BACKEND"),
        option("--load", "", "what else the machine did"),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
