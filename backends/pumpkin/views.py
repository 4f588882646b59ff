"""The variables of an instance as Pumpkin has them, their terms and literals, and what it posts.

Words
-----
literal    a Boolean of Pumpkin's; its negation is one, too
premise    a literal that implies what is posed; None where it must hold
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from modelling.problem import Problem
from modelling.terms import Affine, Term, affine
from modelling.vocabulary.comparisons import OPPOSITES


class Views:
    """What is made of one instance's variables, each once."""

    def __init__(self, pumpkin: Any, kinds: Any, problem: Problem, seed: int) -> None:
        self.pumpkin = pumpkin
        self._kinds = kinds
        self.model = self.begin(seed)
        self.domains = problem.domains()
        self._terms: dict[Affine, Any] = {}
        self._literals: dict[tuple[int, str, int], Any] = {}
        self._booleans: dict[int, Any] = {}
        self._with_gaps: list[int] = []
        self.variables = [self._variable(k, domain) for k, domain in enumerate(self.domains)]

    def begin(self, seed: int) -> Any:
        """A new model of the library."""
        return self.pumpkin.Model(seed=seed)

    def _variable(self, number: int, domain: Sequence[int]) -> Any:
        """Its ends; what lies between and is missing is excluded by ``exclude_gaps``."""
        if domain == (0, 1):
            literal = self._booleans[number] = self.boolean()
            return literal.as_integer()
        low, high = domain[0], domain[-1]
        if high - low >= len(domain):
            self._with_gaps.append(number)
        return self.integer(low, high)

    def integer(self, low: int, high: int) -> Any:
        """A new variable."""
        return self.model.new_integer_variable(low, high)

    def boolean(self) -> Any:
        """A new literal."""
        return self.model.new_boolean_variable()

    def reified(self, predicate: Any) -> Any:
        """The literal that is equivalent to a comparison of one variable."""
        return self.model.predicate_as_boolean(predicate, self.model.new_constraint_tag())

    def exclude_gaps(self) -> None:
        """Values that a domain leaves out, one by one; where there are many, by both ends."""
        for number in self._with_gaps:
            domain = self.domains[number]
            missing: list[int] = []
            for before, after in pairwise(domain):
                if after - before <= 16:
                    missing += range(before + 1, after)
                else:
                    ends = [("<=", before), (">=", after)]
                    self.clause([self.compare(number, *end) for end in ends])
            if missing:
                self.add("NegativeTable", [self.variables[number]], [[x] for x in missing])

    # --- terms ---

    def term(self, term: Term) -> Any:
        """An affine term: a variable, a constant or a view."""
        if type(term) is int:
            return self.variables[term]
        key = affine(term)
        found = self._terms.get(key)
        if found is None:
            found = self._terms[key] = self._make_term(*key)
        return found

    def _make_term(self, variable: int | None, factor: int, offset: int) -> Any:
        if variable is None:
            return self.model.new_integer_variable(offset, offset)
        return self.variables[variable].scaled(factor).offset(offset)

    def terms(self, terms: Iterable[Term]) -> list[Any]:
        """Each of them."""
        return [self.term(term) for term in terms]

    # --- literals ---

    def literal(self, term: Term, relation: str, value: int) -> Any:
        """The literal of ``term relation value``."""
        variable, factor, offset = affine(term)
        value -= offset
        if relation in ("!=", ">", ">="):
            return self.literal(term, OPPOSITES[relation], value + offset).negate()
        if relation == "<":
            relation, value = "<=", value - 1
        if variable is None:
            return self.known(value == 0 if relation == "==" else value >= 0)
        if relation == "==":
            whole, rest = divmod(value, factor)
            return self.known(False) if rest else self.compare(variable, "==", whole)
        if factor > 0:
            return self.compare(variable, "<=", value // factor)
        return self.compare(variable, ">=", -(value // -factor))

    def compare(self, variable: int, relation: str, value: int) -> Any:
        """The literal of a variable that is at most, at least or exactly a value."""
        domain = self.domains[variable]
        if relation == ">=":
            return self.compare(variable, "<=", value - 1).negate()
        if not domain[0] <= value <= domain[-1]:
            return self.known(relation == "<=" and value > domain[-1])
        if value == domain[-1] and (relation == "<=" or len(domain) == 1):
            return self.known(True)
        if variable in self._booleans:
            literal = self._booleans[variable]
            return literal if value == 1 else literal.negate()
        found = self._literals.get((variable, relation, value))
        if found is None:
            comparators = self.pumpkin.Comparator
            comparator = comparators.Equal if relation == "==" else comparators.LessThanOrEqual
            predicate = self.pumpkin.Predicate(self.variables[variable], comparator, value)
            found = self._literals[variable, relation, value] = self.reified(predicate)
        return found

    def known(self, value: bool) -> Any:
        """A literal that is always true, or never."""
        true = self._literals.get((-1, "==", 1))
        if true is None:
            true = self._literals[-1, "==", 1] = self.boolean()
            self.clause([true])
        return true if value else true.negate()

    # --- what is posed ---

    def add(self, kind: str, *arguments: Any, premise: Any = None) -> None:
        """A constraint of Pumpkin's, with the tag that it would have in a proof."""
        self.post(kind, arguments, premise, self.model.new_constraint_tag())

    def post(self, kind: str, arguments: Sequence[Any], premise: Any, tag: Any) -> None:
        """The same under a tag that was made before."""
        constraint = getattr(self._kinds, kind)(*arguments, tag)
        if premise is None:
            self.model.add_constraint(constraint)
        else:
            self.model.add_implication(constraint, premise)

    def clause(self, literals: Sequence[Any], premise: Any = None) -> None:
        """One of the literals is true."""
        wanted = [*literals] if premise is None else [premise.negate(), *literals]
        self.add("Clause", wanted)
