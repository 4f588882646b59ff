"""The parts of the vocabulary that CPMpy has itself; the rest is rewritten into these.

A class is rewritten if CPMpy does not have it. A constraint is rewritten if CPMpy's one means
something else at an edge: no arguments, unequal lengths, repeated values. Whether a task of length
0 may lie within another depends on CPMpy's version, so tasks that may have length 0 are rewritten.
Tables, automata, tours and tasks are native where they must hold, but not within formulas: there
CPMpy 1.1 with OR-Tools fails or counts solutions twice (``docs/disagreements.md``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain, combinations, starmap
from typing import Any

from modelling import constraints as core
from modelling.rewriting import Native, Profile
from modelling.rewriting.profile import Mode, Variables
from modelling.terms import ANY, Function, bounds, is_constant
from modelling.vocabulary.comparisons import are_total

Condition = Callable[[Any, Variables], bool]

MOST_COMPARED = 100
"""Most rows of a table with stars that are compared for overlaps; a larger one is rewritten."""


def _always(item: Any, variables: Variables) -> bool:
    return True


def _several_terms(item: Any, variables: Variables) -> bool:
    return len(item.terms) > 1


def _count(item: core.Count, variables: Variables) -> bool:
    """CPMpy counts one value, which may be an expression, or several constants."""
    several = all(map(is_constant, item.values))
    return bool(item.terms and item.values) and (len(item.values) == 1 or several)


def _nvalue(item: core.NValue, variables: Variables) -> bool:
    """CPMpy 1.1 cannot pose some of those with constants to OR-Tools."""
    constants = any(map(is_constant, item.terms))
    return bool(item.terms) and len(item.except_) < 2 and not constants


def _division(item: core.Quotient | core.Remainder, variables: Variables) -> bool:
    """CPMpy asks the bounds of the divisor, of which 0 may be one but not all."""
    return not is_constant(item.x) and bounds(item.y, variables.domains) != (0, 0)


def _element(item: core.Element, variables: Variables) -> bool:
    return not is_constant(item.index)


def _element_of_matrix(item: core.Element2D, variables: Variables) -> bool:
    """CPMpy 1.1 fails where an element of the matrix is a function that can be undefined."""
    cells = chain.from_iterable(item.matrix)
    constant_index = is_constant(item.row) or is_constant(item.column)
    return not constant_index and are_total(cells)


def _product(item: core.Product, variables: Variables) -> bool:
    return len(item.terms) > 1


def _table(item: core.Table, variables: Variables) -> bool:
    """Without rows it is a truth value, unless a term can be undefined. Rows with stars must not
    overlap: CPMpy chooses one of those that agree, and counts a solution for each."""
    rows = item.tuples
    if any(ANY in row for row in rows):
        pairs = combinations(dict.fromkeys(rows), 2)
        return len(rows) <= MOST_COMPARED and not any(starmap(_overlap, pairs))
    return bool(rows) or are_total(item.terms)


def _overlap(row: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return all(x == y or ANY in (x, y) for x, y in zip(row, other, strict=True))


def _cardinality(item: core.GlobalCardinality, variables: Variables) -> bool:
    return bool(item.terms and item.values) and len(set(item.values)) == len(item.values)


def _inverse(item: core.Inverse, variables: Variables) -> bool:
    return len(item.f) == len(item.g) > 0 and not any(map(is_constant, (*item.f, *item.g)))


def _circuit(item: core.Circuit, variables: Variables) -> bool:
    return len(item.next) > 1


def _lex(item: core.Lex, variables: Variables) -> bool:
    lengths = set(map(len, item.rows))
    return len(item.rows) > 1 and len(lengths) == 1 and 0 not in lengths


def _precedence(item: core.Precedence, variables: Variables) -> bool:
    distinct = len(set(item.values)) == len(item.values)
    return bool(item.terms) and len(item.values) > 1 and distinct


def _regular(item: core.Regular, variables: Variables) -> bool:
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


def _cumulative(item: core.Cumulative, variables: Variables) -> bool:
    numbers = (*item.durations, *item.demands, item.capacity)
    return bool(item.starts) and all(bounds(n, variables.domains)[0] >= 0 for n in numbers)


def _no_overlap(item: core.NoOverlap, variables: Variables) -> bool:
    lengths = [bounds(length, variables.domains)[0] for length in item.lengths]
    return len(lengths) > 1 and all(length > 0 for length in lengths)


CONDITIONS: Mapping[type, Condition] = {
    core.AllDifferent: _several_terms,
    core.AllEqual: _several_terms,
    core.And: _always,
    core.Circuit: _circuit,
    core.Count: _count,
    core.Cumulative: _cumulative,
    core.Distance: _always,
    core.Element: _element,
    core.Element2D: _element_of_matrix,
    core.GlobalCardinality: _cardinality,
    core.Iff: _always,
    core.Implies: _always,
    core.Increasing: _several_terms,
    core.Inverse: _inverse,
    core.Lex: _lex,
    core.Linear: _always,
    core.Maximum: _always,
    core.Minimum: _always,
    core.NValue: _nvalue,
    core.NoOverlap: _no_overlap,
    core.Not: _always,
    core.NotEqual: _always,
    core.Or: _always,
    core.Precedence: _precedence,
    core.Product: _product,
    core.Quotient: _division,
    core.Regular: _regular,
    core.Remainder: _division,
    core.Sum: _always,
    core.Table: _table,
    core.Truth: _always,
    core.Xor: _always,
}
"""Classes with a word, and when it says the same."""

AT_THE_ROOT = (
    core.Circuit,
    core.Cumulative,
    core.Inverse,
    core.NoOverlap,
    core.Regular,
    core.Table,
)
"""Said only where they must hold, and over variables and affine terms."""


TAKING_CONDITIONS = (core.Linear, core.Sum, core.Product)
"""Operators, which take conditions as numbers."""


def is_sayable(item: Any, variables: Variables) -> bool:
    """Whether CPMpy has a constraint or function, and the functions within, without a rewrite.

    Rewriting asks about each formula by itself. A condition may not be among the arguments of a
    function or global constraint: CPMpy 1.1 may find that it always holds, and then cannot pose it.
    """
    if type(item) is core.Define:
        return not isinstance(item.function, Function) or is_sayable(item.function, variables)
    condition = CONDITIONS.get(type(item))
    if condition is None or not condition(item, variables):
        return False
    if type(item) not in TAKING_CONDITIONS and any(
        type(t) is core.Truth for t in item.terms_within()
    ):
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
"""What CPMpy takes natively, for rewriting."""
