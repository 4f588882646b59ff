"""Variables as MiniZinc declares them: arrays of those whose names look like their elements.

``x[0,0]``, ``x[0,1]``, ... are one array ``x`` where they are all elements of a box of places, with
numbers between commas. Other names that are not identifiers are replaced.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from math import prod
from typing import NamedTuple

_ELEMENT = re.compile(r"([A-Za-z][A-Za-z0-9_]*)\[(-?[0-9]{1,9}(?:,-?[0-9]{1,9})*)\]")
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")

_WORDS = frozenset(
    """
    abs all_different alldifferent all_equal ann annotation any array array1d array2d bin_packing
    bin_packing_capa bin_packing_load bool bool2int case circuit constraint count cumulative
    decreasing default diff diffn diffn_nonstrict disjunctive disjunctive_strict div else elseif
    endif enum exists false float forall function global_cardinality global_cardinality_closed if in
    include increasing infinity int intersect inverse let lex_less lex_lesseq list max maximize min
    minimize mod not nvalue of op opt output par predicate record regular regular_nfa satisfy set
    show solve strictly_decreasing strictly_increasing string subcircuit subset sum superset symdiff
    t_ v_ i_ j_ table test then true tuple type union value_precede_chain var where xor xorall
    alldifferent_except
    """.split()  # noqa: SIM905 (as a list of strings it would fill a page)
)


class Grid(NamedTuple):
    """An array: its name, the first and last place in each dimension, its variables in order."""

    name: str
    ends: tuple[tuple[int, int], ...]
    variables: tuple[int, ...]

    def places(self) -> str:
        """The index sets, as they are declared."""
        return ", ".join(f"{low}..{high}" for low, high in self.ends)


class Names:
    """What each variable is called: ``called[variable]``; and the arrays."""

    def __init__(self, names: Sequence[str], declared: int) -> None:
        self.taken = set(_WORDS)
        self.called = [""] * len(names)
        self.replaced: list[tuple[str, str]] = []
        self._tried: dict[str, int] = {}
        self.grids = self._find_grids(names[:declared])
        single = [v for v in range(len(names)) if not self.called[v]]
        for variable in single[:]:
            name = names[variable]
            plain = variable < declared and _IDENTIFIER.fullmatch(name)
            if plain and name not in self.taken:
                self.called[variable] = name
                self.taken.add(name)
                single.remove(variable)
        for variable in single:
            self._replace(variable, names[variable] if variable < declared else "aux")
        self.replaced = [one for one in self.replaced if one[0] != "aux"]

    def _find_grids(self, names: Sequence[str]) -> list[Grid]:
        found: dict[str, dict[tuple[int, ...], int]] = {}
        plain = set(names)
        for variable, name in enumerate(names):
            match = _ELEMENT.fullmatch(name)
            if match:
                places = tuple(map(int, match[2].split(",")))
                if name == f"{match[1]}[{','.join(map(str, places))}]":
                    found.setdefault(match[1], {})[places] = variable
        return [
            grid
            for name, elements in found.items()
            if name not in plain and name not in self.taken
            for grid in self._grid(name, elements)
        ]

    def _grid(self, name: str, elements: dict[tuple[int, ...], int]) -> list[Grid]:
        """The array of these elements, if they are a whole box."""
        widths = set(map(len, elements))
        if len(widths) > 1 or widths.pop() > 6:
            return []
        ends = tuple((min(axis), max(axis)) for axis in zip(*elements, strict=True))
        if prod(high - low + 1 for low, high in ends) != len(elements):
            return []
        self.taken.add(name)
        places = list(product(*(range(low, high + 1) for low, high in ends)))
        for place in places:
            self.called[elements[place]] = f"{name}[{','.join(map(str, place))}]"
        return [Grid(name, ends, tuple(elements[place] for place in places))]

    def _replace(self, variable: int, name: str) -> None:
        plain = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")
        if not plain[:1].isalpha():
            plain = f"v_{plain}".rstrip("_")
        found, number = plain, self._tried.get(plain, 1)
        while found in self.taken:
            number += 1
            found = f"{plain}_{number}"
        self._tried[plain] = number
        self.taken.add(found)
        self.replaced.append((name, found))
        self.called[variable] = found
