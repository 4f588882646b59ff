"""The tree of a search, as it is recorded: each node with its parent, and what became of it.

A node is found again by the length of the trail: the children of a node begin where its own
propagation has ended, and every value that is tried makes the trail longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from backends.propagation.search import Watch
from backends.propagation.state import State

Fate = Literal["open", "failed", "solution"]


class Tried(NamedTuple):
    """A value that was tried for a variable below ``parent``, a position among the nodes.

    The root has no parent, no variable and no value.
    """

    parent: int | None
    variable: int | None
    value: int | None
    fate: Fate


@dataclass
class TreeRecorder:
    """The nodes in the order in which they were visited."""

    nodes: list[Tried] = field(default_factory=list)

    def record(self, values: Sequence[int]) -> Watch:
        """What listens to one search, in which bit k of a domain is ``values[k]``."""
        path: list[tuple[int, int]] = []  # nodes from the root on, with where their trails end

        def watch(state: State, mark: int, variable: int, bit: int, consistent: bool) -> None:
            is_root = variable < 0
            while path and (is_root or path[-1][1] != mark):
                path.pop()
            parent = path[-1][0] if path else None
            fate: Fate = "failed"
            if consistent:
                is_fixed = not any(domain & (domain - 1) for domain in state.domains)
                fate = "solution" if is_fixed else "open"
            path.append((len(self.nodes), len(state.trail)))
            if is_root:
                self.nodes.append(Tried(None, None, None, fate))
            else:
                self.nodes.append(Tried(parent, variable, values[bit.bit_length() - 1], fate))

        return watch
