"""An instance as a cost function network.

Words
-----
place     of a value: its position in the base domain, which is what toulbar2 calls it
cells     the places of the variables of a table, all together
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from operator import ne
from typing import Any

from modelling.problem import Problem
from modelling.terms import Term, affine

TOP = float("inf")
"""The cost of what is forbidden."""

KEPT_CELLS = 4_096
"""Most cells of an inequality's table that is kept, for pairs of variables with equal values."""

MOST_CELLS = 1_000_000
"""Most cells of a table of costs: a list of Python, of 8 bytes a cell."""


class Impossible(Exception):
    """What is to be posed has no solution."""


class Network:
    """One instance as toulbar2 has it, over base domains; values that are not open are forbidden.

    Values have names, so that a domain with gaps needs only its own values.
    """

    def __init__(self, made: Any, problem: Problem) -> None:
        self.made = made
        self.domains = problem.structure.domains
        self._known = [None if len(of) > 1 else of for of in problem.domains()]
        self._late: list[tuple[list[int], float, list[list[int]]]] = []
        self._unequal: dict[tuple[tuple[int, ...], tuple[int, ...]], list[float]] = {}
        for number, (domain, mask) in enumerate(zip(self.domains, problem.masks, strict=True)):
            made.AddVariable(str(number), [f"v{value}" for value in domain])
            if mask.bit_count() < len(domain):
                made.AddFunction(
                    [number], [0 if mask >> k & 1 else TOP for k in range(len(domain))]
                )

    def values(self, term: Term) -> tuple[int | None, Sequence[int]]:
        """The variable of an affine term, and its value at each place; None for what is known.

        Tables leave out known variables: toulbar2 reduces a table over one at once, and may end the
        process by that while others are still to be posed (docs/disagreements.md).
        """
        variable, factor, offset = affine(term)
        if variable is None:
            return None, (offset,)
        known = self._known[variable]
        if known is not None:
            return None, (factor * known[0] + offset,)
        if (factor, offset) == (1, 0):
            return variable, self.domains[variable]
        return variable, [factor * value + offset for value in self.domains[variable]]

    def tabulate(self, terms: Iterable[Term], holds: Callable[..., bool]) -> None:
        """A table of costs: what does not hold is forbidden."""
        placed = [self.values(term) for term in terms]
        named = [variable for variable, _ in placed if variable is not None]
        scope = list(dict.fromkeys(named))
        if len(scope) == len(named):
            cells: Iterable[Sequence[int]] = product(*[values for _, values in placed])
        else:  # a condition may be in what it implies
            sizes = [range(len(self.domains[variable])) for variable in scope]
            at = (dict(zip(scope, places, strict=True)) for places in product(*sizes))
            cells = ([of[0 if x is None else place[x]] for x, of in placed] for place in at)
        self._tabulated(scope, [0 if holds(*values) else TOP for values in cells])

    def differ(self, one: Term, other: Term) -> None:
        """A table of two terms that are not equal."""
        (x, first), (y, second) = self.values(one), self.values(other)
        if x is None or y is None or x == y:
            self.tabulate((one, other), ne)
            return
        key = tuple(first), tuple(second)
        costs = self._unequal.get(key)
        if costs is None:
            costs = [0 if a != b else TOP for a in first for b in second]
            if len(costs) <= KEPT_CELLS:
                self._unequal[key] = costs
        self._tabulated((x, y), costs)

    def _tabulated(self, scope: Sequence[int], costs: list[float]) -> None:
        """A table of costs that are 0 or all too much."""
        forbidden = TOP in costs
        if forbidden and 0 not in costs:
            raise Impossible
        if not forbidden:
            return
        if len(scope) == 2:  # what ``AddFunction`` comes to once it has looked at all costs again
            self.made.CFN.wcsp.postBinaryConstraint(*scope, costs, False)
        else:
            self.made.AddFunction(scope, costs)

    def at_least(self, weights: Mapping[int, Sequence[int]], bound: int) -> None:
        """The sum of what the variables weigh at their places; a constraint of its knapsacks.

        Its own ``AddGeneralizedLinearConstraint`` writes the same text, in quadratic time.
        """
        least = sum(min(of) for of in weights.values())
        if least >= bound:
            return
        if sum(max(of) for of in weights.values()) < bound:
            raise Impossible
        if len(weights) == 1:
            ((variable, of),) = weights.items()
            self.made.AddFunction([variable], [0 if weight >= bound else TOP for weight in of])
            return
        said = [str(bound)]
        for of in weights.values():
            said.append(str(len(of)))
            said += [f"{place} {weight}" for place, weight in enumerate(of)]
        self.made.CFN.wcsp.postKnapsackConstraint([*weights], " ".join(said), kp=True)

    def allow(self, scope: list[int], rows: list[list[int]], allowed: bool) -> None:
        """Places together, of which each row is allowed, or is not."""
        others = TOP if allowed else 0
        if len(scope) > 3:
            self._late.append((scope, others, rows))
        else:
            self._add_rows(scope, others, rows)

    def finish(self) -> None:
        """Pose what must come last: tables of more than three variables, for the same reason."""
        for late in self._late:
            self._add_rows(*late)

    def _add_rows(self, scope: list[int], others: float, rows: list[list[int]]) -> None:
        self.made.AddCompactFunction(scope, others, rows, [0 if others else TOP] * len(rows))
