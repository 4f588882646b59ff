"""Linear constraints over integers: bounds consistency on the terms; ``!=`` on the last variable.

``sum(k * x) <= c`` removes each value with which the least sum of all other terms exceeds the
constant; over intervals that is bounds(R) consistency, in one pass of O(n). ``sum(k * x) == c``
does so in both directions until neither changes anything (Harvey and Schimpf, *Bounds consistency
techniques for long linear constraints*, TRICS 2002). ``sum(k * x) != c`` waits for the last open
variable. Each is reified by half: ``b == v`` implies it, and where it cannot hold ``b`` is not v.

Arguments: how many coefficients are positive (these come first), the coefficients, the constant.
A half-reified one has the condition as last variable of its scope and its value v as last argument.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import contains, remove, set_lower, set_upper
from backends.propagation.kernel.layout import COUNT, M_BOUND, SCOPE, UPPER, arguments


def least_sum(S, T, a, n):
    """The least value of the sum of ``n`` terms, by their bounds."""
    c = arguments(T, a)
    positive = T[c]
    least = 0
    for i in range(positive):
        least += T[c + 1 + i] * S[T[a + SCOPE + i]]
    for i in range(positive, n):
        least += T[c + 1 + i] * S[T[a + SCOPE + i] + UPPER]
    return least


def greatest_sum(S, T, a, n):
    """The greatest value of the sum of ``n`` terms, by their bounds."""
    c = arguments(T, a)
    positive = T[c]
    greatest = 0
    for i in range(positive):
        greatest += T[c + 1 + i] * S[T[a + SCOPE + i] + UPPER]
    for i in range(positive, n):
        greatest += T[c + 1 + i] * S[T[a + SCOPE + i]]
    return greatest


def narrow_terms(S, T, M, a, n, slack):
    """Bound each term by its least value and ``slack``, what the sum may exceed its least by."""
    c = arguments(T, a)
    positive = T[c]
    for i in range(positive):
        x = T[a + SCOPE + i]
        k = T[c + 1 + i]
        lower = S[x]
        if k * (S[x + UPPER] - lower) > slack and not set_upper(S, T, M, x, lower + slack // k):
            return False
    for i in range(positive, n):
        x = T[a + SCOPE + i]
        k = -T[c + 1 + i]
        upper = S[x + UPPER]
        if k * (upper - S[x]) > slack and not set_lower(S, T, M, x, upper - slack // k):
            return False
    return True


def at_most(S, T, M, a):
    """``sum(k * x) <= c``."""
    n = T[a + COUNT]
    slack = T[arguments(T, a) + 1 + n] - least_sum(S, T, a, n)
    return slack >= 0 and narrow_terms(S, T, M, a, n, slack)


def objective_at_most(S, T, M, a):
    """``sum(k * x) <= M[M_BOUND]``, which becomes less with each better solution."""
    n = T[a + COUNT]
    slack = M[M_BOUND] - least_sum(S, T, a, n)
    return slack >= 0 and narrow_terms(S, T, M, a, n, slack)


def implied_at_most(S, T, M, a):
    """``b == v`` implies ``sum(k * x) <= c``."""
    n = T[a + COUNT] - 1
    c = arguments(T, a)
    b = T[a + SCOPE + n]
    v = T[c + 2 + n]
    if not contains(S, b, v):
        return True
    slack = T[c + 1 + n] - least_sum(S, T, a, n)
    if slack < 0:
        return remove(S, T, M, b, v)
    if S[b] != S[b + UPPER]:
        return True
    return narrow_terms(S, T, M, a, n, slack)


def equal(S, T, M, a):
    """``sum(k * x) == c``."""
    n = T[a + COUNT]
    return narrow_equation(S, T, M, a, n, T[arguments(T, a) + 1 + n])


def narrow_equation(S, T, M, a, n, constant):
    """Bound the terms by an equation, until nothing changes."""
    factors = arguments(T, a) + 1
    scope = a + SCOPE
    changed = True
    while changed:
        changed = False
        # What the sum may fall short of, and exceed, where all is at its bounds: not negative.
        above, below = constant, -constant
        for i in range(n):
            x = T[scope + i]
            k = T[factors + i]
            if k > 0:
                above -= k * S[x]
                below += k * S[x + UPPER]
            else:
                above -= k * S[x + UPPER]
                below += k * S[x]
        if above < 0 or below < 0:
            return False
        least = above if above < below else below
        for i in range(n):
            x = T[scope + i]
            k = T[factors + i]
            lower, upper = S[x], S[x + UPPER]
            if k > 0:
                if k * (upper - lower) <= least:
                    continue
                up, down = above // k, below // k
            else:
                if k * (lower - upper) <= least:
                    continue
                up, down = below // -k, above // -k
            if lower + up < upper:
                if not set_upper(S, T, M, x, lower + up):
                    return False
                changed = True
            if upper - down > lower:
                if not set_lower(S, T, M, x, upper - down):
                    return False
                changed = True
    return True


def implied_equal(S, T, M, a):
    """``b == v`` implies ``sum(k * x) == c``."""
    n = T[a + COUNT] - 1
    c = arguments(T, a)
    b = T[a + SCOPE + n]
    v = T[c + 2 + n]
    if not contains(S, b, v):
        return True
    constant = T[c + 1 + n]
    if S[b] == S[b + UPPER]:
        return narrow_equation(S, T, M, a, n, constant)
    possible = least_sum(S, T, a, n) <= constant <= greatest_sum(S, T, a, n)
    if possible and n == 1:
        k = T[c + 1]
        possible = constant % k == 0 and contains(S, T[a + SCOPE], constant // k)
    return possible or remove(S, T, M, b, v)


def not_equal(S, T, M, a):
    """``sum(k * x) != c``."""
    n = T[a + COUNT]
    return narrow_difference(S, T, M, a, n, T[arguments(T, a) + 1 + n])


def narrow_difference(S, T, M, a, n, constant):
    """Remove the value with which the last open variable would make the sum the constant."""
    c = arguments(T, a)
    rest = constant
    last, factor = 0, 1
    for i in range(n):
        x = T[a + SCOPE + i]
        if S[x] == S[x + UPPER]:
            rest -= T[c + 1 + i] * S[x]
        else:
            if last != 0:
                return True
            last, factor = x, T[c + 1 + i]
    if last == 0:
        return rest != 0
    return rest % factor != 0 or remove(S, T, M, last, rest // factor)


def implied_not_equal(S, T, M, a):
    """``b == v`` implies ``sum(k * x) != c``."""
    n = T[a + COUNT] - 1
    c = arguments(T, a)
    b = T[a + SCOPE + n]
    v = T[c + 2 + n]
    if not contains(S, b, v):
        return True
    if S[b] == S[b + UPPER]:
        return narrow_difference(S, T, M, a, n, T[c + 1 + n])
    rest = T[c + 1 + n]
    for i in range(n):
        x = T[a + SCOPE + i]
        if S[x] != S[x + UPPER]:
            return True
        rest -= T[c + 1 + i] * S[x]
    return rest != 0 or remove(S, T, M, b, v)
