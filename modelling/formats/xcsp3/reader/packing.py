"""Packing and scheduling: noOverlap, cumulative, binPacking, knapsack, flow."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from modelling import constraints as core
from modelling.expressions.expression import bounds_of, join, to_term
from modelling.formats.xcsp3.reader.connection import count_from_zero
from modelling.formats.xcsp3.reader.counting import weigh
from modelling.formats.xcsp3.reader.document import Element
from modelling.formats.xcsp3.reader.entities import Condition, Reading
from modelling.formats.xcsp3.reader.intension import add


def read_no_overlap(reading: Reading, element: Element) -> None:
    """Tasks, or boxes of any number of dimensions, that do not overlap."""
    element.check(("origins", "lengths"), ("zeroIgnored",))
    origins, lengths = element.child("origins"), element.child("lengths")
    strict = not element.flag("zeroIgnored", True)
    if not lengths.content().text.strip().startswith("("):
        starts = reading.terms(origins)
        reading.post(core.NoOverlap(starts, reading.terms(lengths), strict))
        return
    places, sizes = reading.matrix(origins), reading.matrix(lengths)
    if [len(row) for row in places] != [len(row) for row in sizes]:
        element.refuse(f"has {len(places)} origins but {len(sizes)} lengths, or of other dimension")
    dimensions = len(places[0])
    if dimensions < 3:
        columns = [
            tuple(map(to_term, column))
            for table in (places, sizes)
            for column in zip(*table, strict=True)
        ]
        if dimensions == 1:
            reading.post(core.NoOverlap(columns[0], columns[1], strict))
        else:
            reading.post(core.NoOverlap2D(columns[0], columns[1], columns[2], columns[3], strict))
        return
    pairs = len(places) * (len(places) - 1) // 2
    reading.document.charge(2 * pairs * dimensions, element)
    for one, other in combinations(list(zip(places, sizes, strict=True)), 2):
        reading.post(join(core.Or, _apart(one, other, strict)))


def _apart(one: Any, other: Any, strict: bool) -> list[Any]:
    """The ways in which two boxes do not overlap."""
    found: list[Any] = []
    for x, w, y, v in zip(*one, *other, strict=True):
        found += [add([x, w]) <= y, add([y, v]) <= x]
        if not strict:
            found += [w == 0, v == 0]
    return found


def read_cumulative(reading: Reading, element: Element) -> None:
    """Tasks whose demands never exceed a capacity; ends are starts and lengths together."""
    element.check(("origins", "lengths", "ends", "heights", "condition"))
    origins, lengths, heights = (
        reading.checked(element, reading.items(element.child(tag)))
        for tag in ("origins", "lengths", "heights")
    )
    if not len(origins) == len(lengths) == len(heights):
        element.refuse(
            f"has {len(origins)} origins, {len(lengths)} lengths and {len(heights)} heights"
        )
    capacity = _capacity(element, reading.condition(element.child("condition")))
    starts, durations, demands = (
        tuple(map(to_term, items)) for items in (origins, lengths, heights)
    )
    reading.post(core.Cumulative(starts, durations, demands, to_term(capacity)))
    ends = element.find("ends")
    if ends is not None:
        items = reading.checked(ends, reading.items(ends))
        if len(items) != len(origins):
            ends.refuse(f"has {len(items)} ends for {len(origins)} tasks")
        for start, length, end in zip(origins, lengths, items, strict=True):
            reading.post(add([start, length]) == end)


def _capacity(element: Element, condition: Condition) -> Any:
    """What a load may be at most."""
    if condition.operator not in ("le", "lt"):
        element.refuse(
            f"the condition {condition.operator} is not supported, only an upper bound: (le,...)"
        )
    return condition.operand if condition.operator == "le" else add([condition.operand, -1])


def read_bin_packing(reading: Reading, element: Element) -> None:
    """Items of given sizes in bins, with limits, loads, or a condition on each bin."""
    element.check(("list", "sizes", "limits", "loads", "condition", "conditions"))
    items = reading.checked(element, reading.items(element.child("list")))
    sizes = reading.numbers(element.child("sizes"))
    if not items or len(items) != len(sizes):
        element.refuse(f"has {len(items)} items but {len(sizes)} sizes")
    kinds = [tag for tag in ("limits", "loads", "condition", "conditions") if element.find(tag)]
    if len(kinds) != 1:
        element.refuse("has one of limits, loads, condition and conditions")
    inner = element.child(kinds[0])
    if kinds[0] == "condition":
        _limit_every_bin(reading, element, items, sizes, reading.condition(inner))
        return
    inner.check((), ("startIndex", "as"))
    start = inner.integer("startIndex", 0)
    if kinds[0] == "conditions":
        conditions = reading.conditions(inner)
    else:
        name = "le" if kinds[0] == "limits" else "eq"
        held = reading.checked(inner, reading.items(inner))
        conditions = [Condition(name, item) for item in held]
    _limit_bins(reading, element, items, sizes, conditions, start)


def _limit_bins(
    reading: Reading,
    element: Element,
    items: Sequence[Any],
    sizes: Sequence[int],
    conditions: Sequence[Condition],
    start: int,
) -> None:
    """Bins from ``start`` on; an item in none of them is in no one's load."""
    names = {condition.operator for condition in conditions}
    ends = [bounds_of(item) for item in items]
    inside = all(start <= least and most < start + len(conditions) for least, most in ends)
    if inside and len(names) == 1 and names <= {"le", "eq"}:
        limits = tuple(to_term(condition.operand) for condition in conditions)
        relation = "<=" if names == {"le"} else "=="
        reading.post(core.BinPacking(count_from_zero(items, start), tuple(sizes), relation, limits))
        return
    reading.document.charge(len(items) * len(conditions), element)
    for number, condition in enumerate(conditions, start):
        reading.post(condition.of(_load(element, items, sizes, number)))


def _limit_every_bin(
    reading: Reading,
    element: Element,
    items: Sequence[Any],
    sizes: Sequence[int],
    condition: Condition,
) -> None:
    """One condition for all bins that hold an item; the bins are the values of the items."""
    ends = [bounds_of(item) for item in items]
    first, last = min(low for low, _ in ends), max(high for _, high in ends)
    reading.document.charge(last - first + 1, element)
    if condition.operator in ("le", "lt"):
        limit = to_term(_capacity(element, condition))
        limits = (limit,) * (last - first + 1)
        reading.post(core.BinPacking(count_from_zero(items, first), tuple(sizes), "<=", limits))
        return
    reading.document.charge(2 * len(items) * (last - first + 1), element)
    for number in range(first, last + 1):
        used = join(core.Or, [item == number for item in items])
        reading.post(used.implies(condition.of(_load(element, items, sizes, number))))


def _load(element: Element, items: Sequence[Any], sizes: Sequence[int], number: int) -> Any:
    return weigh(element, [item == number for item in items], sizes)


def read_knapsack(reading: Reading, element: Element) -> None:
    """Two sums of one list: weights and profits."""
    element.check(("list", "weights", "limit", "profits", "condition"))
    items = reading.checked(element, reading.items(element.child("list")))
    conditions = [reading.condition(one) for one in element.every("condition")]
    limit = element.find("limit")
    if limit is not None:
        conditions.insert(0, Condition("le", reading.item(limit)))
    if len(conditions) != 2:
        element.refuse("has one condition on the weights and one on the profits")
    for tag, condition in zip(("weights", "profits"), conditions, strict=True):
        factors = reading.numbers(element.child(tag))
        reading.post(condition.of(weigh(element, items, factors)))


def read_flow(reading: Reading, element: Element) -> None:
    """What leaves each node is more than what enters it by its balance; and perhaps the cost."""
    element.check(("list", "balance", "arcs", "weights", "condition"))
    items = reading.checked(element, reading.items(element.child("list")))
    balance = reading.numbers(element.child("balance"))
    inner = element.child("arcs")
    arcs = reading.rows(inner, once=False)
    if len(arcs) != len(items) or any(len(arc) != 2 for arc in arcs):
        element.refuse(f"has {len(items)} flows but {len(arcs)} arcs of two nodes")
    nodes = sorted({node for arc in arcs for node in arc})
    if not nodes or nodes != list(range(nodes[0], nodes[0] + len(balance))):
        element.refuse(f"has {len(balance)} balances, but arcs between other nodes")
    ends: list[tuple[list[Any], list[int]]] = [([], []) for _ in nodes]
    for item, (tail, head) in zip(items, arcs, strict=True):
        for node, sign in ((tail, 1), (head, -1)):
            ends[node - nodes[0]][0].append(item)
            ends[node - nodes[0]][1].append(sign)
    for (flows, signs), wanted in zip(ends, balance, strict=True):
        reading.post(weigh(element, flows, signs) == wanted)
    weights = element.find("weights")
    if weights is not None:
        total = weigh(element, items, reading.numbers(weights))
        reading.post(reading.condition(element.child("condition")).of(total))
