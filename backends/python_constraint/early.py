"""What partial assignments show already: checks that are false only where no completion holds.

python-constraint asks a function constraint at each value tried, and lets it see which variables
are without one. A check has the fields of its class as ``relates`` (or, of a function, the result
and the fields of ``value``), with None for a term that is not known yet; it is never asked when all
are known: then the definition decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

from modelling.constraints import Count
from modelling.vocabulary.automata.mdd import MDD
from modelling.vocabulary.automata.regular import Arcs, Regular
from modelling.vocabulary.counting.bin_packing import BinPacking
from modelling.vocabulary.counting.global_cardinality import GlobalCardinality
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.formulas.clauses import Block, Clauses
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.graphs.inverse import Inverse
from modelling.vocabulary.graphs.subcircuit import SubCircuit
from modelling.vocabulary.ordering.lex import Lex
from modelling.vocabulary.ordering.precedence import Precedence
from modelling.vocabulary.scheduling.cumulative import Cumulative
from modelling.vocabulary.scheduling.no_overlap import NoOverlap
from modelling.vocabulary.scheduling.no_overlap_2d import NoOverlap2D

Known = int | None
Some = Sequence[Any]


def known_of(terms: Iterable[Any]) -> list[int]:
    """The terms that are known."""
    return [term for term in terms if term is not None]


def count_range(terms: Some, values: Some) -> tuple[int, int]:
    """The least and greatest count with what is not known yet."""
    if None in values:
        return 0, len(terms)
    known = known_of(terms)
    found = sum(term in values for term in known)
    return found, found + len(terms) - len(known)


def nvalue_range(terms: Some, except_: Sequence[int]) -> tuple[int, int]:
    """Likewise; of what is not known each may be new."""
    known = known_of(terms)
    found = len(set(known) - set(except_))
    return found, found + len(terms) - len(known)


def count(result: Known, terms: Some, values: Some) -> bool:
    """The result can still be reached."""
    low, high = count_range(terms, values)
    return result is None or low <= result <= high


def nvalue(result: Known, terms: Some, except_: Sequence[int]) -> bool:
    """Likewise."""
    low, high = nvalue_range(terms, except_)
    return result is None or low <= result <= high


def global_cardinality(terms: Some, values: Sequence[int], counts: Some, closed: bool) -> bool:
    """Each count can still be reached; if closed, no other value is there."""
    known = known_of(terms)
    open_ = len(terms) - len(known)
    if closed and not set(known) <= set(values):
        return False
    return all(
        times is None or known.count(value) <= times <= known.count(value) + open_
        for value, times in zip(values, counts, strict=True)
    )


def bin_packing(items: Some, sizes: Sequence[int], relation: str, limits: Some) -> bool:
    """No bin is too full, or cannot be filled any more."""
    held, left = [0] * len(limits), 0
    for item, size in zip(items, sizes, strict=True):
        if item is None:
            left += size
        elif not 0 <= item < len(limits):
            return False
        else:
            held[item] += size
    return all(
        limit is None or (held_by <= limit and (relation == "<=" or held_by + left >= limit))
        for held_by, limit in zip(held, limits, strict=True)
    )


def lex(rows: Sequence[Some], strict: bool) -> bool:
    """Each two rows as far as both are known."""
    return all(_ordered(one, other, strict) for one, other in pairwise(rows))


def _ordered(one: Some, other: Some, strict: bool) -> bool:
    for x, y in zip(one, other, strict=False):
        if x is None or y is None:
            return True
        if x != y:
            return bool(x < y)
    return len(one) < len(other) if strict else len(one) <= len(other)


def precedence(terms: Some, values: Sequence[int]) -> bool:
    """As far as all are known."""
    seen: set[int] = set()
    for term in terms:
        if term is None:
            return True
        if any(term == later and value not in seen for value, later in pairwise(values)):
            return False
        seen.add(term)
    return True


def inverse(f: Some, g: Some) -> bool:
    """Each known value is a place of the other list, whose value there is unknown or leads back."""
    number = len(f)
    if number != len(g):
        return False
    for one, other in ((f, g), (g, f)):
        for place, value in enumerate(one):
            if value is not None and not (0 <= value < number and other[value] in (None, place)):
                return False
    return all(len(set(known)) == len(known) for known in (known_of(f), known_of(g)))


def circuit(next: Some) -> bool:  # noqa: A002 (the field's standard name)
    """Nodes, no two of them equal, and no tour before the last."""
    known = known_of(next)
    inside = all(0 <= value < len(next) for value in known)
    return inside and len(set(known)) == len(known) and not _tours(next)


def subcircuit(next: Some) -> bool:  # noqa: A002
    """The same; and after a tour, all that is known is left out or in it."""
    known = known_of(next)
    if not all(0 <= value < len(next) for value in known) or len(set(known)) != len(known):
        return False
    tours = [tour for tour in _tours(next) if len(tour) > 1]
    if not tours:
        return True
    return len(tours) == 1 and all(
        value in (None, node) for node, value in enumerate(next) if node not in tours[0]
    )


def _tours(next: Some) -> list[set[int]]:  # noqa: A002
    """The tours that are closed, of successors that are all different."""
    found, done = [], set()
    for first in range(len(next)):
        way: list[int] = []
        node: Known = first
        while node is not None and node not in done:
            done.add(node)
            way.append(node)
            node = next[node]
        if way and node == first:
            found.append(set(way))
    return found


def regular(terms: Some, transitions: Arcs, start: int, finals: Sequence[int]) -> bool:
    """Some way is left that leads to a final state."""
    states = {start}
    for term in terms:
        states = {
            to for state, value, to in transitions if state in states and term in (None, value)
        }
    return not states.isdisjoint(finals)


def mdd(terms: Some, transitions: Arcs) -> bool:
    """Some way is left from the root to a leaf."""
    inner = {state for state, _, _ in transitions}
    leaves = [to for _, _, to in transitions if to not in inner]
    return bool(transitions) and regular(terms, transitions, transitions[0][0], leaves)


def cumulative(starts: Some, durations: Some, demands: Some, capacity: Known) -> bool:
    """The load of the known tasks never exceeds the capacity."""
    if any(number < 0 for number in known_of((*durations, *demands, capacity))):
        return False
    if capacity is None:
        return True
    tasks = [task for task in zip(starts, durations, demands, strict=True) if None not in task]
    return all(
        sum(demand for start, duration, demand in tasks if start <= time < start + duration)
        <= capacity
        for time, _, _ in tasks
    )


def no_overlap(starts: Some, lengths: Some, strict: bool) -> bool:
    """No two known tasks overlap."""
    tasks = [task for task in zip(starts, lengths, strict=True) if None not in task]
    if any(length < 0 for length in known_of(lengths)):
        return False
    if not strict:
        tasks = [task for task in tasks if task[1]]
    return all(s + d <= t or t + e <= s for (s, d), (t, e) in combinations(tasks, 2))


def no_overlap_2d(xs: Some, ys: Some, widths: Some, heights: Some, strict: bool) -> bool:
    """No two known boxes overlap."""
    if any(length < 0 for length in known_of((*widths, *heights))):
        return False
    boxes = [box for box in zip(xs, ys, widths, heights, strict=True) if None not in box]
    if not strict:
        boxes = [box for box in boxes if box[2] * box[3]]
    return all(
        x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y
        for (x, y, w, h), (x2, y2, w2, h2) in combinations(boxes, 2)
    )


def clauses(terms: Some, literals: Block) -> bool:
    """In every clause some literal holds or is open."""
    return all(
        any(terms[abs(x) - 1] is None or (terms[abs(x) - 1] != 0) is (x > 0) for x in clause)
        for clause in literals
    )


CHECKS: Mapping[type, Callable[..., bool]] = {
    BinPacking: bin_packing,
    Circuit: circuit,
    Clauses: clauses,
    Count: count,
    Cumulative: cumulative,
    GlobalCardinality: global_cardinality,
    Inverse: inverse,
    Lex: lex,
    MDD: mdd,
    NValue: nvalue,
    NoOverlap: no_overlap,
    NoOverlap2D: no_overlap_2d,
    Precedence: precedence,
    Regular: regular,
    SubCircuit: subcircuit,
}
"""By class of constraints, or of functions, of which the result is the first field."""

RANGES: Mapping[type, Callable[..., tuple[int, int]]] = {Count: count_range, NValue: nvalue_range}
"""Functions that have a least and a greatest value as long as not all is known."""
