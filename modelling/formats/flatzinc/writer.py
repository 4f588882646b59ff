"""Writes the parts of a FlatZinc file: names, variables, arguments, conditions.

Words
-----
literal     a Boolean of the file and whether it is meant as it is: ``("b", False)`` is not b
view        an affine term that is not a variable; it is given a variable of its own
Boolean     a variable 0 or 1 of which the problem speaks in conditions only is a ``var bool``; one
            that is also added up is a ``var 0..1`` with a ``var bool`` beside it (``bool2int``)

What is added is a function of the declared variables, so that solutions correspond one to one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from modelling.constraint import Constraint
from modelling.errors import ModelError
from modelling.formats.flatzinc.items import LARGEST
from modelling.problem import Problem, Structure
from modelling.terms import Affine, Domains, Function, Term, affine, bounds
from modelling.vocabulary.formulas.clauses import Clauses
from modelling.vocabulary.formulas.connectives import And
from modelling.vocabulary.formulas.linear import Linear, Sum

Literal = tuple[str, bool]

INTRODUCED = "X_INTRODUCED_{}_"
"""What MiniZinc calls variables of its own."""

_WORDS = frozenset(
    """
    ann annotation any array bool case constraint default diff div else elseif endif enum exists
    false float forall function if in include int intersect let list maximize minimize mod not of
    op opt output par predicate record satisfy set solve string subset superset symdiff test then
    true tuple type union var where xor
    """.split()  # noqa: SIM905 (as a list of strings it would fill a page)
)


def is_boolean_literal(formula: Constraint, domains: Domains) -> bool:
    """Whether it is ``b == 0`` or the like, of one variable that is 0 or 1."""
    return (
        type(formula) is Linear
        and formula.is_plain
        and formula.coefficients == (1,)
        and formula.relation in ("==", "!=")
        and formula.constant in (0, 1)
        and tuple(domains[formula.terms[0]]) == (0, 1)
    )


class Names:
    """Identifiers for the variables, each its own; other signs than letters, digits and ``_`` are
    replaced."""

    def __init__(self, names: Iterable[str]) -> None:
        self.taken: set[str] = set(_WORDS)
        self.replaced: list[tuple[str, str]] = []
        self._numbers = 0
        self._tried: dict[str, int] = {}
        names = tuple(names)
        fitting = {name for name in names if re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name)} - _WORDS
        self.taken |= fitting
        self.names = [name if name in fitting else self._replacement(name) for name in names]

    def _replacement(self, name: str) -> str:
        plain = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")
        if not plain[:1].isalpha():
            plain = f"v_{plain}"
        found, number = plain, self._tried.get(plain, 1)
        while found in self.taken:
            number += 1
            found = f"{plain}_{number}"
        self._tried[plain] = number
        self.taken.add(found)
        self.replaced.append((name, found))
        return found

    def fresh(self) -> str:
        """A name for a variable that is added."""
        while True:
            self._numbers += 1
            found = INTRODUCED.format(self._numbers)
            if found not in self.taken:
                self.taken.add(found)
                return found


class FlatZincWriter:
    """What has been written so far."""

    def __init__(self, problem: Problem, declared: int) -> None:
        structure = problem.structure
        own = Names(structure.names[:declared])
        self.names = own
        self.called = own.names + [own.fresh() for _ in structure.names[declared:]]
        self.domains: Domains = structure.domains
        self.lines: list[str] = []
        self.constraints: list[str] = []
        self.used: set[str] = set()
        self._views: dict[Affine, str] = {}
        self.literals: dict[Constraint, Literal] = {}
        self._booleans: dict[int, str] = {}
        as_number, as_condition = _uses(structure)
        self._only_conditions = as_condition - as_number

    # --- variables ---

    def declare(self, variable: int, values: Sequence[int] | None, annotations: str) -> None:
        """Declare a variable with the values that are open for it (None: all)."""
        name = self.called[variable]
        values = self.domains[variable] if values is None else values
        if not len(values):
            self.lines.append(f"var 0..0: {name}{annotations};")
            self.post("bool_clause", "[]", "[]")
        elif variable in self._only_conditions:
            self.lines.append(f"var bool: {name}{annotations};")
            if len(values) == 1:
                self.post("bool_eq", name, "true" if values[0] else "false")
        else:
            self.lines.append(f"var {self.domain(name, values)}: {name}{annotations};")

    def domain(self, name: str, values: Sequence[int]) -> str:
        """A domain as it is declared."""
        if isinstance(values, range) and values.step != 1:
            raise ModelError(
                f"FlatZinc: the domain of {name} has too many gaps to be written; state it by a "
                "variable without gaps, times a factor"
            )
        low, high = values[0], values[-1]
        if high - low == len(values) - 1:
            return f"{self.number(low)}..{self.number(high)}"
        return self.set(values)

    def number(self, value: int) -> str:
        """A number, if FlatZinc's readers take it."""
        if not -LARGEST <= value <= LARGEST:
            raise ModelError(
                f"FlatZinc: the number {value} is too large; its numbers go to {LARGEST}"
            )
        return str(value)

    def set(self, values: Iterable[int]) -> str:
        """A set of numbers, as a list."""
        return "{" + ",".join(map(self.number, values)) + "}"

    def introduce(self, kind: str) -> str:
        """A variable that is added; ``kind`` is its type."""
        name = self.names.fresh()
        self.lines.append(f"var {kind}: {name} :: var_is_introduced :: is_defined_var;")
        return name

    # --- arguments ---

    def post(self, name: str, *arguments: str, defines: str = "") -> None:
        """Write a constraint."""
        self.used.add(name)
        ending = f" :: defines_var({defines})" if defines else ""
        self.constraints.append(f"constraint {name}({','.join(arguments)}){ending};")

    def term(self, term: Term, shift: int = 0) -> str:
        """An integer argument: a constant, a variable, or that of a view; ``shift`` is added."""
        variable, factor, offset = affine(term)
        offset += shift
        if variable is None:
            return self.number(offset)
        if (factor, offset) == (1, 0):
            name: str = self.called[variable]
            return name
        view = Affine(variable, factor, offset)
        found: str | None = self._views.get(view)
        if found is None:
            found = self._views[view] = self.sum_of((variable,), (factor,), offset)
        return found

    def sum_of(self, terms: Sequence[Term], factors: Sequence[int], offset: int = 0) -> str:
        """A variable that is added, equal to a sum and a number."""
        low, high = bounds(Sum(tuple(terms), tuple(factors)), self.domains)
        name = self.introduce(f"{self.number(low + offset)}..{self.number(high + offset)}")
        numbers = self.numbers((*factors, -1))
        names = self.array((*map(self.term, terms), name))
        self.post("int_lin_eq", numbers, names, self.number(-offset), defines=name)
        return name

    def terms(self, terms: Iterable[Term], shift: int = 0) -> str:
        """An array of integer arguments."""
        return self.array(self.term(term, shift) for term in terms)

    def numbers(self, values: Iterable[int]) -> str:
        """An array of numbers."""
        return self.array(map(self.number, values))

    def array(self, items: Iterable[str]) -> str:
        """An array."""
        return "[" + ",".join(items) + "]"

    def is_boolean(self, variable: int) -> bool:
        """Whether a variable is a ``var bool``."""
        return variable in self._only_conditions

    def boolean(self, variable: int) -> str:
        """The Boolean that a variable 0 or 1 is in conditions."""
        name = self.called[variable]
        if variable in self._only_conditions:
            return name
        found = self._booleans.get(variable)
        if found is None:
            found = self._booleans[variable] = self.introduce("bool")
            self.post("bool2int", found, name)
        return found


def is_equal_pair(formula: Constraint, domains: Domains) -> bool:
    """Whether it says that two variables, each 0 or 1, are equal."""
    return (
        type(formula) is Linear
        and formula.is_plain
        and formula.coefficients in ((1, -1), (-1, 1))
        and (formula.relation, formula.constant) == ("==", 0)
        and all(tuple(domains[variable]) == (0, 1) for variable in formula.terms)
    )


def _uses(structure: Structure) -> tuple[set[int], set[int]]:
    """The variables that a structure uses as numbers, and those that it uses in conditions.

    Two kinds of constraints at the root count as neither, as FlatZinc has them for numbers and for
    Booleans: that a single variable is true or false, and that two variables are equal.
    """
    as_number: set[int] = set()
    as_condition: set[int] = set()
    domains = structure.domains
    if structure.objective is not None:
        as_number.update(structure.objective.scope)
    left: list[tuple[Any, bool]] = [(one, True) for one in structure.constraints]
    while left:
        item, at_root = left.pop()
        if isinstance(item, Constraint) and is_boolean_literal(item, domains):
            if not at_root:
                as_condition.update(item.scope)
            continue
        if at_root and is_equal_pair(item, domains):
            continue
        if type(item) is Clauses:
            as_condition.update(item.scope)
            continue
        for term in item.terms_within():
            if not isinstance(term, Function):
                as_number.add(affine(term).variable)
        left += [(part, at_root and type(item) is And) for part in item.parts()]
    return as_number, as_condition
