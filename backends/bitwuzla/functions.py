"""Functions that Bitwuzla is given natively, as ``result == function`` over bit-vectors.

Those that may be undefined say so: an index is inside, a divisor is not 0. Division in two's
complement rounds toward zero, as ours does, and its remainder has the sign of the dividend.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from backends.bitwuzla.draft import BitwuzlaDraft
from backends.bitwuzla.numbers import Number, Weighed
from backends.bitwuzla.terms import Formula
from backends.interface.magnitudes import largest
from modelling.constraints import Count, Define, Element
from modelling.rewriting.profile import Guard, Variables
from modelling.terms import Function
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.formulas.linear import Sum
from modelling.vocabulary.functions.distance import Distance
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.functions.multiplication import Product, Quotient, Remainder

WIDEST = 64
"""Bits of the products and quotients that are native."""


def element(draft: BitwuzlaDraft, define: Define) -> Formula:
    """``result == terms[index]``, and the index is inside."""
    function = define.function
    index, result = draft.number(function.index), draft.number(define.result)
    places = range(max(0, index.low), min(len(function.terms), index.high + 1))
    chosen = [draft.equals(function.index, place) for place in places]
    return draft.all_of(
        [
            draft.any_of(chosen),
            *(
                draft.implied(at, _equal(draft, result, draft.number(function.terms[place])))
                for at, place in zip(chosen, places, strict=True)
            ),
        ]
    )


def _equal(draft: BitwuzlaDraft, one: Number, other: Number) -> Formula:
    if not other.width:
        return draft.is_value(one, other.low)
    return draft.same(*draft.aligned((one, other))[0])


def total(draft: BitwuzlaDraft, define: Define) -> Formula:
    """``result`` is the sum."""
    terms = (*define.function.terms, define.result)
    factors = (*define.function.coefficients, -1)
    weighed = list(zip(draft.numbers_of(terms), factors, strict=True))
    return draft.compare(weighed, "==", 0)


def count(draft: BitwuzlaDraft, define: Define) -> Formula:
    """``result`` is the number of terms with one of the values."""
    function = define.function
    counted = draft.numbers_of(function.terms)
    values = draft.numbers_of(tuple(dict.fromkeys(function.values)))
    met = [draft.any_of(_equal(draft, term, value) for value in values) for term in counted]
    return _sum(draft, met, define)


def nvalue(draft: BitwuzlaDraft, define: Define) -> Formula:
    """``result`` is the number of terms that are equal to none before them."""
    function = define.function
    numbers = draft.numbers_of(function.terms)
    first = []
    for k, number in enumerate(numbers):
        again = [_equal(draft, number, other) for other in numbers[:k]]
        again += [draft.is_value(number, value) for value in function.except_]
        first.append(draft.denied(draft.any_of(again)))
    return _sum(draft, first, define)


def _sum(draft: BitwuzlaDraft, counted: list[Formula], define: Define) -> Formula:
    """The number of those that hold is the result."""
    one, zero = draft.bits(1, 1), draft.bits(0, 1)
    weighed: Weighed = [(Number(draft.chosen(x, one, zero), 0, 1), 1) for x in counted]
    return draft.compare([*weighed, (draft.number(define.result), -1)], "==", 0)


def extreme(draft: BitwuzlaDraft, define: Define) -> Formula:
    """``result == min(terms)`` or ``max(terms)``."""
    numbers = draft.numbers_of((define.result, *define.function.terms))
    (result, *bits), _ = draft.aligned(numbers)
    kind = draft.kind.BV_UGE if type(define.function) is Maximum else draft.kind.BV_ULE

    def further(one: Any, other: Any) -> Any:
        return draft.chosen(draft.manager.mk_term(kind, [one, other]), one, other)

    return draft.same(result, reduce(further, bits))


def distance(draft: BitwuzlaDraft, define: Define) -> Formula:
    """``result == |x - y|``."""
    function = define.function
    (one, other), _ = draft.aligned(draft.numbers_of((function.x, function.y)))
    kind = draft.kind
    more, less = (draft.manager.mk_term(kind.BV_SUB, pair) for pair in ([one, other], [other, one]))
    larger = draft.manager.mk_term(kind.BV_UGE, [one, other])
    most = (1 << one.sort().bv_size()) - 1
    return _equal(
        draft, draft.number(define.result), Number(draft.chosen(larger, more, less), 0, most)
    )


def product(draft: BitwuzlaDraft, define: Define) -> Formula:
    """``result`` is the product, in bits enough for each part of it."""
    width = _width(define, draft)
    result, *factors = (
        draft.signed(number, width)
        for number in draft.numbers_of((define.result, *define.function.terms))
    )
    if not factors:
        return draft.same(result, draft.bits(1, width))
    whole = factors[0] if len(factors) == 1 else draft.manager.mk_term(draft.kind.BV_MUL, factors)
    return draft.same(result, whole)


def quotient(draft: BitwuzlaDraft, define: Define) -> Formula:
    """``result == x / y`` rounded toward zero, and y is not 0."""
    return _divided(draft, define, draft.kind.BV_SDIV)


def remainder(draft: BitwuzlaDraft, define: Define) -> Formula:
    """``result == x rem y`` with the sign of x, and y is not 0."""
    return _divided(draft, define, draft.kind.BV_SREM)


def _divided(draft: BitwuzlaDraft, define: Define, kind: Any) -> Formula:
    function, width = define.function, _width(define, draft)
    numbers = draft.numbers_of((define.result, function.x, function.y))
    result, x, y = (draft.signed(number, width) for number in numbers)
    divides = draft.denied(draft.is_value(numbers[2], 0))
    return draft.all_of([divides, draft.same(result, draft.manager.mk_term(kind, [x, y]))])


def _width(define: Define, variables: Variables) -> int:
    """Bits for the result and all terms in two's complement; for a product, for each part of it."""
    function = define.function
    sizes = [largest(term, variables) for term in function.terms_within()]
    reach = max(sizes, default=1)
    if type(function) is Product:
        reach = 1
        for size in sizes:
            reach *= max(1, size)
    return max(reach, largest(define.result, variables)).bit_length() + 2


# --- guards --------------------------------------------------------------------------------------


def defines(define: Define, variables: Variables) -> bool:
    """Whether the function is of variables, and defines a variable, a view or a constant."""
    return not isinstance(define.result, Function) and bool(define.function.scope)


def is_narrow(define: Define, variables: Variables) -> bool:
    """Few bits: circuits of products and quotients grow with the square of them."""
    return defines(define, variables) and _width(define, variables) <= WIDEST


FUNCTIONS: dict[type, tuple[Callable[[BitwuzlaDraft, Any], Formula], Guard]] = {
    Element: (element, defines),
    Sum: (total, defines),
    Count: (count, defines),
    NValue: (nvalue, defines),
    Minimum: (extreme, defines),
    Maximum: (extreme, defines),
    Distance: (distance, defines),
    Product: (product, is_narrow),
    Quotient: (quotient, is_narrow),
    Remainder: (remainder, is_narrow),
}
