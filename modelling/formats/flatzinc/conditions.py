"""Formulas in FlatZinc: a Boolean for each, defined whether it holds or not.

The Boolean of a formula is made once, however often it occurs. What is not (``b == 0``, ``Not``) is
kept as a sign as long as it can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from modelling.constraint import Constraint
from modelling.formats.flatzinc.sheet import Literal, Sheet, is_boolean_literal
from modelling.terms import Term
from modelling.vocabulary.equality.not_equal import NotEqual
from modelling.vocabulary.formulas.connectives import And, Iff, Implies, Not, Or, Xor, opposite
from modelling.vocabulary.formulas.linear import Linear
from modelling.vocabulary.formulas.table import Table


def literal(sheet: Sheet, formula: Constraint) -> Literal:
    """A Boolean that is true where the formula holds, or false there."""
    if type(formula) is Linear and is_boolean_literal(formula, sheet.domains):
        sign = (formula.relation == "==") == bool(formula.constant)
        return sheet.boolean(formula.terms[0]), sign
    if type(formula) is Not or (type(formula) is Table and not formula.allowed):
        name, sign = literal(sheet, opposite(formula))  # a table lists what is allowed
        return name, not sign
    found = sheet.literals.get(formula)
    if found is None:
        name = sheet.introduce("bool")
        define(sheet, formula, name)
        found = sheet.literals[formula] = name, True
    return found


def positive(sheet: Sheet, found: Literal) -> str:
    """A Boolean that is the literal itself."""
    name, sign = found
    if sign:
        return name
    turned = sheet.introduce("bool")
    sheet.post("bool_not", name, turned, defines=turned)
    return turned


def sides(sheet: Sheet, formulas: Iterable[Constraint]) -> tuple[list[str], list[str]]:
    """The Booleans of formulas: those that are meant as they are, and the others."""
    plain: list[str] = []
    turned: list[str] = []
    for formula in formulas:
        name, sign = literal(sheet, formula)
        (plain if sign else turned).append(name)
    return plain, turned


def define(sheet: Sheet, formula: Constraint, name: str) -> None:
    """Let a Boolean be whether a formula holds."""
    if isinstance(formula, (Implies, Iff)):
        both = (
            (formula.condition, formula.consequence)
            if isinstance(formula, Implies)
            else (formula.one, formula.other)
        )
        word = "bool_le_reif" if isinstance(formula, Implies) else "bool_eq_reif"
        one, other = (positive(sheet, literal(sheet, part)) for part in both)
        sheet.post(word, one, other, name, defines=name)
    elif type(formula) is Not:
        other = positive(sheet, literal(sheet, formula.formula))
        sheet.post("bool_not", other, name, defines=name)
    elif isinstance(formula, (And, Or, Xor)):
        plain, turned = sides(sheet, formula.formulas)
        if type(formula) is Or:
            arguments = sheet.listed(plain), sheet.listed(turned), name
            sheet.post("bool_clause_reif", *arguments, defines=name)
        elif type(formula) is And:
            others = (positive(sheet, (one, False)) for one in turned)
            sheet.post("array_bool_and", sheet.listed([*plain, *others]), name, defines=name)
        else:
            even = [] if len(turned) % 2 else ["true"]
            every = sheet.listed([*plain, *turned, name, *even])
            sheet.post("array_bool_xor", every, defines=name)
    else:
        compare(sheet, formula, name)


def compare(sheet: Sheet, formula: Constraint, name: str = "") -> None:
    """A comparison or a table that is to hold, or of which the Boolean ``name`` is to tell."""
    if type(formula) is Table:
        word, arguments = _table(sheet, formula)
    elif type(formula) is NotEqual:
        one, other = formula.terms
        word, arguments = "int_ne", (sheet.term(one), sheet.term(other))
    else:
        assert type(formula) is Linear
        word, arguments = _sum(sheet, formula)
    if name:
        sheet.post(f"{word}_reif", *arguments, name, defines=name)
    else:
        sheet.post(word, *arguments)


def _table(sheet: Sheet, made: Table) -> tuple[str, tuple[str, ...]]:
    if not made.tuples:
        return "bool_clause", ("[]", "[]")
    if len(made.terms) == 1:
        allowed = sheet.set(sorted({row[0] for row in made.tuples}))
        return "set_in", (sheet.term(made.terms[0]), allowed)
    cells = sheet.numbers(cell for row in made.tuples for cell in row)
    return "fzn_table_int", (sheet.terms(made.terms), cells)


def _sum(sheet: Sheet, made: Linear) -> tuple[str, tuple[str, ...]]:
    relation, bound = made.relation, made.constant
    kept = [(f, term) for f, term in zip(made.coefficients, made.terms, strict=True) if f]
    if not kept:  # MiniZinc 2.6 divides by coefficients
        holds = Linear((), (), relation, bound).holds(())
        return "bool_clause", ("[true]" if holds else "[]", "[]")
    factors, terms = tuple(f for f, _ in kept), tuple(term for _, term in kept)
    if relation in (">", ">="):
        relation, bound = relation.replace(">", "<"), -bound
        factors = tuple(-factor for factor in factors)
    word = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le"}[relation]
    two = _two_sides(sheet, factors, terms, bound)
    if two is not None:
        return f"int_{word}", two
    if word == "lt":
        word, bound = "le", bound - 1
    arguments = sheet.numbers(factors), sheet.terms(terms), sheet.number(bound)
    return f"int_lin_{word}", arguments


def _two_sides(
    sheet: Sheet, factors: Sequence[int], terms: Sequence[Term], bound: int
) -> tuple[str, str] | None:
    """What is compared, where nothing is added up."""
    if factors in ((1, -1), (-1, 1)) and bound == 0:
        one, other = map(sheet.term, terms)
        return (one, other) if factors == (1, -1) else (other, one)
    if factors == (1,):
        return sheet.term(terms[0]), sheet.number(bound)
    if factors == (-1,):
        return sheet.number(-bound), sheet.term(terms[0])
    return None
