"""What Exact is given natively: AllDifferent, disequalities, sums, tables and clauses, all as
linear constraints over Booleans. Formulas are rewritten to sums, which may be reified.
"""

from __future__ import annotations

from collections.abc import Sequence

from backends.exact.formula import Formula, Sum, combine
from backends.interface.handlers import Condition, Handlers
from backends.interface.libraries.formulas import handler
from backends.interface.libraries.literals import row_literals
from modelling.constraints import AllDifferent, Clauses, Linear, NotEqual, Table
from modelling.terms import ANY, Term
from modelling.vocabulary.comparisons import OPPOSITES


def all_different(formula: Formula, constraint: AllDifferent, condition: Condition | None) -> None:
    """Each value at most once, and at least once where there are as many values as terms."""
    having = formula.takers(constraint.terms, constraint.except_)
    if len(having) == len(constraint.terms) and not constraint.except_:
        for literals in having.values():
            formula.between(_sum(literals), 1, 1)
        return
    for literals in having.values():
        if len(literals) > 1:
            formula.at_most(_sum(literals), 1)


def not_equal(formula: Formula, constraint: NotEqual, condition: Condition | None) -> None:
    """No value is that of both."""
    one, other = map(formula.values, constraint.terms)
    for value, literal in one.items():
        if value in other:
            formula.at_most(_sum([literal, other[value]]), 1)


def _sum(literals: Sequence[Sum]) -> Sum:
    weights: dict[str, int] = {}
    total = 0
    for literal, constant in literals:
        total += constant
        for name, weight in literal.items():
            weights[name] = weights.get(name, 0) + weight
    return weights, total


# --- sums ----------------------------------------------------------------------------------------


def linear(formula: Formula, constraint: Linear, condition: Condition | None) -> None:
    """A sum of what the values weigh; its opposite where the condition does not hold."""
    if condition is None:
        compare(formula, constraint, constraint.relation, [])
        return
    holds = formula.equals(condition.variable, condition.value)
    fails = combine([(-1, holds), (1, ({}, 1))])
    compare(formula, constraint, constraint.relation, [fails])
    if condition.full:
        compare(formula, constraint, OPPOSITES[constraint.relation], [holds])


def compare(formula: Formula, constraint: Linear, relation: str, premises: list[Sum]) -> None:
    """``sum relation constant``; a sum that is unequal is less or greater, as a Boolean says."""
    if relation == "!=" and len(constraint.terms) <= 2:
        _apart(formula, constraint, premises)
        return
    found, bound = formula.weigh(constraint.terms, constraint.coefficients), constraint.constant
    if relation == "==" and not premises:
        formula.between(found, bound, bound)
        return
    if relation in (">=", ">", "=="):
        formula.at_least(found, bound + (relation == ">"), premises)
    if relation in ("<=", "<", "=="):
        formula.at_most(found, bound - (relation == "<"), premises)
    if relation == "!=":
        greater = formula.boolean()
        formula.at_least(found, bound + 1, [*premises, ({greater: -1}, 1)])
        formula.at_most(found, bound - 1, [*premises, ({greater: 1}, 0)])


def _apart(formula: Formula, constraint: Linear, premises: list[Sum]) -> None:
    """No one or two values have that sum: a clause each."""
    parts: list[tuple[int, list[Sum]]] = [(0, [])]
    for term, factor in zip(constraint.terms, constraint.coefficients, strict=True):
        literals = formula.values(term).items()
        if len(parts) > 1:
            wanted: dict[int, list[Sum]] = {}
            for value, literal in literals:
                wanted.setdefault(factor * value, []).append(literal)
            parts = [
                (constraint.constant, [*before, literal])
                for total, before in parts
                for literal in wanted.get(constraint.constant - total, ())
            ]
        else:
            parts = [(t + factor * v, [*b, literal]) for t, b in parts for v, literal in literals]
    for total, taken in parts:
        if total == constraint.constant:
            formula.at_most(_sum(taken), len(taken) - 1, premises)


# --- tables and clauses --------------------------------------------------------------------------


def table(formula: Formula, constraint: Table, condition: Condition | None) -> None:
    """A Boolean for each row, of which one is true and gives its values; or a clause for each."""
    if not constraint.allowed:
        for met in formula.rows(constraint):
            formula.at_most(_sum(met), len(met) - 1)
        return
    values = list(map(formula.values, constraint.terms))
    rows = constraint.rows_among(values)
    chosen = [formula.boolean() for _ in rows]
    formula.at_least((dict.fromkeys(chosen, 1), 0), 1)
    if any(ANY in row for row in rows):  # rows may overlap
        for name, row in zip(chosen, rows, strict=True):
            met = row_literals(row, values)
            formula.at_least(_sum(met), len(met), [({name: -1}, 1)])
        return
    for place, of in enumerate(values):
        for value, literal in of.items():
            with_it = {
                name: 1 for name, row in zip(chosen, rows, strict=True) if row[place] == value
            }
            difference = combine([(1, literal), (-1, (with_it, 0))])
            formula.between(difference, 0, 0)


def clauses(formula: Formula, constraint: Clauses, condition: Condition | None) -> None:
    """At least one literal of each clause is true."""
    for literals in constraint.literals:
        formula.at_least(_sum([_literal(formula, constraint.terms, x) for x in literals]), 1)


def _literal(formula: Formula, terms: Sequence[Term], literal: int) -> Sum:
    """1 where it holds: the term is 0, or is not."""
    zero = formula.equals(terms[abs(literal) - 1], 0)
    return zero if literal < 0 else combine([(-1, zero), (1, ({}, 1))])


# --- the table -----------------------------------------------------------------------------------


HANDLERS: Handlers = {
    AllDifferent: handler(all_different, modes=("root",)),
    NotEqual: handler(not_equal, modes=("root",)),
    Linear: handler(linear),
    Table: handler(table, modes=("root",)),
    Clauses: handler(clauses, modes=("root",)),
}
