"""Tables, as rows of costs, and clauses, as knapsacks."""

from __future__ import annotations

from backends.interface.handlers import Condition
from backends.interface.magnitudes import count_cells
from backends.toulbar2.network import MOST_CELLS, Impossible, Network
from modelling.constraints import Clauses, Table
from modelling.rewriting.profile import Variables
from modelling.terms import ANY


def table(network: Network, constraint: Table, condition: Condition | None) -> None:
    """toulbar2's own: rows with a cost each, and what the others cost."""
    placed = [network.values(term) for term in constraint.terms]
    places = [{value: place for place, value in enumerate(values)} for _, values in placed]
    rows = [
        [
            of[value]
            for (variable, _), of, value in zip(placed, places, row, strict=True)
            if variable is not None
        ]
        for row in dict.fromkeys(constraint.tuples)
        if all(value in of for of, value in zip(places, row, strict=True))
    ]
    scope = [variable for variable, _ in placed if variable is not None]
    if not rows or len(rows) == count_cells(scope, network):
        if constraint.allowed is not bool(rows):
            raise Impossible
        return
    network.allow(scope, rows, constraint.allowed)


def clauses(network: Network, constraint: Clauses, condition: Condition | None) -> None:
    """A knapsack each, of the places at which a literal holds."""
    for literals in constraint.literals:
        weights: dict[int, list[int]] = {}
        for literal in literals:
            variable, values = network.values(constraint.terms[abs(literal) - 1])
            true = [int((value != 0) is (literal > 0)) for value in values]
            if variable is None:
                if true[0]:
                    break
                continue
            before = weights.get(variable, [0] * len(true))
            weights[variable] = [a | b for a, b in zip(before, true, strict=True)]
        else:
            network.at_least(weights, 1)


def rows_are_closed(constraint: Table, variables: Variables) -> bool:
    """No row leaves a place open; up to three variables have a table of all cells."""
    closed = not any(ANY in row for row in constraint.tuples)
    scope = constraint.scope
    return closed and (len(scope) > 3 or count_cells(scope, variables) <= MOST_CELLS)
