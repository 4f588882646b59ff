"""Constraints that hold, as FlatZinc has them: each class by the name in MiniZinc's library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from modelling.constraint import Constraint
from modelling.formats.flatzinc.conditions import compare, define, literal, sides
from modelling.formats.flatzinc.sheet import Sheet, is_boolean_literal, is_equal_pair
from modelling.terms import Function, Term, affine, bounds, is_constant
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.counting.bin_packing import BinPacking
from modelling.vocabulary.counting.count import Count
from modelling.vocabulary.counting.global_cardinality import GlobalCardinality
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.equality.all_different import AllDifferent
from modelling.vocabulary.equality.all_equal import AllEqual
from modelling.vocabulary.equality.not_equal import NotEqual
from modelling.vocabulary.formulas.clauses import Clauses
from modelling.vocabulary.formulas.connectives import And, Iff, Implies, Not, Or, Xor, opposite
from modelling.vocabulary.formulas.linear import Linear
from modelling.vocabulary.formulas.table import Table
from modelling.vocabulary.formulas.truth import IfThenElse
from modelling.vocabulary.functions.define import Define
from modelling.vocabulary.functions.distance import Distance
from modelling.vocabulary.functions.element import Element
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.functions.multiplication import Product, Quotient, Remainder
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.graphs.inverse import Inverse
from modelling.vocabulary.graphs.subcircuit import SubCircuit
from modelling.vocabulary.ordering.increasing import Increasing
from modelling.vocabulary.ordering.lex import Lex
from modelling.vocabulary.ordering.precedence import Precedence
from modelling.vocabulary.scheduling.cumulative import Cumulative
from modelling.vocabulary.scheduling.no_overlap import NoOverlap
from modelling.vocabulary.scheduling.no_overlap_2d import NoOverlap2D


def post(sheet: Sheet, constraint: Constraint) -> None:
    """Write a native constraint that is to hold."""
    if type(constraint) is Define and isinstance(constraint.function, Function):
        _FUNCTIONS[type(constraint.function)](sheet, constraint.result, constraint.function)
    else:
        _CONSTRAINTS[type(constraint)](sheet, constraint)


def _linear(sheet: Sheet, made: Linear) -> None:
    if is_boolean_literal(made, sheet.domains) and sheet.is_boolean(made.terms[0]):
        name, sign = literal(sheet, made)
        sheet.post("bool_eq", name, "true" if sign else "false")
    elif is_equal_pair(made, sheet.domains) and any(map(sheet.is_boolean, made.terms)):
        one, other = sorted(made.terms, key=sheet.is_boolean, reverse=True)
        name = "bool_eq" if sheet.is_boolean(other) else "bool2int"
        sheet.post(name, sheet.called[one], sheet.called[other])
    else:
        compare(sheet, made)


def _and(sheet: Sheet, made: And) -> None:
    for part in made.formulas:
        post(sheet, part)


def _clauses(sheet: Sheet, made: Clauses) -> None:
    names = [sheet.boolean(term) for term in made.terms]
    for clause in made.literals:
        plain = sheet.listed(names[x - 1] for x in clause if x > 0)
        sheet.post("bool_clause", plain, sheet.listed(names[-x - 1] for x in clause if x < 0))


def _or(sheet: Sheet, made: Or) -> None:
    plain, turned = sides(sheet, made.formulas)
    sheet.post("bool_clause", sheet.listed(plain), sheet.listed(turned))


def _not(sheet: Sheet, made: Not) -> None:
    name, sign = literal(sheet, made.formula)
    sheet.post("bool_eq", name, "false" if sign else "true")


def _implies(sheet: Sheet, made: Implies) -> None:
    plain, turned = sides(sheet, (opposite(made.condition), made.consequence))
    sheet.post("bool_clause", sheet.listed(plain), sheet.listed(turned))


def _iff(sheet: Sheet, made: Iff) -> None:
    """A Boolean is defined by what is equivalent to it."""
    domains = sheet.domains
    one, other = made.one, made.other
    if is_boolean_literal(other, domains):
        one, other = other, one
    if is_boolean_literal(one, domains) and not is_boolean_literal(other, domains):
        name, sign = literal(sheet, one)
        turned = other.negated() if type(other) in (Linear, NotEqual) else None
        said = other if sign else turned
        if said is not None:
            define(sheet, said, name)
            return
    (this, sign), (that, other_sign) = literal(sheet, one), literal(sheet, other)
    sheet.post("bool_eq" if sign == other_sign else "bool_not", this, that)


def _xor(sheet: Sheet, made: Xor) -> None:
    plain, turned = sides(sheet, made.formulas)
    odd = ["true"] if len(turned) % 2 else []
    sheet.post("array_bool_xor", sheet.listed([*plain, *turned, *odd]))


def _all_different(sheet: Sheet, made: AllDifferent) -> None:
    if made.except_:
        excepted = sheet.set(sorted(set(made.except_)))
        sheet.post("fzn_alldifferent_except", sheet.terms(made.terms), excepted)
    else:
        sheet.post("fzn_all_different_int", sheet.terms(made.terms))


def _increasing(sheet: Sheet, made: Increasing) -> None:
    word = "strictly_increasing" if made.strict else "increasing"
    terms = made.terms[::-1] if made.decreasing else made.terms
    sheet.post(f"fzn_{word}_int", sheet.terms(terms))


def _lex(sheet: Sheet, made: Lex) -> None:
    name = "fzn_lex_less_int" if made.strict else "fzn_lex_lesseq_int"
    for one, other in pairwise(made.rows):
        sheet.post(name, sheet.terms(one), sheet.terms(other))


def _precedence(sheet: Sheet, made: Precedence) -> None:
    terms = sheet.terms(made.terms)
    if len(made.values) == 2:
        sheet.post("fzn_value_precede_int", *map(sheet.number, made.values), terms)
    elif len(made.values) > 2:
        sheet.post("fzn_value_precede_chain_int", sheet.numbers(made.values), terms)


def _inverse(sheet: Sheet, made: Inverse) -> None:
    sheet.post("fzn_inverse", sheet.terms(made.f, 1), sheet.terms(made.g, 1))


def _cumulative(sheet: Sheet, made: Cumulative) -> None:
    _not_negative(sheet, (*made.durations, *made.demands, made.capacity))
    if made.starts:
        lists = map(sheet.terms, (made.starts, made.durations, made.demands))
        sheet.post("fzn_cumulative", *lists, sheet.term(made.capacity))


def _no_overlap(sheet: Sheet, made: NoOverlap) -> None:
    name = "fzn_disjunctive_strict" if made.strict else "fzn_disjunctive"
    sheet.post(name, sheet.terms(made.starts), sheet.terms(made.lengths))


def _no_overlap_2d(sheet: Sheet, made: NoOverlap2D) -> None:
    _not_negative(sheet, (*made.widths, *made.heights))
    name = "fzn_diffn" if made.strict else "fzn_diffn_nonstrict"
    sheet.post(name, *map(sheet.terms, (made.xs, made.ys, made.widths, made.heights)))


def _not_negative(sheet: Sheet, terms: tuple[Term, ...]) -> None:
    """What MiniZinc's constraint does not ask for, and ours does."""
    for term in dict.fromkeys(terms):
        if bounds(term, sheet.domains)[0] < 0:
            sheet.post("int_le", "0", sheet.term(term))


def _global_cardinality(sheet: Sheet, made: GlobalCardinality) -> None:
    name = "fzn_global_cardinality_closed" if made.closed else "fzn_global_cardinality"
    values, counts = sheet.numbers(made.values), sheet.terms(made.counts)
    sheet.post(name, sheet.terms(made.terms), values, counts)


def _bin_packing(sheet: Sheet, made: BinPacking) -> None:
    items, sizes = sheet.terms(made.items, 1), sheet.numbers(made.sizes)
    name = "fzn_bin_packing_load" if made.relation == "==" else "fzn_bin_packing_capa"
    sheet.post(name, sheet.terms(made.limits), items, sizes)


def _regular(sheet: Sheet, made: Regular) -> None:
    """States and values are numbered from 1."""
    values = [value for _, value, _ in made.transitions]
    first, width = min(values), max(values) - min(values) + 1
    if first >= 1 and max(values) <= 2 * width:
        first, width = 1, max(values)  # as they are: views would say less
    states: dict[int, int] = {}
    for state in (made.start, *(s for a, _, b in made.transitions for s in (a, b))):
        states.setdefault(state, len(states) + 1)
    cells: list[list[int]] = [[] for _ in range(len(states) * width)]
    for source, value, target in dict.fromkeys(made.transitions):
        cells[(states[source] - 1) * width + value - first].append(states[target])
    finals = sheet.set(sorted({states[state] for state in made.finals if state in states}))
    head = sheet.terms(made.terms, 1 - first), str(len(states)), str(width)
    if all(len(cell) < 2 for cell in cells):
        matrix = sheet.numbers(cell[0] if cell else 0 for cell in cells)
        sheet.post("fzn_regular", *head, matrix, "1", finals)
    else:
        matrix = sheet.listed(map(sheet.set, map(sorted, cells)))
        sheet.post("fzn_regular_nfa", *head, matrix, "1", finals)


def _of_all(name: str, shift: int = 0) -> Callable[[Sheet, Any], None]:
    """A constraint of one list."""

    def said(sheet: Sheet, made: Any) -> None:
        terms = made.next if shift else made.terms
        sheet.post(name, sheet.terms(terms, shift))

    return said


# --- functions -----------------------------------------------------------------------------------


def _of_two(name: str) -> Callable[[Sheet, Term, Any], None]:
    def said(sheet: Sheet, result: Term, made: Any) -> None:
        sheet.post(name, sheet.term(made.x), sheet.term(made.y), sheet.term(result))

    return said


def _product(sheet: Sheet, result: Term, made: Product) -> None:
    sheet.post("int_times", *map(sheet.term, made.terms), sheet.term(result))


def _distance(sheet: Sheet, result: Term, made: Distance) -> None:
    if is_constant(made.y):
        difference = sheet.term(made.x, -affine(made.y).offset)
    else:
        difference = sheet.sum_of((made.x, made.y), (1, -1))
    sheet.post("int_abs", difference, sheet.term(result))


def _extreme(short: str, long: str) -> Callable[[Sheet, Term, Any], None]:
    def said(sheet: Sheet, result: Term, made: Any) -> None:
        if len(made.terms) == 2:
            sheet.post(short, *map(sheet.term, made.terms), sheet.term(result))
        else:
            sheet.post(long, sheet.term(result), sheet.terms(made.terms))

    return said


def _element(sheet: Sheet, result: Term, made: Element) -> None:
    name = "array_int_element" if all(map(is_constant, made.terms)) else "array_var_int_element"
    sheet.post(name, sheet.term(made.index, 1), sheet.terms(made.terms), sheet.term(result))


def _count(sheet: Sheet, result: Term, made: Count) -> None:
    terms, number = sheet.terms(made.terms), sheet.term(result)
    if len(made.values) == 1:
        sheet.post("fzn_count_eq", terms, sheet.term(made.values[0]), number)
    else:
        values = sorted({affine(value).offset for value in made.values})
        sheet.post("fzn_among", number, terms, sheet.set(values))


def _nvalue(sheet: Sheet, result: Term, made: NValue) -> None:
    sheet.post("fzn_nvalue", sheet.term(result), sheet.terms(made.terms))


def _if_then_else(sheet: Sheet, result: Term, made: IfThenElse) -> None:
    name, sign = literal(sheet, made.condition)
    chosen = (made.yes, made.no) if sign else (made.no, made.yes)
    conditions = sheet.listed((name, "true"))
    sheet.post("fzn_if_then_else_var_int", conditions, sheet.terms(chosen), sheet.term(result))


_CONSTRAINTS: Mapping[type, Callable[[Sheet, Any], None]] = {
    Linear: _linear,
    NotEqual: compare,
    Table: compare,
    Clauses: _clauses,
    And: _and,
    Or: _or,
    Not: _not,
    Implies: _implies,
    Iff: _iff,
    Xor: _xor,
    AllDifferent: _all_different,
    AllEqual: _of_all("fzn_all_equal_int"),
    Circuit: _of_all("fzn_circuit", 1),
    SubCircuit: _of_all("fzn_subcircuit", 1),
    Inverse: _inverse,
    Increasing: _increasing,
    Lex: _lex,
    Precedence: _precedence,
    Cumulative: _cumulative,
    NoOverlap: _no_overlap,
    NoOverlap2D: _no_overlap_2d,
    GlobalCardinality: _global_cardinality,
    BinPacking: _bin_packing,
    Regular: _regular,
}

_FUNCTIONS: Mapping[type, Callable[[Sheet, Term, Any], None]] = {
    Product: _product,
    Quotient: _of_two("int_div"),
    Remainder: _of_two("int_mod"),
    Distance: _distance,
    Minimum: _extreme("int_min", "array_int_minimum"),
    Maximum: _extreme("int_max", "array_int_maximum"),
    Element: _element,
    Count: _count,
    NValue: _nvalue,
    IfThenElse: _if_then_else,
}
