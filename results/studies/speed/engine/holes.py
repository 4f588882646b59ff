"""Latin squares with holes at the phase transition: how many are completed in time, and how fast?

    python -m results.studies.speed.engine.holes [--number 100] [--limit 10] [--out FOLDER]

Orders 30 to 33 with 42% of the cells open, where most squares are hardest to complete (Gomes and
Selman, *Problem structure in the presence of perturbations*, AAAI 1997); CPU time of one thread.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from statistics import median

import msgspec

from backends.interface import registry
from concord import Solutions
from results.studies.markdown import join_page, list_table
from results.studies.runner import Fault, Known, Options, Study, option
from results.studies.speed.engine.__main__ import COMPILING, time_once
from results.studies.speed.engine.families import Measured
from results.studies.speed.engine.models import holes
from results.studies.speed.engine.rows import OURS

ORDERS = (30, 31, 32, 33)
OPEN = 0.42
BACKENDS = (OURS, "cpsat:workers=1,reuse=none")


class Row(msgspec.Struct, frozen=True):
    """CPU seconds of one backend on one square; None where that was not enough."""

    order: int
    seed: int
    backend: str
    seconds: float | None


def measure(chosen: Options, known: Known) -> Iterator[Row | Fault]:
    """The backends on each square; the first call of each loads and compiles."""
    first = Measured(list, Solutions(1))
    backends = {name: registry.get(name) for name in BACKENDS}
    for backend in backends.values():
        time_once(backend, [holes(10, 42, 0)], first, COMPILING)
    for seed in range(chosen.number):
        order = ORDERS[seed % len(ORDERS)]
        problem = holes(order, round(OPEN * order**2), seed)
        for name, backend in backends.items():
            if (order, seed, name) not in known:
                found = time_once(backend, [problem], first, chosen.limit)
                seconds = None if isinstance(found, str) else round(found.call, 4)
                yield Row(order, seed, name, seconds)


def report(rows: Sequence[Row], chosen: Options) -> str:
    """A line for each backend."""
    of = {name: [row.seconds for row in rows if row.backend == name] for name in BACKENDS}
    lines = [
        f"`{name}` | {len(times)} | {sum(time is not None for time in times)} | "
        f"{median(chosen.limit if time is None else time for time in times):.3f}"
        for name, times in of.items()
        if times
    ]
    return join_page(
        "# Latin squares with holes",
        f"Made by `{chosen.command}`: orders {ORDERS[0]} to {ORDERS[-1]}, {OPEN:.0%} of the cells "
        f"open, within {chosen.limit:g} s of CPU time each.",
        list_table("backend | squares: | completed: | median, s:", lines),
    )


STUDY = Study(
    name="speed.engine.holes",
    about=__doc__ or "",
    row=Row,
    key=lambda row: (row.order, row.seed, row.backend),
    measure=measure,
    report=report,
    keeps=True,
    data="holes.jsonl",
    place="engine",
    options=(
        option("--number", 100, "squares"),
        option("--limit", 10.0, "seconds a square"),
    ),
)

main = STUDY.main

if __name__ == "__main__":
    sys.exit(main())
