"""``z == x / y`` rounded toward zero, and ``z == x % y`` with the sign of x: bounds, and values at
the end.

y is not 0. Bounds follow from those of the others by interval arithmetic; where the divisor of a
remainder is fixed, x keeps the values whose remainder is open, and where all but y are fixed, y
keeps the values that divide so. A run takes constant time until then, and then O(values). The scope
is z, x, y, without arguments. (Leconte and Berstel, *Extending a CP solver with congruences as
domains for program verification*, 2006, go further.)
"""

from __future__ import annotations

from backends.propagation.kernel.domains import contains, next_value, remove, set_lower, set_upper
from backends.propagation.kernel.layout import LENGTH, SCOPE, SIZE, UPPER, WORDS


def quotient_of(x, y):
    """``x / y`` rounded toward zero."""
    found = abs(x) // abs(y)
    return found if (x < 0) == (y < 0) else -found


def remainder_of(x, y):
    """What x is beyond the multiple of y next to it toward zero."""
    found = abs(x) % abs(y)
    return -found if x < 0 else found


def greatest_absolute(S, x):
    """The greatest absolute value between the bounds of ``x``."""
    return S[x + UPPER] if S[x + UPPER] > -S[x] else -S[x]


def least_absolute(S, x):
    """The least absolute value between the bounds of ``x``."""
    if S[x] > 0:
        return S[x]
    return -S[x + UPPER] if S[x + UPPER] < 0 else 0


def quotient(S, T, M, a):
    """``z == x / y``."""
    z, x, y = T[a + SCOPE], T[a + SCOPE + 1], T[a + SCOPE + 2]
    if not remove(S, T, M, y, 0):
        return False
    while True:
        size = S[z + SIZE] + S[x + SIZE] + S[y + SIZE]
        if not bound_quotient(S, T, M, z, x, y) or not bound_dividend(S, T, M, z, x, y):
            return False
        if not bound_divisor(S, T, M, z, x, y):
            return False
        if S[z] == S[z + UPPER] and S[x] == S[x + UPPER] and S[y + LENGTH] != WORDS:
            return narrow_divisor(S, T, M, z, x, y, True)
        if S[z + SIZE] + S[x + SIZE] + S[y + SIZE] == size:
            return S[y] != 0 or S[y + UPPER] != 0  # an interval may have been narrowed to 0


def bound_quotient(S, T, M, z, x, y):
    """z lies between the quotients of bounds; y counts where it is next to 0, too."""
    least, greatest = greatest_absolute(S, x), -greatest_absolute(S, x)
    for k in range(8):
        dividend = S[x + UPPER * (k & 1)]
        divisor = S[y + UPPER * ((k >> 1) & 1)] if k < 4 else 1 - (k & 2)
        if divisor != 0 and S[y] <= divisor <= S[y + UPPER]:
            corner = quotient_of(dividend, divisor)
            least = corner if corner < least else least
            greatest = corner if corner > greatest else greatest
    return set_lower(S, T, M, z, least) and set_upper(S, T, M, z, greatest)


def bound_dividend(S, T, M, z, x, y):
    """x lies between the products of bounds, or beyond them by less than y."""
    least = greatest = S[z] * S[y]
    for end in range(1, 4):
        corner = S[z + UPPER * (end & 1)] * S[y + UPPER * (end >> 1)]
        least = corner if corner < least else least
        greatest = corner if corner > greatest else greatest
    rest = greatest_absolute(S, y) - 1
    least = least if least > 0 else least - rest
    greatest = greatest if greatest < 0 else greatest + rest
    return set_lower(S, T, M, x, least) and set_upper(S, T, M, x, greatest)


def bound_divisor(S, T, M, z, x, y):
    """Where z is not 0, y is at most x / z, and has the sign that these have."""
    near = least_absolute(S, z)
    if near == 0:
        return True
    most = greatest_absolute(S, x) // near
    if not set_lower(S, T, M, y, -most) or not set_upper(S, T, M, y, most):
        return False
    if S[x] > 0 or S[x + UPPER] < 0:
        if (S[x] > 0) == (S[z] > 0):
            return set_lower(S, T, M, y, 1)
        return set_upper(S, T, M, y, -1)
    return True


def narrow_divisor(S, T, M, z, x, y, is_quotient):
    """Keep the values of y with which the fixed x has the fixed result z."""
    last = S[y + UPPER]
    value = S[y]
    while True:
        kept = value != 0
        if kept and is_quotient:
            kept = quotient_of(S[x], value) == S[z]
        elif kept:
            kept = remainder_of(S[x], value) == S[z]
        if not kept and not remove(S, T, M, y, value):
            return False
        if value == last:
            return True
        value = next_value(S, y, value + 1)


def remainder(S, T, M, a):
    """``z == x % y``."""
    z, x, y = T[a + SCOPE], T[a + SCOPE + 1], T[a + SCOPE + 2]
    if not remove(S, T, M, y, 0):
        return False
    while True:
        size = S[z + SIZE] + S[x + SIZE] + S[y + SIZE]
        if not bound_remainder(S, T, M, z, x, y):
            return False
        if S[y] == S[y + UPPER]:
            if not bound_in_block(S, T, M, z, x, abs(S[y])):
                return False
            if S[x + LENGTH] != WORDS and not narrow_dividend(S, T, M, z, x, abs(S[y])):
                return False
        elif S[z] == S[z + UPPER] and S[x] == S[x + UPPER] and S[y + LENGTH] != WORDS:
            return narrow_divisor(S, T, M, z, x, y, False)
        if S[z + SIZE] + S[x + SIZE] + S[y + SIZE] == size:
            return True


def bound_remainder(S, T, M, z, x, y):
    """z is less than y, not beyond x, and both have one sign or z is 0."""
    most = greatest_absolute(S, y) - 1
    low = S[x] if S[x] < 0 else 0
    high = S[x + UPPER] if S[x + UPPER] > 0 else 0
    if not set_lower(S, T, M, z, low if low > -most else -most):
        return False
    if not set_upper(S, T, M, z, high if high < most else most):
        return False
    if S[z] > 0 and not set_lower(S, T, M, x, S[z]):
        return False
    return S[z + UPPER] >= 0 or set_upper(S, T, M, x, S[z + UPPER])


def bound_in_block(S, T, M, z, x, y):
    """Where the quotient by the positive y is fixed, x is z and a multiple."""
    multiple = quotient_of(S[x], y) * y
    if multiple != quotient_of(S[x + UPPER], y) * y or (S[x] < 0 < S[x + UPPER]):
        return True
    if not set_lower(S, T, M, z, S[x] - multiple):
        return False
    if not set_upper(S, T, M, z, S[x + UPPER] - multiple):
        return False
    if not set_lower(S, T, M, x, S[z] + multiple):
        return False
    return set_upper(S, T, M, x, S[z + UPPER] + multiple)


def narrow_dividend(S, T, M, z, x, y):
    """Keep the values of x whose remainder by the positive y is open."""
    last = S[x + UPPER]
    value = S[x]
    while True:
        if not contains(S, z, remainder_of(value, y)) and not remove(S, T, M, x, value):
            return False
        if value == last:
            return True
        value = next_value(S, x, value + 1)
