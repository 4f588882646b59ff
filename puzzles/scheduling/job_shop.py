"""Job shops: each job visits its machines in its own order, and no machine does two things at once.

Text is a job's operations as machine=duration, from the first to the last, with ``|`` between jobs;
machines are numbered from 0: ``0=3 1=2 | 1=4 0=1`` asks for the schedule that ends soonest,
``0=3 1=2 | 1=4 0=1 <= 7`` for one that ends by 7. Variable ``jIoK`` is the time, from 0, at which
operation K of job I begins. An operation of duration 0 keeps its place in the job, and no machine.

What counting counts: with ``<= N``, the schedules in whole numbers that end by N. Without it, those
that end no later than the best of three schedules that ``schedule_jobs`` makes, which the text
alone determines; the best schedules do not end later, so all are counted whatever that is.

Files may be those of OR-Library and JSPLIB (``orlib``: the numbers of jobs and machines, then a
line for each job with machine and duration in turn; several instances may follow each other, each
after a line ``instance NAME``; other lines that begin with a letter, or with ``+`` or ``#``, are
passed over), and Taillard's (``taillard``: ``puzzles.scheduling.taillard``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from modelling.constraints import Linear
from modelling.errors import InstanceError
from modelling.problem import Objective, Problem, Structure
from modelling.terms import Affine, constants
from modelling.vocabulary.functions.extremes import Maximum
from modelling.vocabulary.scheduling.no_overlap import NoOverlap
from puzzles.family import Family
from puzzles.formats import Locate, default_name, label, place
from puzzles.lines import Read, list_filled_lines, out_of_range, read_number, split_words
from puzzles.random_stream import Stream
from puzzles.scheduling.dispatch import schedule_jobs
from puzzles.scheduling.shops import ShopFamily, check_percent, find_overlaps
from puzzles.scheduling.taillard import (
    MODULUS,
    MOST_DURATION,
    MOST_JOBS,
    MOST_MACHINES,
    MOST_OPERATIONS,
    Operations,
    Shop,
    draw_shop,
    is_heading,
    read_row,
    read_sizes,
    read_taillard,
)

_FORM = "0=3 1=2 | 1=4 0=1"

_horizon = lru_cache(maxsize=32)(schedule_jobs)


class Puzzle(NamedTuple):
    """The jobs, and the time by which all must end, if there is one."""

    jobs: tuple[Operations, ...]
    limit: int | None

    @property
    def horizon(self) -> int:
        """The time by which all ends."""
        return _horizon(self.jobs) if self.limit is None else self.limit

    def operations(self) -> Iterator[tuple[int, int, int, int]]:
        """Job and operation, from 0, machine and duration of each variable."""
        for j, job in enumerate(self.jobs):
            for k, (machine, duration) in enumerate(job):
                yield j, k, machine, duration


@lru_cache(maxsize=16)
def structure(puzzle: Puzzle) -> Structure:
    """Operations of a job in their order, those of a machine apart; each early enough for what
    comes after it in its job."""
    names: list[str] = []
    domains: list[tuple[int, ...]] = []
    constraints: list[Linear | NoOverlap] = []
    machines: dict[int, list[tuple[int, int]]] = {}
    ends = []
    for j, job in enumerate(puzzle.jobs):
        first = len(names)
        durations = [duration for _, duration in job]
        begun = list(accumulate(durations, initial=0))
        slack = puzzle.horizon - begun[-1]
        names += [f"j{j + 1}o{k + 1}" for k in range(len(job))]
        domains += [tuple(range(begin, begin + max(slack, 0) + 1)) for begin in begun[:-1]]
        every = range(first, first + len(job))
        constraints += [
            Linear(pair, (1, -1), "<=", -duration)
            for pair, duration in zip(pairwise(every), durations, strict=False)
        ]
        ends.append(Affine(every[-1], 1, durations[-1]))
        if slack < 0:
            constraints.append(Linear((every[-1],), (1,), "<=", puzzle.horizon - durations[-1]))
        for v, (machine, duration) in zip(every, job, strict=True):
            if duration:
                machines.setdefault(machine, []).append((v, duration))
    for _, tasks in sorted(machines.items()):
        if len(tasks) > 1:
            starts, lengths = zip(*tasks, strict=True)
            constraints.append(NoOverlap(starts, constants(*lengths)))
    goal = Objective("minimize", Maximum(tuple(ends))) if puzzle.limit is None else None
    return Structure(tuple(names), tuple(domains), tuple(constraints), goal)


class JobShop(ShopFamily[Puzzle]):
    """Implements ``puzzles.family.Family``, ``Valued``, ``Formatted`` and ``Generated``."""

    name = "job_shop"
    heading = "machine=duration of each job"
    file_formats = ("orlib", "taillard")
    about = "job shop: the shortest schedule, or one that ends by a given time"
    unit = "operations"
    parameters = ShopFamily.list_parameters(6)

    def parse_job(
        self, words: Sequence[tuple[str, int]], before: Sequence[Any], locate: Locate, column: int
    ) -> Operations:
        """The operations, from the first to the last."""
        if not words:
            cause = f"a job without an operation; write jobs as in {_FORM!r}"
            raise InstanceError(cause, locate(column))
        return tuple(_parse_operation(word, locate, at) for word, at in words)

    def make_puzzle(self, jobs: tuple[Operations, ...], limit: int | None, where: str) -> Puzzle:
        """See ``ShopFamily``."""
        _check_size(jobs, where)
        return Puzzle(jobs, limit)

    def generate(self, draws: Stream, *, jobs: int, machines: int, percent: int) -> str:
        """See ``Generated`` and the function below."""
        return generate(draws, jobs=jobs, machines=machines, percent=percent or None)

    def write_job(self, job: Operations) -> str:
        """Machine and duration of each operation."""
        return " ".join(f"{machine}={duration}" for machine, duration in job)

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``."""
        return structure(puzzle).problem()

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """Each job and each machine is followed through its time."""
        names = [f"operation {k + 1} of job {j + 1}" for j, k, _, _ in puzzle.operations()]
        yield from out_of_range(names, values, 0, puzzle.horizon)
        machines: dict[int, list[tuple[int, int, str]]] = {}
        before = None
        for name, start, (_, k, machine, duration) in zip(
            names, values, puzzle.operations(), strict=True
        ):
            if k and before is not None and start < before[0]:
                yield f"{name} begins at {start}, and {before[1]} ends at {before[0]}"
            before = start + duration, name
            if duration:
                machines.setdefault(machine, []).append((start, start + duration, name))
            if start + duration > puzzle.horizon:
                yield f"{name} ends at {start + duration}, after {puzzle.horizon}"
        yield from find_overlaps(machines)

    def write(self, text: str, values: Sequence[int]) -> str:
        """The times at which operations begin, with ``|`` between jobs."""
        left = iter(values)
        return " | ".join(" ".join(str(next(left)) for _ in job) for job in self.parse(text).jobs)

    def list_tasks(self, puzzle: Puzzle) -> Iterator[tuple[int, int, int]]:
        """The operations; machines are numbered from 0."""
        return ((j, machine, duration) for j, _, machine, duration in puzzle.operations())

    def draw_jobs(self, puzzle: Puzzle) -> Iterator[str]:
        """Machines and durations below each other."""
        wide = len(str(max(m for job in puzzle.jobs for m, _ in job)))
        long = len(str(max(d for job in puzzle.jobs for _, d in job)))
        return (" ".join(f"{m:>{wide}}={d:<{long}}" for m, d in job) for job in puzzle.jobs)

    def as_written(self, head: Sequence[str], first: str, path: str) -> Family:
        """See ``Formatted``: Taillard's have a heading of several words, lines have ``=``."""
        if re.search(r"\d\s*=\s*\d", first):
            return self.in_format("lines")
        words = re.search(r"jobs.*machines", first, re.IGNORECASE)
        return self.in_format("taillard" if words else "orlib")

    def read_file(self, lines: Iterable[str], source: str) -> Iterator[Read[Puzzle]]:
        """Several instances; a bad one is the last that is read."""
        read = read_taillard if self.form == "taillard" else _read_orlib
        return ((shop.name, shop.line, Puzzle(shop.jobs, None)) for shop in read(lines, source))


def _read_orlib(lines: Iterable[str], source: str) -> Iterator[Shop]:
    """Yield the instances of a file; raise ``InstanceError`` at a bad one."""
    rows = list_filled_lines(lines)
    name, at, found = "", 0, 0
    while at < len(rows):
        heading = re.fullmatch(r"[\s#]*instance\s+(\S+)\s*", rows[at][1])
        if heading or is_heading(rows[at][1]):
            name = heading[1] if heading else name
            at += 1
            continue
        line = rows[at][0]
        words = split_words(rows[at][1])
        if len(words) > 2:  # as where a shop has more jobs than its head tells
            cause = (
                f"{len(words)} numbers where a shop begins; write the numbers of jobs and "
                "machines alone, as in '10 5', and as many lines below as there are jobs"
            )
            raise InstanceError(cause, place(source, line, words[2][1]))
        jobs, machines = read_sizes(rows[at], source)
        if at + jobs >= len(rows):
            raise InstanceError(
                f"the file ends; a line for each of {jobs} jobs should follow",
                place(source, rows[-1][0], 1),
            )
        made = tuple(_read_job(row, source, machines) for row in rows[at + 1 : at + 1 + jobs])
        at += 1 + jobs
        found += 1
        alone = found == 1 and at == len(rows)
        yield Shop(name or (label(source) if alone else default_name(source, line)), line, made)
        name = ""
    if not found:
        raise InstanceError("there is no job shop in the file", place(source, 1, 1))


def _read_job(row: tuple[int, str], source: str, machines: int) -> Operations:
    given = read_row(row, source, 2 * machines, "a machine or a duration", MOST_DURATION)
    for k, machine in enumerate(given[::2]):
        if machine >= machines:
            column = split_words(row[1])[2 * k][1]
            cause = f"a machine is {machine}; it must be from 0 to {machines - 1}"
            raise InstanceError(cause, place(source, row[0], column))
    return tuple(zip(given[::2], given[1::2], strict=True))


def _parse_operation(word: str, locate: Locate, column: int) -> tuple[int, int]:
    machine, equals, duration = word.partition("=")
    if not equals:
        cause = f"{word[:40]!r} is no operation; write machine=duration as in '0=3'"
        raise InstanceError(cause, locate(column))
    return (
        read_number(machine, "a machine", 0, MOST_MACHINES - 1, locate(column)),
        read_number(duration, "a duration", 0, MOST_DURATION, locate(column)),
    )


def _check_size(jobs: Sequence[Operations], place_: str) -> None:
    if len(jobs) > MOST_JOBS:
        raise InstanceError(f"{len(jobs)} jobs; there are at most {MOST_JOBS}", place_)
    operations = sum(map(len, jobs))
    if operations > MOST_OPERATIONS:
        raise InstanceError(f"{operations} operations; there are at most {MOST_OPERATIONS}", place_)


JOB_SHOP = JobShop()


def find_lower_bound(jobs: Sequence[Operations]) -> int:
    """The work of the longest job, or of the machine that has most to do."""
    machines: dict[int, int] = {}
    for job in jobs:
        for machine, duration in job:
            machines[machine] = machines.get(machine, 0) + duration
    return max([*machines.values(), *(sum(d for _, d in job) for job in jobs)])


def generate(draws: Stream, *, jobs: int, machines: int, percent: int | None = None) -> str:
    """A shop as Taillard draws them; as many jobs as machines is hardest.

    With ``percent``, the question is whether it can be done within that percentage of
    ``find_lower_bound``: impossible at first, hardest somewhat above 100, easy from about 150.
    """
    check_percent(percent)
    seeds = 1 + draws.below(MODULUS - 1), 1 + draws.below(MODULUS - 1)
    made = draw_shop(jobs, machines, *seeds)
    limit = None if percent is None else find_lower_bound(made) * percent // 100
    return JOB_SHOP.text(Puzzle(made, limit))
