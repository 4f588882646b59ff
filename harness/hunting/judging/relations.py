"""Does a solver contradict itself? By problems whose answers follow from each other, and limits.

A wrong answer becomes a ``Wrong``; a right one, or one that says nothing, becomes None.
"""

from __future__ import annotations

from dataclasses import dataclass

from backends.interface.api import Result
from harness.hunting.findings import Answer, Fault
from harness.hunting.judging.answers import STOPPED, Wrong
from harness.hunting.judging.asked import Asked
from modelling.problem import Problem


@dataclass(frozen=True)
class Related:
    """What a problem is related to, and by what ``name``.

    Its solutions are as many as those of ``problems`` together, and ``lost`` more; its best value
    is ``factor`` times theirs, plus ``shift``.
    """

    name: str
    problems: tuple[Problem, ...]
    lost: int = 0
    factor: int = 1
    shift: int = 0


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
