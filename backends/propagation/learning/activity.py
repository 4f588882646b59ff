"""Which variable to branch on: the one that recent conflicts needed most (VSIDS).

A variable gains M[M_STEP] with each conflict that needs one of its facts, and the step grows by a
twentieth with each conflict, so that what is long ago counts less (Moskewicz et al., *Chaff*,
2001). The variables that may be open are kept in a heap, those of a lower tier first.
"""

from __future__ import annotations

from backends.propagation.kernel.facts import (
    ACTIVITY,
    HEAP,
    M_HEAP,
    M_HEAP_SIZE,
    M_STEP,
    TIER,
)
from backends.propagation.kernel.layout import NUMBER, T_SIZE, T_VARIABLES, UPPER

GREATEST_STEP = 1 << 50
FIRST_STEP = 1 << 10
RESCALE_SHIFT = 40


def comes_before(S, x, y):
    """Whether ``x`` is to be branched on rather than ``y``."""
    if S[x + TIER] != S[y + TIER]:
        return S[x + TIER] < S[y + TIER]
    if S[x + ACTIVITY] != S[y + ACTIVITY]:
        return S[x + ACTIVITY] > S[y + ACTIVITY]
    return S[x + NUMBER] < S[y + NUMBER]


def sift_up(S, M, x):
    """Move ``x`` towards the root of the heap."""
    heap = M[M_HEAP]
    i = S[x + HEAP]
    while i > 1:
        y = M[heap + i // 2]
        if not comes_before(S, x, y):
            break
        M[heap + i] = y
        S[y + HEAP] = i
        i //= 2
    M[heap + i] = x
    S[x + HEAP] = i


def sift_down(S, M, x):
    """Move ``x`` away from the root of the heap."""
    heap, size = M[M_HEAP], M[M_HEAP_SIZE]
    i = S[x + HEAP]
    while 2 * i <= size:
        j = 2 * i
        if j < size and comes_before(S, M[heap + j + 1], M[heap + j]):
            j += 1
        y = M[heap + j]
        if not comes_before(S, y, x):
            break
        M[heap + i] = y
        S[y + HEAP] = i
        i = j
    M[heap + i] = x
    S[x + HEAP] = i


def enter(S, M, x):
    """Put ``x`` into the heap unless it is there."""
    if S[x + HEAP] == 0:
        M[M_HEAP_SIZE] += 1
        S[x + HEAP] = M[M_HEAP_SIZE]
        sift_up(S, M, x)


def most_active(S, M):
    """The open variable to branch on; 0 if all are fixed. Fixed ones leave the heap."""
    heap = M[M_HEAP]
    while M[M_HEAP_SIZE] > 0:
        x = M[heap + 1]
        if S[x] != S[x + UPPER]:
            return x
        last = M[heap + M[M_HEAP_SIZE]]
        M[M_HEAP_SIZE] -= 1
        S[x + HEAP] = 0
        if last != x:
            S[last + HEAP] = 1
            sift_down(S, M, last)
    return 0


def bump(S, M, x):
    """Note that a conflict needs ``x``."""
    S[x + ACTIVITY] += M[M_STEP]
    if S[x + HEAP] != 0:
        sift_up(S, M, x)


def grow_step(S, T, M):
    """Let later conflicts count more; keep all numbers small."""
    M[M_STEP] += M[M_STEP] // 19
    if M[M_STEP] > GREATEST_STEP:
        M[M_STEP] >>= RESCALE_SHIFT
        variables = T[T_VARIABLES]
        for k in range(variables, variables + T[T_SIZE]):
            S[T[k] + ACTIVITY] >>= RESCALE_SHIFT
