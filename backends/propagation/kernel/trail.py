"""The trail: records as they were before they changed, so that backtracking can restore them.

A record is saved once a level, by comparing stamps (Aggoun and Beldiceanu, *Time stamps techniques
for the trailed data in constraint logic programming systems*, 1990). An entry is the cells of the
record, and on top of them its place. The search makes sure beforehand that a whole level fits.

These are the interpreted forms, in which one cell of M has the list of the record's cells;
``machine`` has the same with loops.
"""

from __future__ import annotations

from backends.propagation.kernel.layout import LENGTH, M_STAMP, M_TRAIL_TOP, STAMP


def save(S, M, r):
    """Save record ``r`` unless this level has done so."""
    if S[r + STAMP] == M[M_STAMP]:
        return
    S[r + STAMP] = M[M_STAMP]
    top = M[M_TRAIL_TOP]
    M[top] = S[r : r + S[r + LENGTH]]
    M[top + 1] = r
    M[M_TRAIL_TOP] = top + 2


def undo(S, M, mark):
    """Restore every record that was saved since the trail was ``mark`` long; begin a new level."""
    top = M[M_TRAIL_TOP]
    while top > mark:
        cells = M[top - 2]
        r = M[top - 1]
        S[r : r + len(cells)] = cells
        top -= 2
    M[M_TRAIL_TOP] = mark
    M[M_STAMP] += 1


def pop(S, M, top):
    """The length of the trail below its entry that ends at ``top``."""
    return top - 2
