"""The samples are what tests/data/make.py makes: those of the posts whole, of others a part."""

import pytest

from tests.data import make, samples


@pytest.mark.parametrize(
    ("name", "sources", "seed"),
    [("few-clues.txt", make.FEW, 106), ("hardest.txt", [make.HARDEST], 108)],
)
def test_the_puzzles_of_the_posts_and_their_disguises(name, sources, seed):
    assert samples.lines(name) == (*sources, *make.disguised(sources, 19, seed))


def test_disguises_of_twelve_solutions():
    assert samples.lines("several.txt")[:6] == (make.TWELVE, *make.disguised([make.TWELVE], 5, 107))


@pytest.mark.once
@pytest.mark.parametrize(
    ("name", "first", "options"),
    [
        ("easy.txt", 0, ["--seed", "101", "--clues", "36"]),
        ("minimal.txt", 0, ["--seed", "102"]),
        ("none.txt", 0, ["--seed", "103", "--unsatisfiable"]),
        ("several.txt", 6, ["--seed", "104", "--solutions", "2"]),
    ],
)
def test_the_first_that_are_generated(name, first, options):
    assert tuple(make.generated("-n", "1", *options)) == samples.lines(name)[first : first + 1]


def test_the_clashing_puzzle_is_the_last():
    assert samples.lines("none.txt")[-1] == make.CLASHING
