"""Rules of branching that take turns: after each restart, another one.

No rule is best everywhere, and where a solution is found soon or very late, the time goes to the
unlucky searches (Gomes and Selman, *Algorithm portfolios*, AIJ 2001). So after its first restart a
search for one solution branches in turn by

CHS         which follows the last failures
first       the variables and values in the order in which they are stated: a model that breaks
            symmetries by an order is best searched in it
dom/wdeg    which began

Nogoods are kept over all of them. So a run in the stated order continues where the last one has
stopped. CHS has weights of its own, which change places with the others at a restart.
"""

from __future__ import annotations

from backends.propagation.kernel.branching import CHS, DOM_WDEG, FIRST, LEAST_VALUE
from backends.propagation.kernel.layout import (
    M_BRANCHING,
    M_RESTARTS,
    M_TURNS,
    M_TURNS_VALUES,
    M_TURNS_WEIGHTS,
    M_VALUES,
    T_SIZE,
    T_VARIABLES,
    WEIGHT,
)

RULES = 3
"""How many rules take turns."""


def take_turn(S, T, M):
    """Branch by the rule whose turn it is after M[M_RESTARTS] restarts."""
    turn = M[M_RESTARTS] % M[M_TURNS]
    M[M_VALUES] = M[M_TURNS_VALUES]
    if turn == 0:
        M[M_BRANCHING] = DOM_WDEG
    elif turn == 1:
        exchange_weights(S, T, M)
        M[M_BRANCHING] = CHS
    else:
        exchange_weights(S, T, M)
        M[M_BRANCHING] = FIRST
        M[M_VALUES] = LEAST_VALUE


def exchange_weights(S, T, M):
    """Exchange the weights of all variables with those that are set aside."""
    variables, aside = T[T_VARIABLES], M[M_TURNS_WEIGHTS]
    for k in range(T[T_SIZE]):
        x = T[variables + k]
        weight = S[x + WEIGHT]
        S[x + WEIGHT] = M[aside + k]
        M[aside + k] = weight
