"""What is wrong with an answer, by what is known of the problem.

Words
-----
truth     what is known of a problem without asking the solver at fault
complete  of a truth: all solutions are known, since brute force has enumerated them
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod

from backends.conformance.oracle import make_oracle
from harness.hunting.findings import Answer, Authority, Fault
from harness.job import Question
from harness.record import Record
from modelling.check import violations
from modelling.problem import Assignment, Problem

MOST_ASSIGNMENTS = 50_000
"""Brute force enumerates a problem whose domains allow at most this many assignments."""

MOST_SHOWN = 3
"""Solutions that an answer keeps as evidence."""

LONGEST_END = 120
"""Characters of the last line of a crash."""

MOST_FOUND = 100
"""The same where the others are missing."""

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


@dataclass(frozen=True)
class Truth:
    """What is known: some ``solutions`` that hold.

    ``count`` and ``best`` are None where they are not known. ``is_complete`` says that no other
    solution exists, ``optima`` how many are best.
    """

    problem: Problem
    authority: Authority
    solutions: tuple[Assignment, ...] = ()
    is_complete: bool = False
    count: int | None = None
    best: int | None = None
    optima: int | None = None

    def holds(self, values: Assignment) -> bool:
        """Whether an assignment is a solution."""
        return not violations(self.problem, values)

    def project(self, solutions: Iterable[Assignment]) -> list[Assignment]:
        """What distinguishes solutions, of each."""
        output = self.problem.structure.output
        if output is None:
            return list(solutions)
        return [tuple(values[v] for v in output) for values in solutions]


def is_small(problem: Problem) -> bool:
    """Whether brute force enumerates the problem."""
    structure = problem.structure
    return not structure.ranges and prod(map(len, problem.domains())) <= MOST_ASSIGNMENTS


def find_truth(problem: Problem, known: Iterable[Assignment] = ()) -> Truth:
    """The truth by enumeration, or by those of the ``known`` assignments that are solutions."""
    if is_small(problem):
        return _enumerate(problem)
    holding = [values for values in known if not violations(problem, values)]
    return _describe(Truth(problem, "check"), holding)


def add_witness(truth: Truth, record: Record, question: Question) -> Truth:
    """The truth with the answer of an independent solver, as far as it is finished and holds."""
    shown = [values for values in record.solutions if truth.holds(values)]
    if truth.is_complete or record.outcome != "finished" or len(shown) < len(record.solutions):
        return truth
    found = _describe(truth, [*truth.solutions, *shown])
    best, count = found.best, found.count
    if question.optimum and record.status == "OPTIMUM":
        best = record.objective
    if record.exhausted and not question.optimum:
        count = record.count
    return Truth(truth.problem, "agreement", found.solutions, False, count, best)


def _enumerate(problem: Problem) -> Truth:
    oracle = make_oracle(problem)
    has_objective = problem.structure.objective is not None and bool(oracle.every)
    best = oracle.best if has_objective else None
    optima = len(oracle.reached) if has_objective else None
    solutions = tuple(sorted(oracle.every))
    return Truth(problem, "oracle", solutions, True, len(oracle.expected), best, optima)


def _describe(truth: Truth, solutions: Sequence[Assignment]) -> Truth:
    """A truth of some solutions: the best of them is at most the best of all."""
    different = tuple(dict(zip(truth.project(solutions), solutions, strict=True)).values())
    objective, best = truth.problem.structure.objective, None
    if objective is not None and different:
        choose = min if objective.sense == "minimize" else max
        best = choose(map(objective.value, different))
    return Truth(truth.problem, truth.authority, different, best=best)


# --- faults --------------------------------------------------------------------------------------


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
    if objective is None or record.status != "OPTIMUM" or record.objective is None:
        return
    best = truth.best
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


def describe_truth(truth: Truth, fault: Fault, claimed: Answer) -> Answer:
    """The right answer, with solutions that refute the wrong one."""
    claims = {tuple(values) for values in claimed.solutions}
    missing = [values for values in truth.solutions if values not in claims]
    status = (
        "UNSATISFIABLE" if truth.count == 0 else "SATISFIABLE" if truth.solutions else "UNKNOWN"
    )
    objective = truth.problem.structure.objective
    if fault == "false optimum" and objective is not None:
        missing = [values for values in missing if objective.value(values) == truth.best]
        status = "OPTIMUM"
    best = truth.best if fault == "false optimum" else None
    return Answer(status, count=truth.count, objective=best, solutions=tuple(missing[:MOST_SHOWN]))
