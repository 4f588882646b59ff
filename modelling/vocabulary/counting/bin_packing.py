"""BinPacking: things of given sizes in bins."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from modelling.constraint import NO_SIMPLE_OPPOSITE, Constraint, Predicate
from modelling.errors import ModelError
from modelling.terms import Fresh, Ints, Terms, Text, constant, constants
from modelling.vocabulary.comparisons import RELATIONS
from modelling.vocabulary.formulas.connectives import And
from modelling.vocabulary.formulas.linear import Linear, equals, within
from modelling.vocabulary.formulas.truth import Truth


@dataclass(frozen=True)
class BinPacking(Predicate):
    """Item i is in bin ``items[i]``; what each bin holds is ``==`` its load or ``<=`` its capacity.

    Bins are counted from 0, and there are as many as ``limits``; an item outside of these makes it
    false. Without items, loads must be 0 and capacities not negative. There are as many sizes as
    items, and none is negative (ModelError).

    The decomposition sums, for each bin, the sizes of the items that are in it; Shaw, "A constraint
    for bin packing", CP 2004, has the constraint. It grows with items times bins.
    """

    xcsp3: ClassVar[str] = "binPacking"
    minizinc: ClassVar[str] = "bin_packing_load"
    WITHOUT = NO_SIMPLE_OPPOSITE

    items: Terms
    sizes: Ints
    relation: Text
    limits: Terms

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.items) != len(self.sizes):
            raise ModelError(f"BinPacking: {len(self.items)} items but {len(self.sizes)} sizes")
        if any(size < 0 for size in self.sizes):
            raise ModelError(f"BinPacking: the size {min(self.sizes)} is negative")
        if self.relation not in ("==", "<="):
            raise ModelError(
                f"BinPacking: unknown relation {self.relation!r}; use == for loads and <= for "
                "capacities"
            )

    def relates(
        self, items: Sequence[int], sizes: Sequence[int], relation: str, limits: Sequence[int]
    ) -> bool:
        held = [0] * len(limits)
        for item, size in zip(items, sizes, strict=True):
            if not 0 <= item < len(limits):
                return False
            held[item] += size
        return all(map(RELATIONS[relation], held, limits))

    def expand(self, fresh: Fresh) -> Constraint:
        inside = [part for item in self.items for part in within(item, 0, len(self.limits) - 1)]
        return And((*inside, *map(self._bin, range(len(self.limits)))))

    def _bin(self, number: int) -> Constraint:
        held = tuple(Truth(equals(item, number)) for item in self.items)
        return Linear((*held, self.limits[number]), (*self.sizes, -1), self.relation, 0)

    def expanded_size(self) -> int:
        return 8 * (1 + len(self.items)) * (1 + len(self.limits))

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> BinPacking:
        items = terms.some(0, 3)
        limits = tuple(
            terms.term() if rng.random() < 0.5 else constant(rng.randint(0, 4))
            for _ in range(rng.choice((0, 1, 2, 2, 3)))
        )
        sizes = tuple(rng.randint(0, 3) for _ in items)
        return cls(items, sizes, rng.choice(("==", "<=")), limits)

    EDGES = (
        (((), (), "==", ()), True),
        (((), (), "==", constants(0)), True),
        (((), (), "==", constants(1)), False),
        (((), (), "<=", constants(1)), True),
        (((), (), "<=", constants(-1)), False),
        ((constants(0), (0,), "==", ()), False),
        ((constants(1, 0, 1), (2, 3, 4), "==", constants(3, 6)), True),
        ((constants(1, 0, 1), (2, 3, 4), "<=", constants(4, 5)), False),
        ((constants(2), (0,), "<=", constants(9, 9)), False),
        ((constants(-1), (0,), "<=", constants(9, 9)), False),
    )
