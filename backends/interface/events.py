"""Events: what is told of a search while it goes on, and how those who want solutions hear of it.

``emit(event)`` is given each event and says whether to go on. A ``sink`` is the older, narrower
form: a function of the solution alone; ``sink_of`` makes one that emits, ``emitting`` asks any
backend, whether it emits or knows sinks only.

Words
-----
Found       a solution; with an objective each is strictly better than the one before
Bound       the objective cannot be better than this; each is tighter than the one before
seconds     wall time since the call began, stamped by one clock
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from backends.interface.api import Ask, Backend, Limits, Result, Sink, Solutions
from modelling.problem import Assignment, Objective, Problem


@dataclass(frozen=True, slots=True)
class Found:
    """A solution, its objective where one is optimised, and when it was found."""

    values: Assignment
    objective: int | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Bound:
    """A proven bound of the objective, and since when it is known."""

    value: int
    seconds: float


Event = Found | Bound

Emit = Callable[[Event], bool]


class Course:
    """The course of a search so far, folded from its events; ``Course().emit`` is what to pass.

    ``incumbents`` are objective and seconds of each better solution, ``bounds`` those of each
    tighter bound. Both are there at any time, so that whoever ends a search has what was proven.
    """

    def __init__(self) -> None:
        self.latest: Assignment | None = None
        self.incumbents: list[tuple[int, float]] = []
        self.bounds: list[tuple[int, float]] = []

    def emit(self, event: Event) -> bool:
        """Take one event; the search goes on."""
        if isinstance(event, Bound):
            self.bounds.append((event.value, event.seconds))
        else:
            self.latest = event.values
            if event.objective is not None:
                self.incumbents.append((event.objective, event.seconds))
        return True


def sink_of(emit: Emit, objective: Objective | None = None) -> Sink:
    """A sink that emits what it is given; time is counted from now."""
    started = perf_counter()

    def sink(values: Assignment) -> bool:
        value = None if objective is None else objective.value(values)
        return emit(Found(values, value, perf_counter() - started))

    return sink


def emitting(backend: Backend, problem: Problem, ask: Ask, limits: Limits, emit: Emit) -> Result:
    """What ``backend`` answers, with its events; one that knows sinks only tells no bounds."""
    if getattr(backend, "emits", False):
        answer: Result = backend.solve(problem, ask, limits, emit=emit)  # type: ignore[call-arg]
        return answer
    objective = None if isinstance(ask, Solutions) else problem.structure.objective
    return backend.solve(problem, ask, limits, sink_of(emit, objective))
