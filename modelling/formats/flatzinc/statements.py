"""Constraints that hold, as FlatZinc has them: each class by the name in MiniZinc's library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from modelling import constraints as core
from modelling.constraint import Constraint
from modelling.formats.flatzinc.conditions import compare, define, literal, sides
from modelling.formats.flatzinc.writer import FlatZincWriter, is_boolean_literal, is_equal_pair
from modelling.terms import Function, Term, affine, bounds, is_constant
from modelling.vocabulary.formulas.connectives import opposite


def post(writer: FlatZincWriter, constraint: Constraint) -> None:
    """Write a native constraint that is to hold."""
    if type(constraint) is core.Define and isinstance(constraint.function, Function):
        _FUNCTIONS[type(constraint.function)](writer, constraint.result, constraint.function)
    else:
        _CONSTRAINTS[type(constraint)](writer, constraint)


def _linear(writer: FlatZincWriter, made: core.Linear) -> None:
    if is_boolean_literal(made, writer.domains) and writer.is_boolean(made.terms[0]):
        name, sign = literal(writer, made)
        writer.post("bool_eq", name, "true" if sign else "false")
    elif is_equal_pair(made, writer.domains) and any(map(writer.is_boolean, made.terms)):
        one, other = sorted(made.terms, key=writer.is_boolean, reverse=True)
        name = "bool_eq" if writer.is_boolean(other) else "bool2int"
        writer.post(name, writer.called[one], writer.called[other])
    else:
        compare(writer, made)


def _and(writer: FlatZincWriter, made: core.And) -> None:
    for part in made.formulas:
        post(writer, part)


def _clauses(writer: FlatZincWriter, made: core.Clauses) -> None:
    names = [writer.boolean(term) for term in made.terms]
    for clause in made.literals:
        plain = writer.array(names[x - 1] for x in clause if x > 0)
        writer.post("bool_clause", plain, writer.array(names[-x - 1] for x in clause if x < 0))


def _or(writer: FlatZincWriter, made: core.Or) -> None:
    plain, turned = sides(writer, made.formulas)
    writer.post("bool_clause", writer.array(plain), writer.array(turned))


def _not(writer: FlatZincWriter, made: core.Not) -> None:
    name, sign = literal(writer, made.formula)
    writer.post("bool_eq", name, "false" if sign else "true")


def _implies(writer: FlatZincWriter, made: core.Implies) -> None:
    plain, turned = sides(writer, (opposite(made.condition), made.consequence))
    writer.post("bool_clause", writer.array(plain), writer.array(turned))


def _iff(writer: FlatZincWriter, made: core.Iff) -> None:
    """A Boolean is defined by what is equivalent to it."""
    domains = writer.domains
    one, other = made.one, made.other
    if is_boolean_literal(other, domains):
        one, other = other, one
    if is_boolean_literal(one, domains) and not is_boolean_literal(other, domains):
        name, sign = literal(writer, one)
        turned = other.negated() if type(other) in (core.Linear, core.NotEqual) else None
        said = other if sign else turned
        if said is not None:
            define(writer, said, name)
            return
    (this, sign), (that, other_sign) = literal(writer, one), literal(writer, other)
    writer.post("bool_eq" if sign == other_sign else "bool_not", this, that)


def _xor(writer: FlatZincWriter, made: core.Xor) -> None:
    plain, turned = sides(writer, made.formulas)
    odd = ["true"] if len(turned) % 2 else []
    writer.post("array_bool_xor", writer.array([*plain, *turned, *odd]))


def _all_different(writer: FlatZincWriter, made: core.AllDifferent) -> None:
    if made.except_:
        excepted = writer.set(sorted(set(made.except_)))
        writer.post("fzn_alldifferent_except", writer.terms(made.terms), excepted)
    else:
        writer.post("fzn_all_different_int", writer.terms(made.terms))


def _increasing(writer: FlatZincWriter, made: core.Increasing) -> None:
    word = "strictly_increasing" if made.strict else "increasing"
    terms = made.terms[::-1] if made.decreasing else made.terms
    writer.post(f"fzn_{word}_int", writer.terms(terms))


def _lex(writer: FlatZincWriter, made: core.Lex) -> None:
    name = "fzn_lex_less_int" if made.strict else "fzn_lex_lesseq_int"
    for one, other in pairwise(made.rows):
        writer.post(name, writer.terms(one), writer.terms(other))


def _precedence(writer: FlatZincWriter, made: core.Precedence) -> None:
    terms = writer.terms(made.terms)
    if len(made.values) == 2:
        writer.post("fzn_value_precede_int", *map(writer.number, made.values), terms)
    elif len(made.values) > 2:
        writer.post("fzn_value_precede_chain_int", writer.numbers(made.values), terms)


def _inverse(writer: FlatZincWriter, made: core.Inverse) -> None:
    writer.post("fzn_inverse", writer.terms(made.f, 1), writer.terms(made.g, 1))


def _cumulative(writer: FlatZincWriter, made: core.Cumulative) -> None:
    _not_negative(writer, (*made.durations, *made.demands, made.capacity))
    if made.starts:
        lists = map(writer.terms, (made.starts, made.durations, made.demands))
        writer.post("fzn_cumulative", *lists, writer.term(made.capacity))


def _no_overlap(writer: FlatZincWriter, made: core.NoOverlap) -> None:
    name = "fzn_disjunctive_strict" if made.strict else "fzn_disjunctive"
    writer.post(name, writer.terms(made.starts), writer.terms(made.lengths))


def _no_overlap_2d(writer: FlatZincWriter, made: core.NoOverlap2D) -> None:
    _not_negative(writer, (*made.widths, *made.heights))
    name = "fzn_diffn" if made.strict else "fzn_diffn_nonstrict"
    writer.post(name, *map(writer.terms, (made.xs, made.ys, made.widths, made.heights)))


def _not_negative(writer: FlatZincWriter, terms: tuple[Term, ...]) -> None:
    """What MiniZinc's constraint does not ask for, and ours does."""
    for term in dict.fromkeys(terms):
        if bounds(term, writer.domains)[0] < 0:
            writer.post("int_le", "0", writer.term(term))


def _global_cardinality(writer: FlatZincWriter, made: core.GlobalCardinality) -> None:
    name = "fzn_global_cardinality_closed" if made.closed else "fzn_global_cardinality"
    values, counts = writer.numbers(made.values), writer.terms(made.counts)
    writer.post(name, writer.terms(made.terms), values, counts)


def _bin_packing(writer: FlatZincWriter, made: core.BinPacking) -> None:
    items, sizes = writer.terms(made.items, 1), writer.numbers(made.sizes)
    name = "fzn_bin_packing_load" if made.relation == "==" else "fzn_bin_packing_capa"
    writer.post(name, writer.terms(made.limits), items, sizes)


def _regular(writer: FlatZincWriter, made: core.Regular) -> None:
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
    finals = writer.set(sorted({states[state] for state in made.finals if state in states}))
    head = writer.terms(made.terms, 1 - first), str(len(states)), str(width)
    if all(len(cell) < 2 for cell in cells):
        matrix = writer.numbers(cell[0] if cell else 0 for cell in cells)
        writer.post("fzn_regular", *head, matrix, "1", finals)
    else:
        matrix = writer.array(map(writer.set, map(sorted, cells)))
        writer.post("fzn_regular_nfa", *head, matrix, "1", finals)


def _of_all(name: str, shift: int = 0) -> Callable[[FlatZincWriter, Any], None]:
    """A constraint of one list."""

    def said(writer: FlatZincWriter, made: Any) -> None:
        terms = made.next if shift else made.terms
        writer.post(name, writer.terms(terms, shift))

    return said


# --- functions -----------------------------------------------------------------------------------


def _of_two(name: str) -> Callable[[FlatZincWriter, Term, Any], None]:
    def said(writer: FlatZincWriter, result: Term, made: Any) -> None:
        writer.post(name, writer.term(made.x), writer.term(made.y), writer.term(result))

    return said


def _product(writer: FlatZincWriter, result: Term, made: core.Product) -> None:
    writer.post("int_times", *map(writer.term, made.terms), writer.term(result))


def _distance(writer: FlatZincWriter, result: Term, made: core.Distance) -> None:
    if is_constant(made.y):
        difference = writer.term(made.x, -affine(made.y).offset)
    else:
        difference = writer.sum_of((made.x, made.y), (1, -1))
    writer.post("int_abs", difference, writer.term(result))


def _extreme(short: str, long: str) -> Callable[[FlatZincWriter, Term, Any], None]:
    def said(writer: FlatZincWriter, result: Term, made: Any) -> None:
        if len(made.terms) == 2:
            writer.post(short, *map(writer.term, made.terms), writer.term(result))
        else:
            writer.post(long, writer.term(result), writer.terms(made.terms))

    return said


def _element(writer: FlatZincWriter, result: Term, made: core.Element) -> None:
    name = "array_int_element" if all(map(is_constant, made.terms)) else "array_var_int_element"
    writer.post(name, writer.term(made.index, 1), writer.terms(made.terms), writer.term(result))


def _count(writer: FlatZincWriter, result: Term, made: core.Count) -> None:
    terms, number = writer.terms(made.terms), writer.term(result)
    if len(made.values) == 1:
        writer.post("fzn_count_eq", terms, writer.term(made.values[0]), number)
    else:
        values = sorted({affine(value).offset for value in made.values})
        writer.post("fzn_among", number, terms, writer.set(values))


def _nvalue(writer: FlatZincWriter, result: Term, made: core.NValue) -> None:
    writer.post("fzn_nvalue", writer.term(result), writer.terms(made.terms))


def _if_then_else(writer: FlatZincWriter, result: Term, made: core.IfThenElse) -> None:
    name, sign = literal(writer, made.condition)
    chosen = (made.yes, made.no) if sign else (made.no, made.yes)
    conditions = writer.array((name, "true"))
    writer.post("fzn_if_then_else_var_int", conditions, writer.terms(chosen), writer.term(result))


_CONSTRAINTS: Mapping[type, Callable[[FlatZincWriter, Any], None]] = {
    core.Linear: _linear,
    core.NotEqual: compare,
    core.Table: compare,
    core.Clauses: _clauses,
    core.And: _and,
    core.Or: _or,
    core.Not: _not,
    core.Implies: _implies,
    core.Iff: _iff,
    core.Xor: _xor,
    core.AllDifferent: _all_different,
    core.AllEqual: _of_all("fzn_all_equal_int"),
    core.Circuit: _of_all("fzn_circuit", 1),
    core.SubCircuit: _of_all("fzn_subcircuit", 1),
    core.Inverse: _inverse,
    core.Increasing: _increasing,
    core.Lex: _lex,
    core.Precedence: _precedence,
    core.Cumulative: _cumulative,
    core.NoOverlap: _no_overlap,
    core.NoOverlap2D: _no_overlap_2d,
    core.GlobalCardinality: _global_cardinality,
    core.BinPacking: _bin_packing,
    core.Regular: _regular,
}

_FUNCTIONS: Mapping[type, Callable[[FlatZincWriter, Term, Any], None]] = {
    core.Product: _product,
    core.Quotient: _of_two("int_div"),
    core.Remainder: _of_two("int_mod"),
    core.Distance: _distance,
    core.Minimum: _extreme("int_min", "array_int_minimum"),
    core.Maximum: _extreme("int_max", "array_int_maximum"),
    core.Element: _element,
    core.Count: _count,
    core.NValue: _nvalue,
    core.IfThenElse: _if_then_else,
}
