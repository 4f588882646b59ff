"""Counting by components: what falls apart is counted apart, and what comes again is known.

Components have nothing to do with each other, so that their numbers of solutions multiply (Bayardo
and Pehoushek, *Counting models using connected components*, AAAI 2000). A component that comes
again, with the same open values and the same rest of its constraints, has as many solutions as
before (Sang, Bacchus, Beame, Kautz and Pitassi, *Combining component caching and clause learning
for effective model counting*, SAT 2004).

Numbers are Python's, since they soon have more than 64 bits, and so the kernel runs interpreted.
The components that are being counted are a list of frames: nothing recurs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from backends.interface.api import Limits, Solutions
from backends.interface.driver import Driver
from backends.propagation.components import Component, Components
from backends.propagation.encode.arena import Search, grow
from backends.propagation.encode.draft import Draft
from backends.propagation.forms import INTERPRETED, pure_form
from backends.propagation.kernel import branching, queue, trail
from backends.propagation.kernel import layout as at
from backends.propagation.kernel import search as kernel
from backends.propagation.kernel.domains import next_value
from backends.propagation.tree import RecordingPropagation, has_failed
from modelling.errors import Unsupported
from modelling.problem import Problem

MOST_KNOWN = 500_000
"""Components that are remembered; when there are more, all are forgotten."""

branch = INTERPRETED.bound(kernel.branch)
undo = INTERPRETED.bound(trail.undo)
empty_queues = INTERPRETED.bound(queue.empty_queues)
note_failure = INTERPRETED.bound(branching.note_failure)
value_from = INTERPRETED.bound(next_value)


@dataclass(frozen=True)
class Counted:
    """How many solutions there are, None if the seconds were not enough.

    ``nodes`` were visited, ``components`` counted, and ``known`` ones met again.
    """

    count: int | None
    nodes: int
    components: int
    known: int


@dataclass
class Frame:
    """A component that is being counted: ``parts`` are still to be counted where its variable ``x``
    has ``value``; ``product`` is the number of those that have been."""

    component: Component
    key: tuple[Any, ...] = ()
    x: int = 0
    value: int | None = None
    product: int = 1
    total: int = 0
    parts: list[Component] = field(default_factory=list)


def count_solutions(problem: Problem, seconds: float | None = None) -> Counted:
    """How many assignments of all variables are solutions.

    Raises ``Unsupported`` for what the backend refuses, and for a problem with an output, of which
    only the values of some variables count.
    """
    if problem.structure.output is not None:
        reason = "it counts the values of all variables, and the output has some of them"
        raise Unsupported("propagation", "counting by components", reason)
    end = None if seconds is None else perf_counter() + seconds
    solver = RecordingPropagation(1)
    found = Driver("propagation", solver, keep=False).solve(
        problem, Solutions(None, 1), Limits(seconds, nodes=1)
    )
    session = solver.session
    if session is None or session.search is None or has_failed(session):
        is_late = found.stopped_by == "time"
        return Counted(None if is_late else 0, int(session is not None), 0, 0)
    return _Counter(session.search, session.encoding.draft, end).run()


class _Counter:
    """One count, from the first fixed point on."""

    def __init__(self, search: Search, draft: Draft, end: float | None) -> None:
        self.search = search
        self.end = end
        self.components = Components(search, draft)
        self.known: dict[tuple[Any, ...], int] = {}
        self.counted = self.met = 0

    def run(self) -> Counted:
        """Count; the result."""
        total = self._count()
        return Counted(total, self.search.M[at.M_NODES], self.counted, self.met)

    def _count(self) -> int | None:
        """Count what is open, component by component."""
        split = self.components.split(self.components.variables)
        frames = [Frame(Component((), ()), parts=list(split))]
        while True:
            frame = frames[-1]
            if frame.parts and frame.product:
                self._count_part(frames, frame.parts.pop())
                continue
            if len(frames) == 1:
                return frame.product
            if self.end is not None and perf_counter() > self.end:
                return None
            if not self._take_next_value(frame):
                self.counted += 1
                if len(self.known) >= MOST_KNOWN:
                    self.known.clear()
                self.known[frame.key] = frame.total
                frames.pop()
                frames[-1].product *= frame.total

    def _count_part(self, frames: list[Frame], part: Component) -> None:
        """Multiply by the number of a component; where that is not known, add its frame."""
        frame = frames[-1]
        if self.components.is_free(part):
            frame.product *= self.search.S[part.variables[0] + at.SIZE]
            return
        key = self.components.key(part)
        number = self.known.get(key)
        if number is None:
            frames.append(Frame(part, key, self._choose(part)))
        else:
            self.met += 1
            frame.product *= number

    def _choose(self, component: Component) -> int:
        """The variable with the least ratio of open values to weight (dom/wdeg)."""
        S = self.search.S
        return min(component.variables, key=lambda x: (S[x + at.SIZE] / S[x + at.WEIGHT], x))

    def _take_next_value(self, frame: Frame) -> bool:
        """Add the number for the value of a frame, and take its next value; False if that was the
        last."""
        S, T, _ = self.search
        x, value = frame.x, frame.value
        following = S[x]
        if value is not None:
            frame.total += frame.product
            self._take_back()
            if value == S[x + at.UPPER]:
                return False
            following = value_from(S, x, value + 1)
        while self._lacks_room():
            self.search = grow(self.search, pure_form())
        frame.value = following
        frame.parts, frame.product = [], 0
        if branch(S, T, self.search.M, x, following):
            frame.parts = list(self.components.split(frame.component.variables))
            frame.product = 1
        else:
            note_failure(S, T, self.search.M)
        return True

    def _take_back(self) -> None:
        """Return to the level above."""
        S, T, M = self.search
        empty_queues(T, M)
        M[at.M_DEPTH] -= 1
        undo(S, M, M[M[at.M_DECISIONS] + at.DECISION * M[at.M_DEPTH]])

    def _lacks_room(self) -> bool:
        """Whether one more level may not fit."""
        _, T, M = self.search
        decided = M[at.M_DECISIONS] + at.DECISION * (M[at.M_DEPTH] + 1)
        cells = M[at.M_TRAIL_TOP] + T[at.T_LEVEL_CELLS]
        return bool(cells > M[at.M_TRAIL_END] or decided > M[at.M_DECISIONS_END])
