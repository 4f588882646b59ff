"""BinPacking: what the items in each bin add up to is its load, or at most its capacity.

Shaw, *A constraint for bin packing*, CP 2004. The load of each bin has a least and a greatest
value, which follow

*   from the items that are in the bin, and those that may be;
*   from the total of all sizes, less the greatest or the least loads of the other bins;
*   from the sums that the items can make which may be in the bin: all of them, as a set of bits
    (Trick, *A dynamic programming approach for consistency and propagation for knapsack
    constraints*, 2003), where Shaw has an approximation. Only for loads below SUMS.

An item leaves a bin where it is too large, and enters one that would not reach its least load
without it. With one open variable, its values are exact. O(items * bins), and as much for each word
of sums.

Scope: the items of positive size, then the limits. Arguments: scratch (``scratch_of``), the number
of items, 1 for ``==`` or 0 for ``<=``, the total, and the sizes.
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
from backends.propagation.kernel.layout import COUNT, SCOPE, SIZE, UPPER, arguments
from backends.propagation.kernel.words import (
    SHORTEST_WORD,
    WORD_BITS,
    WORD_MASK,
    WORD_SHIFT,
    bits_from,
    bits_up_to,
    highest_bit,
    lowest_bit,
)

SUMS = 4096
"""The most bits of a set of sums."""
# The scratch is lists of a cell for each bin: the sizes of the items that are in it, together; of
# those that may be; the least and the greatest load. Then the set of sums.
PACKED, LOOSE, LEAST, GREATEST, REACHED = range(5)


def scratch_of(bins: int) -> list[int]:
    """The scratch for a number of bins."""
    return [0] * (4 * bins + SUMS // SHORTEST_WORD + 1)


def bin_packing(S, T, M, a):
    """Bound the loads, then narrow the items, until nothing changes."""
    c = arguments(T, a)
    n = T[c + 1]
    bins = T[a + COUNT] - n
    scratch, sizes = T[c], c + 4
    changed = True
    while changed:
        add_up(S, T, M, a, n, bins, scratch, sizes)
        if not (
            bound_loads(S, T, M, a, n, bins, scratch, T[c + 2])
            and balance(M, bins, scratch, T[c + 3])
            and bound_sums(S, T, M, a, n, bins, scratch, sizes)
            and balance(M, bins, scratch, T[c + 3])
        ):
            return False
        before = count_open(S, T, a)
        if not narrow_limits(S, T, M, a, n, bins, scratch, T[c + 2]):
            return False
        for i in range(n):
            x = T[a + SCOPE + i]
            if S[x] != S[x + UPPER] and not narrow_item(S, T, M, x, T[sizes + i], bins, scratch):
                return False
        changed = count_open(S, T, a) != before
    return True


def count_open(S, T, a):
    """How many values are open, together; it is less after any change."""
    count = 0
    for k in range(a + SCOPE, a + SCOPE + T[a + COUNT]):
        count += S[T[k] + SIZE]
    return count


def add_up(S, T, M, a, n, bins, scratch, sizes):
    """Sum the sizes of the items that are, and of those that may be, in each bin."""
    packed, loose = scratch + PACKED * bins, scratch + LOOSE * bins
    for k in range(2 * bins):
        M[packed + k] = 0
    for i in range(n):
        x, size = T[a + SCOPE + i], T[sizes + i]
        b, last = S[x], S[x + UPPER]
        if b == last:
            M[packed + b] += size
        else:
            M[loose + b] += size
            while b < last:
                b = next_value(S, x, b + 1)
                M[loose + b] += size


def bound_loads(S, T, M, a, n, bins, scratch, is_equal):
    """Bound each load by its items and its limit."""
    for b in range(bins):
        limit = T[a + SCOPE + n + b]
        least = M[scratch + PACKED * bins + b]
        greatest = least + M[scratch + LOOSE * bins + b]
        if S[limit + UPPER] < greatest:
            greatest = S[limit + UPPER]
        if is_equal != 0 and S[limit] > least:
            least = S[limit]
        if least > greatest:
            return False
        M[scratch + LEAST * bins + b] = least
        M[scratch + GREATEST * bins + b] = greatest
    return True


def balance(M, bins, scratch, total):
    """Bound each load by what the others leave of the total.

    One pass is the fixed point: what the others hold at most raises a least load no further than
    they can go down together, so it lowers none of their greatest loads.
    """
    least, greatest = scratch + LEAST * bins, scratch + GREATEST * bins
    low, high = 0, 0
    for b in range(bins):
        low += M[least + b]
        high += M[greatest + b]
    if low > total or high < total:
        return False
    for b in range(bins):
        bound = total - (high - M[greatest + b])
        if bound > M[least + b]:
            low += bound - M[least + b]
            M[least + b] = bound
        bound = total - (low - M[least + b])
        if bound < M[greatest + b]:
            high -= M[greatest + b] - bound
            M[greatest + b] = bound
        if M[least + b] > M[greatest + b]:
            return False
    return True


def bound_sums(S, T, M, a, n, bins, scratch, sizes):
    """Bound each load by the sums that the items can make which may be in the bin."""
    reached = scratch + REACHED * bins
    for b in range(bins):
        packed = M[scratch + PACKED * bins + b]
        least = M[scratch + LEAST * bins + b] - packed
        greatest = M[scratch + GREATEST * bins + b] - packed
        loose = M[scratch + LOOSE * bins + b]
        if greatest < SUMS and loose > 0 and (least > 0 or greatest < loose):
            words = (greatest >> WORD_SHIFT) + 1
            reach(S, T, M, a, n, b, reached, words, sizes)
            least = first_sum(M, reached, words, least)
            greatest = last_sum(M, reached, greatest)
            if least > greatest:
                return False
            M[scratch + LEAST * bins + b] = packed + least
            M[scratch + GREATEST * bins + b] = packed + greatest
    return True


def reach(S, T, M, a, n, b, reached, words, sizes):
    """Write the set of the sums of some of the open items that may be in a bin."""
    M[reached] = 1
    for w in range(1, words):
        M[reached + w] = 0
    for i in range(n):
        x = T[a + SCOPE + i]
        if S[x] != S[x + UPPER] and contains(S, x, b):
            add_shifted(M, reached, words, T[sizes + i])


def add_shifted(M, reached, words, size):
    """Add to a set of sums each of them plus ``size``."""
    whole, bits = size >> WORD_SHIFT, size & WORD_MASK
    full = bits_up_to(WORD_BITS - 1)
    for w in range(words - 1, whole - 1, -1):
        word = (M[reached + w - whole] << bits) & full
        if bits > 0 and w > whole:
            before = M[reached + w - whole - 1]
            word |= (before >> (WORD_BITS - bits)) & bits_up_to(bits - 1)
        M[reached + w] |= word


def first_sum(M, reached, words, least):
    """The first sum from ``least`` on; more than any where there is none."""
    w = least >> WORD_SHIFT
    if w >= words:
        return SUMS
    word = M[reached + w] & bits_from(least & WORD_MASK)
    while word == 0:
        w += 1
        if w == words:
            return SUMS
        word = M[reached + w]
    return (w << WORD_SHIFT) + lowest_bit(word)


def last_sum(M, reached, greatest):
    """The last sum up to ``greatest``; 0 is one."""
    w = greatest >> WORD_SHIFT
    word = M[reached + w] & bits_up_to(greatest & WORD_MASK)
    while word == 0:
        w -= 1
        word = M[reached + w]
    return (w << WORD_SHIFT) + highest_bit(word)


def narrow_limits(S, T, M, a, n, bins, scratch, is_equal):
    """Bound the limits by the loads."""
    for b in range(bins):
        limit = T[a + SCOPE + n + b]
        if not set_lower(S, T, M, limit, M[scratch + LEAST * bins + b]):
            return False
        if is_equal != 0 and not set_upper(S, T, M, limit, M[scratch + GREATEST * bins + b]):
            return False
    return True


def narrow_item(S, T, M, x, size, bins, scratch):
    """Take an item out of bins in which there is too little room; put it where it is needed."""
    b = S[x]
    while True:
        with_it = M[scratch + PACKED * bins + b] + size
        without = with_it + M[scratch + LOOSE * bins + b] - 2 * size
        if with_it > M[scratch + GREATEST * bins + b]:
            if not remove(S, T, M, x, b):
                return False
        elif without < M[scratch + LEAST * bins + b]:
            return assign(S, T, M, x, b)
        if b >= S[x + UPPER]:
            return True
        b = next_value(S, x, b + 1)
