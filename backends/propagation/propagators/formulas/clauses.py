"""Clauses over literals ``x == v``, ``x != v``, ``x <= v`` and ``x >= v``: unit propagation.

Each clause watches two of its literals. Only when one of these becomes false is the clause looked
at: another literal that is not false is watched instead; without one, the other watched literal
must hold. Backtracking leaves the watches as they are (Moskewicz et al., *Chaff: engineering an
efficient SAT solver*, DAC 2001). There is a propagator for each variable; it runs through the
clauses that watch its false literals. For clauses of distinct variables that is domain consistency
of each clause.

Arguments
---------
The scope is x. Shared by all of them: the variable of each literal; the kind and the value of each;
in M for each literal the first of the watches of it, 0 for none, and then the clauses. A clause is
two watches, the number of its literals, and the literals, of which the first two are watched. A
watch is the place, counted from the first cell of all, of the next watch of the same literal; that
of the first literal has an even place, the other follows. Own constants: how many literals there
are, the first of x, the end of these.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import assign, contains, remove, set_lower, set_upper
from backends.propagation.kernel.layout import SCOPE, UPPER, WEIGHT

EQUAL, NOT_EQUAL, AT_MOST, AT_LEAST = range(4)
LITERALS = 3
"""Where the literals of a clause begin."""


def visit(S, T, M, a):
    """Run through the clauses that watch a false literal of ``x``."""
    shared = T[a + SCOPE + 1]
    memory = T[shared]
    kinds = shared + 1 + T[a + SCOPE + 2]
    for literal in range(T[a + SCOPE + 3], T[a + SCOPE + 4]):
        if M[memory + literal] == 0 or not is_false(S, T, shared, kinds, literal):
            continue
        link = memory + literal  # the cell that has the watch
        watch = M[link]
        while watch != 0:
            clause = memory + watch - (watch & 1)
            watched = clause + LITERALS + (watch & 1)
            other = M[clause + LITERALS + 1 - (watch & 1)]
            following = M[memory + watch]
            if not is_true(S, T, shared, kinds, other):
                place = clause + LITERALS + 2
                end = clause + LITERALS + M[clause + 2]
                while place < end and is_false(S, T, shared, kinds, M[place]):
                    place += 1
                if place < end:
                    found = M[place]
                    M[place] = literal
                    M[watched] = found
                    M[link] = following
                    M[memory + watch] = M[memory + found]
                    M[memory + found] = watch
                    watch = following
                    continue
                if not make_true(S, T, M, shared, kinds, other):
                    weigh(S, T, M, shared, clause, T[a + SCOPE])
                    return False
            link = memory + watch
            watch = following
    return True


def weigh(S, T, M, shared, clause, x):
    """Count a failure for the variables of its clause; that of ``x`` is counted elsewhere."""
    for place in range(clause + LITERALS, clause + LITERALS + M[clause + 2]):
        y = T[shared + 1 + M[place]]
        if y != x:
            S[y + WEIGHT] += 1


def is_false(S, T, shared, kinds, literal):
    """Whether no open value satisfies a literal."""
    x = T[shared + 1 + literal]
    kind, value = T[kinds + 2 * literal], T[kinds + 2 * literal + 1]
    if kind == EQUAL:
        return not contains(S, x, value)
    if kind == NOT_EQUAL:
        return S[x] == value and S[x + UPPER] == value
    if kind == AT_MOST:
        return S[x] > value
    return S[x + UPPER] < value


def is_true(S, T, shared, kinds, literal):
    """Whether every open value satisfies a literal."""
    x = T[shared + 1 + literal]
    kind, value = T[kinds + 2 * literal], T[kinds + 2 * literal + 1]
    if kind == EQUAL:
        return S[x] == value and S[x + UPPER] == value
    if kind == NOT_EQUAL:
        return not contains(S, x, value)
    if kind == AT_MOST:
        return S[x + UPPER] <= value
    return S[x] >= value


def make_true(S, T, M, shared, kinds, literal):
    """Keep the values that satisfy a literal."""
    x = T[shared + 1 + literal]
    kind, value = T[kinds + 2 * literal], T[kinds + 2 * literal + 1]
    if kind == EQUAL:
        return assign(S, T, M, x, value)
    if kind == NOT_EQUAL:
        return remove(S, T, M, x, value)
    if kind == AT_MOST:
        return set_upper(S, T, M, x, value)
    return set_lower(S, T, M, x, value)
