"""A structure in CPMpy's words: expressions of ``cpmpy``, or the source that makes them."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from modelling import constraints as core
from modelling.errors import ModelError
from modelling.formats.cpmpy.profile import PROFILE
from modelling.formats.expression_printer import (
    ExpressionPrinter,
    Operations,
    is_boolean,
    open_domains,
    refuse,
    refusing_depth,
)
from modelling.problem import Problem, Structure
from modelling.rewriting import Declined, rewrite
from modelling.terms import ANY, Function, Term, affine, is_constant

RESERVED = ("IV", "BV")
"""What names of variables may not begin with: CPMpy gives such names itself."""


def rewrite_for_cpmpy(problem: Problem) -> tuple[Structure, int]:
    """The problem in what CPMpy has, with givens as domains; and how many variables are declared.

    Auxiliaries come after those, which determine them. Raises ModelError for what cannot be
    expressed.
    """
    given = problem.structure
    structure = Structure(
        given.names, open_domains(problem), given.constraints, given.objective, given.output
    )
    objective = structure.objective
    bare = Structure(given.names, structure.domains, given.constraints, None, given.output)
    with refusing_depth():
        if objective is not None and not PROFILE.takes(
            core.Linear((objective.term,), (1,), "==", 0), "root", structure
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


class CPMpyPrinter(ExpressionPrinter):
    """What a structure says, in CPMpy's functions: of the module itself, or as text."""

    def __init__(
        self, structure: Structure, variables: Sequence[Any], library: Any, rows: Any = ()
    ) -> None:
        operations = Operations(
            library.sum, library.all, library.any, library.Xor, library.BoolVal, operator.eq
        )
        super().__init__(structure, variables, operations, rows)
        self.cp = library

    def number(self, term: Term) -> Any:
        """An index, which CPMpy wants to be no Boolean."""
        said = self.term(term)
        return self.cp.sum([said, 0]) if self._is_condition(term) else said

    def _is_condition(self, term: Term) -> bool:
        """Whether CPMpy takes the expression for a term as a condition."""
        if type(term) is core.Sum:
            return term.coefficients == (1,) and self._is_condition(term.terms[0])
        if isinstance(term, Function):
            return type(term) is core.Truth
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
            case core.AllDifferent(terms=terms, except_=excepted):
                if not excepted:
                    return cp.AllDifferent(self.terms(terms))
                return cp.AllDifferentExceptN(self.terms(terms), list(excepted))
            case core.AllEqual(terms=terms):
                return cp.AllEqual(self.terms(terms))
            case core.Circuit(next=terms):
                return cp.Circuit(self.terms(terms))
            case core.Count(terms=terms, values=(value,)):
                return cp.Count(self.terms(terms), self.term(value))
            case core.Count(terms=terms, values=values) if all(map(is_constant, values)):
                return cp.Among(self.terms(terms), self.terms(values))
            case core.Cumulative(starts=s, durations=d, demands=demands, capacity=c):
                start, duration, demand = map(self.terms, (s, d, demands))
                return cp.Cumulative(start, duration, demand=demand, capacity=self.term(c))
            case core.Distance(x=x, y=y):
                return cp.Abs(self.sum([(x, 1), (y, -1)], 0))
            case core.Element(terms=terms, index=index):
                return cp.Element(self.terms(terms), self.number(index))
            case core.Element2D(matrix=matrix, row=row, column=column):
                array = cp.cpm_array([self.terms(one) for one in matrix])
                return array[self.number(row), self.number(column)]
            case core.GlobalCardinality(terms=terms, values=values, counts=counts, closed=closed):
                named = {"closed": True} if closed else {}
                return cp.GlobalCardinalityCount(
                    self.terms(terms), list(values), self.terms(counts), **named
                )
            case core.Increasing(terms=terms, strict=strict, decreasing=decreasing):
                name = ("Decreasing" if decreasing else "Increasing") + ("Strict" if strict else "")
                return getattr(cp, name)(self.terms(terms))
            case core.Inverse(f=f, g=g):
                return cp.Inverse(self.terms(f), self.terms(g))
            case core.Lex(rows=rows, strict=strict):
                lists_ = list(map(self.terms, rows))
                if len(rows) == 2:
                    return (cp.LexLess if strict else cp.LexLessEq)(*lists_)
                return (cp.LexChainLess if strict else cp.LexChainLessEq)(lists_)
            case core.Maximum(terms=terms):
                return cp.Maximum(self.terms(terms))
            case core.Minimum(terms=terms):
                return cp.Minimum(self.terms(terms))
            case core.NValue(terms=terms, except_=excepted):
                if not excepted:
                    return cp.NValue(self.terms(terms))
                return cp.NValueExcept(self.terms(terms), excepted[0])
            case core.NoOverlap(starts=starts, lengths=lengths):
                return cp.NoOverlap(self.terms(starts), self.terms(lengths))
            case core.Precedence(terms=terms, values=values):
                return cp.Precedence(self.terms(terms), list(values))
            case core.Quotient(x=x, y=y):
                return self.term(x) // self.term(y)
            case core.Remainder(x=x, y=y):
                return self.term(x) % self.term(y)
            case core.Regular(terms=terms, transitions=arcs, start=start, finals=finals):
                return cp.Regular(self.terms(terms), list(map(tuple, arcs)), start, list(finals))
            case core.Table(terms=terms, tuples=rows, allowed=allowed):
                if not rows or all(map(is_constant, terms)):
                    return self.cp.BoolVal(item.holds([]) if rows else not allowed)
                return self._table(self.terms(terms), list(map(list, dict.fromkeys(rows))), allowed)
        raise refuse(item, "CPMpy")

    def _table(self, terms: list[Any], rows: list[list[Any]], allowed: bool) -> Any:
        if any(ANY in row for row in rows):
            short = self.cp.ShortTable(terms, rows)
            return short if allowed else ~short
        return (self.cp.Table if allowed else self.cp.NegativeTable)(terms, rows)
