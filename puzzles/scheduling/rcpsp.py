"""Projects: tasks in an order, which share resources (RCPSP), to be done as soon as can be.

Text is the capacity of each resource, a colon, and the tasks with ``|`` between them: the duration,
how much of each resource is used, and after ``>`` the tasks that must wait for the end of this
one. ``4 2: 3 2 0 > 3 | 2 3 1 | 4 1 2`` asks for the schedule that ends soonest, with ``<= 9``
after it for one that ends by 9. Variable ``sI`` is the time, from 0, at which task I
begins; tasks are numbered from 1.

What counting counts: with ``<= N``, the schedules in whole numbers that end by N. Without it, those
that end no later than the one that ``schedule_tasks`` makes, which the text alone determines; the
best schedules do not end later, so all are counted whatever that is.

Files may be PSPLIB's for one mode (``sm``: Kolisch and Sprecher, "PSPLIB - a project scheduling
problem library", European Journal of Operational Research 96, 1997). Their first and last job,
which stand for the beginning and the end and take neither time nor resources, are left out, so
that task I is job I + 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from textwrap import wrap
from typing import NamedTuple

from modelling.errors import InputError, InstanceError
from modelling.problem import Objective, Problem, Structure
from modelling.terms import Affine, constant, constants
from modelling.vocabulary.formulas.linear import Linear
from modelling.vocabulary.functions.extremes import Maximum
from modelling.vocabulary.scheduling.cumulative import Cumulative
from puzzles.drawing import beside_or_below
from puzzles.family import Family
from puzzles.formats import Locate, in_text, label, numbered, place
from puzzles.lines import FormattedFamily, Read, out_of_range, read_number, split_limit, split_words
from puzzles.parameters import Parameter
from puzzles.pictures import Bar as Block
from puzzles.pictures import Picture, draw_bars
from puzzles.random_stream import Stream
from puzzles.scheduling.gantt import Bar, draw_gantt, sign_of
from puzzles.scheduling.psplib import read_project

MOST_TASKS, MOST_RESOURCES, MOST_DURATION, MOST_CAPACITY = 500, 20, 1000, 100_000
MOST_TIME = MOST_TASKS * MOST_DURATION
_FORM = "4 2: 3 2 0 > 3 | 2 3 1 | 4 1 2"


class Task(NamedTuple):
    """How long it takes, what it uses, and which tasks, from 0, wait for its end."""

    duration: int
    demands: tuple[int, ...]
    successors: tuple[int, ...]


class Puzzle(NamedTuple):
    """The capacities, the tasks, and the time by which all must end, if there is one."""

    capacities: tuple[int, ...]
    tasks: tuple[Task, ...]
    limit: int | None

    @property
    def horizon(self) -> int:
        """The time by which all ends."""
        return _horizon(self.capacities, self.tasks) if self.limit is None else self.limit


def sort_tasks(tasks: Sequence[Task]) -> list[int]:
    """The tasks in an order in which none comes before what it waits for; fewer than all where
    some wait for each other."""
    waits = [0] * len(tasks)
    for task in tasks:
        for successor in task.successors:
            waits[successor] += 1
    order = [t for t, number in enumerate(waits) if not number]
    for task_ in order:  # which grows
        for successor in tasks[task_].successors:
            waits[successor] -= 1
            if not waits[successor]:
                order.append(successor)
    return order


def find_heads(tasks: Sequence[Task]) -> list[int]:
    """When each task begins at the earliest, whatever resources there are."""
    heads = [0] * len(tasks)
    for t in sort_tasks(tasks):
        for successor in tasks[t].successors:
            heads[successor] = max(heads[successor], heads[t] + tasks[t].duration)
    return heads


def find_tails(tasks: Sequence[Task]) -> list[int]:
    """How long it takes at least from the beginning of each task to the end of all."""
    tails = [task.duration for task in tasks]
    for t in reversed(sort_tasks(tasks)):
        behind = (tails[successor] for successor in tasks[t].successors)
        tails[t] = tasks[t].duration + max(behind, default=0)
    return tails


def schedule_tasks(capacities: tuple[int, ...], tasks: tuple[Task, ...]) -> int:
    """When a serial schedule ends: of the tasks that may begin, that with the longest tail is set
    as early as can be (Kelley, "The critical-path method: resources planning and scheduling",
    1963; Kolisch, "Serial and parallel resource-constrained project scheduling methods
    revisited", European Journal of Operational Research 90, 1996)."""
    tails, heads = find_tails(tasks), [0] * len(tasks)
    waits = [0] * len(tasks)
    for task in tasks:
        for successor in task.successors:
            waits[successor] += 1
    free = [capacities] * sum(task.duration for task in tasks)
    open_ = {t for t, number in enumerate(waits) if not number}
    end = 0
    while open_:
        chosen = max(open_, key=lambda t: (tails[t], -t))
        open_.discard(chosen)
        duration, demands, successors = tasks[chosen]
        begin = heads[chosen]
        while duration:
            full = (
                time
                for time in range(begin + duration - 1, begin - 1, -1)
                if any(d > left for d, left in zip(demands, free[time], strict=True))
            )
            clash = next(full, None)
            if clash is None:
                break
            begin = clash + 1
        for time in range(begin, begin + duration):
            free[time] = tuple(left - d for d, left in zip(demands, free[time], strict=True))
        end = max(end, begin + duration)
        for successor in successors:
            heads[successor] = max(heads[successor], begin + duration)
            waits[successor] -= 1
            if not waits[successor]:
                open_.add(successor)
    return end


_horizon = lru_cache(maxsize=32)(schedule_tasks)


@lru_cache(maxsize=16)
def structure(puzzle: Puzzle) -> Structure:
    """Tasks in their order, and no resource overdrawn; each early enough for what waits for it."""
    tasks, horizon = puzzle.tasks, puzzle.horizon
    heads, tails = find_heads(tasks), find_tails(tasks)
    constraints: list[Linear | Cumulative] = [
        Linear((t, successor), (1, -1), "<=", -task.duration)
        for t, task in enumerate(tasks)
        for successor in task.successors
    ]
    for resource, capacity in enumerate(puzzle.capacities):
        users = [t for t, task in enumerate(tasks) if task.duration and task.demands[resource]]
        demands = [tasks[t].demands[resource] for t in users]
        if sum(demands) > capacity:
            durations = constants(*(tasks[t].duration for t in users))
            constraints.append(
                Cumulative(tuple(users), durations, constants(*demands), constant(capacity))
            )
    last = [(t, task.duration) for t, task in enumerate(tasks) if not task.successors]
    constraints += [
        Linear((t,), (1,), "<=", horizon - d) for t, d in last if heads[t] + d > horizon
    ]
    ends = tuple(Affine(t, 1, d) for t, d in last)
    goal = Objective("minimize", Maximum(ends)) if puzzle.limit is None else None
    return Structure(
        tuple(f"s{t + 1}" for t in range(len(tasks))),
        tuple(
            tuple(range(head, max(head, horizon - tail) + 1))
            for head, tail in zip(heads, tails, strict=True)
        ),
        tuple(constraints),
        goal,
    )


class Rcpsp(FormattedFamily[Puzzle]):
    """Implements ``puzzles.family.Family``, ``Valued``, ``Formatted`` and ``Generated``."""

    name = "rcpsp"
    file_formats = ("sm",)
    about = "project scheduling: tasks in an order that share resources, done soonest"
    unit = "tasks"
    csplib = 61
    join_drawings = staticmethod(beside_or_below)
    parameters = (
        Parameter("tasks", 20, "Number of tasks.", 1, MOST_TASKS),
        Parameter("resources", 4, "Number of resources.", 1, MOST_RESOURCES),
        Parameter(
            "complexity", 150, "Tasks that wait for a task, on average, in per cent.", 0, 10_000
        ),
        Parameter("factor", 50, "Share of the resources that a task uses, in per cent.", 0, 100),
        Parameter(
            "strength", 20, "How ample resources are, from 0 to 100; about 20 is hardest.", 0, 100
        ),
        Parameter(
            "percent",
            0,
            "Time to end by, in per cent of the lower bound; 0 asks for the best.",
            0,
            1000,
        ),
    )
    endings = (".sm",)

    def parse(self, body: str, locate: Locate = in_text) -> Puzzle:
        """The capacities, the tasks, the limit if there is one."""
        head, colon, _ = body.partition(":")
        if not colon:
            raise InstanceError(f"no colon; write capacities: tasks, as in {_FORM!r}", locate(1))
        body, limit = split_limit(
            body, locate, "the time by which all ends", MOST_TIME, len(head) + 1
        )
        capacities = tuple(
            read_number(word, "a capacity", 0, MOST_CAPACITY, locate(column))
            for word, column in split_words(head)
        )
        if not 1 <= len(capacities) <= MOST_RESOURCES:
            cause = f"{len(capacities)} capacities; there are from 1 to {MOST_RESOURCES}"
            raise InstanceError(cause, locate(1))
        column = len(head) + 1
        parts = body[column:].split("|")
        if len(parts) > MOST_TASKS:
            raise InstanceError(f"{len(parts)} tasks; there are at most {MOST_TASKS}", locate(1))
        tasks = []
        for part in parts:
            words = split_words(body[: column + len(part)], column)
            tasks.append(_parse_task(words, capacities, len(parts), locate, column + 1))
            column += len(part) + 1
        check_order(tasks, locate(len(head) + 2))
        return Puzzle(capacities, tuple(tasks), limit)

    def generate(self, draws: Stream, *, percent: int, **given: int) -> str:
        """See ``Generated`` and the function below."""
        return generate(draws, percent=percent or None, **given)

    def text(self, puzzle: Puzzle) -> str:
        """The capacities, the tasks, the limit if there is one."""
        text = f"{' '.join(map(str, puzzle.capacities))}: {' | '.join(map(_tell, puzzle.tasks))}"
        return text if puzzle.limit is None else f"{text} <= {puzzle.limit}"

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``."""
        return structure(puzzle).problem()

    def count_values(self, puzzle: Puzzle) -> int:
        """The tasks."""
        return len(puzzle.tasks)

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """What waits is looked at, then each resource at each time."""
        names = [f"task {t}" for t in range(1, len(puzzle.tasks) + 1)]
        yield from out_of_range(names, values, 0, puzzle.horizon)
        load: dict[tuple[int, int], int] = {}
        for name, start, (duration, demands, successors) in zip(
            names, values, puzzle.tasks, strict=True
        ):
            end = start + duration
            if end > puzzle.horizon:
                yield f"{name} ends at {end}, after {puzzle.horizon}"
            for successor in successors:
                if values[successor] < end:
                    yield f"{names[successor]} begins at {values[successor]}, {name} ends at {end}"
            for resource, demand in enumerate(demands, 1):
                for time in range(start, end):
                    load[resource, time] = load.get((resource, time), 0) + demand
        for (resource, time), used in sorted(load.items()):
            if used > puzzle.capacities[resource - 1]:
                capacity = puzzle.capacities[resource - 1]
                yield f"resource {resource} is used {used} times at {time}, more than {capacity}"

    def has_objective(self, text: str) -> bool:
        """See ``OptionalObjective``: without a time to end by."""
        return "<=" not in text

    def value(self, text: str, values: Sequence[int]) -> int:
        """See ``Valued``: when the last task ends."""
        return _find_end(self.parse(text), values)

    def draw(self, puzzle: Puzzle, values: Sequence[int] | None) -> str:
        """Capacities, then a line a task; or their time, then how much of each resource is used."""
        if values is None:
            asked = "as soon as can be" if puzzle.limit is None else f"by {puzzle.limit}"
            given = f"tasks as 'duration uses > tasks that wait', to end {asked}"
            capacities = f"capacities {' '.join(map(str, puzzle.capacities))}"
            rows = (f"{t:>4}: {_tell(task)}" for t, task in enumerate(puzzle.tasks, 1))
            return "\n".join([given, *wrap(capacities, 80, subsequent_indent="  "), *rows])
        end = _find_end(puzzle, values)
        begun = sorted(range(len(values)), key=lambda t: (values[t], t))
        chart = [
            (f"{t + 1}", [Bar(values[t], values[t] + puzzle.tasks[t].duration, sign_of(t))])
            for t in begun
        ]
        loads = [
            (f"resource {r + 1}", _draw_load(puzzle, values, r, end))
            for r in range(len(puzzle.capacities))
        ]
        return draw_gantt(chart, end) + "\n\nused, in tenths (# all)\n" + draw_gantt(loads, end)

    def sketch(self, puzzle: Puzzle, values: Sequence[int] | None) -> Picture:
        """A chart of the tasks by the time at which they begin."""
        if values is None:
            return super().sketch(puzzle, None)
        rows = []
        for start, t in sorted(zip(values, range(len(values)), strict=True)):
            given = " ".join(map(str, puzzle.tasks[t].demands))
            rows.append(
                (f"task {t + 1}", [Block(start, start + puzzle.tasks[t].duration, given, t)])
            )
        return draw_bars(rows, _find_end(puzzle, values), puzzle.limit)

    def as_written(self, head: Sequence[str], first: str, path: str) -> Family:
        """See ``Formatted``: PSPLIB's begin with asterisks."""
        return self.in_format("sm" if re.match(r"\s*\*{3}", first) else "lines")

    def read_file(self, lines: Iterable[str], source: str) -> Iterator[Read[Puzzle]]:
        """One project."""
        rows = list(numbered(lines))
        capacities, jobs = read_project(rows, source, MOST_TASKS, MOST_DURATION, MOST_CAPACITY)
        tasks = tuple(Task(*job) for job in jobs)
        check_order(tasks, place(source, 1, 1))
        yield label(source).removesuffix(".sm"), 1, Puzzle(capacities, tasks, None)


def check_order(tasks: Sequence[Task], where: str) -> None:
    """Raises ``InstanceError`` for tasks that wait for each other."""
    order = sort_tasks(tasks)
    if len(order) < len(tasks):
        stuck = next(t for t in range(len(tasks)) if t not in order)
        cause = f"task {stuck + 1} waits for itself, or for tasks that wait for each other"
        raise InstanceError(cause, where)


def _parse_task(
    words: Sequence[tuple[str, int]],
    capacities: tuple[int, ...],
    tasks: int,
    locate: Locate,
    column: int,
) -> Task:
    arrow = next((k for k, (word, _) in enumerate(words) if word == ">"), len(words))
    if arrow != len(capacities) + 1:
        cause = f"{arrow} numbers; write the duration and the use of each of {len(capacities)} "
        raise InstanceError(f"{cause}resources, as in {_FORM!r}", locate(column))
    duration = read_number(words[0][0], "a duration", 0, MOST_DURATION, locate(words[0][1]))
    demands = tuple(
        read_number(word, "the use of a resource", 0, capacity, locate(at))
        for (word, at), capacity in zip(words[1:arrow], capacities, strict=True)
    )
    successors = {
        read_number(word, "a task that waits", 1, tasks, locate(at)) - 1
        for word, at in words[arrow + 1 :]
    }
    return Task(duration, demands, tuple(sorted(successors)))


def _tell(task: Task) -> str:
    numbers = " ".join(map(str, (task.duration, *task.demands)))
    behind = " ".join(str(successor + 1) for successor in task.successors)
    return f"{numbers} > {behind}" if behind else numbers


def _find_end(puzzle: Puzzle, values: Sequence[int]) -> int:
    return max(start + task.duration for start, task in zip(values, puzzle.tasks, strict=True))


def _draw_load(puzzle: Puzzle, values: Sequence[int], resource: int, end: int) -> list[Bar]:
    """A bar for each unit of time in which the resource is used."""
    load = [0] * end
    for start, task in zip(values, puzzle.tasks, strict=True):
        for time in range(start, start + task.duration):
            load[time] += task.demands[resource]
    capacity = puzzle.capacities[resource]
    return [
        Bar(time, time + 1, "#" if used == capacity else str(10 * used // capacity))
        for time, used in enumerate(load)
        if used
    ]


RCPSP = Rcpsp()


def find_lower_bound(capacities: Sequence[int], tasks: Sequence[Task]) -> int:
    """The longest chain of tasks, or the work for a resource in proportion to its capacity."""
    work = (
        -(-sum(task.duration * task.demands[r] for task in tasks) // capacity)
        for r, capacity in enumerate(capacities)
        if capacity
    )
    return max([*find_tails(tasks), *work])


def generate(
    draws: Stream,
    *,
    tasks: int,
    resources: int = 4,
    complexity: int = 150,
    factor: int = 50,
    strength: int = 20,
    percent: int | None = None,
) -> str:
    """A project by the parameters of PSPLIB's generator, all in hundredths (Kolisch, Sprecher and
    Drexl, "Characterization and generation of a general class of resource-constrained project
    scheduling problems", Management Science 41, 1995).

    ``complexity`` is how many tasks wait for each task, on average; ``factor`` the share of the
    resources that a task uses; ``strength`` how scarce they are, from 0 (what the greediest task
    needs) to 100 (what is used when all tasks begin as early as can be): about 20 is hardest. With
    ``percent``, the question is whether it can be done within that percentage of
    ``find_lower_bound``.
    """
    if not (1 <= tasks <= MOST_TASKS and 1 <= resources <= MOST_RESOURCES):
        raise InputError(f"no project of {tasks} tasks and {resources} resources")
    if not (complexity >= 0 and 0 <= factor <= 100 and 0 <= strength <= 100):
        raise InputError("complexity is 0 at least, factor and strength go from 0 to 100")
    pairs = [(a, b) for a in range(tasks) for b in range(a + 1, tasks)]
    chosen = {(draws.below(b), b) for b in range(1, tasks) if draws.below(4)}
    wanted = min(tasks * complexity // 100, len(pairs))
    for pair in draws.shuffled(pairs):
        if len(chosen) >= wanted:
            break
        chosen.add(pair)
    made = []
    for t in range(tasks):
        demands = tuple(
            1 + draws.below(10) if draws.below(100) < factor else 0 for _ in range(resources)
        )
        behind = tuple(sorted(b for a, b in chosen if a == t))
        made.append(Task(1 + draws.below(10), demands, behind))
    capacities = tuple(_find_capacity(made, r, strength) for r in range(resources))
    limit = None if percent is None else find_lower_bound(capacities, made) * percent // 100
    return RCPSP.text(Puzzle(capacities, tuple(made), limit))


def _find_capacity(tasks: Sequence[Task], resource: int, strength: int) -> int:
    least = max(task.demands[resource] for task in tasks)
    heads = find_heads(tasks)
    ends = range(max(head + task.duration for head, task in zip(heads, tasks, strict=True)))
    peak = max(
        sum(
            task.demands[resource]
            for head, task in zip(heads, tasks, strict=True)
            if head <= time < head + task.duration
        )
        for time in ends
    )
    return least + (peak - least) * strength // 100
