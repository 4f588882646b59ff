"""What ACE is given natively."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from backends.xcsp3.guards.profile import Class
from backends.xcsp3.guards.shapes import (
    are_channels,
    are_nodes,
    are_once,
    begins_at_0,
    differs_from_negative,
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
from modelling.terms import Term, affine, bounds, is_constant, variables_of
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

NEVER: frozenset[Class] = frozenset({IfThenElse, NoOverlap, NoOverlap2D})
"""What ACE is never given natively."""

SMALL = 5
"""ACE makes a table of an allDifferent over this number of variables, or fewer."""


def takes_ace(item: Any, variables: Variables) -> bool:
    """Everything but what ACE 2.6 gets wrong or stops at.

    It gets wrong a distance that differs from a negative number, a factor of 0, a negated ``eq`` of
    three terms, a choice between the same term twice, and a cardinality of all terms. It may repeat
    the solutions of a noOverlap.

    It stops at

    - a variable that is repeated in a list, order, matrix, count or extreme;
    - allDifferents over few variables with different domains, or that except all values;
    - elements of one term, of a matrix's diagonal, equal to their index, or with an index outside;
    - circuits and channels with ends that are not nodes or, in channels, are fixed;
    - circuits, channels and elements that do not count from 0 (``startIndex``);
    - automata over different domains;
    - tasks that begin before 0 or are alone in taking resources;
    - cardinalities of values that are not to occur, or that no term has;
    - counts that cannot or must reach a number, differ from none or all, or are a fixed variable;
    - two items in bins, and bins that an item cannot be in;
    - extremes that are ``ne``, or that the first or last term cannot decide;
    - nValues that are a number or one of their terms;
    - products, quotients and remainders, but those that equal a variable and are of naturals;
    - distances that are compared with 0, or are less than 1;
    - a formula that equals what is not 0 or 1, and stars in conflicts;
    - a choice between terms whose condition is known.
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
        type(part) in NEVER
        or is_small_distance(part)
        or differs_from_negative(part, variables)
        or is_truth_of_integer(part, variables)
    )


def _takes_linear(item: Linear, variables: Variables) -> bool:
    """Whether products, quotients and remainders are absent, or their sum equals a variable."""
    plain = [term for term in item.terms if not isinstance(term, (Product, Quotient, Remainder))]
    if len(plain) == len(item.terms):
        return True
    return item.relation == "==" and not item.constant and list(map(type, plain)) == [int]


def _takes_bins(item: BinPacking, variables: Variables) -> bool:
    bins = tuple(range(len(item.limits)))
    return len(item.items) > 2 and all(variables.domains[v] == bins for v in item.scope)


def _takes_cardinality(item: GlobalCardinality, variables: Variables) -> bool:
    """It stops at 0, and at values that no term has; it takes one of each for an allDifferent,
    whatever the number of values, and loses that all terms are to have one value."""
    counts = [affine(count).offset for count in item.counts if is_constant(count)]
    if len(item.terms) < 2 or 0 in counts or (counts and set(counts) == {1}):
        return False
    if max(counts, default=0) >= len(item.terms):
        return False
    return set(item.values).issubset(
        value for term in item.terms for value in _list_values(term, variables)
    )


def _takes_differences(item: AllDifferent, variables: Variables) -> bool:
    if item.except_ and all(set(item.except_).issuperset(variables.domains[v]) for v in item.scope):
        return False
    if len(item.terms) > SMALL:
        return True
    if len(item.terms) < 3 or not all(type(term) is int for term in item.terms):
        return False
    domains = {tuple(variables.domains[v]) for v in item.scope}
    return len(domains) == 1 and len(min(domains)) >= len(item.terms)


def _takes_cumulative(item: Cumulative, variables: Variables) -> bool:
    begin = [bounds(start, variables.domains)[0] for start in item.starts]
    sizes = zip(item.durations, item.demands, strict=True)
    tasks = sum(all(bounds(size, variables.domains) != (0, 0) for size in pair) for pair in sizes)
    fixed = all(map(is_constant, item.durations))
    return tasks > 1 and (fixed or takes_time(item, variables)) and min(begin) >= 0


def _takes_channels(item: Inverse, variables: Variables) -> bool:
    is_fixed = any(len(variables.domains[v]) == 1 for v in item.scope)
    numbered = begins_at_0(item.f) and begins_at_0(item.g)
    return are_channels(item, variables) and numbered and not is_fixed


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
    Regular: is_uniform,
    Table: has_whole_conflicts,
}


def _takes_count(count: Count, found: Measured, variables: Variables) -> bool:
    """Where a term may have a value that is counted; and a constant is to be reached by terms that
    need not have one, neither by all of them nor by none. Where it is to be a variable, this is not
    fixed."""
    least, most = bounds(found.operand, variables.domains)
    if least == most and type(found.operand) is int:
        return False
    if not all(map(is_constant, count.values)):
        return True
    values = {affine(value).offset for value in count.values}
    reached = [_list_values(term, variables) for term in count.terms]
    some = [of for of in reached if not values.isdisjoint(of)]
    if least < most:
        return bool(some)
    if any(values.issuperset(of) for of in some):
        return False
    least += found.relation in (">", "<=")
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
