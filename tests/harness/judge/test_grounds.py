"""What an answer is founded on, and which ground is the weakest."""

from __future__ import annotations

import pytest
from harness_samples import job, row

from backends.interface.evidence.answer import digest_of
from harness.job import Question
from harness.judge.grounds import find_weakest, name_agreement
from harness.judge.validate import judge

SIX = "3 3 -"
SOLUTIONS = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
COUNT = Question(None, 1)
COUNTED = {
    "count": 6,
    "stopped_by": "exhausted",
    "status": "SATISFIABLE",
    "solutions": SOLUTIONS[:1],
    "digest": digest_of(SOLUTIONS),
}


def grounds(*backends: str) -> list[str]:
    """The grounds of counts by these backends."""
    rows = [row(job(k, SIX, name, COUNT), **COUNTED) for k, name in enumerate(backends, 1)]
    return [verdict.ground for verdict in judge(rows)]


@pytest.mark.parametrize(
    ("backends", "expected"),
    [
        (("sat",), ["claimed by one family"]),
        (("sat", "sat:kissat"), ["claimed by one family"] * 2),
        (("sat", "cpsat", "propagation"), ["agreed by 3 independent families"] * 3),
        (("brute_force", "sat"), ["enumerated", "oracle"]),
        (("py:somebody:else",), [""]),
    ],
)
def test_grounds_of_a_count(backends: tuple[str, ...], expected: list[str]) -> None:
    assert grounds(*backends) == expected


def test_a_solution_that_is_shown_is_checked_whoever_else_found_one() -> None:
    shown = {"count": 1, "solutions": SOLUTIONS[:1], "digest": digest_of(SOLUTIONS[:1])}
    shown |= {"stopped_by": "enough", "status": "SATISFIABLE"}
    rows = [row(job(k, SIX, name, Question(1, 1)), **shown) for k, name in enumerate("xy", 1)]
    assert [verdict.ground for verdict in judge(rows)] == ["checked", "checked"]


def test_the_weakest_ground() -> None:
    order = [
        *("checked", "enumerated", "oracle", "proved, encoding enumerated"),
        *("proved, encoding agreed", name_agreement(12), name_agreement(2)),
        *("proved, encoding unchecked", "claimed by one family"),
    ]
    for place in range(len(order)):
        assert find_weakest(["", *order[place::-1]]) == order[place]
    assert find_weakest(["", ""]) == ""
