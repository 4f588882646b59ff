"""AllDifferent and disequalities: toulbar2's own, or a table for each two."""

from __future__ import annotations

from itertools import combinations

from backends.interface.handlers import Condition
from backends.interface.magnitudes import count_cells
from backends.toulbar2.network import MOST_CELLS, Impossible, Network
from modelling.constraints import AllDifferent, NotEqual
from modelling.rewriting.profile import Variables


def all_different(network: Network, constraint: AllDifferent, condition: Condition | None) -> None:
    """toulbar2's own, where places are values for all alike; else a table for each pair."""
    scope, terms = constraint.scope, constraint.terms
    domains = {tuple(network.domains[variable]) for variable in scope}
    if len(scope) > 2 and scope == terms and len(domains) == 1:
        (domain,) = domains
        if len(domain) < len(scope):
            raise Impossible
        network.made.AddAllDifferent(list(scope))
        return
    for pair in combinations(terms, 2):
        network.differ(*pair)


def not_equal(network: Network, constraint: NotEqual, condition: Condition | None) -> None:
    """A table of two."""
    network.differ(*constraint.terms)


def pairs_are_small(constraint: AllDifferent, variables: Variables) -> bool:
    """No value may repeat; it is toulbar2's own, or the tables of all pairs are not too large."""
    domains = [variables.domains[variable] for variable in constraint.scope]
    alike = constraint.scope == constraint.terms and len(set(map(tuple, domains))) == 1
    largest = max(map(len, domains), default=0)
    return not constraint.except_ and (alike or largest**2 <= MOST_CELLS)


def table_is_small(constraint: NotEqual, variables: Variables) -> bool:
    """The table of both is not too large."""
    return count_cells(constraint.scope, variables) <= MOST_CELLS
