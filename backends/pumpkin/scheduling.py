"""Tasks in Pumpkin, whose durations, demands and capacity it must know."""

from __future__ import annotations

from typing import Any

from backends.interface.magnitudes import largest
from backends.pumpkin.guards import LARGEST
from backends.pumpkin.model import Model, Pair
from modelling.constraint import Constraint
from modelling.rewriting.profile import Guard, Variables
from modelling.terms import bounds, is_constant
from modelling.vocabulary.scheduling.cumulative import Cumulative


def cumulative(model: Model, constraint: Cumulative, premise: Any) -> None:
    """Pumpkin's cumulative over the tasks whose duration and demand are not 0.

    It panics if a task may begin before 0, so all tasks begin later by the same number.
    """
    first = min((bounds(start, model.domains)[0] for start in constraint.starts), default=0)
    pose_tasks(model, constraint, premise, later=max(0, -first))


def pose_tasks(model: Model, constraint: Cumulative, premise: Any, later: int = 0) -> None:
    """Pumpkin's cumulative over the same, in which each task begins ``later``."""
    starts = [start.offset(later) if later else start for start in model.terms(constraint.starts)]
    durations, demands = (
        [term.offset for term in terms] for terms in (constraint.durations, constraint.demands)
    )
    tasks = [task for task in zip(starts, durations, demands, strict=True) if task[1] and task[2]]
    if tasks:
        columns = map(list, zip(*tasks, strict=True))
        model.add("Cumulative", *columns, constraint.capacity.offset, premise=premise)


def tasks_are_known(constraint: Cumulative, variables: Variables) -> bool:
    """Only when tasks begin is not known; nothing is negative, and their ends fit."""
    known = (*constraint.durations, *constraint.demands, constraint.capacity)
    if not all(is_constant(term) and 0 <= term.offset <= LARGEST for term in known):
        return False
    reach = sum(term.offset for term in known)
    return all(2 * largest(start, variables) + reach <= LARGEST for start in constraint.starts)


SCHEDULING: dict[type[Constraint], tuple[Pair, Guard]] = {
    Cumulative: (Pair(cumulative), tasks_are_known),
}
