"""toulbar2's search: all solutions, or the best one, when it is over."""

from __future__ import annotations

from math import ceil
from typing import Any

from backends.interface.api import StoppedBy
from backends.interface.libraries.making import RecipeSolver, maker
from backends.interface.libraries.recipes import Recipe
from backends.interface.magnitudes import ensure_objective_fits
from backends.interface.options import Option
from backends.interface.session import Call, Capabilities, Session, SessionReport, Take
from backends.toulbar2.handlers import HANDLERS
from backends.toulbar2.network import Impossible, Network
from backends.toulbar2.parameters import PARAMETERS
from backends.toulbar2.sums import linear
from backends.toulbar2.timer import Timer
from modelling.constraints import Linear
from modelling.problem import Assignment, Objective

LARGEST = (1 << 31) - 1
"""Costs and weights are of 64 bits, but costs go through doubles, and bounds are sums of both."""

MOST_SOLUTIONS = 1_000_000
"""toulbar2 keeps all solutions until it gives them, about 100 bytes for each variable."""

OPTIONS = (
    Option("search", ("complete", "vns"), "complete", "branch and bound, or neighbourhood search"),
)

FROM_FIRST_SOLUTION = -4
"""Neighbourhood search begins with what depth-first search finds (pytoulbar2's ``vns``)."""


class Toulbar2(RecipeSolver):
    """Complete but for ``vns``; statistics: nodes, failures (backtracks)."""

    handlers = HANDLERS
    largest = LARGEST

    def __init__(self, name: str, search: str) -> None:
        self.vns = search == "vns"
        proves = not self.vns
        super().__init__(name, Capabilities("toulbar2", improves=True, fixes=True, proves=proves))

    def open(self, recipe: Recipe, call: Call) -> Toulbar2Session:
        """A network of the instance."""
        return Toulbar2Session(self, recipe, call)


class Toulbar2Session(Session):
    """One search of one network."""

    def __init__(self, solver: Toulbar2, recipe: Recipe, call: Call) -> None:
        self.solver = solver
        self.call = call
        self.recipe = recipe
        self.extra: list[Linear] = []
        self.status = ""
        self.statistics: dict[str, int | float] = {}
        self.bound: int | None = None
        self.dual: int | None = None
        self.number = 0
        self.ran_out = False

    def fix(self, objective: Objective, value: int) -> None:
        self._check(objective)
        self.extra.append(Linear(objective.scope, objective.coefficients, "==", value))

    def each(self, take: Take) -> StoppedBy:
        """All that are wanted, at once."""
        most = 0 if self.solver.vns or not self.call.several else self._wanted()
        for values in self._found(1, {}, most):
            if not take(values):
                return "sink"
        if most and self.number == most:
            self.status = f"no more than {most:,} solutions are held at once"
            return "memory"
        return self._ended()

    def _wanted(self) -> int:
        """The most solutions to ask for; the driver selects distinct outputs, and may need more."""
        wanted = getattr(self.call.ask, "limit", None)
        return MOST_SOLUTIONS if wanted is None or self.call.on else min(wanted, MOST_SOLUTIONS)

    def best(self, objective: Objective, take: Take) -> StoppedBy:
        """The best that was found; its costs are what the values add, at least 0 each."""
        self._check(objective)
        sense = 1 if objective.sense == "minimize" else -1
        domains = self.call.problem.structure.domains
        costs, least = {}, 0
        for variable, factor in zip(objective.scope, objective.coefficients, strict=True):
            added = [sense * factor * value for value in domains[variable]]
            costs[variable] = [cost - min(added) for cost in added]
            least += min(added)
        for values in self._found(1 + sum(map(max, costs.values())), costs, 0):
            if not take(values):
                return "sink"
        if self.status == "limited" and self.dual is not None:
            self.bound = sense * (least + self.dual)
        return self._ended()

    def _ended(self) -> StoppedBy:
        if self.status == "limited":
            return "time" if self.ran_out else "gave_up"
        return "gave_up" if self.solver.vns else "exhausted"

    # --- toulbar2 ---

    def _found(self, below: int, costs: dict[int, list[int]], most: int) -> list[Assignment]:
        """At most ``most`` solutions that cost less than ``below``; with 0, the cheapest found."""
        made = self._make(below)
        try:
            self._pose(Network(made, self.call.problem), costs)
        except (Impossible, made.Contradiction):
            self.status = "contradiction"
            return []
        with Timer(made, self.call.deadline.left) as timer:
            solved = made.Solve(allSolutions=most)
        self.ran_out = timer.ran_out
        self.statistics = {"nodes": made.GetNbNodes(), "failures": made.GetNbBacktracks()}
        self.status = "limited" if made.Option.limited else "solved"
        if not self.solver.vns:
            self.dual = ceil(made.GetDDualBound())
        rows = [row for _, row in made.GetSolutions()] if most else []
        if not most and solved and solved[1] < below:  # neighbourhood search may give others
            rows = [solved[0]]
        self.number = len(rows)
        domains = self.call.problem.structure.domains
        return [tuple([of[k] for of, k in zip(domains, row, strict=True)]) for row in rows]

    def _make(self, below: int) -> Any:
        """An empty network.

        Options are global, to the thread: in a new one they are not set, and a new network keeps
        those of the last search. ``init`` sets all to what they are at first.
        """
        tb2, limits = self.solver.library, self.call.limits
        tb2.tb2.init()
        for parameter, value in self.solver.parameters.items():  # a network asks for some of them
            setattr(tb2.tb2.option, parameter, value)
        seed = 1 if limits.seed is None else limits.seed % (1 << 31)
        made = tb2.CFN(below, vns=FROM_FIRST_SOLUTION if self.solver.vns else None, seed=seed)
        if limits.conflicts is not None:
            made.Option.backtrackLimit = limits.conflicts
        return made

    def _pose(self, network: Network, costs: dict[int, list[int]]) -> None:
        for pose, constraint, condition in self.recipe.posts:
            pose(network, constraint, condition)
        for constraint in self.extra:
            linear(network, constraint, None)
        for variable, of in costs.items():
            network.made.AddFunction([variable], of)
        network.finish()

    def _check(self, objective: Objective) -> None:
        structure, why = self.call.problem.structure, "toulbar2's costs go through doubles"
        ensure_objective_fits(self.solver.name, objective, structure, LARGEST, why)

    def report(self) -> SessionReport:
        return SessionReport(self.status, self.statistics, bound=self.bound)


make = maker("toulbar2", OPTIONS, Toulbar2, PARAMETERS)
