"""A lower bound of shortest tours: the costs of arcs that a spanning tree leaves.

A tour through all nodes has no more arcs within a set of nodes than a tree of the set, but for the
set of all nodes. So potentials and a least spanning tree give each arc a *reduced cost*, and what
those of a tour add up to is at most its length less a constant. Potentials that pull the degrees of
the tree to 2 make the constant large (Held and Karp, *The traveling-salesman problem and minimum
spanning trees: part II*, Mathematical Programming 1, 1971), whole ones are as good. What the sum
says is explained as every sum is.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from backends.propagation.encode.draft import Draft, Posted, post_linear
from backends.propagation.encode.extension import post_listed
from backends.propagation.kernel.layout import LOWER_BOUND
from backends.propagation.propagators.linear import objective_at_most
from modelling.constraints import Circuit, Define, Element, Table
from modelling.terms import is_constant

Costs = list[dict[int, int]]
"""For each node the cost of the arc to each other node, where there is one."""

ROUNDS = 100
MOST_NODES = 100


class Tree(NamedTuple):
    """A least spanning tree: its cost, the degrees of nodes, its dearest edge, and for each two
    nodes the dearest edge between them."""

    cost: float
    degrees: list[int]
    last: tuple[int, int]
    between: list[list[float]]

    @property
    def bound(self) -> float:
        """The least cost of a tree and one more edge that is as dear as its dearest."""
        i, j = self.last
        return self.cost + self.between[i][j]


def post_reduced_costs(draft: Draft, circuit: Circuit) -> None:
    """Post the sum of reduced costs where the objective is the length of the tour."""
    found = find_costs(draft, circuit)
    if found is None:
        return
    costs, steps = found
    potentials = improve_potentials(costs)
    tree = None if potentials is None else span(costs, potentials)
    if potentials is None or tree is None:
        return
    reduced = []
    for i, (node, of) in enumerate(zip(circuit.next, costs, strict=True)):
        rows = tuple([(j, int(reach(of, potentials, i, j) - tree.between[i][j])) for j in of])
        reduced.append(draft.variable(tuple(sorted({cost for _, cost in rows}))))
        post_listed(draft, Table((node, reduced[-1]), rows))
    ends = [draft.domains[step] for step in steps]
    length = draft.variable(range(sum(d[0] for d in ends), sum(d[-1] for d in ends) + 1))
    post_linear(draft, "==", [*[(step, 1) for step in steps], (length, -1)], 0)
    constant = 2 * sum(potentials) - int(tree.bound)
    post_linear(draft, "<=", [*[(w, 1) for w in reduced], (length, -1)], constant)
    draft.bound = Posted(objective_at_most, (length,), (LOWER_BOUND,), [1, 1], idempotent=True)


def find_costs(draft: Draft, circuit: Circuit) -> tuple[Costs, list[int]] | None:
    """The costs of arcs and the variable of each node's step, where the sum of the steps is to be
    least; None for other objectives."""
    objective, n = draft.structure.objective, len(circuit.next)
    if objective is None or objective.sense != "minimize" or set(objective.coefficients) != {1}:
        return None
    if not 3 <= n <= MOST_NODES or not all(type(node) is int for node in circuit.next):
        return None
    chosen = {
        define.function.index: define
        for define in draft.structure.constraints
        if type(define) is Define
        and type(define.function) is Element
        and all(map(is_constant, define.function.terms))
    }
    if not all(node in chosen and len(chosen[node].function.terms) == n for node in circuit.next):
        return None
    steps = [chosen[node].result for node in circuit.next]
    if not all(type(step) is int for step in steps) or sorted(steps) != sorted(objective.scope):
        return None
    costs = [
        {
            j: chosen[node].function.terms[j].offset
            for j in draft.domains[node]
            if 0 <= j < n and j != i
        }
        for i, node in enumerate(circuit.next)
    ]
    return costs, steps


def reach(of: dict[int, int], potentials: Sequence[float], i: int, j: int) -> float:
    """The cost of an arc and the potentials of its ends."""
    return of[j] + potentials[i] + potentials[j]


def span(costs: Costs, potentials: Sequence[float]) -> Tree | None:
    """A least spanning tree of the cheaper arcs between each two nodes (Kruskal, 1956); None if
    there is none."""
    n = len(costs)
    edges = [
        (min(reach(costs[a], potentials, a, b) for a, b in ((i, j), (j, i)) if b in costs[a]), i, j)
        for i, j in combinations(range(n), 2)
        if j in costs[i] or i in costs[j]
    ]
    parts = [[i] for i in range(n)]
    between: list[list[float]] = [[0] * n for _ in range(n)]
    total: float = 0  # exact where potentials are whole
    degrees, last, number = [0] * n, (0, 0), 1
    for cost, i, j in sorted(edges):
        one, other = parts[i], parts[j]
        if one is other:
            continue
        for a in one:
            for b in other:
                between[a][b] = between[b][a] = cost
        one += other
        for b in other:
            parts[b] = one
        total += cost
        degrees[i] += 1
        degrees[j] += 1
        last, number = (i, j), number + 1
        if number == n:
            return Tree(total, degrees, last, between)
    return None


def improve_potentials(costs: Costs) -> list[int] | None:
    """Whole potentials for which the bound is large; None without a tree. Ascent along
    subgradients."""
    n = len(costs)
    potentials, best = [0.0] * n, [0.0] * n
    greatest = float("-inf")
    step = 0.0
    for _ in range(ROUNDS):
        tree = span(costs, potentials)
        if tree is None:
            return None
        bound = tree.bound - 2 * sum(potentials)
        if bound > greatest:
            greatest, best = bound, potentials
        step = 0.96 * step if step else abs(tree.cost) / n / 4
        slopes = [degree - 2 for degree in tree.degrees]
        for i in tree.last:
            slopes[i] += 1
        if not any(slopes):
            break
        potentials = [p + step * slope for p, slope in zip(potentials, slopes, strict=True)]
    return [round(p) for p in best]
