"""Functions of arithmetic: by propagators of their own, or listed where they have few values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, product

from backends.interface.handlers import Handler, Handlers
from backends.propagation.encode.draft import Draft, Posted, Propagate
from backends.propagation.encode.extension import post_listed
from backends.propagation.kernel.layout import BOUNDS, DOMAIN
from backends.propagation.propagators.arithmetic.distance import distance, near_distance
from backends.propagation.propagators.arithmetic.division import quotient, remainder
from backends.propagation.propagators.arithmetic.element import element
from backends.propagation.propagators.arithmetic.extremes import maximum, minimum
from backends.propagation.propagators.arithmetic.product import product as product_propagator
from backends.propagation.propagators.counting.aligned import KEPT_WORDS, MOST_BITS
from modelling.constraints import (
    Define,
    Distance,
    Element,
    Element2D,
    Maximum,
    Minimum,
    Product,
    Quotient,
    Remainder,
    Table,
)
from modelling.terms import Term, affine, is_constant

MOST_LISTED = 400
"""A function with at most this many combinations of arguments is a table: domain consistent."""


def post_element(draft: Draft, define: Define) -> None:
    """A table where the terms are constants."""
    terms, index = define.function.terms, define.function.index
    if all(map(is_constant, terms)):
        rows = tuple([(k, term.offset) for k, term in enumerate(terms)])
        post_listed(draft, Table((index, define.result), rows))
        if type(index) is int and type(define.result) is int:
            draft.functions[define.result] = index, dict(rows)
    else:
        post_choice(draft, define.result, draft.view(index), terms)


def post_choice(draft: Draft, result: Term, index: int, terms: Sequence[Term]) -> None:
    """``result == terms[index]``; only the terms are looked at that the index can reach."""
    domain = draft.domains[index]
    if not domain:
        return  # nothing will be searched
    first, last = max(0, domain[0]), min(len(terms) - 1, domain[-1])
    if first > last:
        draft.possible = False
        return
    found = draft.view(result)
    scope = [draft.view(term) for term in terms[first : last + 1]]

    def lay_out(word_bits: int, words: Sequence[int]) -> Posted:
        values = draft.domains[found]
        span = values[-1] - values[0] + 1 if words[found] else 0
        return Posted(
            element,
            (index, found, *scope),
            (DOMAIN,) * (2 + len(scope)),
            [first, values[0]],
            scratch=[0] * len(scope) + [first] * span,
            priority=1,
            idempotent=len({index, found, *scope}) == 2 + len(scope),
        )

    draft.post(lay_out)


def post_element_2d(draft: Draft, define: Define) -> None:
    """A table where the terms are constants; else the element of the rows in one list."""
    matrix, row, column = define.function.matrix, define.function.row, define.function.column
    terms = list(chain.from_iterable(matrix))
    places = list(product(range(len(matrix)), range(len(matrix[0]))))
    if all(map(is_constant, terms)):
        rows = tuple([(*place, term.offset) for place, term in zip(places, terms, strict=True)])
        post_listed(draft, Table((row, column, define.result), rows))
        return
    among = set(_values(draft, row)), set(_values(draft, column))
    open_places = [k for k, (i, j) in enumerate(places) if i in among[0] and j in among[1]]
    if not open_places:
        draft.possible = False
        return
    index = draft.variable(tuple(open_places))
    rows = tuple([(*places[k], k) for k in open_places])
    post_listed(draft, Table((row, column, index), rows))
    post_choice(draft, define.result, index, terms)


def _values(draft: Draft, term: Term) -> list[int]:
    """The values of an affine term."""
    variable, factor, offset = affine(term)
    if variable is None:
        return [offset]
    return [factor * value + offset for value in draft.domains[variable]]


def post_extreme(draft: Draft, define: Define) -> None:
    """A maximum or minimum."""
    propagate = maximum if isinstance(define.function, Maximum) else minimum
    extreme_of(draft, propagate, define.result, define.function.terms)


def extreme_of(draft: Draft, propagate: Propagate, result: Term, terms: Sequence[Term]) -> None:
    """The result first, then the terms."""
    scope = (draft.view(result), *map(draft.view, terms))
    draft.post(
        Posted(
            propagate,
            scope,
            (BOUNDS,) * len(scope),
            priority=0 if len(scope) <= 3 else 1,
            idempotent=len(set(scope)) == len(scope),
        )
    )


def post_distance(draft: Draft, define: Define) -> None:
    """Over words with a cell of scratch for each value, or over one word for each variable."""
    terms = define.result, define.function.x, define.function.y
    scope = tuple(map(draft.view, terms))
    least = min(draft.domains[v][0] for v in scope)
    if max(draft.domains[v][-1] for v in scope) - least < MOST_BITS:
        draft.post(
            Posted(
                near_distance,
                scope,
                (DOMAIN,) * 3,
                [least],
                scratch=[0] * KEPT_WORDS,
                idempotent=len(set(scope)) == 3,
            )
        )
        return

    def lay_out(word_bits: int, words: Sequence[int]) -> Posted:
        domains = [draft.domains[v] for v in scope]
        spans = [d[-1] - d[0] + 1 for d in domains] if all(words[v] for v in scope) else [0, 0, 0]
        starts = [0, spans[0], spans[0] + spans[1]]
        return Posted(
            distance,
            scope,
            (DOMAIN,) * 3,
            [start - domain[0] for start, domain in zip(starts, domains, strict=True)],
            scratch=[0] * max(1, sum(spans)),
            priority=1,
            idempotent=len(set(scope)) == 3,
        )

    draft.post(lay_out)


def post_binary(draft: Draft, define: Define, propagate: Propagate) -> None:
    """A function of two terms: a table of few rows, or a propagator of z, x, y."""
    function = define.function
    x, y = function.terms if isinstance(function, Product) else (function.x, function.y)
    of_x, of_y = (sorted(_values(draft, term)) for term in (x, y))
    if len(of_x) * len(of_y) <= MOST_LISTED:
        valued = [
            (
                a,
                b,
                function.value((a, b)) if isinstance(function, Product) else function.value(a, b),
            )
            for a in of_x
            for b in of_y
        ]
        rows = tuple([row for row in valued if row[2] is not None])
        post_listed(draft, Table((x, y, define.result), rows))
        return
    scope = tuple(map(draft.view, (define.result, x, y)))
    draft.post(Posted(propagate, scope, (DOMAIN,) * 3, priority=1, idempotent=len(set(scope)) == 3))


def post_product(draft: Draft, define: Define) -> None:
    """Two factors; of 0 and 1 the product is the minimum."""
    if all(is_binary(draft, term) for term in define.function.terms):
        extreme_of(draft, minimum, define.result, define.function.terms)
        return
    post_binary(draft, define, product_propagator)


def is_binary(draft: Draft, term: Term) -> bool:
    """Whether a term has the values 0 and 1 only."""
    if type(term) is int:
        return draft.domains[term][0] >= 0 and draft.domains[term][-1] <= 1
    variable, factor, offset = affine(term)
    if variable is None:
        return offset in (0, 1)
    domain = draft.domains[variable]
    return {factor * end + offset for end in (domain[0], domain[-1])} <= {0, 1}


def post_quotient(draft: Draft, define: Define) -> None:
    """Rounded toward zero."""
    post_binary(draft, define, quotient)


def post_remainder(draft: Draft, define: Define) -> None:
    """With the sign of the dividend."""
    post_binary(draft, define, remainder)


def has_two_factors(define: Define, variables: object) -> bool:
    """Whether a product is of two terms."""
    return len(define.function.terms) == 2


HANDLERS: Handlers = {
    Element: Handler(post_element, arguments="affine"),
    Element2D: Handler(post_element_2d, arguments="affine"),
    Minimum: Handler(post_extreme, arguments="affine"),
    Maximum: Handler(post_extreme, arguments="affine"),
    Distance: Handler(post_distance, arguments="affine"),
    Product: Handler(post_product, arguments="affine", when=has_two_factors),
    Quotient: Handler(post_quotient, arguments="affine"),
    Remainder: Handler(post_remainder, arguments="affine"),
}
