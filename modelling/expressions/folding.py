"""Nested sums, conjunctions and disjunctions taken apart, however deeply they are nested.

Python's ``sum`` of 10,000 terms is nested as many times. After 100 steps of ``e = e + e``, the last
expression contains the first 2**100 times. So ``count_leaves`` does not recurse and visits each
node once. It counts how often each leaf occurs in all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Parts = Callable[[Any], list[tuple[Any, int]] | None]
"""The parts of a node, each with how often it occurs in the node; None for a leaf."""


def count_leaves(root: Any, parts_of: Parts) -> list[tuple[Any, int]]:
    """The leaves below ``root`` by first occurrence, each with how often it occurs there."""
    inner: dict[int, list[tuple[Any, int]]] = {}
    leaves: dict[int, Any] = {}
    order: list[int] = []  # inner nodes, each after all nodes below it
    left: list[tuple[Any, bool]] = [(root, False)]
    while left:
        node, done = left.pop()
        key = id(node)
        if done:
            order.append(key)
        elif key not in inner and key not in leaves:
            parts = parts_of(node)
            if parts is None:
                leaves[key] = node
                continue
            inner[key] = parts
            left.append((node, True))
            left.extend([(part, False) for part, _ in reversed(parts)])
    times = dict.fromkeys((*inner, *leaves), 0)
    times[id(root)] = 1
    for key in reversed(order):
        for part, factor in inner[key]:
            times[id(part)] += times[key] * factor
    return [(leaf, times[key]) for key, leaf in leaves.items()]
