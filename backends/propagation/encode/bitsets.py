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


def words_of_all(bitsets: Sequence[int], count: int, word_bits: int) -> list[int]:
    """The words of several bitsets, ``count`` for each, one after the other."""
    if word_bits != 64:
        return [word for bits in bitsets for word in words_of(bits, count, word_bits)]
    raw = b"".join([bits.to_bytes(8 * count, "little") for bits in bitsets])
    return list(unpack(f"<{count * len(bitsets)}q", raw))


def count_words(bits: int, word_bits: int) -> int:
    """The number of words that hold a number of bits; one at least."""
    return max(1, -(-bits // word_bits))


BITS = tuple([1 << place for place in range(256)])
"""Up to as many places bitsets are made by adding bits to numbers, beyond in bytes."""


def places_of(items: Sequence[Any]) -> dict[Any, int]:
    """For each distinct item the bitset of its places."""
    if len(items) <= len(BITS):
        few: dict[Any, int] = {}
        for item, bit in zip(items, BITS, strict=False):
            if item in few:
                few[item] |= bit
            else:
                few[item] = bit
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
