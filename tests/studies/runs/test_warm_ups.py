"""The study of warm-ups: what a call comes to, and what counts as a difference."""

from __future__ import annotations

import pytest

from puzzles.family import Instance
from results.studies.runs.warm_ups import (
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
    assert len(choose_instances(50)) == 50


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
