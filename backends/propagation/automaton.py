"""Automata: generalised arc consistency by two sweeps over the places.

The first sweep finds the states that can be reached before each place, the second those of them
from which a final state can still be reached; a value without an arc between two such states goes
(Pesant, *A regular language membership constraint for finite sequences of variables*, CP 2004).
Sets of states are Python's integers. Both are found anew at each wake, which needs no undo, and
which is why it does not matter whether the automaton is deterministic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backends.propagation.state import State
from modelling.rewriting.profile import Variables
from modelling.vocabulary.automata.regular import Regular

MOST_ARCS = 1_000_000
"""An automaton with more over all places is left to the rewrite, which refuses it by its size."""

Arcs = Mapping[int, Sequence[tuple[int, int]]]
"""Bit of a value -> bit of a state and bit of the next one."""


class AutomatonPropagator:
    """The values of ``scope``, in turn, lead by ``layers`` of arcs from the first state."""

    __slots__ = ("layers", "scope")

    def __init__(self, scope: tuple[int, ...], layers: Sequence[Arcs]) -> None:
        self.scope = scope
        self.layers = layers

    def propagate(self, state: State) -> bool:
        domains = state.domains
        before, reached = [], 1
        for variable, layer in zip(self.scope, self.layers, strict=True):
            before.append(reached)
            domain, after = domains[variable], 0
            for bit, arcs in layer.items():
                if domain & bit:
                    for source, target in arcs:
                        if reached & source:
                            after |= target
            reached = after
        if not reached:
            return False
        for k in range(len(before) - 1, -1, -1):
            variable = self.scope[k]
            domain, kept, leading = domains[variable], 0, 0
            for bit, arcs in self.layers[k].items():
                if domain & bit:
                    for source, target in arcs:
                        if reached & target and before[k] & source:
                            leading |= source
                            kept |= bit
            if kept != domain and not state.narrow(variable, kept):
                return False
            reached = leading
        return True


def has_few_arcs(constraint: Regular, variables: Variables) -> bool:
    """Whether the arcs of all places can be kept."""
    return len(constraint.terms) * len(constraint.transitions) <= MOST_ARCS


def make_automaton(constraint: Regular, values: Sequence[int]) -> AutomatonPropagator:
    """The propagator of a Regular over variables; ``values`` has the value of each bit."""
    position = {value: k for k, value in enumerate(values)}
    states, layers = {constraint.start: 1}, []
    for arcs in constraint.useful_arcs():
        after: dict[int, int] = {}
        layer: dict[int, list[tuple[int, int]]] = {}
        for source, value, target in arcs:
            bit = after.setdefault(target, 1 << len(after))
            if value in position:
                layer.setdefault(1 << position[value], []).append((states[source], bit))
        layers.append(layer)
        states = after
    return AutomatonPropagator(tuple(constraint.terms), layers)
