"""How many variables have each of several values: O(variables + open values) a round.

A value is had by the variables that are fixed to it at least, and by those for which it is open at
most. Where its count must be the first number, the value leaves all others; where it must be the
second, they take it. Consistency: *fixed*; it is that of a ``count`` for each value, at less cost.
(Régin, *Generalized arc consistency for global cardinality constraint*, AAAI 1996, has domain
consistency by flows.)

The scope is the variables, then the counts. Arguments: the place of the scratch, two cells for each
value; how many values there are, and these, ascending; the least of them, how many from that on
are numbered, and the number of each among the values, or -1.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import (
    assign,
    contains,
    next_value,
    remove,
    set_lower,
    set_upper,
)
from backends.propagation.kernel.layout import COUNT, LENGTH, SCOPE, SIZE, UPPER, WORDS, arguments


def cardinality(S, T, M, a):
    """``counts[k] == number of variables with values[k]``."""
    c = arguments(T, a)
    m = T[c + 1]
    n = T[a + COUNT] - m
    had, open_to = T[c], T[c] + m
    changed = True
    while changed:
        changed = False
        count_all(S, T, M, a, n, m)
        for k in range(m):
            x = T[a + SCOPE + n + k]
            if not set_lower(S, T, M, x, M[had + k]) or not set_upper(S, T, M, x, M[open_to + k]):
                return False
        for k in range(m):
            x = T[a + SCOPE + n + k]
            if M[had + k] == M[open_to + k]:
                continue
            found = 0
            if S[x + UPPER] == M[had + k]:
                found = decide(S, T, M, a, n, T[c + 2 + k], False)
            elif S[x] == M[open_to + k]:
                found = decide(S, T, M, a, n, T[c + 2 + k], True)
            if found < 0:
                return False
            changed = changed or found > 0
    return True


def count_all(S, T, M, a, n, m):
    """Count for each value the variables that are fixed to it, and those for which it is open."""
    c = arguments(T, a)
    had, open_to = T[c], T[c] + m
    numbers = c + 4 + m
    least, span = T[c + 2 + m], T[c + 3 + m]
    for k in range(2 * m):
        M[had + k] = 0
    for i in range(n):
        x = T[a + SCOPE + i]
        value, last = S[x], S[x + UPPER]
        if value == last:
            if least <= value < least + span and T[numbers + value - least] >= 0:
                M[had + T[numbers + value - least]] += 1
                M[open_to + T[numbers + value - least]] += 1
        elif S[x + LENGTH] == WORDS:
            for k in range(m):
                if value <= T[c + 2 + k] <= last:
                    M[open_to + k] += 1
        else:
            last = last if last < least + span else least + span - 1
            value = value if value > least else least
            while value <= last:
                value = next_value(S, x, value)
                if value <= last and T[numbers + value - least] >= 0:
                    M[open_to + T[numbers + value - least]] += 1
                value += 1
    return 0


def decide(S, T, M, a, n, value, wanted):
    """Let all open variables have a value, or none; -1 on failure, 1 if a domain has changed."""
    changed = 0
    for i in range(n):
        x = T[a + SCOPE + i]
        if S[x] != S[x + UPPER] and contains(S, x, value):
            size = S[x + SIZE]
            done = assign(S, T, M, x, value) if wanted else remove(S, T, M, x, value)
            if not done:
                return -1
            if S[x + SIZE] != size:
                changed = 1
    return changed
