"""The interpreted solver, which remembers the tree of its last search."""

from __future__ import annotations

from backends.interface.session import Call
from backends.propagation.solver import Configuration, Encoding, Propagation, PropagationSession
from backends.propagation.trace import Tried, list_nodes


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
        return list_nodes(None if self.session is None else self.session.search)
