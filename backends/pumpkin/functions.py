"""Functions in Pumpkin, all defined at the root: from elements of lists to quotients.

Its division takes no divisor that may be 0, and the process ends with a message where one may.
"""

from __future__ import annotations

from typing import Any

from backends.interface.magnitudes import largest, product_fits
from backends.pumpkin.guards import LARGEST, function_fits
from backends.pumpkin.model import Model, Pair
from modelling.constraints import Define, Element
from modelling.rewriting.profile import Guard, Variables
from modelling.terms import Function, bounds
from modelling.vocabulary.functions.distance import Distance
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.functions.multiplication import Product, Quotient


def element(model: Model, define: Define, premise: Any) -> None:
    """``result == terms[index]``."""
    function = define.function
    index, terms = model.term(function.index), model.terms(function.terms)
    model.add("Element", index, terms, model.term(define.result), premise=premise)


def minimum(model: Model, define: Define, premise: Any) -> None:
    """``result == min(terms)``."""
    terms, result = model.terms(define.function.terms), model.term(define.result)
    model.add("Minimum", terms, result, premise=premise)


def maximum(model: Model, define: Define, premise: Any) -> None:
    """``result == max(terms)``."""
    terms, result = model.terms(define.function.terms), model.term(define.result)
    model.add("Maximum", terms, result, premise=premise)


def product(model: Model, define: Define, premise: Any) -> None:
    """``result == x * y``."""
    x, y = model.terms(define.function.terms)
    model.add("Times", x, y, model.term(define.result), premise=premise)


def distance(model: Model, define: Define, premise: Any) -> None:
    """``result == |x - y|``: of a variable that is the difference."""
    x, y = define.function.x, define.function.y
    (low, high), (least, most) = (bounds(term, model.domains) for term in (x, y))
    difference = model.integer(low - most, high - least)
    model.add("Equals", [model.term(x), *(t.scaled(-1) for t in (model.term(y), difference))], 0)
    model.add("Absolute", difference, model.term(define.result), premise=premise)


def quotient(model: Model, define: Define, premise: Any) -> None:
    """``result == x / y`` rounded toward zero."""
    x, y = model.terms((define.function.x, define.function.y))
    model.add("Division", x, y, model.term(define.result), premise=premise)


def product_of_two(define: Define, variables: Variables) -> bool:
    """Two factors, and their product fits."""
    return len(define.function.terms) == 2 and product_fits(define, LARGEST, variables)


def distance_fits(define: Define, variables: Variables) -> bool:
    """The difference fits, too, and the sum with its result."""
    terms = (define.function.x, define.function.y, define.result)
    return bool(define.function.scope) and sum(largest(t, variables) for t in terms) <= LARGEST


def divisor_has_a_sign(define: Define, variables: Variables) -> bool:
    """0 is not between the ends of the divisor."""
    low, high = bounds(define.function.y, variables.domains)
    return (low > 0 or high < 0) and function_fits(define, variables)


FUNCTIONS: dict[type[Function], tuple[Pair, Guard]] = {
    Element: (Pair(element), function_fits),
    Minimum: (Pair(minimum), function_fits),
    Maximum: (Pair(maximum), function_fits),
    Product: (Pair(product), product_of_two),
    Distance: (Pair(distance), distance_fits),
    Quotient: (Pair(quotient), divisor_has_a_sign),
}
