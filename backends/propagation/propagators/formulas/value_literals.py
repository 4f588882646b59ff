"""``b == p`` exactly where ``x == v``, for many b and v of one x: domain consistency, O(literals).

A literal that is decided assigns or removes its value; a value that is lost or assigned decides its
literals. (Such literals are what lazy clause generation makes of a variable: Ohrimenko, Stuckey and
Codish, *Propagation via lazy clause generation*, Constraints 14, 2009.) An interval loses its
bounds only. The scope is x, then each b; the arguments are p and v for each b.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import assign, contains, remove
from backends.propagation.kernel.layout import COUNT, SCOPE, UPPER, arguments


def value_literals(S, T, M, a):
    """``b == p`` exactly where ``x == v``."""
    x = T[a + SCOPE]
    n = T[a + COUNT] - 1
    place = arguments(T, a)
    for i in range(n):
        b = T[a + SCOPE + 1 + i]
        if S[b] == S[b + UPPER]:
            value = T[place + 2 * i + 1]
            if S[b] == T[place + 2 * i]:
                if not assign(S, T, M, x, value):
                    return False
            elif not remove(S, T, M, x, value):
                return False
    fixed = S[x] == S[x + UPPER]
    for i in range(n):
        b = T[a + SCOPE + 1 + i]
        if S[b] != S[b + UPPER]:
            p = T[place + 2 * i]
            if not contains(S, x, T[place + 2 * i + 1]):
                assign(S, T, M, b, 1 - p)
            elif fixed:
                assign(S, T, M, b, p)
    return True
