"""NoOverlap: tasks of which no two run at the same time."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from modelling.constraint import NO_SIMPLE_OPPOSITE, Constraint, Predicate
from modelling.errors import ModelError
from modelling.terms import Fresh, Term, Terms, constants
from modelling.vocabulary.formulas.connectives import And, Or
from modelling.vocabulary.formulas.linear import Linear, defined, equals


@dataclass(frozen=True)
class NoOverlap(Predicate):
    """Tasks run from ``starts[i]`` for ``lengths[i]``, and no two at the same time.

    A task of length 0 runs at no time, and may be anywhere; if ``strict``, not inside another one,
    but at its ends (and with others of length 0) it may. A negative length makes it false. As many
    lengths as starts (ModelError).

    The decomposition: of each two tasks, one ends before the other starts (Manne, "On the job-shop
    scheduling problem", Operations Research 8, 1960). It grows with the square of their number.
    """

    xcsp3: ClassVar[str] = "noOverlap"
    minizinc: ClassVar[str] = "disjunctive"
    WITHOUT = NO_SIMPLE_OPPOSITE

    starts: Terms
    lengths: Terms
    strict: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.starts) != len(self.lengths):
            raise ModelError(
                f"NoOverlap: {len(self.starts)} starts but {len(self.lengths)} lengths"
            )

    def relates(self, starts: Sequence[int], lengths: Sequence[int], strict: bool) -> bool:
        if any(length < 0 for length in lengths):
            return False
        tasks = [(s, d) for s, d in zip(starts, lengths, strict=True) if strict or d]
        return all(s + d <= t or t + e <= s for (s, d), (t, e) in combinations(tasks, 2))

    def expand(self, fresh: Fresh) -> Constraint:
        tasks = list(zip(self.starts, self.lengths, strict=True))
        apart = (
            Or((*before(*one, *other), *([] if self.strict else empty(one[1], other[1]))))
            for one, other in combinations(tasks, 2)
        )
        return And((*not_negative(self.lengths), *apart, *defined(self.starts)))

    def expanded_size(self) -> int:
        return 20 * len(self.starts) * (1 + len(self.starts))

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> NoOverlap:
        starts = terms.some(0, 3)
        return cls(starts, terms.lengths(len(starts)), rng.random() < 0.5)

    EDGES = (
        (((), ()), True),
        ((constants(3), constants(-1)), False),
        ((constants(0, 2), constants(2, 2)), True),
        ((constants(0, 1), constants(2, 2)), False),
        ((constants(0, 1), constants(2, 0)), True),
        ((constants(0, 1), constants(2, 0), True), False),
        ((constants(0, 2), constants(2, 0), True), True),
        ((constants(1, 1), constants(0, 0), True), True),
        ((constants(0, 0), constants(1, 0), True), True),
    )


def before(start: Term, length: Term, other: Term, other_length: Term) -> tuple[Linear, Linear]:
    """That the first ends before the other starts, or the other way round."""
    return (
        Linear((start, length, other), (1, 1, -1), "<=", 0),
        Linear((other, other_length, start), (1, 1, -1), "<=", 0),
    )


def empty(*lengths: Term) -> Iterator[Linear]:
    """That a length is 0, for each."""
    return (equals(length, 0) for length in lengths)


def not_negative(lengths: Sequence[Term]) -> Iterator[Linear]:
    """That each is 0 at least."""
    return (Linear((length,), (1,), ">=", 0) for length in lengths)
