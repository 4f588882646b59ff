"""Backends that lie, each in one way: what a harness has to find out, and ours does.

    concord compare --set queens --backend propagation --backend sat \\
        --backend py:backends.conformance.liars:DroppedSolution --count all

Each wraps an honest solver (``propagation``) and falsifies what it answers. Whoever writes a
harness of their own, or changes this one, can try it on them;
``tests/harness/judge/test_liars.py`` runs each through ``concord compare``. What they do to the
process they live in, some of them, is not to be imitated.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from time import sleep
from typing import Any

from backends.interface import registry
from backends.interface.api import Accepted, Ask, Limits, Refused, Result, Sink, Solutions, Status
from backends.interface.events import Bound, Emit, Event, Found
from backends.interface.evidence import digest_of
from modelling.brute_force import solutions
from modelling.constraints import Constraint
from modelling.problem import Assignment, Objective, Problem


class Liar:
    """Tells the truth: ``lie`` is what its children tell instead."""

    family = ""
    complete = True

    def __init__(self) -> None:
        self.name = type(self).__name__
        self.honest = registry.get("propagation")
        self.native: frozenset[type[Constraint]] = self.honest.native

    def accepts(self, problem: Problem) -> Accepted | Refused:
        """As the honest solver."""
        return self.honest.accepts(problem)

    def solve(
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        sink: Sink | None = None,
    ) -> Result:
        """The honest answer, falsified."""
        return self.lie(problem, ask, limits, self.honest.solve(problem, ask, limits))

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        """What is told instead of ``result``."""
        return result


def told(result: Result, found: Sequence[Assignment], keep: int | None = 1, **more: Any) -> Result:
    """``result`` with other solutions, and with all that follows from them."""
    return replace(
        result,
        count=len(found),
        solutions=tuple(found[:keep]),
        digest=digest_of(found),
        **more,
    )


def kept(ask: Ask) -> int | None:
    """How many solutions are to be shown."""
    return getattr(ask, "keep", 1)


# --- claims without solutions --------------------------------------------------------------------


class NeverReads(Liar):
    """Has never read the puzzle: one solution was found, it says, and shows none."""

    def solve(
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        sink: Sink | None = None,
    ) -> Result:
        """One solution, unseen."""
        return Result(count=1, stopped_by="enough")


class ShowsOneOfTwo(Liar):
    """Claims two solutions where two are asked for, and shows one."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        first = result.solutions[:1]
        return replace(result, count=2, solutions=first, stopped_by="enough")


class Boasts(Liar):
    """Says that it had counted 999 solutions when its time was over, and shows one."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return replace(result, count=999, solutions=result.solutions[:1], stopped_by="time")


class BoastsAndShows(Liar):
    """Says that it had counted 999 solutions when its time was over, and shows as many as asked."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return replace(result, count=999, stopped_by="time")


class EmptyDigest(Liar):
    """The right count, and no digest: which solutions it counted cannot be compared."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return replace(result, digest="0" * 32)


class WrongDigest(Liar):
    """The right count, and a digest that belongs to no solutions."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return replace(result, digest="f" * 32)


class CallsItEnough(Liar):
    """Was asked for more, stops after the first solution, and calls it enough."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return told(result, result.solutions[:1], stopped_by="enough")


class StoppedByNobody(Liar):
    """Says that somebody from outside has stopped it; nobody has."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return replace(result, stopped_by="sink")


# --- false solutions -----------------------------------------------------------------------------


class WrongValue(Liar):
    """One value of each solution is another one of its domain."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        domain = problem.structure.domains[0]

        def other(values: Assignment) -> Assignment:
            place = domain.index(values[0])
            return (domain[(place + 1) % len(domain)], *values[1:])

        return told(result, [other(v) for v in result.solutions], kept(ask))


class OutsideDomain(Liar):
    """One value of each solution is in no domain."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return told(result, [(997, *v[1:]) for v in result.solutions], kept(ask))


class TooShort(Liar):
    """Each solution lacks its last value."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return told(result, [v[:-1] for v in result.solutions], kept(ask))


class TrueForOne(Liar):
    """The values 1 and 0 are the Booleans that equal them, and write themselves differently."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        found = [tuple(bool(v) if v in (0, 1) else v for v in one) for one in result.solutions]
        return replace(result, solutions=tuple(found))


class FloatForInteger(Liar):
    """Each value is the float that equals it."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        found = tuple(tuple(map(float, one)) for one in result.solutions)
        return replace(result, solutions=found)  # type: ignore[arg-type] # that is the lie


class AnotherInstance(Liar):
    """Answers with the solutions of the instance that it was asked about before."""

    def __init__(self) -> None:
        super().__init__()
        self._before: Result | None = None

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        before, self._before = self._before, result
        return before or result


class OverlooksTheLast(Liar):
    """Overlooks the constraint that stands last: its answer changes with their order."""

    def solve(
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        sink: Sink | None = None,
    ) -> Result:
        """The answer to another problem."""
        structure = replace(problem.structure, constraints=problem.structure.constraints[:-1])
        return self.honest.solve(Problem(structure, problem.masks), ask, limits)


class ChangesTheProblem(Liar):
    """Takes the constraints out of the problem that it was given, so that a wrong value holds."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        object.__setattr__(problem.structure, "constraints", ())
        values = problem.structure.domains[0][:1] * problem.structure.size
        return told(result, [values], stopped_by="enough")


# --- false sets and numbers of solutions ---------------------------------------------------------


class FalseUnsatisfiable(Liar):
    """Says of everything that it has no solution."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return Result(count=0, stopped_by="exhausted", phases=result.phases)


class DroppedSolution(Liar):
    """Counts all solutions but the last one."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return told(result, list(solutions(problem))[:-1], kept(ask), stopped_by="exhausted")


class Duplicate(Liar):
    """Counts the first solution twice, and admits it."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        found = list(solutions(problem))
        return told(result, found[:1] + found, kept(ask), repeats=1)


class TooManyRepeats(Liar):
    """Admits more repeats than a database can count, so that there be no record at all."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return replace(result, repeats=1 << 70)


class HiddenDuplicate(Liar):
    """Shows one solution twice as if they were two."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return told(result, result.solutions[:1] * 2, 2, stopped_by="enough")


class CountsOneMore(Liar):
    """Its count is too high by one."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return replace(result, count=result.count + 1)


class CountsOneLess(Liar):
    """Its count is too low by one, and it shows no more than fits."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        shown = result.solutions[: result.count - 1]
        return replace(result, count=result.count - 1, solutions=shown)


class ExhaustedTooEarly(Liar):
    """Says after the first of many solutions that there is no other."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return told(result, result.solutions[:1], stopped_by="exhausted")


class ExhaustedHalfway(Liar):
    """Gives up after half of the solutions, and says that these are all."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        found = list(solutions(problem))
        return told(result, found[: len(found) // 2], kept(ask), stopped_by="exhausted")


# --- false optima --------------------------------------------------------------------------------


class WrongOptimum(Liar):
    """Calls the first solution the best one."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        objective = problem.structure.objective
        if objective is None:
            return result
        first = next(iter(solutions(problem)))
        value = objective.value(first)
        return replace(result, solutions=(first,), objective=value, bound=value)


class FalseObjective(Liar):
    """The best solution, with a better value than its own."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        objective = problem.structure.objective
        if objective is None or result.objective is None:
            return result
        value = result.objective + (-1 if objective.sense == "minimize" else 1)
        return replace(result, objective=value, bound=value)


class BoundTooTight(Liar):
    """Stops in time at the first solution, and says that none can be better."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        objective = problem.structure.objective
        if objective is None:
            return result
        first = next(iter(solutions(problem)))
        value = objective.value(first)
        return replace(result, solutions=(first,), objective=value, bound=value, stopped_by="time")


class FalseIncumbent(Liar):
    """Tells on its way of a better value than there is; what it shows in the end is right."""

    emits = True

    def solve(  # type: ignore[override]
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        emit: Emit | None = None,
    ) -> Result:
        """The honest answer, after a false event."""
        result = self.honest.solve(problem, ask, limits)
        objective = problem.structure.objective
        if emit is not None and objective is not None and result.objective is not None:
            emit(self.event(objective, problem, result.objective))
        return result

    def event(self, objective: Objective, problem: Problem, best: int) -> Event:
        """The values that would be best if there were no constraint."""
        every = product(*problem.structure.domains)
        choose = min if objective.sense == "minimize" else max
        values = choose(every, key=objective.value)
        return Found(values, objective.value(values), 0.0)


class FalseBoundAtFirst(FalseIncumbent):
    """Tells on its way of a bound that its own solution breaks in the end."""

    def event(self, objective: Objective, problem: Problem, best: int) -> Event:
        """A bound that is worse than the best value by 1."""
        return Bound(best + (1 if objective.sense == "minimize" else -1), 0.0)


# --- lies at times -------------------------------------------------------------------------------

BAD_SEED = 13

ONE_IN = 1000


class OneBadSeed(DroppedSolution):
    """Right, but for one seed, with which it drops a solution."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return super().lie(problem, ask, limits, result) if limits.seed == BAD_SEED else result


def is_chosen(problem: Problem) -> bool:
    """Whether it is one of the instances that ``OneInAThousand`` is wrong on."""
    return int(problem.digest, 16) % ONE_IN == 0


class OneInAThousand(WrongValue):
    """Wrong on one instance of a thousand, always the same one."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return super().lie(problem, ask, limits, result) if is_chosen(problem) else result


class Fickle(Liar):
    """Two answers lack a solution, the next two do not: a warm-up between them changes nothing."""

    def __init__(self) -> None:
        super().__init__()
        self._calls = 0

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        self._calls += 1
        found = list(solutions(problem))
        return told(result, found[: len(found) - self._calls // 2 % 2], kept(ask))


# --- false names ---------------------------------------------------------------------------------


class Twin(DroppedSolution):
    """Drops a solution, and says that it is of a family of its own; so does ``OtherTwin``."""

    family = "twin"


class OtherTwin(DroppedSolution):
    """The same lie as that of ``Twin`` under another name, as if two families agreed."""

    family = "other"


class Pretender(DroppedSolution):
    """Drops a solution, and says that it is CP-SAT."""

    family = "cpsat"

    def __init__(self) -> None:
        super().__init__()
        self.name = "cpsat"


# --- false times ---------------------------------------------------------------------------------


class LongPhases(Liar):
    """Its phases add up to a minute, whatever the call took."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return replace(result, phases={"encode": 30.0, "solve": 30.0})


class NegativePhase(Liar):
    """Takes back in one phase what another says too much, so that the sum fits."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return replace(result, phases={"encode": -30.0, "solve": 30.0})


class CachedRepeat(Liar):
    """Is slow (50 ms) where it sees an instance first, and remembers its answer for the repeats.

    Its answers are right; what is false is the time of every repeat in a worker that has seen the
    instance.
    """

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[tuple[str, Ask], Result] = {}

    def solve(
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        sink: Sink | None = None,
    ) -> Result:
        """The answer, from memory where it can."""
        key = problem.digest, ask
        if key not in self._known:
            sleep(0.05)
            self._known[key] = replace(self.honest.solve(problem, ask, limits), phases={})
        return self._known[key]


class StopsTheClock(Liar):
    """Is slow (50 ms), and replaces ``perf_counter`` in every module by a clock that stands.

    Its answers are right; what is false is every time that is taken by a name a module has.
    """

    def __init__(self) -> None:
        super().__init__()
        clock, now = time.perf_counter, time.perf_counter()
        for module in list(sys.modules.values()):
            for name, value in list(vars(module).items()):
                if value is clock:
                    setattr(module, name, lambda: now)

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        sleep(0.05)
        return replace(result, phases={})


# --- values that are not what they look like -----------------------------------------------------


@dataclass(frozen=True)
class _AlwaysBest(Result):
    @property
    def status(self) -> Status:
        """The claim, whatever the evidence."""
        return "UNSATISFIABLE"


class OwnResult(Liar):
    """Answers with a class of its own that says another status than its evidence."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return _AlwaysBest(result.count, result.stopped_by, result.solutions, result.digest)


class _Many(int):
    """An integer that is no less than any other."""

    def __lt__(self, other: object) -> bool:
        return False

    def __gt__(self, other: object) -> bool:
        return False


class OwnNumber(Liar):
    """Counts with a class of its own that compares as it likes."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return replace(result, count=_Many(result.count + 1))


class ChangedAfterwards(Liar):
    """Changes its frozen answer once it was made: a count below nothing."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        object.__setattr__(result, "count", -1)
        return result


class SilencesTheCheck(Liar):
    """Patches the check of its own process away, and shows nothing."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        silence_check()
        return replace(result, solutions=())


class StopsUnseen(Liar):
    """Stops after the first solution, calls that enough, and patches the check of it away."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        silence_check()
        return told(result, result.solutions[:1], stopped_by="enough")


def silence_check() -> None:
    """Have the worker that this process is find no fault with any answer."""
    for name in ("__main__", "harness.supervise.answering"):
        if hasattr(sys.modules.get(name), "shortfall"):
            sys.modules[name].shortfall = lambda *_, **__: ""  # type: ignore[attr-defined]


LIARS: tuple[type[Liar], ...] = (
    NeverReads,
    ShowsOneOfTwo,
    Boasts,
    BoastsAndShows,
    EmptyDigest,
    WrongDigest,
    CallsItEnough,
    StoppedByNobody,
    WrongValue,
    OutsideDomain,
    TooShort,
    TrueForOne,
    FloatForInteger,
    AnotherInstance,
    OverlooksTheLast,
    ChangesTheProblem,
    FalseUnsatisfiable,
    DroppedSolution,
    Duplicate,
    TooManyRepeats,
    HiddenDuplicate,
    CountsOneMore,
    CountsOneLess,
    ExhaustedTooEarly,
    ExhaustedHalfway,
    WrongOptimum,
    FalseObjective,
    BoundTooTight,
    FalseIncumbent,
    FalseBoundAtFirst,
    OneBadSeed,
    OneInAThousand,
    Fickle,
    Twin,
    OtherTwin,
    Pretender,
    LongPhases,
    NegativePhase,
    CachedRepeat,
    StopsTheClock,
    OwnResult,
    OwnNumber,
    ChangedAfterwards,
    SilencesTheCheck,
    StopsUnseen,
)
"""Every way to lie that we could think of."""
