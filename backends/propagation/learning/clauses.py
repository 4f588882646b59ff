"""Clauses over literals: truth, two watched literals, propagation, and forgetting.

Clauses are attached and removed only where no decision is taken, but for the one that a conflict
has just given; then those are dropped that are true, and the literals that are false.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import contains
from backends.propagation.kernel.facts import (
    CLAUSE,
    EXACTLY,
    FACT,
    FORMER,
    LEAST,
    M_CLAUSE_TOP,
    M_CLAUSES,
    M_FACT_HEAD,
    M_FACT_TOP,
    M_FACTS,
    M_FAILED_SLOT,
    M_FORGOTTEN,
    M_FULL,
    M_LEARNED,
    M_LIST_END,
    M_LIST_TOP,
    M_LISTS,
    M_REASON,
    MOST,
    NO_ROOM_FOR_LISTS,
    NUMBER_SHIFT,
    SLOT,
    VALUE,
    WATCHED,
    WITHOUT,
)
from backends.propagation.kernel.fixpoint import LARGE, must_stop
from backends.propagation.kernel.layout import T_SIZE, T_VARIABLES, UPPER
from backends.propagation.learning.domains import assign, remove, set_lower, set_upper
from backends.propagation.learning.layout import (
    CLAUSE_LBD,
    CLAUSE_LITERALS,
    CLAUSE_SIZE,
    ENTRY,
    FIRST_CLAUSE,
    FIRST_LIST_ROOM,
    LIST_ENTRIES,
    LIST_ROOM,
    LIST_SIZE,
)

WORK = 16 * LARGE
"""What visiting the clauses of ``LARGE`` facts counts as, in variables looked at."""
TRUE, UNIT, FALSE, MOVED, STAYS = range(5)


def is_true(S, slot, value):
    """Whether a literal is true."""
    x, kind = slot >> 2, slot & EXACTLY
    if kind < WITHOUT:  # which bound it is must not be a branch, for none can foretell it
        bound = S[x + kind]
        if kind == MOST:
            bound = -bound
        return bound >= value
    if kind == WITHOUT:
        return not contains(S, x, value)
    return S[x] == value and S[x + UPPER] == value


def is_false(S, slot, value):
    """Whether a literal is false; it may be neither."""
    x, kind = slot >> 2, slot & EXACTLY
    if kind < WITHOUT:
        bound = S[x + UPPER - kind]
        if kind == MOST:
            bound = -bound
        return bound < value
    if kind == WITHOUT:
        return S[x] == value and S[x + UPPER] == value
    return not contains(S, x, value)


def make_true(S, T, M, slot, value):
    """Make a literal true, for the reason M[M_REASON]; False if it is false."""
    x, kind = slot >> 2, slot & EXACTLY
    if kind == LEAST:
        return set_lower(S, T, M, x, value)
    if kind == MOST:
        return set_upper(S, T, M, x, -value)
    if kind == WITHOUT:
        return remove(S, T, M, x, value)
    return assign(S, T, M, x, value)


def watch(S, M, node):
    """Let a clause watch its first literal, or its second where ``node`` is odd; False if room is
    lacking."""
    literal = M[M_CLAUSES] + (node & -2) + CLAUSE_LITERALS + 2 * (node & 1)
    slot = M[literal]
    head = (slot >> 2) + WATCHED + (slot & EXACTLY)
    w = S[head]
    if w == 0 or M[w + LIST_SIZE] == M[w + LIST_ROOM]:
        w = longer_list(M, w)
        if w == 0:
            return False
        S[head] = w
    end = w + LIST_ENTRIES + M[w + LIST_SIZE]
    M[end] = M[literal + 1]
    M[end + 1] = node
    M[w + LIST_SIZE] += ENTRY
    return True


def longer_list(M, w):
    """A copy of a list, 0 for none, that has twice its room; 0 if that does not fit into M."""
    room, size = FIRST_LIST_ROOM, 0
    if w != 0:
        size = M[w + LIST_SIZE]
        room = 2 * size
    new = M[M_LIST_TOP]
    if new + LIST_ENTRIES + room > M[M_LIST_END]:
        M[M_FULL] = NO_ROOM_FOR_LISTS
        return 0
    M[M_LIST_TOP] = new + LIST_ENTRIES + room
    M[new + LIST_ROOM] = room
    M[new + LIST_SIZE] = size
    for k in range(LIST_ENTRIES, LIST_ENTRIES + size):
        M[new + k] = M[w + k]
    return new


def propagate_clauses(S, T, M):
    """Visit the clauses that watch what has become false; False if one is false."""
    while M[M_FACT_HEAD] < M[M_FACT_TOP]:
        f = M[M_FACTS] + FACT * M[M_FACT_HEAD]
        M[M_FACT_HEAD] += 1
        if M[M_FACT_HEAD] & LARGE - 1 == 0 and must_stop(M, WORK):
            return False
        slot, value, former = M[f + SLOT], M[f + VALUE], M[f + FORMER]
        x, kind = slot >> 2, slot & EXACTLY
        exactly = x + WATCHED + EXACTLY
        if kind == WITHOUT:
            if S[exactly] != 0 and not visit(S, T, M, exactly, value, value):
                return False
            continue
        against = x + WATCHED + (kind ^ 1)
        if S[against] != 0 and not visit(S, T, M, against, 1 - value, -former):
            return False
        if S[exactly] != 0:
            low, high = former, value - 1
            if kind == MOST:
                low, high = 1 - value, -former
            if not visit(S, T, M, exactly, low, high):
                return False
        without = x + WATCHED + WITHOUT
        if S[without] != 0 and S[x] == S[x + UPPER] and not visit(S, T, M, without, S[x], S[x]):
            return False
    return True


def visit(S, T, M, head, low, high):
    """Visit the clauses of a list whose watched literal has a value from ``low`` to ``high``: it is
    false."""
    w = S[head]
    kept = w + LIST_ENTRIES
    end = kept + M[w + LIST_SIZE]
    if end - kept > LARGE and must_stop(M, end - kept):
        return False
    i = kept
    consistent = True
    while i < end:
        value, node = M[i], M[i + 1]
        i += ENTRY
        if low <= value <= high:
            state = visit_clause(S, M, node, head)
            if state == MOVED:
                continue
            if state == FALSE:
                consistent = False
            elif state == STAYS:
                value = M[M[M_CLAUSES] + (node & -2) + CLAUSE_LITERALS + 2 * (node & 1) + 1]
            elif state == UNIT:
                other = M[M_CLAUSES] + (node & -2) + CLAUSE_LITERALS + 2 - 2 * (node & 1)
                M[M_REASON] = ((node ^ 1) << NUMBER_SHIFT) | CLAUSE
                consistent = make_true(S, T, M, M[other], M[other + 1])
        M[kept] = value
        M[kept + 1] = node
        kept += ENTRY
        if not consistent:
            break
    if kept != i:
        while i < end:
            M[kept] = M[i]
            M[kept + 1] = M[i + 1]
            kept += ENTRY
            i += ENTRY
        M[w + LIST_SIZE] = kept - w - LIST_ENTRIES
    return consistent


def visit_clause(S, M, node, head):
    """Look for another literal to watch for one that is false; what has been found.

    TRUE    the other watched literal is true
    UNIT    only the other watched literal may be true
    FALSE   all literals are false: the conflict is noted
    MOVED   the clause watches a literal of another list
    STAYS   it watches another literal of this list
    """
    c = M[M_CLAUSES] + (node & -2)
    mine = c + CLAUSE_LITERALS + 2 * (node & 1)
    other = c + CLAUSE_LITERALS + 2 - 2 * (node & 1)
    if is_true(S, M[other], M[other + 1]):
        return TRUE
    end = c + CLAUSE_LITERALS + 2 * M[c + CLAUSE_SIZE]
    k = c + CLAUSE_LITERALS + 4
    while k < end and is_false(S, M[k], M[k + 1]):
        k += 2
    if k < end:
        slot, value = M[k], M[k + 1]
        M[k], M[k + 1] = M[mine], M[mine + 1]
        M[mine], M[mine + 1] = slot, value
        if (slot >> 2) + WATCHED + (slot & EXACTLY) == head:
            return STAYS
        if watch(S, M, node):
            return MOVED
        return FALSE
    if is_false(S, M[other], M[other + 1]):
        M[M_REASON] = (node << NUMBER_SHIFT) | CLAUSE
        M[M_FAILED_SLOT] = 0
        return FALSE
    return UNIT


def renew_clauses(S, T, M, worst):
    """Without a decision: drop true clauses, false literals, and learned clauses of more than
    ``worst`` levels but the latest; watch anew. False if a clause is false.

    Every second clause of ``worst`` levels is dropped, too.
    """
    variables = T[T_VARIABLES]
    for k in range(variables, variables + T[T_SIZE]):
        for kind in range(4):
            S[T[k] + WATCHED + kind] = 0
    M[M_LIST_TOP] = M[M_LISTS]
    base = M[M_CLAUSES]
    c, top, end = FIRST_CLAUSE, FIRST_CLAUSE, M[M_CLAUSE_TOP]
    is_odd = False
    M[M_LEARNED] = 0
    while c < end:
        size, lbd = M[base + c + CLAUSE_SIZE], M[base + c + CLAUSE_LBD]
        literals = base + c + CLAUSE_LITERALS
        c += CLAUSE_LITERALS + 2 * size
        if lbd >= worst:
            is_odd = not is_odd
            if lbd > worst or is_odd:
                M[M_FORGOTTEN] += 1
                continue
        n = 0
        new = base + top + CLAUSE_LITERALS
        for k in range(literals, literals + 2 * size, 2):
            slot, value = M[k], M[k + 1]
            if is_true(S, slot, value):
                n = -1
                break
            if not is_false(S, slot, value):
                M[new + 2 * n] = slot
                M[new + 2 * n + 1] = value
                n += 1
        if n == 0 or (n == 1 and not make_true(S, T, M, M[new], M[new + 1])):
            M[M_CLAUSE_TOP] = top
            return False
        if n > 1:
            M[base + top + CLAUSE_SIZE] = n
            M[base + top + CLAUSE_LBD] = lbd
            if not watch(S, M, top) or not watch(S, M, top + 1):
                return False
            if lbd > 0:
                M[M_LEARNED] += 1
            top += CLAUSE_LITERALS + 2 * n
    M[M_CLAUSE_TOP] = top
    return True
