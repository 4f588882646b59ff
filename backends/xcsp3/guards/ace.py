"""What ACE is given natively."""

from __future__ import annotations

from typing import Any

from backends.xcsp3.guards.shapes import (
    are_nodes,
    are_once,
    has_letters,
    has_places,
    has_short_element,
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
from modelling.formats.xcsp3.writer.profile import measured
from modelling.rewriting.profile import Variables
from modelling.terms import is_constant, variables_of
from modelling.vocabulary.automata.mdd import MDD
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.counting.bin_packing import BinPacking
from modelling.vocabulary.counting.count import Count
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.equality.all_different import AllDifferent
from modelling.vocabulary.equality.all_equal import AllEqual
from modelling.vocabulary.formulas.linear import Linear
from modelling.vocabulary.formulas.truth import IfThenElse
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

ARITHMETIC = (Product, Quotient, Remainder)

SMALL = 5
"""ACE makes a table of an allDifferent over so many variables, or fewer."""


def takes_ace(item: Any, variables: Variables) -> bool:
    """ACE 2.6 crashes on small allDifferents over different domains; on extremes, orders, lists and
    matrices in which a variable stands twice; on elements of one, with an
    index that is no place and of a matrix's diagonal; on
    distances that are compared with 0, or are less than 1; on circuits and channels with ends that
    are no node; on extremes that cannot be, that one term alone decides, or that are in another
    relation than ``eq``; on nValues that are a number or one of their terms; on quotients and
    remainders of negative numbers; and where a formula is equal to what is no Boolean. With a
    factor of 0 it repeats solutions, of a negated ``eq`` of three terms it loses some. On a choice
    between terms whose condition is known it crashes, and of one between the same term twice it
    takes wrong values."""
    if has_zero_factor(item) or has_short_element(item):
        return False
    if repeats(item):
        return False
    if isinstance(item, Lex):
        return are_once(tuple(term for row in item.rows for term in row))
    if isinstance(item, BinPacking):
        bins = tuple(range(len(item.limits)))
        return len(item.items) > 1 and all(variables.domains[v] == bins for v in item.items)
    if isinstance(item, NoOverlap2D) and not all(map(is_constant, (*item.widths, *item.heights))):
        return False
    if isinstance(item, Cumulative) and any(variables.domains[v][0] < 0 for v in item.starts):
        return False
    if isinstance(item, (Cumulative, NoOverlap, NoOverlap2D)):
        return takes_time(item, variables)
    if isinstance(item, MDD):
        return has_letters(item, variables)
    if isinstance(item, Regular):
        return is_uniform(item, variables)
    if isinstance(item, Linear) and not _is_arithmetic_it_has(item):
        return False
    if isinstance(item, AllDifferent):
        return len(item.terms) > SMALL
    if isinstance(item, Increasing):
        return are_once(item.terms)
    if isinstance(item, Circuit):
        return are_nodes(item.next, variables)
    if isinstance(item, Inverse):
        return are_nodes(item.f, variables) and are_nodes(item.g, variables)
    if not all(_is_ace_safe(part, item, variables) for part in within(item)):
        return False
    found = measured(item)
    if found is None:
        return True
    if found.relation != "==":
        return False
    if isinstance(found.function, NValue):
        operand = found.operand
        return type(operand) is int and operand not in found.function.scope
    if isinstance(found.function, Count):
        return are_once(tuple(v for term in found.function.terms for v in variables_of(term)))
    if not isinstance(found.function, (Minimum, Maximum)):
        return True
    return are_once(found.function.terms) and is_open(found, variables)


def _is_arithmetic_it_has(item: Linear) -> bool:
    """Of products, quotients and remainders it has what is equal to a variable."""
    plain = [term for term in item.terms if not isinstance(term, ARITHMETIC)]
    if len(plain) == len(item.terms):
        return True
    return item.relation == "==" and not item.constant and list(map(type, plain)) == [int]


def _is_ace_safe(part: Any, item: Any, variables: Variables) -> bool:
    if isinstance(part, Element):
        return is_apart(part) and has_places(part, variables)
    if isinstance(part, Element2D):
        return is_apart(part)
    if isinstance(part, (Quotient, Remainder)):
        return is_of_naturals(part, variables)
    if isinstance(part, AllEqual):
        return part is item
    return not (
        isinstance(part, IfThenElse)
        or is_small_distance(part)
        or is_truth_of_integer(part, variables)
    )
