"""NoOverlap2D: boxes of which no two cover a common place."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from modelling.constraint import NO_SIMPLE_OPPOSITE, Constraint, Predicate
from modelling.errors import ModelError
from modelling.terms import Fresh, Term, Terms, constants
from modelling.vocabulary.formulas.connectives import And, Or
from modelling.vocabulary.formulas.linear import defined
from modelling.vocabulary.scheduling.no_overlap import before, empty, not_negative


@dataclass(frozen=True)
class NoOverlap2D(Predicate):
    """Boxes have a corner at ``xs[i], ys[i]``, and no two cover a common place.

    A box without width or height covers nothing, and may be anywhere; if ``strict``, not inside
    another one: it lies left of, right of, below or above it. A negative width or height makes it
    false. The four lists have one length (ModelError).

    The decomposition is this disjunction for each pair; Beldiceanu and Contejean, "Introducing
    global constraints in CHIP", Mathematical and Computer Modelling 20, 1994, have the constraint.
    It grows with the square of the number of boxes.
    """

    xcsp3: ClassVar[str] = "noOverlap"
    minizinc: ClassVar[str] = "diffn_nonstrict"
    WITHOUT = NO_SIMPLE_OPPOSITE

    xs: Terms
    ys: Terms
    widths: Terms
    heights: Terms
    strict: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        lengths = [len(self.xs), len(self.ys), len(self.widths), len(self.heights)]
        if len(set(lengths)) > 1:
            raise ModelError(
                "NoOverlap2D: {} and {} corners, {} widths, {} heights".format(*lengths)
            )

    def relates(
        self,
        xs: Sequence[int],
        ys: Sequence[int],
        widths: Sequence[int],
        heights: Sequence[int],
        strict: bool,
    ) -> bool:
        if any(length < 0 for length in (*widths, *heights)):
            return False
        boxes = [b for b in zip(xs, ys, widths, heights, strict=True) if strict or b[2] * b[3]]
        return all(
            x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y
            for (x, y, w, h), (x2, y2, w2, h2) in combinations(boxes, 2)
        )

    def expand(self, fresh: Fresh) -> Constraint:
        boxes = zip(self.xs, self.ys, self.widths, self.heights, strict=True)
        apart = list_apart(boxes, self.strict)
        sizes = not_negative((*self.widths, *self.heights))
        return And((*sizes, *apart, *defined((*self.xs, *self.ys))))

    def expanded_size(self) -> int:
        return 40 * len(self.xs) * (1 + len(self.xs))

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> NoOverlap2D:
        number = rng.choice((0, 1, 2, 2, 2, 3))
        xs, ys = terms.some(number, number), terms.some(number, number)
        widths, heights = (terms.lengths(number) for _ in range(2))
        return cls(xs, ys, widths, heights, rng.random() < 0.5)

    EDGES = (
        (((), (), (), ()), True),
        ((constants(0), constants(0), constants(1), constants(-1)), False),
        ((constants(0, 2), constants(0, 0), constants(2, 1), constants(2, 2)), True),
        ((constants(0, 1), constants(0, 1), constants(2, 2), constants(2, 2)), False),
        ((constants(0, 1), constants(0, 2), constants(2, 2), constants(2, 2)), True),
        ((constants(0, 1), constants(0, 1), constants(3, 0), constants(3, 1)), True),
        ((constants(0, 1), constants(0, 1), constants(3, 0), constants(3, 1), True), False),
        ((constants(0, 1), constants(0, 3), constants(3, 0), constants(3, 1), True), True),
    )


def list_apart(boxes: Iterable[tuple[Term, Term, Term, Term]], strict: bool) -> Iterator[Or]:
    """For any two boxes, that one lies left of, right of, below or above the other; if not
    ``strict``, or that one of them covers nothing."""
    for (x, y, w, h), (x2, y2, w2, h2) in combinations(list(boxes), 2):
        nothing = () if strict else empty(w, h, w2, h2)
        yield Or((*before(x, w, x2, w2), *before(y, h, y2, h2), *nothing))
