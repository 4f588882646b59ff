"""Flexible job shops: job shops in which an operation may run on one of several machines.

Text is that of a job shop, with ``/`` between the alternatives of an operation, each as
machine=duration; machines are numbered from 0: ``0=3/1=5 1=2 | 1=4 0=1`` asks for the schedule that
ends soonest, ``0=3/1=5 1=2 | 1=4 0=1 <= 7`` for one that ends by 7. Variable ``jIoK`` is the time,
from 0, at which operation K of job I begins; where it has several alternatives, ``jIoKmM`` is 1 if
it runs on machine M, else 0. What takes no time keeps its place in the job, and no machine.

What counting counts: schedules in whole numbers, with the machines that are chosen. With ``<= N``,
those that end by N; without it, those that end no later than the one that ``schedule_flexible``
makes, which the text alone determines; the best schedules do not end later, so all are counted
whatever that is.

Files may be those of FJSPLIB (``fjsplib``: J. Hurink, B. Jurisch and M. Thole, "Tabu search for the
job-shop scheduling problem with multi-purpose machines", OR Spektrum 15, 1994; P. Brandimarte,
"Routing and scheduling in a flexible job shop by tabu search", Annals of Operations Research 41,
1993): the numbers of jobs and machines and, mostly, that of machines for an operation on average;
then a line for each job: how many operations it has, and for each of them how many alternatives it
has, each with its machine, from 1, and its duration.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

from modelling.constraint import Constraint
from modelling.constraints import Linear
from modelling.errors import InstanceError
from modelling.problem import Objective, Problem, Structure
from modelling.terms import Affine, Term, constant
from modelling.vocabulary.formulas.linear import Sum
from modelling.vocabulary.functions.extremes import Maximum
from modelling.vocabulary.scheduling.no_overlap import NoOverlap
from puzzles.family import Family
from puzzles.formats import Locate, label, place
from puzzles.lines import Read, out_of_range, read_number, split_words
from puzzles.parameters import Parameter
from puzzles.random_stream import Stream
from puzzles.scheduling.dispatch import schedule_flexible
from puzzles.scheduling.shops import ShopFamily, check_percent, find_overlaps
from puzzles.scheduling.taillard import (
    LARGEST,
    MOST_DURATION,
    MOST_JOBS,
    MOST_MACHINES,
    MOST_OPERATIONS,
    check_size,
    read_plain_rows,
)

MOST_ALTERNATIVES = 20_000
"""The most alternatives of all operations together."""

_FORM = "0=3/1=5 1=2 | 1=4 0=1"

Operation = tuple[tuple[int, int], ...]
"""The alternatives: machine, from 0, and duration."""

Jobs = tuple[tuple[Operation, ...], ...]

_horizon = lru_cache(maxsize=32)(schedule_flexible)


class Puzzle(NamedTuple):
    """The jobs, and the time by which all must end, if there is one."""

    jobs: Jobs
    limit: int | None

    @property
    def horizon(self) -> int:
        """The time by which all ends."""
        return _horizon(self.jobs) if self.limit is None else self.limit

    def operations(self) -> Iterator[tuple[int, int, Operation, int]]:
        """Job and number of each operation, from 0, its alternatives, and its first variable."""
        variable = 0
        for j, job in enumerate(self.jobs):
            for k, operation in enumerate(job):
                yield j, k, operation, variable
                variable += _count_variables(operation)


def _count_variables(operation: Operation) -> int:
    return 1 + (len(operation) if len(operation) > 1 else 0)


def _least(operation: Operation) -> int:
    return min(duration for _, duration in operation)


class Posed(NamedTuple):
    """An operation over its variables: its start, then one that is 1 for the alternative that is
    chosen, if there are several; ``durations`` are theirs, and ``fixed`` that of a single one."""

    job: int
    operation: Operation
    start: int

    @property
    def chosen(self) -> tuple[int, ...]:
        return tuple(range(self.start + 1, self.start + _count_variables(self.operation)))

    @property
    def durations(self) -> tuple[int, ...]:
        return tuple(d for _, d in self.operation) if self.chosen else ()

    @property
    def fixed(self) -> int:
        return 0 if self.chosen else self.operation[0][1]

    @property
    def end(self) -> Term:
        """When it ends."""
        if self.chosen:
            return Sum((self.start, *self.chosen), (1, *self.durations))
        return Affine(self.start, 1, self.fixed)

    def ends_by(self, time: int, other: tuple[int, ...] = ()) -> Linear:
        """That it ends by a time, counted from when an ``other`` one begins, if there is one."""
        terms = (self.start, *self.chosen, *other)
        factors = (1, *self.durations, *(-1 for _ in other))
        return Linear(terms, factors, "<=", time - self.fixed)

    def tasks(self) -> Iterator[tuple[int, int, Term]]:
        """Machine, start and length of each alternative that takes time: one that is not chosen
        has the length 0."""
        lengths: tuple[Term, ...] = (constant(self.fixed),)
        if self.chosen:
            lengths = tuple(map(Affine, self.chosen, self.durations, (0,) * len(self.chosen)))
        for (machine, duration), length in zip(self.operation, lengths, strict=True):
            if duration:
                yield machine, self.start, length


@lru_cache(maxsize=16)
def structure(puzzle: Puzzle) -> Structure:
    """Operations of a job in their order, each on one machine, and those of a machine apart."""
    every = [Posed(j, operation, start) for j, _, operation, start in puzzle.operations()]
    constraints: list[Constraint] = [
        Linear(one.chosen, (1,) * len(one.chosen), "==", 1) for one in every if one.chosen
    ]
    last: list[Posed] = []
    for one, other in zip(every, [*every[1:], None], strict=True):
        if other is not None and one.job == other.job:
            constraints.append(one.ends_by(0, (other.start,)))
        else:
            constraints.append(one.ends_by(puzzle.horizon))
            last.append(one)
    machines: dict[int, list[tuple[int, Term]]] = {}
    for one in every:
        for machine, start, length in one.tasks():
            machines.setdefault(machine, []).append((start, length))
    for _, tasks in sorted(machines.items()):
        if len(tasks) > 1:
            starts, lengths = zip(*tasks, strict=True)
            constraints.append(NoOverlap(starts, lengths))
    goal = Maximum(tuple(one.end for one in last))
    names, domains = _declare(puzzle)
    objective = Objective("minimize", goal) if puzzle.limit is None else None
    return Structure(names, domains, tuple(constraints), objective)


def _declare(puzzle: Puzzle) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
    """Names and domains: each operation begins late enough for what comes before it in its job,
    and early enough for what comes after it."""
    names: list[str] = []
    domains: list[tuple[int, ...]] = []
    for j, job in enumerate(puzzle.jobs):
        earliest = list(accumulate(map(_least, job), initial=0))
        slack = max(puzzle.horizon - earliest[-1], 0)
        for k, operation in enumerate(job):
            name = f"j{j + 1}o{k + 1}"
            names.append(name)
            domains.append(tuple(range(earliest[k], earliest[k] + slack + 1)))
            for machine, _ in operation if len(operation) > 1 else ():
                names.append(f"{name}m{machine}")
                domains.append((0, 1))
    return tuple(names), tuple(domains)


class FlexibleJobShop(ShopFamily[Puzzle]):
    """Implements ``puzzles.family.Family``, ``Valued``, ``Formatted`` and ``Generated``."""

    name = "flexible_job_shop"
    heading = "machine=duration of each alternative"
    file_formats = ("fjsplib",)
    about = "flexible job shop: each operation on one of several machines, to end soonest"
    unit = "operations"
    endings = (".fjs",)
    parameters = (
        *ShopFamily.list_parameters(5),
        Parameter(
            "alternatives", 3, "Greatest number of machines for an operation.", 1, MOST_MACHINES
        ),
    )

    def parse_job(
        self, words: Sequence[tuple[str, int]], before: Sequence[Any], locate: Locate, column: int
    ) -> tuple[Operation, ...]:
        """The operations, from the first to the last."""
        if not words:
            cause = f"a job without an operation; write jobs as in {_FORM!r}"
            raise InstanceError(cause, locate(column))
        return tuple(_parse_operation(word, locate, at) for word, at in words)

    def make_puzzle(self, jobs: Jobs, limit: int | None, where: str) -> Puzzle:
        """See ``ShopFamily``."""
        _check_size(jobs, where)
        return Puzzle(jobs, limit)

    def generate(
        self, draws: Stream, *, jobs: int, machines: int, percent: int, alternatives: int
    ) -> str:
        """See ``Generated`` and the function below."""
        return generate(
            draws, jobs=jobs, machines=machines, alternatives=alternatives, percent=percent or None
        )

    def write_job(self, job: Sequence[Operation]) -> str:
        """The alternatives of each operation."""
        return " ".join("/".join(f"{m}={d}" for m, d in operation) for operation in job)

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``."""
        return structure(puzzle).problem()

    def measure(self, puzzle: Puzzle) -> int:
        """The operations."""
        return sum(1 for _ in puzzle.operations())

    def count_values(self, puzzle: Puzzle) -> int:
        """A start for each operation, and a choice for each of several alternatives."""
        return sum(_count_variables(operation) for _, _, operation, _ in puzzle.operations())

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """Each job and each machine is followed through its time."""
        machines: dict[int, list[tuple[int, int, str]]] = {}
        before = 0, ""
        for j, k, operation, first in puzzle.operations():
            name = f"operation {k + 1} of job {j + 1}"
            start = values[first]
            yield from out_of_range([name], [start], 0, puzzle.horizon)
            chosen = values[first + 1 : first + _count_variables(operation)] or [1]
            if sorted(chosen) != [0] * (len(chosen) - 1) + [1]:
                yield f"{name} has the choices {list(chosen)}, and must run on one machine"
                continue
            machine, duration = operation[list(chosen).index(1)]
            if k and before[1] and start < before[0]:
                yield f"{name} begins at {start}, and {before[1]} ends at {before[0]}"
            before = start + duration, name
            if duration:
                machines.setdefault(machine, []).append((start, start + duration, name))
            if start + duration > puzzle.horizon:
                yield f"{name} ends at {start + duration}, after {puzzle.horizon}"
        yield from find_overlaps(machines)

    def write(self, text: str, values: Sequence[int]) -> str:
        """For each operation the machine and the time at which it begins, with ``|`` between
        jobs: ``0@3``."""
        puzzle = self.parse(text)
        jobs: list[list[str]] = [[] for _ in puzzle.jobs]
        for (job, machine, _), start in self._schedule(puzzle, values):
            jobs[job].append(f"{machine}@{start}")
        return " | ".join(map(" ".join, jobs))

    def list_tasks(self, puzzle: Puzzle) -> Iterator[tuple[int, int, int]]:
        """The alternatives of all operations; machines are numbered from 0."""
        for j, _, operation, _ in puzzle.operations():
            for machine, duration in operation:
                yield j, machine, duration

    def _schedule(
        self, puzzle: Puzzle, values: Sequence[int]
    ) -> Iterator[tuple[tuple[int, int, int], int]]:
        """What was chosen of each operation, and when it begins."""
        for j, _, operation, first in puzzle.operations():
            chosen = values[first + 1 : first + _count_variables(operation)]
            machine, duration = operation[list(chosen).index(1) if 1 in chosen else 0]
            yield (j, machine, duration), values[first]

    def as_written(self, head: Sequence[str], first: str, path: str) -> Family:
        """See ``Formatted``: lines have ``=``."""
        return self.in_format("lines" if "=" in first else "fjsplib")

    def read_file(self, lines: Iterable[str], source: str) -> Iterator[Read[Puzzle]]:
        """One instance."""
        line, jobs = _read_fjsplib(lines, source)
        yield label(source), line, self.make_puzzle(jobs, None, place(source, line, 1))


def _read_fjsplib(lines: Iterable[str], source: str) -> tuple[int, Jobs]:
    line, machines, rows = read_plain_rows(lines, source, "flexible job shop", "operations")
    return line, tuple(_read_job(row, source, machines) for row in rows)


def _read_job(row: tuple[int, str], source: str, machines: int) -> tuple[Operation, ...]:
    """How many operations; for each how many alternatives, then machine and duration of each."""
    line, text = row
    words = iter(split_words(text))

    def read(what: str, least: int, most: int) -> int:
        word, column = next(words, ("", len(text) + 1))
        if not word:
            raise InstanceError(
                f"the line ends where {what} is expected", place(source, line, column)
            )
        return read_number(word, what, least, most, place(source, line, column))

    job = []
    for _ in range(read("the number of operations", 1, MOST_OPERATIONS)):
        operation = []
        for _ in range(read("the number of an operation's alternatives", 1, machines)):
            machine = read("a machine", 1, machines) - 1
            operation.append((machine, read("a duration", 0, MOST_DURATION)))
        _check_operation(operation, place(source, line, 1))
        job.append(tuple(operation))
    for word, column in words:
        cause = f"{word[:40]!r} follows the last of {len(job)} operations"
        raise InstanceError(cause, place(source, line, column))
    return tuple(job)


def _parse_operation(word: str, locate: Locate, column: int) -> Operation:
    operation = []
    for part in word.split("/"):
        machine, equals, duration = part.partition("=")
        if not equals:
            cause = f"{part[:40]!r} is no alternative; write machine=duration as in '0=3/1=5'"
            raise InstanceError(cause, locate(column))
        operation.append(
            (
                read_number(machine, "a machine", 0, MOST_MACHINES - 1, locate(column)),
                read_number(duration, "a duration", 0, MOST_DURATION, locate(column)),
            )
        )
        column += len(part) + 1
    _check_operation(operation, locate(column - len(word) - 1))
    return tuple(operation)


def _check_operation(operation: Sequence[tuple[int, int]], where: str) -> None:
    if len({machine for machine, _ in operation}) < len(operation):
        raise InstanceError("a machine occurs twice among the alternatives of an operation", where)


def _check_size(jobs: Sequence[Sequence[Operation]], where: str) -> None:
    for number, most, what in (
        (len(jobs), MOST_JOBS, "jobs"),
        (sum(map(len, jobs)), MOST_OPERATIONS, "operations"),
        (sum(len(o) for job in jobs for o in job), MOST_ALTERNATIVES, "alternatives"),
    ):
        if number > most:
            raise InstanceError(f"{number} {what}; there are at most {most}", where)


FLEXIBLE_JOB_SHOP = FlexibleJobShop()


def find_lower_bound(jobs: Jobs) -> int:
    """The least work of the longest job, or of all jobs divided among all machines."""
    work = [sum(map(_least, job)) for job in jobs]
    machines = {machine for job in jobs for operation in job for machine, _ in operation}
    return max([*work, -(-sum(work) // len(machines))])


def generate(
    draws: Stream, *, jobs: int, machines: int, alternatives: int, percent: int | None = None
) -> str:
    """Jobs of as many operations as there are machines. An operation has 1 to ``alternatives``
    machines, each number as likely; it takes 1 to 99, and on a machine up to a half more.

    With ``percent``, the question is whether it can be done within that percentage of
    ``find_lower_bound``.
    """
    check_percent(percent)
    check_size(jobs, machines)
    made = []
    for _ in range(jobs):
        job = []
        for _ in range(machines):
            many = 1 + draws.below(min(alternatives, machines))
            least = 1 + draws.below(LARGEST)
            chosen = sorted(draws.shuffled(range(machines))[:many])
            job.append(tuple((m, least + draws.below(least // 2 + 1)) for m in chosen))
        made.append(tuple(job))
    limit = None if percent is None else find_lower_bound(tuple(made)) * percent // 100
    return FLEXIBLE_JOB_SHOP.text(Puzzle(tuple(made), limit))
