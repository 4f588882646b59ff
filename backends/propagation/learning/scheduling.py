"""Tasks that share machines, where the solver learns: truth values say which of two is first.

A machine has one for each two of its tasks, and so has a resource for each two that take more than
half of it: what is learned over these is short.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from backends.interface.handlers import Handler, Handlers
from backends.propagation.encode.draft import Draft, Shifted, post_linear
from backends.propagation.encode.scheduling import (
    list_large,
    post_edge_finding,
    post_time_table,
    tasks_of,
)
from modelling.terms import affine
from modelling.vocabulary.scheduling.cumulative import Cumulative
from modelling.vocabulary.scheduling.no_overlap import NoOverlap


class Task(NamedTuple):
    """When it starts, and how long it runs."""

    start: Shifted
    length: int


def post_no_overlap(draft: Draft, constraint: NoOverlap) -> None:
    """For each two tasks, that one ends before the other starts (Manne 1960)."""
    lengths = [affine(term)[2] for term in constraint.lengths]
    draft.possible = draft.possible and min(lengths, default=0) >= 0
    tasks = [
        Task(draft.shifted(start), length)
        for start, length in zip(constraint.starts, lengths, strict=True)
        if length > 0 or constraint.strict
    ]
    post_apart(draft, tasks)
    starts = [draft.view(start) for start in constraint.starts]
    post_edge_finding(draft, starts, [draft.constant(length) for length in lengths])


def post_apart(draft: Draft, tasks: Sequence[Task]) -> None:
    """No two of the tasks run at the same time."""
    for one, other in combinations(tasks, 2):
        _keep_apart(draft, one, other)


def post_cumulative(draft: Draft, constraint: Cumulative) -> None:
    """A time-table; and of the tasks that take more than half of the capacity, no two overlap."""
    tasks, capacity = tasks_of(draft, constraint)
    post_time_table(draft, tasks, capacity)
    lasting = [
        (start, duration, draft.domains[duration][0])
        for start, duration, _ in list_large(draft, tasks, capacity)
        if len(draft.domains[duration]) == 1 and draft.domains[duration][0] > 0
    ]
    post_apart(draft, [Task(draft.shifted(start), length) for start, _, length in lasting])
    post_edge_finding(draft, [task[0] for task in lasting], [task[1] for task in lasting])


def _keep_apart(draft: Draft, one: Task, other: Task) -> None:
    orders = [
        pair for pair in ((one, other), (other, one)) if _least_gap(draft.domains, *pair) <= 0
    ]
    if any(_greatest_gap(draft.domains, *pair) <= 0 for pair in orders):
        return
    if len(orders) < 2:
        for first, second in orders:
            _post_before(draft, first, second, None)
        draft.possible = draft.possible and bool(orders)
        return
    which = draft.variable((0, 1))
    draft.orders[which] = one, other
    _post_before(draft, one, other, (which, 1))
    _post_before(draft, other, one, (which, 0))


def _post_before(draft: Draft, one: Task, other: Task, condition: tuple[int, int] | None) -> None:
    """``one`` ends before ``other`` starts."""
    s, t = one.start, other.start
    terms = [(s.variable, s.factor), (t.variable, -t.factor)]
    post_linear(draft, "<=", terms, t.constant - s.constant - one.length, condition)


def _ends(domains: Sequence[Sequence[int]], term: Shifted) -> tuple[int, int]:
    """The least and the greatest value of a term."""
    domain = domains[term.variable]
    one, other = [term.factor * value + term.constant for value in (domain[0], domain[-1])]
    return min(one, other), max(one, other)


def _least_gap(domains: Sequence[Sequence[int]], one: Task, other: Task) -> int:
    """The least of the end of ``one`` less the start of ``other``."""
    return _ends(domains, one.start)[0] + one.length - _ends(domains, other.start)[1]


def _greatest_gap(domains: Sequence[Sequence[int]], one: Task, other: Task) -> int:
    """The greatest of the end of ``one`` less the start of ``other``."""
    return _ends(domains, one.start)[1] + one.length - _ends(domains, other.start)[0]


def has_constant_lengths(constraint: NoOverlap, variables: object) -> bool:
    """Whether no length is a variable."""
    return all(affine(length)[0] is None for length in constraint.lengths)


HANDLERS: Handlers = {
    Cumulative: Handler(post_cumulative, arguments="affine"),
    NoOverlap: Handler(post_no_overlap, arguments="affine", when=has_constant_lengths),
}
