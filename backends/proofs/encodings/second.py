"""What a constraint alone excludes: by enumeration, or by a second engine where that takes long.

The engine shares no encoding with the first one. It is ``propagation``, which has no clauses: it
states constraints by propagators of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from math import prod
from time import perf_counter
from typing import Any

from backends.interface.api import Backend, Limits, Solutions
from modelling import brute_force
from modelling.problem import Assignment, Problem, Structure

SECOND = "propagation"

ENUMERATED, ASKED = 1, 2
"""How it was found that none exists; 0 where it was not."""

MOST_SECONDS = 5.0
"""A question takes no longer."""


class Alone:
    """Remembers what was found: constraints of one kind are looked at once."""

    def __init__(self, problem: Problem, until: float, most: int) -> None:
        self._problem = problem
        self._until = until
        self._most = most
        self._known: dict[Any, int] = {}
        self._structures: dict[Any, Structure] = {}

    @cached_property
    def _engine(self) -> Backend:
        from backends.interface.registry import get  # not in every worker

        return get(SECOND)

    def refutes(self, constraint: Any, box: Mapping[int, Collection[int]]) -> int:
        """How a constraint of the problem has no solution within a box of base domains; else 0."""
        structure = self._problem.structure
        scope = tuple(constraint.scope)
        domains = tuple(structure.domains[v] for v in scope)
        shape = constraint.mapped({v: k for k, v in enumerate(scope)}.__getitem__), domains
        masks = tuple(
            None if isinstance(domain, range) else _mask(domain, box.get(v))
            for v, domain in zip(scope, domains, strict=True)
        )
        key = *shape, masks
        if key not in self._known:
            if shape not in self._structures:
                names = tuple(f"x{k}" for k in range(len(scope)))
                self._structures[shape] = Structure(names, domains, (shape[0],))
            asked = Problem(self._structures[shape], masks)  # type: ignore[arg-type]
            self._known[key] = self._refute(asked)
        return self._known[key]

    def _refute(self, asked: Problem) -> int:
        sizes = (len(asked.values(v)) for v in range(asked.structure.size))
        if prod(sizes) <= self._most:
            return 0 if any(True for _ in brute_force.solutions(asked)) else ENUMERATED
        result = self._engine.solve(asked, Solutions(1), self._limits())
        return ASKED if result.exhausted and not result.count else 0

    def find(self, box: Mapping[int, Collection[int]]) -> tuple[bool, Assignment | None]:
        """Whether the whole problem was searched within a box of declared variables, and what was
        found there."""
        structure = self._problem.structure
        masks = tuple(
            mask if mask is None else mask & _mask(domain, box.get(v))
            for v, (mask, domain) in enumerate(
                zip(self._problem.masks, structure.domains, strict=True)
            )
        )
        result = self._engine.solve(Problem(structure, masks), Solutions(1), self._limits())
        return result.exhausted, result.solutions[0] if result.solutions else None

    def _limits(self) -> Limits:
        return Limits(seconds=max(0.01, min(MOST_SECONDS, self._until - perf_counter())))


def _mask(domain: Collection[int], within: Collection[int] | None) -> int:
    if within is None:
        return (1 << len(domain)) - 1
    return sum(1 << k for k, value in enumerate(domain) if value in within)
