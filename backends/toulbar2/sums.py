"""Sums: as tables where they are of two variables and small, else as knapsacks.

What a condition implies has the condition as one more item.
"""

from __future__ import annotations

from backends.interface.handlers import Condition
from backends.interface.magnitudes import count_cells
from backends.toulbar2.network import MOST_CELLS, Network
from modelling.constraints import Linear
from modelling.rewriting.profile import Variables
from modelling.vocabulary.comparisons import OPPOSITES, RELATIONS

FEW_CELLS = 4_000
"""So many at most where a knapsack would do."""


def linear(network: Network, constraint: Linear, condition: Condition | None) -> None:
    """A table, or knapsacks."""
    terms, factors, constant = constraint.terms, constraint.coefficients, constraint.constant
    holds = RELATIONS[constraint.relation]
    number = len(terms)
    if _is_small(constraint, network, condition is not None):

        def meant(*values: int) -> bool:
            found = holds(sum(map(int.__mul__, factors, values[:number])), constant)
            if condition is None:
                return found
            given = values[number] == condition.value
            return found is given if condition.full else found or not given

        network.tabulate((*terms, *(() if condition is None else (condition.variable,))), meant)
        return
    _weigh(network, constraint, constraint.relation, condition)
    if condition is not None and condition.full:
        other = condition._replace(value=1 - condition.value)
        _weigh(network, constraint, OPPOSITES[constraint.relation], other)


def _weigh(
    network: Network, constraint: Linear, relation: str, condition: Condition | None
) -> None:
    """``sum relation constant`` as one knapsack or two; as one item more, what undoes it."""
    for sign in {">=": (1,), ">": (1,), "<=": (-1,), "<": (-1,), "==": (1, -1)}[relation]:
        bound = sign * constraint.constant + (relation in ("<", ">"))
        weights: dict[int, list[int]] = {}
        for term, factor in zip(constraint.terms, constraint.coefficients, strict=True):
            variable, values = network.values(term)
            if variable is None:
                bound -= sign * factor * values[0]
            elif factor:
                weights[variable] = [sign * factor * value for value in values]
        if condition is not None:
            missing = max(0, bound - sum(map(min, weights.values())))
            variable, values = network.values(condition.variable)
            undoes = [0 if value == condition.value else missing for value in values]
            if variable is None:
                bound -= undoes[0]
            else:
                before = weights.get(variable, [0] * len(undoes))
                weights[variable] = [a + b for a, b in zip(before, undoes, strict=True)]
        network.at_least(weights, bound)


def _is_small(constraint: Linear, variables: Variables, conditional: bool) -> bool:
    """Whether a table says it: of two variables at most, and a condition."""
    scope = constraint.scope
    cells = (1 + conditional) * count_cells(scope, variables)
    if constraint.relation == "!=" and not conditional:
        return len(scope) <= 2 and cells <= MOST_CELLS
    return len(scope) <= 2 and cells <= FEW_CELLS


def sums_are_at_least(constraint: Linear, variables: Variables) -> bool:
    """Not unequal, or by a table."""
    return constraint.relation != "!=" or _is_small(constraint, variables, False)


def sums_may_be_denied(constraint: Linear, variables: Variables) -> bool:
    """Within another one: an inequality, or by a table."""
    return constraint.relation not in ("==", "!=") or _is_small(constraint, variables, True)
