"""Linear constraints over integers: bounds consistency on the terms; ``!=`` on the last variable.

``sum(k * x) <= c`` removes each value with which the least sum of all other terms exceeds the
constant; over intervals that is bounds(R) consistency, in one pass of O(n). ``sum(k * x) == c``
does so in both directions until neither changes anything (Harvey and Schimpf, *Bounds consistency
techniques for long linear constraints*, TRICS 2002). ``sum(k * x) != c`` waits for the last open
variable. Each is reified by half: ``b == v`` implies it, and where it cannot hold ``b`` is not v.

Arguments: how many coefficients are positive (these come first), the coefficients, the constant.
A half-reified one has the condition as last variable of its scope and its value v as last argument.

Explanations give away what a bound exceeds the need: the bounds of the terms are loosened, one
after the other, as long as the conclusion follows (Feydy and Stuckey 2009; Achterberg 2007).
"""

from __future__ import annotations

from backends.propagation.kernel.domains import contains, remove, set_lower, set_upper
from backends.propagation.kernel.facts import (
    BEFORE,
    FACT,
    FORMER,
    M_FACTS,
    MOST,
    VALUE,
    WITHOUT,
    bound_at,
    fact_before,
    write,
    write_exactly,
)
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


# --- explanations ---


def term_slot(T, a, i, sign):
    """The slot whose bound makes ``sign`` times the i-th term least."""
    if sign * T[arguments(T, a) + 1 + i] > 0:
        return 4 * T[a + SCOPE + i]
    return 4 * T[a + SCOPE + i] + MOST


def least_at(S, T, M, a, n, sign, without, place):
    """The least value of ``sign`` times the sum before ``place``; without one of its terms."""
    c = arguments(T, a)
    least = 0
    for i in range(n):
        if i != without:
            bound = bound_at(S, M, term_slot(T, a, i, sign), place)
            least += abs(T[c + 1 + i]) * bound
    return least


def write_terms(S, T, M, a, n, sign, without, place, surplus, out):
    """Write the bounds that make ``sign`` times the sum, without one of its terms, as great as it
    is, loosened by ``surplus`` together."""
    c = arguments(T, a)
    facts = M[M_FACTS]
    written = 0
    for i in range(n):
        if i == without:
            continue
        slot = term_slot(T, a, i, sign)
        f = fact_before(S, M, slot, place)
        if f == 0:
            continue
        k = abs(T[c + 1 + i])
        value = M[facts + FACT * f + VALUE]
        while f != 0 and k * (value - M[facts + FACT * f + FORMER]) <= surplus:
            surplus -= k * (value - M[facts + FACT * f + FORMER])
            value = M[facts + FACT * f + FORMER]
            f = M[facts + FACT * f + BEFORE]
        if f != 0:
            value -= surplus // k
            surplus -= surplus // k * k
            written += write(M, out + 2 * written, slot, value)
    return written


def explain_bound(S, T, M, a, n, sign, constant, slot, value, place, out):
    """Why ``sign * sum <= sign * constant`` makes a literal true; fails where ``slot`` is 0."""
    c = arguments(T, a)
    without, forced = -1, 0
    for i in range(n):
        if slot != 0 and term_slot(T, a, i, sign) == slot ^ 1:
            without = i
            forced = abs(T[c + 1 + i]) * (1 - value)  # the least of the term otherwise
    surplus = forced + least_at(S, T, M, a, n, sign, without, place) - sign * constant - 1
    return write_terms(S, T, M, a, n, sign, without, place, surplus, out)


def explain_at_most(S, T, M, a, slot, value, place, out):
    """The least values of the other terms."""
    n = T[a + COUNT]
    constant = T[arguments(T, a) + 1 + n]
    return explain_bound(S, T, M, a, n, 1, constant, slot, value, place, out)


def explain_objective_at_most(S, T, M, a, slot, value, place, out):
    """The least values of the other terms."""
    return explain_bound(S, T, M, a, T[a + COUNT], 1, M[M_BOUND], slot, value, place, out)


def is_condition(T, a, n, slot, value):
    """Whether a literal says that the condition is false."""
    return slot == 4 * T[a + SCOPE + n] + WITHOUT and value == T[arguments(T, a) + 2 + n]


def write_condition(T, M, a, n, out):
    """Write that the condition is true."""
    return write_exactly(M, out, T[a + SCOPE + n], T[arguments(T, a) + 2 + n])


def explain_implied_at_most(S, T, M, a, slot, value, place, out):
    """The least values of the terms, and the condition."""
    n = T[a + COUNT] - 1
    constant = T[arguments(T, a) + 1 + n]
    if is_condition(T, a, n, slot, value):
        return explain_bound(S, T, M, a, n, 1, constant, 0, 0, place, out)
    written = write_condition(T, M, a, n, out)
    out += 2 * written
    return written + explain_bound(S, T, M, a, n, 1, constant, slot, value, place, out)


def explain_equation(S, T, M, a, n, slot, value, place, out):
    """Why an equation makes a literal true; fails where ``slot`` is 0."""
    constant = T[arguments(T, a) + 1 + n]
    sign = -1
    if slot == 0:
        if least_at(S, T, M, a, n, 1, -1, place) > constant:
            sign = 1
    else:
        for i in range(n):
            if term_slot(T, a, i, 1) == slot ^ 1:
                sign = 1
    return explain_bound(S, T, M, a, n, sign, constant, slot, value, place, out)


def explain_equal(S, T, M, a, slot, value, place, out):
    """The bounds of the other terms, of one direction of the equation."""
    return explain_equation(S, T, M, a, T[a + COUNT], slot, value, place, out)


def explain_implied_equal(S, T, M, a, slot, value, place, out):
    """The bounds of the terms, of one direction of the equation, and the condition."""
    n = T[a + COUNT] - 1
    c = arguments(T, a)
    constant = T[c + 1 + n]
    if not is_condition(T, a, n, slot, value):
        written = write_condition(T, M, a, n, out)
        out += 2 * written
        return written + explain_equation(S, T, M, a, n, slot, value, place, out)
    for sign in (1, -1):
        if least_at(S, T, M, a, n, sign, -1, place) > sign * constant:
            return explain_bound(S, T, M, a, n, sign, constant, 0, 0, place, out)
    if constant % T[c + 1] != 0:
        return 0
    return write(M, out, 4 * T[a + SCOPE] + WITHOUT, constant // T[c + 1])


def write_values(S, T, M, a, n, target, place, out):
    """Write the values of the terms, but of the variable ``target``."""
    written = 0
    for i in range(n):
        x = T[a + SCOPE + i]
        if x != target:
            value = bound_at(S, M, 4 * x, place)
            written += write_exactly(M, out + 2 * written, x, value)
    return written


def explain_not_equal(S, T, M, a, slot, value, place, out):
    """The values of the other variables."""
    return write_values(S, T, M, a, T[a + COUNT], slot >> 2, place, out)


def explain_implied_not_equal(S, T, M, a, slot, value, place, out):
    """The values of the other variables, and the condition."""
    n = T[a + COUNT] - 1
    if is_condition(T, a, n, slot, value):
        return write_values(S, T, M, a, n, 0, place, out)
    written = write_condition(T, M, a, n, out)
    return written + write_values(S, T, M, a, n, slot >> 2, place, out + 2 * written)
