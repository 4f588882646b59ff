"""Simpler constraints and functions in the place of one: fewer terms, smaller numbers, less depth.

Words
-----
place     a part within a constraint, or the constraint itself, with a function that puts another
          part there and returns the whole
variant   what may be put in a place: simpler than the part, and of another meaning

Each variant has fewer terms, numbers or parts, or a number that is nearer to 0; so taking one after
the other comes to an end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from functools import cached_property, partial
from typing import Any, NamedTuple

from modelling.constraint import Constraint
from modelling.errors import ConcordError
from modelling.terms import Affine, Fielded, Function, Kind, affine, constant, shortest

Put = Callable[[Any], Any]

DERIVED = ("scope", "is_plain")
"""What a constraint or function derives from its fields."""

FEW_ENTRIES = 24
"""Rows of no more numbers than this have each number made smaller."""


class Place(NamedTuple):
    """A part and the function that puts another one there."""

    part: Any
    put: Put


def find_places(whole: Any) -> Iterator[Place]:
    """The whole, and each function and constraint within, from the outside in."""
    yield Place(whole, lambda new: new)
    if not isinstance(whole, Fielded):
        return
    for name, kind, value in _list_fields(whole):
        if kind in (Kind.TERM, Kind.FORMULA):
            yield from _find_within(value, partial(_set_field, whole, name))
        elif kind in (Kind.TERMS, Kind.FORMULAS):
            for k, item in enumerate(value):
                yield from _find_within(item, partial(_set_item, whole, name, k))


def _find_within(item: Any, put: Put) -> Iterator[Place]:
    if isinstance(item, Fielded):
        for part, inner in find_places(item):
            yield Place(part, partial(_put_both, put, inner))


def _put_both(outer: Put, inner: Put, new: Any) -> Any:
    return outer(inner(new))


def find_rows(whole: Any) -> Iterator[tuple[tuple[Any, ...], Put]]:
    """The tuples of each table, automaton and diagram within, with what replaces them."""
    for part, put in find_places(whole):
        if isinstance(part, Fielded):
            for name, kind, value in _list_fields(part):
                if kind is Kind.ROWS:
                    yield value, partial(_put_both, put, partial(_set_field, part, name))


def find_variants(whole: Constraint) -> Iterator[Constraint]:
    """Simpler constraints in the place of one; those that no class allows are left out."""
    for part, put in find_places(whole):
        for variant in _vary(part):
            try:
                made = put(variant)
                if made == whole:
                    continue
            except (ConcordError, ValueError, TypeError, IndexError, KeyError):
                continue  # the class does not allow that: another variant may be allowed
            yield made


def _vary(part: Any) -> Iterator[Any]:
    """What is simpler than one part, in its own place: the shortest first.

    Errors of the classes' own checks come out of the lazily made values, so each is guarded by
    ``_try``.
    """
    if not isinstance(part, Fielded):
        return
    if isinstance(part, Constraint):
        yield from part.formulas_within()
    else:
        yield from (constant(value) for value in (0, 1))
        yield from part.terms_within()
    for name, kind, value in _list_fields(part):
        for changed in _vary_field(part, name, kind, value):
            made = _try(part, changed)
            if made is not None:
                yield made


def _vary_field(part: Fielded, name: str, kind: Kind, value: Any) -> Iterator[dict[str, Any]]:
    if kind in (Kind.TERMS, Kind.FORMULAS, Kind.INTS, Kind.MATRIX):
        yield from _drop_items(part, name, value)
    if kind is Kind.TERM:
        yield from ({name: new} for new in simplify_term(value))
    elif kind is Kind.TERMS:
        for k, term in enumerate(value):
            yield from ({name: _put_item(value, k, new)} for new in simplify_term(term))
    elif kind is Kind.INT and isinstance(value, int):
        yield from ({name: new} for new in lower(value))
    elif kind is Kind.INTS:
        for k, number in enumerate(value):
            yield from ({name: _put_item(value, k, new)} for new in lower(number))
    elif kind is Kind.ROWS and sum(map(len, value)) <= FEW_ENTRIES:
        for k, row in enumerate(value):
            for place, number in enumerate(row):
                if isinstance(number, int):
                    for new in lower(number):
                        yield {name: _put_item(value, k, _put_item(row, place, new))}


def _drop_items(part: Fielded, name: str, value: tuple[Any, ...]) -> Iterator[dict[str, Any]]:
    """Without one item: first with what belongs to it in other fields of the same length, and in
    the columns of rows; then alone."""
    for k in range(len(value)):
        changed = {name: _leave_out(value, k)}
        beside = dict(changed)
        for other, kind, items in _list_fields(part):
            if other == name:
                continue
            if kind in (Kind.TERMS, Kind.INTS, Kind.FORMULAS) and len(items) == len(value):
                beside[other] = _leave_out(items, k)
            elif kind in (Kind.ROWS, Kind.MATRIX) and {*map(len, items)} == {len(value)}:
                beside[other] = tuple(dict.fromkeys(_leave_out(row, k) for row in items))
        if len(beside) > 1:
            yield beside
        yield changed


def simplify_term(term: Any) -> Iterator[Any]:
    """Simpler terms than one that is not a plain variable."""
    if not isinstance(term, Affine):
        return
    variable, factor, offset = affine(term)
    if variable is None:
        yield from map(constant, lower(offset))
        return
    yield variable
    for new in lower(factor):
        if new:
            yield shortest(Affine(variable, new, offset))
    for new in lower(offset):
        yield shortest(Affine(variable, factor, new))


def lower(number: Any) -> Iterator[int]:
    """Numbers nearer to 0, the nearest first; and a positive one for a negative."""
    if not isinstance(number, int) or isinstance(number, bool) or number == 0:
        return
    sign, size = (1, number) if number > 0 else (-1, -number)
    tried = dict.fromkeys((0, 1, size // 2, size - 1))
    yield from (sign * new for new in tried if new < size)
    if sign < 0:
        yield size


def _try(part: Any, changed: dict[str, Any]) -> Any:
    try:
        return _set_fields(part, changed)
    except (ConcordError, ValueError, TypeError, IndexError, KeyError):
        return None


def _list_fields(part: Fielded) -> Iterator[tuple[str, Kind, Any]]:
    for made, value in part.present_fields():
        yield made.name, made.kind, value


def _set_field(part: Any, name: str, value: Any) -> Any:
    return _set_fields(part, {name: value})


def _set_item(part: Any, name: str, k: int, value: Any) -> Any:
    return _set_field(part, name, _put_item(getattr(part, name), k, value))


def _set_fields(part: Any, changed: dict[str, Any]) -> Any:
    """A copy with other fields, checked and derived anew as its class does it."""
    made = copy(part)
    for key in list(made.__dict__):
        if key in DERIVED or isinstance(getattr(type(part), key, None), cached_property):
            del made.__dict__[key]
    for name, value in changed.items():
        object.__setattr__(made, name, value)
    made.__post_init__()
    return made


def _leave_out(items: tuple[Any, ...], k: int) -> tuple[Any, ...]:
    return (*items[:k], *items[k + 1 :])


def _put_item(items: tuple[Any, ...], k: int, new: Any) -> tuple[Any, ...]:
    return (*items[:k], new, *items[k + 1 :])


def count_parts(whole: Function | Constraint) -> int:
    """How many constraints and functions one is made of."""
    return 1 + sum(count_parts(part) for part in whole.parts())
