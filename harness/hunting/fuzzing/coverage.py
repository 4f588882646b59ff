"""What a hunt has asked so far: each constraint, its position, the option, and the question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from modelling.constraints import VOCABULARY
from modelling.problem import Structure
from modelling.terms import Function

Placed = tuple[str, str]
"""The name of a class, and where it occurs: at the root, in the objective, or in which class."""


def find_placed(structure: Structure) -> frozenset[Placed]:
    """Each class of constraints and functions in the problem, with its positions."""
    waiting: list[tuple[Any, str]] = [(one, "root") for one in structure.constraints]
    if structure.objective is not None and isinstance(structure.objective.term, Function):
        waiting.append((structure.objective.term, "objective"))
    found = set()
    while waiting:
        part, position = waiting.pop()
        name = type(part).__name__
        found.add((name, position))
        waiting += [(inner, name) for inner in part.parts()]
    return frozenset(found)


def list_cells(placed: Iterable[Placed], items: Iterable[str], ask: str) -> Iterator[str]:
    """The cells of the coverage that a question falls into, as ``class|position|option|ask``."""
    options = [item.replace("|", "/") for item in items] or [""]
    for name, position in placed:
        for option in options:
            yield f"{name}|{position}|{option.replace('|', '/')}|{ask}"


@dataclass(frozen=True)
class Covered:
    """How much was covered: distinct values of each axis, and their combinations that occurred."""

    classes: int
    positions: int
    options: int
    asks: int
    cells: int
    missing: tuple[str, ...]


def summarise(cells: Mapping[str, int]) -> Covered:
    """The coverage in numbers; ``missing`` are classes of the vocabulary that never occurred."""
    axes: list[set[str]] = [set(), set(), set(), set()]
    for cell in cells:
        for axis, value in zip(axes, cell.split("|"), strict=True):
            axis.add(value)
    known = [kind.__name__ for kind in VOCABULARY]
    missing = tuple(name for name in known if name not in axes[0])
    options = axes[2] - {""}
    present = len(known) - len(missing)
    return Covered(present, len(axes[1]), len(options), len(axes[3]), len(cells), missing)


def count_values(cells: Mapping[str, int], axis: int) -> Counter[str]:
    """How often each value of an axis was asked; 0 are classes, 3 are questions."""
    counted: Counter[str] = Counter()
    for cell, times in cells.items():
        counted[cell.split("|")[axis]] += times
    return counted
