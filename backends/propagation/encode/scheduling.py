"""Handlers of tasks, boxes and bins."""

from __future__ import annotations

from collections.abc import Sequence

from backends.interface.handlers import Handler, Handlers
from backends.propagation.encode.draft import Draft, Posted, post_linear
from backends.propagation.kernel.layout import BOUNDS, LOWER_BOUND
from backends.propagation.propagators.scheduling import edge_finding, no_overlap
from modelling.constraints import NoOverlap
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


HANDLERS: Handlers = {
    NoOverlap: Handler(post_no_overlap, arguments="affine"),
}
