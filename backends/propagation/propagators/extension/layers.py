"""A way through layers of arcs, one for each variable: domain consistency, for Regular and MDD.

The values are those of a way from the root to a leaf (Pesant, *A regular language membership
constraint for finite sequences of variables*, CP 2004; Cheng and Yap, *An MDD-based generalized arc
consistency algorithm*, Constraints 15, 2010). The arcs of a layer are the bits of a set, as the
rows of a table are (Verhaeghe, Lecoutre and Schaus, *Compact-MDD*, IJCAI 2018). A set loses the
arcs whose value is lost; then, downwards, those that no arc leads to, and upwards, those that lead
to none. Only layers that have changed, and what they change, are looked at: O(arcs) at most.

Arguments
---------
States: for each layer the size of its variable when it was narrowed last, and its arcs.

Scratch: whether each layer has changed; as many cells to compute in as a layer has words.

Constants, whose places count from the first: for each layer where its description is. That of a
layer: how many words it has, how many nodes before and behind it, how many values; the values,
ascending; the words of the arcs with each value, from each node, to each node. Layers of one
automaton share a description.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import (
    contains,
    next_value,
    remove,
    set_lower,
    set_upper,
)
from backends.propagation.kernel.layout import (
    COUNT,
    LENGTH,
    M_STAMP,
    SCOPE,
    SIZE,
    STAMP,
    UPPER,
    WORDS,
    arguments,
)
from backends.propagation.kernel.trail import save

NODES_BEFORE, NODES_BEHIND, VALUES, LISTED = 1, 2, 3, 4
"""Places in the description of a layer."""


def on_way(S, T, M, a):
    """The values are those of a way through the layers."""
    n = T[a + COUNT]
    c = arguments(T, a)
    changed = T[c + n]
    first, last = n, -1
    for i in range(n):
        M[changed + i] = 0
        if S[T[a + SCOPE + i] + SIZE] != S[T[c + i]]:
            if not narrow_layer(S, T, M, a, i):
                return False
            M[changed + i] = 1
            if last < 0:
                first = i
            last = i
    for i in range(first, n - 1):
        if M[changed + i] != 0 and not narrow_below(S, T, M, a, i):
            return False
        if M[changed + i + 1] != 0 and i + 1 > last:
            last = i + 1
    for i in range(last, 0, -1):
        if M[changed + i] != 0 and not narrow_above(S, T, M, a, i):
            return False
    for i in range(n):
        if M[changed + i] != 0 and not narrow_variable(S, T, M, a, i):
            return False
    return True


def layer_place(T, a, i):
    """Where in T the description of the i-th layer is."""
    n = T[a + COUNT]
    constants = arguments(T, a) + n + 1
    return constants + T[constants + i]


def narrow_layer(S, T, M, a, i):
    """Remove the arcs of a layer whose value its variable has lost."""
    x = T[a + SCOPE + i]
    state = T[arguments(T, a) + i]
    layer = layer_place(T, a, i)
    words, values = T[layer], T[layer + VALUES]
    bits = layer + LISTED + values
    mask = T[arguments(T, a) + T[a + COUNT]] + T[a + COUNT]
    for w in range(words):
        M[mask + w] = 0
    for k in range(values):
        if contains(S, x, T[layer + LISTED + k]):
            for w in range(words):
                M[mask + w] |= T[bits + k * words + w]
    if S[state + STAMP] != M[M_STAMP]:
        save(S, M, state)
    S[state] = S[x + SIZE]
    arcs = 0
    for w in range(words):
        S[state + 1 + w] &= M[mask + w]
        arcs |= S[state + 1 + w]
    return arcs != 0


def meets(S, T, words, arcs, bits):
    """Whether a layer has one of some arcs."""
    if S[arcs] & T[bits] != 0:
        return True
    for w in range(1, words):
        if S[arcs + w] & T[bits + w] != 0:
            return True
    return False


def remove_arcs(S, T, M, a, i, bits):
    """Remove arcs from the i-th layer; whether some are left."""
    state = T[arguments(T, a) + i]
    words = T[layer_place(T, a, i)]
    M[T[arguments(T, a) + T[a + COUNT]] + i] = 1
    if S[state + STAMP] != M[M_STAMP]:
        save(S, M, state)
    arcs = 0
    for w in range(words):
        S[state + 1 + w] &= ~T[bits + w]
        arcs |= S[state + 1 + w]
    return arcs != 0


def remove_bits(S, T, M, a, i, gone):
    """Remove arcs from the i-th layer, which has one word; False if none is left."""
    state = T[arguments(T, a) + i]
    kept = S[state + 1] & ~gone
    if kept == S[state + 1]:
        return True
    M[T[arguments(T, a) + T[a + COUNT]] + i] = 1
    if S[state + STAMP] != M[M_STAMP]:
        save(S, M, state)
    S[state + 1] = kept
    return kept != 0


def narrow_below(S, T, M, a, i):
    """Remove from the next layer the arcs from nodes that none of the i-th leads to."""
    c = arguments(T, a)
    above, below = layer_place(T, a, i), layer_place(T, a, i + 1)
    words, more = T[above], T[below]
    arcs, others = T[c + i] + 1, T[c + i + 1] + 1
    into = above + LISTED + T[above + VALUES] * (1 + words) + T[above + NODES_BEFORE] * words
    out = below + LISTED + T[below + VALUES] * (1 + more)
    if words == 1 and more == 1:
        gone = 0
        for k in range(T[below + NODES_BEFORE]):
            if S[arcs] & T[into + k] == 0:
                gone |= T[out + k]
        return remove_bits(S, T, M, a, i + 1, gone)
    for _ in range(T[below + NODES_BEFORE]):
        if S[arcs] & T[into] == 0:  # the first word says it mostly, and without a call
            lost = meets(S, T, more, others, out) and not meets(S, T, words, arcs, into)
            if lost and not remove_arcs(S, T, M, a, i + 1, out):
                return False
        into += words
        out += more
    return True


def narrow_above(S, T, M, a, i):
    """Remove from the layer before the arcs to nodes that none of the i-th leaves."""
    c = arguments(T, a)
    above, below = layer_place(T, a, i - 1), layer_place(T, a, i)
    words, more = T[above], T[below]
    arcs, others = T[c + i - 1] + 1, T[c + i] + 1
    into = above + LISTED + T[above + VALUES] * (1 + words) + T[above + NODES_BEFORE] * words
    out = below + LISTED + T[below + VALUES] * (1 + more)
    if words == 1 and more == 1:
        gone = 0
        for k in range(T[below + NODES_BEFORE]):
            if S[others] & T[out + k] == 0:
                gone |= T[into + k]
        return remove_bits(S, T, M, a, i - 1, gone)
    for _ in range(T[below + NODES_BEFORE]):
        if S[others] & T[out] == 0:
            lost = meets(S, T, words, arcs, into) and not meets(S, T, more, others, out)
            if lost and not remove_arcs(S, T, M, a, i - 1, into):
                return False
        into += words
        out += more
    return True


def narrow_variable(S, T, M, a, i):
    """Keep the values that an arc of the i-th layer has."""
    x = T[a + SCOPE + i]
    state = T[arguments(T, a) + i]
    layer = layer_place(T, a, i)
    words = T[layer]
    listed = layer + LISTED
    bits = listed + T[layer + VALUES]
    known = S[state] == S[x + SIZE]  # False where another layer of the same variable narrowed it
    first, last = 0, T[layer + VALUES] - 1
    while not meets(S, T, words, state + 1, bits + first * words):
        first += 1
    while not meets(S, T, words, state + 1, bits + last * words):
        last -= 1
    if not set_lower(S, T, M, x, T[listed + first]) or not set_upper(S, T, M, x, T[listed + last]):
        return False
    if S[x + LENGTH] != WORDS and not narrow_between(S, T, M, x, words, state + 1, listed, bits):
        return False
    if known:
        S[state] = S[x + SIZE]
    return True


def narrow_between(S, T, M, x, words, arcs, listed, bits):
    """Keep the values that an arc has; the greatest value of an arc is not less than any."""
    upper = S[x + UPPER]
    value = S[x]
    k = 0
    while True:
        while T[listed + k] < value:
            k += 1
        kept = T[listed + k] == value and meets(S, T, words, arcs, bits + k * words)
        if not kept and not remove(S, T, M, x, value):
            return False
        if value == upper:
            return True
        value = next_value(S, x, value + 1)
