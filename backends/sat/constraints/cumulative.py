"""Cumulative time by time: at each time at which a task may start, the load is within the capacity.

A task runs at a time if it has started by then and has not ended, two steps of its start. So there
is a gate for each task and time and a sum for each time, and it grows with the number of tasks
times that of start times; the rewrite compares each two tasks, with all their values (Schutt,
Feydt, Stuckey and Wallace, "Why cumulative decomposition is not as bad as it sounds", CP 2009, have
both decompositions).
"""

from __future__ import annotations

from backends.sat.draft import SatDraft
from backends.sat.gates import conjunction
from backends.sat.sums.comparison import compare
from modelling.constraint import Constraint
from modelling.rewriting.profile import Variables
from modelling.terms import affine, is_constant
from modelling.vocabulary.scheduling.cumulative import Cumulative

MOST_RUNS = 200_000
"""Most pairs of a task and a time that are looked at; beyond, it is rewritten."""


def cumulative(draft: SatDraft, constraint: Cumulative) -> None:
    """Let the load never exceed the capacity, which is not negative."""
    cnf, writer = draft.cnf, draft.writer
    capacity = draft.view(constraint.capacity)
    cnf.say(capacity.step(0))
    tasks = [
        (draft.view(start), duration.offset, demand.offset)
        for start, duration, demand in zip(
            constraint.starts, constraint.durations, constraint.demands, strict=True
        )
        if duration.offset and demand.offset
    ]
    for time in sorted({time for start, _, _ in tasks for time in start}):
        load = [(-capacity.factor, capacity.integer)]
        for start, duration, demand in tasks:
            runs = conjunction(cnf, (-start.step(time + 1), start.step(time - duration + 1)))
            if runs != -cnf.true:
                load.append((demand, draft.boolean(runs)))
        writer.post(compare(load, "<=", capacity.offset))


def has_few_times(constraint: Constraint, variables: Variables) -> bool:
    """Whether durations and demands are constants, not negative, and tasks and times are few."""
    if type(constraint) is not Cumulative:
        return False
    fixed = (*constraint.durations, *constraint.demands)
    if not all(is_constant(term) and term.offset >= 0 for term in fixed):
        return False
    times: set[int] = set()
    for term in constraint.starts:
        variable, factor, offset = affine(term)
        if variable is None:
            times.add(offset)
        elif len(variables.domains[variable]) > MOST_RUNS:
            return False
        else:
            times.update(factor * value + offset for value in variables.domains[variable])
    return len(constraint.starts) * len(times) <= MOST_RUNS
