"""The random streams: known values, a row as good as a stream, no bias that can be seen."""

from collections import Counter

import numpy as np
import pytest

from modelling.errors import InputError
from puzzles.random_stream import Stream, Streams


def test_a_streams_values_are_fixed_for_ever():
    stream = Stream(1, 2)
    assert [stream.bits() for _ in range(3)] == [
        16613338946343043936,
        5167718485781182436,
        139405959784801653,
    ]


def test_a_seed_is_splitmix64():
    """With a key of 0 the stream is SplitMix64 seeded with 0, whose first values are published."""
    stream = Stream(0)
    stream._state = 0
    assert [stream.bits() for _ in range(2)] == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4]


@pytest.mark.parametrize("n", [1, 2, 3, 9, 81, 625, 2**31 + 11])
def test_rows_draw_what_their_stream_draws(n):
    streams = Streams(5, [7, 3, 2**40], 1)
    drawn = np.array([streams.below(n) for _ in range(50)])
    for row, item in enumerate([7, 3, 2**40]):
        stream = Stream(5, item, 1)
        assert [stream.below(n) for _ in range(50)] == drawn[:, row].tolist()


def test_rows_draw_alone():
    streams = Streams(5, range(4))
    picked = [streams.below([10, 1000], [3, 1]).tolist() for _ in range(20)]
    third, first = Stream(5, 3), Stream(5, 1)
    assert picked == [[third.below(10), first.below(1000)] for _ in range(20)]
    untouched = Stream(5, 0)
    assert streams.below(10**6, [0]).tolist() == [untouched.below(10**6)]


def test_rows_shuffle_as_their_stream_does():
    many = Streams(9, range(3)).shuffled(12)
    for item in range(3):
        assert many[item].tolist() == Stream(9, item).shuffled(range(12))


def test_all_orders_of_four_are_as_likely():
    orders = Counter(map(tuple, Streams(1, range(24_000)).shuffled(4).tolist()))
    assert len(orders) == 24
    chi_square = sum((seen - 1000) ** 2 / 1000 for seen in orders.values())
    assert chi_square < 49.7  # 23 degrees of freedom, p = 0.001; the draws are fixed


def test_a_seed_out_of_range_is_refused():
    with pytest.raises(InputError, match="seeds go from 0"):
        Stream(-1)
    with pytest.raises(ValueError, match="a draw below"):
        Stream(1).below(0)
