"""Formulas as clauses, and as literals: a gate for each connective (Tseitin, 1968).

A formula that has to hold is taken apart as far as clauses go: the parts of a conjunction one by
one, of a disjunction one part with the literals of the others as the tail of its clauses.
"""

from __future__ import annotations

from collections.abc import Sequence

from backends.sat.constraints.table import table_literal
from backends.sat.draft import SatDraft
from backends.sat.gates import conjunction, disjunction, equivalence, parity
from backends.sat.sums.comparison import Comparison, compare
from backends.sat.sums.merging import Weighted
from modelling.constraint import Constraint
from modelling.constraints import (
    And,
    Define,
    Iff,
    Implies,
    Linear,
    Not,
    NotEqual,
    Or,
    Sum,
    Table,
    Truth,
    Xor,
)
from modelling.terms import Term


def literal(draft: SatDraft, formula: Constraint) -> int:
    """True exactly where the formula holds."""
    cnf = draft.cnf
    match formula:
        case Linear() | NotEqual():
            return draft.writer.literal(comparison(draft, formula))
        case And(formulas=parts):
            return conjunction(cnf, [literal(draft, part) for part in parts])
        case Or(formulas=parts):
            return disjunction(cnf, [literal(draft, part) for part in parts])
        case Xor(formulas=parts):
            return parity(cnf, [literal(draft, part) for part in parts])
        case Not(formula=part):
            return -literal(draft, part)
        case Implies(condition=one, consequence=other):
            return disjunction(cnf, (-literal(draft, one), literal(draft, other)))
        case Iff(one=one, other=other):
            return equivalence(cnf, literal(draft, one), literal(draft, other))
        case Table():
            return table_literal(draft, formula)
    raise AssertionError(f"{type(formula).__name__} was not rewritten")


def post(draft: SatDraft, formula: Constraint, unless: Sequence[int] = ()) -> None:
    """Let the formula hold, or one of ``unless``."""
    match formula:
        case Linear() | NotEqual():
            draft.writer.post(comparison(draft, formula), unless)
        case And(formulas=parts):
            for part in parts:
                post(draft, part, unless)
        case Or(formulas=parts) if parts:
            tail = max(parts, key=lambda part: part.size())
            others = [literal(draft, part) for part in parts if part is not tail]
            post(draft, tail, (*unless, *others))
        case Not(formula=part):
            draft.cnf.say(-literal(draft, part), *unless)
        case Implies(condition=one, consequence=other):
            post(draft, other, (*unless, -literal(draft, one)))
        case Iff(one=one, other=other):
            a, b = literal(draft, one), literal(draft, other)
            draft.cnf.say(-a, b, *unless)
            draft.cnf.say(a, -b, *unless)
        case _:
            draft.cnf.say(literal(draft, formula), *unless)


def comparison(draft: SatDraft, formula: Linear | NotEqual) -> Comparison | bool:
    """A linear constraint, whose terms may be truths and sums, over the integers of a draft."""
    if type(formula) is Linear:
        terms, factors = formula.terms, formula.coefficients
        relation, constant = formula.relation, formula.constant
    else:
        terms, factors, relation, constant = formula.terms, (1, -1), "!=", 0
    weighted: list[Weighted] = []
    constant -= _collect(draft, terms, factors, weighted)
    return compare(weighted, relation, constant)


def _collect(
    draft: SatDraft, terms: Sequence[Term], factors: Sequence[int], into: list[Weighted]
) -> int:
    """The integers of a sum with their factors; returns the constant beside them."""
    constant = 0
    left = list(zip(terms, factors, strict=True))[::-1]
    while left:
        term, factor = left.pop()
        if type(term) is Sum:
            inner = zip(term.terms, term.coefficients, strict=True)
            left.extend([(t, factor * c) for t, c in inner][::-1])
        elif type(term) is Truth:
            found = literal(draft, term.formula)
            if found < 0:  # 1 - x: so that opposite literals are known to be one integer
                constant, factor, found = constant + factor, -factor, -found
            into.append((factor, draft.boolean(found)))
        else:
            view = draft.view(term)
            constant += factor * view.offset
            into.append((factor * view.factor, view.integer))
    return constant


def define(draft: SatDraft, constraint: Define) -> None:
    """A variable that is equal to a truth value or a sum."""
    equal = Linear((constraint.result, constraint.function), (1, -1), "==", 0)
    post(draft, equal)


def has_literals(constraint: Constraint, _: object) -> bool:
    """Whether the functions within a sum are such as ``comparison`` takes."""
    return all(map(_is_taken, constraint.parts()))


def _is_taken(part: object) -> bool:
    if type(part) is Sum:
        return all(map(_is_taken, part.parts()))
    return type(part) is Truth or isinstance(part, Constraint)
