"""Functions that CP-SAT has: element, minimum, maximum, product, distance, quotient, remainder.

They are defined unconditionally: what is reified is a comparison of the result. Enforced
``int_div`` and ``int_mod`` lose solutions in 9.15 (docs/disagreements.md). Guards beside the
definition take care of an index beyond the list of an element.
"""

from __future__ import annotations

from typing import Any

from backends.cpsat.handlers.guards import LARGEST, function_fits
from backends.cpsat.views import Views
from backends.interface import magnitudes
from backends.interface.handlers import Handler, Handlers
from modelling.constraints import Define, Element
from modelling.rewriting.profile import Variables
from modelling.terms import bounds, is_constant
from modelling.vocabulary.functions.distance import Distance
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.functions.multiplication import Product, Quotient, Remainder


def element(model: Views, define: Define) -> None:
    """``result == terms[index]``, and the index is inside."""
    function = define.function
    terms = model.expressions_of(function.terms)
    index, result = model.expression(function.index), model.expression(define.result)
    model.model.add_element(index, terms, result)


def index_is_open(define: Define, variables: Variables) -> bool:
    """Over constants a table of two columns is faster, and CP-SAT's element takes no constant index
    that is outside."""
    function = define.function
    chooses = not all(map(is_constant, function.terms)) and not is_constant(function.index)
    return chooses and function_fits(define, variables)


def minimum(model: Views, define: Define) -> None:
    """``result == min(terms)``."""
    model.model.add_min_equality(*_of_terms(model, define))


def maximum(model: Views, define: Define) -> None:
    """``result == max(terms)``."""
    model.model.add_max_equality(*_of_terms(model, define))


def product(model: Views, define: Define) -> None:
    """``result == product(terms)``."""
    model.model.add_multiplication_equality(*_of_terms(model, define))


def _of_terms(model: Views, define: Define) -> tuple[Any, list[Any]]:
    return model.expression(define.result), model.expressions_of(define.function.terms)


def product_fits(define: Define, variables: Variables) -> bool:
    """Two factors at least, of which no product reaches beyond 64 bits."""
    return len(define.function.terms) > 1 and magnitudes.product_fits(define, LARGEST, variables)


def distance(model: Views, define: Define) -> None:
    """``result == |x - y|``."""
    x, y = model.expressions_of((define.function.x, define.function.y))
    model.model.add_abs_equality(model.expression(define.result), x - y)


def quotient(model: Views, define: Define) -> None:
    """``result == x / y`` rounded toward zero; a negative divisor turns the sign of the result."""
    x, y, result = _of_division(model, define)
    if model.bounds(define.function.y)[0] < 0:
        y, result = -y, -result
    model.model.add_division_equality(result, x, y)


def remainder(model: Views, define: Define) -> None:
    """``result == x rem y`` with the sign of x; the sign of the divisor does not matter."""
    x, y, result = _of_division(model, define)
    model.model.add_modulo_equality(result, x, -y if model.bounds(define.function.y)[0] < 0 else y)


def _of_division(model: Views, define: Define) -> list[Any]:
    function = define.function
    return model.expressions_of((function.x, function.y, define.result))


def divisor_has_one_sign(define: Define, variables: Variables) -> bool:
    """The divisor is always positive, or always negative."""
    low, high = bounds(define.function.y, variables.domains)
    return function_fits(define, variables) and (low > 0 or high < 0)


FUNCTIONS: Handlers = {
    Element: Handler(element, when=index_is_open, arguments="affine"),
    Minimum: Handler(minimum, when=function_fits, arguments="affine"),
    Maximum: Handler(maximum, when=function_fits, arguments="affine"),
    Product: Handler(product, when=product_fits, arguments="affine"),
    Distance: Handler(distance, when=function_fits, arguments="affine"),
    Quotient: Handler(quotient, when=divisor_has_one_sign, arguments="affine"),
    Remainder: Handler(remainder, when=divisor_has_one_sign, arguments="affine"),
}
