"""Sums and counts: sum, count, nValues, cardinality, minimum, maximum and the places of these two.

Where the first or the last place of an extreme is meant, each term is multiplied by the number of
places and a rank is added, so that no two are equal and the extreme of these is where it is meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from modelling import constraints as core
from modelling.expressions.expression import (
    Call,
    Combination,
    Expression,
    bounds_of,
    common_space,
    join,
    to_term,
)
from modelling.formats.xcsp3.reader.document import Element
from modelling.formats.xcsp3.reader.entities import Condition, Reading, is_range
from modelling.formats.xcsp3.reader.intension import add, extreme, multiply
from modelling.terms import Function, constant
from modelling.vocabulary.functions.element import Element as ElementOf

EXTREMES = {"minimum": (core.Minimum, min), "maximum": (core.Maximum, max)}


def call(function: Function, *items: Any) -> Call:
    """A function as an expression over what the items are over."""
    return Call(common_space(*items), function)


def weigh(element: Element, items: Sequence[Any], factors: Sequence[Any]) -> Any:
    """The sum of items, each times its coefficient, which may vary."""
    if len(items) != len(factors):
        element.refuse(f"has {len(items)} terms but {len(factors)} coefficients")
    plain = all(isinstance(item, Expression) for item in items)
    if plain and all(type(factor) is int for factor in factors):
        return Combination(common_space(*items), tuple(items), tuple(factors), 0)
    return add([multiply(pair) for pair in zip(items, factors, strict=True)])


def read_sum(reading: Reading, element: Element) -> None:
    """A sum with coefficients, which may vary, and what it is compared with."""
    element.check(("list", "coeffs", "condition"))
    items = reading.checked(element, reading.items(element.child("list")))
    coeffs = element.find("coeffs")
    if coeffs is None:
        factors: Sequence[Any] = [1] * len(items)
    else:
        factors = reading.checked(coeffs, reading.items(coeffs))
    total = weigh(element, items, factors) if items else 0
    reading.post(reading.condition(element.child("condition")).of(total))


def read_count(reading: Reading, element: Element) -> None:
    """How many terms equal one of the values, which may vary."""
    element.check(("list", "values", "condition"))
    items = reading.checked(element, reading.items(element.child("list")))
    values = reading.checked(element, reading.items(element.child("values")))
    counted = core.Count(tuple(map(to_term, items)), tuple(map(to_term, values)))
    condition = reading.condition(element.child("condition"))
    reading.post(condition.of(call(counted, *items, *values)))


def read_n_values(reading: Reading, element: Element) -> None:
    """How many distinct values there are, but for excepted ones."""
    element.check(("list", "except", "condition"))
    items = reading.checked(element, reading.items(element.child("list")))
    but = element.find("except")
    excepted = tuple(reading.numbers(but)) if but is not None else ()
    counted = core.NValue(tuple(map(to_term, items)), excepted)
    reading.post(reading.condition(element.child("condition")).of(call(counted, *items)))


def read_cardinality(reading: Reading, element: Element) -> None:
    """How often each value occurs: a number, a variable, or a range; ``closed``: no other does."""
    element.check(("list", "values", "occurs"))
    inner = element.child("values")
    inner.check((), ("closed", "as"))
    items = reading.checked(element, reading.items(element.child("list")))
    terms = tuple(map(to_term, items))
    values = reading.checked(inner, reading.items(inner))
    occurs = _occurrences(reading, element.child("occurs"))
    closed = inner.flag("closed", False)
    if len(values) != len(occurs):
        element.refuse(f"has {len(values)} values but {len(occurs)} numbers of occurrences")
    if reading.is_numbers(values) and not any(isinstance(one, range) for one in occurs):
        counts = tuple(map(to_term, occurs))
        reading.post(core.GlobalCardinality(terms, tuple(values), counts, closed))
        return
    for value, times in zip(values, occurs, strict=True):
        counted = call(core.Count(terms, (to_term(value),)), *items, value)
        name = "in" if isinstance(times, range) else "eq"
        reading.post(Condition(name, times).of(counted))
    if not closed:
        return
    reading.document.charge(len(items) * len(values), element)
    for item in items:
        if reading.is_numbers(values):
            rows = tuple((value,) for value in dict.fromkeys(values))
            reading.post(core.Table((to_term(item),), rows))
        else:
            reading.post(join(core.Or, [item == value for value in values]))


def _occurrences(reading: Reading, element: Element) -> list[Any]:
    """The items of an element, with ranges as ``range`` objects."""
    found: list[Any] = []
    for word in reading.words(element):
        if is_range(word):
            found.append(reading.range_of(element, word))
        else:
            found += reading.resolve(element, word)
    return found


def read_extreme(reading: Reading, element: Element) -> None:
    """The least or greatest value, or its place, and what it is compared with."""
    element.check(("list", "index", "condition"))
    listed, index = element.child("list"), element.find("index")
    items = _items_of_extreme(reading, listed)
    kind, chosen = EXTREMES[element.tag]
    if index is not None:
        index.check((), ("rank",))
        place = add([reading.item(index), -listed.integer("startIndex", 0)])
        ranked = _ranked(element, items, kind is core.Maximum, _rank(index))
        reading.post(_at(ranked, place) == extreme(kind, chosen)(ranked))
    condition = element.find("condition")
    if condition is not None:
        reading.post(reading.condition(condition).of(extreme(kind, chosen)(items)))
    elif index is None:
        element.refuse("has neither an index nor a condition")


def read_extreme_place(reading: Reading, element: Element) -> None:
    """The place of the least or greatest value: the first, the last, or any."""
    element.check(("list", "condition"), ("rank",))
    listed = element.child("list")
    items = _items_of_extreme(reading, listed)
    kind, chosen = EXTREMES[element.tag.removesuffix("Arg")]
    start, rank = listed.integer("startIndex", 0), _rank(element)
    condition = reading.condition(element.child("condition"))
    find = extreme(kind, chosen)
    ranked = _ranked(element, items, kind is core.Maximum, rank)
    if condition.is_fixed:
        allowed = [one for k, one in enumerate(ranked) if condition.allows(k + start)]
        reading.post(find(allowed) == find(ranked) if allowed else core.FALSE)
    elif condition.operator == "eq":
        reading.post(_at(ranked, add([condition.operand, -start])) == find(ranked))
    else:  # what holds of any place holds of the first one or of the last one
        ranks = ("first", "last") if rank == "any" else (rank,)
        ends = [_end(element, items, kind, chosen, one) for one in ranks]
        reading.post(join(core.Or, [condition.of(add([end, start])) for end in ends]))


def _items_of_extreme(reading: Reading, listed: Element) -> Sequence[Any]:
    listed.check((), ("startIndex", "as"))
    items = reading.checked(listed, reading.items(listed))
    if not items:
        listed.refuse("is empty; there is no extreme of nothing")
    return items


def _end(element: Element, items: Sequence[Any], kind: Any, chosen: Any, rank: str) -> Any:
    """The first or the last place of the extreme, as an expression.

    It is a remainder of the ranked extreme: the least value is subtracted first, so that ranked
    values are at least 0.
    """
    number = len(items)
    least = min(bounds_of(item)[0] for item in items)
    lifted = [add([item, -least]) for item in items]
    found = extreme(kind, chosen)(_ranked(element, lifted, kind is core.Maximum, rank))
    if type(found) is int:
        place: Any = found % number
    else:
        place = call(core.Remainder(to_term(found), constant(number)), found)
    return add([number - 1, multiply([-1, place])]) if _is_turned(kind, rank) else place


def _is_turned(kind: Any, rank: str) -> bool:
    """Whether ranks fall from place to place: of equal ones, the first is to be the greatest, or
    the last one the least."""
    return (kind is core.Maximum) == (rank == "first")


def _ranked(element: Element, items: Sequence[Any], greatest: bool, rank: str) -> list[Any]:
    """Items of which the one that is meant is the only extreme, if a rank is meant."""
    if rank == "any":
        return list(items)
    number = len(items)
    turned = greatest == (rank == "first")
    ranks = range(number - 1, -1, -1) if turned else range(number)
    return [add([multiply([number, item]), k]) for item, k in zip(items, ranks, strict=True)]


def _rank(element: Element) -> str:
    rank = element.attributes.get("rank", "any")
    if rank not in ("any", "first", "last"):
        element.refuse(f"rank={rank!r} is none; use any, first or last")
    return rank


def _at(items: Sequence[Any], place: Any) -> Any:
    """The item at a place counted from 0."""
    return call(ElementOf(tuple(map(to_term, items)), to_term(place)), *items, place)
