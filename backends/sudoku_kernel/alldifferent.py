"""Structures made of AllDifferent constraints, compiled by numba: 64-bit sets and a trail.

For Sudoku of any box shape up to 64 values, Latin squares, and any other structure of the kind; at
9x9 the kernel in bitboard.py is some hundred times as fast.

Words used
    unit: the variables of one AllDifferent constraint;
    domain: a set of value numbers 0..63 as bits of a uint64;
    full: a unit whose variables have, to begin with, as many values between them as there are
    variables, so that every value is taken;
    fixed: a variable with one value that was removed from the others in its units.

Propagation, to a fixed point:
    * naked single: a fixed variable's value leaves the other variables of its units;
    * hidden single, in full units only: a value with one place left is put there; with none it is a
      contradiction. A unit is looked at again when a domain in it has changed: one pass over its
      domains finds the values that occur at least once and at least twice, so no counters are kept.

Branching, into *this value* and *any other*: the variable with the least size of domain over
weight, the weight of a variable being the number of contradictions, plus one, that its units have
met (dom/wdeg: Boussemart, Hemery, Lecoutre and Sais, ECAI 2004). Branching on a value with two
places in a unit, when no variable has two values, was tried: it changed the number of nodes little
and cost a look at all units.

The state is one array of domains changed in place; the trail notes what a domain was. The variables
not yet fixed are the front of a permutation, so that undoing restores one number (sparse set:
Briggs and Torczon 1993).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from backends.sudoku_kernel.cache import inline, kernel
from backends.sudoku_kernel.endings import (
    ENOUGH,
    EXHAUSTED,
    FAILURES,
    GUESSES,
    NODE_LIMIT,
    NODES,
    PEAK_DEPTH,
    PROPAGATIONS,
)

# Places in the array of counters that belong to a search.
FREE, TRAIL, QUEUE, DIRTY, DEPTH, STARTED, CHANGES = range(7)
COUNTERS = 7

ZERO, ONE = np.uint64(0), np.uint64(1)


# Counting bits and finding the lowest one: an instruction each, which numba does not offer.


@intrinsic
def popcount(typingctx, x):
    """Number of set bits (uint64 -> int64)."""
    return types.int64(types.uint64), lambda context, builder, sig, args: builder.ctpop(args[0])


@intrinsic
def lowest(typingctx, x):
    """Number of the lowest set bit of a uint64 that is not zero (-> int64)."""

    def codegen(context, builder, sig, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), codegen


class UnitTables(NamedTuple):
    """The constraints; in the code below ``t``."""

    units: np.ndarray  # int32[units, longest]: their variables, padded with -1
    lengths: np.ndarray  # int32[units]
    of_start: (
        np.ndarray
    )  # int32[n + 1]: the units of variable v are of[of_start[v] : of_start[v + 1]]
    of: np.ndarray  # int32[...]
    full: np.ndarray  # uint64[units]: the values of a full unit, 0 for another


class AllDifferentState(NamedTuple):
    """The state of a search; in the code below ``s``."""

    domains: np.ndarray  # uint64[n]
    order: np.ndarray  # int32[n]: the variables, free ones first
    place: np.ndarray  # int32[n]: the place of each in ``order``
    trail_variable: np.ndarray  # int32[...]: whose domain changed
    trail_domain: np.ndarray  # uint64[...]: what it was before
    queue: np.ndarray  # int32[n + 1]: variables with one value, not fixed yet
    dirty: np.ndarray  # int32[units]: full units to look at
    is_dirty: np.ndarray  # uint8[units]
    weight: np.ndarray  # int64[n]
    decisions: (
        np.ndarray
    )  # int64[..., 4]: length of the trail, number of free variables, variable, value
    counters: np.ndarray  # int64[COUNTERS]


@inline
def touch(s, t, variable):
    """A domain has changed: look at the variable's full units again."""
    for i in range(t.of_start[variable], t.of_start[variable + 1]):
        u = t.of[i]
        if s.is_dirty[u] == 0 and t.full[u] != ZERO:
            s.is_dirty[u] = 1
            s.dirty[s.counters[DIRTY]] = u
            s.counters[DIRTY] += 1


@inline
def change(s, t, variable, domain):
    """Give a variable a smaller domain, not empty."""
    top = s.counters[TRAIL]
    s.trail_variable[top] = variable
    s.trail_domain[top] = s.domains[variable]
    s.counters[TRAIL] = top + 1
    s.counters[CHANGES] += 1
    s.domains[variable] = domain
    if domain & (domain - ONE) == ZERO:
        s.queue[s.counters[QUEUE]] = variable
        s.counters[QUEUE] += 1
    touch(s, t, variable)


@inline
def fix(s, variable):
    """Take a variable out of the free ones."""
    last = s.counters[FREE] - 1
    s.counters[FREE] = last
    at, other = s.place[variable], s.order[last]
    s.order[at], s.order[last] = other, variable
    s.place[other], s.place[variable] = at, last


@inline
def tell_units(s, t, variable):
    """Remove a fixed variable's value from its units. Returns a unit with a contradiction, or
    -1."""
    value = s.domains[variable]
    for i in range(t.of_start[variable], t.of_start[variable + 1]):
        u = t.of[i]
        for k in range(t.lengths[u]):
            other = t.units[u, k]
            domain = s.domains[other]
            if domain & value != ZERO and other != variable:
                if domain == value:
                    return u
                change(s, t, other, domain & ~value)
    return -1


@inline
def hidden_singles(s, t, u):
    """Place the values that have one place left in full unit u. Returns whether that is
    possible."""
    once, twice, placed = ZERO, ZERO, ZERO
    for k in range(t.lengths[u]):
        domain = s.domains[t.units[u, k]]
        twice |= once & domain
        once |= domain
        if domain & (domain - ONE) == ZERO:
            placed |= domain
    if once != t.full[u]:
        return False
    hidden = once & ~twice & ~placed
    if hidden != ZERO:
        for k in range(t.lengths[u]):
            variable = t.units[u, k]
            own = s.domains[variable] & hidden
            if own != ZERO:
                if own & (own - ONE) != ZERO:
                    return False
                change(s, t, variable, own)
                hidden &= ~own
                if hidden == ZERO:
                    break
    return True


@inline
def propagate(s, t):
    """To the fixed point.  Returns the unit of a contradiction, or -1."""
    head = 0
    while True:
        while head < s.counters[QUEUE]:
            variable = s.queue[head]
            head += 1
            fix(s, variable)
            u = tell_units(s, t, variable)
            if u >= 0:
                return u
        s.counters[QUEUE] = 0
        head = 0
        if s.counters[DIRTY] == 0:
            return -1
        s.counters[DIRTY] -= 1
        u = s.dirty[s.counters[DIRTY]]
        s.is_dirty[u] = 0
        if not hidden_singles(s, t, u):
            return u


@inline
def contradiction(s, t, u):
    """Forget what was to be done, and make the failed unit's variables weigh more."""
    s.counters[QUEUE] = 0
    while s.counters[DIRTY] > 0:
        s.counters[DIRTY] -= 1
        s.is_dirty[s.dirty[s.counters[DIRTY]]] = 0
    for k in range(t.lengths[u]):
        s.weight[t.units[u, k]] += 1


@inline
def undo(s, trail, free):
    for i in range(s.counters[TRAIL] - 1, trail - 1, -1):
        s.domains[s.trail_variable[i]] = s.trail_domain[i]
    s.counters[TRAIL] = trail
    s.counters[FREE] = free


@inline
def lightest(s):
    """The free variable with the least size over weight."""
    best = s.order[0]
    best_size, best_weight = popcount(s.domains[best]), s.weight[best]
    for i in range(1, s.counters[FREE]):
        variable = s.order[i]
        size = popcount(s.domains[variable])
        if size * best_weight < best_size * s.weight[variable]:
            best, best_size, best_weight = variable, size, s.weight[variable]
    return best


@inline
def back(s, t, statistics):
    """Return to the last open alternative and take it.  False when there is none."""
    while s.counters[DEPTH] > 0:
        s.counters[DEPTH] -= 1
        last = s.counters[DEPTH]
        undo(s, s.decisions[last, 0], s.decisions[last, 1])
        variable = s.decisions[last, 2]
        change(
            s,
            t,
            np.int32(variable),
            s.domains[variable] & ~(ONE << np.uint64(s.decisions[last, 3])),
        )
        statistics[NODES] += 1
        u = propagate(s, t)
        if u < 0:
            return True
        contradiction(s, t, u)
        statistics[FAILURES] += 1
    return False


@kernel
def start(t, s):
    """Queue what the domains given already say; every weight is one. Returns False if they are
    contradictory: an empty domain, or a unit with fewer values between them than variables."""
    s.counters[:] = 0
    s.counters[FREE] = len(s.domains)
    s.is_dirty[:] = 0
    for v in range(len(s.domains)):
        s.order[v] = v
        s.place[v] = v
        s.weight[v] = 1
        if s.domains[v] == ZERO:
            return False
        if s.domains[v] & (s.domains[v] - ONE) == ZERO:
            s.queue[s.counters[QUEUE]] = v
            s.counters[QUEUE] += 1
    for u in range(len(t.lengths)):
        together = ZERO
        for k in range(t.lengths[u]):
            together |= s.domains[t.units[u, k]]
        if popcount(together) < t.lengths[u]:
            return False
        if t.full[u] != ZERO:
            s.is_dirty[u] = 1
            s.dirty[s.counters[DIRTY]] = u
            s.counters[DIRTY] += 1
    return True


@inline
def report(s, statistics):
    """Move the number of domain changes into the statistics."""
    statistics[PROPAGATIONS] += s.counters[CHANGES]
    s.counters[CHANGES] = 0


@kernel
def resume(t, s, out, limit, node_limit, statistics):
    """Go on with a search until ``limit`` more solutions are found or ``node_limit`` guesses made.

    Solution k goes to ``out[k]`` (uint8[..., n], value numbers plus one) if ``k < len(out)``.
    ``statistics``: int64[STATISTICS], added to. Returns the number found and why the search ended;
    after ENOUGH and NODE_LIMIT it can continue."""
    found = 0
    guesses = 0
    alive = True
    if s.counters[STARTED] == 0:
        s.counters[STARTED] = 1
        statistics[NODES] += 1
        u = propagate(s, t)
        if u >= 0:
            contradiction(s, t, u)
            alive = False
            statistics[FAILURES] += 1
    elif s.counters[FREE] == 0:
        alive = back(s, t, statistics)  # the last call ended on a solution
    while alive:
        if s.counters[FREE] == 0:
            if found < len(out):
                for v in range(len(s.domains)):
                    out[found, v] = lowest(s.domains[v]) + 1
            found += 1
            if found == limit:
                report(s, statistics)
                return found, ENOUGH
            alive = back(s, t, statistics)
            continue
        if guesses == node_limit:
            report(s, statistics)
            return found, NODE_LIMIT
        guesses += 1
        variable = lightest(s)
        value = s.domains[variable] & (~s.domains[variable] + ONE)
        depth = s.counters[DEPTH]
        s.decisions[depth, 0] = s.counters[TRAIL]
        s.decisions[depth, 1] = s.counters[FREE]
        s.decisions[depth, 2] = variable
        s.decisions[depth, 3] = lowest(value)
        s.counters[DEPTH] = depth + 1
        change(s, t, np.int32(variable), value)
        statistics[NODES] += 1
        statistics[GUESSES] += 1
        statistics[PEAK_DEPTH] = max(statistics[PEAK_DEPTH], depth + 1)
        u = propagate(s, t)
        if u >= 0:
            contradiction(s, t, u)
            statistics[FAILURES] += 1
            alive = back(s, t, statistics)
    # nothing is left: a further call finds nothing
    s.counters[FREE] = 0
    s.counters[DEPTH] = 0
    report(s, statistics)
    return found, EXHAUSTED


@kernel
def count_batch(t, s, batch, limit, counts, kept, status, node_limit, statistics):
    """Count the solutions of many instances of a structure, with the arrays of one search.

    ``batch`` is uint64[N, n], the domains; ``counts`` int64[N], ``kept`` uint8[N, k, n] (the
    first k solutions of each) and ``status`` uint8[N] are filled; the rest as in ``resume``."""
    for p in range(batch.shape[0]):
        for v in range(len(s.domains)):
            s.domains[v] = batch[p, v]
        counts[p], status[p] = 0, EXHAUSTED
        if start(t, s):
            counts[p], status[p] = resume(t, s, kept[p], limit, node_limit, statistics)


# --- arrays for the kernels ---


def unit_tables(domains: Sequence[int], units: Sequence[Sequence[int]]) -> UnitTables:
    """Arrays for ``resume``.

    ``domains`` are the widest that instances will have, sets of value numbers as integers;
    ``units`` are the variables of each constraint, none twice."""
    of: list[list[int]] = [[] for _ in domains]
    padded = np.full((len(units), max(map(len, units), default=1) or 1), -1, np.int32)
    full = np.zeros(len(units), np.uint64)
    for u, unit in enumerate(units):
        padded[u, : len(unit)] = unit
        together = 0
        for v in unit:
            of[v].append(u)
            together |= domains[v]
        if together.bit_count() == len(unit):
            full[u] = together
    starts = np.zeros(len(domains) + 1, np.int32)
    starts[1:] = np.cumsum([len(units_of) for units_of in of])
    flat = np.array([u for units_of in of for u in units_of], np.int32)
    return UnitTables(padded, np.array(list(map(len, units)), np.int32), starts, flat, full)


def search_of(domains: Any, tables: UnitTables, most: int) -> AllDifferentState:
    """A search, not yet started, that owns ``domains`` (uint64[n]).

    ``most`` is the number of values in the widest domains together: so often can a domain change
    before a change is taken back."""
    n, units = len(domains), len(tables.lengths)
    return AllDifferentState(
        domains,
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.empty(most + 1, np.int32),
        np.empty(most + 1, np.uint64),
        np.empty(n + 1, np.int32),
        np.empty(units, np.int32),
        np.empty(units, np.uint8),
        np.empty(n, np.int64),
        np.empty((most + 1, 4), np.int64),
        np.empty(COUNTERS, np.int64),
    )
