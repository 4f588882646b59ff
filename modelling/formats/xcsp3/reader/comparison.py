"""Comparisons of many: allDifferent, allEqual, ordered, lex, precedence."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Any

from modelling import constraints as core
from modelling.constraint import Constraint
from modelling.expressions.expression import Call, common_space, to_term
from modelling.formats.xcsp3.reader.document import Element, show
from modelling.formats.xcsp3.reader.entities import COMPARISONS, Reading
from modelling.formats.xcsp3.reader.intension import add
from modelling.terms import Term, constant
from modelling.vocabulary.formulas.linear import equals


def read_all_different(reading: Reading, element: Element) -> None:
    """All differ: of a list, of the rows and columns of a matrix, or several lists as wholes."""
    element.check(("list", "matrix", "except"))
    lists, matrix, but = element.every("list"), element.find("matrix"), element.find("except")
    if matrix is not None:
        if lists:
            matrix.refuse("stands beside a list; one of them says what is to differ")
        excepted = reading.numbers(but) if but is not None else ()
        rows = [list(map(to_term, row)) for row in reading.matrix(matrix)]
        for line in (*rows, *zip(*rows, strict=True)):
            reading.post(core.AllDifferent(tuple(line), tuple(excepted)))
    elif len(lists) < 2:
        excepted = reading.numbers(but) if but is not None else ()
        terms = reading.terms(lists[0] if lists else element)
        reading.post(core.AllDifferent(terms, tuple(excepted)))
    else:
        _differ_as_wholes(reading, element, lists, but)


def _differ_as_wholes(
    reading: Reading, element: Element, lists: Sequence[Element], but: Element | None
) -> None:
    """Each two lists differ in a place, unless one of them is an excepted tuple."""
    found = [reading.terms(one) for one in lists]
    length = _one_length(element, found)
    excepted = reading.rows(but) if but is not None else ()
    if excepted and len(excepted[0]) != length:
        element.refuse(f"the excepted tuples have not {length} values, as the lists have")
    number = len(found)
    reading.document.charge(number * (number - 1) // 2 * length * (1 + len(excepted)), element)
    freed = [[_is_row(terms, row) for row in excepted] for terms in found]
    for i, j in combinations(range(number), 2):
        differences = [core.NotEqual(pair) for pair in zip(found[i], found[j], strict=True)]
        reading.post(core.Or((*differences, *freed[i], *freed[j])))


def _is_row(terms: Sequence[Term], row: Sequence[int]) -> Constraint:
    return core.And(tuple(equals(term, value) for term, value in zip(terms, row, strict=True)))


def _one_length(element: Element, lists: Sequence[Sequence[Any]]) -> int:
    if len(set(map(len, lists))) != 1:
        element.refuse("has lists of several lengths")
    return len(lists[0])


def read_all_equal(reading: Reading, element: Element) -> None:
    """All are equal; with excepted values, those of the others, of which there is one at least."""
    element.check(("list", "except"))
    terms = reading.terms(element.find("list") or element)
    but = element.find("except")
    if but is None:
        reading.post(core.AllEqual(terms))
    else:
        reading.post(equals(core.NValue(terms, tuple(reading.numbers(but))), 1))


def _operator(element: Element) -> str:
    named = element.child("operator").content().text.strip()
    if named not in ("lt", "le", "ge", "gt"):
        element.refuse(f"{show(named)} is no operator of an order; use lt, le, ge or gt")
    return named


def read_ordered(reading: Reading, element: Element) -> None:
    """Each is less (or at most, ...) than the next; with lengths, the ends of each."""
    element.check(("list", "lengths", "operator"))
    name = _operator(element)
    lengths = element.find("lengths")
    if lengths is None:
        terms = reading.terms(element.child("list"))
        reading.post(core.Increasing(terms, name in ("lt", "gt"), name in ("ge", "gt")))
        return
    items = reading.checked(element, reading.items(element.child("list")))
    added = reading.checked(lengths, reading.items(lengths))
    if len(added) not in (len(items), len(items) - 1):
        element.refuse(f"has {len(added)} lengths for {len(items)} variables")
    for (one, other), length in zip(pairwise(items), added, strict=False):
        reading.post(COMPARISONS[name](add([one, length]), other))


def read_lex(reading: Reading, element: Element) -> None:
    """Lists in lexicographic order; of a matrix, its rows and its columns."""
    element.check(("list", "matrix", "operator"))
    name = _operator(element)
    matrix = element.find("matrix")
    if matrix is not None:
        rows: list[Sequence[Any]] = [list(map(to_term, row)) for row in reading.matrix(matrix)]
        both: list[list[Sequence[Any]]] = [rows, list(zip(*rows, strict=True))]
    else:
        both = [[reading.terms(one) for one in element.every("list")]]
        if len(both[0]) < 2:
            element.refuse("has no two lists to compare")
        _one_length(element, both[0])
    for lines in both:
        ordered = lines if name in ("lt", "le") else lines[::-1]
        reading.post(core.Lex(tuple(map(tuple, ordered)), name in ("lt", "gt")))


def read_precedence(reading: Reading, element: Element) -> None:
    """Each value occurs only after the one before it; ``covered``: the last one occurs."""
    element.check(("list", "values"))
    inner = element.find("values")
    items = reading.checked(element, reading.items(element.find("list") or element))
    terms = tuple(map(to_term, items))
    if inner is None:
        values = tuple(sorted(_values(reading, element, terms)))
    else:
        values = tuple(reading.numbers(inner))
        inner.check((), ("covered", "as"))
    if len(set(values)) != len(values) or not (values and terms):
        element.refuse("lists no variables, no values, or a value twice")
    reading.post(core.Precedence(terms, values))
    if inner is not None and inner.flag("covered", False):
        counted = Call(common_space(*items), core.Count(terms, (constant(values[-1]),)))
        reading.post(counted >= 1)


def _values(reading: Reading, element: Element, terms: Sequence[Term]) -> set[int]:
    """All values that variables can have."""
    found: set[int] = set()
    seen: set[int] = set()
    for term in terms:
        if type(term) is not int:
            element.refuse("lists expressions without values; say which values are meant")
        domain = reading.space.domains[term]
        if id(domain) not in seen:
            seen.add(id(domain))
            reading.document.charge(len(domain), element)
            found.update(domain)
    return found
