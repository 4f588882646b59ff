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
    M_NODES,
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
NODES_APART = 100
"""Nodes of a search that is too short to pay for lists of all rows together."""
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


Part = tuple[tuple[int, ...] | None, int, int, Members]
Parts = Sequence[Part]
"""What the value of a variable leaves: the words that its own one leaves, and by how many bits it
is shifted there, or None where it does not leave all alike; what else is added to the value; of
which variables."""


def members_of(S: list[Any], pairs: Sequence[tuple[int, int]]) -> Members:
    """Variables, which are some, each with its shift."""
    variables, shifts = zip(*pairs, strict=True)
    bases = {S[y + BASE] if S[y + LENGTH] == ONE_WORD else None for y in variables}
    base = bases.pop() if len(bases) == 1 else None
    words = None if base is None else tuple([y + WORDS for y in variables])
    if len(set(shifts)) == 1:
        return Members(base, words, shifts[0], variables, None)
    return Members(base, words, 0, variables, shifts)


def part_of(S: list[Any], x: int, more: int, members: Members) -> Part:
    """What the value of ``x`` leaves of some members."""
    base, words, shift, _, shifts = members
    if S[x + LENGTH] != ONE_WORD or base is None or shifts is not None:
        return None, 0, more, members
    return words, S[x + BASE] + more + shift - base, more, members


def neighbours_of(
    S: list[Any],
    places: Sequence[int],
    rivals: Sequence[Sequence[int]],
    groups: Sequence[Sequence[tuple[int, int]]],
) -> list[tuple[Sequence[int], Parts]]:
    """For each variable its rivals, a row of places and shifts, and what its groups leave."""
    found: list[list[Part]] = [[] for _ in places]
    for group in watched(groups):
        members = members_of(S, [(places[v], -shift) for v, shift in group])
        known: dict[tuple[int, int, int], Part] = {}
        for v, shift in group:
            x = places[v]
            key = shift, S[x + LENGTH], S[x + BASE]
            if key not in known:
                known[key] = part_of(S, x, shift, members)
            found[v].append(known[key])
    return list(zip(rivals, found, strict=True))


def occurrences(S: list[Any], T: list[Any], x: int) -> int:
    """``stated.occurrences``, of the rows that T has here."""
    row, groups = T[S[x + RIVALS]]
    return int(T[S[x + WATCHERS]] + len(row) + 2 * len(groups))


def begin_lists(M: list[Any], known: dict[int, Any]) -> dict[int, Any]:
    """The lists to begin with; once the search is not short, those kept that have one row."""
    if M[M_NODES] <= NODES_APART:
        return {0: NODES_APART}
    known = known or {}
    known.pop(0, None)
    return {0: 1 << 61, **{x: parts for x, parts in known.items() if len(parts) < 2}}


def list_neighbours(S: list[Any], T: list[Any], M: list[Any], x: int) -> Parts:
    """What a value of ``x`` leaves, in the order of its rows.

    Once the search is not short, what it leaves now, of all rows together.
    """
    row: Sequence[int]
    parts: Parts
    row, parts = T[S[x + RIVALS]]
    known = M[M_NEIGHBOURS]
    pairs = list(zip(row[::2], row[1::2], strict=True)) if row else []
    is_short = M[M_NODES] <= NODES_APART
    if is_short or len(pairs) + sum([len(p[3].variables) for p in parts]) > MOST_JOINED:
        if pairs:
            parts = [part_of(S, x, 0, members_of(S, pairs)), *parts]
        known[x] = parts
        return parts
    for _, _, more, (_, _, shift, variables, shifts) in parts:
        more += shift
        each = [more] * len(variables) if shifts is None else [more + d for d in shifts]
        pairs += zip(variables, each, strict=True)
    if S[x + LENGTH] > WORDS and M[M_STAMP] > ROOT_STAMP:  # an interval keeps what others have
        pairs = [p for p in pairs if S[p[0] + SIZE] > 1 or S[p[0] + STAMP] > ROOT_STAMP]
    pairs = [pair for pair in dict.fromkeys(pairs) if pair[0] != x]
    known[x] = parts = [part_of(S, x, 0, members_of(S, pairs))] if pairs else []
    return parts
