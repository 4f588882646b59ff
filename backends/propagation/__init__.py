"""The hand-written solver: propagate to a fixed point, branch, backtrack. Pure Python.

Generic over the whole vocabulary: bitset domains (``state``), one file for each constraint's
inference (``all_different``, ``linear``, ``table``), the choice of a variable (``branching``) and
the search (``search``). It began as the Sudoku solvers of the posts: eliminate a placed value from
the peers, place what is left single, guess where the fewest candidates are, take back from a trail.

The default, ``domwdeg``, learns from failures where to branch. Fewest values alone (``smallest``)
is as quick on easy puzzles, but there are Sudoku without a solution on which it is lost: Norvig's
of 17 givens takes it over two minutes, and 0.2 s with ``domwdeg``.
"""

from __future__ import annotations

from collections.abc import Sequence

from backends.interface.api import Limits, Optimum, Solutions, StoppedBy
from backends.interface.driver import Driver
from backends.interface.libraries.making import maker
from backends.interface.options import Option
from backends.interface.session import Call, Capabilities, Session, SessionReport, Solver
from backends.propagation.branching import RULES
from backends.propagation.encoding import (
    HANDLERS,
    Encoding,
    PropagationDraft,
    begin,
    finish,
    linear,
)
from backends.propagation.linear import LinearAtMostPropagator
from backends.propagation.search import Effort, search
from backends.propagation.state import Propagator
from backends.propagation.tree import TreeRecorder, Tried
from modelling.constraints import Linear
from modelling.problem import Assignment, Objective, Problem, Structure

OPTIONS = (
    Option("branching", tuple(RULES), "domwdeg", "which variable to branch on"),
    Option("reuse", ("none", "encoding"), "encoding", "keep the encoding of a structure"),
)


class Propagation(Solver):
    """Complete; statistics: nodes, failures, propagations, peak_depth."""

    capabilities = Capabilities(family="propagation", improves=True, fixes=True)
    handlers = HANDLERS

    def __init__(self, name: str, branching: str, tree: TreeRecorder | None = None) -> None:
        self.name = name
        self.choose = RULES[branching]
        self.tree = tree

    def encode(self, structure: Structure) -> PropagationDraft:
        """The variables of a structure."""
        return begin(structure)

    def finish(self, draft: PropagationDraft) -> Encoding:
        """What is kept of a structure."""
        return finish(draft)

    def open(self, encoding: Encoding, call: Call) -> PropagationSession:
        """A search from the first fixed point on."""
        return PropagationSession(self, encoding, call)


class PropagationSession(Session):
    """One depth-first search. For an optimum it continues below each incumbent with a tighter bound
    (branch and bound), which one more propagator keeps."""

    def __init__(self, solver: Propagation, encoding: Encoding, call: Call) -> None:
        self.solver = solver
        self.encoding = encoding
        self.call = call
        self.effort = Effort()
        self.bound: LinearAtMostPropagator | None = None
        objective = call.problem.structure.objective
        if call.optimum and objective is not None:
            self.bound = encoding.better(objective)
            self._begin((self.bound,), (len(encoding.propagators),))
        else:
            self._begin()

    def _begin(self, more: Sequence[Propagator] = (), always: Sequence[int] = ()) -> None:
        call, tree = self.call, self.solver.tree
        self.state = self.encoding.state(call.problem, more)
        self.found = search(
            self.state,
            self.solver.choose,
            self.effort,
            call.deadline,
            call.limits.nodes,
            always,
            None if tree is None else tree.record(self.encoding.values),
        )

    def next(self) -> Assignment | StoppedBy:
        if not self.encoding.possible:
            return "exhausted"
        try:
            domains = next(self.found)
        except StopIteration as end:
            stopped_by: StoppedBy = end.value
            return stopped_by
        values = self.encoding.values
        return tuple([values[domain.bit_length() - 1] for domain in domains])

    def improve(self, objective: Objective, than: int) -> None:
        assert self.bound is not None
        self.bound.constant = (than if objective.sense == "minimize" else -than) - 1

    def fix(self, objective: Objective, value: int) -> None:
        exactly = Linear(objective.scope, objective.coefficients, "==", value)
        self._begin(linear(exactly, self.encoding.values)[0])

    def report(self) -> SessionReport:
        self.effort.propagations = self.state.propagations
        return SessionReport(statistics=vars(self.effort))


make = maker("propagation", OPTIONS, Propagation)


def trace_search(
    problem: Problem, ask: Solutions | Optimum, branching: str, most_nodes: int
) -> tuple[Sequence[Tried], bool]:
    """The nodes of a search, and whether it was cut off after ``most_nodes`` of them.

    Raises ``Unsupported`` as ``solve`` does.
    """
    tree = TreeRecorder()
    driver = Driver("propagation", Propagation("propagation", branching, tree), keep=False)
    result = driver.solve(problem, ask, Limits(nodes=most_nodes))
    return tree.nodes, result.stopped_by == "gave_up"
