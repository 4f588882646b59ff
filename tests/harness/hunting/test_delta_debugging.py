"""Delta debugging: what is left fails, and nothing of it can be left out."""

import random

import pytest

from harness.hunting.delta_debugging import minimise


def asking(needed):
    """A test that fails if all that is needed is there, and what it was asked."""
    asked = []

    def fails(parts):
        asked.append(tuple(parts))
        return needed <= set(parts)

    return fails, asked


@pytest.mark.parametrize("seed", range(20))
def test_exactly_what_is_needed_is_left(seed):
    rng = random.Random(seed)
    needed = set(rng.sample(range(40), rng.randint(0, 6)))
    fails, asked = asking(needed)
    assert minimise(range(40), fails) == sorted(needed)
    assert tuple(range(40)) not in asked


def test_one_part_of_many_takes_few_questions():
    fails, asked = asking({700})
    assert minimise(range(1024), fails) == [700]
    assert len(asked) <= 1 + 2 * 10


@pytest.mark.parametrize("least", [0, 1, 3])
def test_some_parts_must_remain(least):
    assert len(minimise(range(8), lambda parts: True, least)) == least


def test_it_is_minimal_where_parts_depend_on_each_other():
    def fails(parts):
        return len(parts) % 3 == 2

    left = minimise(range(11), fails)
    assert len(left) == 2


def test_nothing_can_be_left_out_of_nothing():
    assert minimise([], lambda parts: True) == []
