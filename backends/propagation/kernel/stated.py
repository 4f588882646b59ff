"""The search that a problem states, as MiniZinc's ``int_search`` does: phases of variables.

The first phase with an open variable says which of its variables comes next, and which of its
values. What no phase has comes last, as in any search. Ties go to the variable that is named first.

input order        the first
first fail         the fewest values; ``most_constrained`` lets the most constraints break ties
anti-first fail    the most values
smallest, largest  the least lower bound, the greatest upper bound
occurrence         the most constraints
max regret         the greatest difference between the two least values
dom/wdeg           the least ratio of values to weight; see ``branching``

A phase at ``p`` in M is how many variables it has, 0 after the last one; the rule for variables;
the rule for values; the variables. An interval tries its bounds only.
"""

from __future__ import annotations

from backends.propagation.kernel.domains import next_value
from backends.propagation.kernel.layout import (
    GROUPS,
    LENGTH,
    M_LOTS,
    M_PHASE,
    M_PHASES,
    RIVALS,
    SIZE,
    UPPER,
    WATCHERS,
    WEIGHT,
    WORDS,
)

(
    INPUT_ORDER,
    FIRST_FAIL,
    ANTI_FIRST_FAIL,
    SMALLEST_BOUND,
    LARGEST_BOUND,
    OCCURRENCE,
    MOST_CONSTRAINED,
    MAX_REGRET,
    DOM_W_DEG,
) = range(9)
INDOMAIN_MIN, INDOMAIN_MAX, INDOMAIN_MEDIAN, INDOMAIN_MIDDLE, INDOMAIN_RANDOM = range(5)
PHASE_HEAD = 3
"""Cells of a phase before its variables."""
LOTS, LOT_FACTOR, LOT_STEP, LOT_SHIFT = 1 << 31, 1103515245, 12345, 8
"""Lots are drawn by a linear congruential generator, whose lowest bits are left out."""


def choose_stated(S, T, M):
    """The open variable that the phases name next; 0 if they name none."""
    phase = M[M_PHASES]
    while M[phase] > 0:
        x = best_of_phase(S, T, M, phase)
        if x != 0:
            M[M_PHASE] = phase
            return x
        phase += PHASE_HEAD + M[phase]
    M[M_PHASE] = 0
    return 0


def best_of_phase(S, T, M, phase):
    """The open variable of a phase that its rule prefers; 0 if all have one value."""
    rule = M[phase + 1]
    best, least, weight = 0, 0, 1
    first = phase + PHASE_HEAD
    for k in range(first, first + M[phase]):
        x = M[k]
        if S[x + SIZE] == 1:
            continue
        if rule == INPUT_ORDER:
            return x
        cost = cost_of(S, T, x, rule)
        difference = cost - least
        if rule == DOM_W_DEG:
            difference = cost * weight - least * S[x + WEIGHT]
        elif rule == MOST_CONSTRAINED and difference == 0 and best != 0:
            difference = occurrences(S, T, best) - occurrences(S, T, x)
        if best == 0 or difference < 0:
            best, least, weight = x, cost, S[x + WEIGHT]
    return best


def cost_of(S, T, x, rule):
    """What a rule wants to be least."""
    if rule == ANTI_FIRST_FAIL:
        return -S[x + SIZE]
    if rule == SMALLEST_BOUND:
        return S[x]
    if rule == LARGEST_BOUND:
        return -S[x + UPPER]
    if rule == OCCURRENCE:
        return -occurrences(S, T, x)
    if rule == MAX_REGRET:
        return S[x] - next_value(S, x, S[x] + 1)
    return S[x + SIZE]


def occurrences(S, T, x):
    """How many propagators, rivals and groups a variable has."""
    return T[S[x + WATCHERS]] + T[S[x + RIVALS]] + T[S[x + GROUPS]]


def stated_value(S, M, x):
    """The value of ``x`` that the phase of M[M_PHASE] tries first."""
    rule = M[M[M_PHASE] + 2]
    if rule == INDOMAIN_MAX:
        return S[x + UPPER]
    if rule == INDOMAIN_MIN or S[x + LENGTH] == WORDS:
        return S[x]
    if rule == INDOMAIN_MIDDLE:
        return nearest(S, x, (S[x] + S[x + UPPER]) // 2)
    number = (S[x + SIZE] - 1) // 2
    if rule == INDOMAIN_RANDOM:
        M[M_LOTS] = (M[M_LOTS] * LOT_FACTOR + LOT_STEP) % LOTS
        number = (M[M_LOTS] >> LOT_SHIFT) % S[x + SIZE]
    value = S[x]
    for _ in range(number):
        value = next_value(S, x, value + 1)
    return value


def nearest(S, x, value):
    """The open value that is nearest to one between the bounds; of two the lesser."""
    above = next_value(S, x, value)
    below = S[x]
    following = below
    while following <= value:
        below = following
        following = next_value(S, x, below + 1)
    return above if above - value < value - below else below
