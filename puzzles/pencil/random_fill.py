"""Cells filled at random so that those of a group differ. Not every filling is as likely."""

from __future__ import annotations

from collections.abc import Sequence

from puzzles.random_stream import Stream


def draw_fill(
    size: int, groups: Sequence[Sequence[int]], most: int, draws: Stream
) -> list[int] | None:
    """Values 1 to ``most`` for cells 0 to ``size - 1``; None if there are none.

    Next is a cell with the fewest values left, any of them; its values are tried in random order.
    """
    peers: list[set[int]] = [set() for _ in range(size)]
    for group in groups:
        for cell in group:
            peers[cell] |= {other for other in group if other != cell}
    left = [set(range(1, most + 1)) for _ in range(size)]
    filled = [0] * size
    turns = draws.shuffled(range(size))

    def extend(opened: int) -> bool:
        if not opened:
            return True
        cell = min((c for c in turns if not filled[c]), key=lambda c: len(left[c]))
        for value in draws.shuffled(sorted(left[cell])):
            lost = [p for p in peers[cell] if not filled[p] and value in left[p]]
            filled[cell] = value
            for other in lost:
                left[other].discard(value)
            if all(left[other] for other in lost) and extend(opened - 1):
                return True
            for other in lost:
                left[other].add(value)
        filled[cell] = 0
        return False

    return filled if extend(size) else None
