"""Damaged files: whatever happens to one, it is read, or refused with its place."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from modelling.errors import InstanceError


def damage(rng: random.Random, whole: bytes, words: Sequence[bytes]) -> bytes:
    """One to four changes: a byte exchanged for any other, a few taken out, a word put in."""
    data = bytearray(whole)
    for _ in range(rng.randint(1, 4)):
        at, what = rng.randrange(len(data)), rng.randrange(3)
        if what == 0:
            data[at] = rng.randrange(256)
        elif what == 1:
            del data[at : at + rng.randint(1, 9)]
        else:
            data[at:at] = rng.choice(words)
    return bytes(data)


def check_damaged(
    read: Callable[[bytes, str], object],
    whole: bytes,
    words: Sequence[bytes],
    seed: int,
    number: int = 100,
) -> None:
    """Some of many damaged files are refused, the others are read, and nothing else is raised."""
    rng = random.Random(seed)
    errors = []
    for _ in range(number):
        try:
            read(damage(rng, whole, words), "f")
        except InstanceError as error:
            errors.append(error)
    assert number // 5 < len(errors) < number
    assert all(error.place.startswith("f:") and error.cause for error in errors)
