"""MDD: sequences that a decision diagram accepts."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from modelling.constraint import Constraint, Predicate
from modelling.terms import Fresh, Rows, Terms, constants
from modelling.vocabulary.automata.regular import Arcs, Regular, check_transitions
from modelling.vocabulary.formulas.connectives import FALSE, And
from modelling.vocabulary.formulas.linear import defined


@dataclass(frozen=True)
class MDD(Predicate):
    """The values are those of a way through a diagram, from its root to a leaf.

    ``transitions`` are ``(state, value, state)``. The root is the state of the first one; leaves
    are the states that none leaves. A way has a transition for each term, no more and no fewer. A
    state may have several for a value. A diagram without transitions has no ways: it is false, of
    no terms too, as a table without rows is.

    The decomposition is a ``Regular`` whose start is the root and whose finals are the leaves. As
    each place has its own states, it grows with the number of transitions (Cheng and Yap, "An
    MDD-based generalized arc consistency algorithm for positive and negative table constraints and
    some global constraints", Constraints 15, 2010, have the constraint).
    """

    xcsp3: ClassVar[str] = "mdd"
    minizinc: ClassVar[str] = "mdd"
    WITHOUT: ClassVar[Mapping[str, str]] = {
        "negated": "a complement takes a state for all integers that no transition names"
    }

    terms: Terms
    transitions: Rows

    def __post_init__(self) -> None:
        super().__post_init__()
        check_transitions(self.transitions, "MDD")

    def relates(self, terms: Sequence[int], transitions: Arcs) -> bool:
        states = {arc[0] for arc in transitions[:1]}
        for term in terms:
            states = {to for state, value, to in transitions if state in states and value == term}
        return not states <= {state for state, _, _ in transitions}

    def expand(self, fresh: Fresh) -> Constraint:
        if not self.transitions:
            return And((FALSE, *defined(self.terms)))
        inner = {state for state, _, _ in self.transitions}
        leaves = dict.fromkeys(to for _, _, to in self.transitions if to not in inner)
        return Regular(self.terms, self.transitions, self.transitions[0][0], tuple(leaves))

    def simplified(self) -> Constraint:
        return self if self.transitions else FALSE

    def expanded_size(self) -> int:
        return 10 * (len(self.terms) + len(self.transitions))

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> MDD:
        """Layers of one or two states; one in five has transitions between any states."""
        drawn = terms.some(0, 3)
        arcs = []
        for layer in range(len(drawn)):
            for _ in range(rng.randint(1, 4)):
                source = 10 * layer + (rng.randrange(2) if layer else 0)
                target = 10 * (layer + 1) + rng.randrange(2)
                arcs.append((source, terms.value(), target))
        if rng.random() < 0.2:
            arcs = [(rng.randrange(3), terms.value(), rng.randrange(4)) for _ in range(4)]
        return cls(drawn, tuple(arcs))

    EDGES = (
        (((), ()), False),
        (((), ((0, 1, 1),)), False),
        ((constants(1), ()), False),
        ((constants(1), ((0, 1, 1),)), True),
        ((constants(2), ((0, 1, 1),)), False),
        ((constants(1, 2), ((0, 1, 1), (1, 2, 2), (0, 2, 3), (3, 2, 2))), True),
        ((constants(2, 1), ((0, 1, 1), (1, 2, 2), (0, 2, 3), (3, 2, 2))), False),
        ((constants(1), ((0, 1, 1), (1, 2, 2))), False),
        ((constants(1, 2, 2), ((0, 1, 1), (1, 2, 2))), False),
        ((constants(1, 2), ((0, 1, 1), (0, 1, 5), (1, 2, 2))), True),
    )
