"""How many variables have one of some values: domain consistency, O(variables * values).

A variable is *in* where all its open values are counted, *out* where none is, else *open*. The
result lies between the number of those that are in, and that with the open ones added. Where its
upper bound is the first number, all open variables go out; where its lower bound is the second,
they go in. If a variable occurs twice, less is removed; all is checked once variables are fixed.

The scope is the n variables, then the result. Arguments: the place of the state, the number of
variables that are decided, and of those that are in; the place of the scratch, the n
variables' numbers, the decided ones first; how many values there are, and these, ascending.
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
from backends.propagation.kernel.trail import save


def count_values(S, T, M, a):
    """``result == number of variables with one of the values``."""
    n = T[a + COUNT] - 1
    state = T[arguments(T, a)]
    result = T[a + SCOPE + n]
    sort_decided(S, T, M, a, n)
    inside = S[state + 1]
    most = inside + n - S[state]
    if not set_lower(S, T, M, result, inside) or not set_upper(S, T, M, result, most):
        return False
    if inside == most:
        return True
    if S[result + UPPER] == inside:
        return decide(S, T, M, a, n, False)
    if S[result] == most:
        return decide(S, T, M, a, n, True)
    return True


def sort_decided(S, T, M, a, n):
    """Move the variables that are in or out by now to the others of these, and count them."""
    c = arguments(T, a)
    state, order = T[c], T[c + 1]
    decided, inside = S[state], S[state + 1]
    for k in range(order + decided, order + n):
        i = M[k]
        x = T[a + SCOPE + i]
        counted = count_open(S, T, x, c + 2)
        if counted == 0 or counted == S[x + SIZE]:
            M[k] = M[order + decided]
            M[order + decided] = i
            decided += 1
            if counted > 0:
                inside += 1
    if decided != S[state]:
        save(S, M, state)
        S[state], S[state + 1] = decided, inside


def count_open(S, T, x, values):
    """How many of the values are open for ``x``."""
    if T[values] == 1:
        return 1 if contains(S, x, T[values + 1]) else 0
    counted = 0
    for k in range(values + 1, values + 1 + T[values]):
        if contains(S, x, T[k]):
            counted += 1
    return counted


def decide(S, T, M, a, n, wanted):
    """Let all open variables be in, or out."""
    c = arguments(T, a)
    for k in range(T[c + 1] + S[T[c]], T[c + 1] + n):
        x = T[a + SCOPE + M[k]]
        if wanted:
            if not keep_listed(S, T, M, x, c + 2):
                return False
        else:
            for v in range(c + 3, c + 3 + T[c + 2]):
                if not remove(S, T, M, x, T[v]):
                    return False
    return True


def keep_listed(S, T, M, x, values):
    """Remove all values of ``x`` but those listed; of an interval, its bounds."""
    first, last = values + 1, values + T[values]
    if first == last:
        return assign(S, T, M, x, T[first])
    while first <= last and not contains(S, x, T[first]):
        first += 1
    while first <= last and not contains(S, x, T[last]):
        last -= 1
    if first > last or not set_lower(S, T, M, x, T[first]) or not set_upper(S, T, M, x, T[last]):
        return False
    if S[x + LENGTH] == WORDS:
        return True
    for k in range(first, last):
        value = next_value(S, x, T[k] + 1)
        while value < T[k + 1]:
            if not remove(S, T, M, x, value):
                return False
            value = next_value(S, x, value + 1)
    return True
