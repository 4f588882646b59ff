"""Layers of arcs, interpreted: the steps of ``extension.layers``, faster where each has one word.

The scratch has the layers as tuples, in place of marks.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from backends.propagation.interpreted.domains import ONE_WORD, remove, set_lower, set_upper
from backends.propagation.kernel.layout import (
    BASE,
    COUNT,
    LENGTH,
    M_STAMP,
    SCOPE,
    SIZE,
    STAMP,
    WORDS,
    arguments,
)
from backends.propagation.kernel.trail import save
from backends.propagation.kernel.words import WORD_BITS
from backends.propagation.propagators.extension import layers
from backends.propagation.propagators.extension.layers import (
    LISTED,
    NODES_BEFORE,
    VALUES,
    layer_place,
)


def on_way(S, T, M, a):
    """``layers.on_way``."""
    place = T[arguments(T, a) + T[a + COUNT]]
    known = M[place]
    if type(known) is not tuple:
        known = describe(S, T, a)
        if known is None:
            return layers.on_way(S, T, M, a)
        M[place] = known
    rows, between = known
    stamp = M[M_STAMP]
    n = len(rows)
    changed = set()
    for i, (x, state, values) in enumerate(rows):
        if S[x + SIZE] != S[state]:
            word = S[x + WORDS]
            mask = 0
            for _, bit, arcs in values:
                if word & bit:
                    mask |= arcs
            if S[state + STAMP] != stamp:
                save(S, M, state)
            S[state] = S[x + SIZE]
            S[state + 1] = arcs = S[state + 1] & mask
            if not arcs:
                return False
            changed.add(i)
    first, last = (min(changed), max(changed)) if changed else (n, -1)
    for i in range(first, n - 1):
        if i in changed:
            arcs = S[rows[i][1] + 1]
            gone = 0
            for into, out in between[i]:
                if not arcs & into:
                    gone |= out
            if S[rows[i + 1][1] + 1] & gone:
                changed.add(i + 1)
                if not remove_arcs(S, M, rows[i + 1][1], gone):
                    return False
                last = max(last, i + 1)
        elif i > last:
            break
    for i in range(last, 0, -1):
        if i in changed:
            arcs = S[rows[i][1] + 1]
            gone = 0
            for into, out in between[i - 1]:
                if not arcs & out:
                    gone |= into
            if S[rows[i - 1][1] + 1] & gone:
                changed.add(i - 1)
                if not remove_arcs(S, M, rows[i - 1][1], gone):
                    return False
    for i in sorted(changed):
        if not narrow_variable(S, T, M, *rows[i]):
            return False
    return True


def remove_arcs(S, M, state, gone):
    """Remove arcs from a layer; whether some are left."""
    if S[state + STAMP] != M[M_STAMP]:
        save(S, M, state)
    S[state + 1] &= ~gone
    return S[state + 1] != 0


def narrow_variable(S, T, M, x, state, values):
    """``layers.narrow_variable``."""
    arcs = S[state + 1]
    kept = [(value, bit) for value, bit, of in values if of & arcs]
    word = 0
    for _, bit in kept:
        word |= bit
    if not S[x + WORDS] & ~word:
        return True
    is_known = S[state] == S[x + SIZE]
    if not set_lower(S, T, M, x, kept[0][0]) or not set_upper(S, T, M, x, kept[-1][0]):
        return False
    gone = S[x + WORDS] & ~word
    while gone:
        bit = gone & -gone
        gone ^= bit
        if not remove(S, T, M, x, S[x + BASE] + bit.bit_length() - 1):
            return False
    if is_known:
        S[state] = S[x + SIZE]
    return True


def describe(S, T, a) -> Any:
    """For each layer the variable, the state, and for each value its bit in the variable's word and
    its arcs; between two layers the arcs into and out of each node. None if a word is too short."""
    n = T[a + COUNT]
    c = arguments(T, a)
    variables = T[a + SCOPE : a + SCOPE + n]
    places = [layer_place(T, a, i) for i in range(n)]
    if any(T[of] > 1 for of in places) or any(S[x + LENGTH] != ONE_WORD for x in variables):
        return None
    rows, between = [], []
    listed: dict[Any, Any] = {}
    for x, of, state in zip(variables, places, T[c : c + n], strict=True):
        base = S[x + BASE]
        if (of, base) not in listed:
            count = T[of + VALUES]
            values, arcs = T[of + LISTED : of + LISTED + count], of + LISTED + count
            shifts = [value - base for value in values]
            bits = [1 << shift if 0 <= shift < WORD_BITS else 0 for shift in shifts]
            listed[of, base] = tuple(zip(values, bits, T[arcs : arcs + count], strict=True))
        rows.append((x, state, listed[of, base]))
    for above, below in pairwise(places):
        if (above, below, "") not in listed:
            into = above + LISTED + 2 * T[above + VALUES] + T[above + NODES_BEFORE]
            out = below + LISTED + 2 * T[below + VALUES]
            count = T[below + NODES_BEFORE]
            pairs = zip(T[into : into + count], T[out : out + count], strict=True)
            listed[above, below, ""] = tuple(pairs)
        between.append(listed[above, below, ""])
    return tuple(rows), tuple(between)
