"""The study of warm-ups: what a call comes to, and what counts as a difference."""

from __future__ import annotations

import multiprocessing

import pytest

from puzzles.family import Instance
from results.studies.runs import warm_ups
from results.studies.runs.warm_ups import (
    Answer,
    Row,
    ask,
    choose_instances,
    find_faults,
    tell_difference,
)


@pytest.mark.once
def test_a_process_that_has_warmed_up_answers_with_figures() -> None:
    found = ask("propagation", Instance("queens", "six", "6"), True, "spawn")
    assert isinstance(found, dict)
    assert (found["status"], found["count"]) == ("SATISFIABLE", 1)
    assert found["nodes"] > 0


def test_the_sample_is_the_same_each_time() -> None:
    assert choose_instances(5) == choose_instances(5)
    assert len({one.name for one in choose_instances(50)}) == len(choose_instances(50))


def test_others_replace_what_is_refused_or_not_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    answers: dict[str, Answer | str] = {"a": "refused", "c": None}
    monkeypatch.setattr(
        warm_ups, "ask", lambda name, one, warm, how: answers.get(one.name, {"nodes": 1})
    )
    receive, send = multiprocessing.Pipe(duplex=False)
    warm_ups.measure_backend(
        "propagation", [Instance("queens", name, "6") for name in "abcdef"], 3, send
    )
    row = receive.recv()
    assert (row.asked, row.refused, row.unanswered, row.equal) == (5, 1, 1, 3)


def test_figures_that_differ_are_named() -> None:
    assert tell_difference({"nodes": 3, "count": 1}, {"nodes": 4, "count": 1}) == "nodes 3 and 4"
    assert tell_difference({"nodes": 3}, {}) == "nodes 3 and None"
    assert tell_difference({"nodes": 3}, "refused") == "{'nodes': 3} and refused"


def test_a_solver_that_differs_from_itself_is_no_fault() -> None:
    row = Row("sat", 2, 0, 0, 0, {"queens 6": "nodes 3 and 4"}, {})
    assert find_faults([row]) == []
    assert find_faults([Row("sat", 2, 0, 0, 0, {}, {"queens 6": "nodes 3 and 4"})]) == [
        "sat: queens 6"
    ]
