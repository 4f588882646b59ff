"""What a conflict teaches: the clause of its first unique implication point, minimised.

From the facts that contradict each other, those of the latest level are replaced by what implied
them until one is left (Marques-Silva and Sakallah, *GRASP*, 1996; Zhang et al., *Efficient conflict
driven learning*, 2001). Then a fact is left out that the others imply (Sörensson and Biere,
*Minimizing learned clauses*, 2009).
"""

from __future__ import annotations

from backends.propagation.kernel.facts import (
    BEFORE,
    DECISION,
    EXACTLY,
    FACT,
    LAST,
    LEVEL,
    M_ASSERTION_LEVEL,
    M_CLAUSE_TOP,
    M_CLAUSES,
    M_FACT_TOP,
    M_FACTS,
    M_LEVELS,
    M_LITERALS,
    M_LONGEST,
    M_MINIMISED,
    M_OUT,
    M_OUT_END,
    M_PENDING,
    M_PENDING_END,
    M_STACK,
    MOST,
    NEED,
    REASON,
    REMOVALS,
    SEEN,
    SLOT,
    STRONGEST,
    WITHOUT,
)
from backends.propagation.kernel.layout import M_FAILURES, M_STOPPED
from backends.propagation.learning.activity import bump
from backends.propagation.learning.layout import (
    CLAUSE_LBD,
    CLAUSE_LITERALS,
    CLAUSE_SIZE,
    opposite_value,
)
from backends.propagation.learning.reasons import explain_conflict, explain_fact

# M[f + SEEN]: whether the clause needs the fact, or, while it is minimised, what is known of it.
UNSEEN, NEEDED, IMPLIED, NOT_IMPLIED = range(4)
FRAME = 3
DEEPEST = 64
"""How long a chain of implications minimising follows."""


def analyse(S, T, M):
    """Write the learned clause to the end of the clauses; how many literals it has, 0 if the
    problem is refuted, or the search is stopped. The facts up to the implication point
    leave the lists of their slots."""
    out, facts = M[M_OUT], M[M_FACTS]
    n = explain_conflict(S, T, M, out)
    level = 0
    for k in range(out, out + 2 * n, 2):
        if M[facts + FACT * M[k] + LEVEL] > level:
            level = M[facts + FACT * M[k] + LEVEL]
    if level == 0:
        return 0
    pending = M[M_PENDING] + 1
    i = M[M_FACT_TOP]
    count = 0  # facts of this level that are needed
    while True:
        for k in range(out, out + 2 * n, 2):
            f = facts + FACT * M[k]
            if M[f + SEEN] == UNSEEN:
                M[f + SEEN] = NEEDED
                M[f + NEED] = M[k + 1]
                bump(S, M, M[f + SLOT] >> 2)
                if M[f + LEVEL] == level:
                    count += 1
                else:
                    M[pending] = M[k]
                    pending += 1
            elif M[k + 1] > M[f + NEED]:
                M[f + NEED] = M[k + 1]
        while True:
            i -= 1
            f = facts + FACT * i
            if M[f + SLOT] & WITHOUT == 0:
                S[(M[f + SLOT] >> 2) + LAST + (M[f + SLOT] & 1)] = M[f + BEFORE]
            if M[f + SEEN] != UNSEEN:
                break
        if count == 1:
            break
        M[f + SEEN] = UNSEEN
        count -= 1
        n = explain_fact(S, T, M, i, M[f + NEED], out)
        if M[M_STOPPED] != 0:
            return 0
    M[M_PENDING_END] = pending
    M[M[M_PENDING]] = i
    return write_clause(S, T, M)


def write_clause(S, T, M):
    """Write the clause of the needed facts, of which the implication point is listed first; how
    many literals it has, 0 if the search is stopped."""
    begin, end = M[M_PENDING], M[M_PENDING_END]
    facts, stack = M[M_FACTS], M[M_STACK]
    mark_levels(M, begin, end)
    for k in range(begin + 1, end):
        if is_implied(S, T, M, M[k]):
            M[facts + FACT * M[k] + SEEN] = IMPLIED
        if M[M_STOPPED] != 0:
            return 0
    mark_strongest(S, M, begin, end)
    clause = M[M_CLAUSES] + M[M_CLAUSE_TOP]
    literals = clause + CLAUSE_LITERALS
    n = 0
    for k in range(begin, end):
        i = M[k]
        f = facts + FACT * i
        if M[f + SEEN] != NEEDED:
            continue
        slot, value = M[f + SLOT], M[f + NEED]
        kind = slot & EXACTLY
        if kind < WITHOUT:
            x = slot >> 2
            if S[x + STRONGEST + kind] != i:
                continue  # a stronger fact of the slot is needed
            other = S[x + STRONGEST + (kind ^ 1)]
            if S[x + REMOVALS] != 0 and other != 0 and M[facts + FACT * other + NEED] == -value:
                if other > i:
                    continue  # x == v, since the later fact
                if kind == MOST:
                    value = -value
                slot = 4 * x + EXACTLY
        M[literals + 2 * n] = slot ^ 1
        M[literals + 2 * n + 1] = opposite_value(slot, value)
        M[stack + n] = i
        n += 1
    M[M_LITERALS] += n
    M[M_MINIMISED] += end - begin - n
    unmark(S, M)
    M[clause + CLAUSE_SIZE] = n
    M[clause + CLAUSE_LBD] = count_levels(M, n)
    choose_second(M, literals, n)
    return n


def mark_levels(M, begin, end):
    """Mark the levels of the needed facts by the number of this conflict."""
    for k in range(begin, end):
        M[M[M_LEVELS] + M[M[M_FACTS] + FACT * M[k] + LEVEL]] = M[M_FAILURES]


def count_levels(M, n):
    """How many levels the ``n`` facts on the stack come from; all are marked."""
    levels = M[M_LEVELS]
    found = 0
    for k in range(M[M_STACK], M[M_STACK] + n):
        level = M[M[M_FACTS] + FACT * M[k] + LEVEL]
        if M[levels + level] == M[M_FAILURES]:
            M[levels + level] = 0
            found += 1
    return found


def is_implied(S, T, M, first):
    """Whether the other needed facts imply fact ``first``."""
    facts, stack = M[M_FACTS], M[M_STACK]
    levels, conflict = M[M_LEVELS], M[M_FAILURES]
    if M[facts + FACT * first + REASON] == DECISION:
        return False
    push(S, T, M, stack, first, M[M_OUT])
    frame = stack
    while frame >= stack:
        cursor = M[frame + 1]
        if cursor == M[frame + 2]:
            if frame > stack:
                remember(M, M[frame], IMPLIED)
            frame -= FRAME
            continue
        M[frame + 1] = cursor + 2
        i, need = M[cursor], M[cursor + 1]
        f = facts + FACT * i
        seen = M[f + SEEN]
        if (seen == NEEDED or seen == IMPLIED) and need <= M[f + NEED]:
            continue
        if (
            seen != UNSEEN
            or M[f + REASON] == DECISION
            or M[M_STOPPED] != 0
            or M[levels + M[f + LEVEL]] != conflict
            or frame >= stack + FRAME * DEEPEST
            or M[frame + 2] + M[M_LONGEST] > M[M_OUT_END]
        ):
            while frame > stack:
                remember(M, M[frame], NOT_IMPLIED)
                frame -= FRAME
            return False
        M[f + NEED] = need
        frame += FRAME
        push(S, T, M, frame, i, M[frame - FRAME + 2])
    return True


def push(S, T, M, frame, i, out):
    """Explain fact ``i``, and note the fact, the next of its explanation, and the end of it."""
    M[frame] = i
    M[frame + 1] = out
    M[frame + 2] = out + 2 * explain_fact(S, T, M, i, M[M[M_FACTS] + FACT * i + NEED], out)


def remember(M, i, seen):
    """Note what is known of a fact, and that this has to be forgotten."""
    M[M[M_FACTS] + FACT * i + SEEN] = seen
    M[M[M_PENDING_END]] = i
    M[M_PENDING_END] += 1


def mark_strongest(S, M, begin, end):
    """Note the latest needed fact of each slot in the header of its variable."""
    for k in range(begin, end):
        f = M[M_FACTS] + FACT * M[k]
        slot = M[f + SLOT]
        if M[f + SEEN] == NEEDED and slot & WITHOUT == 0:
            cell = (slot >> 2) + STRONGEST + (slot & 1)
            if S[cell] < M[k]:
                S[cell] = M[k]


def unmark(S, M):
    """Forget what analysis has noted of facts."""
    for k in range(M[M_PENDING], M[M_PENDING_END]):
        f = M[M_FACTS] + FACT * M[k]
        M[f + SEEN] = UNSEEN
        slot = M[f + SLOT]
        if slot & WITHOUT == 0:
            S[(slot >> 2) + STRONGEST + (slot & 1)] = 0


def choose_second(M, literals, n):
    """Let the second literal be one of those that became false last, but for the first; note its
    level."""
    facts, stack = M[M_FACTS], M[M_STACK]
    last = 1
    for k in range(2, n):
        if M[stack + k] > M[stack + last]:
            last = k
    M[M_ASSERTION_LEVEL] = 0
    if n > 1:
        M[M_ASSERTION_LEVEL] = M[facts + FACT * M[stack + last] + LEVEL]
        a, b = literals + 2, literals + 2 * last
        M[a], M[b] = M[b], M[a]
        M[a + 1], M[b + 1] = M[b + 1], M[a + 1]
