"""Writes terms and formulas with operators: the common part for all libraries of expressions.

The results are the library's own expressions, or texts of them (``python_text``). The same
operators make both, so that a program's text means the same as the object.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from modelling.constraint import Constraint
from modelling.errors import ModelError
from modelling.formats.python_text import render
from modelling.problem import Problem, Structure
from modelling.terms import Affine, Function, Term
from modelling.vocabulary.comparisons import RELATIONS, mirror
from modelling.vocabulary.equality.not_equal import NotEqual
from modelling.vocabulary.formulas.connectives import And, Iff, Implies, Not, Or, Xor
from modelling.vocabulary.formulas.linear import Linear, Sum
from modelling.vocabulary.formulas.truth import Truth
from modelling.vocabulary.functions.define import Define
from modelling.vocabulary.functions.multiplication import Product

INLINE = 4
"""Sums of more parts, and disjunctions of more than two, are written as calls."""


@dataclass(frozen=True)
class Operations:
    """The functions of a library for what it has no operators for, or not for lists."""

    total: Callable[[list[Any]], Any]
    """The sum of a list."""
    every: Callable[[list[Any]], Any]
    """That all conditions of a list hold."""
    some: Callable[[list[Any]], Any]
    """That one of them holds."""
    odd: Callable[[list[Any]], Any]
    """That an odd number of them hold."""
    constant: Callable[[bool], Any]
    """A condition that always holds, or never does."""
    iff: Callable[[Any, Any], Any]
    """That both hold or neither does."""


class ExpressionPrinter:
    """What terms and constraints of a structure are in a library; ``variables`` are its own.

    A call of a list in ``rows`` reads better than operators: the list has a short name. A subclass
    writes the rest of the vocabulary (``other``).
    """

    def __init__(
        self,
        structure: Structure,
        variables: Sequence[Any],
        operations: Operations,
        rows: Collection[tuple[str, ...]] = (),
    ) -> None:
        self.structure = structure
        self.variables = variables
        self.operations = operations
        self._rows = rows

    def other(self, item: Any) -> Any:
        """A function or constraint that has no operator."""
        raise NotImplementedError

    def conditions(self) -> Iterator[Any]:
        """What each constraint of the structure says."""
        for constraint in self.structure.constraints:
            with refusing_depth():
                said = self.formula(constraint)
            yield said

    # --- terms ---

    def term(self, term: Term) -> Any:
        """A term; a constant is an integer."""
        if isinstance(term, Affine):
            if term.variable is None:
                return term.offset
            return self.sum([(term.variable, term.factor)], term.offset)
        if not isinstance(term, Function):
            return self.variables[term]
        if type(term) is Sum:
            return self.sum(list(zip(term.terms, term.coefficients, strict=True)), 0)
        if type(term) is Truth:
            return self.formula(term.formula)
        if type(term) is Product and len(term.terms) > 1:
            product, *factors = self.terms(term.terms)
            for factor in factors:
                product = product * factor
            return product
        return self.other(term)

    def terms(self, terms: Iterable[Term]) -> list[Any]:
        """Each of them."""
        return [self.term(term) for term in terms]

    def sum(self, pairs: list[tuple[Term, int]], offset: int) -> Any:
        """``coefficient * term`` for each pair, and a constant."""
        if not pairs:
            return offset
        items = [(self.term(term), coefficient) for term, coefficient in pairs]
        parts = [self._times(coefficient, item) for item, coefficient in items]
        if len(pairs) > INLINE or (len(pairs) > 1 and self._is_row(parts)):
            found = self.operations.total(parts)
        else:
            found = parts[0]
            for item, coefficient in items[1:]:
                size = self._times(abs(coefficient), item)
                found = found - size if coefficient < 0 else found + size
        return found + offset if offset else found

    def _is_row(self, items: list[Any]) -> bool:
        return bool(self._rows) and tuple(map(render, items)) in self._rows

    def _times(self, coefficient: int, item: Any) -> Any:
        if coefficient == 1:
            return item
        return -item if coefficient == -1 else coefficient * item

    # --- formulas ---

    def formula(self, constraint: Constraint) -> Any:
        """A constraint as a condition."""
        match constraint:
            case And(formulas=parts):
                return self._joined(parts, self.operations.every, lambda x, y: x & y, True)
            case Or(formulas=parts):
                return self._joined(parts, self.operations.some, lambda x, y: x | y, False)
            case Xor(formulas=parts):
                return (
                    self.operations.odd(list(map(self.formula, parts)))
                    if parts
                    else self.operations.constant(False)
                )
            case Not(formula=inner):
                return ~self.formula(inner)
            case Implies(condition=one, consequence=other):
                return self.formula(one).implies(self.formula(other))
            case Iff(one=one, other=other):
                return self.operations.iff(self.formula(one), self.formula(other))
            case Linear():
                return self.linear(constraint)
            case NotEqual(terms=(one, other)):
                return self._compared(self.term(one), "!=", self.term(other))
            case Define(result=result, function=function):
                return self._compared(self.term(result), "==", self.term(function))
        return self.other(constraint)

    def _joined(
        self,
        parts: tuple[Constraint, ...],
        listed: Callable[[list[Any]], Any],
        join: Callable[[Any, Any], Any],
        neutral: bool,
    ) -> Any:
        said = list(map(self.formula, parts))
        if len(said) == 2:
            return join(*said)
        return listed(said) if said else self.operations.constant(neutral)

    def linear(self, linear: Linear) -> Any:
        """A comparison; of a Boolean variable, the variable or its negation."""
        terms, coefficients = linear.terms, linear.coefficients
        if self.is_literal(linear):
            variable = self.variables[terms[0]]
            return variable if linear.constant else ~variable
        both_numbers = not any(type(term) is Truth for term in terms)
        if coefficients == (1, -1) and not linear.constant and both_numbers:
            return self._compared(self.term(terms[0]), linear.relation, self.term(terms[1]))
        left = self.sum(list(zip(terms, coefficients, strict=True)), 0)
        return self._compared(left, linear.relation, linear.constant)

    def is_literal(self, linear: Linear) -> bool:
        """Whether it says of a variable with the domain {0, 1} that it is the one or the other."""
        return (
            linear.is_plain
            and (linear.coefficients, linear.relation) == ((1,), "==")
            and linear.constant in (0, 1)
            and is_boolean(self.structure.domains[linear.terms[0]])
        )

    def _compared(self, left: Any, relation: str, right: Any) -> Any:
        if type(left) is int and type(right) is int:
            return self.operations.constant(RELATIONS[relation](left, right))
        if type(left) is int:
            return RELATIONS[mirror(relation)](right, left)
        return RELATIONS[relation](left, right)


@contextmanager
def refusing_depth() -> Iterator[None]:
    """What is nested more deeply than Python calls functions is refused."""
    try:
        yield
    except RecursionError:
        raise ModelError(
            "a constraint is nested too deeply to be written; let variables of their own stand for "
            "parts of it"
        ) from None


def is_boolean(domain: Sequence[int]) -> bool:
    """Whether it is {0, 1}."""
    return len(domain) == 2 and domain[0] == 0 and domain[1] == 1


def open_domains(problem: Problem) -> tuple[Any, ...]:
    """The domains that the givens leave; one too large to be listed is a ``range``."""
    return tuple(map(problem.values, range(problem.structure.size)))


def refuse(item: Any, language: str) -> ModelError:
    """What is raised for a class that a language has no word for."""
    return ModelError(
        f"{type(item).__name__} cannot be written as {language}: it is no class of Concord's "
        "vocabulary; state what it means by classes that are"
    )
