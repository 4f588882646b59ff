"""Tasks that share a machine, or a resource.

A machine: the earliest end of every set of tasks that comes first (Held and Karp, *A dynamic
programming approach to sequencing problems*, 1962): exact, if there are few tasks. A resource: what
must run at one time, and what must run within an interval (Baptiste, Le Pape and Nuijten,
*Constraint-based scheduling*, 2001: energetic reasoning), for each value of the variable that the
line is about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from backends.proofs.inferences.box import Box, Literal, Term
from backends.proofs.inferences.rules import Case, Values, value_of, variables_of

MOST_STEPS = 200_000
"""Steps of a sequence that are tried."""
MOST_SPLIT = 2_000
"""Values of the variable that a line is about, each tried apart."""


class Order(NamedTuple):
    """A variable that is 1 where ``first`` comes before ``second``, and 0 where it comes after.

    The tasks are numbers; of tasks that cannot overlap one comes before the other. The variable is
    new: no constraint has it, so any solution has a value for it.
    """

    variable: int
    first: int
    second: int


class NoOverlap(NamedTuple):
    """No two tasks run at one time; tasks of length 0 are left out unless ``strict``."""

    starts: tuple[Term, ...]
    lengths: tuple[Term, ...]
    strict: bool
    orders: tuple[Order, ...] = ()

    def scope(self) -> Iterator[int]:
        yield from variables_of((*self.starts, *self.lengths))
        yield from (order.variable for order in self.orders)

    def keeps_apart(self, box: Box, i: int, j: int) -> bool:
        """Whether one of two tasks comes before the other."""
        return i != j and all(self.strict or box.ends(self.lengths[k])[0] > 0 for k in (i, j))

    def is_refuted(self, box: Box, case: Case) -> bool:
        """By the tasks that the line names, then by all."""
        if any(box.ends(length)[1] < 0 for length in self.lengths):
            return True
        every = [
            k for k, length in enumerate(self.lengths) if self.strict or box.ends(length)[0] > 0
        ]
        return sequence_refuted(box, self.starts, self.lengths, self.orders, every, case)

    def holds(self, values: Values) -> bool:
        starts = [value_of(term, values) for term in self.starts]
        lengths = [value_of(term, values) for term in self.lengths]
        if min(lengths, default=0) < 0:
            return False
        kept = [k for k, length in enumerate(lengths) if length or self.strict]
        return all(
            starts[i] + lengths[i] <= starts[j] or starts[j] + lengths[j] <= starts[i]
            for i, j in combinations(kept, 2)
        ) and orders_hold(self.orders, starts, lengths, values)


def orders_hold(
    orders: Sequence[Order], starts: Sequence[int], lengths: Sequence[int], values: Values
) -> bool:
    """Whether the tasks are in the orders that the variables say."""
    for variable, i, j in orders:
        one, other = (i, j) if values[variable] == 1 else (j, i)
        if values[variable] not in (0, 1) or starts[one] + lengths[one] > starts[other]:
            return False
    return True


def sequence_refuted(
    box: Box,
    starts: Sequence[Term],
    lengths: Sequence[Term],
    orders: Sequence[Order],
    every: Sequence[int],
    case: Case,
) -> bool:
    """Whether tasks that do not overlap cannot be in any sequence; by those that a line names,
    which may be enough, then by all."""
    named = {
        k for order in orders if order.variable in case.touched for k in (order.first, order.second)
    }
    named |= {k for k in every if set(variables_of((starts[k], lengths[k]))) & set(case.touched)}
    some = [k for k in every if k in named]
    if some and not _may_follow(box, starts, lengths, orders, some):
        return True
    return len(some) < len(every) and not _may_follow(box, starts, lengths, orders, every)


def _may_follow(
    box: Box,
    starts: Sequence[Term],
    lengths: Sequence[Term],
    orders: Sequence[Order],
    tasks: Sequence[int],
) -> bool:
    """Whether there is a sequence of the tasks, or it takes too long to know."""
    place = {task: k for k, task in enumerate(tasks)}
    before = [0] * len(tasks)  # for each task those that must come first
    for variable, first, second in orders:
        if first in place and second in place:
            if not box.may(variable, 1):
                before[place[first]] |= 1 << place[second]
            if not box.may(variable, 0):
                before[place[second]] |= 1 << place[first]
    least = [max(0, box.ends(lengths[task])[0]) for task in tasks]
    latest = [box.ends(starts[task])[1] for task in tasks]
    ends: dict[int, int | None] = {0: None}
    steps = 0
    for _ in tasks:
        following: dict[int, int | None] = {}
        for done, end in ends.items():
            for k, task in enumerate(tasks):
                if done >> k & 1 or before[k] & ~done:
                    continue
                steps += 1
                if steps > MOST_STEPS:
                    return True
                start = first_at(box, starts[task], end)
                if start is None:
                    continue
                now, with_task = start + least[k], done | 1 << k
                if any(latest[i] < now for i in range(len(tasks)) if not with_task >> i & 1):
                    continue
                known = following.get(with_task)
                following[with_task] = now if known is None else min(known, now)
        ends = following
    return bool(ends)


def first_at(box: Box, term: Term, least: int | None) -> int | None:
    """The first value of a term that is at least ``least``."""
    low, high = box.ends(term)
    value = low if least is None else max(low, least)
    while value <= high:
        if box.has(term, value):
            return value
        value += 1
    return None


class Window(NamedTuple):
    """A task: when it may start, first and last, how long it lasts and what it takes, at least."""

    first: int
    last: int
    duration: int
    demand: int


class Cumulative(NamedTuple):
    """At no time the tasks that run take more than the capacity; nothing is negative."""

    capacity: Term
    starts: tuple[Term, ...]
    durations: tuple[Term, ...]
    demands: tuple[Term, ...]
    orders: tuple[Order, ...] = ()

    def scope(self) -> Iterator[int]:
        yield from variables_of((self.capacity, *self.starts, *self.durations, *self.demands))
        yield from (order.variable for order in self.orders)

    def keeps_apart(self, box: Box, i: int, j: int) -> bool:
        """Whether one of two tasks comes before the other."""
        return i != j and {i, j} <= set(self._large(box))

    def is_refuted(self, box: Box, case: Case) -> bool:
        """By loads, by the sequence of large tasks, or for each value that the line is about."""
        every = (self.capacity, *self.durations, *self.demands)
        if any(box.ends(term)[1] < 0 for term in every):
            return True
        if self._is_overloaded(box) or self._has_no_sequence(box, case):
            return True
        x = case.about
        if x is None or box.size(x) > MOST_SPLIT or x not in set(self.scope()):
            return False
        for value in list(box.values(x)):
            mark = box.mark()
            is_left = box.narrow(Literal(x, "==", value)) and not self._is_overloaded(box)
            box.undo(mark)
            if is_left:
                return False
        return True

    def _is_overloaded(self, box: Box) -> bool:
        most = box.ends(self.capacity)[1]
        windows = [
            Window(*box.ends(start), max(0, box.ends(duration)[0]), max(0, box.ends(demand)[0]))
            for start, duration, demand in zip(
                self.starts, self.durations, self.demands, strict=True
            )
        ]
        windows = [task for task in windows if task.duration and task.demand]
        return is_overloaded_at(windows, most) or is_overloaded_within(windows, most)

    def _has_no_sequence(self, box: Box, case: Case) -> bool:
        large = self._large(box)
        return sequence_refuted(box, self.starts, self.durations, self.orders, large, case)

    def _large(self, box: Box) -> list[int]:
        """The tasks that take more than half of the capacity."""
        most = box.ends(self.capacity)[1]
        return [
            k
            for k, (demand, duration) in enumerate(zip(self.demands, self.durations, strict=True))
            if 2 * box.ends(demand)[0] > most and box.ends(duration)[0] > 0
        ]

    def holds(self, values: Values) -> bool:
        capacity = value_of(self.capacity, values)
        starts, durations, demands = (
            [value_of(term, values) for term in terms]
            for terms in (self.starts, self.durations, self.demands)
        )
        if min(capacity, *durations, *demands) < 0:
            return False
        tasks = list(zip(starts, durations, demands, strict=True))
        return all(
            sum(demand for s, length, demand in tasks if s <= time < s + length) <= capacity
            for time in starts
        ) and orders_hold(self.orders, starts, durations, values)


def is_overloaded_at(tasks: Sequence[Window], capacity: int) -> bool:
    """Whether at some time more must run than fits."""
    changes: dict[int, int] = {}
    for first, last, duration, demand in tasks:
        if last < first + duration:
            changes[last] = changes.get(last, 0) + demand
            changes[first + duration] = changes.get(first + duration, 0) - demand
    load = 0
    for time in sorted(changes):
        load += changes[time]
        if load > capacity:
            return True
    return any(task.demand > capacity for task in tasks)


def is_overloaded_within(tasks: Sequence[Window], capacity: int) -> bool:
    """Whether in some interval more work must be done than fits."""
    for begin in sorted({task.first for task in tasks}):
        for end in sorted({task.last + task.duration for task in tasks}):
            if end <= begin:
                continue
            work = 0
            for first, last, duration, demand in tasks:
                inside = min(duration, end - begin, first + duration - begin, end - last)
                if inside > 0:
                    work += inside * demand
            if work > capacity * (end - begin):
                return True
    return False
