"""Depth-first search with propagation at every node and undo by trail; no recursion.

At a node the values of one variable are tried in ascending order. A frame is what is left to try:
(length of the trail before, variable, the values not tried yet). Solving, deciding uniqueness,
counting and optimising are the same search; who asks for solutions decides when to stop.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

from backends.interface.api import Deadline, StoppedBy
from backends.propagation.branching import Branching
from backends.propagation.state import State

CHECK_EVERY = 32
"""Nodes between two looks at the clock."""

Watch = Callable[[State, int, int, int, bool], object]
"""``watch(state, mark, variable, value, consistent)`` hears of each node: how long the trail was
before, what was tried, and whether it holds. The root has the variable -1."""


@dataclass
class Effort:
    """What a search cost: MiniZinc's names."""

    nodes: int = 0
    failures: int = 0
    propagations: int = 0
    peak_depth: int = 0


def search(
    state: State,
    choose: Branching,
    effort: Effort,
    deadline: Deadline,
    most_nodes: int | None = None,
    always: Sequence[int] = (),
    watch: Watch | None = None,
) -> Generator[list[int], None, StoppedBy]:
    """Visit every solution: the domains, all fixed. Returns why it ended.

    ``always`` are propagators that run at every node, for they may change between two solutions.
    ``watch`` hears of each node, for those who draw the tree.
    """
    weights = [1] * len(state.domains)
    frames: list[tuple[int, int, int]] = []
    effort.nodes = 1
    consistent = state.start()
    if watch is not None:
        watch(state, 0, -1, 0, consistent)
    while True:
        if consistent:
            variable = choose(state, weights)
            if variable is not None:
                frames.append((len(state.trail), variable, state.domains[variable]))
                effort.peak_depth = max(effort.peak_depth, len(frames))
            else:
                yield state.domains
        else:
            effort.failures += 1
            for conflict_scope in state.conflict_scope:
                weights[conflict_scope] += 1
        if not frames:
            return "exhausted"
        mark, variable, untried = frames.pop()
        state.undo(mark)
        value = untried & -untried
        if untried != value:
            frames.append((mark, variable, untried ^ value))
        effort.nodes += 1
        if effort.nodes % CHECK_EVERY == 0 and deadline.passed:
            return "time"
        if most_nodes is not None and effort.nodes > most_nodes:
            return "gave_up"
        if always:
            state.wake(always)
        consistent = state.narrow(variable, value) and state.propagate_to_fixpoint()
        if watch is not None:
            watch(state, mark, variable, value, consistent)
