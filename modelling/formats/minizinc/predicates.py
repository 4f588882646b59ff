"""Constraints as MiniZinc's conditions: comparisons, formulas, predicates of its library."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from modelling.formats.minizinc.functions import TERMS
from modelling.formats.minizinc.speaker import Speaker, Words
from modelling.terms import ANY, bounds
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.comparisons import is_total
from modelling.vocabulary.counting.bin_packing import BinPacking
from modelling.vocabulary.counting.global_cardinality import GlobalCardinality
from modelling.vocabulary.equality.all_different import AllDifferent
from modelling.vocabulary.equality.all_equal import AllEqual
from modelling.vocabulary.equality.not_equal import NotEqual
from modelling.vocabulary.formulas.clauses import Clauses
from modelling.vocabulary.formulas.connectives import And, Iff, Implies, Not, Or, Xor
from modelling.vocabulary.formulas.linear import Linear
from modelling.vocabulary.formulas.table import Table
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.graphs.inverse import Inverse
from modelling.vocabulary.graphs.subcircuit import SubCircuit
from modelling.vocabulary.ordering.increasing import Increasing
from modelling.vocabulary.ordering.lex import Lex
from modelling.vocabulary.ordering.precedence import Precedence
from modelling.vocabulary.scheduling.cumulative import Cumulative
from modelling.vocabulary.scheduling.no_overlap import NoOverlap
from modelling.vocabulary.scheduling.no_overlap_2d import NoOverlap2D

WIDEST_REIFIED_TABLE = 5
"""MiniZinc reifies tables of at most so many variables."""

_MIRRORED = str.maketrans("<>", "><")


def _linear(say: Speaker, made: Linear) -> str:
    """What is subtracted stands on the other side."""
    relation, bound = made.relation, made.constant
    left = [(t, c) for t, c in zip(made.terms, made.coefficients, strict=True) if c >= 0]
    right = [(t, -c) for t, c in zip(made.terms, made.coefficients, strict=True) if c < 0]
    if not left:
        left, right, bound = right, left, -bound
        relation = relation.translate(_MIRRORED)
    beside = -bound if bound < 0 and right else 0  # x + 3 <= y rather than x <= y - 3
    sides = []
    for part, offset in ((left, beside), (right, bound + beside)):
        sides.append(say.sum([t for t, _ in part], [c for _, c in part], offset))
    return f"{sides[0]} {'=' if relation == '==' else relation} {sides[1]}"


def _not_equal(say: Speaker, made: NotEqual) -> str:
    return f"{say.factor(made.terms[0])} != {say.factor(made.terms[1])}"


def _joined(sign: str, empty: str) -> Callable[[Speaker, Any], str]:
    return lambda say, made: sign.join(map(say.formula, made.formulas)) or empty


def _xor(say: Speaker, made: Xor) -> str:
    if len(made.formulas) == 2:
        return " xor ".join(map(say.formula, made.formulas))
    parts = ", ".join(say.formula(part, nested=False) for part in made.formulas)
    return f"xorall([{parts}])" if parts else "false"


def _table(say: Speaker, made: Table, widest: int = WIDEST_REIFIED_TABLE) -> str:
    short = any(ANY in row for row in made.tuples)
    if made.tuples and len(made.terms) == 1 and not short:
        allowed = say.set(row[0] for row in made.tuples)
        said = f"{say.factor(made.terms[0])} in {allowed}"
        return said if made.allowed else f"not ({said})"
    narrow = len(made.terms) <= widest
    if made.allowed and made.tuples and made.terms and not short and narrow:
        rows = " | ".join(", ".join(map(say.number, row)) for row in made.tuples)
        return f"{say.use('table')}({say.terms(made.terms)}, [| {rows} |])"
    whole = [say.factor(term) for term in made.terms]
    rows_said = []
    for row in made.tuples:
        cells = [f"{t} = {say.number(c)}" for t, c in zip(whole, row, strict=True) if c != ANY]
        rows_said.append("(" + " /\\ ".join(cells) + ")" if cells else "true")
    partial = [say.factor(term) for term in made.terms if not is_total(term)]
    defined = [f"{term} = {term}" for term in partial]
    said = "(" + (" \\/ ".join(rows_said) or "false") + ")"
    return " /\\ ".join([said if made.allowed else f"not {said}", *defined])


def clauses(say: Speaker, made: Clauses) -> Iterator[str]:
    """Each clause as a condition."""
    names = [say.factor(term) for term in made.terms]
    for clause in made.literals:
        said = (f"{names[abs(x) - 1]} {'!=' if x > 0 else '='} 0" for x in clause)
        yield " \\/ ".join(said) or "false"


def _clauses(say: Speaker, made: Clauses) -> str:
    return " /\\ ".join(f"({clause})" for clause in clauses(say, made)) or "true"


def _all_different(say: Speaker, made: AllDifferent) -> str:
    if made.except_:
        excepted = say.set(made.except_)
        return f"{say.use('alldifferent_except')}({say.terms(made.terms)}, {excepted})"
    return f"{say.use('alldifferent')}({say.terms(made.terms, True)})"


def _increasing(say: Speaker, made: Increasing) -> str:
    word = "decreasing" if made.decreasing else "increasing"
    word = f"strictly_{word}" if made.strict else word
    return f"{say.use(word)}({say.terms(made.terms)})"


def _lex(say: Speaker, made: Lex) -> str:
    word = "lex_less" if made.strict else "lex_lesseq"
    pairs = [
        f"{say.use(word)}({say.terms(one)}, {say.terms(other)})"
        for one, other in pairwise(made.rows)
    ]
    return " /\\ ".join(pairs) or "true"


def _precedence(say: Speaker, made: Precedence) -> str:
    if len(made.values) < 2:
        return "true"
    return f"{say.use('value_precede_chain')}({say.numbers(made.values)}, {say.terms(made.terms)})"


def _inverse(say: Speaker, made: Inverse) -> str:
    if len(made.f) != len(made.g):
        return "false"
    return f"{say.use('inverse')}({say.from_zero(made.f)}, {say.from_zero(made.g)})"


def _successors(word: str) -> Callable[[Speaker, Any], str]:
    return lambda say, made: f"{say.use(word)}({say.from_zero(made.next)})"


def _cumulative(say: Speaker, made: Cumulative) -> str:
    lists = ", ".join(map(say.plain, (made.starts, made.durations, made.demands)))
    said = f"{say.use('cumulative')}({lists}, {say.term(made.capacity)})"
    negative = bounds(made.capacity, say.domains)[0] < 0
    return f"{said} /\\ {say.factor(made.capacity)} >= 0" if negative else said


def _no_overlap(say: Speaker, made: NoOverlap) -> str:
    word = "disjunctive_strict" if made.strict else "disjunctive"
    return f"{say.use(word)}({say.plain(made.starts)}, {say.plain(made.lengths)})"


def _no_overlap_2d(say: Speaker, made: NoOverlap2D) -> str:
    word = "diffn" if made.strict else "diffn_nonstrict"
    lists = (made.xs, made.ys, made.widths, made.heights)
    return f"{say.use(word)}({', '.join(map(say.plain, lists))})"


def _global_cardinality(say: Speaker, made: GlobalCardinality) -> str:
    word = "global_cardinality_closed" if made.closed else "global_cardinality"
    values, counts = say.numbers(made.values), say.plain(made.counts)
    return f"{say.use(word)}({say.plain(made.terms)}, {values}, {counts})"


def _bin_packing(say: Speaker, made: BinPacking) -> str:
    word = "bin_packing_load" if made.relation == "==" else "bin_packing_capa"
    limits = f"array1d(0..{len(made.limits) - 1}, {say.plain(made.limits)})"
    return f"{say.use(word)}({limits}, {say.plain(made.items)}, {say.numbers(made.sizes)})"


def _regular(say: Speaker, made: Regular) -> str:
    values = [value for _, value, _ in made.transitions]
    first, width = min(values), max(values) - min(values) + 1
    states: dict[int, int] = {}
    for state in (made.start, *(s for a, _, b in made.transitions for s in (a, b))):
        states.setdefault(state, len(states) + 1)
    cells: list[list[set[int]]] = [[set() for _ in range(width)] for _ in states]
    for source, value, target in made.transitions:
        cells[states[source] - 1][value - first].add(states[target])
    finals = say.set(states[state] for state in made.finals if state in states)
    terms = say.plain(made.terms, 1 - first)
    deterministic = all(len(cell) < 2 for row in cells for cell in row)
    if deterministic:
        rows = [", ".join(str(next(iter(cell), 0)) for cell in row) for row in cells]
    else:
        rows = [", ".join(map(say.set, row)) for row in cells]
    word = say.use("regular" if deterministic else "regular_nfa")
    return f"{word}({terms}, {len(states)}, {width}, [| {' | '.join(rows)} |], 1, {finals})"


FORMULAS: Mapping[type, Callable[[Speaker, Any], str]] = {
    Linear: _linear,
    NotEqual: _not_equal,
    Table: _table,
    Clauses: _clauses,
    And: _joined(" /\\ ", "true"),
    Or: _joined(" \\/ ", "false"),
    Not: lambda say, made: f"not {say.formula(made.formula)}",
    Implies: lambda say, made: f"{say.formula(made.condition)} -> {say.formula(made.consequence)}",
    Iff: lambda say, made: f"{say.formula(made.one)} <-> {say.formula(made.other)}",
    Xor: _xor,
    AllDifferent: _all_different,
    AllEqual: lambda say, made: f"{say.use('all_equal')}({say.terms(made.terms, True)})",
    Increasing: _increasing,
    Lex: _lex,
    Precedence: _precedence,
    Inverse: _inverse,
    Circuit: _successors("circuit"),
    SubCircuit: _successors("subcircuit"),
    Cumulative: _cumulative,
    NoOverlap: _no_overlap,
    NoOverlap2D: _no_overlap_2d,
    GlobalCardinality: _global_cardinality,
    BinPacking: _bin_packing,
    Regular: _regular,
}

WORDS = Words(TERMS, FORMULAS, {Table: lambda say, made: _table(say, made, len(made.terms))})
