"""How long it takes to get a job to a warm worker and its answer back; nothing is solved.

    python -m results.studies.runs.dispatch [--jobs N] [--out FILE]

prints, as JSON in microseconds, the median, 95th percentile and maximum of

``dispatch``   from sending a job until its answer is read, less the worker's own account of it,
               for an instance of 81 characters and an answer of 81 values
``throughput`` the same jobs end to end, store included: microseconds a job
``bare_pipe``  a round trip of as many bytes through two pipes to a child that echoes them, in the
               same run on the same machine
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from time import perf_counter

import msgspec
import numpy as np

from backends.interface.api import Accepted, Ask, Limits, Refused, Result, Sink, Solutions
from backends.interface.collector import Collector
from harness.job import Job, Question
from harness.plan.expansion import plan_jobs
from harness.store.store import Store
from harness.supervise.supervisor import supervise
from modelling.constraints import Constraint
from modelling.errors import InstanceError
from modelling.problem import Problem, Structure
from puzzles.family import Instance
from results.studies.runner import write_json

CELLS = 81
_STRUCTURE = Structure(
    tuple(f"x{i}" for i in range(CELLS)), (tuple(range(10)),) * CELLS, constraints=()
)


class Digits:
    """A family whose instances are 81 digits, each the only value of its variable."""

    name = "digits"
    about = "81 digits, and nothing to solve"

    def read(self, lines: Iterable[str], source: str) -> Iterator[Instance | InstanceError]:
        for number, line in enumerate(lines, 1):
            place = f"{source}:{number}"
            yield Instance(self.name, place, line.strip(), place)

    def problem(self, text: str) -> Problem:
        return Problem(_STRUCTURE, tuple(1 << int(sign) for sign in text))

    def check(self, text: str, values: Sequence[int]) -> list[str]:
        return [] if text == self.write(text, values) else ["the digits differ"]

    def render(self, text: str, values: Sequence[int] | None = None) -> str:
        return text

    def write(self, text: str, values: Sequence[int]) -> str:
        return "".join(map(str, values))


class Reader:
    """A backend that reads the solution off the masks."""

    name = "reader"
    native: frozenset[type[Constraint]] = frozenset()

    def accepts(self, problem: Problem) -> Accepted | Refused:
        return Accepted()

    def solve(
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        sink: Sink | None = None,
    ) -> Result:
        collector = Collector(ask, sink)
        collector.add(tuple(mask.bit_length() - 1 for mask in problem.masks))
        return collector.result("exhausted")


def jobs(number: int) -> list[Job]:
    """``number`` jobs with instances that differ."""
    return [
        Job(
            number=i,
            set="digits",
            instance=str(i),
            family=f"py:{__spec__.name}:Digits",
            text=f"{i:081d}",
            backend=f"py:{__spec__.name}:Reader",
            question=Question(),
            limits=Limits(30.0),
        )
        for i in range(1, number + 1)
    ]


def dispatch(number: int) -> tuple[list[float], float]:
    """Seconds of each dispatch, and seconds of wall clock for all of them with the store."""
    todo = jobs(number)
    with tempfile.TemporaryDirectory() as folder:
        store = Store.create(Path(folder) / "run", None, *plan_jobs(todo))
        started = perf_counter()
        overheads = []
        with store.writing():
            for record in supervise(store.read_pending(), on_version=store.add_version):
                if record is not None:
                    store.add(record)
                    overheads.append(record.elapsed_s - record.wall_s)
                store.commit_when_due()
        total = perf_counter() - started
        store.close()
    return overheads, total


def bare_pipe(number: int, size: int) -> list[float]:
    """Seconds of each round trip of ``size`` bytes to a forked child and back."""
    there, back = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        os.close(there[1])
        while data := os.read(there[0], 1 << 16):
            os.write(back[1], data)
        os._exit(0)
    message = b"." * size
    times = []
    for _ in range(number):
        started = perf_counter()
        os.write(there[1], message)
        os.read(back[0], 1 << 16)
        times.append(perf_counter() - started)
    os.close(there[1])
    os.waitpid(child, 0)
    for descriptor in (there[0], *back):
        os.close(descriptor)
    return times


def microseconds(times: Sequence[float]) -> dict[str, float]:
    """Median, 95th percentile and maximum in microseconds."""
    return {
        "median": round(float(np.percentile(times, 50)) * 1e6, 1),
        "p95": round(float(np.percentile(times, 95)) * 1e6, 1),
        "maximum": round(max(times) * 1e6, 1),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write to ``--out``."""
    parser = argparse.ArgumentParser(description="dispatch of a job to a warm worker")
    parser.add_argument("--jobs", type=int, default=5000)
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args(arguments)
    overheads, total = dispatch(chosen.jobs)
    figures = {
        "unit": "microseconds",
        "jobs": chosen.jobs,
        "dispatch": microseconds(overheads[1:]),
        "throughput": round(total / chosen.jobs * 1e6, 1),
        "bare_pipe": microseconds(bare_pipe(chosen.jobs, 500)),
    }
    if chosen.out is not None:
        write_json(chosen.out, figures)
    print(msgspec.json.format(msgspec.json.encode(figures), indent=2).decode())


if __name__ == "__main__":
    main()
