"""When two claims conflict, and when one implies the other: values in, values out."""

from __future__ import annotations

import pytest
from harness_samples import job, row

from harness.job import Question
from harness.judge.claims import Claim, find_claim, find_conflict, implies


@pytest.mark.parametrize(
    ("one", "other", "sense", "said"),
    [
        (Claim(), Claim(), None, ""),
        (Claim(most=1), Claim(least=1), None, ""),
        (Claim(most=1), Claim(least=2), None, "1 solutions and no more, or at least 2"),
        (Claim(best=5, found=5), Claim(found=5), "minimize", ""),
        (Claim(best=5), Claim(found=4), "minimize", "the optimum 5, or 4 reached"),
        (Claim(best=5), Claim(found=4), "maximize", ""),
        (Claim(best=5), Claim(found=6), "maximize", "the optimum 5, or 6 reached"),
        (Claim(bound=5), Claim(found=4), "minimize", "nothing beyond 5, or 4 reached"),
        (Claim(bound=5), Claim(found=4), None, ""),
        (Claim(bound=5), Claim(found=5), "minimize", ""),
        (Claim(2, digest="a"), Claim(2, digest="b"), None, "2 solutions each, but not the same"),
        (Claim(best=5), Claim(best=6), None, "the optimum 5, or 6"),
        (Claim(optima=1), Claim(optima=2), None, "1 best solutions, or 2"),
        (
            Claim(optima=2, optima_digest="a"),
            Claim(optima=2, optima_digest="b"),
            None,
            "2 best solutions each, but not the same ones",
        ),
    ],
)
def test_conflicts(one: Claim, other: Claim, sense: str | None, said: str) -> None:
    """Whichever comes first, there is one or there is none."""
    found = find_conflict(one, other, sense)
    assert found.startswith(said)
    assert bool(found) == bool(said) == bool(find_conflict(other, one, sense))


@pytest.mark.parametrize(
    ("one", "other", "sense", "follows"),
    [
        (Claim(least=2), Claim(least=1), None, True),
        (Claim(least=1), Claim(least=2), None, False),
        (Claim(most=1), Claim(most=2), None, True),
        (Claim(most=2), Claim(most=1), None, False),
        (Claim(), Claim(most=1), None, False),
        (Claim(best=5), Claim(best=5), "minimize", True),
        (Claim(best=5), Claim(best=4), "minimize", False),
        (Claim(bound=5), Claim(bound=5), "minimize", True),
        (Claim(bound=5), Claim(bound=4), "minimize", True),
        (Claim(bound=4), Claim(bound=5), "minimize", False),
        (Claim(best=5), Claim(bound=4), "minimize", True),
        (Claim(), Claim(bound=4), "minimize", False),
        # Where there is no solution, every bound holds; where there may be one, none does.
        (Claim(most=0), Claim(bound=4), "minimize", True),
        (Claim(most=1), Claim(bound=4), "minimize", False),
        (Claim(digest="a"), Claim(digest="b"), None, False),
        (Claim(optima=1), Claim(optima=2), None, False),
        (Claim(optima=2, optima_digest="a"), Claim(optima=2, optima_digest="a"), None, True),
    ],
)
def test_implications(one: Claim, other: Claim, sense: str | None, follows: bool) -> None:
    assert implies(one, other, sense) is follows


@pytest.mark.parametrize(
    ("shown", "found"), [([[0, 1]], 4), ([], None)], ids=["with its solution", "without one"]
)
def test_an_objective_is_reached_where_a_solution_shows_it(
    shown: list[list[int]], found: int | None
) -> None:
    late = row(
        job(question=Question(optimum=True)),
        outcome="timeout",
        status="SATISFIABLE",
        count=1,
        solutions=shown,
        objective=4,
        bound=2,
    )
    claim = find_claim(late, len(shown))
    assert (claim.found, claim.best, claim.bound) == (found, None, 2)
