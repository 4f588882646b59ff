"""Events: what a solver reports during a search, and how those who want solutions hear of it.

``emit(event)`` is given each event and says whether to continue. A ``sink`` is the older, narrower
form: a function of the solution alone; ``sink_of`` makes one that emits, ``emitting`` asks any
backend, whether it emits or knows sinks only.

Words
-----
Found       a solution; with an objective each is strictly better than the one before
Bound       the objective cannot be better than this; each is tighter than the one before
seconds     wall time since the call began, stamped by one clock
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import index
from time import perf_counter
from typing import Literal, NamedTuple

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


class Step(NamedTuple):
    """A better solution was found, or a tighter bound proven, ``seconds`` after the beginning.

    ``objective`` is that of the solution, or the bound, as ``kind`` says.
    """

    seconds: float
    objective: int
    kind: Literal["found", "bound"]


LAST = 100
"""Steps of a kind that are kept: the latest, and at most as many of those before them."""


class SearchTrajectory:
    """The course of a search for an optimum, folded from its events: what is proven at any time.

    ``latest`` is the best solution, ``objective`` its value, ``bound`` the best bound; None until
    there is one. The backend is not taken at its word: values are worked out from the solutions,
    and seconds taken by ``clock``. Events that do not improve on earlier ones are skipped.
    """

    def __init__(self, objective: Objective, clock: Callable[[], float] = perf_counter) -> None:
        self.latest: Assignment | None = None
        self.objective: int | None = None
        self.bound: int | None = None
        self._of = objective
        self._clock = clock
        self._began = clock()
        self._found, self._bounds = _Thinned(), _Thinned()

    def take(self, event: Event) -> bool:
        """Take one event; return whether it improves on earlier ones."""
        seconds = self._clock() - self._began
        if isinstance(event, Bound):
            bound = index(event.value)
            if self.bound is not None and not self._of.better(self.bound, bound):
                return False
            self.bound = bound
            self._bounds.add(Step(seconds, bound, "bound"))
        else:
            value = self._of.value(event.values)
            if self.objective is not None and not self._of.better(value, self.objective):
                return False
            self.latest, self.objective = event.values, value
            self._found.add(Step(seconds, value, "found"))
        return True

    @property
    def steps(self) -> tuple[Step, ...]:
        """Solutions and bounds in the order in which they came.

        Of each kind the first, the ``LAST`` latest, and of those between one in 1, 2, 4, 8, ...
        """
        return tuple(sorted((*self._found.kept(), *self._bounds.kept())))


class _Thinned:
    """The steps of one kind that are kept."""

    def __init__(self) -> None:
        self._early: list[Step] = []
        self._late: deque[Step] = deque()
        self._passed, self._stride = 0, 1  # the number that left ``_late``; one in a stride stays

    def add(self, step: Step) -> None:
        self._late.append(step)
        if len(self._late) <= LAST:
            return
        left = self._late.popleft()
        if self._passed % self._stride == 0:
            self._early.append(left)
        self._passed += 1
        if len(self._early) > LAST:
            del self._early[1::2]
            self._stride *= 2

    def kept(self) -> Iterator[Step]:
        yield from self._early
        yield from self._late


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
