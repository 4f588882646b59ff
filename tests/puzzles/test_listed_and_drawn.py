"""Generators of word sums, block designs and schedules of golfers: what comes is what was asked."""

from itertools import product

import pytest

from backends.counting import count_solutions
from backends.interface.api import Solutions
from backends.interface.registry import get
from modelling.errors import InputError
from puzzles.designs import bibd, social_golfers
from puzzles.family import family
from puzzles.generators import generate
from puzzles.pencil import cryptarithm
from puzzles.pencil.cryptarithm import CRYPTARITHM
from puzzles.random_stream import Stream


def draw(name, number=1, **told):
    return [one.text for one in generate(family(name), number, count=count_solutions, **told)]


# --- cryptarithms --------------------------------------------------------------------------------


@pytest.mark.once
@pytest.mark.parametrize(
    "told",
    [
        {},
        {"summands": 3, "letters": 10},
        {"letters": 4, "length": 3},
        {"base": 7, "letters": 6, "length": 5},
        {"kind": "words", "length": 5},
    ],
)
def test_word_sums_have_one_solution_and_the_letters_asked_for(told):
    texts = draw("cryptarithm", 2, seed=2, **told)
    assert texts == draw("cryptarithm", 2, seed=2, **told)
    assert len(set(texts)) == 2
    for text in texts:
        puzzle = cryptarithm.parse(text)
        assert puzzle.text == text
        assert len(puzzle.summands) == told.get("summands", 2)
        assert len(puzzle.letters) == told.get("letters", 8)
        assert puzzle.base == told.get("base", 10)
        assert max(map(len, puzzle.summands)) == told.get("length", 6)
        if "kind" in told:
            assert set(puzzle.words) <= set(cryptarithm.WORDS)
        result = get("propagation").solve(CRYPTARITHM.problem(text), Solutions(2))
        assert (result.count, CRYPTARITHM.check(text, result.solutions[0])) == (1, [])


def test_a_sum_with_two_solutions_is_not_taken():
    asked = []

    def count(problem, limit):
        asked.append(problem)
        return 2 if len(asked) < 3 else 1

    text = cryptarithm.generate(Stream(1, 0), count=count)
    assert len(asked) == 3
    assert CRYPTARITHM.problem(text) == asked[-1]
    with pytest.raises(InputError, match="has one solution; ask for another length"):
        cryptarithm.generate(Stream(1, 0), count=lambda problem, limit: 2)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"letters": 11}, "there are 10 digits"),
        ({"letters": 10, "length": 2}, "has one solution: ask for longer words"),
        pytest.param({"letters": 1}, "was found that has one solution", marks=pytest.mark.once),
    ],
)
def test_word_sums_that_cannot_be(told, message):
    with pytest.raises(InputError, match=message):
        draw("cryptarithm", **told)


def test_words_are_told_once_and_are_words():
    assert len(set(cryptarithm.WORDS)) == len(cryptarithm.WORDS) > 300
    assert all(word.isalpha() and 3 <= len(word) <= 6 for word in cryptarithm.WORDS)


# --- block designs -------------------------------------------------------------------------------


def test_designs_are_listed_by_size():
    texts = draw("bibd", 6)
    assert texts == [
        "7 7 3 3 1",
        "6 10 5 3 2",
        "7 14 6 3 2",
        "9 12 4 3 1",
        "8 14 7 4 3",
        "6 20 10 3 4",
    ]
    assert draw("bibd", 2, start=1, k=3, together=1, lex=True) == [
        "9 12 4 3 1 lex",
        "13 26 6 3 1 lex",
    ]
    found = bibd.list_admissible()
    for v, b, r, k, together in found:
        assert (b * k, together * (v - 1)) == (v * r, r * (k - 1))
        assert (b >= v, v * b <= bibd.MOST_CELLS) == (True, True)
    cells = [v * b for v, b, *_ in found]
    assert cells == sorted(cells)
    assert len(set(found)) == len(found)
    with pytest.raises(
        InputError, match=r"there are \d+ such designs of at most 2000 cells: no item"
    ):
        draw("bibd", start=1000)


def test_designs_that_a_theorem_excludes():
    """As the tables have them (Colbourn and Dinitz, Handbook of combinatorial designs, 2007)."""
    assert draw("bibd", 7, kind="excluded") == [
        "15 21 7 5 2",
        "22 22 7 7 2",
        "21 28 8 6 2",
        "29 29 8 8 2",
        "34 34 12 12 4",
        "36 42 7 6 1",
        "36 45 10 8 2",
    ]
    assert "22 22 7 7 2" not in draw("bibd", 300)
    assert bibd.is_excluded(43, 43, 7, 7, 1)
    assert not bibd.is_excluded(31, 31, 6, 6, 1)


def test_equations_are_solvable_where_a_solution_is_found():
    for a in range(1, 12):
        for b in (b for b in range(-12, 13) if b):
            small = product(range(25), repeat=3)
            found = any(x * x == a * y * y + b * z * z for x, y, z in small if x or y or z)
            assert bibd._is_solvable(a, b) == found, (a, b)


@pytest.mark.parametrize("item", range(5))
def test_the_first_designs_exist(item):
    (text,) = draw("bibd", start=item, lex=True)
    result = get("cpsat").solve(family("bibd").problem(text), Solutions(1))
    assert family("bibd").check(text, result.solutions[0]) == []


# --- social golfers ------------------------------------------------------------------------------


def test_golfers_are_listed_by_players_up_to_the_bound():
    assert draw("social_golfers", 7) == [
        "2 2 3",
        "3 2 5",
        "4 2 7",
        "3 3 4",
        "5 2 9",
        "6 2 11",
        "4 3 4",
    ]
    assert draw("social_golfers", 2, players=3, below=1) == ["3 3 3", "4 3 3"]
    assert draw("social_golfers", groups=8, players=4) == ["8 4 10"]
    with pytest.raises(
        InputError, match="there are 1 such shapes of at most 60 players: no item 1"
    ):
        draw("social_golfers", 2, groups=8, players=4)


def test_a_week_beyond_the_bound_is_too_many():
    for text in draw("social_golfers", 1, below=-1):
        groups, size, weeks = map(int, text.split())
        assert weeks * (size - 1) > groups * size - 1
        small = get("cpsat").solve(family("social_golfers").problem(text), Solutions(1))
        assert (small.count, small.exhausted) == (0, True)


@pytest.mark.parametrize(
    ("groups", "size", "weeks"), [(2, 2, 3), (3, 3, 4), (4, 3, 4), (5, 3, 7), (2, 3, 1), (6, 6, 3)]
)
def test_bounds(groups, size, weeks):
    assert social_golfers.find_bound(groups, size) == weeks
