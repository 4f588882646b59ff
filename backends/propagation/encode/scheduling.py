"""Handlers of tasks, boxes and bins."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from backends.interface.handlers import Handler, Handlers
from backends.propagation.encode.draft import Draft, Order, Posted, post_linear
from backends.propagation.kernel.layout import BOUNDS, DOMAIN, FIXED, LOWER_BOUND, UPPER_BOUND
from backends.propagation.propagators.scheduling import (
    bin_packing,
    cumulative,
    cumulative_energy,
    edge_finding,
    no_overlap,
    no_overlap_2d,
)
from backends.propagation.propagators.scheduling import pairs as pairs_
from modelling.constraints import BinPacking, Cumulative, NoOverlap, NoOverlap2D
from modelling.terms import Terms

MOST_ORDERS = 2_000
"""Pairs of tasks that have a truth value for their order, at most."""
FEWEST, MOST = 3, 200
"""Tasks for which windows of energy are looked at: they cost the square of these."""
MOST_ENERGY = 1 << 58


def sizes(draft: Draft, terms: Terms) -> list[int]:
    """Variables that are not negative."""
    variables = [draft.view(term) for term in terms]
    for variable in dict.fromkeys(variables):
        if draft.domains[variable][0] < 0:
            post_linear(draft, ">=", [(variable, 1)], 0)
    return variables


def greatest(draft: Draft, variable: int) -> int:
    """The greatest value that a variable may have."""
    return draft.domains[variable][-1]


def post_no_overlap(draft: Draft, constraint: NoOverlap) -> None:
    """Pairs, then edge finding where there are three tasks."""
    starts = [draft.view(term) for term in constraint.starts]
    lengths = sizes(draft, constraint.lengths)
    if not post_pairs(draft, starts, lengths, constraint.strict):
        post_disjunctive(draft, starts, lengths, constraint.strict)


def post_pairs(draft: Draft, starts: Sequence[int], lengths: Sequence[int], strict: bool) -> bool:
    """NoOverlap with a truth value for the order of each two tasks; False if it has no such."""
    tasks = [task for task in zip(starts, lengths, strict=True) if greatest(draft, task[1]) > 0]
    most = MOST_ORDERS - len(draft.pairs)
    of_tasks = [x for task in tasks for x in task if len(draft.domains[x]) > 1]
    is_repeated = len({*of_tasks}) < len(of_tasks)  # one fixed point would not be enough
    is_alike = len({start for start, _ in tasks}) < len(tasks) or is_repeated
    if draft.tasks != "orders" or strict or is_alike or len(tasks) ** 2 > 2 * most + len(tasks):
        return False
    pairs = [
        (i, j)
        for i, j in combinations(range(len(tasks)), 2)
        if may_overlap(draft, tasks[i], tasks[j])
    ]
    if not pairs:
        return False
    truths = [draft.variable((0, 1)) for _ in pairs]
    draft.pairs += [
        Order(before, *tasks[i], *tasks[j]) for before, (i, j) in zip(truths, pairs, strict=True)
    ]
    n = len(tasks)
    starts, lengths = zip(*tasks, strict=True)
    draft.post(
        Posted(
            pairs_.pairs_apart,
            (*starts, *lengths, *truths),
            (BOUNDS,) * (2 * n) + (FIXED,) * len(pairs),
            pairs_.arguments_of(n, pairs),
            scratch=pairs_.scratch_of(n, len(pairs)),
            idempotent=True,
        )
    )
    post_edge_finding(draft, starts, lengths)
    return True


def may_overlap(draft: Draft, task: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two tasks may overlap, by their domains."""
    (s, d), (t, e) = task, other
    return (
        draft.domains[s][-1] + greatest(draft, d) > draft.domains[t][0]
        and draft.domains[t][-1] + greatest(draft, e) > draft.domains[s][0]
    )


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
                rests=True,
            )
        )


def _scope(tasks: Sequence[tuple[int, int]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The starts, then the lengths; and what wakes a propagator."""
    starts, lengths = zip(*tasks, strict=True)
    return (*starts, *lengths), (BOUNDS,) * len(starts) + (LOWER_BOUND,) * len(lengths)


def post_cumulative(draft: Draft, constraint: Cumulative) -> None:
    """A time-table, and windows of energy; and of the tasks that take more than half of the
    capacity, no two overlap."""
    post_shared(draft, *tasks_of(draft, constraint))


def tasks_of(draft: Draft, constraint: Cumulative) -> tuple[list[tuple[int, int, int]], int]:
    """The start, the duration and the demand of each task, and the capacity, as variables."""
    starts = [draft.view(term) for term in constraint.starts]
    durations = sizes(draft, constraint.durations)
    demands = sizes(draft, constraint.demands)
    (capacity,) = sizes(draft, (constraint.capacity,))
    return list(zip(starts, durations, demands, strict=True)), capacity


def post_shared(draft: Draft, tasks: Sequence[tuple[int, int, int]], capacity: int) -> None:
    """Cumulative over variables: the start, the duration and the demand of each task."""
    large = list_large(draft, tasks, capacity)
    post_disjunctive(draft, [task[0] for task in large], [task[1] for task in large])
    post_time_table(draft, tasks, capacity)


def list_large(
    draft: Draft, tasks: Sequence[tuple[int, int, int]], capacity: int
) -> list[tuple[int, int, int]]:
    """The tasks that take more than half of the capacity."""
    most = greatest(draft, capacity)
    return [task for task in tasks if 2 * draft.domains[task[2]][0] > most]


def post_time_table(draft: Draft, tasks: Sequence[tuple[int, int, int]], capacity: int) -> None:
    """The propagator of loads; tasks that are empty have none."""
    tasks = [
        task for task in tasks if greatest(draft, task[1]) > 0 and greatest(draft, task[2]) > 0
    ]
    if not tasks:
        return
    starts, durations, demands = zip(*tasks, strict=True)
    n = len(tasks)
    scope = (*starts, *durations, *demands, capacity)
    events = (BOUNDS,) * n + (LOWER_BOUND,) * (2 * n) + (UPPER_BOUND,)
    draft.post(
        Posted(cumulative.cumulative, scope, events, scratch=cumulative.scratch_of(n), priority=2)
    )
    if has_windows(draft, tasks, capacity):
        scratch = cumulative_energy.scratch_of(n)
        draft.post(
            Posted(cumulative_energy.cumulative_energy, scope, events, scratch=scratch, priority=2)
        )


def has_windows(draft: Draft, tasks: Sequence[tuple[int, int, int]], capacity: int) -> bool:
    """Whether windows of energy may say more than the time-table, and their energy fits."""
    if draft.explains or draft.cumulative == "timetable" or not FEWEST <= len(tasks) <= MOST:
        return False
    ends = [draft.domains[v][k] for task in tasks for v in task for k in (0, -1)]
    reach = 2 * max(map(abs, ends)) + 1
    return len(tasks) * reach * max(reach, greatest(draft, capacity)) < MOST_ENERGY


def post_no_overlap_2d(draft: Draft, constraint: NoOverlap2D) -> None:
    """Pairs; and as tasks that share the height, or the width, where there are three boxes."""
    xs, ys = ([draft.view(term) for term in terms] for terms in (constraint.xs, constraint.ys))
    widths, heights = sizes(draft, constraint.widths), sizes(draft, constraint.heights)
    boxes = [
        box
        for box in zip(xs, widths, ys, heights, strict=True)
        if constraint.strict or (greatest(draft, box[1]) > 0 and greatest(draft, box[3]) > 0)
    ]
    n = len(boxes)
    if n < 2:
        return
    scope = tuple(variable for column in zip(*boxes, strict=True) for variable in column)
    scratch = [0] * (14 * n)
    scratch[: 6 * n] = [1, 0, 0] * (2 * n)  # bounds that no box has
    events = (BOUNDS,) * n + (LOWER_BOUND,) * n
    draft.post(
        Posted(
            no_overlap_2d.no_overlap_2d,
            scope,
            events * 2,
            [int(constraint.strict)],
            scratch=scratch,
            priority=1,
            idempotent=True,
        )
    )
    if n > 2:
        height = _room(draft, [(y, h) for _, _, y, h in boxes])
        width = _room(draft, [(x, w) for x, w, _, _ in boxes])
        post_shared(draft, [(x, w, h) for x, w, _, h in boxes], draft.constant(height))
        post_shared(draft, [(y, h, w) for _, w, y, h in boxes], draft.constant(width))


def _room(draft: Draft, boxes: Sequence[tuple[int, int]]) -> int:
    """From the first place to the last end, by the domains of places and sizes."""
    begin = min(draft.domains[place][0] for place, _ in boxes)
    return max(greatest(draft, place) + greatest(draft, size) for place, size in boxes) - begin


def post_bin_packing(draft: Draft, constraint: BinPacking) -> None:
    """Items in range, and the sums of their sizes."""
    items = [draft.view(term) for term in constraint.items]
    limits = [draft.view(term) for term in constraint.limits]
    for item in dict.fromkeys(items):
        post_linear(draft, ">=", [(item, 1)], 0)
        post_linear(draft, "<=", [(item, 1)], len(limits) - 1)
    packed = [(-size, item) for item, size in zip(items, constraint.sizes, strict=True) if size]
    packed.sort(key=lambda pair: pair[0])
    sizes_ = [-size for size, _ in packed]
    draft.post(
        Posted(
            bin_packing.bin_packing,
            (*[item for _, item in packed], *limits),
            (DOMAIN,) * len(packed) + (BOUNDS,) * len(limits),
            [len(packed), int(constraint.relation == "=="), sum(sizes_), *sizes_],
            scratch=bin_packing.scratch_of(len(limits)),
            priority=2,
            idempotent=True,
        )
    )


HANDLERS: Handlers = {
    BinPacking: Handler(post_bin_packing, arguments="affine"),
    NoOverlap2D: Handler(post_no_overlap_2d, arguments="affine"),
    Cumulative: Handler(post_cumulative, arguments="affine"),
    NoOverlap: Handler(post_no_overlap, arguments="affine"),
}
