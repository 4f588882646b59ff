"""What Choco's parser is given natively."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from backends.xcsp3.guards.shapes import (
    are_fixed_rectangles,
    has_apart_rows,
    has_letters,
    has_set_in_term,
    has_whole_conflicts,
    is_of_constants,
    is_of_naturals,
    repeats,
    takes_time,
    within,
)
from modelling.formats.xcsp3.writer.profile import measured
from modelling.rewriting.profile import Variables
from modelling.terms import affine, bounds, is_constant
from modelling.vocabulary.automata.mdd import MDD
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.counting.bin_packing import BinPacking
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.equality.all_equal import AllEqual
from modelling.vocabulary.formulas.table import Table
from modelling.vocabulary.functions.element2d import Element2D
from modelling.vocabulary.functions.multiplication import Remainder
from modelling.vocabulary.ordering.lex import Lex
from modelling.vocabulary.scheduling.cumulative import Cumulative
from modelling.vocabulary.scheduling.no_overlap import NoOverlap
from modelling.vocabulary.scheduling.no_overlap_2d import NoOverlap2D


def takes_choco(item: Any, variables: Variables) -> bool:
    """Everything but what follows, of the parser 4.10.15.

    It has no nValues with exceptions, no automata over negative numbers, no rectangles whose sizes
    are variables, no stars in conflicts, and no diagrams with values that a variable does not have.
    It loses or repeats solutions of elements of a matrix of variables that are another variable, of
    a negated ``eq`` of three terms, of strict tasks without length, and of a cumulative of which no
    task takes all that there is or whose capacity is a variable. It gets wrong rows of a lex that
    share variables, remainders of negative numbers, nValues in another relation than ``eq``, bins
    with an item whose bin is known, and, within a term of a list, ``in`` a set: what holds may be
    counted as false.
    """
    if (
        repeats(item)
        or has_set_in_term(item)
        or not all(_is_choco_safe(part, item, variables) for part in within(item))
    ):
        return False
    found = measured(item)
    if found is not None and isinstance(found.function, NValue):
        return found.relation == "==" and not found.function.except_
    guard = _BY_CLASS.get(type(item))
    return guard is None or guard(item, variables)


def _is_choco_safe(part: Any, item: Any, variables: Variables) -> bool:
    if isinstance(part, Element2D):
        return is_of_constants(part)
    if isinstance(part, Remainder):
        return is_of_naturals(part, variables)
    return not isinstance(part, AllEqual) or part is item


def _takes_bins(item: BinPacking, variables: Variables) -> bool:
    return all(len(variables.domains[v]) > 1 for v in item.items)


def _takes_cumulative(item: Cumulative, variables: Variables) -> bool:
    """Where one task takes all that there is, and another one something: otherwise it repeats a
    solution for each capacity from the peak on."""
    if not is_constant(item.capacity):
        return False
    capacity = affine(item.capacity).offset
    ends = [bounds(term, variables.domains) for term in item.demands]
    least, most = max(low for low, _ in ends), sum(high for _, high in ends)
    return least == capacity < most and takes_time(item, variables)


def _takes_tasks(item: NoOverlap, variables: Variables) -> bool:
    fixed = all(map(is_constant, item.lengths)) and len(item.lengths) > 1
    return (fixed and not item.strict) or takes_time(item, variables)


def _takes_regular(item: Regular, variables: Variables) -> bool:
    least = min(letter for _, letter, _ in item.transitions)
    return least >= 0 and all(variables.domains[v][0] >= 0 for v in item.scope)


_BY_CLASS: dict[type[Any], Callable[[Any, Variables], bool]] = {
    BinPacking: _takes_bins,
    Cumulative: _takes_cumulative,
    Lex: has_apart_rows,
    MDD: has_letters,
    NoOverlap: _takes_tasks,
    NoOverlap2D: are_fixed_rectangles,
    Regular: _takes_regular,
    Table: has_whole_conflicts,
}
