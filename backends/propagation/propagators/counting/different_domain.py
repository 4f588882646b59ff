"""AllDifferent: domain consistency, O(n * values) at worst and mostly less.

A matching gives each variable a value of its own. A value that a variable has not may stay if the
variable could change to it: it is free, or its owner could in turn take another value, and so on
until the first value is free again or some free value is taken. So a graph leads from each
variable to the owners of its other values, from those with a free value to one more node, *free*,
and from there to all variables; a value may stay exactly where owner and variable lie in one
strongly connected component. (Régin, *A filtering algorithm for constraints of difference in
CSPs*, AAAI 1994.) The components are those of Tarjan (*Depth-first search and linear graph
algorithms*, SIAM Journal on Computing 1, 1972), with words of unvisited values in place of lists of
edges.

Three things are kept between two calls (Gent, Miguel and Nightingale, *Generalised arc consistency
for the AllDifferent constraint: an empirical survey*, Artificial Intelligence 172, 2008). The
matching, which backtracking need not restore. The domains as the last call left them: where
they are still the same nothing has to be done. And the components: from then on they have
no value in common, so that each is looked at alone, and only if one of its domains has changed.

No variable is an interval or occurs twice. Arguments: the place of the state, a bit for each place
where a component begins; the place of the scratch; the least and the greatest value. The scratch,
from ``scratch_of``, begins with a few numbers (below); n cells each for what ``region`` numbers;
for each value its owner and the variable from which the search for a new matching came to it; and
words, which ``words_of`` numbers. Variables go by their number in the scope, values by their
distance from the least.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import contains, keep_words
from backends.propagation.kernel.layout import BASE, COUNT, SCOPE, arguments
from backends.propagation.kernel.trail import save
from backends.propagation.kernel.words import (
    SHORTEST_WORD,
    WORD_BITS,
    WORD_MASK,
    WORD_SHIFT,
    lowest_bit,
)
from backends.propagation.propagators.counting.aligned import own_words, word_at

PLACES = 32
"""Places of components in one cell of the state."""

# The head of the scratch: whether the kept domains are those of the last call, and it held; the
# base that words are counted from; the first of the words and how many there are; the number of
# variables that the search has visited; how many wait on its stack; the place where the component
# begins that was closed last.
TRUSTED, ORIGIN, FIRST, WORD_COUNT, VISITED_COUNT, WAITING_COUNT, CLOSED_FROM = range(7)
HEAD = 8

# Regions of n cells: the variables so ordered that components are contiguous, and the next such
# order; the value of each variable; its number in the search, from 1, and the least number that it
# leads to, where *free* has 0; the path of the search; the variables of open components.
ORDER, NEXT_ORDER, VALUE, NUMBER, LEAST, PATH, WAITING = range(7)
REGIONS = 7

# Words: the values that have an owner; those that the search has visited; those of components that
# are open; those of one component; and from KEPT on the domains of the last call.
OWNED, VISITED, OPEN, OWN = range(4)
KEPT = 4


def state_of(n: int) -> list[int]:
    """The state for ``n`` variables: one component."""
    return [1] + [0] * ((n - 1) // PLACES)


def scratch_of(n: int, least: int, greatest: int) -> list[int]:
    """The scratch for ``n`` variables and a range of values."""
    values = greatest - least + 1
    words = values // SHORTEST_WORD + 2  # wherever its words begin
    regions = [*range(n), *[0] * n, *[-1] * n, *[0] * (4 * n)]
    return [*[0] * HEAD, *regions, *[-1] * (2 * values), *[0] * ((KEPT + n) * words)]


def all_different_domain(S, T, M, a):
    """The variables of ``a`` differ pairwise."""
    n = T[a + COUNT]
    c = arguments(T, a)
    scratch = T[c + 1]
    base = S[T[a + SCOPE] + BASE]
    first = (T[c + 2] - base) >> WORD_SHIFT
    M[scratch + ORIGIN] = base
    M[scratch + FIRST] = first
    M[scratch + WORD_COUNT] = ((T[c + 3] - base) >> WORD_SHIFT) - first + 1
    trusted = M[scratch + TRUSTED] != 0
    M[scratch + TRUSTED] = 0
    begin = 0
    while begin < n:
        end = begin + 1
        while end < n and not begins(S, T[c], end):
            end += 1
        if not (trusted and is_unchanged(S, T, M, a, begin, end)):
            if not match_all(S, T, M, a, begin, end):
                return False
            if not split_component(S, T, M, a, begin, end):
                return False
            keep_domains(S, T, M, a, begin, end)
        begin = end
    M[scratch + TRUSTED] = 1
    return True


def begins(S, state, place):
    """Whether a component begins at ``place``."""
    return (S[state + place // PLACES] >> (place % PLACES)) & 1 != 0


def region(T, a, which):
    """Where in M a region of n cells begins."""
    n = T[a + COUNT]
    return T[a + SCOPE + n + 1] + HEAD + which * n


def owners(T, a):
    """Where in M the owner of each value is."""
    n = T[a + COUNT]
    return T[a + SCOPE + n + 1] + HEAD + REGIONS * n


def sources(T, a):
    """Where in M the variable is from which the search came to each value."""
    c = a + SCOPE + T[a + COUNT]
    return owners(T, a) + T[c + 3] - T[c + 2] + 1


def words_of(T, M, a, which):
    """Where in M some words begin."""
    c = a + SCOPE + T[a + COUNT]
    return owners(T, a) + 2 * (T[c + 3] - T[c + 2] + 1) + which * M[T[c + 1] + WORD_COUNT]


def is_unchanged(S, T, M, a, begin, end):
    """Whether the domains of a component are those that the last call left."""
    scratch = T[arguments(T, a) + 1]
    base, first, count = M[scratch + ORIGIN], M[scratch + FIRST], M[scratch + WORD_COUNT]
    order, kept = region(T, a, ORDER), words_of(T, M, a, KEPT)
    for p in range(order + begin, order + end):
        x, own = T[a + SCOPE + M[p]], kept + M[p] * count
        for w in range(count):
            if word_at(S, x, base, first + w) != M[own + w]:
                return False
    return True


def keep_domains(S, T, M, a, begin, end):
    """Note the domains of what was a component."""
    scratch = T[arguments(T, a) + 1]
    base, first, count = M[scratch + ORIGIN], M[scratch + FIRST], M[scratch + WORD_COUNT]
    order, kept = region(T, a, ORDER), words_of(T, M, a, KEPT)
    for p in range(order + begin, order + end):
        x, own = T[a + SCOPE + M[p]], kept + M[p] * count
        for w in range(count):
            M[own + w] = word_at(S, x, base, first + w)


def match_all(S, T, M, a, begin, end):
    """Give each variable of a component a value of its own; False if there are not enough."""
    least = T[arguments(T, a) + 2]
    order, value, owner = region(T, a, ORDER), region(T, a, VALUE), owners(T, a)
    for p in range(order + begin, order + end):
        i = M[p]
        v = M[value + i]
        if v >= 0 and not contains(S, T[a + SCOPE + i], v + least):
            M[value + i] = M[owner + v] = -1
            flip_bit(T, M, a, OWNED, v)
    for p in range(order + begin, order + end):
        if M[value + M[p]] < 0 and not match_one(S, T, M, a, M[p]):
            return False
    return True


def flip_bit(T, M, a, which, v):
    """Change the bit of value ``v`` in some words."""
    c = arguments(T, a)
    scratch = T[c + 1]
    bit = v + T[c + 2] - M[scratch + ORIGIN]
    w = (bit >> WORD_SHIFT) - M[scratch + FIRST]
    M[words_of(T, M, a, which) + w] ^= 1 << (bit & WORD_MASK)


def match_one(S, T, M, a, root):
    """Find a value for variable ``root``, for which others may change to further ones: breadth
    first, so that few do."""
    c = arguments(T, a)
    scratch = T[c + 1]
    base, first, count = M[scratch + ORIGIN], M[scratch + FIRST], M[scratch + WORD_COUNT]
    queue, owner, source = region(T, a, PATH), owners(T, a), sources(T, a)
    owned, visited = words_of(T, M, a, OWNED), words_of(T, M, a, VISITED)
    for w in range(count):
        M[visited + w] = 0
    M[queue] = root
    head, tail = queue, queue + 1
    while head < tail:
        i = M[head]
        head += 1
        x = T[a + SCOPE + i]
        for w in range(count):
            word = word_at(S, x, base, first + w) & ~M[visited + w]
            zero = base + (first + w) * WORD_BITS - T[c + 2]
            free = word & ~M[owned + w]
            if free != 0:
                v = zero + lowest_bit(free)
                M[source + v] = i
                exchange(T, M, a, root, v)
                return True
            M[visited + w] |= word
            while word != 0:
                bit = lowest_bit(word)
                word ^= 1 << bit
                M[source + zero + bit] = i
                M[tail] = M[owner + zero + bit]
                tail += 1
    return False


def exchange(T, M, a, root, free):
    """Give ``free`` to the variable from which the search came to it, what it had to the next, and
    so on to ``root``."""
    value, owner, source = region(T, a, VALUE), owners(T, a), sources(T, a)
    flip_bit(T, M, a, OWNED, free)
    v, i = free, -1
    while i != root:
        i = M[source + v]
        before = M[value + i]
        M[value + i] = v
        M[owner + v] = i
        v = before


def split_component(S, T, M, a, begin, end):
    """Split a component into those that it now has, and remove values between them."""
    scratch = T[arguments(T, a) + 1]
    count = M[scratch + WORD_COUNT]
    order, number = region(T, a, ORDER), region(T, a, NUMBER)
    following, waiting = region(T, a, NEXT_ORDER), region(T, a, WAITING)
    visited, open_ = words_of(T, M, a, VISITED), words_of(T, M, a, OPEN)
    for w in range(count):
        M[visited + w] = M[open_ + w] = 0
    for p in range(order + begin, order + end):
        M[number + M[p]] = 0
    M[scratch + VISITED_COUNT] = M[scratch + WAITING_COUNT] = 0
    M[scratch + CLOSED_FROM] = end
    for p in range(order + begin, order + end):
        if M[number + M[p]] == 0 and not search_from(S, T, M, a, M[p]):
            return False
    rest = M[scratch + WAITING_COUNT]
    if rest > 0 and not close_with_free_values(S, T, M, a, rest):
        return False
    for k in range(rest):
        M[following + begin + k] = M[waiting + k]
    for k in range(begin, end):
        M[order + k] = M[following + k]
    return True


def search_from(S, T, M, a, root):
    """Depth-first search from variable ``root``; closes each component that it finds."""
    c = arguments(T, a)
    scratch = T[c + 1]
    base, first, count = M[scratch + ORIGIN], M[scratch + FIRST], M[scratch + WORD_COUNT]
    number, least, path = region(T, a, NUMBER), region(T, a, LEAST), region(T, a, PATH)
    owner = owners(T, a)
    owned, visited = words_of(T, M, a, OWNED), words_of(T, M, a, VISITED)
    visit(S, T, M, a, root)
    M[path] = root
    depth = path
    while depth >= path:
        i = M[depth]
        x = T[a + SCOPE + i]
        w = 0
        word = word_at(S, x, base, first) & M[owned] & ~M[visited]
        while word == 0 and w + 1 < count:
            w += 1
            word = word_at(S, x, base, first + w) & M[owned + w] & ~M[visited + w]
        if word != 0:
            v = base + (first + w) * WORD_BITS - T[c + 2] + lowest_bit(word)
            depth += 1
            M[depth] = M[owner + v]
            visit(S, T, M, a, M[depth])
            continue
        lead_back(S, T, M, a, i)
        if M[least + i] == M[number + i] and not close(S, T, M, a, i):
            return False
        depth -= 1
        if depth >= path and M[least + i] < M[least + M[depth]]:
            M[least + M[depth]] = M[least + i]
    return True


def visit(S, T, M, a, i):
    """Number variable ``i``, and let it wait for its component to be closed."""
    scratch = T[arguments(T, a) + 1]
    base, first, count = M[scratch + ORIGIN], M[scratch + FIRST], M[scratch + WORD_COUNT]
    M[scratch + VISITED_COUNT] += 1
    M[region(T, a, WAITING) + M[scratch + WAITING_COUNT]] = i
    M[scratch + WAITING_COUNT] += 1
    M[region(T, a, NUMBER) + i] = least = M[scratch + VISITED_COUNT]
    v = M[region(T, a, VALUE) + i]
    flip_bit(T, M, a, VISITED, v)
    flip_bit(T, M, a, OPEN, v)
    owned = words_of(T, M, a, OWNED)
    for w in range(count):
        if word_at(S, T[a + SCOPE + i], base, first + w) & ~M[owned + w] != 0:
            least = 0
    M[region(T, a, LEAST) + i] = least


def lead_back(S, T, M, a, i):
    """Note the least number among the owners of its values in open components."""
    c = arguments(T, a)
    scratch = T[c + 1]
    least = M[region(T, a, LEAST) + i]
    if least == 0:
        return
    base, first, count = M[scratch + ORIGIN], M[scratch + FIRST], M[scratch + WORD_COUNT]
    number, owner, open_ = region(T, a, NUMBER), owners(T, a), words_of(T, M, a, OPEN)
    for w in range(count):
        word = word_at(S, T[a + SCOPE + i], base, first + w) & M[open_ + w]
        zero = owner + base + (first + w) * WORD_BITS - T[c + 2]
        while word != 0:
            bit = lowest_bit(word)
            word ^= 1 << bit
            other = M[number + M[zero + bit]]
            if other < least:
                least = other
    M[region(T, a, LEAST) + i] = least


def close(S, T, M, a, i):
    """Close the component that ``i`` was the first of: it keeps its own values only."""
    c = arguments(T, a)
    scratch = T[c + 1]
    count = M[scratch + WORD_COUNT]
    waiting, value = region(T, a, WAITING), region(T, a, VALUE)
    own, open_ = words_of(T, M, a, OWN), words_of(T, M, a, OPEN)
    for w in range(count):
        M[own + w] = 0
    following = region(T, a, NEXT_ORDER)
    end = M[scratch + CLOSED_FROM]
    begin, top = end, M[scratch + WAITING_COUNT]
    member = -1
    while member != i:
        top -= 1
        begin -= 1
        member = M[waiting + top]
        M[following + begin] = member
        flip_bit(T, M, a, OWN, M[value + member])
    M[scratch + WAITING_COUNT], M[scratch + CLOSED_FROM] = top, begin
    for w in range(count):
        M[open_ + w] &= ~M[own + w]
    if not begins(S, T[c], begin):
        save(S, M, T[c])
        S[T[c] + begin // PLACES] |= 1 << (begin % PLACES)
    for k in range(following + begin, following + end):
        if not keep_values(S, T, M, a, T[a + SCOPE + M[k]]):
            return False
    return True


def close_with_free_values(S, T, M, a, rest):
    """Close the component of *free*, the first of those that wait: it keeps its own values and
    those that nobody owns."""
    count = M[T[arguments(T, a) + 1] + WORD_COUNT]
    waiting, own = region(T, a, WAITING), words_of(T, M, a, OWN)
    owned, open_ = words_of(T, M, a, OWNED), words_of(T, M, a, OPEN)
    for w in range(count):
        M[own + w] = M[open_ + w] | ~M[owned + w]
    for k in range(waiting, waiting + rest):
        if not keep_values(S, T, M, a, T[a + SCOPE + M[k]]):
            return False
    return True


def keep_values(S, T, M, a, x):
    """Remove from ``x`` all but the values of one component."""
    scratch = T[arguments(T, a) + 1]
    words = words_of(T, M, a, OWN) - M[scratch + FIRST]
    return keep_words(S, T, M, x, own_words(S, x, M[scratch + ORIGIN], words))
