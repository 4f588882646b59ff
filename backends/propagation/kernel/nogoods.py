"""Nogoods from restarts: what a search has refuted, it does not visit again from the root.

Where a search starts again, its last branch has decisions ``x = v``, and below the first k of them
values ``y != w`` whose subtrees have been searched in vain. So the k decisions and ``y = w`` do not
hold together: a reduced negative last decision nogood (Lecoutre, Sais, Tabary and Vidal, *Recording
and minimizing nogoods from restarts*, JSAT 2007). They hold for one solution, and for an optimum,
whose bound only tightens.

A nogood at ``c`` in M says that its literals, all of them ``x = v``, do not all hold:

    M[c]                        how many literals it has: at least two
    M[c + NEXT + i], i = 0, 1   the next watch in the list of the i-th literal's variable
    M[c + LITERALS]...          the literals: a variable, a value; the first two are watched

A watch is the number 2c + i; M[M[M_WATCHES] + the number of x] is the first watch of x, or 0. Once
x has a value, the nogoods that watch it look for another literal that does not hold yet; where
there is none, the other watched literal is made false. Watches stay where they are on backtracking
(Moskewicz et al., *Chaff*, DAC 2001). Where room is lacking, the longer nogoods are forgotten.
"""

from __future__ import annotations

from typing import Any

from backends.propagation.kernel.domains import contains, remove
from backends.propagation.kernel.fixpoint import propagate_to_fixpoint
from backends.propagation.kernel.layout import (
    DECISION,
    M_CONFLICT,
    M_CONFLICT_X,
    M_CONFLICT_Y,
    M_DECISIONS,
    M_EXCLUDED,
    M_LONGEST_NOGOOD,
    M_NOGOOD_END,
    M_NOGOOD_TOP,
    M_NOGOODS,
    M_REFUTED,
    M_REFUTED_END,
    M_REFUTED_TOP,
    M_TRAIL_TOP,
    M_WATCHES,
    NUMBER,
    SIZE,
    T_SIZE,
    T_VARIABLES,
    UPPER,
)
from backends.propagation.kernel.trail import pop

NEXT, LITERALS = 1, 3
REFUTED = 3
"""Cells of a refuted decision: how many decisions are above it, its variable, its value."""
MOST_REFUTED, NOGOOD_CELLS = 1000, 1 << 16
"""Refuted decisions of one branch, and cells of nogoods from the first restart on."""
MOST_LITERALS = 256
"""Longer nogoods are not kept to begin with."""


def cells_before_nogoods(variables: int) -> int:
    """How many cells of M lists and refuted decisions take."""
    return variables + REFUTED * MOST_REFUTED


def begin_nogoods(M: Any, place: int, variables: int) -> None:
    """Lay out empty lists at ``place``; nogoods have no room yet, since a short search has
    none."""
    M[M_WATCHES] = place
    M[M_REFUTED] = M[M_REFUTED_TOP] = place + variables
    end = place + cells_before_nogoods(variables)
    M[M_REFUTED_END] = M[M_NOGOODS] = M[M_NOGOOD_TOP] = M[M_NOGOOD_END] = end
    M[M_LONGEST_NOGOOD] = MOST_LITERALS


def lacks_nogoods(M: Any) -> bool:
    """Whether nogoods are to be kept and have no room yet."""
    return M[M_REFUTED] != 0 and M[M_NOGOOD_END] == M[M_NOGOODS]  # type: ignore[no-any-return]


def note_refuted(M, depth, x, value):
    """Note that ``x = value`` has been refuted below ``depth`` decisions."""
    top = M[M_REFUTED_TOP]
    while top > M[M_REFUTED] and M[top - REFUTED] > depth:
        top -= REFUTED
    if depth > 0 and top < M[M_REFUTED_END]:
        M[top], M[top + 1], M[top + 2] = depth, x, value
        top += REFUTED
    M[M_REFUTED_TOP] = top


def keep_nogoods(S, T, M):
    """Keep the nogoods of the last branch, whose decisions have been taken back; False if nothing
    is left to search."""
    for refuted in range(M[M_REFUTED], M[M_REFUTED_TOP], REFUTED):
        n = M[refuted] + 1
        while not fits(M, n) and 2 < M[M_LONGEST_NOGOOD] >= n:
            M[M_LONGEST_NOGOOD] //= 2
            if not forget_longer(S, T, M):
                return False
        if n > M[M_LONGEST_NOGOOD] or not fits(M, n):
            continue
        first = M[M_NOGOOD_TOP] + LITERALS
        M[first], M[first + 1] = M[refuted + 1], M[refuted + 2]
        for k in range(1, n):  # the last decisions first: they are the last that will hold again
            decision = M[M_DECISIONS] + DECISION * (n - 1 - k)
            M[first + 2 * k], M[first + 2 * k + 1] = M[decision + 1], M[decision + 2]
        if not keep(S, T, M, first, n):
            return False
    M[M_REFUTED_TOP] = M[M_REFUTED]
    return True


def fits(M, n):
    """Whether there is room for a nogood of ``n`` literals."""
    return M[M_NOGOOD_TOP] + LITERALS + 2 * n <= M[M_NOGOOD_END]


def keep(S, T, M, source, n):
    """Keep the nogood of ``n`` literals at ``source``, without those that hold at the root; False
    if all do."""
    c = M[M_NOGOOD_TOP]
    end = c + LITERALS
    for k in range(source, source + 2 * n, 2):
        x, value = M[k], M[k + 1]
        if not contains(S, x, value):
            return True
        if S[x + SIZE] > 1:
            M[end], M[end + 1] = x, value
            end += 2
    size = (end - c - LITERALS) // 2
    if size == 0:
        return False
    if size == 1:
        return remove(S, T, M, M[c + LITERALS], M[c + LITERALS + 1])
    if size <= M[M_LONGEST_NOGOOD]:
        M[c] = size
        M[M_NOGOOD_TOP] = end
        watch(S, M, 2 * c)
        watch(S, M, 2 * c + 1)
    return True


def watch(S, M, number):
    """Put a watch into the list of its literal's variable."""
    c, i = number >> 1, number & 1
    head = M[M_WATCHES] + S[M[c + LITERALS + 2 * i] + NUMBER]
    M[c + NEXT + i] = M[head]
    M[head] = number


def forget_longer(S, T, M):
    """Keep the nogoods of at most M[M_LONGEST_NOGOOD] literals; False if one is violated."""
    for head in range(M[M_WATCHES], M[M_WATCHES] + T[T_SIZE]):
        M[head] = 0
    c, end = M[M_NOGOODS], M[M_NOGOOD_TOP]
    M[M_NOGOOD_TOP] = c
    while c < end:
        n = M[c]
        if not keep(S, T, M, c + LITERALS, n):
            return False
        c += LITERALS + 2 * n
    return True


def propagate_with_nogoods(S, T, M, mark):
    """Propagate to a fixed point, nogoods included, what has changed since the trail was ``mark``
    long."""
    if M[M_NOGOOD_TOP] == M[M_NOGOODS]:
        return propagate_to_fixpoint(S, T, M)
    excluded = -1
    while excluded != M[M_EXCLUDED]:
        excluded = M[M_EXCLUDED]
        if not propagate_to_fixpoint(S, T, M) or not visit_fixed(S, T, M, mark):
            return False
    return True


def visit_fixed(S, T, M, mark):
    """Visit the nogoods of the variables that have one value, of those that have changed."""
    last = T[T[T_VARIABLES] + T[T_SIZE] - 1]
    top = M[M_TRAIL_TOP]
    while top > mark:
        x = M[top - 1]
        top = pop(S, M, top)
        if x <= last and S[x + SIZE] == 1 and not visit(S, T, M, x):
            return False
    return True


def visit(S, T, M, x):
    """Visit the nogoods that watch ``x``, which has one value; False if one is violated."""
    value = S[x]
    place = M[M_WATCHES] + S[x + NUMBER]
    while M[place] != 0:
        c, i = M[place] >> 1, M[place] & 1
        mine = c + LITERALS + 2 * i
        other = c + LITERALS + 2 - 2 * i
        y, excluded = M[other], M[other + 1]
        if M[mine + 1] == value and contains(S, y, excluded):
            end = c + LITERALS + 2 * M[c]
            k = c + LITERALS + 4
            while k < end and S[M[k]] == M[k + 1] and S[M[k] + UPPER] == M[k + 1]:
                k += 2
            if k < end:
                z, awaited = M[k], M[k + 1]
                M[k], M[k + 1] = x, value
                M[mine], M[mine + 1] = z, awaited
                number = M[place]
                M[place] = M[c + NEXT + i]
                watch(S, M, number)
                continue
            M[M_EXCLUDED] += 1
            if not remove(S, T, M, y, excluded):
                M[M_CONFLICT] = 0
                M[M_CONFLICT_X], M[M_CONFLICT_Y] = x, y
                return False
        place = c + NEXT + i
    return True
