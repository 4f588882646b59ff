"""Places and successors: element, channel, circuit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from modelling import constraints as core
from modelling.expressions.expression import Call, common_space, join, to_term
from modelling.formats.xcsp3.reader.counting import call
from modelling.formats.xcsp3.reader.document import Element
from modelling.formats.xcsp3.reader.entities import Condition, Reading
from modelling.formats.xcsp3.reader.intension import add
from modelling.terms import constant
from modelling.vocabulary.functions.element import Element as ElementOf


def read_element(reading: Reading, element: Element) -> None:
    """The item at a place of a list or a matrix; without a place, one of the items."""
    element.check(("list", "matrix", "index", "value", "condition"))
    value = element.find("value")
    if value is None:
        condition = reading.condition(element.child("condition"))
    else:
        condition = Condition("eq", reading.item(value))
    matrix, index = element.find("matrix"), element.find("index")
    if matrix is not None:
        _read_element_of_matrix(reading, element, matrix, condition)
        return
    listed = element.child("list")
    listed.check((), ("startIndex", "as"))
    items = reading.checked(listed, reading.items_with_places(listed))
    if not items:
        listed.refuse("is empty; it has no element")
    if index is not None:
        index.check((), ("rank",))
        if index.attributes.get("rank", "any") != "any":
            index.refuse("a rank other than any is not supported")
        place = add([reading.item(index), -listed.integer("startIndex", 0)])
        found = ElementOf(tuple(map(to_term, items)), to_term(place))
        reading.post(condition.of(call(found, *items, place)))
    elif condition.operator == "eq":
        wanted = condition.operand
        counted = core.Count(tuple(map(to_term, items)), (to_term(wanted),))
        reading.post(call(counted, *items, wanted) >= 1)
    else:
        reading.post(join(core.Or, [condition.of(item) for item in items]))


def _read_element_of_matrix(
    reading: Reading, element: Element, matrix: Element, condition: Condition
) -> None:
    matrix.check((), ("startRowIndex", "startColIndex", "as"))
    rows = reading.matrix(matrix)
    places = reading.checked(element, reading.items(element.child("index")))
    if len(places) != 2:
        element.refuse(f"has {len(places)} indices; a matrix has two")
    starts = matrix.integer("startRowIndex", 0), matrix.integer("startColIndex", 0)
    row, column = (add([place, -start]) for place, start in zip(places, starts, strict=True))
    terms = tuple(tuple(map(to_term, line)) for line in rows)
    space = common_space(*(item for line in rows for item in line), row, column)
    found = core.Element2D(terms, to_term(row), to_term(column))
    reading.post(condition.of(Call(space, found)))


def read_channel(reading: Reading, element: Element) -> None:
    """Lists that are each other's inverse; or which of 0/1 variables is the one that is 1."""
    element.check(("list", "value"))
    lists, value = element.every("list") or [element], element.find("value")
    if len(lists) > 2 or (value is not None and len(lists) > 1):
        element.refuse("has too many lists")
    found, starts = [], []
    for one in lists:
        if one is not element:
            one.check((), ("startIndex", "as"))
        starts.append(one.integer("startIndex", 0) if one is not element else 0)
        found.append(reading.checked(one, reading.items_with_places(one)))
    if value is not None:
        items = found[0]
        terms = tuple(map(to_term, items))
        place = add([reading.item(value), -starts[0]])
        reading.post(call(core.Count(terms, (constant(1),)), *items) == 1)
        reading.post(call(ElementOf(terms, to_term(place)), *items, place) == 1)
    elif len(found) == 1:
        terms = count_from_zero(found[0], starts[0])
        reading.post(core.Inverse(terms, terms))
    elif len(found[0]) == len(found[1]):
        f, g = count_from_zero(found[0], starts[1]), count_from_zero(found[1], starts[0])
        reading.post(core.Inverse(f, g))
    else:
        _channel_one_way(reading, element, found, starts)


def _channel_one_way(
    reading: Reading, element: Element, lists: Sequence[Sequence[Any]], starts: Sequence[int]
) -> None:
    """Where x[i] is j, y[j] is i; the longer list has no other condition."""
    xs, ys = lists
    reading.document.charge(len(xs) * len(ys), element)
    terms = tuple(map(to_term, ys))
    for k, x in enumerate(xs):
        place = add([x, -starts[1]])
        reading.post(call(ElementOf(terms, to_term(place)), *ys, place) == k + starts[0])


def count_from_zero(items: Sequence[Any], start: int) -> tuple[Any, ...]:
    """Items, places that are counted from ``start``, as terms that are counted from 0."""
    return tuple(to_term(add([item, -start]) if start else item) for item in items)


def read_circuit(reading: Reading, element: Element) -> None:
    """Successors on one tour, which leaves out those that are their own, but not all."""
    element.check(("list", "size"))
    listed = element.find("list") or element
    if listed is not element:
        listed.check((), ("startIndex", "as"))
    start = listed.integer("startIndex", 0) if listed is not element else 0
    items = reading.checked(listed, reading.items_with_places(listed))
    nodes = count_from_zero(items, start)
    size = element.find("size")
    number = reading.item(size) if size is not None else None
    if type(number) is int and number == len(items):
        reading.post(core.Circuit(nodes))
        return
    reading.post(core.SubCircuit(nodes))
    inside = [item != k + start for k, item in enumerate(items)]
    reading.post(join(core.Or, inside))
    if number is not None:
        reading.post(add(inside) == number)
