"""The explanation of each propagator that a solver that learns may post."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from backends.propagation.propagators import linear, member
from backends.propagation.propagators.extension import allowed, forbidden

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
}
