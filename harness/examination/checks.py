"""The checks of an examination: what is asked, of which problems, and what a right answer is worth.

A check takes a problem with what the oracle says of it, asks the backend, and returns what is wrong
with the answer; None where the problem is not for the check. The questions and what is right are
those of the suite of conformance. Constraints without variables are rare, and easy to forget: they
have a check of their own, lest they hide other faults in all checks.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple

from backends.conformance.oracle import Oracle, consult
from backends.conformance.suite import (
    all_optima_faults,
    enumeration_faults,
    incomplete_faults,
    limited_faults,
    most_solutions,
    optimum_faults,
    refusal_faults,
    reordered_faults,
    sink_faults,
    unnamed_faults,
)
from backends.interface.api import Backend, Refused, is_complete
from harness.examination.problems import Posed
from harness.examination.watched import Misbehaviour, describe_error
from modelling.problem import Problem
from puzzles.family import Instance

Ask = Callable[[Backend, Oracle], list[str] | None]
Announce = Callable[[Instance], None]


@dataclass(frozen=True)
class Check:
    """What is asked, and its points; ``excuse`` says why it is not for a backend, if it is not."""

    name: str
    points: int
    ask: Ask
    excuse: Callable[[Backend], str] = lambda backend: ""


class Finding(NamedTuple):
    """What a check found: how many problems were tried, and how many of them failed.

    ``fault`` is that of the first that failed, which is ``instance``. ``is_cut`` says that time did
    not suffice for all problems.
    """

    tried: int
    failed: int = 0
    fault: str = ""
    instance: Instance | None = None
    is_cut: bool = False


def run_check(
    check: Check, backend: Backend, problems: Iterable[Posed], announce: Announce, seconds: float
) -> Finding:
    """Try the problems in their order until the seconds are over.

    ``announce`` hears of each problem before it is asked.
    """
    found, until = Finding(0), perf_counter() + seconds
    for instance, problem in problems:
        if perf_counter() > until:
            return found._replace(is_cut=True)
        oracle = consult(problem)
        announce(instance)
        try:
            faults = check.ask(backend, oracle)
        except Misbehaviour as error:
            faults = [str(error)]
        except Exception as error:  # an answer whose form nobody has thought of
            faults = [f"the answer cannot be judged: {describe_error(error)}"]
        if faults is None:
            continue
        found = found._replace(tried=found.tried + 1, failed=found.failed + bool(faults))
        if faults and not found.fault:
            found = found._replace(fault=faults[0], instance=instance)
    return found


# --- what is asked ---------------------------------------------------------------------------


def accept(backend: Backend, oracle: Oracle) -> list[str] | None:
    """Whether it takes the problem; a refusal names what is foreign, and ``solve`` refuses too."""
    verdict = backend.accepts(oracle.problem)
    if not isinstance(verdict, Refused):
        return []
    faults = refusal_faults(backend, oracle.problem)
    faults += unnamed_faults(backend, oracle.problem, verdict.reason)
    return [fault.splitlines()[0] for fault in faults] or None


def find(backend: Backend, oracle: Oracle) -> list[str] | None:
    """One solution of what has some."""
    if not oracle.expected:
        return None
    if not is_complete(backend):
        return incomplete_faults(backend, oracle)
    return limited_faults(backend, oracle, 1)


def refute(backend: Backend, oracle: Oracle) -> list[str] | None:
    """That there is none, of what has none."""
    return None if oracle.expected else limited_faults(backend, oracle, 1)


def count(backend: Backend, oracle: Oracle) -> list[str] | None:
    """All solutions."""
    return enumeration_faults(backend, oracle)


def stop_at_limit(backend: Backend, oracle: Oracle) -> list[str] | None:
    """Some of the solutions, all of them, and one more than there are."""
    many = len(oracle.expected)
    limits = sorted({2, max(1, many), many + 1})
    if many > most_solutions(backend):
        return None
    return [fault for limit in limits for fault in limited_faults(backend, oracle, limit)]


def reorder(backend: Backend, oracle: Oracle) -> list[str] | None:
    """All solutions, with the constraints in another order."""
    if len(oracle.problem.structure.constraints) < 2:
        return None
    if len(oracle.expected) > most_solutions(backend):
        return None
    return reordered_faults(backend, oracle, random.Random(oracle.problem.digest))


def stop_at_sink(backend: Backend, oracle: Oracle) -> list[str] | None:
    """All solutions, until the sink returns false."""
    many = len(oracle.expected)
    if not 1 < many <= most_solutions(backend):
        return None
    return sink_faults(backend, oracle, (many + 1) // 2)


def optimise(backend: Backend, oracle: Oracle) -> list[str] | None:
    """A best solution."""
    return None if oracle.problem.structure.objective is None else optimum_faults(backend, oracle)


def optimise_all(backend: Backend, oracle: Oracle) -> list[str] | None:
    """All best solutions."""
    if oracle.problem.structure.objective is None:
        return None
    return all_optima_faults(backend, oracle)


def decide_degenerate(backend: Backend, oracle: Oracle) -> list[str] | None:
    """All solutions of a problem without variables, or with a constraint that has none."""
    return (enumeration_faults if is_complete(backend) else incomplete_faults)(backend, oracle)


def is_degenerate(problem: Problem) -> bool:
    """Whether the problem or one of its constraints has no variables."""
    structure = problem.structure
    return not structure.size or not all(one.scope for one in structure.constraints)


def _of_accepted(ask: Ask, degenerate: bool = False) -> Ask:
    """Ask that of what the backend accepts, and of degenerate problems or of all others."""

    def asked(backend: Backend, oracle: Oracle) -> list[str] | None:
        if is_degenerate(oracle.problem) != degenerate:
            return None
        is_refused = isinstance(backend.accepts(oracle.problem), Refused)
        return None if is_refused else ask(backend, oracle)

    return asked


def _excuse_incomplete(backend: Backend) -> str:
    return "" if is_complete(backend) else "it declares complete = False"


def _excuse_no_optima(backend: Backend) -> str:
    excuse = "" if getattr(backend, "optimises", True) else "it declares optimises = False"
    return _excuse_incomplete(backend) or excuse


CHECKS = (
    Check("accepts problems", 5, accept),
    Check("finds a solution", 20, _of_accepted(find)),
    Check("finds that there is none", 15, _of_accepted(refute), _excuse_incomplete),
    Check("counts all solutions", 15, _of_accepted(count), _excuse_incomplete),
    Check("stops at a limit", 10, _of_accepted(stop_at_limit), _excuse_incomplete),
    Check("any order of constraints", 5, _of_accepted(reorder), _excuse_incomplete),
    Check("stops where a sink says", 5, _of_accepted(stop_at_sink), _excuse_incomplete),
    Check("empty scopes", 5, _of_accepted(decide_degenerate, degenerate=True)),
    Check("finds the best solution", 10, _of_accepted(optimise), _excuse_no_optima),
    Check("finds all best ones", 5, _of_accepted(optimise_all), _excuse_no_optima),
)
LOADING = Check("loads", 5, lambda backend, oracle: None)
"""The check before the others: the backend is imported, made, and has what a backend has."""
