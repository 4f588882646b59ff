"""What a fixed value leaves: the rivals of a variable and the members of its groups, as tuples.

They are listed when the value of a variable leaves them for the second time, for many do so once
only, and kept in M[M_NEIGHBOURS]. A neighbour that the root has fixed is left out: its value has
left the variable already.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from backends.propagation.kernel.layout import (
    BASE,
    LENGTH,
    M_STAMP,
    MEMORY_HEAD,
    RIVALS,
    SIZE,
    STAMP,
    WATCHERS,
    WORDS,
)
from modelling.stopping import watched

M_NEIGHBOURS = MEMORY_HEAD - 1
"""The cell of M with the lists of this search, by variables; 0 to begin with."""
ONE_WORD = WORDS + 1
"""The length of the record of a variable with one word."""
MOST_JOINED = 200
"""The most members that are listed for each variable apart."""
ROOT_STAMP = 1
"""The stamp under which the root is propagated."""


class Members(NamedTuple):
    """Variables from which a value is removed together.

    ``words`` are the places of their words, and ``base`` that of all of them, where each has one
    word; else both are None. What is removed from a variable is shifted by its number of
    ``shifts``, or by ``shift`` where these are all the same.
    """

    base: int | None
    words: tuple[int, ...] | None
    shift: int
    variables: tuple[int, ...]
    shifts: tuple[int, ...] | None


Parts = Sequence[tuple[int, Members]]
"""All that a fixed value leaves; each shifted further, by the first number."""


def members_of(S: list[Any], pairs: Sequence[tuple[int, int]]) -> Members:
    """Variables, which are some, each with its shift."""
    variables, shifts = zip(*pairs, strict=True)
    bases = {S[y + BASE] if S[y + LENGTH] == ONE_WORD else None for y in variables}
    base = bases.pop() if len(bases) == 1 else None
    words = None if base is None else tuple([y + WORDS for y in variables])
    if len(set(shifts)) == 1:
        return Members(base, words, shifts[0], variables, None)
    return Members(base, words, 0, variables, shifts)


def neighbours_of(
    S: list[Any],
    places: Sequence[int],
    rivals: Sequence[Sequence[int]],
    groups: Sequence[Sequence[tuple[int, int]]],
) -> list[tuple[Sequence[int], Parts]]:
    """For each variable its rivals, a row of places and shifts, and its groups."""
    found: list[list[tuple[int, Members]]] = [[] for _ in places]
    for group in watched(groups):
        members = members_of(S, [(places[v], -shift) for v, shift in group])
        for v, shift in group:
            found[v].append((shift, members))
    return list(zip(rivals, found, strict=True))


def occurrences(S: list[Any], T: list[Any], x: int) -> int:
    """``stated.occurrences``, of the rows that T has here."""
    row, groups = T[S[x + RIVALS]]
    return int(T[S[x + WATCHERS]] + len(row) + 2 * len(groups))


def is_for_good(S: list[Any], M: list[Any], y: int) -> bool:
    """Whether the search is below the root, which has fixed ``y``."""
    return bool(S[y + SIZE] == 1 and S[y + STAMP] <= ROOT_STAMP < M[M_STAMP])


def list_neighbours(S: list[Any], T: list[Any], M: list[Any], x: int) -> Parts:
    """What a value of ``x`` leaves now, in the order of its rows; kept from the second time on."""
    row: Sequence[int]
    groups: Parts
    row, groups = T[S[x + RIVALS]]
    known = M[M_NEIGHBOURS]
    is_first = x not in known
    if is_first:
        known[x] = None if row or groups else ()
        if not row:
            return groups
    pairs = list(zip(row[::2], row[1::2], strict=True))
    total = len(pairs) + sum([len(members.variables) for _, members in groups])
    if is_first or total > MOST_JOINED:
        parts = [*([(0, members_of(S, pairs))] if pairs else []), *groups]
        known[x] = None if is_first else parts
        return parts
    for more, (_, _, shift, variables, shifts) in groups:
        more += shift
        each = [more] * len(variables) if shifts is None else [more + d for d in shifts]
        pairs += zip(variables, each, strict=True)
    if S[x + LENGTH] > WORDS and M[M_STAMP] > ROOT_STAMP:  # an interval keeps what others have
        pairs = [p for p in pairs if S[p[0] + SIZE] > 1 or S[p[0] + STAMP] > ROOT_STAMP]
    pairs = [pair for pair in dict.fromkeys(pairs) if pair[0] != x]
    parts = [(0, members_of(S, pairs))] if pairs else []
    known[x] = parts
    return parts
