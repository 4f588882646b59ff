"""What bounds an objective besides its own terms: tours whose steps cost, and inequalities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeGuard

from backends.propagation.encode.draft import Draft, Posted
from backends.propagation.kernel.layout import BOUNDS, DOMAIN, LOWER_BOUND, UPPER_BOUND
from backends.propagation.propagators import knapsack_bound
from backends.propagation.propagators.graphs import tour_bound
from backends.propagation.propagators.linear import at_most

Terms = Sequence[tuple[int, int]]
"""Variables and their factors; the sum is minimised."""

MOST_NODES = 100
MOST_COST = 1 << 40
FEWEST_ITEMS, MOST_INEQUALITIES = 3, 50
MOST_PRODUCT = 1 << 58


def with_bounds(draft: Draft, terms: Terms) -> Draft:
    """A draft with what bounds an objective; propagators that learn have no such bounds."""
    if draft.explains:
        return draft
    tours = [bound_tour(draft, nodes, terms) for nodes in draft.circuits]
    inequalities = [one for one in draft.propagators if is_inequality(one)]
    knapsacks = [bound_knapsack(draft, one, terms) for one in inequalities[:MOST_INEQUALITIES]]
    found = [one for one in (*tours, *knapsacks) if one is not None]
    return replace(draft, propagators=[*draft.propagators, *found]) if found else draft


def is_inequality(posted: object) -> TypeGuard[Posted]:
    """Whether a propagator is ``sum(k * x) <= c`` without a condition."""
    return isinstance(posted, Posted) and posted.propagate is at_most


def bound_knapsack(draft: Draft, inequality: Posted, terms: Terms) -> Posted | None:
    """The propagator of an inequality that draws variables where the objective does not."""
    _, *factors, most = inequality.constants
    weights = dict(zip(inequality.scope, factors, strict=True))
    costs = dict(terms)
    items = [v for v, weight in weights.items() if costs.get(v, 0) * weight < 0]
    if len(items) < FEWEST_ITEMS or 2 * len(items) < len(costs):
        return None  # there is little that it could say
    reach = sum(reach_of(draft, v) * abs(f) for v, f in (*costs.items(), *weights.items()))
    if reach * max(map(abs, weights.values())) > MOST_PRODUCT:
        return None
    items.sort(key=lambda v: Fraction(costs[v], weights[v]))
    among = frozenset(items)
    others = [v for v in dict.fromkeys((*costs, *weights)) if v not in among]
    scope = (*items, *others)
    return Posted(
        knapsack_bound.knapsack_at_most,
        scope,
        (BOUNDS,) * len(scope),
        [
            len(items),
            most,
            *[costs.get(v, 0) for v in scope],
            *[weights.get(v, 0) for v in scope],
        ],
        priority=2,
        idempotent=True,
    )


def reach_of(draft: Draft, variable: int) -> int:
    """The greatest absolute value of a variable."""
    domain = draft.domains[variable]
    return max(abs(domain[0]), abs(domain[-1]))


def find_preferred(draft: Draft, terms: Terms) -> Iterator[tuple[int, int]]:
    """Variables of an objective, and those of which they are functions, and their best values.

    Where they are tried first, good solutions come early.
    """
    for variable, factor in () if draft.explains else terms:
        domain = draft.domains[variable]
        yield variable, domain[0] if factor > 0 else domain[-1]
        if variable in draft.functions:
            argument, values = draft.functions[variable]
            yield argument, min(values, key=lambda value: factor * values[value])


def bound_tour(draft: Draft, nodes: Sequence[int], terms: Terms) -> Posted | None:
    """The propagator of a tour that has a part in the objective."""
    n = len(nodes)
    places = {node: i for i, node in enumerate(nodes)}
    costs = [0] * (n * n)
    others: list[tuple[int, int]] = []
    reach = 0
    for variable, factor in terms:
        reach += abs(factor) * reach_of(draft, variable)
        node, values = draft.functions.get(variable, (-1, {}))
        if node not in places:
            others.append((variable, factor))
            continue
        for value, cost in values.items():
            if value < n:
                costs[n * places[node] + value] += factor * cost
    if not 3 <= n <= MOST_NODES or len(others) == len(terms) or reach > MOST_COST:
        return None
    others.sort(key=lambda pair: pair[1] < 0)
    positive = sum(factor > 0 for _, factor in others)
    return Posted(
        tour_bound.tour_at_most,
        (*nodes, *[variable for variable, _ in others]),
        (
            *[DOMAIN] * n,
            *[LOWER_BOUND] * positive,
            *[UPPER_BOUND] * (len(others) - positive),
        ),
        [n, *costs, positive, *[factor for _, factor in others]],
        scratch=tour_bound.scratch_of(n),
        priority=2,
        idempotent=True,
    )
