"""Depth-first search with propagation at every node and undo by trail; no recursion.

At a node the values of one variable are tried in ascending order. A frame is what is left to try:
(length of the trail before, variable, the values not tried yet). Solving, deciding uniqueness and
counting are the same search; only ``found`` decides when to stop.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from backends.interface.api import Deadline, StoppedBy
from backends.propagation.branching import Branching
from backends.propagation.state import State

CHECK_EVERY = 32
"""Nodes between two looks at the clock."""


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
    found: Callable[[list[int]], bool],
    deadline: Deadline,
    most_nodes: int | None = None,
) -> tuple[StoppedBy, Effort]:
    """Visit every solution until ``found`` (given the domains, all fixed) returns false.

    Returns why it stopped (``sink`` stands for ``found``'s false) and the effort.
    """
    effort = Effort(nodes=1)
    weights = [1] * len(state.domains)
    stopped_by = _search(state, choose, found, deadline, most_nodes, effort, weights)
    effort.propagations = state.propagations
    return stopped_by, effort


def _search(
    state: State,
    choose: Branching,
    found: Callable[[list[int]], bool],
    deadline: Deadline,
    most_nodes: int | None,
    effort: Effort,
    weights: list[int],
) -> StoppedBy:
    frames: list[tuple[int, int, int]] = []
    consistent = state.start()
    while True:
        if consistent:
            variable = choose(state, weights)
            if variable is not None:
                frames.append((len(state.trail), variable, state.domains[variable]))
                effort.peak_depth = max(effort.peak_depth, len(frames))
            elif not found(state.domains):
                return "sink"
        else:
            effort.failures += 1
            for culprit in state.culprit:
                weights[culprit] += 1
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
        consistent = state.narrow(variable, value) and state.settle()
