"""What ACE is given natively."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from backends.xcsp3.guards.shapes import (
    are_channels,
    are_nodes,
    are_once,
    begins_at_0,
    has_apart_rows,
    has_letters,
    has_places,
    has_short_element,
    has_whole_conflicts,
    has_zero_factor,
    is_apart,
    is_of_naturals,
    is_open,
    is_small_distance,
    is_truth_of_integer,
    is_uniform,
    repeats,
    takes_time,
    within,
)
from modelling.formats.xcsp3.writer.profile import Measured, measured
from modelling.rewriting.profile import Variables
from modelling.terms import Affine, Term, affine, bounds, is_constant, variables_of
from modelling.vocabulary.automata.mdd import MDD
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.counting.bin_packing import BinPacking
from modelling.vocabulary.counting.count import Count
from modelling.vocabulary.counting.global_cardinality import GlobalCardinality
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.equality.all_different import AllDifferent
from modelling.vocabulary.equality.all_equal import AllEqual
from modelling.vocabulary.formulas.linear import Linear
from modelling.vocabulary.formulas.table import Table
from modelling.vocabulary.formulas.truth import IfThenElse, Truth
from modelling.vocabulary.functions.define import Define
from modelling.vocabulary.functions.element import Element
from modelling.vocabulary.functions.element2d import Element2D
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.functions.multiplication import Product, Quotient, Remainder
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.graphs.inverse import Inverse
from modelling.vocabulary.ordering.increasing import Increasing
from modelling.vocabulary.ordering.lex import Lex
from modelling.vocabulary.scheduling.cumulative import Cumulative
from modelling.vocabulary.scheduling.no_overlap import NoOverlap
from modelling.vocabulary.scheduling.no_overlap_2d import NoOverlap2D

SMALL = 5
"""ACE makes a table of an allDifferent over so many variables, or fewer."""


def takes_ace(item: Any, variables: Variables) -> bool:
    """Everything but what follows, of the release 2.6.

    It crashes on allDifferents over few variables with different domains; where a variable stands
    twice in a list, order, matrix, count or extreme; on elements of one, of a matrix's diagonal,
    and with an index that is no place, or the value; on circuits and channels with ends that are no
    node, and on these and elements whose numbers do not begin at 0 (``startIndex``); on automata
    over different domains, tasks that begin before 0, values that are not to occur, counts of
    values that cannot or must, counts that differ from none or all, two items in bins, and bins
    that an item cannot be in; on extremes that cannot be, that one term alone decides, or that are
    ``ne``; on nValues that are a number or one of their terms; on products, quotients and
    remainders but those that are equal to a variable, and those of negative numbers; on distances
    that are compared with 0, or are less than 1; where a formula is equal to what is no Boolean; on
    stars in conflicts; and on a choice between terms whose condition is known. It gets wrong a
    factor of 0, a negated ``eq`` of three terms, a choice between the same term twice, and tasks of
    a noOverlap without length; solutions of every noOverlap it may repeat.
    """
    if has_zero_factor(item) or has_short_element(item) or repeats(item):
        return False
    if not all(_is_ace_safe(part, item, variables) for part in within(item)):
        return False
    found = measured(item)
    if found is not None:
        return _takes_measured(found, variables)
    guard = _BY_CLASS.get(type(item))
    return guard is None or guard(item, variables)


def _is_ace_safe(part: Any, item: Any, variables: Variables) -> bool:
    if isinstance(part, Element):
        return is_apart(part) and has_places(part, variables) and begins_at_0((part.index,))
    if isinstance(part, Element2D):
        return is_apart(part) and begins_at_0((part.row,)) and begins_at_0((part.column,))
    if isinstance(part, (Quotient, Remainder)):
        return is_of_naturals(part, variables)
    if isinstance(part, AllEqual):
        return part is item
    if isinstance(part, Define) and isinstance(part.function, (Minimum, Maximum)):
        return part is item or not is_constant(part.result)
    if isinstance(part, Define) and isinstance(part.function, Truth):
        low, high = bounds(part.result, variables.domains)
        return low >= 0 and high <= 1
    return not (
        isinstance(part, IfThenElse)
        or is_small_distance(part)
        or is_truth_of_integer(part, variables)
    )


def _takes_linear(item: Linear, variables: Variables) -> bool:
    """Of products, quotients and remainders it has what is equal to a variable."""
    plain = [term for term in item.terms if not isinstance(term, (Product, Quotient, Remainder))]
    if len(plain) == len(item.terms):
        return True
    return item.relation == "==" and not item.constant and list(map(type, plain)) == [int]


def _takes_bins(item: BinPacking, variables: Variables) -> bool:
    bins = tuple(range(len(item.limits)))
    return len(item.items) > 2 and all(variables.domains[v] == bins for v in item.scope)


def _takes_cardinality(item: GlobalCardinality, variables: Variables) -> bool:
    """Of 0 it stops; one of each it takes for an allDifferent, whatever the number of values."""
    counts = [affine(count).offset for count in item.counts if is_constant(count)]
    return len(item.terms) > 1 and 0 not in counts and (not counts or set(counts) != {1})


def _takes_differences(item: AllDifferent, variables: Variables) -> bool:
    if len(item.terms) > SMALL:
        return True
    if len(item.terms) < 3 or not all(type(term) is int for term in item.terms):
        return False
    domains = {tuple(variables.domains[v]) for v in item.scope}
    return len(domains) == 1 and len(min(domains)) >= len(item.terms)


def _takes_cumulative(item: Cumulative, variables: Variables) -> bool:
    begin = [bounds(start, variables.domains)[0] for start in item.starts]
    fixed = all(map(is_constant, item.durations)) and len(begin) > 1
    return (fixed or takes_time(item, variables)) and min(begin) >= 0


def _takes_channels(item: Inverse, variables: Variables) -> bool:
    return are_channels(item, variables) and begins_at_0(item.f) and begins_at_0(item.g)


_BY_CLASS: dict[type[Any], Callable[[Any, Variables], bool]] = {
    AllDifferent: _takes_differences,
    BinPacking: _takes_bins,
    Circuit: lambda item, variables: are_nodes(item.next, variables) and begins_at_0(item.next),
    Cumulative: _takes_cumulative,
    GlobalCardinality: _takes_cardinality,
    Increasing: lambda item, variables: are_once(item.terms),
    Inverse: _takes_channels,
    Lex: has_apart_rows,
    Linear: _takes_linear,
    MDD: has_letters,
    NoOverlap: lambda item, variables: False,
    NoOverlap2D: lambda item, variables: False,
    Regular: is_uniform,
    Table: has_whole_conflicts,
}


def _takes_count(count: Count, found: Measured, variables: Variables) -> bool:
    """Where a term may have a value that is counted; and a constant is to be reached by terms that
    need not have one, neither by all of them nor by none."""
    if not all(map(is_constant, count.values)):
        return True
    values = {affine(value).offset for value in count.values}
    reached = [_list_values(term, variables) for term in count.terms]
    some = [of for of in reached if not values.isdisjoint(of)]
    if not isinstance(found.operand, Affine):
        return bool(some)
    if any(values.issuperset(of) for of in some):
        return False
    least = found.operand.offset + (found.relation in (">", "<="))
    if found.relation == "==":
        return bool(some) and 0 <= least <= len(some)
    if found.relation == "!=":
        return 0 < least < len(some)
    return 0 < least <= len(some)


def _list_values(term: Term, variables: Variables) -> Sequence[int]:
    if type(term) is int:
        return variables.domains[term]
    low, high = bounds(term, variables.domains)
    return range(low, high + 1)


def _takes_measured(found: Measured, variables: Variables) -> bool:
    function = found.function
    if isinstance(function, NValue):
        return type(found.operand) is int and found.operand not in function.scope
    if isinstance(function, Count):
        once = are_once(tuple(v for term in function.terms for v in variables_of(term)))
        return once and _takes_count(function, found, variables)
    if isinstance(function, (Minimum, Maximum)):
        is_safe = found.relation != "!=" and are_once(function.terms)
        return is_safe and is_open(found, variables)
    if isinstance(function, Element) and type(found.operand) is int:
        listed = (*function.terms, found.operand)
        inside = {v for term in listed for v in variables_of(term)}
        return found.relation == "==" and inside.isdisjoint(variables_of(function.index))
    return found.relation == "=="
