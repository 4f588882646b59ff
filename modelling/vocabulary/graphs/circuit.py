"""Circuit: one tour through all nodes.

Words
-----
next        of a node, the one that follows it
walk        node 0, its next, the next of that, and so on
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from modelling.constraint import Constraint, Predicate
from modelling.terms import Fresh, Term, Terms, constant, constants
from modelling.vocabulary.comparisons import make_total
from modelling.vocabulary.equality.all_different import AllDifferent
from modelling.vocabulary.formulas.connectives import FALSE, TRUE, And
from modelling.vocabulary.formulas.linear import equals, within
from modelling.vocabulary.formulas.truth import IfThenElse
from modelling.vocabulary.functions.element import Element


@dataclass(frozen=True)
class Circuit(Predicate):
    """From each node i to ``next[i]``, counted from 0, is one tour through all nodes.

    No node is its own next: a circuit of one node is false. One of no nodes is true. A value that
    is not a node makes it false. (XCSP3's circuit is ``SubCircuit`` with at least one node in it.)

    The decomposition walks from node 0: n nodes, all different, and then node 0 again. The walk is
    made of elements of safe copies of ``next``, so that it is determined whether or not there is a
    tour. (MiniZinc's orders the nodes likewise, and cannot be reified.) It grows with the square of
    the number of nodes.
    """

    xcsp3: ClassVar[str] = ""
    minizinc: ClassVar[str] = "circuit"
    WITHOUT: ClassVar[Mapping[str, str]] = {
        "negated": "that there is another cycle takes a walk, as its expansion does",
        "xcsp3": "its circuit may leave nodes out, as SubCircuit does",
    }

    next: Terms

    def relates(self, next: Sequence[int]) -> bool:  # noqa: A002 (the field's standard name)
        node, seen = 0, set()
        while node not in seen and 0 <= node < len(next):
            seen.add(node)
            node = next[node]
        return len(seen) == len(next) != 1 and (node == 0)

    def simplified(self) -> Constraint:
        return self if len(self.next) > 1 else FALSE if self.next else TRUE

    def expand(self, fresh: Fresh) -> Constraint:
        if len(self.next) < 2:
            return FALSE if self.next else TRUE
        walk = walk_from(constant(0), self.next, len(self.next), fresh)
        returns = equals(walk[-1], 0)
        return And((*all_nodes(self.next), AllDifferent(tuple(walk[:-1])), returns))

    def expanded_size(self) -> int:
        return 15 * len(self.next) ** 2

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Circuit:
        return cls(terms.nodes(rng.choice((0, 1, 2, 2, 3, 3, 4))))

    EDGES = (
        (((),), True),
        ((constants(0),), False),
        ((constants(1, 0),), True),
        ((constants(0, 1),), False),
        ((constants(1, 2, 0),), True),
        ((constants(2, 0, 1),), True),
        ((constants(1, 0, 2),), False),
        ((constants(1, 0, 3, 2),), False),
        ((constants(1, 2, 1),), False),
        ((constants(1, 2, 3),), False),
        ((constants(1, -1),), False),
    )


def all_nodes(successors: Sequence[Term]) -> list[Constraint]:
    """That each is a node."""
    return [part for term in successors for part in within(term, 0, len(successors) - 1)]


def walk_from(first: Term, successors: Sequence[Term], steps: int, fresh: Fresh) -> list[Term]:
    """``first`` and ``steps`` nodes after it; a successor that is not a node counts as node 0."""
    copies = tuple(_safe(term, len(successors), fresh) for term in successors)
    walk = [first]
    for _ in range(steps):
        walk.append(fresh(Element(copies, walk[-1])))
    return walk


def _safe(term: Term, number: int, fresh: Fresh) -> Term:
    total = make_total(term)
    low, high = fresh.bounds(total)
    if low >= 0 and high < number:
        return total
    return fresh(IfThenElse(And(within(total, 0, number - 1)), total, constant(0)))
