"""Constraints as MiniZinc's conditions: comparisons, formulas, predicates of its library."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from modelling import constraints as core
from modelling.formats.minizinc.functions import TERMS
from modelling.formats.minizinc.printer import MiniZincPrinter, Words
from modelling.terms import ANY, bounds
from modelling.vocabulary.comparisons import is_total, mirror

WIDEST_REIFIED_TABLE = 5
"""MiniZinc reifies tables of at most this many variables."""


def _linear(printer: MiniZincPrinter, made: core.Linear) -> str:
    """Terms with a negative coefficient are written on the other side."""
    relation, bound = made.relation, made.constant
    left = [(t, c) for t, c in zip(made.terms, made.coefficients, strict=True) if c >= 0]
    right = [(t, -c) for t, c in zip(made.terms, made.coefficients, strict=True) if c < 0]
    if not left:
        left, right, bound = right, left, -bound
        relation = mirror(relation)
    beside = -bound if bound < 0 and right else 0  # x + 3 <= y rather than x <= y - 3
    sides = []
    for part, offset in ((left, beside), (right, bound + beside)):
        sides.append(printer.sum([t for t, _ in part], [c for _, c in part], offset))
    return f"{sides[0]} {'=' if relation == '==' else relation} {sides[1]}"


def _not_equal(printer: MiniZincPrinter, made: core.NotEqual) -> str:
    return f"{printer.factor(made.terms[0])} != {printer.factor(made.terms[1])}"


def _joined(sign: str, empty: str) -> Callable[[MiniZincPrinter, Any], str]:
    return lambda printer, made: sign.join(map(printer.formula, made.formulas)) or empty


def _xor(printer: MiniZincPrinter, made: core.Xor) -> str:
    if len(made.formulas) == 2:
        return " xor ".join(map(printer.formula, made.formulas))
    parts = ", ".join(printer.formula(part, nested=False) for part in made.formulas)
    return f"xorall([{parts}])" if parts else "false"


def _table(printer: MiniZincPrinter, made: core.Table, widest: int = WIDEST_REIFIED_TABLE) -> str:
    short = any(ANY in row for row in made.tuples)
    if made.tuples and len(made.terms) == 1 and not short:
        allowed = printer.set(row[0] for row in made.tuples)
        said = f"{printer.factor(made.terms[0])} in {allowed}"
        return said if made.allowed else f"not ({said})"
    narrow = len(made.terms) <= widest
    if made.allowed and made.tuples and made.terms and not short and narrow:
        rows = " | ".join(", ".join(map(printer.number, row)) for row in made.tuples)
        return f"{printer.use('table')}({printer.terms(made.terms)}, [| {rows} |])"
    whole = [printer.factor(term) for term in made.terms]
    rows_said = []
    for row in made.tuples:
        cells = [f"{t} = {printer.number(c)}" for t, c in zip(whole, row, strict=True) if c != ANY]
        rows_said.append("(" + " /\\ ".join(cells) + ")" if cells else "true")
    partial = [printer.factor(term) for term in made.terms if not is_total(term)]
    defined = [f"{term} = {term}" for term in partial]
    said = "(" + (" \\/ ".join(rows_said) or "false") + ")"
    return " /\\ ".join([said if made.allowed else f"not {said}", *defined])


def clauses(printer: MiniZincPrinter, made: core.Clauses) -> Iterator[str]:
    """Each clause as a condition."""
    names = [printer.factor(term) for term in made.terms]
    for clause in made.literals:
        said = (f"{names[abs(x) - 1]} {'!=' if x > 0 else '='} 0" for x in clause)
        yield " \\/ ".join(said) or "false"


def _clauses(printer: MiniZincPrinter, made: core.Clauses) -> str:
    return " /\\ ".join(f"({clause})" for clause in clauses(printer, made)) or "true"


def _all_different(printer: MiniZincPrinter, made: core.AllDifferent) -> str:
    if made.except_:
        excepted = printer.set(made.except_)
        return f"{printer.use('alldifferent_except')}({printer.terms(made.terms)}, {excepted})"
    return f"{printer.use('alldifferent')}({printer.terms(made.terms, True)})"


def _increasing(printer: MiniZincPrinter, made: core.Increasing) -> str:
    word = "decreasing" if made.decreasing else "increasing"
    word = f"strictly_{word}" if made.strict else word
    return f"{printer.use(word)}({printer.terms(made.terms)})"


def _lex(printer: MiniZincPrinter, made: core.Lex) -> str:
    word = "lex_less" if made.strict else "lex_lesseq"
    pairs = [
        f"{printer.use(word)}({printer.terms(one)}, {printer.terms(other)})"
        for one, other in pairwise(made.rows)
    ]
    return " /\\ ".join(pairs) or "true"


def _precedence(printer: MiniZincPrinter, made: core.Precedence) -> str:
    if len(made.values) < 2:
        return "true"
    values, terms = printer.numbers(made.values), printer.terms(made.terms)
    return f"{printer.use('value_precede_chain')}({values}, {terms})"


def _inverse(printer: MiniZincPrinter, made: core.Inverse) -> str:
    if len(made.f) != len(made.g):
        return "false"
    return f"{printer.use('inverse')}({printer.from_zero(made.f)}, {printer.from_zero(made.g)})"


def _successors(word: str) -> Callable[[MiniZincPrinter, Any], str]:
    return lambda printer, made: f"{printer.use(word)}({printer.from_zero(made.next)})"


def _cumulative(printer: MiniZincPrinter, made: core.Cumulative) -> str:
    lists = ", ".join(map(printer.plain, (made.starts, made.durations, made.demands)))
    said = f"{printer.use('cumulative')}({lists}, {printer.term(made.capacity)})"
    negative = bounds(made.capacity, printer.domains)[0] < 0
    return f"{said} /\\ {printer.factor(made.capacity)} >= 0" if negative else said


def _no_overlap(printer: MiniZincPrinter, made: core.NoOverlap) -> str:
    word = "disjunctive_strict" if made.strict else "disjunctive"
    return f"{printer.use(word)}({printer.plain(made.starts)}, {printer.plain(made.lengths)})"


def _no_overlap_2d(printer: MiniZincPrinter, made: core.NoOverlap2D) -> str:
    word = "diffn" if made.strict else "diffn_nonstrict"
    lists = (made.xs, made.ys, made.widths, made.heights)
    return f"{printer.use(word)}({', '.join(map(printer.plain, lists))})"


def _global_cardinality(printer: MiniZincPrinter, made: core.GlobalCardinality) -> str:
    word = "global_cardinality_closed" if made.closed else "global_cardinality"
    values, counts = printer.numbers(made.values), printer.plain(made.counts)
    return f"{printer.use(word)}({printer.plain(made.terms)}, {values}, {counts})"


def _bin_packing(printer: MiniZincPrinter, made: core.BinPacking) -> str:
    word = "bin_packing_load" if made.relation == "==" else "bin_packing_capa"
    limits = f"array1d(0..{len(made.limits) - 1}, {printer.plain(made.limits)})"
    return (
        f"{printer.use(word)}({limits}, {printer.plain(made.items)}, {printer.numbers(made.sizes)})"
    )


def _regular(printer: MiniZincPrinter, made: core.Regular) -> str:
    values = [value for _, value, _ in made.transitions]
    first, width = min(values), max(values) - min(values) + 1
    states: dict[int, int] = {}
    for state in (made.start, *(s for a, _, b in made.transitions for s in (a, b))):
        states.setdefault(state, len(states) + 1)
    cells: list[list[set[int]]] = [[set() for _ in range(width)] for _ in states]
    for source, value, target in made.transitions:
        cells[states[source] - 1][value - first].add(states[target])
    finals = printer.set(states[state] for state in made.finals if state in states)
    terms = printer.plain(made.terms, 1 - first)
    deterministic = all(len(cell) < 2 for row in cells for cell in row)
    if deterministic:
        rows = [", ".join(str(next(iter(cell), 0)) for cell in row) for row in cells]
    else:
        rows = [", ".join(map(printer.set, row)) for row in cells]
    word = printer.use("regular" if deterministic else "regular_nfa")
    return f"{word}({terms}, {len(states)}, {width}, [| {' | '.join(rows)} |], 1, {finals})"


FORMULAS: Mapping[type, Callable[[MiniZincPrinter, Any], str]] = {
    core.Linear: _linear,
    core.NotEqual: _not_equal,
    core.Table: _table,
    core.Clauses: _clauses,
    core.And: _joined(" /\\ ", "true"),
    core.Or: _joined(" \\/ ", "false"),
    core.Not: lambda printer, made: f"not {printer.formula(made.formula)}",
    core.Implies: lambda printer, made: (
        f"{printer.formula(made.condition)} -> {printer.formula(made.consequence)}"
    ),
    core.Iff: lambda printer, made: (
        f"{printer.formula(made.one)} <-> {printer.formula(made.other)}"
    ),
    core.Xor: _xor,
    core.AllDifferent: _all_different,
    core.AllEqual: lambda printer, made: (
        f"{printer.use('all_equal')}({printer.terms(made.terms, True)})"
    ),
    core.Increasing: _increasing,
    core.Lex: _lex,
    core.Precedence: _precedence,
    core.Inverse: _inverse,
    core.Circuit: _successors("circuit"),
    core.SubCircuit: _successors("subcircuit"),
    core.Cumulative: _cumulative,
    core.NoOverlap: _no_overlap,
    core.NoOverlap2D: _no_overlap_2d,
    core.GlobalCardinality: _global_cardinality,
    core.BinPacking: _bin_packing,
    core.Regular: _regular,
}

WORDS = Words(
    TERMS, FORMULAS, {core.Table: lambda printer, made: _table(printer, made, len(made.terms))}
)
