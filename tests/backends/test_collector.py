"""What every backend does with a solution that it has found."""

from __future__ import annotations

import pytest

from backends import collector
from backends.api import AllOptima, Optimum, Solutions
from backends.collector import Collector, solution_hash, text_hash
from backends.evidence import digest_of

ONE, TWO, THREE = (0, 1), (1, 0), (1, 1)


@pytest.mark.parametrize("limit", [2, 3, None])
def test_a_repeat_is_seen_at_every_limit_above_one(limit: int | None) -> None:
    found = Collector(Solutions(limit, 2))
    found.add(ONE)
    found.add(ONE)
    assert (found.count, found.repeats) == (2, 1)
    result = found.result("exhausted")
    assert (result.count, result.repeats, result.solutions) == (2, 1, (ONE, ONE))


def test_repeats_add_up() -> None:
    found = Collector(Solutions(None, 0))
    for values in (ONE, ONE, TWO, ONE, TWO, THREE):
        found.add(values)
    assert (found.count, found.repeats) == (6, 3)
    assert found.result("exhausted").repeats == 3


def test_repeats_are_seen_among_texts_as_well() -> None:
    found = Collector(Solutions(None, 0))
    found.add(ONE)
    found.add_texts(repr(values).encode() for values in (TWO, ONE, TWO))
    assert (found.count, found.repeats) == (4, 2)
    assert found.digest == digest_of([ONE, TWO, ONE, TWO])


def test_different_solutions_are_no_repeats() -> None:
    found = Collector(Solutions(None, 0))
    for values in (ONE, TWO, THREE):
        assert found.add(values)
    assert found.repeats == 0


def test_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collector, "REMEMBERED", 1)
    found = Collector(Solutions(None, 0))
    for values in (ONE, TWO, TWO, ONE):
        found.add(values)
    assert (found.count, found.repeats) == (4, 1)


@pytest.mark.parametrize(("ask", "limit", "keep"), [(Optimum(), None, 1), (AllOptima(4, 2), 4, 2)])
def test_what_a_question_asks_for(
    ask: Optimum | AllOptima, limit: int | None, keep: int | None
) -> None:
    found = Collector(ask)
    assert (found.limit, found.keep) == (limit, keep)


def test_it_ends_with_the_limit_and_keeps_the_first() -> None:
    found = Collector(Solutions(3, 2))
    assert [found.add(values) for values in (ONE, TWO, THREE)] == [True, True, False]
    result = found.result("exhausted")
    assert (result.stopped_by, result.solutions) == ("enough", (ONE, TWO))
    assert result.digest == digest_of([THREE, TWO, ONE])


def test_a_sink_ends_it() -> None:
    found = Collector(Solutions(None), lambda values: values != TWO)
    assert [found.add(values) for values in (ONE, TWO)] == [True, False]
    assert found.result("exhausted").stopped_by == "sink"


def test_wanted_are_those_that_are_kept_or_shown() -> None:
    found = Collector(Solutions(None, 2))
    found.add(ONE)
    assert found.wanted(5) == 1
    assert Collector(Solutions(None, None)).wanted(5) == 5
    assert Collector(Solutions(None, 0), lambda values: True).wanted(5) == 5


def test_a_text_has_the_hash_of_its_solution() -> None:
    assert solution_hash(ONE) == text_hash(b"(0, 1)") != solution_hash(TWO)
