"""Bitsets as the words of a form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from struct import unpack
from typing import Any

from modelling.stopping import watched


def words_of(bits: int, count: int, word_bits: int) -> list[int]:
    """``count`` words, the first with the lowest bits; those of 64 bits are signed."""
    if count == 1:
        return [bits if word_bits != 64 or bits < 1 << 63 else bits - (1 << 64)]
    raw = bits.to_bytes(count * word_bits // 8, "little")
    if word_bits == 64:
        return list(unpack(f"<{count}q", raw))
    step = word_bits // 8
    return [int.from_bytes(raw[k : k + step], "little") for k in range(0, len(raw), step)]


def count_words(bits: int, word_bits: int) -> int:
    """The number of words that hold a number of bits; one at least."""
    return max(1, -(-bits // word_bits))


FEW = 256
"""Up to as many places bitsets are made by adding bits to numbers, beyond in bytes."""


def places_of(items: Sequence[Any]) -> dict[Any, int]:
    """For each distinct item the bitset of its places."""
    if len(items) <= FEW:
        few: dict[Any, int] = {}
        for place, item in enumerate(items):
            few[item] = few.get(item, 0) | 1 << place
        return few
    size = (len(items) + 7) // 8
    found: dict[Any, bytearray] = {}
    for place, item in enumerate(watched(items)):
        bits = found.get(item)
        if bits is None:
            bits = found[item] = bytearray(size)
        bits[place >> 3] |= 1 << (place & 7)
    return {item: int.from_bytes(bits, "little") for item, bits in found.items()}


def joined(bitsets: Iterable[int]) -> int:
    """The bits of any of them."""
    found = 0
    for bits in bitsets:
        found |= bits
    return found
