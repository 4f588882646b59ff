"""A formula that is being written: the integers of its variables, and what writes sums to it.

Words
-----
form        how an integer is encoded: direct, order or log
definition  ``b <=> formula`` for a variable b that is 0 or 1: b is then the formula's own literal,
            and nothing is written to define it
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from backends.sat.at_most_one import AtMostOne
from backends.sat.cnf import Cnf, Literals
from backends.sat.integers.direct import Direct
from backends.sat.integers.integer import Integer, View
from backends.sat.integers.log import Log
from backends.sat.integers.order import Order
from backends.sat.sums.writing import MOST_DRAWN, Writer
from modelling.constraint import Constraint
from modelling.constraints import Iff, Linear
from modelling.problem import Structure
from modelling.terms import Term, affine

DEEPEST = 100
"""Most definitions that wait for one another; the next variable is given a Boolean of its own."""


@dataclass(eq=False)
class SatDraft:
    """See the head of this file; ``forms`` has the form of each variable."""

    structure: Structure
    at_most_one: AtMostOne
    extended: bool
    cnf: Cnf
    forms: Sequence[str]
    writer: Writer
    literal_of: Callable[[SatDraft, Constraint], int]
    integers: list[Integer | None] = field(default_factory=list)
    in_a_row: bool = False
    aliases: set[int] = field(default_factory=set)
    """The variables that are a formula's literal."""
    _definitions: dict[int, Iff] = field(default_factory=dict)
    _used: set[Constraint] = field(default_factory=set)
    _depth: int = 0
    _booleans: dict[int, Order] = field(default_factory=dict)

    @property
    def impossible(self) -> bool:
        """Whether a variable has no values, so that nothing else matters."""
        return not all(self.structure.domains)

    def open(self) -> None:
        """Write the variables, the direct ones first; those that are defined wait.

        Where all have two values and none is defined, ``in_a_row``, they are literals one after the
        other, and an ``Integer`` is made of one when it is asked for.
        """
        domains, cnf = self.structure.domains, self.cnf
        if self.forms and set(self.forms) == {"order"} and set(map(len, domains)) == {2}:
            self._definitions = dict(_definitions(self.structure))
            if not self._definitions and not cnf.top:
                self.in_a_row = True
                self.integers = [None] * len(domains)
                cnf.top = len(domains)
                return
        direct = [v for v, form in enumerate(self.forms) if form == "direct"]
        first, self.integers = cnf.top + 1, [None] * len(domains)
        cnf.top += sum(len(domains[v]) for v in direct)
        for variable in direct:
            domain = domains[variable]
            literals = range(first, first + len(domain))
            first += len(domain)
            cnf.add(literals)
            self.at_most_one(cnf, literals)
            by_value = dict(zip(domain, literals, strict=True))
            self.integers[variable] = Direct(cnf, domain, by_value)
        if self.impossible or len(direct) == len(domains):
            return
        self._definitions = dict(_definitions(self.structure))
        for variable in range(len(domains)):
            if variable not in self._definitions:
                self.integer(variable)

    def direct_literals(self, variables: Sequence[int]) -> list[Literals] | None:
        """The value literals of variables, if all are direct and have few values."""
        found: list[Literals] = []
        for variable in variables:
            integer = self.integers[variable]
            if type(integer) is not Direct or len(integer.domain) > MOST_DRAWN:
                return None
            found.append(integer.literals)
        return found

    def integer(self, variable: int) -> Integer:
        """A variable of the structure as an integer."""
        found = self.integers[variable]
        if found is None:
            definition = self._definitions.pop(variable, None)
            literal = None if definition is None else self._defined(definition)
            found = self.integers[variable]  # its definition may have asked for it
            if found is None and literal is not None and definition is not None:
                found = self.boolean(literal)
                self._used.add(definition)
                self.aliases.add(variable)
            elif found is None:
                found = self._new(variable)
            self.integers[variable] = found
        return found

    def is_used(self, constraint: Constraint) -> bool:
        """Whether it is a definition, which no clause need say; else it never will be one."""
        if type(constraint) is not Iff:
            return False
        variable = _defines(constraint)
        if variable is not None and self._definitions.get(variable) is constraint:
            self.integer(variable)
        return constraint in self._used

    def _defined(self, definition: Iff) -> int | None:
        if self._depth >= DEEPEST:
            return None
        self._depth += 1
        literal = self.literal_of(self, definition.other)
        self._depth -= 1
        return literal if definition.one.constant else -literal

    def _new(self, variable: int) -> Integer:
        domain = self.structure.domains[variable]
        if self.in_a_row:
            return Order(self.cnf, domain, [variable + 1])
        if self.forms[variable] == "log":
            return Log.new(self.cnf, domain)
        return Order.new(self.cnf, domain)

    def truth(self, term: Term) -> int:
        """The literal that an affine term is not 0."""
        if self.in_a_row and type(term) is int and self.structure.domains[term] == (0, 1):
            return term + 1
        return -self.view(term).value_literal(0)

    def boolean(self, literal: int) -> Order:
        """A literal as an integer that is 0 or 1; the same one each time."""
        found = self._booleans.get(literal)
        if found is None:
            found = self._booleans[literal] = Order(self.cnf, (0, 1), [literal])
        return found

    def view(self, term: Term) -> View:
        """A variable, an affine term or a constant."""
        variable, factor, offset = affine(term)
        if variable is None:
            return View(Order(self.cnf, (offset,), []), 1, 0)
        return View(self.integer(variable), factor, offset)


def _definitions(structure: Structure) -> list[tuple[int, Iff]]:
    """Each variable that is 0 or 1 and equivalent to a formula, with the first such constraint."""
    found: dict[int, Iff] = {}
    for constraint in structure.constraints:
        if type(constraint) is Iff:
            variable = _defines(constraint)
            if variable is not None and structure.domains[variable] == (0, 1):
                found.setdefault(variable, constraint)
    return list(found.items())


def _defines(constraint: Iff) -> int | None:
    """The variable b of ``b == 1 <=> formula`` (or 0), which the formula does not have."""
    one = constraint.one
    if type(one) is not Linear or not one.is_plain or one.coefficients != (1,):
        return None
    if one.relation != "==" or one.constant not in (0, 1) or one.terms[0] in constraint.other.scope:
        return None
    variable: int = one.terms[0]
    return variable
