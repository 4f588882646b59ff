"""What is wrong with an answer beside what is known of the problem."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from harness.hunting.findings import Answer, Fault
from harness.hunting.judging.truth import MOST_SHOWN, Truth
from harness.job import Question
from harness.record import Record
from modelling.problem import Assignment

LONGEST_END = 120
"""Characters of the last line of a crash."""

MOST_FOUND = 100
"""Solutions that an answer keeps where others are missing."""

MOST_FIRST: tuple[Fault, ...] = (
    "crash",
    "hang",
    "wrong solution",
    "false unsatisfiable",
    "false optimum",
    "duplicate solution",
    "missing solution",
    "wrong count",
)
"""The fault of an answer with several: the one that is the easiest to see."""


def find_faults(truth: Truth, question: Question, record: Record) -> dict[Fault, Answer]:
    """Each fault of an answer with the part of it that shows the fault."""
    if record.outcome == "crashed" or (record.outcome == "error" and not record.stopped_by):
        said = record.error or record.output
        return {"crash": Answer(outcome=record.outcome, note=describe_end(record) or said[-200:])}
    if record.outcome == "timeout" and not record.solutions:
        return {"hang": Answer(outcome="timeout")}
    found = dict(_find_shown_faults(truth, record))
    found |= dict(_find_claimed_faults(truth, question, record))
    return found


def _find_shown_faults(truth: Truth, record: Record) -> Iterator[tuple[Fault, Answer]]:
    wrong = [values for values in record.solutions if not truth.holds(values)]
    if wrong:
        yield "wrong solution", _answer(record, wrong)
    seen = truth.project(record.solutions)
    if record.repeats or len(set(seen)) < len(seen):
        twice = [v for v, key in zip(record.solutions, seen, strict=True) if seen.count(key) > 1]
        yield "duplicate solution", _answer(record, twice)


def _find_claimed_faults(
    truth: Truth, question: Question, record: Record
) -> Iterator[tuple[Fault, Answer]]:
    if record.status == "UNSATISFIABLE" and (truth.solutions or truth.count):
        yield "false unsatisfiable", _answer(record)
        return
    if question.optimum:
        yield from _find_optimum_faults(truth, question, record)
        return
    if not record.exhausted:
        if record.stopped_by == "enough" and truth.count is not None and record.count > truth.count:
            yield "wrong count", _answer(record)
        return
    least = len(set(truth.project(truth.solutions)))
    least = least if question.limit is None else min(least, question.limit)
    shown = set(truth.project(record.solutions))
    is_whole = record.count == len(record.solutions)
    missing = is_whole and not shown.issuperset(truth.project(truth.solutions))
    if record.count < least or missing or record.count < (truth.count or 0):
        yield "missing solution", _answer(record, record.solutions, MOST_FOUND)
    if truth.count is not None and record.count != truth.count:
        yield "wrong count", _answer(record, record.solutions, MOST_FOUND)


def _find_optimum_faults(
    truth: Truth, question: Question, record: Record
) -> Iterator[tuple[Fault, Answer]]:
    objective = truth.problem.structure.objective
    if objective is None:
        return
    best = truth.best
    if best is not None and record.bound is not None and objective.better(best, record.bound):
        yield "false optimum", _answer(record, record.solutions)
    if record.status != "OPTIMUM" or record.objective is None:
        return
    is_worse = best is not None and objective.better(best, record.objective)
    is_sure = truth.is_complete or truth.authority == "agreement"
    if is_worse or (is_sure and best != record.objective):
        yield "false optimum", _answer(record, record.solutions)
    elif question.limit != 1 and record.exhausted and truth.optima is not None:
        if record.count < truth.optima:
            yield "missing solution", _answer(record)
        if record.count != truth.optima:
            yield "wrong count", _answer(record)


def _answer(record: Record, solutions: Sequence[Assignment] = (), most: int = MOST_SHOWN) -> Answer:
    shown = tuple(dict.fromkeys(solutions))[:most]
    return Answer(record.status, record.outcome, record.count, record.objective, shown)


def describe_end(record: Record) -> str:
    """How a crash ended, without what differs from problem to problem: the last line of what was
    said, with numbers and paths left out."""
    lines = [line.strip() for line in (record.error or record.output).splitlines() if line.strip()]
    if not lines:
        return ""
    return re.sub(r"\d+", "N", re.sub(r"\S*/\S*", "PATH", lines[-1]))[:LONGEST_END]
