"""What an examination has found, made small: the problem of a check that fails as a finding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from harness.hunting.agreement import find_disagreements
from harness.hunting.findings import Finding
from harness.hunting.reporting import Reported, report
from harness.hunting.shrinking import MOST_KEPT, shrink
from harness.job import Question
from modelling.errors import ConcordError, InputError
from puzzles.family import Instance, family

QUESTIONS = (Question(None, MOST_KEPT), Question(1, 1), Question(2, 2))
BEST = (Question(1, 1, True), Question(None, MOST_KEPT, True))
"""What is asked about a problem, in this order, until the answer is wrong."""


def find_fault(failed: Sequence[Instance], backend: str, seconds: float) -> Finding:
    """The first wrong answer to a question about one of the problems.

    Raises InputError where each is right here: a check may fail by more than answers, such as a
    limit that is passed.
    """
    for instance in failed:
        for finding in _ask(instance, backend, seconds):
            return finding
    raise InputError(
        f"{backend}: the problem of the check that fails is answered rightly when it is asked "
        "alone, so there is nothing to make small"
    )


def _ask(instance: Instance, backend: str, seconds: float) -> Iterator[Finding]:
    problem = family(instance.family).problem(instance.text)
    has_objective = problem.structure.objective is not None
    for question in (*QUESTIONS, *(BEST if has_objective else ())):
        try:
            yield from find_disagreements(problem, [backend], question, seconds)
        except ConcordError:  # nobody has answered that question
            continue


def write_small(
    failed: Sequence[Instance], backend: str, folder: Path, seconds: float, most: float
) -> tuple[Finding, Reported]:
    """The finding in ``folder``, made small within ``most`` seconds, with script and issue."""
    small, _ = shrink(find_fault(failed, backend, seconds), folder, most)
    return small, report(small, folder)
