"""The study of known answers: what it asks is there, small answers are right, lies are reported."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from backends.interface.api import Solutions
from backends.interface.registry import get
from puzzles.family import Valued, family
from results.studies.correctness import known_answers as study

pytestmark = pytest.mark.once

ANSWERS = study.list_answers()
SMALL = [
    one
    for one in ANSWERS
    if one.family in ("queens", "latin", "sudoku") and one.kind == "count" and one.value <= 600
]
REFERENCE = Path(__file__).parents[3] / "results" / "reference" / "known_answers"


def test_every_row_is_an_instance_of_its_own() -> None:
    experiment = study.plan(ANSWERS, ["cpsat"], 1.0)
    assert sum(len(one.texts or {}) for one in experiment.choices()) == len(ANSWERS) == 89
    for one in ANSWERS:
        (entry,) = family(one.family).read([one.text], "text")
        assert entry.text
        problem = family(one.family).problem(one.text)
        if one.kind == "optimum":
            assert isinstance(family(one.family), Valued)
            assert problem.structure.objective is not None


@pytest.mark.parametrize("answer", SMALL, ids=lambda one: f"{one.family}-{study.name_of(one)}")
def test_small_ones_of_grids_and_boards(answer: study.Answer) -> None:
    problem = family(answer.family).problem(answer.text)
    for name in ("propagation", "sat"):
        result = get(name).solve(problem, Solutions(None, 1))
        assert (result.exhausted, result.count) == (True, answer.value)


def row(**more: object) -> study.Row:
    usual = study.Row("queens", "4", "count", 2, "sat", "finished", "verified", 2, 0.001)
    return msgspec.structs.replace(usual, **more)


def test_what_differs_is_reported() -> None:
    good, late = row(), row(backend="cpsat", outcome="timeout", verdict="unverified", found=None)
    assert list(study.find_disagreements([good, late])) == []
    text = study.report([good, late])
    assert "| queens | 4 | 2 | 0.001 | timeout |" in text
    for bad in (row(found=3), row(verdict="disputed"), row(verdict="wrong")):
        (said,) = study.find_disagreements([good, late, bad])
        assert said.startswith("sat: queens 4, count: ")
        assert "**" in study.report([bad])


def test_a_part_takes_its_place_in_the_table() -> None:
    before = [row(backend="cpsat"), row(seconds=9.0), row(instance="none-such")]
    now = [row(seconds=0.5, limit=5.0), row(instance="5", known=10, found=10, limit=5.0)]
    merged = study.order({study.key(one): one for one in [*before, *now]}.values())
    assert [(r.instance, r.backend, r.seconds) for r in merged] == [
        ("4", "cpsat", 0.001),
        ("4", "sat", 0.5),
        ("5", "sat", 0.001),
    ]
    text = study.report(merged)
    assert "with limits of 60 s (cpsat) and 5 s (sat): 3 of 3 questions answered" in text
    assert "| family | instance | known | cpsat | sat |" in text
    assert "| queens | 5 | 10 |  | 0.001 |" in text


def test_the_committed_answers_are_all_right() -> None:
    rows = study.STUDY.read(REFERENCE)
    asked = {(row.family, row.instance, row.kind) for row in rows}
    assert asked == {(one.family, study.name_of(one), one.kind) for one in ANSWERS}
    assert list(study.find_disagreements(rows)) == []
    answered = {(r.family, r.instance, r.kind) for r in rows if r.found is not None}
    assert len(answered) >= len(asked) - 5
