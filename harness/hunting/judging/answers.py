"""An answer with all that judges it, by which it is wrong in one way or in none.

Without brute force an answer is judged by what it shows, which ``shortfall`` and the truth check;
beside an oracle the suite of conformance judges it as well, more strictly than ``faults`` does.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from backends.conformance.oracle import Oracle, judge, judge_stopped
from backends.interface.api import Backend, Result, is_complete
from backends.interface.evidence.answer import shortfall
from harness.hunting.findings import Answer, Authority, Fault, Finding
from harness.hunting.judging.asked import Asked
from harness.hunting.judging.faults import MOST_FIRST, describe_end, find_faults
from harness.hunting.judging.truth import MOST_SHOWN, Truth, describe_truth, read_oracle
from harness.job import Job
from harness.machine import describe_python
from harness.record import Record, Row
from harness.supervise.answering import make_record
from modelling.text import to_text

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
    said = [fault] if fault else []
    if oracle is not None and result.stopped_by in STOPPED:
        said += judge_stopped(oracle, ask, result)
    elif oracle is not None:
        said += judge(oracle, ask, result, is_complete=is_complete(backend))
    return _describe(asked, oracle, result, said[0]) if said else None


def _describe(asked: Asked, oracle: Oracle | None, result: Result, note: str) -> Wrong:
    """The class of what is wrong, which its words do not say."""
    truth = Truth(asked.problem, "check") if oracle is None else read_oracle(oracle)
    found = find_faults(truth, asked.question, make_row(asked, result).record)
    usual: Fault = "false optimum" if oracle is None and asked.question.optimum else "wrong count"
    fault = next((one for one in MOST_FIRST if one in found), usual)
    if oracle is None:
        return Wrong(fault, Answer(note=note), "check", note)
    right = describe_truth(truth, fault, found.get(fault, Answer()), asked.question.optimum)
    return Wrong(fault, right, "oracle", note)


def make_row(asked: Asked, result: Result) -> Row:
    """The job and the record of an answer that was given in this process."""
    job = Job(0, "", asked.origin, "problem", "", asked.backend, asked.question, asked.limits)
    return Row(job=job, record=make_record(job, result, "", 0.0))


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
    shown = tuple(result.solutions)[:MOST_SHOWN]
    return Answer(result.status, "finished", result.count, result.objective, shown, note)
