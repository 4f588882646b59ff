"""The result of a rewrite: an equivalent structure, its auxiliary variables, and the way back.

Words
-----
declared    the variables of the structure that was given; they come first, at the same positions
auxiliary   a variable that rewriting has added
determined  every auxiliary is a function of the declared variables, so that solutions correspond
            one to one and can be counted
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from modelling.errors import ModelError
from modelling.problem import Assignment, Problem, Structure
from modelling.terms import Function


@dataclass(frozen=True)
class Rewritten:
    """``structure`` has the solutions of the one that was given, on its first ``declared``
    variables. ``definitions`` say, in order of computation, what auxiliaries are equal to."""

    structure: Structure
    declared: int
    definitions: tuple[tuple[int, Function], ...] = ()
    determined: bool = True

    @property
    def auxiliaries(self) -> int:
        """How many variables were added."""
        return self.structure.size - self.declared

    def lift(self, problem: Problem) -> Problem:
        """The same givens in the new structure; auxiliaries are open."""
        if problem.structure.size != self.declared:
            raise ModelError(
                f"a problem of {problem.structure.size} variables cannot be lifted to a rewrite "
                f"of {self.declared}"
            )
        added: tuple[int, ...] = self.structure.full_masks[self.declared :]
        return Problem(self.structure, problem.masks + added)

    def project(self, values: Sequence[int]) -> Assignment:
        """The declared variables of a solution of the new structure."""
        return tuple(values[: self.declared])

    def extend(self, values: Sequence[int]) -> Assignment:
        """A solution of the structure that was given as one of the new structure."""
        if not self.determined:
            raise ModelError("not every auxiliary variable has a definition")
        found = dict(enumerate(values))
        for variable, function in self.definitions:
            value = function.value_at(found)
            if value is None:
                raise ModelError(f"{function!r}, a definition, is undefined at {tuple(values)!r}")
            found[variable] = value
        return tuple(found[i] for i in range(self.structure.size))

    def then(self, other: Rewritten) -> Rewritten:
        """Both rewrites as one; ``other`` is of this one's structure."""
        if other.declared != self.structure.size:
            raise ModelError(
                f"a rewrite of {other.declared} variables does not follow one to "
                f"{self.structure.size}"
            )
        return Rewritten(
            other.structure,
            self.declared,
            (*self.definitions, *other.definitions),
            self.determined and other.determined,
        )


@dataclass(frozen=True)
class Declined:
    """The result where no rewrite exists; ``reason`` names the constraint."""

    reason: str
