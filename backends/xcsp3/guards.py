"""What each solver of XCSP3 is given natively; where it declines, a rewrite takes over.

Each guard says what the release would do otherwise (``results/reference/formats`` has files).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from modelling.formats.xcsp3.writer.profile import PROFILE, Measured, Tour, measured
from modelling.rewriting.profile import Guard, Native, Profile, Variables
from modelling.terms import Affine, Function, bounds, is_constant, variables_of
from modelling.vocabulary.counting.count import Count
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.equality.all_different import AllDifferent
from modelling.vocabulary.equality.all_equal import AllEqual
from modelling.vocabulary.formulas.connectives import Iff
from modelling.vocabulary.formulas.linear import Linear, Sum
from modelling.vocabulary.formulas.truth import IfThenElse
from modelling.vocabulary.functions.distance import Distance
from modelling.vocabulary.functions.element import Element
from modelling.vocabulary.functions.element2d import Element2D
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.functions.multiplication import Quotient, Remainder
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.graphs.inverse import Inverse
from modelling.vocabulary.ordering.increasing import Increasing

SMALL = 5
"""ACE makes a table of an allDifferent over so many variables, or fewer."""


def takes_cosoco(item: Any, variables: Variables) -> bool:
    """cosoco 2.6.1 has no circuit of all nodes, no element of a matrix, no allEqual of
    expressions, and no nValues with exceptions; of elements of constants it loses solutions. It
    crashes on factors of 0, on elements of one, on channels that cannot be, and on extremes over
    domains with gaps; what stands twice in an extreme, in nValues, in a count or in formulas of a
    sum it refuses; an ``iff`` directly within another, and a negated ``eq`` of three terms, it gets
    wrong."""
    if isinstance(item, Circuit) or _has_zero_factor(item) or _has_short_element(item):
        return False
    if any(isinstance(part, Element2D) or _is_element_of_constants(part) for part in _within(item)):
        return False
    if any(isinstance(part, AllEqual) for part in _within(item)):
        return False
    if any(_is_nested_iff(part) for part in _within(item)):
        return False
    if isinstance(item, Inverse):
        return _are_nodes(item.f, variables) and _are_nodes(item.g, variables)
    found = measured(item)
    if found is not None and isinstance(found.function, Count):
        over = (*found.function.terms, found.operand)
        return _are_once(tuple(v for term in over for v in dict.fromkeys(variables_of(term))))
    if found is None or not isinstance(found.function, (Minimum, Maximum, NValue)):
        return not isinstance(item, Linear) or _has_apart_formulas(item)
    function = found.function
    if not all(type(term) is int for term in function.terms) or not _are_once(function.terms):
        return False
    if isinstance(function, NValue):
        return not function.except_
    over = (*function.terms, *([found.operand] if type(found.operand) is int else []))
    return not any(_has_gaps(variables.domains[variable]) for variable in over)


def takes_ace(item: Any, variables: Variables) -> bool:
    """ACE 2.6 crashes on small allDifferents over different domains, on extremes, orders and
    matrices in which a variable stands twice, on elements of one and of a matrix's diagonal, and on
    distances that are compared with 0, or are less than 1; on circuits with successors that are no
    node, on numbers of values and extremes that cannot be, on extremes that one term alone decides,
    and on quotients and remainders of negative numbers. With a factor of 0 it repeats solutions. On
    a choice between terms whose condition is known it crashes, and of one between the same term
    twice it takes wrong values."""
    if _has_zero_factor(item) or _has_short_element(item):
        return False
    if any(isinstance(part, Element2D) and not _is_of_places(part) for part in _within(item)):
        return False
    if isinstance(item, AllDifferent):
        return len(item.terms) > SMALL
    if isinstance(item, Increasing):
        return _are_once(item.terms)
    if isinstance(item, Circuit):
        return _are_nodes(item.next, variables)
    for part in _within(item):
        if _is_small_distance(part) or isinstance(part, IfThenElse):
            return False
        if isinstance(part, (Quotient, Remainder)) and not _is_of_naturals(part, variables):
            return False
    found = measured(item)
    if found is not None and isinstance(found.function, NValue):
        return _is_a_number_of_values(found, len(found.function.terms))
    if found is None or not isinstance(found.function, (Minimum, Maximum)):
        return True
    return _are_once(found.function.terms) and _is_open(found, variables)


def takes_choco(item: Any, variables: Variables) -> bool:
    """The parser of Choco 4.10.15 has no nValues with exceptions; of an element of a matrix of
    variables that is another variable it loses solutions."""
    if any(isinstance(part, Element2D) and not _is_of_constants(part) for part in _within(item)):
        return False
    found = measured(item)
    return found is None or not (isinstance(found.function, NValue) and found.function.except_)


def _within(item: Any) -> Iterator[Any]:
    waiting = [item]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += part.parts()


def _has_zero_factor(item: Any) -> bool:
    for part in _within(item):
        if isinstance(part, (Linear, Sum)) and 0 in part.coefficients:
            return True
        terms = () if part.is_plain else part.terms_within()
        affine = [term for term in terms if isinstance(term, Affine)]
        if any(term.variable is not None and not term.factor for term in affine):
            return True
    return False


def _are_nodes(terms: Sequence[Any], variables: Variables) -> bool:
    ends = [bounds(term, variables.domains) for term in terms]
    return all(low >= 0 and high < len(terms) for low, high in ends)


def _is_of_naturals(part: Quotient | Remainder, variables: Variables) -> bool:
    low, _ = bounds(part.x, variables.domains)
    least, _ = bounds(part.y, variables.domains)
    return low >= 0 and least > 0


def _is_a_number_of_values(found: Measured, terms: int) -> bool:
    if not isinstance(found.operand, Affine):
        return True
    most = found.operand.offset - (found.relation == "<")
    least = found.operand.offset + (found.relation == ">")
    return least >= 1 and most >= 1 and least <= terms


def _is_open(found: Measured, variables: Variables) -> bool:
    """Whether two terms may reach the constant that an extreme is to reach, if it is one."""
    if not isinstance(found.operand, Affine):
        return True
    assert isinstance(found.function, (Minimum, Maximum))
    ends = [bounds(term, variables.domains) for term in found.function.terms]
    if isinstance(found.function, Maximum):
        least = found.operand.offset + (found.relation == ">")
        return found.relation in ("<", "<=") or sum(high >= least for _, high in ends) > 1
    most = found.operand.offset - (found.relation == "<")
    return found.relation in (">", ">=") or sum(low <= most for low, _ in ends) > 1


def _is_of_places(part: Element2D) -> bool:
    """Whether row and column differ, and so do all variables of the matrix."""
    variables = [v for row in part.matrix for term in row for v in variables_of(term)]
    return part.row != part.column and _are_once(tuple(variables))


def _is_small_distance(part: Any) -> bool:
    if not isinstance(part, Linear) or abs(part.constant) > 1:
        return False
    return len(part.terms) == 1 and isinstance(part.terms[0], Distance)


def _is_nested_iff(part: Any) -> bool:
    return isinstance(part, Iff) and any(isinstance(one, Iff) for one in (part.one, part.other))


def _has_short_element(item: Any) -> bool:
    return any(isinstance(part, Element) and len(part.terms) == 1 for part in _within(item))


def _is_element_of_constants(part: Any) -> bool:
    return isinstance(part, Element) and all(map(is_constant, part.terms))


def _is_of_constants(part: Element2D) -> bool:
    return all(is_constant(term) for row in part.matrix for term in row)


def _has_apart_formulas(item: Linear) -> bool:
    """Whether no variable stands in two terms, of which one is a function."""
    if item.is_plain or not any(isinstance(term, Function) for term in item.terms):
        return True
    return _are_once(tuple(v for term in item.terms for v in dict.fromkeys(variables_of(term))))


def _has_gaps(domain: Sequence[int]) -> bool:
    return len(domain) > 0 and domain[-1] - domain[0] >= len(domain)


def _are_once(terms: tuple[Any, ...]) -> bool:
    return len(set(terms)) == len(terms)


@cache
def guarded(check: Guard) -> Profile:
    """What XCSP3-core says and ``check`` lets through."""
    natives = (one for one in PROFILE.natives if one.kind is not Tour)  # the writer's own
    return replace(PROFILE, natives=tuple(_guarded(one, check) for one in natives))


def _guarded(native: Native, check: Guard) -> Native:
    within = native.within or native.when
    return replace(native, when=_both(native.when, check), within=_both(within, check))


def _both(one: Guard | None, other: Guard) -> Guard:
    """Both of two guards; named after them, for names stand for guards."""
    if one is None:
        return other

    def both(item: Any, variables: Variables) -> bool:
        return one(item, variables) and other(item, variables)

    both.__qualname__ = f"{one.__module__}.{one.__qualname__} and {other.__qualname__}"
    return both
