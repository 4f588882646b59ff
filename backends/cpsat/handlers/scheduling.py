"""Tasks and boxes as CP-SAT's intervals.

Intervals are posed unconditionally; what is enforced is that they do not overlap. (The end of an
interval that need not be there is free, and would multiply solutions.) A task that lasts for 0 or
one other time is an optional interval of that size, whose end is its start and a number.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from backends.cpsat.handlers.guards import fits, least
from backends.cpsat.views import Literals, Views
from backends.interface.handlers import Handler, Handlers
from modelling.rewriting.profile import Variables
from modelling.terms import Term, affine, is_constant
from modelling.vocabulary.scheduling.cumulative import Cumulative
from modelling.vocabulary.scheduling.no_overlap import NoOverlap
from modelling.vocabulary.scheduling.no_overlap_2d import NoOverlap2D


def interval(model: Views, start: Term, length: Term) -> Any:
    """From ``start`` for ``length``, which is 0 at least."""
    begins = model.expression(start)
    if is_constant(length):
        return model.model.new_fixed_size_interval_var(begins, length.offset, "")
    lasts = model.expression(length)
    if is_constant(start):
        return model.model.new_interval_var(begins, lasts, begins + lasts, "")
    (low, high), (short, long) = model.bounds(start), model.bounds(length)
    end = model.model.new_int_var(low + short, high + long, "")
    return model.model.new_interval_var(begins, lasts, end, "")


def cumulative(model: Views, constraint: Cumulative, enforced: Literals = ()) -> None:
    """CP-SAT's cumulative over the tasks whose duration and demand are not the constant 0."""
    tasks = [
        (interval(model, start, duration), model.expression(demand))
        for start, duration, demand in zip(
            constraint.starts, constraint.durations, constraint.demands, strict=True
        )
        if not (_is_zero(duration) or _is_zero(demand))
    ]
    model.compare(model.total((constraint.capacity,)), ">=", 0, enforced)
    if tasks:
        intervals, demands = map(list, zip(*tasks, strict=True))
        capacity = model.expression(constraint.capacity)
        model.post(model.model.add_cumulative(intervals, demands, capacity), enforced)


def tasks_last(constraint: Cumulative, variables: Variables) -> bool:
    """No duration is negative, or 0 at times; no demand is negative."""
    return (
        _last(constraint.durations, variables)
        and all(least(demand, variables) >= 0 for demand in constraint.demands)
        and fits(constraint, variables)
    )


def no_overlap(model: Views, constraint: NoOverlap, enforced: Literals = ()) -> None:
    """CP-SAT's no-overlap over the tasks that last; ``strict`` includes those of length 0."""
    tasks = [
        _optional(model, start, length)
        if not constraint.strict and _is_optional(length, model)
        else interval(model, start, length)
        for start, length in zip(constraint.starts, constraint.lengths, strict=True)
        if constraint.strict or not _is_zero(length)
    ]
    if len(tasks) > 1:
        model.post(model.model.add_no_overlap(tasks), enforced)


def _optional(model: Views, start: Term, length: Term) -> Any:
    """From ``start`` for a fixed length, present where the length is not 0; without an end
    variable."""
    lasts = max(model.values(length))
    begins, there = model.expression(start), model.equals(length, lasts)
    return model.model.new_optional_fixed_size_interval_var(begins, lasts, there, "")


def _is_optional(length: Term, variables: Variables | Views) -> bool:
    """Whether a length is 0 or one other number, which is positive."""
    variable, factor, offset = affine(length)
    domain = () if variable is None else variables.domains[variable]
    return len(domain) == 2 and sorted(factor * v + offset for v in domain)[0] == 0


def lengths_last(constraint: NoOverlap, variables: Variables) -> bool:
    """No length is negative; but where strict, none is 0 at times: CP-SAT's is strict."""
    return fits(constraint, variables) and (
        all(least(length, variables) >= 0 for length in constraint.lengths)
        if constraint.strict
        else all(_is_optional(d, variables) or _last((d,), variables) for d in constraint.lengths)
    )


def no_overlap_2d(model: Views, constraint: NoOverlap2D, enforced: Literals = ()) -> None:
    """Likewise, over intervals on both axes."""
    places = zip(constraint.xs, constraint.ys, constraint.widths, constraint.heights, strict=True)
    boxes = [
        (interval(model, x, width), interval(model, y, height))
        for x, y, width, height in places
        if constraint.strict or not (_is_zero(width) or _is_zero(height))
    ]
    if len(boxes) > 1:
        across, along = map(list, zip(*boxes, strict=True))
        model.post(model.model.add_no_overlap_2d(across, along), enforced)


def boxes_last(constraint: NoOverlap2D, variables: Variables) -> bool:
    """Likewise."""
    sides = (*constraint.widths, *constraint.heights)
    return fits(constraint, variables) and (
        all(least(side, variables) >= 0 for side in sides)
        if constraint.strict
        else _last(sides, variables)
    )


def _is_zero(term: Term) -> bool:
    return is_constant(term) and not term.offset


def _last(lengths: Iterable[Term], variables: Variables) -> bool:
    return all(_is_zero(length) or least(length, variables) > 0 for length in lengths)


SCHEDULING: Handlers = {
    Cumulative: Handler(cumulative, ("root", "half"), tasks_last, arguments="affine"),
    NoOverlap: Handler(no_overlap, ("root", "half"), lengths_last, arguments="affine"),
    NoOverlap2D: Handler(no_overlap_2d, ("root", "half"), boxes_last, arguments="affine"),
}
