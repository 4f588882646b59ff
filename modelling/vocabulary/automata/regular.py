"""Regular: sequences that an automaton accepts.

Words
-----
arc         a transition ``(state, value, state)``
flag        of a place and a state: whether the values before the place can lead to it
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from modelling.constraint import Constraint, Predicate
from modelling.errors import ModelError
from modelling.terms import Fresh, Int, Ints, Rows, Terms, constants
from modelling.vocabulary.formulas.connectives import FALSE, TRUE, And, Or
from modelling.vocabulary.formulas.linear import defined, equals
from modelling.vocabulary.formulas.truth import Truth

Arcs = tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class Regular(Predicate):
    """The values, in turn, lead from ``start`` to one of ``finals``.

    ``transitions`` are ``(state, value, state)``; states are any integers. A value without a
    transition from the state is rejected; where there are several, any may be taken (an NFA).
    Without terms the constraint is true if ``start`` is final.

    The decomposition has a flag for each place and state that can be reached and can still lead to
    a final one. Flags are determined, also of an NFA (Quimper and Walsh, "Global grammar
    constraints", CP 2006, decompose a DFA; Bacchus, "GAC via unit propagation", CP 2007). It grows
    with the number of terms times that of transitions.
    """

    xcsp3: ClassVar[str] = "regular"
    minizinc: ClassVar[str] = "regular"
    WITHOUT: ClassVar[Mapping[str, str]] = {
        "negated": "a complement takes a state for all integers that no transition names"
    }

    terms: Terms
    transitions: Rows
    start: Int
    finals: Ints

    def __post_init__(self) -> None:
        super().__post_init__()
        check_transitions(self.transitions, "Regular")

    def relates(
        self, terms: Sequence[int], transitions: Arcs, start: int, finals: Sequence[int]
    ) -> bool:
        states = {start}
        for term in terms:
            states = {to for state, value, to in transitions if state in states and value == term}
        return not states.isdisjoint(finals)

    def expand(self, fresh: Fresh) -> Constraint:
        flags: dict[int, Constraint] = {self.start: TRUE}
        for term, arcs in zip(self.terms, self.useful_arcs(), strict=True):
            ways: dict[int, list[Constraint]] = {}
            for state, value, to in arcs:
                ways.setdefault(to, []).append(And((flags[state], equals(term, value))))
            flags = {to: equals(fresh(Truth(Or(tuple(parts)))), 1) for to, parts in ways.items()}
        finals = tuple(flags.get(state, FALSE) for state in dict.fromkeys(self.finals))
        return And((Or(finals), *defined(self.terms)))

    def useful_arcs(self) -> Iterator[Arcs]:
        """For each place the arcs that can be on a way from the start to a final state."""
        every = tuple(dict.fromkeys(self.transitions))
        reached, layers = {self.start}, []
        for _ in self.terms:
            layers.append(tuple(arc for arc in every if arc[0] in reached))
            reached = {to for _, _, to in layers[-1]}
        leading, useful = set(self.finals), []
        for layer in reversed(layers):
            useful.append(tuple(arc for arc in layer if arc[2] in leading))
            leading = {state for state, _, _ in useful[-1]}
        yield from reversed(useful)

    def expanded_size(self) -> int:
        return 10 * (1 + len(self.terms)) * (1 + len(self.transitions))

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Regular:
        arcs = tuple(
            (rng.randrange(3), terms.value(), rng.randrange(3)) for _ in range(rng.randint(0, 6))
        )
        finals = tuple(rng.sample(range(3), rng.randint(0, 3)))
        return cls(terms.some(0, 3), arcs, rng.randrange(2), finals)

    EDGES = (
        (((), (), 0, (0,)), True),
        (((), (), 0, ()), False),
        (((), ((0, 1, 1),), 0, (1,)), False),
        ((constants(1), ((0, 1, 1),), 0, (1,)), True),
        ((constants(2), ((0, 1, 1),), 0, (1,)), False),
        ((constants(1, 1), ((0, 1, 0), (0, 2, 1)), 0, (0,)), True),
        ((constants(1, 2), ((0, 1, 0), (0, 2, 1)), 0, (0,)), False),
        ((constants(1, 2), ((0, 1, 0), (0, 1, 1), (1, 2, 2)), 0, (2,)), True),
        ((constants(1), ((0, 1, 1),), 5, (1,)), False),
    )


def check_transitions(transitions: Rows, kind: str) -> None:
    """Raise ModelError unless each is a state, a value and a state, all integers."""
    for number, arc in enumerate(transitions):
        if len(arc) != 3 or not all(isinstance(part, int) for part in arc):
            raise ModelError(
                f"{kind}: transition {number}, {arc!r}, is no state, value and state; use three "
                "integers"
            )
