"""``f[i] == j`` if and only if ``g[j] == i``: what one variable of f, or of g, says of the others.

There is one such propagator for each variable of either list. Together they remove ``i`` from
``g[j]`` where ``j`` has left ``f[i]``, and the other way round, O(n) for each variable that has
changed. So a value that only one variable of f may have is that of the variable, for then its
own variable of g has one value (Hnich, Smith and Walsh, *Dual modelling of permutation and
injection problems*, Journal of Artificial Intelligence Research 21, 2004). Consistency: *fixed*.

The scope is the i-th variable of one list and then all n of the other; the argument is i. All
values lie between 0 and n - 1.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import assign, contains, remove
from backends.propagation.kernel.layout import COUNT, SCOPE, UPPER, arguments


def channel(S, T, M, a):
    """The variables of the other list lose ``i`` where this one has lost their place."""
    x = T[a + SCOPE]
    others = a + SCOPE + 1
    i = T[arguments(T, a)]
    if S[x] == S[x + UPPER] and not assign(S, T, M, T[others + S[x]], i):
        return False
    for j in range(T[a + COUNT] - 1):
        if not contains(S, x, j) and not remove(S, T, M, T[others + j], i):
            return False
    return True
