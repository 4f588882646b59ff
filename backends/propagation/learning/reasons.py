"""Why a fact is true: its explanation is written when a conflict asks for it, not before.

An explanation is first written as literals, then located: each becomes the number of the fact that
made it true, the earliest one, and the value that is needed of it. What is true without a decision
drops out. Long explanations are work after which Python is asked whether to stop: analysis looks at
M[M_STOPPED].
"""

from __future__ import annotations

from backends.propagation.kernel.facts import (
    BEFORE,
    CLAUSE,
    EXACTLY,
    EXPLAIN,
    FACT,
    FORMER,
    KIND,
    LEAST,
    M_CLAUSES,
    M_FACT_TOP,
    M_FACTS,
    M_FAILED_SLOT,
    M_FAILED_VALUE,
    M_REASON,
    MOST,
    NUMBER_SHIFT,
    PROPAGATOR,
    REASON,
    REMOVED,
    RIVAL,
    ROOT,
    SLOT,
    WITHOUT,
    bound_at,
    fact_before,
    removal_before,
    write,
    write_exactly,
)
from backends.propagation.kernel.fixpoint import LARGE, must_stop
from backends.propagation.kernel.layout import COUNT
from backends.propagation.learning.layout import (
    CLAUSE_LITERALS,
    CLAUSE_SIZE,
    opposite_value,
)


def run_explanation(S, T, M, a, slot, value, place, out):
    """Write why propagator ``a`` made a literal true; how many literals that is."""
    return T[a + EXPLAIN](S, T, M, a, slot, value, place, out)


def explain(S, T, M, reason, slot, value, place, out):
    """Write why, before ``place``, a reason makes a literal true, or fails if ``slot`` is 0."""
    kind = reason & KIND
    number = reason >> NUMBER_SHIFT
    if kind == PROPAGATOR:
        if T[number + COUNT] > LARGE:
            must_stop(M, T[number + COUNT])
        return run_explanation(S, T, M, number, slot, value, place, out)
    if kind == CLAUSE:
        return explain_by_clause(M, number, slot, out)
    # RIVAL: the variable ``number`` has a value.
    return write_exactly(M, out, number, bound_at(S, M, 4 * number, place))


def explain_by_clause(M, number, slot, out):
    """Write the opposites of a clause's literals, but for the one at ``number``'s parity."""
    c = M[M_CLAUSES] + (number & -2)
    literals = c + CLAUSE_LITERALS
    without = literals + 2 * (number & 1)
    n = 0
    for k in range(literals, literals + 2 * M[c + CLAUSE_SIZE], 2):
        if k != without or slot == 0:
            n += write_opposite(M, out + 2 * n, M[k], M[k + 1])
    return n


def write_opposite(M, place, slot, value):
    """Write the opposite of a literal; how many literals that is."""
    if slot & EXACTLY == WITHOUT:
        return write_exactly(M, place, slot >> 2, value)
    return write(M, place, slot ^ 1, opposite_value(slot, value))


def explain_fact(S, T, M, i, value, out):
    """Write and locate why fact ``i`` is true, as far as ``value`` is needed of it."""
    f = M[M_FACTS] + FACT * i
    slot, reason = M[f + SLOT], M[f + REASON]
    n = 0
    if reason & REMOVED:
        former = M[f + FORMER]
        n = write(M, out, slot, former)
        if slot & 1:
            former = -former
        n += explain(S, T, M, reason, (slot & -4) + WITHOUT, former, i, out + 2)
    elif reason & KIND >= RIVAL + 1:
        n = explain_skip(M, f, value, out)
    else:
        n = explain(S, T, M, reason, slot, value, i, out)
    return locate(S, M, out, n, i)


def explain_skip(M, f, value, out):
    """Write the former bound, and that each value from there to ``value`` was removed."""
    slot, former = M[f + SLOT], M[f + FORMER]
    n = write(M, out, slot, former)
    for v in range(former, value):
        if slot & 1:
            n += write(M, out + 2 * n, (slot & -4) + WITHOUT, -v)
        else:
            n += write(M, out + 2 * n, (slot & -4) + WITHOUT, v)
    return n


def explain_conflict(S, T, M, out):
    """Write and locate the facts that contradict each other."""
    slot, value = M[M_FAILED_SLOT], M[M_FAILED_VALUE]
    top = M[M_FACT_TOP]
    n = 0
    if slot != 0:
        n = write_opposite(M, out, slot, value)
    n += explain(S, T, M, M[M_REASON], slot, value, top, out + 2 * n)
    return locate(S, M, out, n, top)


def locate(S, M, out, n, place):
    """Replace ``n`` literals by the facts that made them true, and the values needed of these."""
    if n > LARGE:
        must_stop(M, n)
    found = 0
    facts = M[M_FACTS]
    for k in range(out, out + 2 * n, 2):
        slot, value = M[k], M[k + 1]
        i = 0
        if slot & WITHOUT:
            i = removal_before(S, M, slot >> 2, value, place)
            if i == 0:
                slot &= -4
                if bound_at(S, M, slot + LEAST, place) > value:
                    value += 1
                elif bound_at(S, M, slot + MOST, place) > -value:
                    slot += MOST
                    value = 1 - value
                else:
                    continue  # removed without a decision
        if i == 0:
            i = fact_before(S, M, slot, place)
            if S[(slot >> 2) + ROOT + (slot & 1)] >= value:
                continue
            while i != 0 and M[facts + FACT * i + FORMER] >= value:
                i = M[facts + FACT * i + BEFORE]
        M[out + 2 * found] = i
        M[out + 2 * found + 1] = value
        found += 1
    return found
