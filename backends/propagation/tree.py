"""The interpreted solver, which remembers its last search: its tree, and its root's domains."""

from __future__ import annotations

from collections.abc import Callable

from backends.interface.api import Limits, Solutions
from backends.interface.driver import Driver
from backends.interface.session import Call
from backends.propagation.kernel import domains
from backends.propagation.kernel import layout as at
from backends.propagation.solver import Configuration, Encoding, Propagation, PropagationSession
from backends.propagation.trace import Tried, list_nodes
from modelling.problem import Problem


class RecordingPropagation(Propagation):
    """The interpreted solver, which remembers its last search."""

    def __init__(
        self, most_nodes: int, branching: str = "domwdeg", alldifferent: str = "auto"
    ) -> None:
        chosen = Configuration("pure", branching, recorded=most_nodes, all_different=alldifferent)
        super().__init__("propagation", chosen)
        self.session: PropagationSession | None = None

    def open(self, encoding: Encoding, call: Call) -> PropagationSession:
        """A search that is remembered."""
        self.session = super().open(encoding, call)
        return self.session

    def nodes(self) -> list[Tried]:
        """The nodes of the last search in the order in which they were visited."""
        return list_nodes(None if self.session is None else self.session.search)


def propagate(problem: Problem, alldifferent: str = "auto") -> list[tuple[int, ...]]:
    """The values of each variable that are open before the first decision, where nothing changes
    any more; all are empty when there is a contradiction.

    Raises ``Unsupported`` as ``solve`` does.
    """
    solver = RecordingPropagation(1, alldifferent=alldifferent)
    driver = Driver("propagation", solver, keep=False)
    result = driver.solve(problem, Solutions(None, 1), Limits(nodes=1))
    session = solver.session
    if session is None or session.search is None or (not result.count and has_failed(session)):
        return [() for _ in problem.structure.domains]
    S, T, _ = session.search
    variables = T[at.T_VARIABLES]
    contains: Callable[..., bool] = domains.contains
    return [
        tuple(value for value in domain if contains(S, T[variables + v], value))
        for v, domain in enumerate(problem.structure.domains)
    ]


def has_failed(session: PropagationSession) -> bool:
    """Whether a search that visited its root has failed there."""
    return list_nodes(session.search)[0].fate == "failed"
