"""Words of one base: the values of a domain within 64 bits, wherever these begin."""

import random

import pytest

from backends.propagation.encode.arena import holes
from backends.propagation.encode.bitsets import count_words, places_of, words_of
from backends.propagation.forms import pure_form
from backends.propagation.kernel import layout as at
from backends.propagation.propagators.counting import aligned
from backends.propagation.rebinding import Binding
from modelling.problem import build_problem
from tests.backends.propagation.propagator_checks import begun

LONG = Binding(
    {},
    {},
    {"WORD_BITS": 64, "WORD_SHIFT": 6, "WORD_MASK": 63},
    lambda function, made: made,
)
"""Words as long as those of the compiled form, without signs."""


def domain_in_two_words(rng):
    """A domain within 62 values, in one word or in two; the arrays, and the variable."""
    least = rng.randint(-70, 70)
    values = sorted(rng.sample(range(least, least + 62), rng.randint(1, 12)))
    problem = build_problem({"first": (-128, 0), "x": values}, [])
    arena, (S, T, M) = begun(problem, pure_form()._replace(word_bits=64, call=LONG.bound))
    x = arena.places[1]
    for w in range(at.WORDS, S[x + at.LENGTH]):
        S[x + w] &= (1 << 64) - 1
    return least, values, (S, T, M), x


def test_the_values_from_a_place_are_bits():
    rng = random.Random(1)
    for _ in range(300):
        least, values, (S, _, _), x = domain_in_two_words(rng)
        found = LONG.bound(aligned.values_from)(S, x, least)
        assert found == sum(1 << (value - least) for value in values)


def test_bits_are_kept_where_they_belong():
    rng = random.Random(2)
    for _ in range(300):
        least, values, (S, T, M), x = domain_in_two_words(rng)
        kept = [value for value in values if rng.random() < 0.6] or values[:1]
        word = sum(1 << (value - least) for value in kept)
        M += [0] * aligned.KEPT_WORDS
        place = len(M) - aligned.KEPT_WORDS
        assert LONG.bound(aligned.keep_from)(S, T, M, x, least, word, place)
        assert LONG.bound(aligned.values_from)(S, x, least) == word
        assert (S[x], S[x + at.UPPER], S[x + at.SIZE]) == (kept[0], kept[-1], len(kept))


@pytest.mark.parametrize("bits", [0, 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 1 << 70, 1 << 127])
def test_words_of_64_bits_are_signed(bits):
    for count in range(count_words(bits.bit_length(), 64), 4):
        words = words_of(bits, count, 64)
        assert len(words) == count
        assert all(-(1 << 63) <= word < 1 << 63 for word in words)
        assert sum((word % (1 << 64)) << 64 * k for k, word in enumerate(words)) == bits


@pytest.mark.parametrize("size", [0, 3, 255, 256, 257, 600])
def test_the_places_of_items(size):
    rng = random.Random(size)
    items = [rng.randint(0, 5) for _ in range(size)]
    found = places_of(items)
    assert found.keys() == set(items)
    for item, bits in found.items():
        assert bits == sum(1 << k for k, one in enumerate(items) if one == item)


def test_only_intervals_with_holes_are_kept_within_their_runs():
    assert holes([range(5000), (0, 1, 7), range(7)]) == []
    (posted,) = holes([range(5000), (0, 1, 9000)])
    assert posted.scope == (1,)
