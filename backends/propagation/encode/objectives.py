"""What bounds an objective besides its own terms: tours whose steps cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from backends.propagation.encode.draft import Draft, Posted
from backends.propagation.kernel.layout import DOMAIN, LOWER_BOUND, UPPER_BOUND
from backends.propagation.propagators.graphs import tour_bound

Terms = Sequence[tuple[int, int]]
"""Variables and their factors; the sum is minimised."""

MOST_NODES = 100
MOST_COST = 1 << 40


def with_bounds(draft: Draft, terms: Terms) -> Draft:
    """A draft with what bounds an objective; propagators that learn have no such bounds."""
    tours = () if draft.explains else [bound_tour(draft, nodes, terms) for nodes in draft.circuits]
    found = [tour for tour in tours if tour is not None]
    return replace(draft, propagators=[*draft.propagators, *found]) if found else draft


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
        domain = draft.domains[variable]
        reach += abs(factor) * max(abs(domain[0]), abs(domain[-1]))
        node, values = draft.functions.get(variable, (-1, {}))
        if node not in places:
            others.append((variable, factor))
            continue
        for value, cost in values.items():
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
