"""The shapes of a problem: what its constraints are made of, where a translation has cases.

Words
-----
shape      of a constraint or a function: its position, no terms, a constant, a variable twice, a
           gap in a domain, a negative number, a relation, ...
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from modelling.problem import Problem
from modelling.terms import Affine, Fielded, Function, Kind

SIGNS = (("-", "+"), ("--", "++"))
"""How negative and positive numbers are named, small and large ones."""

MANY = 50
"""Values of a wide domain."""

Domains = tuple[tuple[int, ...], ...]


def list_shaped(problem: Problem) -> Iterator[tuple[str, list[str]]]:
    """The name of the class of each part with its shapes in order, its position among them."""
    structure = problem.structure
    waiting: list[tuple[Any, str]] = [(one, "root") for one in structure.constraints]
    if structure.objective is not None and isinstance(structure.objective.term, Function):
        waiting.append((structure.objective.term, "objective"))
    while waiting:
        part, position = waiting.pop()
        name = type(part).__name__
        yield name, sorted({*_find_shapes(part, structure.domains), f"in {position}"})
        waiting += [(inner, name) for inner in part.parts()]
    if problem.masks != structure.full_masks:
        yield "Problem", ["givens"]


def _find_shapes(part: Any, domains: Domains) -> Iterator[str]:
    if not isinstance(part, Fielded):  # a class of a user's own
        return
    for field, value in part.present_fields():
        kind, name = field.kind, field.name
        if kind is Kind.TEXT:
            yield f"{name}={value}"
        elif kind is Kind.INT:
            yield f"{name} {_name_sign(value)}"
        elif kind is Kind.INTS:
            yield from _find_number_shapes(name, value)
        elif kind is Kind.ROWS:
            yield f"{name} {min(len(value), 3)}"
        elif kind is Kind.TERM:
            yield f"{name} {_name_term(value, domains)}"
        elif kind in (Kind.TERMS, Kind.MATRIX):
            terms = value if kind is Kind.TERMS else tuple(chain.from_iterable(value))
            yield from _find_term_shapes(name, terms, domains)
        elif kind is Kind.FORMULAS:
            yield f"{name} {min(len(value), 3)}"
        else:
            yield f"{name} {type(value).__name__}"


def _find_number_shapes(name: str, values: Iterable[int]) -> Iterator[str]:
    numbers = tuple(values)
    yield f"{name} {min(len(numbers), 3)}"
    yield from {f"{name} {_name_sign(number)}" for number in numbers}
    if len(set(numbers)) < len(numbers):
        yield f"{name} twice"


def _find_term_shapes(name: str, terms: tuple[Any, ...], domains: Domains) -> Iterator[str]:
    yield f"{name} of {min(len(terms), 6)}"
    kinds = {_name_term(term, domains) for term in terms}
    yield from (f"{name} {kind}" for kind in kinds)
    counted = Counter(term for term in terms if isinstance(term, int))
    if any(times > 1 for times in counted.values()):
        yield f"{name} twice"


def _name_sign(value: Any) -> str:
    if not isinstance(value, int):
        return type(value).__name__
    return "0" if value == 0 else "1" if value == 1 else SIGNS[abs(value) > 3][value > 0]


def _name_term(term: Any, domains: Domains) -> str:
    if isinstance(term, Affine):
        return "constant" if term.variable is None else f"view {_name_sign(term.factor)}"
    if not isinstance(term, int):
        return "function"
    domain = domains[term]
    if len(domain) < 2:
        return "fixed" if domain else "empty"
    if tuple(domain) == (0, 1):
        return "binary"
    gap = "gap" if domain[-1] - domain[0] >= len(domain) else ""
    wide = "wide" if len(domain) >= MANY else ""
    return " ".join(filter(None, ("negative" if domain[0] < 0 else "positive", gap, wide)))
