"""Is an answer right? By brute force, by itself, and by the relations between problems.

A wrong answer becomes a ``Finding``; a right one, or one that says nothing, becomes None.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from backends.conformance.oracle import Oracle, judge, judge_stopped, project
from backends.interface.api import Backend, Result, is_complete
from backends.interface.evidence.answer import shortfall
from harness.hunting.faults import describe_end
from harness.hunting.findings import Answer, Authority, Fault, Finding
from harness.hunting.fuzzing.drawing.questions import Asked
from harness.hunting.fuzzing.drawing.relations import Related
from harness.machine import describe_python
from harness.record import Record
from modelling.check import violations
from modelling.problem import Assignment
from modelling.text import to_text

MOST_SHOWN = 3
"""Solutions that a finding keeps of an answer."""

STOPPED = ("time", "memory", "gave_up")


@dataclass(frozen=True)
class Wrong:
    """What is wrong with an answer, and the right one; ``witness`` is who contradicts it, where
    only another solver does."""

    fault: Fault
    right: Answer
    authority: Authority
    note: str = ""
    witness: str = ""


def find_wrong(
    asked: Asked, oracle: Oracle | None, result: Result, backend: Backend
) -> Wrong | None:
    """What is wrong with an answer by the oracle, or without it by what the answer shows."""
    ask = asked.question.ask()
    fault = shortfall(result, ask, asked.problem, most=1 if oracle else None)  # it knows them all
    if oracle is None:
        return _describe_unjudged(asked, result, fault) if fault else None
    if result.stopped_by in STOPPED:
        faults = judge_stopped(oracle, ask, result)
    else:
        faults = judge(oracle, ask, result, is_complete=is_complete(backend))
    faults = [fault, *faults] if fault else faults
    return _describe_judged(asked, oracle, result, faults[0]) if faults else None


def _describe_unjudged(asked: Asked, result: Result, note: str) -> Wrong:
    twice = bool(result.repeats) or len(set(result.solutions)) < len(result.solutions)
    holds = not any(violations(asked.problem, values) for values in result.solutions)
    fault: Fault = "wrong count"
    if not holds:
        fault = "wrong solution"
    elif twice:
        fault = "duplicate solution"
    elif asked.question.optimum:
        fault = "false optimum"
    return Wrong(fault, Answer(note=note), "check", note)


def _describe_judged(asked: Asked, oracle: Oracle, result: Result, note: str) -> Wrong:
    optimum = asked.question.optimum
    expected = oracle.reached if optimum else oracle.expected
    shown = [project(oracle.problem, values) for values in result.solutions]
    missing = [
        values for values in sorted(oracle.every) if project(oracle.problem, values) not in shown
    ]
    if optimum and asked.problem.structure.objective is not None:
        value = asked.problem.structure.objective.value
        missing = [values for values in missing if value(values) == oracle.best]
    status = "UNSATISFIABLE" if not expected else "OPTIMUM" if optimum else "SATISFIABLE"
    best = oracle.best if optimum and expected else None
    right = Answer(
        status, count=len(expected), objective=best, solutions=tuple(missing[:MOST_SHOWN])
    )
    return Wrong(_classify(asked, oracle, result, shown), right, "oracle", note)


def _classify(asked: Asked, oracle: Oracle, result: Result, shown: list[Assignment]) -> Fault:
    expected = oracle.reached if asked.question.optimum else oracle.expected
    if any(values not in oracle.every for values in result.solutions):
        return "wrong solution"
    if result.repeats or len(set(shown)) < len(shown):
        return "duplicate solution"
    if result.status == "UNSATISFIABLE" and expected:
        return "false unsatisfiable"
    claims_best = asked.question.optimum and (
        result.status == "OPTIMUM" or result.bound is not None
    )
    if claims_best and result.objective != oracle.best:
        return "false optimum"
    if result.exhausted and result.count < len(expected):
        return "missing solution"
    return "wrong count"


def find_broken_relation(
    asked: Asked, result: Result, related: Related, answers: list[Result]
) -> Wrong | None:
    """Whether the answers to related problems contradict each other; all ask the same question."""
    if not result.exhausted and result.status != "OPTIMUM":
        return None
    if asked.question.optimum:
        return _compare_optima(asked, result, related, answers)
    if not all(answer.exhausted for answer in answers):
        return None
    count = sum(answer.count for answer in answers) + related.lost
    if count == result.count:
        return None
    sums = " + ".join(str(answer.count) for answer in answers)
    lost = f" + {related.lost}" if related.lost else ""
    note = f"{related.name}: {result.count} solutions, which should be {sums}{lost}"
    fault: Fault = "missing solution" if result.count < count else "wrong count"
    if not result.count:
        fault = "false unsatisfiable"
    return Wrong(fault, Answer(count=count, note=note), "relation", note)


def _compare_optima(
    asked: Asked, result: Result, related: Related, answers: list[Result]
) -> Wrong | None:
    objective = asked.problem.structure.objective
    settled = ("OPTIMUM", "UNSATISFIABLE")
    if objective is None or related.lost or any(one.status not in settled for one in answers):
        return None
    values = [
        related.factor * one.objective + related.shift
        for one in answers
        if one.objective is not None
    ]
    choose = min if objective.sense == "minimize" else max
    best = choose(values) if values else None
    if best == result.objective:
        return None
    note = f"{related.name}: the optimum {result.objective}, which should be {best}"
    return Wrong("false optimum", Answer("OPTIMUM", objective=best, note=note), "relation", note)


def find_worse(result: Result, longer: Result, asked: Asked) -> Wrong | None:
    """Whether wider limits gave a worse answer: a search that had ended does not end any more, or
    an objective is worse."""
    objective = asked.problem.structure.objective
    if result.exhausted and not longer.exhausted and longer.stopped_by in STOPPED:
        note = f"exhausted within the limits, and stopped by {longer.stopped_by} within wider ones"
        return Wrong("wrong count", Answer(note=note), "relation", note)
    if None in (result.objective, longer.objective) or objective is None:
        return None
    if objective.better(result.objective, longer.objective):  # type: ignore[arg-type]
        note = f"the objective {result.objective}, and {longer.objective} within wider limits"
        return Wrong("false optimum", Answer(note=note), "relation", note)
    return None


def make_finding(asked: Asked, wrong: Wrong, claimed: Answer, version: str) -> Finding:
    """The finding of a wrong answer; ModelError for a problem that has no text."""
    return Finding(
        to_text(asked.problem),
        asked.question,
        asked.backend,
        wrong.fault,
        claimed,
        wrong.right,
        wrong.authority,
        asked.limits,
        version,
        f"{sys.platform}, Python {describe_python()}",
    )


def describe_error(error: Exception) -> tuple[Wrong, Answer]:
    """An exception of a backend that had accepted the problem."""
    note = f"{type(error).__name__}: {error}"[:2000]
    record = Record(job=0, outcome="error", error=note)
    return Wrong("crash", Answer(), "check", note), Answer(
        outcome="error", note=describe_end(record)
    )


def describe_loss(lost: Answer) -> tuple[Wrong, Answer]:
    """A process that ended, or had to be ended, at a question."""
    if lost.outcome == "timeout":
        return Wrong("hang", Answer(), "check", lost.note), lost
    words = lost.note.partition(": ")[2]  # how it ended comes before what it printed
    record = Record(job=0, outcome="crashed", output=words)
    claimed = Answer(outcome="crashed", note=describe_end(record))
    return Wrong("crash", Answer(), "check", lost.note), claimed


def is_same(one: Wrong, other: Wrong) -> bool:
    """Whether two answers have the same fault, of exceptions those of the same class."""
    if one.fault != other.fault:
        return False
    return one.fault != "crash" or one.note.split(":")[0] == other.note.split(":")[0]


def describe_claim(result: Result, note: str) -> Answer:
    """What an answer says, shortened."""
    shown = result.solutions[:MOST_SHOWN]
    return Answer(result.status, "finished", result.count, result.objective, shown, note)
