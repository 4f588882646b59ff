"""Functions that z3 is given natively, as ``result == function`` over the literals of values.

element   where the index is k, the result equals the term at k
counting  how many literals are true is a sum
extremes  a value of the result is one of a term, and no term goes beyond it
mapping   a function of one or two variables: each pair of values implies the result's
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

from backends.interface.magnitudes import count_cells
from backends.z3.draft import FALSE, Formula, Z3Draft
from modelling.constraints import Count, Define, Element
from modelling.rewriting.profile import Guard, Variables
from modelling.terms import Function, is_constant
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.functions.distance import Distance
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.functions.multiplication import Product, Quotient, Remainder

MOST_MAPPED = 10_000
"""A function of more combinations of values is rewritten."""


def element(draft: Z3Draft, define: Define) -> Formula:
    """``result == terms[index]``, and the index is inside."""
    function = define.function
    index, result = draft.values(function.index), draft.values(define.result)
    terms = function.terms
    places = {k: literal for k, literal in index.items() if 0 <= k < len(terms)}
    chosen = (
        draft.implied(literal, _has(draft, result, terms[k])) for k, literal in places.items()
    )
    return draft.all_of([draft.any_of(places.values()), *chosen])


def _has(draft: Z3Draft, result: Mapping[int, Formula], term: Any) -> Formula:
    if is_constant(term):
        return result.get(term.offset, FALSE)
    values = draft.values(term)
    either = dict.fromkeys((*result, *values))
    return draft.all_of(draft.same(result.get(v, FALSE), values.get(v, FALSE)) for v in either)


def count(draft: Z3Draft, define: Define) -> Formula:
    """``result`` is the number of terms with one of the values."""
    function = define.function
    values = dict.fromkeys(value.offset for value in function.values)
    met = [draft.any_of(_known(draft, term, values)) for term in function.terms]
    return _sum(draft, met, define)


def _known(draft: Z3Draft, term: Any, values: Any) -> list[Formula]:
    literals = draft.values(term)
    return [literals[value] for value in values if value in literals]


def nvalue(draft: Z3Draft, define: Define) -> Formula:
    """``result`` is the number of values that some term has."""
    function = define.function
    having = draft.takers(function.terms, function.except_)
    return _sum(draft, list(map(draft.any_of, having.values())), define)


def _sum(draft: Z3Draft, counted: list[Formula], define: Define) -> Formula:
    """So many are true as the result says."""
    weighed, least = draft.weigh_from_least((define.result,), (-1,))
    return draft.compare([(formula, 1) for formula in counted] + weighed, "==", -least)


def extreme(draft: Z3Draft, define: Define) -> Formula:
    """``result == min(terms)`` or ``max(terms)``."""
    function = define.function
    sign = 1 if type(function) is Maximum else -1
    terms = list(map(draft.values, function.terms))
    made = []
    for value, literal in draft.values(define.result).items():
        one = draft.any_of(of[value] for of in terms if value in of)
        beyond = (of[v] for of in terms for v in of if sign * v > sign * value)
        none = map(draft.opposite, beyond)
        made.append(draft.implied(literal, draft.all_of([one, *none])))
    return draft.all_of(made)


def mapping(draft: Z3Draft, define: Define) -> Formula:
    """``result == function`` for a function of few combinations of values."""
    function, result = define.function, draft.values(define.result)
    scope = function.scope
    made = []
    for values in product(*(draft.domains[v] for v in scope)):
        given = dict(zip(scope, values, strict=True))
        value = function.value_at(given)
        met = FALSE if value is None else result.get(value, FALSE)
        not_ = [draft.opposite(draft.literals[v][x]) for v, x in given.items()]
        made.append(draft.any_of([*not_, met]))
    return draft.all_of(made)


# --- guards --------------------------------------------------------------------------------------


def defines(define: Define, variables: Variables) -> bool:
    """Whether the function is of variables, and defines a variable, a view or a constant."""
    return not isinstance(define.result, Function) and bool(define.function.scope)


def values_are_constants(define: Define, variables: Variables) -> bool:
    """Whether the counted values are constants."""
    return defines(define, variables) and all(map(is_constant, define.function.values))


def is_mapped(define: Define, variables: Variables) -> bool:
    """Few combinations of values."""
    return (
        defines(define, variables) and count_cells(define.function.scope, variables) <= MOST_MAPPED
    )


def has_few_pairs(define: Define, variables: Variables) -> bool:
    """The values of all terms, once for each of the result's, are few enough to be written."""
    results = count_cells(define.scope[:1], variables)
    values = sum(len(variables.domains[v]) for v in define.function.scope)
    return defines(define, variables) and results * values <= MOST_MAPPED


FUNCTIONS: dict[type, tuple[Callable[[Z3Draft, Any], Formula], Guard]] = {
    Element: (element, defines),
    Count: (count, values_are_constants),
    NValue: (nvalue, defines),
    Minimum: (extreme, has_few_pairs),
    Maximum: (extreme, has_few_pairs),
    Product: (mapping, is_mapped),
    Distance: (mapping, is_mapped),
    Quotient: (mapping, is_mapped),
    Remainder: (mapping, is_mapped),
}
