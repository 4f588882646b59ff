"""Tasks that share machines, where the solver learns: truth values say which of two is first.

A machine has one for each two of its tasks, and so has a resource for each two that take more than
half of it: what is learned over these is short.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from backends.interface.handlers import Handler, Handlers
from backends.propagation.encode.draft import Draft, Posted
from backends.propagation.encode.scheduling import (
    list_large,
    post_edge_finding,
    post_time_table,
    tasks_of,
)
from backends.propagation.kernel.layout import BOUNDS, FIXED
from backends.propagation.propagators.scheduling import orders
from modelling.terms import affine
from modelling.vocabulary.scheduling.cumulative import Cumulative
from modelling.vocabulary.scheduling.no_overlap import NoOverlap

Task = tuple[int, int]
"""The variable of its start, and its length."""


def post_no_overlap(draft: Draft, constraint: NoOverlap) -> None:
    """An order of each two tasks, and edge finding."""
    starts = [draft.view(start) for start in constraint.starts]
    lengths = [affine(term)[2] for term in constraint.lengths]
    draft.possible = draft.possible and min(lengths, default=0) >= 0
    tasks = [task for task in zip(starts, lengths, strict=True) if task[1] > 0 or constraint.strict]
    post_apart(draft, tasks)


def post_cumulative(draft: Draft, constraint: Cumulative) -> None:
    """A time-table; and of the tasks that take more than half of the capacity, no two overlap."""
    tasks, capacity = tasks_of(draft, constraint)
    post_time_table(draft, tasks, capacity)
    lasting = [
        (start, draft.domains[duration][0])
        for start, duration, _ in list_large(draft, tasks, capacity)
        if len(draft.domains[duration]) == 1 and draft.domains[duration][0] > 0
    ]
    post_apart(draft, lasting)


def post_apart(draft: Draft, tasks: Sequence[Task]) -> None:
    """No two of the tasks run at the same time."""
    n = len(tasks)
    pairs = [pair for pair in combinations(range(n), 2) if may_overlap(draft, tasks, *pair)]
    if any(tasks[i][0] == tasks[j][0] for i, j in pairs):
        draft.possible = False
        return
    if not pairs:
        return
    truths = [draft.variable((0, 1)) for _ in pairs]
    draft.post(
        Posted(
            orders.in_order,
            (*[start for start, _ in tasks], *truths),
            (BOUNDS,) * n + (FIXED,) * len(pairs),
            orders.arguments_of([length for _, length in tasks], pairs),
            scratch=orders.scratch_of(n, len(pairs)),
            idempotent=True,
        )
    )
    post_edge_finding(
        draft, [start for start, _ in tasks], [draft.constant(length) for _, length in tasks]
    )


def may_overlap(draft: Draft, tasks: Sequence[Task], i: int, j: int) -> bool:
    """Whether the domains do not put one of two tasks before the other. Two without length never
    overlap, and may begin together: then either order would hold."""
    (s, length), (t, other) = tasks[i], tasks[j]
    if length == other == 0:
        return False
    if s == t:
        return length > 0 and other > 0
    one, two = draft.domains[s], draft.domains[t]
    return one[-1] + length > two[0] and two[-1] + other > one[0]


def has_constant_lengths(constraint: NoOverlap, variables: object) -> bool:
    """Whether no length is a variable."""
    return all(affine(length)[0] is None for length in constraint.lengths)


HANDLERS: Handlers = {
    Cumulative: Handler(post_cumulative, arguments="affine"),
    NoOverlap: Handler(post_no_overlap, arguments="affine", when=has_constant_lengths),
}
