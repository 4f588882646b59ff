"""The tree of a search, as the kernel records it: each node with its parent and what became of it.

A node has at most two children: a variable takes a value, or any other value.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from backends.interface.session import Call
from backends.propagation.kernel import layout as at
from backends.propagation.kernel.layout import NODE, NODE_FAILED, NODE_REFUTES, NODE_SOLUTION
from backends.propagation.solver import Configuration, Encoding, Propagation, PropagationSession

Fate = Literal["open", "failed", "solution"]


class Tried(NamedTuple):
    """A value that was tried for a variable below ``parent``, a position among the nodes, or
    excluded there. The root has no parent, no variable and no value.
    """

    parent: int | None
    variable: int | None
    value: int | None
    fate: Fate
    is_excluded: bool = False


class RecordingPropagation(Propagation):
    """The interpreted solver, which remembers its last search."""

    def __init__(self, branching: str, most_nodes: int) -> None:
        super().__init__("propagation", Configuration("pure", branching, recorded=most_nodes))
        self.session: PropagationSession | None = None

    def open(self, encoding: Encoding, call: Call) -> PropagationSession:
        """A search that is remembered."""
        self.session = super().open(encoding, call)
        return self.session

    def nodes(self) -> list[Tried]:
        """The nodes of the last search in the order in which they were visited."""
        search = None if self.session is None else self.session.search
        if search is None:
            return [Tried(None, None, None, "failed")]
        memory = search.M
        begin, count = memory[at.M_TREE], min(memory[at.M_NODES], memory[at.M_TREE_ROOM])
        rows = [memory[k : k + NODE] for k in range(begin, begin + NODE * count, NODE)]
        root, *others = [_tried(*row) for row in rows]
        return [root._replace(parent=None, variable=None, value=None), *others]


def _tried(parent: int, variable: int, value: int, flags: int) -> Tried:
    fate: Fate = "open"
    if flags & NODE_FAILED:
        fate = "failed"
    elif flags & NODE_SOLUTION:
        fate = "solution"
    return Tried(parent, variable, value, fate, bool(flags & NODE_REFUTES))
