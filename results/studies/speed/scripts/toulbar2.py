"""pytoulbar2: ``CFN``, ``AddVariable``, functions and constraints by their names, ``Solve``."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

from pytoulbar2 import CFN

from results.studies.speed import small_models as five
from results.studies.speed.small_models import Solutions, built_each_call


def _solutions(network: Any, limit: int) -> Solutions:
    network.Solve(allSolutions=limit)
    return [tuple(values) for _, values in network.GetSolutions()]


@built_each_call
def queens() -> Solutions:
    """``AddAllDifferent``, and a table of costs for each pair."""
    network = CFN(1)
    for i in range(five.QUEENS):
        network.AddVariable(f"q{i}", range(five.QUEENS))
    network.AddAllDifferent(list(range(five.QUEENS)))
    for i, j in combinations(range(five.QUEENS), 2):
        costs = [int(abs(a - b) == j - i) for a in range(five.QUEENS) for b in range(five.QUEENS)]
        network.AddFunction([i, j], costs)
    return _solutions(network, 1_000)


@built_each_call
def sudoku() -> Solutions:
    """``AddAllDifferent`` for each unit; givens as costs of one variable."""
    network = CFN(1)
    for i in range(81):
        network.AddVariable(f"c{i}", range(1, 10))
    for i, given in five.GIVENS.items():
        network.AddFunction([i], [int(value != given) for value in range(1, 10)])
    for unit in five.UNITS:
        network.AddAllDifferent(unit)
    return _solutions(network, five.MOST_GRIDS)


@built_each_call
def send_more() -> Solutions:
    """``AddAllDifferent`` and ``AddLinearConstraint``."""
    network = CFN(1)
    for x in five.LETTERS:
        network.AddVariable(x, range(10))
        if x in five.LEADING:
            network.AddFunction([x], [1] + [0] * 9)
    network.AddAllDifferent(list(five.LETTERS))
    network.AddLinearConstraint(
        [five.WEIGHTS[x] for x in five.LETTERS], list(five.LETTERS), "==", 0
    )
    found = network.Solve()
    return [tuple(found[0])]


@built_each_call
def golomb() -> Solutions:
    """A variable for each distance; the last mark is what it costs."""
    network = CFN(five.LONGEST + 1)
    network.AddVariable("m0", range(1))
    for i in range(1, five.MARKS):
        network.AddVariable(f"m{i}", range(five.LONGEST + 1))
    for i, j in pairwise(range(five.MARKS)):
        network.AddLinearConstraint([1, -1], [j, i], ">=", 1)
    distances = []
    for i, j in combinations(range(five.MARKS), 2):
        distances.append(network.AddVariable(f"d{i}_{j}", range(1, five.LONGEST + 1)))
        network.AddLinearConstraint([1, -1, -1], [j, i, distances[-1]], "==", 0)
    network.AddAllDifferent(distances)
    network.AddFunction([five.MARKS - 1], list(range(five.LONGEST + 1)))
    found = network.Solve()
    return [tuple(found[0][: five.MARKS])]


@built_each_call
def pigeons() -> Solutions:
    """A table of costs for each pair."""
    network = CFN(1)
    for i in range(five.PIGEONS):
        network.AddVariable(f"p{i}", range(1, five.HOLES + 1))
    costs = [int(a == b) for a in range(five.HOLES) for b in range(five.HOLES)]
    for i, j in combinations(range(five.PIGEONS), 2):
        network.AddFunction([i, j], costs)
    found = network.Solve()
    return [tuple(found[0])] if found else []
