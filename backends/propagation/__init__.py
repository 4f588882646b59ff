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

from backends.interface.api import StoppedBy
from backends.interface.driver import Driver
from backends.interface.options import Option, canonical, parse
from backends.interface.session import Call, Capabilities, Session, Told
from backends.propagation.branching import RULES
from backends.propagation.encoding import HANDLERS, Draft, Encoding, begin, finish, linear
from backends.propagation.linear import AtMost
from backends.propagation.search import Effort, search
from backends.propagation.state import Propagator
from modelling.constraints import Linear
from modelling.problem import Assignment, Objective, Structure

OPTIONS = (
    Option("branching", tuple(RULES), "domwdeg", "which variable to branch on"),
    Option("reuse", ("none", "encoding"), "encoding", "keep the encoding of a structure"),
)


def make(options: str = "") -> Driver:
    """The backend with its options, e.g. ``branching=smallest``."""
    values = parse("propagation", OPTIONS, options)
    keep = values["reuse"] != "none"
    return Driver(canonical("propagation", OPTIONS, values), Propagation(values["branching"]), keep)


class Propagation:
    """Complete; statistics: nodes, failures, propagations, peak_depth."""

    capabilities = Capabilities(family="propagation", improves=True, fixes=True)
    handlers = HANDLERS

    def __init__(self, branching: str) -> None:
        self.choose = RULES[branching]

    def encode(self, structure: Structure) -> Draft:
        """The variables of a structure."""
        return begin(structure)

    def finish(self, draft: Draft) -> Encoding:
        """What is kept of a structure."""
        return finish(draft)

    def open(self, encoding: Encoding, call: Call) -> Solutions:
        """A search from the first fixed point on."""
        return Solutions(self, encoding, call)


class Solutions(Session):
    """One depth-first search. For an optimum it continues below each incumbent with a tighter bound
    (branch and bound), which one more propagator keeps."""

    def __init__(self, solver: Propagation, encoding: Encoding, call: Call) -> None:
        self.solver = solver
        self.encoding = encoding
        self.call = call
        self.effort = Effort()
        self.bound: AtMost | None = None
        objective = call.problem.structure.objective
        if call.optimum and objective is not None:
            self.bound = encoding.better(objective)
            self._begin((self.bound,), (len(encoding.propagators),))
        else:
            self._begin()

    def _begin(self, more: Sequence[Propagator] = (), always: Sequence[int] = ()) -> None:
        call = self.call
        self.state = self.encoding.state(call.problem, more)
        self.found = search(
            self.state, self.solver.choose, self.effort, call.deadline, call.limits.nodes, always
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

    def told(self) -> Told:
        self.effort.propagations = self.state.propagations
        return Told(statistics=vars(self.effort))
