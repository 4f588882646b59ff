"""Functions that Choco has: element, minimum, maximum, product, distance, quotient, remainder.

They are defined unconditionally, as Choco defines them: an index outside and a divisor of 0 are
excluded, and what may be reified is a comparison of the result. Reified, its element over variables
loses solutions where the index may be outside, and its modulo posts constraints beside itself.
"""

from __future__ import annotations

from backends.choco.guards import LARGEST, function_fits
from backends.choco.model import Made, Model
from backends.interface.libraries.formulas import Builder
from backends.interface.magnitudes import largest, product_fits
from modelling.constraints import Define, Element
from modelling.rewriting.profile import Guard, Variables
from modelling.terms import is_constant
from modelling.vocabulary.functions.distance import Distance
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.functions.multiplication import Product, Quotient, Remainder


def element(model: Model, define: Define) -> Made:
    """``result == terms[index]``, over numbers where all are known."""
    function = define.function
    if all(map(is_constant, function.terms)):
        table = [term.offset for term in function.terms]
    else:
        table = model.terms(function.terms)
    return [model.model.element(model.term(define.result), table, model.term(function.index))]


def minimum(model: Model, define: Define) -> Made:
    """``result == min(terms)``."""
    return [model.model.min(model.term(define.result), model.terms(define.function.terms))]


def maximum(model: Model, define: Define) -> Made:
    """``result == max(terms)``."""
    return [model.model.max(model.term(define.result), model.terms(define.function.terms))]


def product(model: Model, define: Define) -> Made:
    """``result == x * y``."""
    x, y = model.terms(define.function.terms)
    return [model.model.times(x, y, model.term(define.result))]


def product_of_two(define: Define, variables: Variables) -> bool:
    """Two factors, and their product fits."""
    return len(define.function.terms) == 2 and product_fits(define, LARGEST, variables)


def distance(model: Model, define: Define) -> Made:
    """``result == |x - y|``."""
    x, y = model.terms((define.function.x, define.function.y))
    return [model.model.distance(x, y, "=", model.term(define.result))]


def distance_fits(define: Define, variables: Variables) -> bool:
    """The difference fits, too."""
    reach = sum(largest(term, variables) for term in (define.function.x, define.function.y))
    return reach <= LARGEST and largest(define.result, variables) <= LARGEST


def quotient(model: Model, define: Define) -> Made:
    """``result == x / y`` rounded toward zero, and y is not 0."""
    x, y, result = model.terms((define.function.x, define.function.y, define.result))
    return [model.model.div(x, y, result)]


def remainder(model: Model, define: Define) -> Made:
    """``result == x rem y`` with the sign of x, and y is not 0."""
    x, y, result = model.terms((define.function.x, define.function.y, define.result))
    return [model.model.mod(x, y, result)]


FUNCTIONS: dict[type, tuple[Builder, Guard]] = {
    Element: (element, function_fits),
    Minimum: (minimum, function_fits),
    Maximum: (maximum, function_fits),
    Product: (product, product_of_two),
    Distance: (distance, distance_fits),
    Quotient: (quotient, function_fits),
    Remainder: (remainder, function_fits),
}
