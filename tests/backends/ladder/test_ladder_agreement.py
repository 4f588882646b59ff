"""The rungs agree with the generic solver on every set, and see through symmetries.

Slow rungs take a small random sample; the lowest, only puzzles on which it ends soon.
"""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.interface import registry
from backends.interface.api import Limits, Solutions
from puzzles.family import family
from tests.data import samples

SAMPLE = {
    "ladder:norvig": 4,
    "ladder:exclusives": 2,
    "ladder:bitset": 2,
    "ladder:flat": 2,
    "ladder:mutable_table": 3,
    "ladder:trail": 20,
    "ladder:one_integer": 60,
}
"""How many puzzles of each set a rung takes; of those with long searches, a fourth."""

EASY_SETS = samples.only("easy.txt", "easy50.txt", "random_easy.txt")
EASY_SAMPLE = {
    "ladder:generate_and_test": 3,
    "ladder:placing": 8,
    "ladder:pruning": 3,
}
"""The rungs without hidden values, which can be lost on harder puzzles."""

pytestmark = pytest.mark.once


def sample(name, number):
    every = samples.lines(name)
    return random.Random(f"ladder/{name}").sample(every, min(number, len(every)))


def answer(backend, text, limit=3):
    result = backend.solve(family("sudoku").problem(text), Solutions(limit), Limits(seconds=60))
    assert result.stopped_by in ("exhausted", "enough"), f"{backend.name} on {text}"
    # with all solutions found, the digests are those of the same set
    return result.count, result.digest if result.exhausted else None


@pytest.mark.parametrize("name", samples.SETS)
def test_rungs_agree_with_the_generic_solver(name):
    reference = registry.get("propagation")
    part = 4 if "hardest" in name or name == "top95.txt" else 1
    rungs = [(registry.get(rung), -(-number // part)) for rung, number in SAMPLE.items()]
    for position, text in enumerate(sample(name, max(number for _, number in rungs))):
        expected = answer(reference, text)
        for rung, number in rungs:
            if position < number:
                assert answer(rung, text) == expected, f"{rung.name} on {text}"


@pytest.mark.parametrize("name", EASY_SETS)
@pytest.mark.parametrize("rung", EASY_SAMPLE)
def test_low_rungs_agree_on_easy_puzzles(name, rung):
    easy = [text for text in sample(name, 60) if sum(sign != "." for sign in text) >= 30]
    reference, backend = registry.get("propagation"), registry.get(rung)
    assert len(easy) >= EASY_SAMPLE[rung]
    for text in easy[: EASY_SAMPLE[rung]]:
        assert answer(backend, text) == answer(reference, text)


# --- symmetries ----------------------------------------------------------------------------------

GIVENS = {  # puzzles with 1, several, and no solutions
    "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..": 1,
    "...456789679813245548927136...594678857361492964782513...648957796135824485279361": 12,
    "5.3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..": 0,
    "200080300060070084030500209000105408000000000402706000301007040720040060004010003".replace(
        "0", "."
    ): 1,
}

RUNGS = ["ladder:placing", "ladder:pruning", *SAMPLE]


@st.composite
def lines(draw):
    """An order of the nine rows (or columns) that keeps the bands together."""
    bands = draw(st.permutations(range(3)))
    return [3 * band + row for band in bands for row in draw(st.permutations(range(3)))]


@st.composite
def symmetries(draw):
    """A function from puzzle text to the text of an equivalent puzzle."""
    rows, columns, digits = draw(lines()), draw(lines()), draw(st.permutations("123456789"))
    transposed = draw(st.booleans())
    relabelled = str.maketrans("123456789", "".join(digits))

    def moved(text):
        cells = [text[9 * r + c] for r in rows for c in columns]
        if transposed:
            cells = [cells[9 * c + r] for r in range(9) for c in range(9)]
        return "".join(cells).translate(relabelled)

    return moved


@pytest.mark.parametrize("rung", RUNGS)
@settings(max_examples=6, deadline=None)
@given(symmetry=symmetries(), text=st.sampled_from(list(GIVENS)))
def test_symmetries_leave_the_count_unchanged(rung, symmetry, text):
    assert answer(registry.get(rung), symmetry(text), limit=None)[0] == GIVENS[text]
    # the lowest rung is left out: a symmetry can move an easy puzzle's givens to its end


@settings(max_examples=5, deadline=None)
@given(symmetry=symmetries())
def test_symmetries_leave_the_count_unchanged_on_the_lowest_rung(symmetry):
    twelve = next(text for text, count in GIVENS.items() if count == 12)
    assert answer(registry.get("ladder:generate_and_test"), symmetry(twelve), limit=None)[0] == 12


@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_all_rungs_count_the_completions_of_random_latin_squares(data):
    order = data.draw(st.integers(2, 4))
    cells = data.draw(
        st.lists(st.integers(0, order), min_size=order * order, max_size=order * order)
    )
    open_ones = [i for i in range(order * order) if i % 3]
    text = "".join("." if i in open_ones or not cell else str(cell) for i, cell in enumerate(cells))
    problem = family("latin").problem(f"{order}:{text}")
    expected = registry.get("propagation").solve(problem, Solutions(None))
    for name in [*RUNGS, "ladder:generate_and_test"]:
        result = registry.get(name).solve(problem, Solutions(None))
        assert (result.count, result.digest) == (expected.count, expected.digest)
