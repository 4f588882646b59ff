"""SubCircuit: one tour through some of the nodes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from modelling.constraint import NO_SIMPLE_OPPOSITE, Constraint, Predicate
from modelling.terms import Fresh, Terms, constant, constants
from modelling.vocabulary.comparisons import make_total
from modelling.vocabulary.equality.all_different import AllDifferent
from modelling.vocabulary.formulas.connectives import TRUE, And, Or
from modelling.vocabulary.formulas.linear import Linear, equals
from modelling.vocabulary.formulas.truth import IfThenElse
from modelling.vocabulary.functions.extremes import Minimum
from modelling.vocabulary.graphs.circuit import all_nodes, walk_from


@dataclass(frozen=True)
class SubCircuit(Predicate):
    """From each node i to ``next[i]``, counted from 0, is one tour; one that is its own next is
    left out.

    All may be left out (XCSP3's circuit is false then: add that one is not), and a tour has two
    nodes at least. A value that is not a node makes it false.

    The decomposition walks from the first node that is in it: successors are all different, and
    each node is left out or met. It grows with the square of the number of nodes.
    """

    xcsp3: ClassVar[str] = "circuit"
    minizinc: ClassVar[str] = "subcircuit"
    WITHOUT = NO_SIMPLE_OPPOSITE

    next: Terms

    def relates(self, next: Sequence[int]) -> bool:  # noqa: A002 (the field's standard name)
        nodes = range(len(next))
        if sorted(next) != list(nodes):
            return False
        inside = [node for node in nodes if next[node] != node]
        node, met = inside[0] if inside else 0, set()
        while node not in met and inside:
            met.add(node)
            node = next[node]
        return met == set(inside)

    def simplified(self) -> Constraint:
        return self if self.next else TRUE

    def expand(self, fresh: Fresh) -> Constraint:
        number = len(self.next)
        if not number:
            return TRUE
        last = constant(number - 1)
        firsts = [
            IfThenElse(Linear((make_total(term),), (1,), "!=", node), constant(node), last)
            for node, term in enumerate(self.next[:-1])
        ]
        first = fresh(Minimum((*firsts, last)))
        walk = walk_from(first, self.next, number - 1, fresh)
        met = (
            Or((equals(term, node), *(equals(place, node) for place in walk)))
            for node, term in enumerate(self.next)
        )
        return And((*all_nodes(self.next), AllDifferent(self.next), *met))

    def expanded_size(self) -> int:
        return 25 * len(self.next) ** 2

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> SubCircuit:
        return cls(terms.nodes(rng.choice((0, 1, 2, 2, 3, 3, 4))))

    EDGES = (
        (((),), True),
        ((constants(0),), True),
        ((constants(1),), False),
        ((constants(0, 1),), True),
        ((constants(1, 0),), True),
        ((constants(0, 2, 1),), True),
        ((constants(1, 2, 0),), True),
        ((constants(1, 0, 3, 2),), False),
        ((constants(1, 1),), False),
        ((constants(0, 1, 5),), False),
    )
