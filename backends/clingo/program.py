"""A structure as a ground program of clingo.

The text is kept, and each instance is a file of it and of a few rules more: so much is read in a
tenth of the time that a call for each rule would take.

Words
-----
shown    the atoms of the variables are shown, as their numbers, and solutions are told apart by
         these alone
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any

from backends.clingo.rules import Rules
from backends.interface.handlers import Condition
from modelling.constraint import Constraint
from modelling.problem import Objective, Problem, Structure
from modelling.terms import Term, affine

Builder = Callable[["Program", Any], list[int]]
"""Makes literals of a constraint, which together are equivalent to it."""


class Program(Rules):
    """Rules of a structure, and the literals of its variables."""

    def __init__(self, structure: Structure, builders: Mapping[Any, Builder]) -> None:
        super().__init__()
        self.domains = structure.domains
        self.text = ""
        self.shown: dict[int, tuple[int, int]] = {}
        """The variable and the value of each atom that is shown."""
        self._builders = builders
        self._truths: dict[Constraint, int] = {}
        self.literals = [self._variable(k, domain) for k, domain in enumerate(structure.domains)]

    def _variable(self, number: int, domain: Sequence[int]) -> dict[int, int]:
        """A literal for each value, of which one is true; of two values one is not the other."""
        if len(domain) == 1:
            return {domain[0]: self.true}
        if len(domain) == 2:
            atom = self._shown(number, domain[0])
            self.rule([atom], [], choice=True)
            return {domain[0]: atom, domain[1]: -atom}
        atoms = [self._shown(number, value) for value in domain]
        self.rule(atoms, [], choice=True)
        self.rule([], [-atom for atom in atoms])
        self.weight_rule([], 2, [(atom, 1) for atom in atoms])
        return dict(zip(domain, atoms, strict=True))

    def _shown(self, variable: int, value: int) -> int:
        atom = self.atom()
        self.shown[atom] = variable, value
        self.show(atom)
        return atom

    def finish(self) -> None:
        """Keep what is written as one text."""
        self.text = "\n".join(["asp 1 0 0", *self.lines])
        self.lines.clear()

    def instance(self, problem: Problem) -> Program:
        """A copy, to which the rules of an instance are added."""
        made = copy(self)
        made.lines, made._truths = [self.text], dict(self._truths)
        for literals, domain in zip(self.literals, problem.domains(), strict=True):
            if len(domain) == 1 < len(literals):
                made.rule([], [-literals[domain[0]]])
            elif len(domain) < len(literals):
                for value in literals.keys() - set(domain):
                    made.rule([], [literals[value]])
        return made

    def minimize(self, objective: Objective, factors: Sequence[int]) -> None:
        """Find the least sum."""
        self.least(self.weigh(objective.scope, factors))

    # --- literals ---

    def values(self, term: Term) -> dict[int, int]:
        """The literals of an affine term, by its values."""
        variable, factor, offset = affine(term)
        if variable is None:
            return {offset: self.true}
        literals: dict[int, int] = self.literals[variable]
        if (factor, offset) == (1, 0):
            return literals
        return {factor * value + offset: literal for value, literal in literals.items()}

    def equals(self, term: Term, value: int) -> int:
        """Whether a term has a value."""
        return self.values(term).get(value, -self.true)

    def weigh(self, terms: Sequence[Term], factors: Sequence[int]) -> list[tuple[int, int]]:
        """Literals with what they add to a sum."""
        return [
            (literal, factor * value)
            for term, factor in zip(terms, factors, strict=True)
            for value, literal in self.values(term).items()
        ]

    # --- constraints ---

    def build(self, constraint: Constraint) -> list[int]:
        """A constraint within another one."""
        if not constraint.scope:
            return [self.true if constraint.holds(()) else -self.true]
        before, self.at_root = self.at_root, False
        made = self._builders[type(constraint)](self, constraint)
        self.at_root = before
        return made

    def post(self, builder: Builder, constraint: Constraint, condition: Condition | None) -> None:
        """A constraint of the structure."""
        self.at_root = condition is None
        self.impose(builder(self, constraint), condition)
        self.at_root = False

    def truth(self, constraint: Constraint) -> int:
        """The literal that is equivalent to a constraint."""
        found = self._truths.get(constraint)
        if found is None:
            found = self._truths[constraint] = self.together(self.build(constraint))
        return found

    def impose(self, literals: Sequence[int], condition: Condition | None) -> None:
        """All of them are true, or are under a condition."""
        if condition is None:
            for literal in literals:
                self.rule([], [-literal])
            return
        holds = self.equals(condition.variable, condition.value)
        for literal in literals:
            self.rule([], [holds, -literal])
        if condition.full:
            self.rule([], [-holds, *literals])
