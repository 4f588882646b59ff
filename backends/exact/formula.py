"""A structure as what has to be posed, and an instance of it as a pseudo-Boolean formula.

Words
-----
weigh    what a term adds, by Boolean, and a constant: ``7 x + 3 y + 2``
premise  a sum that is 0 where something is to hold, and 1 at least where it need not
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from backends.interface.libraries.literals import ValueLiterals
from backends.interface.libraries.recipes import Recipe
from modelling.problem import Assignment, Problem
from modelling.terms import Term

Sum = tuple[Mapping[str, int], int]
"""Weights of Booleans, and a constant."""


MOST_KEPT = 50_000
"""Largest number of terms that are kept of what was posed, about 5 MB."""


@dataclass(slots=True)
class ExactRecipe(Recipe):
    """With what it came to for an instance without givens."""

    written: Formula | None = None
    small: bool = True

    def pose(self, solver: Any, problem: Problem) -> Formula:
        """An instance in a new solver; what one without givens comes to is worked out once."""
        if not self.small or problem.masks != problem.structure.full_masks:
            return self._posed(solver, problem)
        if self.written is None:
            written = self._posed(Written(), problem)
            if written.solver.terms > MOST_KEPT:
                self.small = False
                return self._posed(solver, problem)
            self.written = written
        return self.written.given_to(solver)

    def _posed(self, solver: Any, problem: Problem) -> Formula:
        formula = Formula(solver, problem)
        for pose, constraint, condition in self.posts:
            pose(formula, constraint, condition)
        return formula


class Written:
    """Takes what Exact would be given, and gives it to Exact later."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.constraints: list[tuple[Any, ...]] = []
        self.terms = 0

    def addVariable(self, name: str) -> None:  # noqa: N802 - as Exact calls it
        self.names.append(name)

    def addConstraint(self, terms: Any, *bounds: Any) -> None:  # noqa: N802
        self.constraints.append((terms, *bounds))
        self.terms += len(terms)

    def give_to(self, solver: Any) -> None:
        """All of it, in its order; a solver minds no variables that come before they are used."""
        for name in self.names:
            solver.addVariable(name)
        for constraint in self.constraints:
            solver.addConstraint(*constraint)


class Formula(ValueLiterals[Sum]):
    """One instance as Exact has it.

    A variable of two values is a Boolean, one of more a Boolean for each value of which one is
    true, and one of one value nothing at all.
    """

    true, false = ({}, 1), ({}, 0)

    def __init__(self, solver: Any, problem: Problem) -> None:
        self.solver = solver
        self.domains = problem.domains()
        self._made = 0
        self.literals = [self._variable(domain) for domain in self.domains]

    def given_to(self, solver: Any) -> Formula:
        """The same in a solver, if it was only ``Written``."""
        self.solver.give_to(solver)
        given = copy(self)
        given.solver = solver
        return given

    def _variable(self, domain: Sequence[int]) -> dict[int, Sum]:
        """For each value, the sum that is 1 where the variable has it and else 0."""
        if len(domain) == 1:
            return {domain[0]: ({}, 1)}
        if len(domain) == 2:
            name = self.boolean()
            return {domain[0]: ({name: -1}, 1), domain[1]: ({name: 1}, 0)}
        names = [self.boolean() for _ in domain]
        self.solver.addConstraint([(1, name) for name in names], True, 1, True, 1)
        return {value: ({name: 1}, 0) for value, name in zip(domain, names, strict=True)}

    def boolean(self) -> str:
        """The name of a new Boolean."""
        name = str(self._made)
        self._made += 1
        self.solver.addVariable(name)
        return name

    # --- sums ---

    def weigh(self, terms: Iterable[Term], factors: Iterable[int]) -> Sum:
        """A sum of terms."""
        return combine(
            (factor * value, literal)
            for term, factor in zip(terms, factors, strict=True)
            for value, literal in self.values(term).items()
        )

    # --- constraints ---

    def between(self, found: Sum, least: int | None, most: int | None) -> None:
        """The sum is within these bounds."""
        weights, constant = found
        terms = [(weight, name) for name, weight in weights.items() if weight]
        low, high = least is not None, most is not None
        bounds = (low, (least or 0) - constant, high, (most or 0) - constant)
        self.solver.addConstraint(terms, *bounds)

    def at_least(self, found: Sum, bound: int, premises: Sequence[Sum] = ()) -> None:
        """The sum reaches the bound, or one of the premises is not 0."""
        weights, constant = found
        missing = bound - constant - sum(min(weight, 0) for weight in weights.values())
        if missing > 0:
            if premises:
                found = combine([(1, found), *((missing, premise) for premise in premises)])
            self.between(found, bound, None)

    def at_most(self, found: Sum, bound: int, premises: Sequence[Sum] = ()) -> None:
        """The sum does not exceed the bound, or one of the premises is not 0."""
        if premises:
            self.at_least(combine([(-1, found)]), -bound, premises)
        elif found[1] + sum(max(weight, 0) for weight in found[0].values()) > bound:
            self.between(found, None, bound)

    # --- solutions ---

    def names(self, on: Iterable[int]) -> list[str]:
        """The Booleans of some variables."""
        return [
            name
            for variable in on
            for weights, _ in self.literals[variable].values()
            for name in weights
        ]

    def read(self) -> Assignment:
        """The last solution."""
        names = self.names(range(len(self.literals)))
        true = dict(zip(names, self.solver.getLastSolutionFor(names), strict=True))
        return tuple([_value(literals, true) for literals in self.literals])


def combine(parts: Iterable[tuple[int, Sum]]) -> Sum:
    """The sum of several sums, each multiplied by its factor."""
    added: dict[str, int] = {}
    total = 0
    for factor, (weights, constant) in parts:
        total += factor * constant
        for name, weight in weights.items():
            added[name] = added.get(name, 0) + factor * weight
    return added, total


def _value(literals: Mapping[int, Sum], true: Mapping[str, int]) -> int:
    """The value whose literal is 1."""
    for value, (weights, constant) in literals.items():
        if constant + sum(weight * true[name] for name, weight in weights.items()) == 1:
            return value
    raise AssertionError("one of the values is taken")
