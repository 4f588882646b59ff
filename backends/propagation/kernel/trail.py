"""The trail: records as they were before they changed, so that backtracking can restore them.

A record is saved once a level, by comparing stamps (Aggoun and Beldiceanu, *Time stamps techniques
for the trailed data in constraint logic programming systems*, 1990). An entry is the cells of the
record, and on top of them its place. The search makes sure beforehand that a whole level fits.
"""

from __future__ import annotations

from backends.propagation.kernel.layout import LENGTH, M_STAMP, M_TRAIL_TOP, STAMP


def save(S, M, r):
    """Save record ``r`` unless this level has done so."""
    if S[r + STAMP] != M[M_STAMP]:
        S[r + STAMP] = M[M_STAMP]
        top = M[M_TRAIL_TOP]
        length = S[r + LENGTH]
        for k in range(length):
            M[top + k] = S[r + k]
        M[top + length] = r
        M[M_TRAIL_TOP] = top + length + 1


def undo(S, M, mark):
    """Restore every record that was saved since the trail was ``mark`` long; begin a new level."""
    top = M[M_TRAIL_TOP]
    while top > mark:
        r = M[top - 1]
        length = S[r + LENGTH]
        top -= length + 1
        for k in range(length):
            S[r + k] = M[top + k]
    M[M_TRAIL_TOP] = mark
    M[M_STAMP] += 1
