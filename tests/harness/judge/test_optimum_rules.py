"""An optimum by the puzzle's own rules, and the course of a search beside what it shows."""

from __future__ import annotations

import pytest

from backends.interface.events import Step
from harness.job import Job, Question
from harness.judge.validate import judge
from harness.record import Record, Row, Verdict
from puzzles.arithmetic.knapsack import KNAPSACK

FOUR = "10: 5=10 4=40 6=30 3=50"
BEST, POOR = (0, 1, 0, 1), (1, 0, 0, 1)  # worth 90 and 60


def answer(
    values: tuple[int, ...], objective: int, *, backend: str = "cpsat", job: int = 1, **more: object
) -> Row:
    question = Question(1, 1, True)
    asked = Job(job, "s", "four", "knapsack", FOUR, backend, question, limits=None)  # type: ignore[arg-type]
    told = {
        "outcome": "finished",
        "status": "OPTIMUM",
        "stopped_by": "exhausted",
        "count": 1,
        "bound": objective,
    } | more
    return Row(
        job=asked,
        record=Record(job=job, objective=objective, solutions=(values,), **told),  # type: ignore[arg-type]
    )


def unproven(values: tuple[int, ...], objective: int, bound: int | None, job: int = 1) -> Row:
    how = {"outcome": "timeout", "status": "SATISFIABLE", "stopped_by": "time"}
    return answer(values, objective, bound=bound, job=job, backend="sat", **how)


def verdict(*rows: Row) -> Verdict:
    """That on the first one."""
    return judge(rows)[0]


def test_an_honest_optimum_says_its_sense() -> None:
    found = verdict(answer(BEST, 90))
    assert (found.verdict, found.sense) == ("unwitnessed", "maximize")
    both = verdict(answer(BEST, 90), answer(BEST, 90, backend="sat", job=2))
    assert both.verdict == "verified"


def test_an_objective_is_that_of_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the model has another idea of it."""
    monkeypatch.setattr(type(KNAPSACK), "value", lambda self, text, values: 7)
    found = verdict(answer(BEST, 90))
    assert found.verdict == "wrong"
    assert "that of its solution is 7 by the puzzle's own rules" in found.evidence
    monkeypatch.setattr(type(KNAPSACK), "value", lambda self, text, values: 1 // 0)
    assert "not known, since ZeroDivisionError" in verdict(answer(BEST, 90)).evidence


def test_a_bound_or_an_optimum_beyond_a_known_solution_is_refuted() -> None:
    best = answer(BEST, 90, job=2)
    assert (
        "60 is not the best: a checked solution has 90" in verdict(answer(POOR, 60), best).evidence
    )
    for bound in (60, 89):
        found = verdict(unproven(POOR, 60, bound), best)
        assert found.verdict == "wrong"
        assert f"the bound {bound} is broken: a checked solution has 90" in found.evidence
    assert verdict(unproven(POOR, 60, 90), best).verdict == "verified"
    assert verdict(unproven(POOR, 60, None)).verdict == "verified"  # shown, and no more is claimed


def test_what_is_told_on_the_way_must_fit_the_end() -> None:
    honest = (Step(0.1, 60, "found"), Step(0.2, 95, "bound"), Step(0.3, 90, "found"))
    assert verdict(answer(BEST, 90, incumbents=honest, wall_s=1.0)).verdict == "unwitnessed"
    better = (Step(0.1, 130, "found"),)
    found = verdict(answer(BEST, 90, incumbents=better, wall_s=1.0))
    assert "on its way it reported 130, and the best it shows is 90" in found.evidence
    tight = (Step(0.1, 70, "bound"),)
    found = verdict(answer(BEST, 90, incumbents=tight, wall_s=1.0))
    assert "the bound 70 is broken: a checked solution has 90" in found.evidence
