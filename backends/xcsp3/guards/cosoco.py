"""What cosoco is given natively."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from backends.xcsp3.guards.profile import Class
from backends.xcsp3.guards.shapes import (
    are_channels,
    are_once,
    has_apart_formulas,
    has_gaps,
    has_letters,
    has_places,
    has_short_element,
    has_twice_in_function,
    has_whole_conflicts,
    has_zero_factor,
    is_a_number_of_values,
    is_truth_of_integer,
    is_truth_that_differs,
    is_uniform,
    repeats,
    within,
)
from modelling.formats.xcsp3.writer.profile import Measured, measured
from modelling.rewriting.profile import Variables
from modelling.terms import Function, affine, bounds, is_constant, variables_of
from modelling.vocabulary.automata.mdd import MDD
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.counting.count import Count
from modelling.vocabulary.counting.global_cardinality import GlobalCardinality
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.equality.all_different import AllDifferent
from modelling.vocabulary.equality.all_equal import AllEqual
from modelling.vocabulary.formulas.connectives import Iff
from modelling.vocabulary.formulas.linear import Linear
from modelling.vocabulary.formulas.table import Table
from modelling.vocabulary.formulas.truth import IfThenElse
from modelling.vocabulary.functions.element import Element
from modelling.vocabulary.functions.element2d import Element2D
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.graphs.inverse import Inverse
from modelling.vocabulary.ordering.increasing import Increasing
from modelling.vocabulary.ordering.precedence import Precedence
from modelling.vocabulary.scheduling.cumulative import Cumulative
from modelling.vocabulary.scheduling.no_overlap import NoOverlap
from modelling.vocabulary.scheduling.no_overlap_2d import NoOverlap2D

NEVER: frozenset[Class] = frozenset(
    {AllEqual, Circuit, Element2D, IfThenElse, NoOverlap, NoOverlap2D}
)
"""What cosoco is never given natively."""


def takes_cosoco(item: Any, variables: Variables) -> bool:
    """Everything but what follows, of the release 2.6.1.

    It has no circuit of all nodes, no element of a matrix, no allEqual of expressions, no nValues
    with exceptions, no count of several variables' values, no closed cardinality, no stars in
    conflicts, no count of "at most 0", and no cumulative of variable durations. It crashes on
    factors of 0, elements of one, channels that cannot be, automata over different domains,
    diagrams with values that a variable does not have, a single task, extremes over domains with
    gaps, bounds on a count of what a term cannot be, and formulas that are equal to something other
    than a Boolean. It refuses variables that a list, or formulas of a sum, repeat. It gets wrong
    elements whose index is among them, or their value, and those without a place that are compared
    with a number, a negated ``eq`` of three terms, functions in which a variable is repeated,
    ``ne(ne(x,1),y)`` where y is known, choices of what a number cannot be, a count of "at least
    all", a cumulative whose tasks may begin before 0, and extremes and nValues that are ``ne``, or
    in any relation but ``eq`` with a variable. Solutions of every noOverlap it repeats, and over a
    precedence that leaves a variable no value it does not end. Differences that are all different
    it finds in half the time where they are variables (rulers of 8 marks, Costas arrays of 9).
    """
    if has_zero_factor(item) or has_short_element(item) or repeats(item):
        return False
    if any(type(part) in NEVER for part in within(item)):
        return False
    if any(is_truth_of_integer(part, variables) for part in within(item)):
        return False
    if any(is_truth_that_differs(part) or has_twice_in_function(part) for part in within(item)):
        return False
    found = measured(item)
    if found is not None:
        return _takes_measured(found, variables)
    guard = _BY_CLASS.get(type(item))
    return guard is None or guard(item, variables)


def takes_cosoco_within(item: Any, variables: Variables) -> bool:
    """An ``iff`` within another formula, or equivalent to a variable, it gets wrong."""
    return not isinstance(item, Iff) and takes_cosoco(item, variables)


def _takes_cumulative(item: Cumulative, variables: Variables) -> bool:
    least = [bounds(start, variables.domains)[0] for start in item.starts]
    return len(item.durations) > 1 and all(map(is_constant, item.durations)) and min(least) >= 0


def _takes_precedence(item: Precedence, variables: Variables) -> bool:
    """Where every variable has a value that needs none before it: else it may never end."""
    late = set(item.values[1:])
    return all(set(variables.domains[v]) - late for v in item.scope)


_BY_CLASS: dict[type[Any], Callable[[Any, Variables], bool]] = {
    AllDifferent: lambda item, variables: not any(isinstance(t, Function) for t in item.terms),
    Cumulative: _takes_cumulative,
    GlobalCardinality: lambda item, variables: not item.closed,
    Increasing: lambda item, variables: are_once(item.terms),
    Inverse: are_channels,
    Linear: lambda item, variables: has_apart_formulas(item),
    MDD: has_letters,
    Precedence: _takes_precedence,
    Regular: is_uniform,
    Table: has_whole_conflicts,
}


def _has_everywhere(count: Count, variables: Variables) -> bool:
    """Whether one value is counted, which every term can have."""
    values = [affine(value).offset for value in count.values if is_constant(value)]
    plain = all(type(term) is int for term in count.terms)
    one = len(values) == len(count.values) == 1
    return one and plain and all(values[0] in variables.domains[term] for term in count.terms)


_STRICT = {"<=": 0, ">=": 0, "<": -1, ">": 1}


def _has_bound(found: Measured, terms: int) -> bool:
    """Whether a bound on a count is one that it holds: it refuses "at most 0", and shows what is
    not "at least all"."""
    if found.relation not in _STRICT or not is_constant(found.operand):
        return True
    bound = affine(found.operand).offset + _STRICT[found.relation]
    return 1 <= bound <= (terms if found.relation.startswith("<") else terms - 1)


def _takes_measured(found: Measured, variables: Variables) -> bool:
    function = found.function
    if isinstance(function, Element):
        if found.relation != "==":
            return False
        listed = {v for term in function.terms for v in variables_of(term)}
        if not listed.isdisjoint(variables_of(function.index)):
            return False
        if type(found.operand) is int:
            return found.operand not in variables_of(function.index)
        return has_places(function, variables)
    if isinstance(function, Count):
        over = (*function.terms, found.operand)
        varied = [value for value in function.values if not is_constant(value)]
        if found.relation != "==" and not _has_everywhere(function, variables):
            return False
        if not _has_bound(found, len(function.terms)):
            return False
        every = tuple(v for term in over for v in dict.fromkeys(variables_of(term)))
        return len(varied) < 2 and are_once(every)
    if not isinstance(function, (Minimum, Maximum, NValue)):
        return True
    operand = [found.operand] if type(found.operand) is int else []
    terms = (*function.terms, *operand)
    if not all(type(term) is int for term in terms) or not are_once(terms):
        return False
    if found.relation == "!=" or (operand and found.relation != "=="):
        return False
    if isinstance(function, NValue):
        return not function.except_ and is_a_number_of_values(found, len(function.terms))
    return not any(has_gaps(variables.domains[variable]) for variable in terms)
