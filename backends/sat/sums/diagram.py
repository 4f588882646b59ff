"""Linear constraints as decision diagrams over their partial sums.

Words
-----
layer     one variable of the sum; layers go by falling size of the coefficient, so that the sums
          still to come soon span little
node      a class of partial sums, at one layer, from which the same completions lead to truth
terminal  ``TRUE`` or ``FALSE``: whatever follows, the constraint holds or fails
interval  the partial sums that one node stands for. A node's interval is the intersection of its
          children's intervals, each moved back by what the value adds; a partial sum that falls
          into a known interval needs no new node.

The interval construction is that of Abío, Nieuwenhuis, Oliveras, Rodríguez-Carbonell and
Mayer-Eichberger, "A New Look at BDDs for Pseudo-Boolean Constraints" (JAIR 2012), here with a child
per value and with equalities and disequalities besides ``<=``. Nodes with equal children are one.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from backends.sat.cnf import TooLarge


class DiagramTooLarge(TooLarge):
    """A diagram would have more edges than were allowed; nothing is written."""


FALSE = -1
TRUE = -2

Node = tuple[int, ...]
"""For each value of the layer's variable: a terminal, or a node's position in the next layer."""

_by_low = itemgetter(0)


@dataclass(frozen=True)
class Term:
    """One coefficient and the values of its variable; ``variable`` is for the caller."""

    variable: int
    coefficient: int
    values: tuple[int, ...]

    @property
    def extremes(self) -> tuple[int, int]:
        """The least and the greatest that the term can add."""
        ends = (self.coefficient * self.values[0], self.coefficient * self.values[-1])
        return min(ends), max(ends)


@dataclass(frozen=True)
class Diagram:
    """``layers[i]`` are the nodes that branch on ``terms[i]``; ``root`` is one of layer 0, or a
    terminal (then the layers do not matter)."""

    terms: tuple[Term, ...]
    layers: tuple[tuple[Node, ...], ...]
    root: int


@dataclass
class _Open:
    """A node whose children are being found."""

    layer: int
    total: int
    low: int
    high: int
    children: list[int] = field(default_factory=list)


def build(terms: Sequence[Term], relation: str, constant: int, most_edges: int) -> Diagram:
    """The diagram of ``sum of terms RELATION constant``.

    Terms have a coefficient other than 0 and at least one value, ascending. Raises ``TooLarge``
    when it would have more than ``most_edges`` edges.
    """
    terms, relation, constant = _normal(terms, relation, constant)
    return _Builder(terms, relation, constant, most_edges).diagram()


def most_edges(terms: Sequence[Term]) -> int:
    """An upper bound of the edges, without building: every layer holds at most one node per
    assignment of the layers above, and per sum that those below can still even out."""
    ordered, _, _ = _normal(terms, "==", 0)
    spans = [high - low for low, high in (term.extremes for term in ordered)]
    below, above, edges = sum(spans), 1, 0
    for term, span in zip(ordered, spans, strict=True):
        edges += min(above, below + 1) * len(term.values)
        above *= len(term.values)
        below -= span
    return edges


def _normal(
    terms: Sequence[Term], relation: str, constant: int
) -> tuple[tuple[Term, ...], str, int]:
    """The same constraint with one of ``== != <=``, largest coefficients first."""
    if relation in (">", ">="):
        terms = [Term(t.variable, -t.coefficient, t.values) for t in terms]
        relation, constant = relation.replace(">", "<"), -constant
    if relation == "<":
        relation, constant = "<=", constant - 1
    ordered = sorted(terms, key=lambda term: -abs(term.coefficient))
    return tuple(ordered), relation, constant


class _Builder:
    """Depth first with a stack of its own: a sum may have more terms than Python has frames."""

    def __init__(
        self, terms: tuple[Term, ...], relation: str, constant: int, most_edges: int
    ) -> None:
        self.terms = terms
        self.relation = relation
        self.constant = constant
        self.most_edges = most_edges
        self.edges = 0
        depth = len(terms)
        self.least = [0] * (depth + 1)
        self.greatest = [0] * (depth + 1)
        for layer in reversed(range(depth)):
            low, high = terms[layer].extremes
            self.least[layer] = self.least[layer + 1] + low
            self.greatest[layer] = self.greatest[layer + 1] + high
        reach = sum(max(abs(low), abs(high)) for low, high in (t.extremes for t in terms))
        self.beyond = 4 * (reach + abs(constant)) + 4
        """Farther than any partial sum, also after a node's interval has been moved back."""
        self.nodes: list[dict[Node, int]] = [{} for _ in terms]
        self.known: list[list[tuple[int, int, int]]] = [[] for _ in terms]

    def diagram(self) -> Diagram:
        found = self._find(0, 0)
        stack = [] if found else [_Open(0, 0, -self.beyond, self.beyond)]
        while stack:
            node = stack[-1]
            term = self.terms[node.layer]
            if len(node.children) == len(term.values):
                found = self._close(stack.pop())
                continue
            added = term.coefficient * term.values[len(node.children)]
            child = self._find(node.layer + 1, node.total + added)
            if child is None:
                stack.append(_Open(node.layer + 1, node.total + added, -self.beyond, self.beyond))
                continue
            low, high, position = child
            node.low = max(node.low, low - added)
            node.high = min(node.high, high - added)
            node.children.append(position)
        assert found is not None
        return Diagram(self.terms, tuple(map(tuple, self.nodes)), found[2])

    def _find(self, layer: int, total: int) -> tuple[int, int, int] | None:
        """The interval around ``total`` and its node or terminal, if they are known."""
        terminal = self._terminal(layer, total)
        if terminal is not None or layer == len(self.terms):
            return terminal
        known = self.known[layer]
        at = bisect_right(known, total, key=_by_low) - 1
        return known[at] if at >= 0 and known[at][1] >= total else None

    def _terminal(self, layer: int, total: int) -> tuple[int, int, int] | None:
        lowest = self.constant - self.greatest[layer]
        highest = self.constant - self.least[layer]
        if self.relation == "<=":
            if total <= lowest:
                return -self.beyond, lowest, TRUE
            return (highest + 1, self.beyond, FALSE) if total > highest else None
        met, missed = (TRUE, FALSE) if self.relation == "==" else (FALSE, TRUE)
        if total < lowest:
            return -self.beyond, lowest - 1, missed
        if total > highest:
            return highest + 1, self.beyond, missed
        return (lowest, lowest, met) if lowest == highest else None

    def _close(self, node: _Open) -> tuple[int, int, int]:
        children = tuple(node.children)
        if children[0] < 0 and len(set(children)) == 1:
            position = children[0]
        else:
            layer = self.nodes[node.layer]
            if children not in layer:
                self.edges += len(children)
                if self.edges > self.most_edges:
                    raise DiagramTooLarge(
                        f"the decision diagram of a Linear over {len(self.terms)} variables has "
                        f"more than {self.most_edges:,} edges"
                    )
            position = layer.setdefault(children, len(layer))
        found = (node.low, node.high, position)
        insort(self.known[node.layer], found)
        return found
