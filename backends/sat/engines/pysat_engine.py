"""The engines of python-sat: a new solver for each call, a solver that is kept, or, for those that
answer only once, a new solver for each model.

Words
-----
slice     a limited call to the solver; when it ends without an answer the solver continues where it
          was, with all that it has learnt, and the deadline is looked at in between
guard     a Boolean that a call assumes and that its blocking clauses need: set to false after the
          call, it makes them void, so that a kept solver has lost no solution

Ctrl-C: python-sat's own handler leaves the solver by ``longjmp``, wherever that is, and the process
may crash at the next call. It is not installed here; Ctrl-C is heard at the end of a slice.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, repeat
from time import perf_counter
from types import MappingProxyType
from typing import Any
from weakref import WeakKeyDictionary

from backends.interface.api import StoppedBy
from backends.interface.registry import require
from backends.sat.cnf import Clause
from backends.sat.encode import Encoding
from backends.sat.task import STATISTICS, Models, Task
from backends.signals import is_handled
from modelling.errors import BackendUnavailable
from modelling.versions import find_version

FIRST_SLICE = 1000
"""Conflicts of the first slice; most Sudoku end within it."""

LEAST_SLICE = 50

LONG_SLICE = 20_000
"""The same where slices are for Ctrl-C alone: about a second."""

GUARDS = 16
"""A kept solver is replaced after this many calls that looked for further models. The guards are
declared at the start, since some solvers number extension variables of their own later on."""

_SEEDED = frozenset({"cadical153", "cadical195", "cadical300"})
_UNLIMITED = frozenset({"lingeling"})
_NO_COUNTERS = frozenset({"kissat404"})
_PROPAGATIONS_NOT_COUNTED = frozenset({"maplecm", "maplesat"})


class Pysat:
    """One solver class of the installed python-sat, and what it can do."""

    def __init__(self, name: str, class_name: str) -> None:
        self.name = name
        self.version = find_version("python-sat")
        solvers = require("python-sat", "pysat.solvers", "sat", "pip install python-sat")
        try:
            self.solver = getattr(solvers, class_name)
            self.solver().delete()
        except (AttributeError, AssertionError, NotImplementedError) as error:
            raise BackendUnavailable(
                f"sat: python-sat {self.version} has no working {name} ({error}); "
                "choose another engine, or try: pip install -U python-sat"
            ) from error

        self._append = _passing(self.solver)

    def load(
        self, clauses: Iterable[Sequence[int]], seed: int | None, with_proof: bool = False
    ) -> Any:
        """A new solver with these clauses."""
        solver = self.solver(with_proof=True) if with_proof else self.solver()
        if seed is not None and self.name in _SEEDED:
            solver.configure({"seed": seed % 2_000_000_000})
        self._append(solver, clauses)
        return solver

    def counters(self, solver: Any) -> dict[str, int]:
        """The solver's own statistics since it was made."""
        return {} if self.name in _NO_COUNTERS else solver.accum_stats()

    def counted(self, before: dict[str, int], now: dict[str, int]) -> dict[str, int]:
        """What was counted between two looks at the counters, under MiniZinc's names."""
        counted = {STATISTICS[name]: number - before[name] for name, number in now.items()}
        if self.name in _PROPAGATIONS_NOT_COUNTED:
            del counted["propagations"]
        return counted


@contextmanager
def without_jumps() -> Iterator[None]:
    """In the block python-sat takes this thread for another one than the main one, in which it
    installs its handler of SIGINT."""
    utilities = sys.modules.get("pysat._utils")
    kind = getattr(utilities, "MainThread", None)
    if kind is None:
        yield
        return
    before = kind.__dict__["check"]
    kind.check = staticmethod(bool)
    try:
        yield
    finally:
        kind.check = before


Passing = Callable[[Any, Iterable[Sequence[int]]], None]
"""Gives many clauses to a solver."""


def _passing(kind: Any) -> Passing:
    """The quickest way to give a solver of this class its clauses.

    What python-sat calls one call (``bootstrap_with``, ``append_formula``) is a loop in Python over
    a method which hands each clause to a function in C; that is two thirds of the time. Here
    ``map`` goes straight to that function. Should it not be found, or not do what it ought to do on
    two formulas of which one has no model, the library's own loop is used.
    """

    names = [name for name in _names_in(kind.add_clause) if name.endswith("_add_cl")]
    if len(names) == 1:
        straight = _straight(getattr(sys.modules.get("pysolvers"), names[0], None))
        if _works(kind, straight):
            return straight
    appended: Passing = kind.append_formula
    return appended


def _straight(function: Any) -> Passing:
    """Clauses to a solver by the library's function in C."""

    def passing(solver: Any, clauses: Iterable[Sequence[int]]) -> None:
        held = vars(solver).items()  # what writes a proof has a handle of its own
        (handle,) = (value for name, value in held if _is_handle(value) and name != "prfp")
        deque(map(function, repeat(handle), clauses), maxlen=0)

    return passing


def _names_in(method: Any) -> tuple[str, ...]:
    return getattr(getattr(method, "__code__", None), "co_names", ())


def _is_handle(value: Any) -> bool:
    """Whether it is a pointer of the library's, in the form that C hands to Python."""
    return type(value).__name__ == "PyCapsule"


def _works(kind: Any, passing: Passing) -> bool:
    for clauses, expected in (([(1, 2), (-1,)], [-1, 2]), ([(1, 2), (-1,), (-2,)], None)):
        with kind() as solver:
            try:
                passing(solver, clauses)
            except (TypeError, ValueError):
                return False
            if (solver.get_model() if solver.solve() else None) != expected:
                return False
    return True


class PysatSearch:
    """The calls to one solver on behalf of one task; limits hold for all of them together.

    After ``most`` conflicts (see ``share``), counted from the first call, ``decide`` raises
    ``HandedOver`` where it has no answer; ``room`` is what was left of them when it last had none.
    ``earlier`` is what another solver has spent on the task.
    """

    def __init__(
        self,
        library: Pysat,
        solver: Any,
        task: Task,
        before: dict[str, int] | None = None,
        earlier: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self.most: int | None = None
        self.room: int | None = None
        self.cost = 0.0  # seconds a conflict took in the last slice without an answer
        self.ended: dict[str, int] | None = None
        self.earlier = earlier
        self.library = library
        self.solver = solver
        self.task = task
        self.before = self.now = library.counters(solver) if before is None else before
        limits = task.limits
        self.is_unlimited = library.name in _UNLIMITED
        is_limited = (
            limits.seconds is not None or limits.conflicts is not None or limits.nodes is not None
        )
        self.limited = not self.is_unlimited and (is_limited or is_handled())
        self.slice = FIRST_SLICE if is_limited else LONG_SLICE

    def share(self, most: int | None) -> None:
        """Hand over after ``most`` conflicts; None: never."""
        self.most = self.room = most
        self.limited = self.limited or most is not None

    def spent(self) -> dict[str, int]:
        """The counters of this task alone."""
        self.now = self.library.counters(self.solver)
        counted = self.library.counted(self.before, self.now)
        return {name: number + self.earlier.get(name, 0) for name, number in counted.items()}

    def end(self) -> dict[str, int]:
        """Give the solver up; what was spent stays known."""
        if self.ended is None:
            self.ended = self.spent()
            self.solver.delete()
        return self.ended

    def decide(self, assumptions: list[int]) -> bool | StoppedBy:
        """Whether there is a model, or the limit that was reached first."""
        if self.task.deadline.passed:
            return "time"
        with without_jumps():
            return self._decide(assumptions)

    def _decide(self, assumptions: list[int]) -> bool | StoppedBy:
        if not self.limited:
            return bool(self.solver.solve(assumptions))
        while True:
            size = self._next_slice()
            if size <= 0:
                return "gave_up"
            left = self.task.deadline.left
            if left is not None and self.cost:
                size = min(size, max(LEAST_SLICE, int(left / self.cost)))
            started = perf_counter()
            self.solver.conf_budget(size)
            answer: bool | None = self.solver.solve_limited(assumptions)
            if answer is not None:
                return answer
            if self.task.deadline.passed:
                return "time"
            if self.most is not None:
                self.room = self.most - self.spent()["failures"]
                if self.room <= 0:
                    raise HandedOver
            seconds = perf_counter() - started
            self.cost = seconds / size
            self._pace(seconds)

    def _next_slice(self) -> int:
        """The conflicts to allow next; none when a budget is used up."""
        limits = self.task.limits
        size = self.slice if self.room is None else min(self.slice, max(1, self.room))
        if limits.conflicts is None and limits.nodes is None:
            return size
        spent = self.spent()
        if limits.nodes is not None and spent.get("nodes", 0) >= limits.nodes:
            return 0
        if limits.conflicts is None:
            return size
        return min(size, limits.conflicts - spent.get("failures", 0))

    def _pace(self, seconds: float) -> None:
        if seconds < 0.05:
            self.slice *= 2
        elif seconds > 0.2:
            self.slice = max(LEAST_SLICE, self.slice // 2)


class HandedOver(Exception):
    """A solver has had its share of conflicts."""


class PysatEngine:
    """An engine of python-sat that writes no proofs."""

    form = ""

    def __init__(self, library: Pysat) -> None:
        self.library = library
        self.version = library.version


class Fresh(PysatEngine):
    """A new solver for each call; givens are unit clauses, and models are blocked for good."""

    def models(self, task: Task) -> Models:
        """See ``task``. Units go first: the solver then simplifies what is added after them."""
        now = perf_counter()
        units = task.units
        solver = self.library.load(chain(units, task.encoding.every_clause()), task.limits.seed)
        search = PysatSearch(self.library, solver, task)
        now = task.phases.add("load", now)
        try:
            while True:
                answer = search.decide([])
                now = task.phases.add("solve", now)
                if answer is not True:
                    return answer or "exhausted"
                found = task.encoding.chosen(solver.get_model())
                task.phases.add("decode", now)
                clauses = yield found
                now = perf_counter()
                for clause in clauses or (task.excluding(found),):
                    solver.add_clause(clause)
        finally:
            task.statistics.update(search.spent())
            solver.delete()


class OneShot(PysatEngine):
    """A new solver for each model, for engines that cannot continue after an answer."""

    def models(self, task: Task) -> Models:
        """See ``task``. Seconds are looked at between models, conflicts allowed for each anew."""
        units = task.units
        blocked: list[Clause] = []
        while not task.deadline.passed:
            with task.phases("load"):
                solver = self.library.load(
                    chain(units, task.encoding.every_clause(), blocked), task.limits.seed
                )
            if task.limits.conflicts is not None:
                solver.conf_budget(task.limits.conflicts)
            with task.phases("solve"), without_jumps():
                answer: bool | None = solver.solve_limited()
            with task.phases("decode"):
                found = task.encoding.chosen(solver.get_model()) if answer else []
            solver.delete()
            if answer is None:
                return "gave_up"
            if not answer:
                return "exhausted"
            clauses = yield found
            blocked.extend(clauses or (task.excluding(found),))
        return "time"


@dataclass
class _Solver:
    """A solver that is kept, the guards that no call has used yet, and its counters so far."""

    solver: Any
    guards: list[int] = field(default_factory=list)
    counters: dict[str, int] | None = None


class KeptSolver(PysatEngine):
    """One incremental solver per encoding, as long as that is kept; givens are assumptions."""

    def __init__(self, library: Pysat) -> None:
        super().__init__(library)
        self._idle: WeakKeyDictionary[Encoding, _Solver] = WeakKeyDictionary()

    def models(self, task: Task) -> Models:
        """See ``task``. A solver whose call ended in an error is not used again."""
        now = perf_counter()
        kept = self._idle.pop(task.encoding, None) or self._start(task)
        guard = kept.guards.pop()
        search = PysatSearch(self.library, kept.solver, task, kept.counters)
        now = task.phases.add("load", now)
        assumptions, blocked, sound = task.givens, bool(task.closing), False
        if blocked:
            for clause in task.closing:
                kept.solver.add_clause((-guard, *clause))
            assumptions = [*assumptions, guard]
        try:
            while True:
                answer = search.decide(assumptions)
                now = task.phases.add("solve", now)
                sound = True
                if answer is not True:
                    return answer or "exhausted"
                found = task.encoding.chosen(kept.solver.get_model())
                task.phases.add("decode", now)
                clauses = yield found
                now = perf_counter()
                sound = False
                for clause in clauses or (task.excluding(found),):
                    kept.solver.add_clause((-guard, *clause))
                if not blocked:
                    assumptions, blocked = [*assumptions, guard], True
        finally:
            if sound:
                task.statistics.update(search.spent())
                kept.counters = None if blocked else search.now
                self._put_back(task.encoding, kept, guard, blocked)
            else:
                kept.solver.delete()

    def _start(self, task: Task) -> _Solver:
        """A solver that knows the guards: each of them occurs in a clause."""
        encoding = task.encoding
        spare, *guards = range(encoding.top + 1, encoding.top + 2 + GUARDS)
        known = [[spare, -guard] for guard in guards]
        clauses = chain(encoding.every_clause(), known)
        return _Solver(self.library.load(clauses, task.limits.seed), guards)

    def _put_back(self, encoding: Encoding, kept: _Solver, guard: int, used: bool) -> None:
        if used:
            kept.solver.add_clause([-guard])
        else:
            kept.guards.append(guard)
        if kept.guards:
            self._idle[encoding] = kept
        else:
            kept.solver.delete()
