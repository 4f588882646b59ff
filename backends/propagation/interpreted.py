"""What the interpreted form runs in place of some functions of the kernel: the same steps, faster.

The functions of the kernel are written for a compiler, which makes one loop of small functions over
numbers. In Python each call, and each number that is read by its place, costs as much as all that
is done with it. So the few functions in which the interpreter spends its time have a second form
here. They take a domain of one word as one number, which it nearly always is where a word has 4096
bits, and leave the others to the kernel. They iterate over tuples, which lie in T before the
length of a row:

watchers    (events, propagator, where it is queued, the head of its queue, where the queue begins)
rivals      ``Neighbours``, these and the members of groups
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from backends.propagation.kernel import domains, fixpoint, queue, words
from backends.propagation.kernel.layout import (
    BASE,
    COUNT,
    DOMAIN,
    FIXED,
    IDEMPOTENT,
    LENGTH,
    LOWER_BOUND,
    M_CONFLICT,
    M_CONFLICT_X,
    M_CONFLICT_Y,
    M_CURRENT,
    M_FIXED_TOP,
    M_HEADS,
    M_PROPAGATIONS,
    M_STAMP,
    M_TRAIL_TOP,
    PRIORITY,
    QUEUED,
    RIVALS,
    SCOPE,
    SIZE,
    STAMP,
    T_FIXED_QUEUE,
    T_QUEUE_MASK,
    T_QUEUES,
    UPPER,
    UPPER_BOUND,
    WATCHERS,
    WORDS,
)
from backends.propagation.kernel.words import WORD_BITS
from backends.propagation.propagators.counting import different_tight
from modelling.stopping import watched

ONE_WORD = WORDS + 1
"""The length of the record of a variable with one word."""


class Members(NamedTuple):
    """Variables from which a value is removed together.

    ``base`` is that of all of them where each has one word, else None. What is removed from a
    variable is shifted by its number of ``shifts``, or by ``shift`` where these are all the same.
    """

    base: int | None
    shift: int
    variables: tuple[int, ...]
    shifts: tuple[int, ...] | None


Neighbours = tuple[tuple[int, Members], ...]
"""All that a fixed value leaves; each shifted further, by the first number."""

MOST_JOINED = 100
"""The most members that are listed again for each variable."""


def members_of(S: list[Any], variables: Sequence[int], shifts: Sequence[int]) -> Members:
    """Variables, which are some, each with its shift."""
    bases = {S[y + BASE] if S[y + LENGTH] == ONE_WORD else None for y in variables}
    base = bases.pop() if len(bases) == 1 else None
    if len(set(shifts)) == 1:
        return Members(base, shifts[0], tuple(variables), None)
    return Members(base, 0, tuple(variables), tuple(shifts))


def neighbours_of(
    S: list[Any],
    places: Sequence[int],
    rivals: Sequence[Sequence[int]],
    groups: Sequence[Sequence[tuple[int, int]]],
) -> list[Neighbours]:
    """For each variable its rivals, of rows of places and shifts, and then its groups."""
    found: list[list[tuple[int, Members]]] = [
        [(0, members_of(S, row[::2], row[1::2]))] if row else [] for row in watched(rivals)
    ]
    for group in watched(groups):
        variables, shifts = [places[v] for v, _ in group], [-shift for _, shift in group]
        members = members_of(S, variables, shifts)
        for v, shift in group:
            found[v].append((shift, members))
    return [join(x, of) for x, of in zip(places, watched(found), strict=True)]


def join(x: int, of: Sequence[tuple[int, Members]]) -> Neighbours:
    """The neighbours of ``x``, as one where all are alike."""
    total = sum(len(members.variables) for _, members in of)
    kinds = {
        (None if members.shifts else members.base, more + members.shift) for more, members in of
    }
    if len(of) < 2 or len(kinds) > 1 or total > MOST_JOINED:
        return tuple(of)
    ((base, shift),) = kinds
    if base is None:
        return tuple(of)
    each = dict.fromkeys([y for _, members in of for y in members.variables if y != x])
    return ((0, Members(base, shift, tuple(each), None)),)


def watchers_of(
    T: list[Any], rows: Sequence[Sequence[int]]
) -> list[tuple[tuple[int, int, int, int, int], ...]]:
    """For each variable the propagators and the events that wake them, of rows of these."""
    return [
        tuple([_watcher(T, a, events) for a, events in zip(row[::2], row[1::2], strict=True)])
        for row in watched(rows)
    ]


def _watcher(T: list[Any], a: int, events: int) -> tuple[int, int, int, int, int]:
    priority = T[a + PRIORITY]
    ring = T[T_QUEUES] + priority * (T[T_QUEUE_MASK] + 1)
    return events, a, T[a + QUEUED], M_HEADS + 2 * priority, ring


def remove_fixed_values(S, T, M):
    """``fixpoint.remove_fixed_values``."""
    fixed = T[T_FIXED_QUEUE]
    stamp = M[M_STAMP]
    while M[M_FIXED_TOP]:
        M[M_FIXED_TOP] = top = M[M_FIXED_TOP] - 1
        x = M[fixed + top]
        for more, of in T[S[x + RIVALS] - 1]:
            base, shift, members, shifts = of
            value = S[x] + more + shift
            if base is None or shifts is not None:
                if not remove_shifted(S, T, M, of, x, value):
                    return False
                continue
            if not 0 <= value - base < WORD_BITS:
                continue
            mask = 1 << (value - base)
            for y in members:
                word = S[y + WORDS]
                if word & mask and y != x:
                    word ^= mask
                    if not word:
                        M[M_CONFLICT_X] = x
                        M[M_CONFLICT_Y] = y
                        return False
                    if S[y + STAMP] != stamp:
                        S[y + STAMP] = stamp
                        top = M[M_TRAIL_TOP]
                        M[top] = S[y : y + ONE_WORD]
                        M[top + 1] = y
                        M[M_TRAIL_TOP] = top + 2
                    S[y + WORDS] = word
                    S[y + SIZE] -= 1
                    events = DOMAIN
                    if value == S[y]:
                        S[y] = base + (word & -word).bit_length() - 1
                        events |= LOWER_BOUND
                    elif value == S[y + UPPER]:
                        S[y + UPPER] = base + word.bit_length() - 1
                        events |= UPPER_BOUND
                    if word & (word - 1) == 0:
                        notify(S, T, M, y, events | FIXED)
                    elif T[S[y + WATCHERS]]:
                        notify(S, T, M, y, events)
    return True


def remove_shifted(S, T, M, of, x, value):
    """Remove ``value`` from variables with one shift each, or of several words."""
    base, _, members, shifts = of
    for y, each in zip(members, shifts or (0,) * len(members), strict=True):
        shifted = value + each
        if S[y] <= shifted <= S[y + UPPER] and y != x:
            if base is None:
                kept = remove(S, T, M, y, shifted)
            else:
                mask = 1 << (shifted - base)
                kept = not S[y + WORDS] & mask or take_out(S, T, M, y, shifted, mask)
            if not kept:
                M[M_CONFLICT_X] = x
                M[M_CONFLICT_Y] = y
                return False
    return True


def take_out(S, T, M, x, value, mask):
    """Remove a value that is open from a domain of one word."""
    size = S[x + SIZE]
    if size == 1:
        return False
    stamp = M[M_STAMP]
    if S[x + STAMP] != stamp:
        S[x + STAMP] = stamp
        top = M[M_TRAIL_TOP]
        M[top] = S[x : x + ONE_WORD]
        M[top + 1] = x
        M[M_TRAIL_TOP] = top + 2
    S[x + WORDS] = word = S[x + WORDS] ^ mask
    S[x + SIZE] = size - 1
    events = DOMAIN if size > 2 else DOMAIN | FIXED
    if value == S[x]:
        S[x] = S[x + BASE] + (word & -word).bit_length() - 1
        events |= LOWER_BOUND
    elif value == S[x + UPPER]:
        S[x + UPPER] = S[x + BASE] + word.bit_length() - 1
        events |= UPPER_BOUND
    if size == 2 or T[S[x + WATCHERS]]:
        notify(S, T, M, x, events)
    return True


def remove(S, T, M, x, value):
    """``domains.remove``."""
    if value < S[x] or value > S[x + UPPER]:
        return True
    if S[x + LENGTH] != ONE_WORD:
        return domains.remove(S, T, M, x, value)
    mask = 1 << (value - S[x + BASE])
    return not S[x + WORDS] & mask or take_out(S, T, M, x, value, mask)


def set_lower(S, T, M, x, value):
    """``domains.set_lower``."""
    if value <= S[x]:
        return True
    if value > S[x + UPPER]:
        return False
    if S[x + LENGTH] != ONE_WORD:
        return domains.set_lower(S, T, M, x, value)
    base = S[x + BASE]
    return keep(S, T, M, x, S[x + WORDS] & (-1 << (value - base)), base)


def set_upper(S, T, M, x, value):
    """``domains.set_upper``."""
    if value >= S[x + UPPER]:
        return True
    if value < S[x]:
        return False
    if S[x + LENGTH] != ONE_WORD:
        return domains.set_upper(S, T, M, x, value)
    base = S[x + BASE]
    return keep(S, T, M, x, S[x + WORDS] & ((2 << (value - base)) - 1), base)


def assign(S, T, M, x, value):
    """``domains.assign``."""
    lower = S[x]
    if lower == S[x + UPPER]:
        return value == lower
    if S[x + LENGTH] != ONE_WORD:
        return domains.assign(S, T, M, x, value)
    base = S[x + BASE]
    if not lower <= value <= S[x + UPPER] or not S[x + WORDS] >> (value - base) & 1:
        return False
    return keep(S, T, M, x, 1 << (value - base), base)


def keep_words(S, T, M, x, place):
    """``domains.keep_words``."""
    if S[x + LENGTH] != ONE_WORD:
        return domains.keep_words(S, T, M, x, place)
    kept = S[x + WORDS] & M[place]
    if kept == S[x + WORDS]:
        return True
    return kept != 0 and keep(S, T, M, x, kept, S[x + BASE])


def keep(S, T, M, x, kept, base):
    """Narrow a domain of one word to a part of it, which is not empty."""
    stamp = M[M_STAMP]
    if S[x + STAMP] != stamp:
        S[x + STAMP] = stamp
        top = M[M_TRAIL_TOP]
        M[top] = S[x : x + ONE_WORD]
        M[top + 1] = x
        M[M_TRAIL_TOP] = top + 2
    size = kept.bit_count()
    lower = base + (kept & -kept).bit_length() - 1
    upper = base + kept.bit_length() - 1
    events = DOMAIN if size > 1 else DOMAIN | FIXED
    if lower != S[x]:
        events |= LOWER_BOUND
    if upper != S[x + UPPER]:
        events |= UPPER_BOUND
    S[x : x + ONE_WORD] = lower, upper, size, kept
    notify(S, T, M, x, events)
    return True


def notify(S, T, M, x, events):
    """``queue.notify``."""
    current = M[M_CURRENT]
    for wakes, a, queued, head, ring in T[S[x + WATCHERS] - 1]:
        if wakes & events and not M[queued] and a != current:
            M[queued] = 1
            length = M[head + 1]
            M[ring + ((M[head] + length) & T[T_QUEUE_MASK])] = a
            M[head + 1] = length + 1
    if events & FIXED:
        top = M[M_FIXED_TOP]
        M[T[T_FIXED_QUEUE] + top] = x
        M[M_FIXED_TOP] = top + 1


def propagate_to_fixpoint(S, T, M):
    """``fixpoint.propagate_to_fixpoint``."""
    mask = T[T_QUEUE_MASK]
    ring = T[T_QUEUES]
    M[M_CONFLICT] = 0
    while True:
        M[M_CURRENT] = 0
        if M[M_FIXED_TOP] and not remove_fixed_values(S, T, M):
            return False
        if M[M_HEADS + 1]:
            head, place = M_HEADS, ring
        elif M[M_HEADS + 3]:
            head, place = M_HEADS + 2, ring + mask + 1
        elif M[M_HEADS + 5]:
            head, place = M_HEADS + 4, ring + 2 * mask + 2
        else:
            return True
        first = M[head]
        a = M[place + first]
        M[head] = (first + 1) & mask
        M[head + 1] -= 1
        M[T[a + QUEUED]] = 0
        M[M_PROPAGATIONS] += 1
        if T[a + IDEMPOTENT]:
            M[M_CURRENT] = a
        if not T[a](S, T, M, a):
            M[M_CONFLICT] = a
            return False


def take_every_value(S, T, M, a):
    """``different_tight.take_every_value``."""
    scope = a + SCOPE
    n = T[a + COUNT]
    base = S[T[scope] + BASE]
    if not 0 <= T[scope + n + 1] - base <= T[scope + n + 2] - base < WORD_BITS:
        return different_tight.take_every_value(S, T, M, a)
    once = twice = 0
    for x in T[scope : scope + n]:
        word = S[x + WORDS]
        twice |= once & word
        once |= word
    spare = once.bit_count() - n
    hidden = once & ~twice
    if spare or not hidden:
        return spare >= 0
    for x in T[scope : scope + n]:
        word = S[x + WORDS] & hidden
        if word == 0 or S[x + SIZE] == 1:
            continue
        if word & (word - 1) or not assign(S, T, M, x, base + word.bit_length() - 1):
            return False
    return True


INTERPRETER: dict[Any, Any] = {
    words.count_bits: int.bit_count,
    queue.notify: notify,
    fixpoint.remove_fixed_values: remove_fixed_values,
    fixpoint.propagate_to_fixpoint: propagate_to_fixpoint,
    domains.remove: remove,
    domains.set_lower: set_lower,
    domains.set_upper: set_upper,
    domains.assign: assign,
    domains.keep_words: keep_words,
    different_tight.take_every_value: take_every_value,
}
"""What takes the place of what."""
