"""Open shops: each job is to visit each machine once, in any order, and nothing is in two places.

Text is a job's durations on the machines, with ``|`` between jobs: ``3 2 | 1 4`` asks for the
schedule that ends soonest, ``3 2 | 1 4 <= 6`` for one that ends by 6. Variable ``jImK`` is the
time, from 0, at which job I begins on machine K. What takes no time is not to be done, and begins
at 0.

What counting counts: with ``<= N``, the schedules in whole numbers that end by N. Without it, those
that end no later than the one that ``schedule_open`` makes, which the text alone determines; the
best schedules, which are no later, are all counted whatever that is.

Files may be Taillard's (``taillard``: ``puzzles.scheduling.taillard``), or have the numbers of jobs
and machines and then a line of durations for each job (``plain``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from modelling.errors import InputError, PuzzleError
from modelling.problem import Objective, Problem, Structure
from modelling.terms import Affine, constants
from modelling.vocabulary.formulas.linear import Linear
from modelling.vocabulary.functions.extremes import Maximum
from modelling.vocabulary.scheduling.no_overlap import NoOverlap
from puzzles.family import Family, Instance
from puzzles.formats import Locate, check_format, in_text, label, numbered, place
from puzzles.lines import out_of_range, read_number, split_limit, split_words
from puzzles.random_stream import Stream
from puzzles.scheduling.dispatch import schedule_open
from puzzles.scheduling.gantt import sign_of
from puzzles.scheduling.shops import ShopFamily
from puzzles.scheduling.taillard import (
    MODULUS,
    MOST_DURATION,
    MOST_JOBS,
    MOST_MACHINES,
    MOST_OPERATIONS,
    Operations,
    draw_shop,
    is_heading,
    read_row,
    read_sizes,
    read_taillard,
)

MOST_TIME = MOST_DURATION * MOST_OPERATIONS
FORMATS = ("lines", "taillard", "plain")

Durations = tuple[tuple[int, ...], ...]
"""Of each job on each machine."""

_horizon = lru_cache(maxsize=32)(schedule_open)


class Puzzle(NamedTuple):
    """The durations, and the time by which all must end, if there is one."""

    durations: Durations
    limit: int | None

    @property
    def horizon(self) -> int:
        """The time by which all ends."""
        return _horizon(self.durations) if self.limit is None else self.limit

    def tasks(self) -> Iterator[tuple[int, int, int]]:
        """Job and machine, from 0, and duration of each variable."""
        for j, job in enumerate(self.durations):
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
    about = "open shop: the shortest schedule, or one that ends by a given time"
    parameters = ShopFamily.list_parameters(4)

    def parse(self, body: str, locate: Locate = in_text) -> Puzzle:
        """The durations, and the limit if there is one."""
        body, limit = split_limit(body, locate, "the time by which all ends", MOST_TIME)
        jobs: list[tuple[int, ...]] = []
        column = 0
        for part in body.split("|"):
            words = split_words(body[: column + len(part)], column)
            if not words or (jobs and len(words) != len(jobs[0])):
                cause = f"{len(words)} durations; write one for each machine, as in '3 2 | 1 4'"
                raise PuzzleError(cause, locate(column + 1))
            jobs.append(
                tuple(
                    read_number(word, "a duration", 0, MOST_DURATION, locate(at))
                    for word, at in words
                )
            )
            column += len(part) + 1
        _check(tuple(jobs), locate(1))
        return Puzzle(tuple(jobs), limit)

    def generate(self, draws: Stream, *, jobs: int, machines: int, percent: int) -> str:
        """See ``Generated`` and the function below."""
        return generate(draws, jobs=jobs, machines=machines, percent=percent or None)

    def text(self, puzzle: Puzzle) -> str:
        """Durations, and the limit if there is one."""
        jobs = " | ".join(" ".join(map(str, job)) for job in puzzle.durations)
        return jobs if puzzle.limit is None else f"{jobs} <= {puzzle.limit}"

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
        many = len(self.parse(text).durations[0])
        rows = (values[k : k + many] for k in range(0, len(values), many))
        return " | ".join(" ".join(map(str, row)) for row in rows)

    def list_tasks(self, puzzle: Puzzle) -> Iterator[tuple[int, int, int]]:
        """Each job on each machine; machines are numbered from 1."""
        return ((j, m + 1, duration) for j, m, duration in puzzle.tasks())

    def tell(self, puzzle: Puzzle) -> str:
        """The durations, a line for each job."""
        long = len(str(max(map(max, puzzle.durations))))
        asked = "as soon as can be" if puzzle.limit is None else f"by {puzzle.limit}"
        rows = (
            f"{sign_of(j)}: {' '.join(f'{d:>{long}}' for d in job)}"
            for j, job in enumerate(puzzle.durations)
        )
        return "\n".join([f"durations of jobs on machines, to end {asked}", *rows])

    def formats(self) -> Sequence[str]:
        """See ``Formatted``."""
        return FORMATS

    def in_format(self, name: str) -> Family:
        """See ``Formatted``."""
        check_format(name, FORMATS)
        return OPEN_SHOP if name == "lines" else _FileShop(name)

    def as_written(self, head: Sequence[str], first: str, path: str) -> Family:
        """See ``Formatted``: Taillard's have a heading, and plain files begin with two numbers (as
        a line does that tells of one job on two machines: name its format)."""
        if is_heading(first):
            return self.in_format("taillard")
        return self.in_format("lines" if "|" in first or len(first.split()) != 2 else "plain")


class _FileShop(OpenShop):
    """Reads files of other formats."""

    def __init__(self, form: str) -> None:
        self.form = form

    def read(self, lines: Iterable[str], source: str) -> Iterator[Instance | PuzzleError]:
        """See ``Family.read``."""
        if self.form == "plain":
            try:
                line, durations = _read_plain(lines, source)
                _check(durations, place(source, line, 1))
            except PuzzleError as error:
                yield error
                return
            yield self._instance(label(source), durations, f"{source}:{line}")
            return
        for shop in read_taillard(lines, source):
            if isinstance(shop, PuzzleError):
                yield shop
            else:
                yield self._instance(
                    shop.name, order_by_machine(shop.jobs), f"{source}:{shop.line}"
                )

    def _instance(self, name: str, durations: Durations, source: str) -> Instance:
        return Instance(self.name, name, self.text(Puzzle(durations, None)), source)


def order_by_machine(jobs: Sequence[Operations]) -> Durations:
    """The durations of jobs that visit each machine once."""
    return tuple(tuple(duration for _, duration in sorted(job)) for job in jobs)


def _read_plain(lines: Iterable[str], source: str) -> tuple[int, Durations]:
    rows = [(number, line) for number, line in numbered(lines) if line.strip()]
    rows = [row for row in rows if not is_heading(row[1])]
    if not rows:
        raise PuzzleError("there is no open shop in the file", place(source, 1, 1))
    jobs, machines = read_sizes(rows[0], source)
    if len(rows) != jobs + 1:
        cause = f"{len(rows) - 1} lines of durations follow, and not one for each of {jobs} jobs"
        raise PuzzleError(cause, place(source, rows[0][0], 1))
    return rows[0][0], tuple(
        read_row(row, source, machines, "a duration", MOST_DURATION) for row in rows[1:]
    )


def _check(durations: Durations, where: str) -> None:
    jobs, machines = len(durations), len(durations[0])
    if jobs > MOST_JOBS or machines > MOST_MACHINES or jobs * machines > MOST_OPERATIONS:
        cause = f"{jobs} jobs and {machines} machines; there are at most {MOST_JOBS} and "
        raise PuzzleError(f"{cause}{MOST_MACHINES}, and {MOST_OPERATIONS} operations", where)
    if not any(map(any, durations)):
        raise PuzzleError("there is nothing to be done: all durations are 0", where)


OPEN_SHOP = OpenShop()


def find_lower_bound(durations: Durations) -> int:
    """The work of the job or the machine that has most."""
    return max([*map(sum, durations), *map(sum, zip(*durations, strict=True))])


def generate(draws: Stream, *, jobs: int, machines: int, percent: int | None = None) -> str:
    """A shop as Taillard draws them; as many jobs as machines is hardest.

    With ``percent``, the question is whether it can be done within that percentage of
    ``find_lower_bound``; at 100 it often can, and it is hard to tell for small shops.
    """
    if percent is not None and not 0 <= percent <= 1000:
        raise InputError(f"a limit of {percent} % of the lower bound; it goes from 0 to 1000")
    seeds = 1 + draws.below(MODULUS - 1), 1 + draws.below(MODULUS - 1)
    made = order_by_machine(draw_shop(jobs, machines, *seeds))
    limit = None if percent is None else find_lower_bound(made) * percent // 100
    return OPEN_SHOP.text(Puzzle(made, limit))
