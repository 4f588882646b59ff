"""Assignments by the definitions of the constraints: what a solution is, on some variables.

Variables are those of the rewritten structure: the declared ones first, then those that rewriting
has added, which are functions of the others. The constraints are the problem's own, not those that
rewriting made of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from modelling.constraint import Constraint
from modelling.problem import Problem
from modelling.rewriting import Rewritten
from modelling.terms import Function, variables_of

Values = Mapping[int, int | None]
"""Values of some variables; None where a function is undefined."""


class TooMany(Exception):
    """More assignments would have to be tried than may be."""


@dataclass(frozen=True)
class Condition:
    """What must hold of the variables of a scope; ``constraint`` is the one that says so."""

    scope: tuple[int, ...]
    holds: Callable[[Sequence[int]], bool]
    constraint: Constraint | None = None


@dataclass(frozen=True, eq=False)
class Meaning:
    """What holds in each solution of ``problem``, and ``more`` conditions besides; ``derived`` are
    those over added variables that follow."""

    problem: Problem
    rewritten: Rewritten
    more: tuple[Condition, ...] = ()
    derived: tuple[Condition, ...] = ()

    @cached_property
    def functions(self) -> dict[int, Function]:
        """What the added variables are equal to, as far as they are defined."""
        return dict(self.rewritten.definitions)

    @cached_property
    def conditions(self) -> list[Condition]:
        """The constraints, and what is asked for besides."""
        own = self.problem.structure.constraints
        return [*(Condition(tuple(c.scope), c.holds, c) for c in own), *self.more, *self.derived]

    @cached_property
    def _of_variable(self) -> dict[int, list[Condition]]:
        found: dict[int, list[Condition]] = {}
        for condition in self.conditions:
            for variable in condition.scope:
                found.setdefault(variable, []).append(condition)
        return found

    @cached_property
    def _idle(self) -> frozenset[int]:
        """The variables that distinguish no solutions: of these one value does for all."""
        structure = self.problem.structure
        if structure.output is None:
            return frozenset()
        objective = structure.objective.scope if structure.objective else ()
        busy = {*self._of_variable, *structure.output, *objective}
        return frozenset(range(structure.size)) - busy

    def domain(self, variable: int) -> Sequence[int]:
        """The values that are open in this instance; of an added variable its domain."""
        if variable >= self.rewritten.declared:
            return self.rewritten.structure.domains[variable]
        values = self.problem.domain(variable)
        return values[:1] if variable in self._idle else values

    def is_known(self, variable: int) -> bool:
        """Whether it is declared, or a function of such."""
        return variable < self.rewritten.declared or variable in self.functions

    def close(self, variables: Iterable[int]) -> set[int]:
        """These variables, and those that they are functions of."""
        found: set[int] = set()
        open_ = list(variables)
        while open_:
            variable = open_.pop()
            if variable not in found:
                found.add(variable)
                if variable in self.functions:
                    open_ += variables_of(self.functions[variable])
        return found

    def conditions_near(self, variables: Collection[int]) -> list[Condition]:
        """Those that have one of these variables, the smallest first; all, of no variables."""
        near = self.conditions
        if variables:
            lists = (self._of_variable.get(variable, ()) for variable in variables)
            near = list({id(c): c for those in lists for c in those}.values())
        return sorted(near, key=lambda c: (len(set(variables) - {*c.scope}), len(c.scope)))

    def derived_near(self, variables: Iterable[int]) -> list[Condition]:
        """The derived ones that have one of these variables."""
        lists = (self._derived_of.get(variable, ()) for variable in variables)
        return list({id(c): c for those in lists for c in those}.values())

    @cached_property
    def _derived_of(self) -> dict[int, list[Condition]]:
        found: dict[int, list[Condition]] = {}
        for condition in self.derived:
            for variable in condition.scope:
                found.setdefault(variable, []).append(condition)
        return found

    def assignments(
        self, variables: Collection[int], box: Mapping[int, Collection[int]], most: int
    ) -> Iterator[dict[int, Any]]:
        """Every assignment of ``variables``, closed, within the box that keeps all conditions over
        them alone. Raises ``TooMany`` after ``most`` steps."""
        order = self._order(variables, box)
        due = self._due(order)
        values: dict[int, Any] = {}
        left = most

        def open_values(variable: int) -> Iterable[int | None]:
            function = self.functions.get(variable)
            if function is None:
                within = box.get(variable)
                domain = self.domain(variable)
                return domain if within is None else [v for v in domain if v in within]
            found = function.value_at(values)
            allowed = found is None or variable not in box or found in box[variable]
            return (found,) if allowed else ()

        def extend(place: int) -> Iterator[dict[int, Any]]:
            nonlocal left
            if place == len(order):
                yield dict(values)
                return
            is_chosen = order[place] not in self.functions
            for value in open_values(order[place]):
                left -= is_chosen
                if left < 0:
                    raise TooMany
                values[order[place]] = value
                if all(c.holds([values[v] for v in c.scope]) for c in due[place]):
                    yield from extend(place + 1)

        yield from extend(0)

    def _order(self, variables: Collection[int], box: Mapping[int, Collection[int]]) -> list[int]:
        """The variables with few values first, and each function as soon as it can be worked out,
        so that what contradicts it is found early."""

        def size(variable: int) -> int:
            return len(box[variable]) if variable in box else len(self.domain(variable))

        found: list[int] = []
        waiting = [v for v in self.functions if v in set(variables)]
        for variable in sorted((v for v in variables if v not in self.functions), key=size):
            found.append(variable)
            seen = set(found)
            for function in list(waiting):
                if seen.issuperset(variables_of(self.functions[function])):
                    found.append(function)
                    seen.add(function)
                    waiting.remove(function)
        return [*found, *waiting]

    def _due(self, order: Sequence[int]) -> list[list[Condition]]:
        """The conditions that can be asked after each step."""
        place = {variable: k for k, variable in enumerate(order)}
        due: list[list[Condition]] = [[] for _ in order]
        seen: set[int] = set()
        for variable in order:
            for condition in self._of_variable.get(variable, ()):
                if id(condition) not in seen and all(v in place for v in condition.scope):
                    seen.add(id(condition))
                    due[max(place[v] for v in condition.scope)].append(condition)
        return due
