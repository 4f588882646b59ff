"""Formulas in FlatZinc: a Boolean for each, defined whether it holds or not.

The Boolean of a formula is made once, however often it occurs. What is not (``b == 0``, ``Not``) is
kept as a sign as long as it can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from modelling.constraint import Constraint
from modelling.formats.flatzinc.writer import FlatZincWriter, Literal, is_boolean_literal
from modelling.terms import Term
from modelling.vocabulary.equality.not_equal import NotEqual
from modelling.vocabulary.formulas.connectives import And, Iff, Implies, Not, Or, Xor, opposite
from modelling.vocabulary.formulas.linear import Linear
from modelling.vocabulary.formulas.table import Table


def literal(writer: FlatZincWriter, formula: Constraint) -> Literal:
    """A Boolean that is true where the formula holds, or false there."""
    if type(formula) is Linear and is_boolean_literal(formula, writer.domains):
        sign = (formula.relation == "==") == bool(formula.constant)
        return writer.boolean(formula.terms[0]), sign
    if type(formula) is Not or (type(formula) is Table and not formula.allowed):
        name, sign = literal(writer, opposite(formula))  # a table lists what is allowed
        return name, not sign
    found = writer.literals.get(formula)
    if found is None:
        name = writer.introduce("bool")
        define(writer, formula, name)
        found = writer.literals[formula] = name, True
    return found


def positive(writer: FlatZincWriter, found: Literal) -> str:
    """A Boolean that is the literal itself."""
    name, sign = found
    if sign:
        return name
    turned = writer.introduce("bool")
    writer.post("bool_not", name, turned, defines=turned)
    return turned


def sides(writer: FlatZincWriter, formulas: Iterable[Constraint]) -> tuple[list[str], list[str]]:
    """The Booleans of formulas: those that are meant as they are, and the others."""
    plain: list[str] = []
    turned: list[str] = []
    for formula in formulas:
        name, sign = literal(writer, formula)
        (plain if sign else turned).append(name)
    return plain, turned


def define(writer: FlatZincWriter, formula: Constraint, name: str) -> None:
    """Let a Boolean be whether a formula holds."""
    if isinstance(formula, (Implies, Iff)):
        both = (
            (formula.condition, formula.consequence)
            if isinstance(formula, Implies)
            else (formula.one, formula.other)
        )
        word = "bool_le_reif" if isinstance(formula, Implies) else "bool_eq_reif"
        one, other = (positive(writer, literal(writer, part)) for part in both)
        writer.post(word, one, other, name, defines=name)
    elif type(formula) is Not:
        other = positive(writer, literal(writer, formula.formula))
        writer.post("bool_not", other, name, defines=name)
    elif isinstance(formula, (And, Or, Xor)):
        plain, turned = sides(writer, formula.formulas)
        if type(formula) is Or:
            arguments = writer.array(plain), writer.array(turned), name
            writer.post("bool_clause_reif", *arguments, defines=name)
        elif type(formula) is And:
            others = (positive(writer, (one, False)) for one in turned)
            writer.post("array_bool_and", writer.array([*plain, *others]), name, defines=name)
        else:
            even = [] if len(turned) % 2 else ["true"]
            every = writer.array([*plain, *turned, name, *even])
            writer.post("array_bool_xor", every, defines=name)
    else:
        compare(writer, formula, name)


def compare(writer: FlatZincWriter, formula: Constraint, name: str = "") -> None:
    """A comparison or a table that must hold, or that the Boolean ``name`` is equivalent to."""
    if type(formula) is Table:
        word, arguments = _table(writer, formula)
    elif type(formula) is NotEqual:
        one, other = formula.terms
        word, arguments = "int_ne", (writer.term(one), writer.term(other))
    else:
        assert type(formula) is Linear
        word, arguments = _sum(writer, formula)
    if name:
        writer.post(f"{word}_reif", *arguments, name, defines=name)
    else:
        writer.post(word, *arguments)


def _table(writer: FlatZincWriter, made: Table) -> tuple[str, tuple[str, ...]]:
    if not made.tuples:
        return "bool_clause", ("[]", "[]")
    if len(made.terms) == 1:
        allowed = writer.set(sorted({row[0] for row in made.tuples}))
        return "set_in", (writer.term(made.terms[0]), allowed)
    cells = writer.numbers(cell for row in made.tuples for cell in row)
    return "fzn_table_int", (writer.terms(made.terms), cells)


def _sum(writer: FlatZincWriter, made: Linear) -> tuple[str, tuple[str, ...]]:
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
    two = _two_sides(writer, factors, terms, bound)
    if two is not None:
        return f"int_{word}", two
    if word == "lt":
        word, bound = "le", bound - 1
    arguments = writer.numbers(factors), writer.terms(terms), writer.number(bound)
    return f"int_lin_{word}", arguments


def _two_sides(
    writer: FlatZincWriter, factors: Sequence[int], terms: Sequence[Term], bound: int
) -> tuple[str, str] | None:
    """What is compared, where nothing is added up."""
    if factors in ((1, -1), (-1, 1)) and bound == 0:
        one, other = map(writer.term, terms)
        return (one, other) if factors == (1, -1) else (other, one)
    if factors == (1,):
        return writer.term(terms[0]), writer.number(bound)
    if factors == (-1,):
        return writer.number(-bound), writer.term(terms[0])
    return None
