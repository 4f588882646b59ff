"""What a constraint alone excludes: by enumeration, or by a second engine where that takes long.

The engine shares no encoding with the first one. It is ``propagation``, which has no clauses: it
states constraints by propagators of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from math import prod
from time import perf_counter
from typing import Any

from backends.interface.api import Backend, Limits, Solutions
from backends.proofs.encodings.meaning import Meaning
from modelling import brute_force
from modelling.constraint import Constraint
from modelling.constraints import Define
from modelling.definedness import can_be_undefined
from modelling.problem import Assignment, Problem, Structure

SECOND = "propagation"

ENUMERATED, ASKED = 1, 2
"""How it was found that none exists; 0 where it was not."""

MOST_SECONDS = 5.0
"""A question takes no longer."""

Box = Mapping[int, Collection[int]]


class Alone:
    """Remembers what was found: constraints of one kind are looked at once."""

    def __init__(self, meaning: Meaning, until: float, most: int) -> None:
        self._meaning = meaning
        self._problem = meaning.problem
        self._until = until
        self._most = most
        self._known: dict[Any, int] = {}
        self._structures: dict[Any, Structure] = {}
        self._total: dict[int, bool] = {}

    @cached_property
    def _engine(self) -> Backend:
        from backends.interface.registry import get  # not in every worker

        return get(SECOND)

    def refutes(self, constraint: Any, box: Box) -> int:
        """How a constraint has no solution within a box over variables of its own; else 0. Added
        variables are looked at as if they were free."""
        scope = tuple(constraint.scope)
        domains = tuple(map(self._base, scope))
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

    def _base(self, variable: int) -> Any:
        """The domain that is the same in all instances."""
        return self._meaning.rewritten.structure.domains[variable]

    def _refute(self, asked: Problem) -> int:
        sizes = (len(asked.values(v)) for v in range(asked.structure.size))
        if prod(sizes) <= self._most:
            return 0 if any(True for _ in brute_force.solutions(asked)) else ENUMERATED
        result = self._engine.solve(asked, Solutions(1), self._limits())
        return ASKED if result.exhausted and not result.count else 0

    # --- with the definitions of added variables ---------------------------------------------

    def excludes(
        self, constraints: Iterable[Constraint], box: Box, more: Iterable[Constraint] = ()
    ) -> bool:
        """Whether some constraints and the definitions of added variables have no solution within a
        box in which ``more`` holds, by the second engine."""
        asked = [*constraints, *more]
        variables = sorted(self._meaning.close([*box, *(v for c in asked for v in c.scope)]))
        added = [v for v in variables if v in self._meaning.functions]
        if not all(map(self._meaning.is_known, variables)) or not all(map(self._is_total, added)):
            return False
        domains = [tuple(self._values(v, box)) for v in variables]
        if not all(domains):
            return True
        place = {v: k for k, v in enumerate(variables)}
        functions = self._meaning.functions
        defined = [Define(v, functions[v]) for v in added]
        stated = tuple([c.mapped(place.__getitem__) for c in (*asked, *defined)])
        names = tuple([f"x{k}" for k in range(len(variables))])
        structure = Structure(names, tuple(domains), stated)
        problem = Problem(structure, structure.full_masks)
        result = self._engine.solve(problem, Solutions(1), self._limits())
        return result.exhausted and not result.count

    def _values(self, variable: int, box: Box) -> Iterable[int]:
        return sorted(box[variable]) if variable in box else self._meaning.domain(variable)

    def _is_total(self, variable: int) -> bool:
        """Whether the definition of an added variable has a value everywhere."""
        if variable not in self._total:
            function = self._meaning.functions[variable]
            domains = self._meaning.rewritten.structure.domains
            self._total[variable] = not can_be_undefined(function, domains)
        return self._total[variable]

    # --- the whole problem -------------------------------------------------------------------

    def find(self, box: Box) -> tuple[bool, Assignment | None]:
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
