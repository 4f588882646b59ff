"""Linear constraints, interpreted: the steps of ``propagators.linear``, faster.

The terms of a constraint are listed once an arena, as tuples: the place of a variable's lower
bound, that of its upper bound, and the factor without its sign.
"""

from __future__ import annotations

from typing import Any

from backends.propagation.interpreted.domains import set_lower, set_upper
from backends.propagation.kernel.layout import COUNT, M_BOUND, SCOPE, TABLE_HEAD, UPPER

T_TERMS = TABLE_HEAD - 1
"""The cell of T with the terms that are listed, by constraints; 0 to begin with."""


def list_terms(T: list[Any], a: int, n: int) -> Any:
    """The terms with positive factors, and those with others, of the ``n`` of constraint ``a``;
    kept."""
    c = a + SCOPE + T[a + COUNT]
    places, factors = T[a + SCOPE : a + SCOPE + n], T[c + 1 : c + 1 + n]
    terms = [(x, x + UPPER, abs(k)) for x, k in zip(places, factors, strict=True)]
    known = terms[: T[c]], terms[T[c] :]
    if not T[T_TERMS]:
        T[T_TERMS] = {}
    T[T_TERMS][a] = known
    return known


def at_most(S, T, M, a):
    """``linear.at_most``."""
    n = T[a + COUNT]
    return narrow_at_most(S, T, M, a, n, T[a + SCOPE + n + n + 1])


def objective_at_most(S, T, M, a):
    """``linear.objective_at_most``."""
    return narrow_at_most(S, T, M, a, T[a + COUNT], M[M_BOUND])


def equal(S, T, M, a):
    """``linear.equal``."""
    n = T[a + COUNT]
    return narrow_equation(S, T, M, a, n, T[a + SCOPE + n + n + 1])


def narrow_equation(S, T, M, a, n, constant):
    """``linear.narrow_equation``."""
    known = T[T_TERMS]
    plus, minus = known[a] if known and a in known else list_terms(T, a, n)
    changed = True
    while changed:
        changed = False
        above = below = 0
        for x, u, k in plus:
            above += k * S[x]
            below += k * S[u]
        for x, u, k in minus:
            above -= k * S[u]
            below -= k * S[x]
        above = constant - above
        below -= constant
        if above < 0 or below < 0:
            return False
        least = above if above < below else below
        for x, u, k in plus:
            lower, upper = S[x], S[u]
            if k * (upper - lower) > least:
                up = above // k
                if lower + up < upper:
                    if not set_upper(S, T, M, x, lower + up):
                        return False
                    changed = True
                down = below // k
                if upper - down > lower:
                    if not set_lower(S, T, M, x, upper - down):
                        return False
                    changed = True
        for x, u, k in minus:
            lower, upper = S[x], S[u]
            if k * (upper - lower) > least:
                up = below // k
                if lower + up < upper:
                    if not set_upper(S, T, M, x, lower + up):
                        return False
                    changed = True
                down = above // k
                if upper - down > lower:
                    if not set_lower(S, T, M, x, upper - down):
                        return False
                    changed = True
    return True


def narrow_at_most(S, T, M, a, n, most):
    """``sum(k * x) <= most``: ``linear.least_sum``, then ``linear.narrow_terms``."""
    known = T[T_TERMS]
    plus, minus = known[a] if known and a in known else list_terms(T, a, n)
    slack = most
    for x, _, k in plus:
        slack -= k * S[x]
    for _, u, k in minus:
        slack += k * S[u]
    if slack < 0:
        return False
    for x, u, k in plus:
        lower = S[x]
        if k * (S[u] - lower) > slack and not set_upper(S, T, M, x, lower + slack // k):
            return False
    for x, u, k in minus:
        upper = S[u]
        if k * (upper - S[x]) > slack and not set_lower(S, T, M, x, upper - slack // k):
            return False
    return True
