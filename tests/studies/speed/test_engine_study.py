"""How far our engine is ahead: which families count, and what a time over the limit counts as."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from results.studies.speed.engine.__main__ import Time, allow
from results.studies.speed.engine.rows import ANSWERED, LEFT, OURS, REFUSED, TOO_LONG, Row
from results.studies.speed.engine.tables import CHECKS, Best, best_of, ratios_of

CHOCO = ("choco", "choco:search=smallest")
LIMIT = 10_000.0
ALL, OVER_20 = CHECKS[2:4]


def rows(*times: tuple[str, float | None, str]) -> dict[str, Row]:
    """Rows of one family, by backend; searching takes no time."""
    return {name: Row("queens", name, call and 0.0, call, ended) for name, call, ended in times}


def bests(ours: tuple[float | None, str], *theirs: tuple[float | None, str]) -> Mapping[str, Best]:
    """Our best time and Choco's."""
    of = rows((OURS, *ours), *((name, *time) for name, time in zip(CHOCO, theirs, strict=False)))
    return {OURS: best_of(of, [OURS]), "choco": best_of(of, CHOCO)}


def test_the_best_of_a_solvers_searches_counts() -> None:
    of = {"queens": bests((5.0, ANSWERED), (30.0, ANSWERED), (20.0, ANSWERED))}
    assert ratios_of(ALL, of) == ratios_of(OVER_20, of) == [("queens", 4.0)]
    of = {"queens": bests((5.0, ANSWERED), (None, LEFT), (10.0, ANSWERED))}
    assert ratios_of(ALL, of) == [("queens", 2.0)]
    assert ratios_of(OVER_20, of) == []


@pytest.mark.parametrize(
    ("ours", "theirs", "ratio"),
    [
        ((5.0, ANSWERED), (None, TOO_LONG), 2000.0),
        ((None, TOO_LONG), (20.0, ANSWERED), 0.002),
        ((None, TOO_LONG), (None, TOO_LONG), None),
        ((5.0, ANSWERED), (None, REFUSED), None),
        ((None, REFUSED), (20.0, ANSWERED), None),
    ],
)
def test_a_time_that_passed_the_limit_counts_as_the_limit_if_at_all(
    ours: tuple[float | None, str], theirs: tuple[float | None, str], ratio: float | None
) -> None:
    of = {"queens": bests(ours, theirs)}
    assert ratios_of(ALL, of) == []
    assert ratios_of(ALL, of, LIMIT) == ([] if ratio is None else [("queens", ratio)])


def test_a_search_gets_less_time_where_another_of_its_solver_was_fast() -> None:
    times = {"choco": [Time(0.5, 1.0, ())], OURS: [Time(0.1, 0.1, ())]}
    assert allow("choco:search=smallest", times, 60.0, first=False) == 4.0
    assert allow("choco:search=smallest", times, 3.0, first=False) == 3.0
    assert allow("choco", times, 60.0, first=False) == 60.0
    assert allow("cpsat:workers=1,reuse=none", times, 60.0, first=False) == 60.0
    assert allow(OURS, times, 60.0, first=False) == 60.0
    assert allow(OURS, times, 60.0, first=True) > 60.0
