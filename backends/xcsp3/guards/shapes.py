"""What guards look for in a constraint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from modelling.formats.xcsp3.writer.profile import Measured, shift_of
from modelling.rewriting.profile import Variables
from modelling.terms import ANY, Affine, Function, bounds, is_constant, variables_of
from modelling.vocabulary.automata.mdd import MDD
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.counting.bin_packing import BinPacking
from modelling.vocabulary.counting.global_cardinality import GlobalCardinality
from modelling.vocabulary.formulas.linear import Linear, Sum
from modelling.vocabulary.formulas.table import Table
from modelling.vocabulary.formulas.truth import Truth
from modelling.vocabulary.functions.distance import Distance
from modelling.vocabulary.functions.element import Element
from modelling.vocabulary.functions.element2d import Element2D
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.functions.multiplication import Quotient, Remainder
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.graphs.inverse import Inverse
from modelling.vocabulary.ordering.lex import Lex
from modelling.vocabulary.ordering.precedence import Precedence
from modelling.vocabulary.scheduling.cumulative import Cumulative
from modelling.vocabulary.scheduling.no_overlap import NoOverlap
from modelling.vocabulary.scheduling.no_overlap_2d import NoOverlap2D

LISTED = (
    BinPacking,
    Circuit,
    Cumulative,
    GlobalCardinality,
    Inverse,
    MDD,
    NoOverlap,
    NoOverlap2D,
    Precedence,
    Regular,
)


def within(item: Any) -> Iterator[Any]:
    waiting = [item]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += part.parts()


def has_zero_factor(item: Any) -> bool:
    for part in within(item):
        if isinstance(part, (Linear, Sum)) and 0 in part.coefficients:
            return True
        terms = () if part.is_plain else part.terms_within()
        affine = [term for term in terms if isinstance(term, Affine)]
        if any(term.variable is not None and not term.factor for term in affine):
            return True
    return False


def repeats(item: Any) -> bool:
    """Whether a constraint over lists repeats a variable, where solvers want it once."""
    if not isinstance(item, LISTED):
        return False
    over = tuple(v for term in item.terms_within() for v in dict.fromkeys(variables_of(term)))
    return not are_once(over)


def takes_time(item: Cumulative | NoOverlap | NoOverlap2D, variables: Variables) -> bool:
    """Whether there are two tasks or more, and each takes time, or room, in all dimensions."""
    if isinstance(item, NoOverlap2D):
        lengths = (*item.widths, *item.heights)
    else:
        lengths = item.durations if isinstance(item, Cumulative) else item.lengths
    return len(lengths) > 1 and all(bounds(term, variables.domains)[0] > 0 for term in lengths)


def are_fixed_rectangles(item: NoOverlap2D, variables: Variables) -> bool:
    """Whether the sizes of rectangles are constants, and none is empty."""
    lengths = (*item.widths, *item.heights)
    return all(map(is_constant, lengths)) and takes_time(item, variables)


def has_letters(item: MDD, variables: Variables) -> bool:
    """Whether every variable has all values that are on arcs."""
    letters = {letter for _, letter, _ in item.transitions}
    return all(letters <= set(variables.domains[v]) for v in item.scope)


def is_uniform(item: Regular, variables: Variables) -> bool:
    """Whether the automaton is deterministic, and its variables have the same domain."""
    arcs = {(state, letter): to for state, letter, to in item.transitions}
    domains = {tuple(variables.domains[v]) for v in item.scope}
    return len(arcs) == len(set(item.transitions)) and len(domains) == 1


def has_apart_rows(item: Lex, variables: Variables) -> bool:
    """Whether no variable is repeated in the rows."""
    return are_once(tuple(chain.from_iterable(item.rows)))


def has_whole_conflicts(item: Table, variables: Variables) -> bool:
    """Whether no row of what is forbidden leaves a value open."""
    return item.allowed or not any(ANY in row for row in item.tuples)


def are_nodes(terms: Sequence[Any], variables: Variables) -> bool:
    ends = [bounds(term, variables.domains) for term in terms]
    return all(low >= 0 and high < len(terms) for low, high in ends)


def begins_at_0(terms: Sequence[Any]) -> bool:
    """Whether no number is taken off variables that are places or nodes."""
    return not shift_of(terms)


def are_channels(item: Inverse, variables: Variables) -> bool:
    return are_nodes(item.f, variables) and are_nodes(item.g, variables)


def is_of_naturals(part: Quotient | Remainder, variables: Variables) -> bool:
    low, _ = bounds(part.x, variables.domains)
    least, _ = bounds(part.y, variables.domains)
    return low >= 0 and least > 0


def is_a_number_of_values(found: Measured, terms: int) -> bool:
    if not isinstance(found.operand, Affine):
        return True
    most = found.operand.offset - (found.relation == "<")
    least = found.operand.offset + (found.relation == ">")
    return least >= 1 and most >= 1 and least <= terms


def is_open(found: Measured, variables: Variables) -> bool:
    """Whether an extreme may reach the constant that it is compared with, if it is one, by the
    first and by the last of its terms; two of any places will do for an equality."""
    if not isinstance(found.operand, Affine):
        return True
    assert isinstance(found.function, (Minimum, Maximum))
    ends = [bounds(term, variables.domains) for term in found.function.terms]
    if isinstance(found.function, Maximum):
        least = found.operand.offset + (found.relation == ">")
        reach = [high >= least for _, high in ends]
        bounding = ("<", "<=")
    else:
        most = found.operand.offset - (found.relation == "<")
        reach = [low <= most for low, _ in ends]
        bounding = (">", ">=")
    if found.relation == "==":
        return sum(reach) > 1
    return found.relation in bounding or (reach[0] and reach[-1])


def has_places(part: Element, variables: Variables) -> bool:
    """Whether there is a place for every index."""
    low, high = bounds(part.index, variables.domains)
    return low >= 0 and high < len(part.terms)


def is_apart(part: Element | Element2D) -> bool:
    """Whether row and column differ, and so do all variables of a list or matrix."""
    if isinstance(part, Element):
        return are_once(tuple(v for term in part.terms for v in variables_of(term)))
    variables = (v for row in part.matrix for term in row for v in variables_of(term))
    return part.row != part.column and are_once(tuple(variables))


def is_truth_of_integer(part: Any, variables: Variables) -> bool:
    if not isinstance(part, Linear) or len(part.terms) != 2:
        return False
    plain = [term for term in part.terms if not isinstance(term, Truth)]
    return len(plain) == 1 and any(
        domain[0] < 0 or domain[-1] > 1
        for domain in (variables.domains[v] for v in variables_of(plain[0]))
        if domain
    )


def is_truth_that_differs(part: Any) -> bool:
    """Whether a number differs from whether a formula holds."""
    if not isinstance(part, Linear) or part.relation != "!=":
        return False
    return any(isinstance(term, Truth) for term in part.terms)


def has_twice_in_function(part: Any) -> bool:
    """Whether a variable is repeated in a function, as in ``mod(x,x)``."""
    return isinstance(part, Function) and not are_once(
        tuple(v for term in part.terms_within() for v in dict.fromkeys(variables_of(term)))
    )


def is_small_distance(part: Any) -> bool:
    if not isinstance(part, Linear) or part.constant > 1:
        return False
    return len(part.terms) == 1 and isinstance(part.terms[0], Distance)


def differs_from_negative(part: Any, variables: Variables) -> bool:
    """Whether a distance differs from a variable that may be negative."""
    if not isinstance(part, Linear) or part.relation != "!=":
        return False
    others = [term for term in part.terms if not isinstance(term, Distance)]
    return len(others) < len(part.terms) and any(
        bounds(term, variables.domains)[0] < 0 for term in others
    )


def has_short_element(item: Any) -> bool:
    return any(isinstance(part, Element) and len(part.terms) == 1 for part in within(item))


def has_set_in_term(item: Any) -> bool:
    """Whether a term, as the truth of a formula, says that a variable has a value of a set."""
    terms = (part for part in within(item) if isinstance(part, Function))
    return any(isinstance(part, Table) for term in terms for part in within(term))


def is_of_constants(part: Element2D) -> bool:
    return all(is_constant(term) for row in part.matrix for term in row)


def has_apart_formulas(item: Linear) -> bool:
    """Whether no variable is in two terms of a sum that has a function."""
    if item.is_plain or not any(isinstance(term, Function) for term in item.terms):
        return True
    return are_once(tuple(v for term in item.terms for v in dict.fromkeys(variables_of(term))))


def has_gaps(domain: Sequence[int]) -> bool:
    return len(domain) > 0 and domain[-1] - domain[0] >= len(domain)


def are_once(terms: tuple[Any, ...]) -> bool:
    return len(set(terms)) == len(terms)
