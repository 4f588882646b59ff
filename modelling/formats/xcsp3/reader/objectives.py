"""The objective: an expression, or what it is of a list: sum, product, minimum, ..."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from modelling.definedness import can_be_undefined
from modelling.expressions.expression import to_term
from modelling.formats.xcsp3.reader.counting import call, weigh
from modelling.formats.xcsp3.reader.document import Element, show
from modelling.formats.xcsp3.reader.entities import Reading
from modelling.formats.xcsp3.reader.intension import add, extreme, multiply
from modelling.problem import Objective
from modelling.terms import Function
from modelling.vocabulary.comparisons import make_total
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.formulas.linear import Linear, Sum
from modelling.vocabulary.functions.extremes import Maximum, Minimum

TYPES: dict[str, Callable[[Sequence[Any]], Any]] = {
    "sum": add,
    "product": multiply,
    "minimum": extreme(Minimum, min),
    "maximum": extreme(Maximum, max),
    "nValues": lambda items: call(NValue(tuple(map(to_term, items))), *items),
}


def read_objective(reading: Reading, element: Element) -> Objective:
    """``<minimize>`` or ``<maximize>``; where its term can be undefined, it must be defined."""
    kind = element.attributes.get("type", "expression").strip()
    if kind == "expression":
        element.check((), ("type", "as"))
        found = reading.expression(element)
    elif kind not in TYPES:
        element.refuse(
            f"an objective of type {show(kind)} is not supported; there are expression, "
            f"{', '.join(TYPES)}"
        )
    else:
        element.check(("list", "coeffs"), ("type",))
        items = reading.checked(element, reading.items(element.find("list") or element))
        if not items:
            element.refuse("has an empty list")
        found = _weighed(reading, element, kind, items)
    term = to_term(found)
    if can_be_undefined(term, reading.space.domains):
        reading.post(Linear((term,), (0,), "==", 0))
        term = make_total(term)
    if not isinstance(term, Function):
        term = _as_sum(term)
    sense = element.tag
    return Objective("minimize" if sense == "minimize" else "maximize", term)


def _weighed(reading: Reading, element: Element, kind: str, items: Sequence[Any]) -> Any:
    coeffs = element.find("coeffs")
    if coeffs is None:
        return TYPES[kind](items)
    factors = reading.checked(coeffs, reading.items(coeffs))
    if kind == "sum" or len(items) != len(factors):
        return weigh(element, items, factors)
    return TYPES[kind]([multiply(pair) for pair in zip(items, factors, strict=True)])


def _as_sum(term: Any) -> Sum:
    """A variable or a view of one as the sum that linear objectives are."""
    simple = Sum((term,)).simplified()
    return Sum((simple,)) if not isinstance(simple, Sum) else simple
