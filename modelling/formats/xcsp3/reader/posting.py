"""Constraints and what holds several of them: blocks, groups, slides, and logical ones.

Words
-----
template    a constraint with parameters ``%0``, ``%1``, ..., ``%...``; a group gives its arguments
            line by line, a slide takes them from lists
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from modelling.constraint import Constraint
from modelling.errors import ModelError
from modelling.expressions.expression import to_formula
from modelling.formats.xcsp3.reader import comparison, connection, counting, generic, packing
from modelling.formats.xcsp3.reader.document import Element
from modelling.formats.xcsp3.reader.entities import Reading
from modelling.vocabulary.formulas.connectives import And, Iff, Implies, Not, Or, Xor

REIFYING = ("reifiedBy", "hreifiedFrom", "hreifiedTo")

CONSTRAINTS: dict[str, Callable[[Reading, Element], None]] = {
    "intension": generic.read_intension,
    "extension": generic.read_extension,
    "regular": generic.read_regular,
    "mdd": generic.read_mdd,
    "allDifferent": comparison.read_all_different,
    "allEqual": comparison.read_all_equal,
    "ordered": comparison.read_ordered,
    "lex": comparison.read_lex,
    "precedence": comparison.read_precedence,
    "sum": counting.read_sum,
    "count": counting.read_count,
    "nValues": counting.read_n_values,
    "cardinality": counting.read_cardinality,
    "minimum": counting.read_extreme,
    "maximum": counting.read_extreme,
    "minimumArg": counting.read_extreme_place,
    "maximumArg": counting.read_extreme_place,
    "element": connection.read_element,
    "channel": connection.read_channel,
    "noOverlap": packing.read_no_overlap,
    "cumulative": packing.read_cumulative,
    "binPacking": packing.read_bin_packing,
    "knapsack": packing.read_knapsack,
    "flow": packing.read_flow,
    "circuit": connection.read_circuit,
    "instantiation": generic.read_instantiation,
    "clause": generic.read_clause,
}
"""Every constraint that is read, by its element."""


class Logical(NamedTuple):
    """How many constraints it is made of, and what it makes of them."""

    least: int
    most: int
    make: Callable[[tuple[Constraint, ...]], Constraint]


LOGICAL: dict[str, Logical] = {
    "and": Logical(1, 1 << 60, And),
    "or": Logical(1, 1 << 60, Or),
    "xor": Logical(1, 1 << 60, Xor),
    "not": Logical(1, 1, lambda parts: Not(parts[0])),
    "iff": Logical(2, 2, lambda parts: Iff(*parts)),
    "ifThen": Logical(2, 2, lambda parts: Implies(*parts)),
    "ifThenElse": Logical(
        3, 3, lambda parts: And((Implies(parts[0], parts[1]), Or((parts[0], parts[2]))))
    ),
}
"""Constraints that are made of constraints."""


def read_constraint(reading: Reading, element: Element) -> None:
    """Post what an element of ``<constraints>`` says."""
    kind = element.tag
    if kind == "block":
        element.check_attributes()
        if element.text.strip():
            element.refuse("has text between its constraints")
        for child in element.children:
            read_constraint(reading, child)
    elif kind == "group":
        _read_group(reading, element)
    elif kind == "slide":
        _read_slide(reading, element)
    else:
        _read_single(reading, element)


def _read_single(reading: Reading, element: Element) -> None:
    """A constraint, or one made of constraints; reified, if an attribute reifies it."""
    kind = element.tag
    if kind not in CONSTRAINTS and kind not in LOGICAL:
        element.refuse(
            "there is no such constraint in XCSP3-core, or Concord has no word for it; state it "
            "by others"
        )
    by = [name for name in REIFYING if name in element.attributes]
    if not by:
        _post(reading, element)
        return
    if len(by) > 1:
        element.refuse(f"has both {by[0]} and {by[1]}")
    name = element.attributes[by[0]]
    try:
        whole = _whole(reading, element.without(by[0]), _post)
        items = reading.resolve(element, name.strip()) if name.strip() else ()
        if len(items) != 1:
            element.refuse(f"{by[0]}={name!r} is no 0/1 variable")
        literal = to_formula(items[0])
    except ModelError as error:
        element.refuse(f"{by[0]}: {error}")
    if by[0] == "reifiedBy":
        reading.post(Iff(literal, whole))
    elif by[0] == "hreifiedFrom":
        reading.post(Implies(literal, whole))
    else:
        reading.post(Implies(whole, literal))


def _post(reading: Reading, element: Element) -> None:
    try:
        if element.tag in LOGICAL:
            _post_logical(reading, element)
        else:
            CONSTRAINTS[element.tag](reading, element)
    except ModelError as error:
        element.refuse(str(error))


def _post_logical(reading: Reading, element: Element) -> None:
    element.check_attributes()
    if element.text.strip():
        element.refuse("has text between its constraints")
    known, number = LOGICAL[element.tag], len(element.children)
    if not known.least <= number <= known.most:
        element.refuse(f"does not take {number} constraints")
    parts = tuple(_whole(reading, child, read_constraint) for child in element.children)
    reading.post(known.make(parts))


def _whole(
    reading: Reading, element: Element, post: Callable[[Reading, Element], None]
) -> Constraint:
    """What an element posts, as one constraint."""
    outer, reading.posted = reading.posted, []
    try:
        post(reading, element)
        parts = tuple(reading.posted)
    finally:
        reading.posted = outer
    return parts[0] if len(parts) == 1 else And(parts)


# --- templates -----------------------------------------------------------------------------------


def _read_group(reading: Reading, element: Element) -> None:
    """A template and, for each line of arguments, a constraint."""
    element.check_attributes()
    if element.text.strip() or not element.children or reading.arguments is not None:
        element.refuse("is no constraint and its <args>; groups and slides stand in no others")
    template, rest = element.children[0], _highest(element.children[0]) + 1
    if len(element.children) == 1:
        element.refuse("has no <args>")
    for line in element.children[1:]:
        if line.tag != "args":
            line.refuse("stands in a group after its constraint, where only <args> can")
        line.check((), ("as",))
        arguments = reading.items(line)
        if not arguments:
            line.refuse("is empty")
        _read_template(reading, template, line, arguments, rest)


def _read_template(
    reading: Reading, template: Element, line: Element, arguments: Sequence[Any], rest: int
) -> None:
    if template.tag in ("group", "slide"):
        template.refuse("groups and slides stand in no others")
    if len(arguments) < rest:
        line.refuse(f"has {len(arguments)} arguments, but %{rest - 1} is asked for")
    reading.arguments, reading.rest = arguments, rest
    try:
        read_constraint(reading, template)
    finally:
        reading.arguments = None


_PARAMETER = re.compile(r"%([0-9]{1,6})")


def _highest(template: Element) -> int:
    """The greatest number of a parameter; -1 if none has a number."""
    found = -1
    for element in _within(template):
        texts = (element.content().text, *element.attributes.values())
        for text in texts:
            if "%" in text:
                found = max([found, *map(int, _PARAMETER.findall(text))])
    return found


def _within(element: Element) -> Iterator[Element]:
    left = [element]
    while left:
        one = left.pop()
        yield one
        left += one.children


def _read_slide(reading: Reading, element: Element) -> None:
    """A template over windows of lists, ``offset`` apart; ``circular``: also over their ends."""
    element.check_attributes(("circular",))
    if reading.arguments is not None or element.text.strip():
        element.refuse("groups and slides stand in no others")
    lists = element.children[:-1]
    if not lists or any(one.tag != "list" for one in lists):
        element.refuse("is no <list> and a constraint")
    template = element.children[-1]
    arity = _highest(template) + 1
    items, offsets, collects = [], [], []
    for one in lists:
        one.check((), ("offset", "collect", "as"))
        items.append(reading.items_with_places(one))
        offsets.append(one.integer("offset", 1))
        collects.append(arity if len(lists) == 1 else one.integer("collect", 1))
        if offsets[-1] < 1 or collects[-1] < 1:
            one.refuse("its offset or the number of its parameters is below 1")
    if any(len(found) < collect for found, collect in zip(items, collects, strict=True)):
        element.refuse("a list is shorter than what a constraint takes of it")
    circular = element.flag("circular", False)
    for window in _windows(items, offsets, collects, circular):
        reading.document.charge(len(window), element)
        _read_template(reading, template, element, window, len(window))


def _windows(
    items: Sequence[Sequence[Any]], offsets: Sequence[int], collects: Sequence[int], circular: bool
) -> Iterator[list[Any]]:
    """The first list leads: once in full, or as long as its windows fit."""
    steps = -(-len(items[0]) // offsets[0])
    for step in range(steps):
        starts = [step * offset for offset in offsets]
        if not circular and starts[0] + collects[0] > len(items[0]):
            return
        found: list[Any] = []
        for one, start, collect in zip(items, starts, collects, strict=True):
            if not circular and start + collect > len(one):
                return
            found += [one[(start + k) % len(one)] for k in range(collect)]
        yield found
