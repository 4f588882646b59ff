"""Which variable to branch on. Each rule maps (state, order) to an open variable or None.

smallest   the fewest open values, the first of those (Haralick and Elliott's fail-first, 1980)
domwdeg    the smallest ratio of open values to the failures of the variable's constraints so far
           (Boussemart et al., *Boosting systematic search by weighting constraints*, ECAI 2004;
           here the weights of constraints with no other open variable count too)
first      the first open variable: the textbook's static order, for comparison
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from backends.propagation.state import State

Branching = Callable[[State, Sequence[int]], int | None]


def smallest(state: State, weights: Sequence[int]) -> int | None:
    """The variable with the fewest open values, at least two."""
    best, fewest = None, 1 << 30
    for variable, domain in enumerate(state.domains):
        if domain & (domain - 1):
            count = domain.bit_count()
            if count < fewest:
                if count == 2:
                    return variable
                best, fewest = variable, count
    return best


def domwdeg(state: State, weights: Sequence[int]) -> int | None:
    """The variable with the smallest number of open values over weight."""
    best, lowest = None, float("inf")
    for variable, domain in enumerate(state.domains):
        if domain & (domain - 1):
            ratio = domain.bit_count() / weights[variable]
            if ratio < lowest:
                best, lowest = variable, ratio
    return best


def first(state: State, weights: Sequence[int]) -> int | None:
    """The first variable that is still open."""
    for variable, domain in enumerate(state.domains):
        if domain & (domain - 1):
            return variable
    return None


RULES: dict[str, Branching] = {"smallest": smallest, "domwdeg": domwdeg, "first": first}
