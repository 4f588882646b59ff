"""Where ask and result meet: an answer shows what it claims, or it falls short of its claim.

``shortfall`` is asked by ``concord.solve``, by the worker (outside the clock) and by the suite of
conformance. It takes values and returns a value: the first thing that is wrong with an answer, in
words, with the claim and what was shown; the empty text when nothing is.

What an answer must show
------------------------
form        a plain ``Result``: integers are ``int``, solutions are tuples of them, one value for
            each variable (a ``True`` or a ``1.0`` is equal to 1 and has another digest)
question    ``stopped_by`` fits what was asked, and no more was counted than that
solutions   as many as were counted, or ``keep`` of them; distinct, and each holds by
            ``modelling.check``
digest      that of the solutions, where all of them are shown; elsewhere at least not nothing
objective   that of the solutions that are shown, and no better than the bound
phases      together (``first_solution`` lies inside ``solve``) no longer than the call took

What runs in this process can patch this module, too. Validation therefore looks at the records
again, in the process of the harness: all of this but the phases.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from numbers import Real
from typing import Protocol, get_args

from backends.interface.api import Ask, Optimum, Result, Solutions, StoppedBy
from backends.interface.collector import solution_hash
from modelling.check import violations
from modelling.errors import ContradictoryResult
from modelling.problem import Assignment, Objective, Problem

STOPS = frozenset(get_args(StoppedBy))

TOLERANCE_S, TOLERANCE = 0.001, 0.01
"""Phases may exceed the wall time by these seconds and this part: clocks have a resolution."""

INSIDE = "first_solution"
"""The phase that lies inside another one."""


def shortfall(
    result: object,
    ask: Ask,
    problem: Problem,
    *,
    seconds: float | None = None,
    sink: bool = False,
    most: int | None = None,
) -> str:
    """What ``result`` claims about ``problem`` and does not show; empty when it shows all.

    ``seconds`` is how long the call took, if that was measured; ``sink`` whether it was given one.
    Only the first ``most`` solutions are checked for what they say (None: all); the number that is
    shown, their form, their difference and their digest are always checked.
    """
    fault = malformed(result)
    if fault:
        return fault
    assert isinstance(result, Result)
    fault = next(_shortfalls(result, ask, problem, seconds, sink, most), "")
    return f"{fault}; {claimed(result)}" if fault else ""


def claimed(result: Result) -> str:
    """What an answer claims and what it shows, in words."""
    value = "" if result.objective is None else f", objective {result.objective}"
    return (
        f"it claims {result.status}, count {result.count}{value}, stopped by "
        f"{result.stopped_by!r}, and shows {number(len(result.solutions), 'solution')}"
    )


def number(many: int, thing: str) -> str:
    """``1 solution`` or ``2 solutions``."""
    return f"{many} {thing}" if many == 1 else f"{many} {thing}s"


def digest_of(solutions: Iterable[Assignment]) -> str:
    """The order-independent digest that the collector keeps, of a set of solutions."""
    return f"{sum(map(solution_hash, solutions)) % (1 << 128):032x}"


# --- form ----------------------------------------------------------------------------------------


MOST_BITS = 10_000
"""Most bits of a value that is shown: Python refuses to write more than 4,300 digits."""


def malformed(result: object) -> str:
    """Why ``result`` cannot even be read as an answer; empty when it can.

    A subclass of Result or of int may answer one thing now and another later, so none is taken.
    """
    if type(result) is not Result:
        return f"solve() returned {type(result).__name__}, not a Result"
    for name in ("count", "repeats"):
        if type(getattr(result, name)) is not int:
            return f"{name} must be a plain int, not {getattr(result, name)!r}"
    for name in ("objective", "bound"):
        if type(getattr(result, name)) not in (int, type(None)):
            return f"{name} must be a plain int or None, not {getattr(result, name)!r}"
    if result.repeats < 0:
        return f"repeats is {result.repeats}, fewer than none"
    if type(result.stopped_by) is not str or result.stopped_by not in STOPS:
        return f"stopped_by is {result.stopped_by!r}, which is none of {', '.join(sorted(STOPS))}"
    if not _is_digest(result.digest):
        return f"the digest {result.digest!r} is not 32 hexadecimal digits"
    if type(result.solutions) is not tuple:
        return f"solutions must be a tuple, not {type(result.solutions).__name__}"
    for place, values in enumerate(result.solutions, 1):
        if type(values) is not tuple:
            return f"solution {place} must be a tuple, not {type(values).__name__}"
        if set(map(type, values)) - {int}:
            odd = next(value for value in values if type(value) is not int)
            return f"solution {place} has the value {odd!r}, which is not a plain int"
        if any(value.bit_length() > MOST_BITS for value in values):
            return f"solution {place} has a value of more than {MOST_BITS:,} bits"
    try:
        result.__post_init__()  # a frozen value can be changed all the same
    except ContradictoryResult as error:
        return str(error)
    return ""


def _is_digest(text: object) -> bool:
    return type(text) is str and len(text) == 32 and not set(text) - set("0123456789abcdef")


# --- question ------------------------------------------------------------------------------------


def _shortfalls(
    result: Result,
    ask: Ask,
    problem: Problem,
    seconds: float | None,
    sink: bool,
    most: int | None,
) -> Iterator[str]:
    yield from stop_reason_faults(result, ask, sink)
    yield from evidence_faults(result, ask, problem.structure.output)
    for place, values in enumerate(result.solutions[:most], 1):
        for violation in violations(problem, values)[:1]:
            yield f"solution {place} does not hold: {violation}"
    if result.optimising:
        yield from _objective_faults(result, problem.structure.objective, most)
    if seconds is not None:
        yield from _time_faults(result.phases, seconds)


def stop_reason_faults(result: Result, ask: Ask, sink: bool = False) -> Iterator[str]:
    """Why ``result`` does not answer ``ask``."""
    if result.stopped_by == "sink" and not sink:
        yield "stopped by 'sink', though nothing from outside stopped it"
    is_optimum = not isinstance(ask, Solutions)
    if is_optimum and result.count and not result.optimising:
        yield "an optimum was asked for, and any solution came back"
    if not is_optimum and result.optimising:
        yield "solutions were asked for, and an optimum came back"
    limit = _limit(ask)
    if result.stopped_by != "enough" or isinstance(ask, Optimum):
        return
    if limit is None:
        yield "every solution was asked for; it stopped before the end and called it enough"
    elif result.count < limit:
        yield f"stopped after {result.count} of {limit} solutions and called it enough"


def _limit(ask: Ask) -> int | None:
    return 1 if isinstance(ask, Optimum) else ask.limit


# --- what is shown -------------------------------------------------------------------------------


class AnswerEvidence(Protocol):
    """What a Result and a record have in common."""

    @property
    def count(self) -> int: ...
    @property
    def repeats(self) -> int: ...
    @property
    def digest(self) -> str: ...
    @property
    def solutions(self) -> tuple[Assignment, ...]: ...


def evidence_faults(
    answer: AnswerEvidence, ask: Ask, output: tuple[int, ...] | None = None
) -> Iterator[str]:
    """Where the solutions that are shown do not bear out the number and the digest.

    The variables of ``output`` (None: all) distinguish solutions, and the digest is over these.
    """
    told = answer.solutions
    if output is not None:
        # A solution that is too short does not hold; the values that it has distinguish it.
        told = tuple(tuple(values[v] for v in output if v < len(values)) for values in told)
    limit = _limit(ask)
    if limit is not None and answer.count > limit:
        yield f"it counted {answer.count}, and was asked for at most {limit}"
    shown, keep = len(answer.solutions), 1 if isinstance(ask, Optimum) else ask.keep
    due = answer.count if keep is None else min(answer.count, keep)
    if shown < due:
        yield f"{number(due, 'solution')} must be shown of the {answer.count} that it counted"
    if shown > answer.count:
        yield f"it shows {number(shown, 'solution')} and counted {answer.count}"
    if answer.repeats:
        yield f"{number(answer.repeats, 'solution')} reported more than once"
    if len(set(told)) < shown:
        yield "a solution is shown more than once"
    if not isinstance(ask, Solutions) and not answer.digest.strip("0"):
        return  # a search for a better and a better solution adds up no digest
    if shown == answer.count:
        if answer.digest.zfill(32) != digest_of(told):
            yield "its digest is not that of the solutions that it shows"
    elif not answer.digest.strip("0"):
        yield f"the digest of {number(answer.count, 'solution')} is missing"


def _objective_faults(
    result: Result, objective: Objective | None, most: int | None
) -> Iterator[str]:
    if result.objective is None:
        return
    if objective is None:
        yield "an optimum of a problem that has no objective"
        return
    for place, values in enumerate(result.solutions[:most], 1):
        value = objective.value(values)
        if value != result.objective:
            yield f"its objective is {result.objective}, that of solution {place} is {value}"
    bound = result.bound
    if bound is not None and objective.better(result.objective, bound):
        yield f"it reached {result.objective}, which is beyond its own bound {bound}"


# --- time ----------------------------------------------------------------------------------------


def _time_faults(phases: Mapping[str, float], seconds: float) -> Iterator[str]:
    total = 0.0
    for name, value in phases.items():
        if not isinstance(value, Real) or not value >= 0:
            yield f"the phase {name} took {value!r} s"
        elif name == INSIDE:
            if value > _most(seconds):
                yield f"the first solution came after {value:.6f} s, of {seconds:.6f} s in all"
        else:
            total += value
    if total > _most(seconds):
        yield f"its phases add up to {total:.6f} s, and the call took {seconds:.6f} s"


def _most(seconds: float) -> float:
    return seconds * (1 + TOLERANCE) + TOLERANCE_S
