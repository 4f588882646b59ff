"""The trail, interpreted: the steps of ``kernel.trail``, faster."""

from __future__ import annotations

from backends.propagation.kernel.layout import M_STAMP, M_TRAIL_TOP


def undo(S, M, mark):
    """``trail.undo``: the entries since then are taken out together, the last one first."""
    top = M[M_TRAIL_TOP]
    if top > mark:
        entries = M[mark:top]
        for cells, r in zip(entries[-2::-2], entries[::-2], strict=True):
            S[r : r + len(cells)] = cells
    M[M_TRAIL_TOP] = mark
    M[M_STAMP] += 1
