"""Which faults are planted, that a hunt finds one, and what the table compares."""

from __future__ import annotations

import pytest

from results.studies.mutation.mutator import compiles
from results.studies.mutation.planted.__main__ import Hunt, find_key, order, pair_up
from results.studies.mutation.planted.faults import FIELDS, ROOT, draw_planted
from results.studies.mutation.planted.planting import hunt_planted


def make(way="guided", cause="wrong count", seconds=1.0, limit=5.0, mutant="m") -> Hunt:
    return Hunt(mutant, "sat", "f.py", 1, "x + 1", "constant: 1 -> 2", 1, way, limit, cause,
                seconds, 10, 20)  # fmt: skip


@pytest.mark.once
def test_two_hundred_faults_are_drawn_in_turn_from_all_backends():
    drawn = draw_planted(1)
    assert len(drawn) == sum(field.number for field in FIELDS) == 200
    assert len({one.mutant.name for one in drawn}) == 200
    assert {one.backend for one in drawn[: len(FIELDS)]} == {field.backend for field in FIELDS}
    assert drawn == draw_planted(1) != draw_planted(2)
    sources = {one.mutant.file: (ROOT / one.mutant.file).read_text() for one in drawn}
    assert all(compiles(one.mutant, sources[one.mutant.file]) for one in drawn)


@pytest.mark.once
def test_a_planted_fault_is_found_and_an_unchanged_backend_has_none():
    name = "backends/python_constraint/posing.py"
    planted = next(
        one
        for one in draw_planted(1)
        if one.mutant.file == name and one.mutant.change == "operator: + -> -"
    )
    assert hunt_planted(planted, planted.backend, 1, 60.0, is_guided=True).cause
    unchanged = hunt_planted(None, planted.backend, 1, 0.5, is_guided=True)
    assert not unchanged.cause
    assert unchanged.comparisons > 0


def test_a_hunt_without_a_finding_counts_with_its_limit():
    nothing = make(cause="", seconds=5.3)
    assert (nothing.charged, make(seconds=2.0).charged) == (5.0, 2.0)
    assert find_key(nothing)[-1] == 5.0
    assert find_key(make())[-1] == 0.0


def test_both_ways_are_cut_at_a_common_limit():
    rows = [make("guided", seconds=3.0), make("random", seconds=40.0, limit=60.0)]
    ((guided, random),) = pair_up(rows, 5.0)
    assert (guided.charged, guided.is_found) == (3.0, True)
    assert (random.charged, random.is_found) == (5.0, False)
    assert not pair_up(rows[:1], 5.0)


def test_a_longer_hunt_takes_the_place_of_a_shorter_one():
    short, long, found = make(cause=""), make(cause="", limit=60.0), make(seconds=70.0, limit=90.0)
    assert order([short, long]) == [long]
    assert order([short, found, long]) == [found]
