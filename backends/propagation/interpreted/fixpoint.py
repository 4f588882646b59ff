"""Propagation to a fixed point, interpreted: the steps of ``kernel.fixpoint``, faster."""

from __future__ import annotations

from backends.propagation.interpreted.domains import remove, take_out
from backends.propagation.interpreted.neighbours import M_NEIGHBOURS, list_neighbours
from backends.propagation.interpreted.queue import list_woken
from backends.propagation.kernel.fixpoint import MOST_WORK, must_stop
from backends.propagation.kernel.layout import (
    DOMAIN,
    FIXED,
    IDEMPOTENT,
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
from backends.propagation.kernel.words import WORD_BITS


def remove_fixed_values(S, T, M):
    """``fixpoint.remove_fixed_values``."""
    fixed = T[T_FIXED_QUEUE]
    stamp = M[M_STAMP]
    mask_of_queues = T[T_QUEUE_MASK]
    known = M[M_NEIGHBOURS]
    if not known:
        M[M_NEIGHBOURS] = known = {}
    while M[M_FIXED_TOP]:
        M[M_FIXED_TOP] = top = M[M_FIXED_TOP] - 1
        x = M[fixed + top]
        parts = known.get(x)
        if parts is None:
            parts = list_neighbours(S, T, M, x)
        for more, of in parts:
            base, words, shift, _, shifts = of
            value = S[x] + more + shift
            if words is None or shifts is not None:
                if not remove_shifted(S, T, M, of, x, value):
                    return False
                continue
            if not 0 <= value - base < WORD_BITS:
                continue
            mask = 1 << (value - base)
            trail = M[M_TRAIL_TOP]
            for w in words:
                word = S[w]
                if word & mask:
                    y = w - WORDS
                    if word == mask:
                        if y == x:
                            continue
                        M[M_TRAIL_TOP] = trail
                        return note_conflict(M, x, y)
                    place = y + STAMP
                    if S[place] != stamp:
                        S[place] = stamp
                        M[trail] = S[y : w + 1]
                        M[trail + 1] = y
                        trail += 2
                    S[w] = word = word ^ mask
                    events = DOMAIN
                    if value == S[y]:
                        S[y] = base + (word & -word).bit_length() - 1
                        events = DOMAIN | LOWER_BOUND
                    elif value == S[y + UPPER]:
                        S[y + UPPER] = base + word.bit_length() - 1
                        events = DOMAIN | UPPER_BOUND
                    if word & (word - 1):
                        S[y + SIZE] -= 1
                    else:
                        S[y + SIZE] = 1
                        events |= FIXED
                        top = M[M_FIXED_TOP]
                        M[fixed + top] = y
                        M[M_FIXED_TOP] = top + 1
                    woken = T[S[y + WATCHERS] - 1]
                    wake = woken[events]
                    if wake is None:
                        wake = list_woken(T, woken, events)
                    for queued, a, head, ring in wake:  # as ``notify``, without a call
                        if not M[queued]:
                            M[queued] = 1
                            length = M[head + 1]
                            M[ring + ((M[head] + length) & mask_of_queues)] = a
                            M[head + 1] = length + 1
            M[M_TRAIL_TOP] = trail
    return True


def remove_shifted(S, T, M, of, x, value):
    """Remove ``value`` from variables with one shift each, or of several words."""
    base, words, _, members, shifts = of
    if words is None:
        for y, each in zip(members, shifts or (0,) * len(members), strict=True):
            if y != x and not remove(S, T, M, y, value + each):
                return note_conflict(M, x, y)
        return True
    bit = value - base
    for w, each in zip(words, shifts, strict=True):
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
