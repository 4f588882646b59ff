"""``z == x * y``: bounds consistency over the reals, rounded, until nothing changes.

z lies between the least and the greatest product of bounds; a factor between the quotients of z by
the other factor, where that cannot be 0, and otherwise is open while z can be 0 (Apt, *Principles
of Constraint Programming*, 2003, chapter 6.5; Schulte and Stuckey, *When do bounds and domain
propagation lead to the same search space?*, TOPLAS 2005). A pass takes constant time. The scope is
z, x, y, without arguments.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import contains, remove, set_lower, set_upper
from backends.propagation.kernel.facts import WITHOUT, write, write_bounds
from backends.propagation.kernel.layout import SCOPE, SIZE, UPPER


def product(S, T, M, a):
    """``z == x * y``."""
    z, x, y = T[a + SCOPE], T[a + SCOPE + 1], T[a + SCOPE + 2]
    while True:
        if not bound_product(S, T, M, z, x, y):
            return False
        size = S[z + SIZE] + S[x + SIZE] + S[y + SIZE]
        if not bound_factor(S, T, M, x, y, z) or not bound_factor(S, T, M, y, x, z):
            return False
        if S[z + SIZE] + S[x + SIZE] + S[y + SIZE] == size:
            return True


def bound_product(S, T, M, z, x, y):
    """Bound z by the products of the factors' bounds."""
    least = greatest = S[x] * S[y]
    for end in range(1, 4):
        corner = S[x + UPPER * (end & 1)] * S[y + UPPER * (end >> 1)]
        least = corner if corner < least else least
        greatest = corner if corner > greatest else greatest
    return set_lower(S, T, M, z, least) and set_upper(S, T, M, z, greatest)


def bound_factor(S, T, M, x, y, z):
    """Bound x by the quotients of z by y."""
    low, high = S[z], S[z + UPPER]
    if not contains(S, z, 0) and not remove(S, T, M, y, 0):
        return False
    if S[y] <= 0 <= S[y + UPPER]:
        if low <= 0 <= high:
            return True
        most = high if high > -low else -low  # y is -1 or 1 at the least
        return set_lower(S, T, M, x, -most) and set_upper(S, T, M, x, most)
    near, far = S[y], S[y + UPPER]
    if far < 0:
        near, far, low, high = -far, -near, -high, -low
    least = -(-low // (far if low >= 0 else near))
    greatest = high // (near if high >= 0 else far)
    return set_lower(S, T, M, x, least) and set_upper(S, T, M, x, greatest)


# --- explanation ---


def explain_product(S, T, M, a, slot, value, place, out):
    """The bounds of the others; a factor is not 0 since the product is not."""
    z, x, y = T[a + SCOPE], T[a + SCOPE + 1], T[a + SCOPE + 2]
    target = slot >> 2
    if slot & 3 == WITHOUT and value == 0 and target != z:
        return write(M, out, 4 * z + WITHOUT, 0)
    written = 0
    is_twice = x == y or x == z or y == z
    for k in range(3):
        other = T[a + SCOPE + k]
        if other != target or is_twice:
            written += write_bounds(S, M, out + 2 * written, other, place)
    return written
