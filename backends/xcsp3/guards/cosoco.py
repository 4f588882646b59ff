"""What cosoco is given natively."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from backends.xcsp3.guards.shapes import (
    are_channels,
    are_once,
    has_apart_formulas,
    has_gaps,
    has_letters,
    has_places,
    has_short_element,
    has_zero_factor,
    is_a_number_of_values,
    is_element_of_constants,
    is_nested_iff,
    is_uniform,
    repeats,
    takes_time,
    within,
)
from modelling.formats.xcsp3.writer.profile import Measured, measured
from modelling.rewriting.profile import Variables
from modelling.terms import ANY, Function, is_constant, variables_of
from modelling.vocabulary.automata.mdd import MDD
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.counting.count import Count
from modelling.vocabulary.counting.global_cardinality import GlobalCardinality
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.equality.all_different import AllDifferent
from modelling.vocabulary.equality.all_equal import AllEqual
from modelling.vocabulary.formulas.linear import Linear
from modelling.vocabulary.formulas.table import Table
from modelling.vocabulary.formulas.truth import IfThenElse
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
    """Everything but what follows, of the release 2.6.1.

    It has no circuit of all nodes, no element of a matrix, no allEqual of expressions, no nValues
    with exceptions, no count of several variables' values, no closed cardinality, no stars in
    conflicts, no tasks without length that count and no cumulative of variable durations. It
    crashes on factors of 0, elements of one, channels that cannot be, automata over different
    domains, diagrams with values that a variable does not have, a single task, and extremes over
    domains with gaps. What stands twice in a list, or in formulas of a sum, it refuses. It gets
    wrong elements of constants, those that are their own index and those without a place that are
    compared with a number, an ``iff`` directly within another, a negated ``eq`` of three terms,
    choices of what a number cannot be, tasks without length, and extremes and nValues in any
    relation but ``eq``. Differences that are all different it finds in half the time where they
    are variables (rulers of 8 marks, Costas arrays of 9).
    """
    if has_zero_factor(item) or has_short_element(item) or repeats(item):
        return False
    if any(_is_wrong_anywhere(part) for part in within(item)):
        return False
    found = measured(item)
    if found is not None:
        return found.relation == "==" and _takes_measured(found, variables)
    guard = _BY_CLASS.get(type(item))
    return guard is None or guard(item, variables)


def _is_wrong_anywhere(part: Any) -> bool:
    if isinstance(part, (AllEqual, Circuit, Element2D, IfThenElse)):
        return True
    return is_element_of_constants(part) or is_nested_iff(part)


def _takes_tasks(item: NoOverlap | NoOverlap2D, variables: Variables) -> bool:
    return not item.strict and takes_time(item, variables)


def _takes_cumulative(item: Cumulative, variables: Variables) -> bool:
    return takes_time(item, variables) and all(map(is_constant, item.durations))


def _takes_table(item: Table, variables: Variables) -> bool:
    return item.allowed or not any(ANY in row for row in item.tuples)


_BY_CLASS: dict[type[Any], Callable[[Any, Variables], bool]] = {
    AllDifferent: lambda item, variables: not any(isinstance(t, Function) for t in item.terms),
    Cumulative: _takes_cumulative,
    GlobalCardinality: lambda item, variables: not item.closed,
    Increasing: lambda item, variables: are_once(item.terms),
    Inverse: are_channels,
    Linear: lambda item, variables: has_apart_formulas(item),
    MDD: has_letters,
    NoOverlap: _takes_tasks,
    NoOverlap2D: _takes_tasks,
    Regular: is_uniform,
    Table: _takes_table,
}


def _takes_measured(found: Measured, variables: Variables) -> bool:
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
