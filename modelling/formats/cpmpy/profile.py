"""What of the vocabulary is said in CPMpy's own words; the rest is rewritten into that.

A class is left to rewriting where CPMpy has no word for it, and a constraint where CPMpy's word
means something else at an edge: no arguments, unequal lengths, repeated values. Whether a task of
length 0 may lie within another depends on CPMpy's version, so that tasks that may be of length 0
are rewritten. Tables, automata, tours and tasks are said where they must hold and not within
formulas, where CPMpy 1.1 with OR-Tools fails or counts solutions twice (``docs/disagreements.md``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain, combinations, starmap
from typing import Any

from modelling.rewriting import Native, Profile
from modelling.rewriting.profile import Mode, Variables
from modelling.terms import ANY, Function, bounds, is_constant
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.comparisons import are_total
from modelling.vocabulary.counting.count import Count
from modelling.vocabulary.counting.global_cardinality import GlobalCardinality
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.equality.all_different import AllDifferent
from modelling.vocabulary.equality.all_equal import AllEqual
from modelling.vocabulary.equality.not_equal import NotEqual
from modelling.vocabulary.formulas.connectives import And, Iff, Implies, Not, Or, Xor
from modelling.vocabulary.formulas.linear import Linear, Sum
from modelling.vocabulary.formulas.table import Table
from modelling.vocabulary.formulas.truth import Truth
from modelling.vocabulary.functions.define import Define
from modelling.vocabulary.functions.distance import Distance
from modelling.vocabulary.functions.element import Element
from modelling.vocabulary.functions.element2d import Element2D
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.functions.multiplication import Product, Quotient, Remainder
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.graphs.inverse import Inverse
from modelling.vocabulary.ordering.increasing import Increasing
from modelling.vocabulary.ordering.lex import Lex
from modelling.vocabulary.ordering.precedence import Precedence
from modelling.vocabulary.scheduling.cumulative import Cumulative
from modelling.vocabulary.scheduling.no_overlap import NoOverlap

Condition = Callable[[Any, Variables], bool]

MOST_COMPARED = 100
"""Of so many rows with stars it is asked whether any two overlap; more are rewritten."""


def _always(item: Any, variables: Variables) -> bool:
    return True


def _several_terms(item: Any, variables: Variables) -> bool:
    return len(item.terms) > 1


def _count(item: Count, variables: Variables) -> bool:
    """CPMpy counts one value, which may be an expression, or several constants."""
    several = all(map(is_constant, item.values))
    return bool(item.terms and item.values) and (len(item.values) == 1 or several)


def _nvalue(item: NValue, variables: Variables) -> bool:
    """CPMpy 1.1 cannot pose some of those with constants to OR-Tools."""
    constants = any(map(is_constant, item.terms))
    return bool(item.terms) and len(item.except_) < 2 and not constants


def _division(item: Quotient | Remainder, variables: Variables) -> bool:
    """CPMpy asks the bounds of the divisor, of which 0 may be one but not all."""
    return not is_constant(item.x) and bounds(item.y, variables.domains) != (0, 0)


def _element(item: Element, variables: Variables) -> bool:
    return not is_constant(item.index)


def _element_of_matrix(item: Element2D, variables: Variables) -> bool:
    """CPMpy 1.1 fails where an element of the matrix is a function that can be undefined."""
    cells = chain.from_iterable(item.matrix)
    constant_index = is_constant(item.row) or is_constant(item.column)
    return not constant_index and are_total(cells)


def _product(item: Product, variables: Variables) -> bool:
    return len(item.terms) > 1


def _table(item: Table, variables: Variables) -> bool:
    """Without rows it is a truth value, unless a term can be undefined. Rows with stars must not
    overlap: CPMpy chooses one of those that agree, and counts a solution for each."""
    rows = item.tuples
    if any(ANY in row for row in rows):
        pairs = combinations(dict.fromkeys(rows), 2)
        return len(rows) <= MOST_COMPARED and not any(starmap(_overlap, pairs))
    return bool(rows) or are_total(item.terms)


def _overlap(row: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return all(x == y or ANY in (x, y) for x, y in zip(row, other, strict=True))


def _cardinality(item: GlobalCardinality, variables: Variables) -> bool:
    return bool(item.terms and item.values) and len(set(item.values)) == len(item.values)


def _inverse(item: Inverse, variables: Variables) -> bool:
    return len(item.f) == len(item.g) > 0 and not any(map(is_constant, (*item.f, *item.g)))


def _circuit(item: Circuit, variables: Variables) -> bool:
    return len(item.next) > 1


def _lex(item: Lex, variables: Variables) -> bool:
    lengths = set(map(len, item.rows))
    return len(item.rows) > 1 and len(lengths) == 1 and 0 not in lengths


def _precedence(item: Precedence, variables: Variables) -> bool:
    distinct = len(set(item.values)) == len(item.values)
    return bool(item.terms) and len(item.values) > 1 and distinct


def _regular(item: Regular, variables: Variables) -> bool:
    """Deterministic, and about expressions."""
    arcs = {(state, value) for state, value, _ in item.transitions}
    known = {state for arc in item.transitions for state in (arc[0], arc[2])}
    return (
        len(arcs) == len(item.transitions) > 0
        and bool(item.terms)
        and item.start in known
        and bool(item.finals)
        and known.issuperset(item.finals)
        and not any(map(is_constant, item.terms))
    )


def _cumulative(item: Cumulative, variables: Variables) -> bool:
    numbers = (*item.durations, *item.demands, item.capacity)
    return bool(item.starts) and all(bounds(n, variables.domains)[0] >= 0 for n in numbers)


def _no_overlap(item: NoOverlap, variables: Variables) -> bool:
    lengths = [bounds(length, variables.domains)[0] for length in item.lengths]
    return len(lengths) > 1 and all(length > 0 for length in lengths)


CONDITIONS: Mapping[type, Condition] = {
    AllDifferent: _several_terms,
    AllEqual: _several_terms,
    And: _always,
    Circuit: _circuit,
    Count: _count,
    Cumulative: _cumulative,
    Distance: _always,
    Element: _element,
    Element2D: _element_of_matrix,
    GlobalCardinality: _cardinality,
    Iff: _always,
    Implies: _always,
    Increasing: _several_terms,
    Inverse: _inverse,
    Lex: _lex,
    Linear: _always,
    Maximum: _always,
    Minimum: _always,
    NValue: _nvalue,
    NoOverlap: _no_overlap,
    Not: _always,
    NotEqual: _always,
    Or: _always,
    Precedence: _precedence,
    Product: _product,
    Quotient: _division,
    Regular: _regular,
    Remainder: _division,
    Sum: _always,
    Table: _table,
    Truth: _always,
    Xor: _always,
}
"""Classes with a word, and when it says the same."""

AT_THE_ROOT = (Circuit, Cumulative, Inverse, NoOverlap, Regular, Table)
"""Said only where they must hold, and over variables and affine terms."""


TAKING_CONDITIONS = (Linear, Sum, Product)
"""Operators, which take conditions as numbers."""


def is_sayable(item: Any, variables: Variables) -> bool:
    """Whether a constraint or function, and the functions within, are said by CPMpy's words as they
    are; rewriting asks about each formula by itself.

    A condition among the arguments of a function or global constraint is not: CPMpy 1.1 may find
    that it always holds, and then cannot pose it.
    """
    if type(item) is Define:
        return not isinstance(item.function, Function) or is_sayable(item.function, variables)
    condition = CONDITIONS.get(type(item))
    if condition is None or not condition(item, variables):
        return False
    if type(item) not in TAKING_CONDITIONS and any(type(t) is Truth for t in item.terms_within()):
        return False
    functions = (part for part in item.parts() if isinstance(part, Function))
    return all(is_sayable(part, variables) for part in functions)


_EVERYWHERE: frozenset[Mode] = frozenset({"root", "half", "full"})
_ROOT: frozenset[Mode] = frozenset({"root"})

PROFILE = Profile(
    tuple(
        Native(kind, _ROOT, "affine", True, is_sayable)
        if kind in AT_THE_ROOT
        else Native(kind, _EVERYWHERE, "nested", True, is_sayable)
        for kind in CONDITIONS
    )
)
"""What rewriting is told of CPMpy."""
