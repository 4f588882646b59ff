"""Handlers of tasks, boxes and bins."""

from __future__ import annotations

from collections.abc import Sequence

from backends.interface.handlers import Handler, Handlers
from backends.propagation.encode.draft import Draft, Posted, post_linear
from backends.propagation.kernel.layout import BOUNDS, LOWER_BOUND, UPPER_BOUND
from backends.propagation.propagators.scheduling import cumulative, edge_finding, no_overlap
from modelling.constraints import Cumulative, NoOverlap
from modelling.terms import Terms


def sizes(draft: Draft, terms: Terms) -> list[int]:
    """Variables that are not negative."""
    variables = [draft.view(term) for term in terms]
    for variable in dict.fromkeys(variables):
        if min(draft.domains[variable], default=0) < 0:
            post_linear(draft, ">=", [(variable, 1)], 0)
    return variables


def greatest(draft: Draft, variable: int) -> int:
    """The greatest value that a variable may have."""
    return max(draft.domains[variable], default=0)


def post_no_overlap(draft: Draft, constraint: NoOverlap) -> None:
    """Pairs, then edge finding where there are three tasks."""
    starts = [draft.view(term) for term in constraint.starts]
    lengths = sizes(draft, constraint.lengths)
    post_disjunctive(draft, starts, lengths, constraint.strict)


def post_disjunctive(
    draft: Draft, starts: Sequence[int], lengths: Sequence[int], strict: bool = False
) -> None:
    """NoOverlap over variables."""
    tasks = list(zip(starts, lengths, strict=True))
    longer = [task for task in tasks if greatest(draft, task[1]) > 0]
    if not strict:
        tasks = longer
    if len(tasks) > 1:
        scratch = [0] * (7 * len(tasks))
        scratch[: 3 * len(tasks)] = [1, 0, 0] * len(tasks)  # bounds that no task has
        draft.post(
            Posted(
                no_overlap.no_overlap,
                *_scope(tasks),
                [int(strict)],
                scratch=scratch,
                priority=1,
                idempotent=True,
            )
        )
    post_edge_finding(draft, starts, lengths)


def post_edge_finding(draft: Draft, starts: Sequence[int], lengths: Sequence[int]) -> None:
    """Edge finding, where there are three tasks that may be longer than 0."""
    tasks = zip(starts, lengths, strict=True)
    longer = [task for task in tasks if greatest(draft, task[1]) > 0]
    if len(longer) > 2:
        draft.post(
            Posted(
                edge_finding.edge_finding,
                *_scope(longer),
                scratch=edge_finding.scratch_of(len(longer)),
                priority=2,
            )
        )


def _scope(tasks: Sequence[tuple[int, int]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The starts, then the lengths; and what wakes a propagator."""
    starts, lengths = zip(*tasks, strict=True)
    return (*starts, *lengths), (BOUNDS,) * len(starts) + (LOWER_BOUND,) * len(lengths)


def post_cumulative(draft: Draft, constraint: Cumulative) -> None:
    """A time-table; and of the tasks that take more than half of the capacity, no two overlap."""
    starts = [draft.view(term) for term in constraint.starts]
    durations = sizes(draft, constraint.durations)
    demands = sizes(draft, constraint.demands)
    (capacity,) = sizes(draft, (constraint.capacity,))
    post_shared(draft, list(zip(starts, durations, demands, strict=True)), capacity)


def post_shared(draft: Draft, tasks: Sequence[tuple[int, int, int]], capacity: int) -> None:
    """Cumulative over variables: the start, the duration and the demand of each task."""
    tasks = [
        task for task in tasks if greatest(draft, task[1]) > 0 and greatest(draft, task[2]) > 0
    ]
    if not tasks:
        return
    most = greatest(draft, capacity)
    large = [task for task in tasks if 2 * min(draft.domains[task[2]]) > most]
    post_disjunctive(draft, [task[0] for task in large], [task[1] for task in large])
    starts, durations, demands = zip(*tasks, strict=True)
    n = len(tasks)
    draft.post(
        Posted(
            cumulative.cumulative,
            (*starts, *durations, *demands, capacity),
            (BOUNDS,) * n + (LOWER_BOUND,) * (2 * n) + (UPPER_BOUND,),
            scratch=cumulative.scratch_of(n),
            priority=2,
        )
    )


HANDLERS: Handlers = {
    Cumulative: Handler(post_cumulative, arguments="affine"),
    NoOverlap: Handler(post_no_overlap, arguments="affine"),
}
