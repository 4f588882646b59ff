"""A structure in CPMpy's words: expressions of ``cpmpy``, or the source that makes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from modelling.errors import ModelError
from modelling.formats.cpmpy.profile import PROFILE
from modelling.formats.python_text import render
from modelling.formats.saying import (
    Saying,
    is_boolean,
    open_domains,
    refuse,
    refusing_depth,
)
from modelling.problem import Problem, Structure
from modelling.rewriting import Declined, rewrite
from modelling.terms import ANY, Function, Term, affine, is_constant
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.counting.count import Count
from modelling.vocabulary.counting.global_cardinality import GlobalCardinality
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.equality.all_different import AllDifferent
from modelling.vocabulary.equality.all_equal import AllEqual
from modelling.vocabulary.formulas.linear import Linear, Sum
from modelling.vocabulary.formulas.table import Table
from modelling.vocabulary.formulas.truth import Truth
from modelling.vocabulary.functions.distance import Distance
from modelling.vocabulary.functions.element import Element
from modelling.vocabulary.functions.element2d import Element2D
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.functions.multiplication import Quotient, Remainder
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.graphs.inverse import Inverse
from modelling.vocabulary.ordering.increasing import Increasing
from modelling.vocabulary.ordering.lex import Lex
from modelling.vocabulary.ordering.precedence import Precedence
from modelling.vocabulary.scheduling.cumulative import Cumulative
from modelling.vocabulary.scheduling.no_overlap import NoOverlap

RESERVED = ("IV", "BV")
"""What names of variables may not begin with: CPMpy gives such names itself."""


def rewrite_for_cpmpy(problem: Problem) -> tuple[Structure, int]:
    """The problem in CPMpy's words, givens as domains; and how many variables are declared.

    Auxiliaries come after those, each determined by them. ModelError for what cannot be said.
    """
    given = problem.structure
    structure = Structure(
        given.names, open_domains(problem), given.constraints, given.objective, given.output
    )
    objective = structure.objective
    bare = Structure(given.names, structure.domains, given.constraints, None, given.output)
    with refusing_depth():
        if objective is not None and not PROFILE.takes(
            Linear((objective.term,), (1,), "==", 0), "root", structure
        ):
            bare, objective = structure, None  # it is rewritten, too
        rewritten = rewrite(bare, PROFILE)
    if isinstance(rewritten, Declined):
        raise ModelError(f"CPMpy cannot say this problem: {rewritten.reason}")
    found = rewritten.structure
    if objective is not None:
        found = Structure(found.names, found.domains, found.constraints, objective)
    return found, rewritten.declared


def names_for_cpmpy(structure: Structure) -> list[str]:
    """The names, those that CPMpy reserves with an underscore before."""
    taken = set(structure.names)
    found = []
    for given in structure.names:
        name = given
        while name.startswith(RESERVED) or (name != given and name in taken):
            name = f"_{name}"
        taken.add(name)
        found.append(name)
    return found


class SaidForCPMpy(Saying):
    """What a structure says, in CPMpy's functions: of the module itself, or as text."""

    def __init__(
        self, structure: Structure, variables: Sequence[Any], library: Any, rows: Any = ()
    ) -> None:
        super().__init__(structure, variables)
        self.cp = library
        self._rows = rows

    def is_row(self, items: list[Any]) -> bool:
        return bool(self._rows) and tuple(map(render, items)) in self._rows

    def total(self, items: list[Any]) -> Any:
        return self.cp.sum(items)

    def every(self, conditions: list[Any]) -> Any:
        return self.cp.all(conditions)

    def some(self, conditions: list[Any]) -> Any:
        return self.cp.any(conditions)

    def odd(self, conditions: list[Any]) -> Any:
        return self.cp.Xor(conditions)

    def constant(self, truth: bool) -> Any:
        return self.cp.BoolVal(truth)

    def iff(self, one: Any, other: Any) -> Any:
        return one == other

    def number(self, term: Term) -> Any:
        """An index, which CPMpy wants to be no Boolean."""
        said = self.term(term)
        return self.cp.sum([said, 0]) if self._is_condition(term) else said

    def _is_condition(self, term: Term) -> bool:
        """Whether CPMpy takes what is said of a term for a condition."""
        if type(term) is Sum:
            return term.coefficients == (1,) and self._is_condition(term.terms[0])
        if isinstance(term, Function):
            return type(term) is Truth
        variable, factor, offset = affine(term)
        if variable is None or (factor, offset) != (1, 0):
            return False
        return is_boolean(self.structure.domains[variable])

    def aim(self, term: Term) -> Any:
        """An objective, which CPMpy wants to be an expression; a constant is a variable's value."""
        said = self.sum([(term, 1)], 0)
        return self.cp.intvar(said, said) if isinstance(said, int) else said

    def other(self, item: Any) -> Any:
        cp = self.cp
        match item:
            case AllDifferent(terms=terms, except_=excepted):
                if not excepted:
                    return cp.AllDifferent(self.terms(terms))
                return cp.AllDifferentExceptN(self.terms(terms), list(excepted))
            case AllEqual(terms=terms):
                return cp.AllEqual(self.terms(terms))
            case Circuit(next=terms):
                return cp.Circuit(self.terms(terms))
            case Count(terms=terms, values=(value,)):
                return cp.Count(self.terms(terms), self.term(value))
            case Count(terms=terms, values=values) if all(map(is_constant, values)):
                return cp.Among(self.terms(terms), self.terms(values))
            case Cumulative(starts=s, durations=d, demands=demands, capacity=c):
                start, duration, demand = map(self.terms, (s, d, demands))
                return cp.Cumulative(start, duration, demand=demand, capacity=self.term(c))
            case Distance(x=x, y=y):
                return cp.Abs(self.sum([(x, 1), (y, -1)], 0))
            case Element(terms=terms, index=index):
                return cp.Element(self.terms(terms), self.number(index))
            case Element2D(matrix=matrix, row=row, column=column):
                array = cp.cpm_array([self.terms(one) for one in matrix])
                return array[self.number(row), self.number(column)]
            case GlobalCardinality(terms=terms, values=values, counts=counts, closed=closed):
                named = {"closed": True} if closed else {}
                return cp.GlobalCardinalityCount(
                    self.terms(terms), list(values), self.terms(counts), **named
                )
            case Increasing(terms=terms, strict=strict, decreasing=decreasing):
                name = ("Decreasing" if decreasing else "Increasing") + ("Strict" if strict else "")
                return getattr(cp, name)(self.terms(terms))
            case Inverse(f=f, g=g):
                return cp.Inverse(self.terms(f), self.terms(g))
            case Lex(rows=rows, strict=strict):
                lists_ = list(map(self.terms, rows))
                if len(rows) == 2:
                    return (cp.LexLess if strict else cp.LexLessEq)(*lists_)
                return (cp.LexChainLess if strict else cp.LexChainLessEq)(lists_)
            case Maximum(terms=terms):
                return cp.Maximum(self.terms(terms))
            case Minimum(terms=terms):
                return cp.Minimum(self.terms(terms))
            case NValue(terms=terms, except_=excepted):
                if not excepted:
                    return cp.NValue(self.terms(terms))
                return cp.NValueExcept(self.terms(terms), excepted[0])
            case NoOverlap(starts=starts, lengths=lengths):
                return cp.NoOverlap(self.terms(starts), self.terms(lengths))
            case Precedence(terms=terms, values=values):
                return cp.Precedence(self.terms(terms), list(values))
            case Quotient(x=x, y=y):
                return self.term(x) // self.term(y)
            case Remainder(x=x, y=y):
                return self.term(x) % self.term(y)
            case Regular(terms=terms, transitions=arcs, start=start, finals=finals):
                return cp.Regular(self.terms(terms), list(map(tuple, arcs)), start, list(finals))
            case Table(terms=terms, tuples=rows, allowed=allowed):
                if not rows or all(map(is_constant, terms)):
                    return self.constant(item.holds([]) if rows else not allowed)
                return self._table(self.terms(terms), list(map(list, dict.fromkeys(rows))), allowed)
        raise refuse(item, "CPMpy")

    def _table(self, terms: list[Any], rows: list[list[Any]], allowed: bool) -> Any:
        if any(ANY in row for row in rows):
            short = self.cp.ShortTable(terms, rows)
            return short if allowed else ~short
        return (self.cp.Table if allowed else self.cp.NegativeTable)(terms, rows)
