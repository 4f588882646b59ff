"""An instance as a model of Pumpkin.

Words
-----
pair       how a constraint of one class is posed, and how its opposite is
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from backends.interface.handlers import Condition
from backends.interface.libraries.recipes import Recipe
from backends.pumpkin.views import Views
from modelling.constraint import Constraint
from modelling.constraints import Linear, Not
from modelling.problem import Problem

Pose = Callable[["Model", Any, Any], None]
"""Poses a constraint in a model under a premise."""


class Pair(NamedTuple):
    """What poses a constraint, and what poses its opposite, if that is known."""

    say: Pose
    deny: Pose | None = None


class Model(Views):
    """One instance with its constraints."""

    def __init__(
        self,
        pumpkin: Any,
        kinds: Any,
        problem: Problem,
        pairs: Mapping[type[Constraint], Pair],
        seed: int,
    ) -> None:
        super().__init__(pumpkin, kinds, problem, seed)
        self._pairs = pairs
        self._truths: dict[Constraint, Any] = {}

    def pose(self, recipe: Recipe) -> None:
        """All of a structure."""
        self.exclude_gaps()
        for pair, constraint, condition in recipe.posts:
            self.impose(pair, constraint, condition)

    def truth(self, constraint: Constraint) -> Any:
        """The literal that is equivalent to a constraint."""
        if not constraint.scope:
            return self.known(constraint.holds(()))
        if type(constraint) is Not:
            return self.truth(constraint.formula).negate()
        if type(constraint) is Linear and constraint.coefficients == (1,):
            return self.literal(constraint.terms[0], constraint.relation, constraint.constant)
        found = self._truths.get(constraint)
        if found is None:
            found = self._truths[constraint] = self.boolean()
            self.say(constraint, found)
            self.deny(constraint, found.negate())
        return found

    def say(self, constraint: Constraint, premise: Any) -> None:
        """A constraint within another one, under a premise."""
        if not constraint.scope:
            self.clause([self.truth(constraint)], premise)
            return
        self._pairs[type(constraint)].say(self, constraint, premise)

    def deny(self, constraint: Constraint, premise: Any) -> None:
        """Its opposite, under a premise."""
        if not constraint.scope:
            self.clause([self.truth(constraint).negate()], premise)
            return
        deny = self._pairs[type(constraint)].deny
        assert deny is not None, "it is taken where it holds or is implied"
        deny(self, constraint, premise)

    def impose(self, pair: Pair, constraint: Any, condition: Condition | None) -> None:
        """Let a constraint hold, or hold under a condition."""
        if condition is None:
            pair.say(self, constraint, None)
            return
        literal = self.literal(condition.variable, "==", condition.value)
        pair.say(self, constraint, literal)
        if condition.full:
            assert pair.deny is not None, "it is not taken where it is equivalent"
            pair.deny(self, constraint, literal.negate())
