"""A dispute between solvers about a large problem is made smaller, so that it has a cause.

Both are asked again about less, each in a process of its own. Once the problem is small enough for
brute force, that says who is right.
"""

from __future__ import annotations

from dataclasses import replace

from harness.hunting.asking import Questioner
from harness.hunting.findings import Answer
from harness.hunting.fuzzing.causes import reduce
from harness.hunting.judging.answers import Wrong
from harness.hunting.judging.asked import Asked
from harness.hunting.judging.faults import find_faults
from harness.hunting.judging.truth import Truth, add_witness, describe_truth, find_truth
from harness.job import Question
from modelling.errors import ConcordError
from modelling.text import to_text

MOST_KEPT = 1_000
"""Solutions that are looked at where all are asked for."""


def make_smaller(
    asked: Asked, wrong: Wrong, claimed: Answer, base: str, questioner: Questioner
) -> tuple[Asked, Wrong, Answer]:
    """The dispute about less; the one that is given where the two agree when they are asked anew.

    ``wrong.witness`` is the solver that contradicts; it is empty in what was asked again.
    """
    last: tuple[Wrong, Answer] | None = None

    def is_disputed(smaller: Asked) -> bool:
        nonlocal last
        found = _ask(smaller, wrong, questioner)
        last = found or last
        return found is not None

    if not is_disputed(asked):
        return asked, wrong, claimed
    smaller = reduce(asked, base, is_disputed)
    assert last is not None, "it was asked at least once"
    return smaller, *last


def _ask(asked: Asked, wrong: Wrong, questioner: Questioner) -> tuple[Wrong, Answer] | None:
    """What is wrong with the answer by brute force or the witness, if it is the same fault."""
    try:
        text = to_text(asked.problem)
    except ConcordError:
        return None
    question = _keep_more(asked)
    record = questioner.ask(text, asked.backend, question, asked.limits)
    truth = find_truth(asked.problem, record.solutions)
    if not truth.is_complete:
        said = questioner.ask(text, wrong.witness, question, asked.limits)
        truth = add_witness(find_truth(asked.problem, said.solutions), said, question)
    claimed = find_faults(truth, question, record).get(wrong.fault)
    return None if claimed is None else (_describe(truth, wrong, claimed), claimed)


def _describe(truth: Truth, wrong: Wrong, claimed: Answer) -> Wrong:
    right = describe_truth(truth, wrong.fault, claimed)
    return replace(wrong, right=right, authority=truth.authority, witness="")


def _keep_more(asked: Asked) -> Question:
    """The question, with as many solutions kept as are looked at."""
    question = asked.question
    return Question(question.limit, question.limit or MOST_KEPT, question.optimum)
