"""What the generators of these families ask of a solver, and puzzles without what is not needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from modelling.problem import Problem
from puzzles.family import Count
from puzzles.random_stream import Stream

T = TypeVar("T")


def is_unique(problem: Problem, count: Count) -> bool:
    """Whether the problem has exactly one solution."""
    return count(problem, 2) == 1


def remove_needless(
    parts: Sequence[T], draws: Stream, suffices: Callable[[Sequence[T]], bool]
) -> list[T]:
    """The parts, in their order, of which each is needed.

    All parts together must suffice, and what suffices with some parts must do so with more. They
    are tried in random order, blocks of them at once, which are halved where they are needed.
    """
    kept = set(range(len(parts)))

    def thin(block: Sequence[int]) -> None:
        left = kept.difference(block)
        if suffices([parts[k] for k in sorted(left)]):
            kept.intersection_update(left)
        elif len(block) > 1:
            half = len(block) // 2
            thin(block[:half])
            thin(block[half:])

    turns = draws.shuffled(range(len(parts)))
    size = max(1, len(parts) // 8)
    for start in range(0, len(turns), size):
        thin(turns[start : start + size])
    return [parts[k] for k in sorted(kept)]
