"""Tasks and boxes.

Ends of tasks are defined unconditionally. Choco's cumulative loses solutions where a duration may
be 0 and may be more, and so does what it adds to boxes. Fully reified, its cumulative is wrong
where a demand may be 0. Reified, what it adds to boxes has ends that are free, and repeats
solutions (docs/disagreements.md).
"""

from __future__ import annotations

from typing import Any

from backends.choco.guards import fits, is_zero, last
from backends.choco.model import Made, Model, moved
from backends.interface.libraries.formulas import Builder, Builders
from backends.interface.magnitudes import largest
from modelling.rewriting.profile import Guard, Variables
from modelling.terms import Affine, Term, bounds, is_constant
from modelling.vocabulary.scheduling.cumulative import Cumulative
from modelling.vocabulary.scheduling.no_overlap import NoOverlap
from modelling.vocabulary.scheduling.no_overlap_2d import NoOverlap2D


def task(model: Model, start: Term, duration: Term) -> Any:
    """From ``start`` for ``duration``, which is 1 at least.

    Its end is said here, for a task alone leaves it free until a constraint over tasks is posted.
    """
    choco, begins = model.model, model.term(start)
    if is_constant(duration):
        end = model.term(moved(start, duration.offset))
        return choco.task(begins, duration.offset, end)
    (low, high), (short, long) = (bounds(term, model.domains) for term in (start, duration))
    lasts, end = model.term(duration), choco.intvar(low + short, high + long)
    choco.arithm(begins, "+", lasts, "=", end).post()
    return choco.task(begins, lasts, end)


def cumulative(model: Model, constraint: Cumulative) -> Made:
    """Choco's cumulative over the tasks whose duration and demand are not the constant 0."""
    tasks = [
        (task(model, start, duration), model.term(demand))
        for start, duration, demand in zip(
            constraint.starts, constraint.durations, constraint.demands, strict=True
        )
        if not (is_zero(duration) or is_zero(demand))
    ]
    capacity = model.term(constraint.capacity)
    made = [model.model.arithm(capacity, ">=", 0)]
    if tasks:
        made.append(model.model.cumulative(*map(list, zip(*tasks, strict=True)), capacity))
    return made


def tasks_last(constraint: Cumulative, variables: Variables) -> bool:
    """No duration is negative, or 0 at times; no demand is negative."""
    return (
        last(constraint.durations, variables)
        and all(bounds(demand, variables.domains)[0] >= 0 for demand in constraint.demands)
        and fits(constraint, variables)
        and _ends_fit(constraint.starts, constraint.durations, variables)
    )


def no_overlap(model: Model, constraint: NoOverlap) -> Made:
    """A resource that serves one task at a time."""
    tasks = [
        task(model, start, length)
        for start, length in zip(constraint.starts, constraint.lengths, strict=True)
        if not is_zero(length)
    ]
    one = model.term(Affine(None, 0, 1))
    return [model.model.cumulative(tasks, [one] * len(tasks), one)] if len(tasks) > 1 else []


def lengths_last(constraint: NoOverlap, variables: Variables) -> bool:
    """No length is negative, or 0 at times; where strict, none is 0."""
    strictly = not constraint.strict or not any(map(is_zero, constraint.lengths))
    return (
        strictly
        and last(constraint.lengths, variables)
        and fits(constraint, variables)
        and _ends_fit(constraint.starts, constraint.lengths, variables)
    )


def no_overlap_2d(model: Model, constraint: NoOverlap2D) -> Made:
    """Choco's own, with the cumulatives that it adds to each direction."""
    return _boxes_apart(model, constraint, with_cumulatives=True)


def no_overlap_2d_reified(model: Model, constraint: NoOverlap2D) -> Made:
    """Without them: the ends of their tasks are free where the constraint need not hold."""
    return _boxes_apart(model, constraint, with_cumulatives=False)


def _boxes_apart(model: Model, constraint: NoOverlap2D, *, with_cumulatives: bool) -> Made:
    places = zip(constraint.xs, constraint.ys, constraint.widths, constraint.heights, strict=True)
    boxes = [
        model.terms((x, y, width, height))
        for x, y, width, height in places
        if not (is_zero(width) or is_zero(height))
    ]
    if len(boxes) < 2:
        return []
    return [model.model.diff_n(*map(list, zip(*boxes, strict=True)), with_cumulatives)]


def boxes_last(constraint: NoOverlap2D, variables: Variables) -> bool:
    """Likewise, of sides."""
    sides = (*constraint.widths, *constraint.heights)
    return (
        not (constraint.strict and any(map(is_zero, sides)))
        and last(sides, variables)
        and fits(constraint, variables)
        and _ends_fit(constraint.xs, constraint.widths, variables)
        and _ends_fit(constraint.ys, constraint.heights, variables)
    )


def _ends_fit(starts: tuple[Term, ...], lengths: tuple[Term, ...], variables: Variables) -> bool:
    """The ends and the sum of all lengths are within a tenth of what Choco holds: it multiplies."""
    reach = [largest(term, variables) for term in (*starts, *lengths)]
    return sum(reach) <= 1 << 21


IMPLIED: dict[type, tuple[Builder, Guard]] = {Cumulative: (cumulative, tasks_last)}
"""Not equivalent to a condition: where a demand may be 0, it is taken to be violated and not."""

SCHEDULING: dict[type, tuple[Builder, Guard]] = {
    NoOverlap: (no_overlap, lengths_last),
    NoOverlap2D: (no_overlap_2d_reified, boxes_last),
}

AT_ROOT: Builders = {NoOverlap2D: no_overlap_2d}
"""What is posed otherwise where it holds in any case."""
