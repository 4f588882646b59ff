"""Do backends agree on a problem, and with brute force? And on how little do they not?"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from backends.interface import registry
from backends.interface.api import Limits
from harness.hunting.asking import Questioner
from harness.hunting.findings import Finding
from harness.hunting.issue import write_summary
from harness.hunting.judging.faults import MOST_FIRST, describe_end, find_faults
from harness.hunting.judging.truth import Truth, add_witness, describe_truth, find_truth
from harness.hunting.shrinking import MOST_KEPT, shrink
from harness.job import Question
from harness.record import REFUSALS, Record
from modelling.errors import InputError
from modelling.problem import Problem
from modelling.text import to_text

SHRINK_SECONDS = 20.0
"""What a failure may take to be made small."""

ANSWERLESS = ("timeout", "memout", "gave_up", *REFUSALS)
"""Outcomes that contradict nobody."""


def find_disagreements(
    problem: Problem,
    backends: Sequence[str],
    question: Question = Question(None, MOST_KEPT),  # a frozen value
    seconds: float = 10.0,
) -> Iterator[Finding]:
    """One finding for each backend whose answer is wrong, as far as that is known.

    Small problems are enumerated; elsewhere backends of other families are the witnesses. Raises
    InputError where no backend has answered.
    """
    text, limits = to_text(problem), Limits(seconds)
    with Questioner() as questioner:
        records = {name: questioner.ask(text, name, question, limits) for name in backends}
        versions = questioner.versions
    if all(record.outcome in ANSWERLESS for record in records.values()):
        said = "; ".join(f"{name}: {_describe(record)}" for name, record in records.items())
        raise InputError(f"no backend has answered within {seconds:g} s ({said})")
    for name, record in records.items():
        if record.outcome in ANSWERLESS:
            continue
        truth = _find_truth(problem, name, records, question)
        faults = find_faults(truth, question, record)
        fault = next((fault for fault in MOST_FIRST if fault in faults), None)
        if fault is not None:
            version = versions.get(record.version)
            yield Finding(
                *(text, question, name, fault, faults[fault]),
                *(describe_truth(truth, fault, faults[fault]), truth.authority, limits),
                version=version.solver if version else "",
            )


def _find_truth(
    problem: Problem, name: str, records: Mapping[str, Record], question: Question
) -> Truth:
    known = [values for record in records.values() for values in record.solutions]
    truth = find_truth(problem, known)
    family = registry.known_family(name)
    for other, record in records.items():
        if other != name and (family is None or registry.known_family(other) != family):
            truth = add_witness(truth, record, question)
    return truth


def _describe(record: Record) -> str:
    return f"{record.outcome} {describe_end(record)}".strip()


def describe_smallest(finding: Finding, seconds: float = SHRINK_SECONDS) -> str:
    """The finding on the smallest problem that ``seconds`` suffice for, in some lines of text."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            finding, _ = shrink(finding, Path(folder), seconds)
        except InputError as error:
            return f"{write_summary(finding)}\n\nIt could not be made smaller: {error}"
    return write_summary(finding)
