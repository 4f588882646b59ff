"""Whether a filled grid obeys the rules, by the rules alone.

Rows, columns and boxes are worked out here by themselves, so that a mistake in the model, in its
constraints or in ``layout`` does not go unnoticed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from puzzles.grid.layout import Layout


def faults(layout: Layout, givens: Sequence[int], values: Sequence[int]) -> list[str]:
    """Everything that is wrong with ``values`` as the solution of ``givens`` (0: blank)."""
    n = layout.order
    if len(values) != n * n:
        return [f"{len(values)} values for {n * n} cells"]
    wrong = [
        f"r{i // n + 1}c{i % n + 1} = {value!r} is not between 1 and {n}"
        for i, value in enumerate(values)
        if value not in range(1, n + 1)
    ]
    wrong += [
        f"r{i // n + 1}c{i % n + 1} = {value!r}, but its given is {given}"
        for i, (given, value) in enumerate(zip(givens, values, strict=True))
        if given and value != given
    ]
    for name, group in _groups(layout, values):
        if len(set(group)) < n:
            repeated = [item for item in Counter(group).items() if item[1] > 1]
            wrong += [f"{name} holds {value!r} {times} times" for value, times in repeated]
    return wrong


def _groups(layout: Layout, values: Sequence[int]) -> Iterator[tuple[str, Sequence[int]]]:
    n = layout.order
    for k in range(n):
        yield f"row {k + 1}", values[k * n : k * n + n]
        yield f"column {k + 1}", values[k::n]
    if layout.box is None:
        return
    high, wide = layout.box
    boxes: dict[tuple[int, int], list[int]] = {}
    for i, value in enumerate(values):
        boxes.setdefault((i // n // high, i % n // wide), []).append(value)
    for number, group in enumerate(boxes.values(), 1):
        yield f"box {number}", group
