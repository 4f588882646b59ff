"""Delta debugging: a part of a list, from which nothing can be taken, that still fails.

``minimise`` is the algorithm ddmin of A. Zeller and R. Hildebrandt, "Simplifying and isolating
failure-inducing input", IEEE Transactions on Software Engineering 28 (2002).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeVar

Part = TypeVar("Part")


def minimise(
    parts: Sequence[Part], fails: Callable[[list[Part]], bool], least: int = 0
) -> list[Part]:
    """A list of some of ``parts``, in their order, that fails, as the list of all parts does.

    It is 1-minimal: without any one of its parts it does not fail, or it would have fewer than
    ``least``. ``fails`` is not asked for all parts again. For n parts it is asked O(n log n) times
    in the best case and O(n * n) times in the worst.
    """
    kept = list(parts)
    if least == 0 and kept and fails([]):
        return []
    pieces = 2
    while len(kept) > max(least, 1):
        smaller = _find_failing(_split(kept, pieces), kept, pieces, fails, least)
        if smaller is not None:
            is_piece, kept = smaller
            pieces = 2 if is_piece else max(pieces - 1, 2)
        elif pieces >= len(kept):
            break
        else:
            pieces = min(2 * pieces, len(kept))
    return kept


def _find_failing(
    ranges: Sequence[tuple[int, int]],
    kept: Sequence[Part],
    pieces: int,
    fails: Callable[[list[Part]], bool],
    least: int,
) -> tuple[bool, list[Part]] | None:
    """A piece that fails, or all but a piece; with two pieces these are the same."""
    for begin, end in ranges:
        piece = list(kept[begin:end])
        if least <= len(piece) < len(kept) and fails(piece):
            return True, piece
    for begin, end in ranges if pieces > 2 else ():
        rest = [*kept[:begin], *kept[end:]]
        if len(rest) >= least and fails(rest):
            return False, rest
    return None


def _split(parts: Sequence[Part], pieces: int) -> list[tuple[int, int]]:
    """The ranges of as many pieces of nearly the same length."""
    pieces = min(pieces, len(parts))
    ends = [len(parts) * number // pieces for number in range(pieces + 1)]
    return list(pairwise(ends))
