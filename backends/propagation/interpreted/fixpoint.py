"""Propagation to a fixed point, interpreted: the steps of ``kernel.fixpoint``, faster."""

from __future__ import annotations

from backends.propagation.interpreted.domains import remove, take_out
from backends.propagation.interpreted.neighbours import (
    M_NEIGHBOURS,
    begin_lists,
    list_neighbours,
)
from backends.propagation.interpreted.queue import NOTHING, SOME_EVENTS, T_WAKING, list_woken
from backends.propagation.kernel.branching import ACTIVITY
from backends.propagation.kernel.fixpoint import MOST_WORK, must_stop
from backends.propagation.kernel.layout import (
    BASE,
    DOMAIN,
    FIXED,
    IDEMPOTENT,
    LOWER_BOUND,
    M_BRANCHING,
    M_CONFLICT,
    M_CONFLICT_X,
    M_CONFLICT_Y,
    M_CURRENT,
    M_FIXED_TOP,
    M_HEADS,
    M_NODES,
    M_PROPAGATIONS,
    M_STAMP,
    M_TRAIL_TOP,
    QUEUED,
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

TO_WATCHERS = WATCHERS - WORDS
"""From the word of a variable to where its watchers are named."""


def remove_fixed_values(S, T, M):
    """``fixpoint.remove_fixed_values``.

    Words are narrowed first, and the rest of each record once no value is left to remove: where two
    rivals have one value there is none to write.
    """
    queue = T[T_FIXED_QUEUE]
    fixed = M[queue : queue + M[M_FIXED_TOP]]
    M[M_FIXED_TOP] = 0
    mask_of_queues = T[T_QUEUE_MASK]
    known = M[M_NEIGHBOURS]
    if not known or M[M_NODES] > known[0]:
        M[M_NEIGHBOURS] = known = begin_lists(M, known)
    is_steady, is_quiet = T[T_WAKING] < SOME_EVENTS, T[T_WAKING] == NOTHING
    before: dict[int, int] = {}
    while fixed:
        x = fixed.pop()
        parts = known.get(x)
        if parts is None:
            parts = list_neighbours(S, T, M, x)
        for words, shift, more, of in parts:
            if words is None:
                if before:
                    write_records(S, M, before)
                    before.clear()
                if not remove_shifted(S, T, M, of, x, S[x] + more):
                    return False
                if M[M_FIXED_TOP]:
                    fixed += M[queue : queue + M[M_FIXED_TOP]]
                    M[M_FIXED_TOP] = 0
                continue
            mask = S[x + WORDS]
            if shift:
                mask = mask << shift if shift > 0 else mask >> -shift
            for w in words:
                word = S[w]
                if word & mask:
                    rest = word ^ mask
                    if not rest & (rest - 1):
                        if not rest:
                            if w == x + WORDS:
                                continue
                            leave_records(S, M, before)
                            return note_conflict(M, x, w - WORDS)
                        fixed.append(w - WORDS)
                    S[w] = rest
                    if w not in before:
                        before[w] = word
                        if is_quiet:
                            continue
                    elif is_steady:
                        continue
                    woken = T[S[w + TO_WATCHERS] - 1]
                    wake = woken[0]
                    if wake is None:
                        events = DOMAIN if rest & (rest - 1) else DOMAIN | FIXED
                        if rest < mask:
                            events |= UPPER_BOUND
                        elif not rest & (mask - 1):
                            events |= LOWER_BOUND
                        wake = woken[events]
                        if wake is None:
                            wake = list_woken(T, woken, events)
                    for queued, a, head, ring in wake:  # as ``notify``, without a call
                        if not M[queued]:
                            M[queued] = 1
                            length = M[head + 1]
                            M[ring + ((M[head] + length) & mask_of_queues)] = a
                            M[head + 1] = length + 1
    if before:
        write_records(S, M, before)
    return True


def write_records(S, M, before):
    """Write the records of the words that had the values ``before``, by their places."""
    stamp = M[M_STAMP]
    trail = M[M_TRAIL_TOP]
    for w, word in before.items():
        rest = S[w]
        y = w - WORDS
        if S[y + STAMP] != stamp:
            S[y + STAMP] = stamp
            M[trail] = [S[y], S[y + UPPER], S[y + SIZE], word]
            M[trail + 1] = y
            trail += 2
        base = S[y + BASE] - 1
        S[y:w] = base + (rest & -rest).bit_length(), base + rest.bit_length(), rest.bit_count()
    M[M_TRAIL_TOP] = trail


def leave_records(S, M, before):
    """Restore the words, since what failed is taken back; the rule of activity counts changes."""
    if M[M_BRANCHING] == ACTIVITY:
        write_records(S, M, before)
        return
    for w, word in before.items():
        S[w] = word


def remove_shifted(S, T, M, of, x, value):
    """Remove ``value`` from variables with one shift each, of several words, or of an interval."""
    base, words, shift, members, shifts = of
    value += shift
    if words is None:
        for y, each in zip(members, shifts or (0,) * len(members), strict=True):
            if y != x and not remove(S, T, M, y, value + each):
                return note_conflict(M, x, y)
        return True
    bit = value - base
    for w, each in zip(words, shifts or (0,) * len(words), strict=True):
        number = bit + each
        if number >= 0 and S[w] >> number & 1:
            y = w - WORDS
            if y != x and not take_out(S, T, M, y, value + each, 1 << number):
                return note_conflict(M, x, y)
    return True


def note_conflict(M, x, y):
    """Note two rivals with one value; False."""
    M[M_CONFLICT_X] = x
    M[M_CONFLICT_Y] = y
    return False


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
        M[M_PROPAGATIONS] = runs = M[M_PROPAGATIONS] + 1
        if not runs & 127 and must_stop(M, MOST_WORK):
            return False
        if T[a + IDEMPOTENT]:
            M[M_CURRENT] = a
        if not T[a](S, T, M, a):
            M[M_CONFLICT] = a
            return False
