"""What cosoco is given natively."""

from __future__ import annotations

from typing import Any

from backends.xcsp3.guards.shapes import (
    are_nodes,
    are_once,
    has_apart_formulas,
    has_gaps,
    has_places,
    has_short_element,
    has_zero_factor,
    is_a_number_of_values,
    is_element_of_constants,
    is_nested_iff,
    is_small_distance,
    is_uniform,
    repeats,
    takes_time,
    within,
)
from modelling.formats.xcsp3.writer.profile import measured
from modelling.rewriting.profile import Variables
from modelling.terms import ANY, is_constant, variables_of
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.counting.count import Count
from modelling.vocabulary.counting.global_cardinality import GlobalCardinality
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.equality.all_equal import AllEqual
from modelling.vocabulary.formulas.linear import Linear
from modelling.vocabulary.formulas.table import Table
from modelling.vocabulary.functions.element import Element
from modelling.vocabulary.functions.element2d import Element2D
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.graphs.inverse import Inverse
from modelling.vocabulary.ordering.increasing import Increasing
from modelling.vocabulary.scheduling.cumulative import Cumulative
from modelling.vocabulary.scheduling.no_overlap import NoOverlap
from modelling.vocabulary.scheduling.no_overlap_2d import NoOverlap2D


def takes_cosoco(item: Any, variables: Variables) -> bool:
    """cosoco 2.6.1 has no circuit of all nodes, no element of a matrix, no allEqual of
    expressions, no nValues with exceptions and no count of several variables' values; of elements
    of constants it loses solutions. It crashes on factors of 0, on elements of one, on distances
    that are less than 0, on channels that cannot be, and on extremes over domains with gaps; what
    stands twice in an extreme, in nValues, in a count or in formulas of a sum it refuses. Wrong are
    an ``iff`` directly within another, a negated ``eq`` of three terms, elements that are their own
    index, those without a place that are compared with a number, and extremes and nValues in any
    relation but ``eq``."""
    if isinstance(item, Circuit) or has_zero_factor(item) or has_short_element(item):
        return False
    if repeats(item):
        return False
    if isinstance(item, (NoOverlap, NoOverlap2D)):
        return not item.strict and takes_time(item, variables)
    if isinstance(item, Cumulative):
        return takes_time(item, variables) and all(map(is_constant, item.durations))
    if isinstance(item, Regular):
        return is_uniform(item, variables)
    if isinstance(item, Increasing):
        return are_once(item.terms)
    if isinstance(item, GlobalCardinality):
        return not item.closed
    if isinstance(item, Table):
        return item.allowed or not any(ANY in row for row in item.tuples)
    for part in within(item):
        if isinstance(part, (AllEqual, Element2D)) or is_element_of_constants(part):
            return False
        if is_nested_iff(part) or is_small_distance(part):
            return False
    if isinstance(item, Inverse):
        return are_nodes(item.f, variables) and are_nodes(item.g, variables)
    found = measured(item)
    if found is None:
        return not isinstance(item, Linear) or has_apart_formulas(item)
    if found.relation != "==":
        return False
    function = found.function
    if isinstance(function, Element):
        if type(found.operand) is int:
            return found.operand not in variables_of(function.index)
        return has_places(function, variables)
    if isinstance(function, Count):
        over = (*function.terms, found.operand)
        varied = [value for value in function.values if not is_constant(value)]
        every = tuple(v for term in over for v in dict.fromkeys(variables_of(term)))
        return len(varied) < 2 and are_once(every)
    if not isinstance(function, (Minimum, Maximum, NValue)):
        return True
    operand = [found.operand] if type(found.operand) is int else []
    terms = (*function.terms, *operand)
    if not all(type(term) is int for term in terms) or not are_once(terms):
        return False
    if isinstance(function, NValue):
        return not function.except_ and is_a_number_of_values(found, len(function.terms))
    return not any(has_gaps(variables.domains[variable]) for variable in terms)
