"""What is known of a problem without asking the solver at fault.

Words
-----
truth     what is known of a problem without asking the solver at fault
complete  of a truth: all solutions are known, since brute force has enumerated them
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

from backends.conformance.oracle import Oracle, make_oracle
from harness.hunting.findings import Answer, Authority, Fault
from harness.job import Question
from harness.record import Record
from modelling.check import violations
from modelling.problem import Assignment, Problem

MOST_ASSIGNMENTS = 50_000
"""Brute force enumerates a problem whose domains allow at most this many assignments."""

MOST_SHOWN = 3
"""Solutions that an answer keeps as evidence."""


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
        """Whether an assignment is a tuple, and a solution."""
        return isinstance(values, tuple) and not violations(self.problem, values)

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
        return read_oracle(make_oracle(problem))
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


def read_oracle(oracle: Oracle) -> Truth:
    """The truth that brute force has found."""
    problem = oracle.problem
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


def describe_truth(truth: Truth, fault: Fault, claimed: Answer, optimum: bool = False) -> Answer:
    """The right answer, with solutions that refute the wrong one; ``optimum`` says that the best
    ones were asked for."""
    claims = {tuple(values) for values in claimed.solutions}
    missing = [values for values in truth.solutions if values not in claims]
    count, best = truth.count, None
    status = "UNSATISFIABLE" if count == 0 else "SATISFIABLE" if truth.solutions else "UNKNOWN"
    objective = truth.problem.structure.objective
    knows_optima = optimum and truth.optima is not None
    if (fault == "false optimum" or knows_optima) and objective is not None:
        missing = [values for values in missing if objective.value(values) == truth.best]
        status, best = "OPTIMUM", truth.best
        count = truth.optima if knows_optima else count
    return Answer(status, count=count, objective=best, solutions=tuple(missing[:MOST_SHOWN]))
