"""A structure as a ground program of clingo.

The text is kept, and each instance is a file of it and of a few more rules. clingo reads such a
file in a tenth of the time that a call for each rule would take.

Words
-----
shown    the atoms of the variables are shown, as their numbers; these alone distinguish solutions
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from functools import reduce

from backends.clingo.rules import Rules
from backends.interface.handlers import Condition
from backends.interface.libraries.formulas import Builder, Builders
from backends.interface.libraries.literals import ClauseBuilder
from modelling.constraint import Constraint
from modelling.problem import Objective, Problem, Structure


class Program(Rules, ClauseBuilder[int, list[int]]):
    """Rules of a structure, and the literals of its variables. Of a constraint it makes literals
    that are equivalent to it together."""

    def __init__(self, structure: Structure, builders: Builders) -> None:
        Rules.__init__(self)
        ClauseBuilder.__init__(self, builders)
        self.domains = structure.domains
        self.text = ""
        self.shown: dict[int, tuple[int, int]] = {}
        """The variable and the value of each atom that is shown."""
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
        self.least(
            [
                (literal, factor * value)
                for variable, factor in zip(objective.scope, factors, strict=True)
                for value, literal in self.values(variable).items()
            ]
        )

    # --- constraints ---

    def build(self, constraint: Constraint) -> list[int]:
        before, self.at_root = self.at_root, False
        made = super().build(constraint)
        self.at_root = before
        return made

    def post(self, builder: Builder, constraint: Constraint, condition: Condition | None) -> None:
        self.at_root = condition is None
        super().post(builder, constraint, condition)
        self.at_root = False

    def known(self, value: bool) -> list[int]:
        return [self.true if value else self.false]

    def conjoin(self, made: list[int]) -> int:
        return made[0] if len(made) == 1 else self.defined_by([made])

    def all_of(self, parts: Iterable[list[int]]) -> list[int]:
        return [literal for part in parts for literal in part]

    def any_of(self, literals: Iterable[int]) -> list[int]:
        return [self.defined_by([literal] for literal in literals)]

    def one_of(self, rows: Iterable[Sequence[int]]) -> list[int]:
        return [self.defined_by(rows)]

    def opposite(self, literal: int) -> int:
        return -literal

    def denied(self, literal: int) -> list[int]:
        return [-literal]

    def implied(self, condition: int, literal: int) -> list[int]:
        return self.any_of([-condition, literal])

    def same(self, one: int, other: int) -> list[int]:
        return [-self._differ(one, other)]

    def odd(self, literals: Iterable[int]) -> list[int]:
        return [reduce(self._differ, literals, self.false)]

    def _differ(self, one: int, other: int) -> int:
        return self.defined_by([[one, -other], [-one, other]])

    def clauses(self, rows: Iterable[Sequence[int]]) -> list[int]:
        return self.none_of([-literal for literal in row] for row in rows)

    def partnered(self, pairs: Iterable[tuple[int, Sequence[int]]]) -> list[int]:
        return self.none_of([first, *(-other for other in others)] for first, others in pairs)

    def impose(self, made: list[int], condition: Condition | None) -> None:
        if condition is None:
            for literal in made:
                self.rule([], [-literal])
            return
        holds = self.equals(condition.variable, condition.value)
        for literal in made:
            self.rule([], [holds, -literal])
        if condition.full:
            self.rule([], [-holds, *made])
