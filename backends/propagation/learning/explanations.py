"""The explanation of each propagator that a solver that learns may post."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from backends.propagation.propagators import linear, member
from backends.propagation.propagators.arithmetic import element, extremes, product
from backends.propagation.propagators.counting.different_bounds import (
    all_different_bounds,
    explain_all_different_bounds,
)
from backends.propagation.propagators.counting.different_domain import all_different_domain
from backends.propagation.propagators.counting.different_tight import take_every_value
from backends.propagation.propagators.counting.hall_sets import explain_all_different_domain
from backends.propagation.propagators.extension import allowed, forbidden
from backends.propagation.propagators.graphs import chains
from backends.propagation.propagators.graphs.connectivity import connected
from backends.propagation.propagators.scheduling import orders
from backends.propagation.propagators.scheduling.cumulative import cumulative
from backends.propagation.propagators.scheduling.cumulative_explained import explain_cumulative
from backends.propagation.propagators.scheduling.edge_finding import edge_finding
from backends.propagation.propagators.scheduling.edge_finding_explained import (
    explain_edge_finding,
)

EXPLANATIONS: Mapping[Callable[..., bool], Callable[..., Any]] = {
    linear.at_most: linear.explain_at_most,
    linear.objective_at_most: linear.explain_objective_at_most,
    linear.implied_at_most: linear.explain_implied_at_most,
    linear.equal: linear.explain_equal,
    linear.implied_equal: linear.explain_implied_equal,
    linear.not_equal: linear.explain_not_equal,
    linear.implied_not_equal: linear.explain_implied_not_equal,
    allowed.allowed: allowed.explain_allowed,
    forbidden.forbidden: forbidden.explain_forbidden,
    member.within_runs: member.explain_within_runs,
    extremes.maximum: extremes.explain_maximum,
    extremes.minimum: extremes.explain_minimum,
    element.element: element.explain_element,
    product.product: product.explain_product,
    all_different_bounds: explain_all_different_bounds,
    all_different_domain: explain_all_different_domain,
    edge_finding: explain_edge_finding,
    cumulative: explain_cumulative,
    orders.in_order: orders.explain_in_order,
    chains.no_subtour: chains.explain_no_subtour,
}

REDUNDANT = {take_every_value, connected}
"""What others already require, and has no explanation: it runs where no decision is taken."""


def explanation_of(propagate: Callable[..., bool]) -> Callable[..., Any] | None:
    """The explanation of a propagator; None for one that is redundant.

    Raises KeyError for a propagator without which a solution might be wrong.
    """
    return None if propagate in REDUNDANT else EXPLANATIONS[propagate]
