"""Open shops: each job is to visit each machine once, in any order, and nothing is in two places.

Text is a job's durations on the machines, with ``|`` between jobs: ``3 2 | 1 4`` asks for the
schedule that ends soonest, ``3 2 | 1 4 <= 6`` for one that ends by 6. Variable ``jImK`` is the
time, from 0, at which job I begins on machine K. What takes no time is not to be done, and begins
at 0.

What counting counts: with ``<= N``, the schedules in whole numbers that end by N. Without it, those
that end no later than the one that ``schedule_open`` makes, which the text alone determines; the
best schedules do not end later, so all are counted whatever that is.

Files may be Taillard's (``taillard``: ``puzzles.scheduling.taillard``), or have the numbers of jobs
and machines and then a line of durations for each job (``plain``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from modelling.errors import InstanceError
from modelling.problem import Objective, Problem, Structure
from modelling.terms import Affine, constants
from modelling.vocabulary.formulas.linear import Linear
from modelling.vocabulary.functions.extremes import Maximum
from modelling.vocabulary.scheduling.no_overlap import NoOverlap
from puzzles.family import Family
from puzzles.formats import Locate, label, place
from puzzles.lines import Read, out_of_range, read_number
from puzzles.random_stream import Stream
from puzzles.scheduling.dispatch import schedule_open
from puzzles.scheduling.shops import ShopFamily, check_percent
from puzzles.scheduling.taillard import (
    MODULUS,
    MOST_DURATION,
    MOST_JOBS,
    MOST_MACHINES,
    MOST_OPERATIONS,
    Operations,
    draw_shop,
    is_heading,
    read_plain_rows,
    read_row,
    read_taillard,
)

Durations = tuple[tuple[int, ...], ...]
"""The duration of each job on each machine."""

_horizon = lru_cache(maxsize=32)(schedule_open)


class Puzzle(NamedTuple):
    """The durations, and the time by which all must end, if there is one."""

    jobs: Durations
    limit: int | None

    @property
    def horizon(self) -> int:
        """The time by which all ends."""
        return _horizon(self.jobs) if self.limit is None else self.limit

    def tasks(self) -> Iterator[tuple[int, int, int]]:
        """Job and machine, from 0, and duration of each variable."""
        for j, job in enumerate(self.jobs):
            for m, duration in enumerate(job):
                yield j, m, duration


@lru_cache(maxsize=16)
def structure(puzzle: Puzzle) -> Structure:
    """The operations of each job apart, and those of each machine."""
    tasks = list(puzzle.tasks())
    last = [puzzle.horizon - d if d else 0 for _, _, d in tasks]
    constraints: list[Linear | NoOverlap] = [
        Linear((v,), (1,), "<=", late) for v, late in enumerate(last) if late < 0
    ]
    for kind in (0, 1):
        for number in range(max(task[kind] for task in tasks) + 1):
            group = [v for v, task in enumerate(tasks) if task[kind] == number and task[2]]
            if len(group) > 1:
                lengths = constants(*(tasks[v][2] for v in group))
                constraints.append(NoOverlap(tuple(group), lengths))
    ends = tuple(Affine(v, 1, d) for v, (_, _, d) in enumerate(tasks) if d)
    goal = Objective("minimize", Maximum(ends)) if puzzle.limit is None else None
    return Structure(
        tuple(f"j{j + 1}m{m + 1}" for j, m, _ in tasks),
        tuple(tuple(range(max(late, 0) + 1)) for late in last),
        tuple(constraints),
        goal,
    )


class OpenShop(ShopFamily[Puzzle]):
    """Implements ``puzzles.family.Family``, ``Valued``, ``Formatted`` and ``Generated``."""

    name = "open_shop"
    heading = "durations of jobs on machines"
    file_formats = ("taillard", "plain")
    about = "open shop: the shortest schedule, or one that ends by a given time"
    unit = "operations"
    parameters = ShopFamily.list_parameters(4)

    def parse_job(
        self, words: Sequence[tuple[str, int]], before: Sequence[Any], locate: Locate, column: int
    ) -> tuple[int, ...]:
        """The durations, one for each machine."""
        if not words or (before and len(words) != len(before[0])):
            cause = f"{len(words)} durations; write one for each machine, as in '3 2 | 1 4'"
            raise InstanceError(cause, locate(column))
        return tuple(
            read_number(word, "a duration", 0, MOST_DURATION, locate(at)) for word, at in words
        )

    def make_puzzle(self, jobs: Durations, limit: int | None, where: str) -> Puzzle:
        """See ``ShopFamily``."""
        _check(jobs, where)
        return Puzzle(jobs, limit)

    def generate(self, draws: Stream, *, jobs: int, machines: int, percent: int) -> str:
        """See ``Generated`` and the function below."""
        return generate(draws, jobs=jobs, machines=machines, percent=percent or None)

    def write_job(self, job: tuple[int, ...]) -> str:
        """The durations."""
        return " ".join(map(str, job))

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``."""
        return structure(puzzle).problem()

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """Each job and each machine is followed through its time."""
        names = [f"job {j + 1} on machine {m + 1}" for j, m, _ in puzzle.tasks()]
        yield from out_of_range(names, values, 0, puzzle.horizon)
        followed: dict[str, list[tuple[int, int, str]]] = {}
        for name, start, (j, m, duration) in zip(names, values, puzzle.tasks(), strict=True):
            if not duration:
                if start:
                    yield f"{name} takes no time, and begins at {start}, not at 0"
                continue
            if start + duration > puzzle.horizon:
                yield f"{name} ends at {start + duration}, after {puzzle.horizon}"
            for who in (f"job {j + 1}", f"machine {m + 1}"):
                followed.setdefault(who, []).append((start, start + duration, name))
        for who, tasks in followed.items():
            for (_, end, one), (start, _, other) in pairwise(sorted(tasks)):
                if start < end:
                    yield f"{who}: {other} begins at {start}, and {one} ends at {end}"

    def write(self, text: str, values: Sequence[int]) -> str:
        """The times at which jobs begin on machines, with ``|`` between jobs."""
        many = len(self.parse(text).jobs[0])
        rows = (values[k : k + many] for k in range(0, len(values), many))
        return " | ".join(" ".join(map(str, row)) for row in rows)

    def list_tasks(self, puzzle: Puzzle) -> Iterator[tuple[int, int, int]]:
        """Each job on each machine; machines are numbered from 1."""
        return ((j, m + 1, duration) for j, m, duration in puzzle.tasks())

    def draw_jobs(self, puzzle: Puzzle) -> Iterator[str]:
        """The durations below each other."""
        long = len(str(max(map(max, puzzle.jobs))))
        return (" ".join(f"{duration:>{long}}" for duration in job) for job in puzzle.jobs)

    def as_written(self, head: Sequence[str], first: str, path: str) -> Family:
        """See ``Formatted``: Taillard's have a heading, and plain files begin with two numbers (as
        a line does that tells of one job on two machines: name its format)."""
        if is_heading(first):
            return self.in_format("taillard")
        return self.in_format("lines" if "|" in first or len(first.split()) != 2 else "plain")

    def read_file(self, lines: Iterable[str], source: str) -> Iterator[Read[Puzzle]]:
        """One instance; several of Taillard's, of which a bad one is the last that is read."""
        if self.form == "plain":
            line, durations = _read_plain(lines, source)
            yield label(source), line, self.make_puzzle(durations, None, place(source, line, 1))
            return
        for shop in read_taillard(lines, source):
            yield shop.name, shop.line, Puzzle(order_by_machine(shop.jobs), None)


def order_by_machine(jobs: Sequence[Operations]) -> Durations:
    """The durations of jobs that visit each machine once."""
    return tuple(tuple(duration for _, duration in sorted(job)) for job in jobs)


def _read_plain(lines: Iterable[str], source: str) -> tuple[int, Durations]:
    line, machines, rows = read_plain_rows(lines, source, "open shop", "durations")
    read = (read_row(row, source, machines, "a duration", MOST_DURATION) for row in rows)
    return line, tuple(read)


def _check(durations: Durations, where: str) -> None:
    jobs, machines = len(durations), len(durations[0])
    if jobs > MOST_JOBS or machines > MOST_MACHINES or jobs * machines > MOST_OPERATIONS:
        cause = f"{jobs} jobs and {machines} machines; there are at most {MOST_JOBS} and "
        raise InstanceError(f"{cause}{MOST_MACHINES}, and {MOST_OPERATIONS} operations", where)
    if not any(map(any, durations)):
        raise InstanceError("there is nothing to be done: all durations are 0", where)


OPEN_SHOP = OpenShop()


def find_lower_bound(durations: Durations) -> int:
    """The work of the job or the machine that has most."""
    return max([*map(sum, durations), *map(sum, zip(*durations, strict=True))])


def generate(draws: Stream, *, jobs: int, machines: int, percent: int | None = None) -> str:
    """A shop as Taillard draws them; as many jobs as machines is hardest.

    With ``percent``, the question is whether it can be done within that percentage of
    ``find_lower_bound``; at 100 it often can, and it is hard to tell for small shops.
    """
    check_percent(percent)
    seeds = 1 + draws.below(MODULUS - 1), 1 + draws.below(MODULUS - 1)
    made = order_by_machine(draw_shop(jobs, machines, *seeds))
    limit = None if percent is None else find_lower_bound(made) * percent // 100
    return OPEN_SHOP.text(Puzzle(made, limit))
