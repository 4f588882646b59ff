"""Words of a bitset: how many bits they have, and what a processor can say of one.

These are the pure forms, over Python's integers; ``machine`` has an instruction for each and words
of 64 bits. Only the longest domains have more than one word here, so that an operation on a domain
is one on an integer.
"""

from __future__ import annotations

WORD_BITS = 4096
WORD_SHIFT = 12
WORD_MASK = WORD_BITS - 1
SHORTEST_WORD = 32
"""No form has shorter words: scratch that is made of words has room for these."""


def count_bits(word):
    """Return the number of bits that are 1."""
    return word.bit_count()


def lowest_bit(word):
    """Return the number of the lowest bit that is 1; ``word`` is not 0."""
    return (word & -word).bit_length() - 1


def highest_bit(word):
    """Return the number of the highest bit that is 1; ``word`` is not 0."""
    return word.bit_length() - 1


def bits_from(bit):
    """Return a word whose bits from ``bit`` on are 1."""
    return -1 << bit


def bits_up_to(bit):
    """Return a word whose bits up to ``bit``, inclusive, are 1 and no others."""
    return (2 << bit) - 1
