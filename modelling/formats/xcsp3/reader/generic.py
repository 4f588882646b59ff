"""Formulas, tables, automata, diagrams, clauses and values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from modelling.expressions.expression import join, to_formula
from modelling.formats.xcsp3.reader.document import Element, show
from modelling.formats.xcsp3.reader.entities import Reading
from modelling.vocabulary.automata.mdd import MDD
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.formulas.connectives import FALSE, Or
from modelling.vocabulary.formulas.linear import equals
from modelling.vocabulary.formulas.table import Table

_LABELS = re.compile(r"([+-]?[0-9]{1,18})(?:\.\.([+-]?[0-9]{1,18}))?")


def read_intension(reading: Reading, element: Element) -> None:
    """``<intension> le(add(x,2),y) </intension>``, or with a ``<function>``."""
    element.check(("function",))
    reading.post(to_formula(reading.expression(element.find("function") or element)))


def read_extension(reading: Reading, element: Element) -> None:
    """Tuples that are allowed, or that are not."""
    element.check(("list", "supports", "conflicts"), ("type",))
    terms = reading.terms(element.child("list"))
    supports, conflicts = element.find("supports"), element.find("conflicts")
    if (supports is None) == (conflicts is None):
        element.refuse("has supports or conflicts, one of the two")
    listed = supports or conflicts
    assert listed is not None
    kept, key = listed.content().kept, f"table {supports is not None}"
    known: Table | None = kept.get(key)
    if known is not None:  # the tuples of a group are looked at once
        reading.post(known.with_terms(terms))
        return
    rows: tuple[tuple[Any, ...], ...]
    if listed.content().text.lstrip().startswith("("):
        rows = reading.rows(listed)
    else:
        rows = tuple((value,) for value in dict.fromkeys(reading.numbers(listed)))
    if rows and len(rows[0]) != len(terms):
        listed.refuse(f"has tuples of {len(rows[0])} values for {len(terms)} variables")
    made = kept[key] = Table(terms, rows, supports is not None)
    reading.post(made)


def read_regular(reading: Reading, element: Element) -> None:
    """The values lead an automaton from its start to one of its final states."""
    element.check(("list", "transitions", "start", "final"))
    terms = reading.terms(element.child("list"))
    arcs, states = _transitions(reading, element.child("transitions"))
    start = element.child("start").content().text.strip()
    finals = element.child("final").content().text.split()
    known = dict(states)
    for state in (start, *finals):
        known.setdefault(state, len(known))
    reading.post(Regular(terms, arcs, known[start], tuple(known[state] for state in finals)))


def read_mdd(reading: Reading, element: Element) -> None:
    """The values are those of a path from the root of a diagram, with a step for each term."""
    element.check(("list", "transitions"))
    terms = reading.terms(element.child("list"))
    arcs, states = _transitions(reading, element.child("transitions"))
    if not arcs:
        reading.post(FALSE)
    elif is_layered(arcs, len(terms)):
        reading.post(MDD(terms, arcs))
    else:  # any way of that length will do, wherever it ends
        reading.post(Regular(terms, arcs, arcs[0][0], tuple(states.values())))


Arcs = tuple[tuple[int, int, int], ...]


def _transitions(reading: Reading, element: Element) -> tuple[Arcs, dict[str, int]]:
    """Transitions with states by number, and the numbers by name; a label may be several values."""
    source = element.content()
    known: tuple[Arcs, dict[str, int]] | None = source.kept.get("transitions")
    if known is None:
        states: dict[str, int] = {}
        arcs: list[tuple[int, int, int]] = []
        for words in reading.tuples(element):
            if len(words) != 3:
                element.refuse(f"({show(','.join(words))}) is no transition as (a,0,b)")
            start, end = (states.setdefault(words[k], len(states)) for k in (0, 2))
            for value in _labels(reading, element, words[1]):
                arcs.append((start, value, end))
        known = source.kept["transitions"] = tuple(dict.fromkeys(arcs)), states
    reading.document.charge(3 * len(known[0]), element)
    return known


def _labels(reading: Reading, element: Element, label: str) -> Sequence[int]:
    found: list[int] = []
    inner = label[1:-1] if label.startswith("{") and label.endswith("}") else label
    for word in inner.replace(",", " ").split():
        parts = _LABELS.fullmatch(word)
        if parts is None:
            element.refuse(f"the label {show(label)} is no integer, range or set of integers")
        values = reading.range_of(element, word) if parts[2] else (int(parts[1]),)
        found += values
    return found


def is_layered(arcs: Arcs, steps: int) -> bool:
    """Whether the paths from the root to a leaf are exactly those that have ``steps`` steps."""
    following: dict[int, set[int]] = {}
    for state, _, to in arcs:
        following.setdefault(state, set()).add(to)
    layer, seen = {arcs[0][0]}, {arcs[0][0]}
    for step in range(steps + 1):
        leaves = {state for state in layer if state not in following}
        if leaves and (step < steps or leaves != layer):
            return False
        after = set().union(*(following.get(state, set()) for state in layer))
        if after & seen:
            return False
        if step == steps:
            return not after
        seen |= after
        layer = after
    return False


def read_instantiation(reading: Reading, element: Element) -> None:
    """Each variable has its value."""
    element.check(("list", "values"))
    terms = reading.terms(element.child("list"))
    values = reading.numbers(element.child("values"))
    if len(values) != len(terms):
        element.refuse(f"has {len(terms)} variables but {len(values)} values")
    reading.post(*(equals(term, value) for term, value in zip(terms, values, strict=True)))


def read_clause(reading: Reading, element: Element) -> None:
    """One of the literals is true: ``x`` is 1, ``not(x)`` is 0."""
    element.check(("list",))
    literals = reading.checked(element, reading.items(element.find("list") or element))
    reading.post(join(Or, literals))
