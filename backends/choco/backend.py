"""Choco's search: solutions one after another, optima by its own branch and bound."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from backends.choco.guards import INTERVALS, WIDEST, find_overflow
from backends.choco.handlers import BUILDERS, HANDLERS
from backends.choco.model import Model, Recipe, keep_settings
from backends.interface.api import StoppedBy
from backends.interface.driver import Driver
from backends.interface.magnitudes import sum_reach
from backends.interface.options import Option, canonical, parse
from backends.interface.registry import require
from backends.interface.session import Call, Capabilities, Session, Take, Told
from modelling.errors import Unsupported
from modelling.problem import Assignment, Objective, Structure
from modelling.terms import bounds
from modelling.versions import find_version

INSTALL = "pip install 'solver-concord[choco]'"

SEARCHES: Mapping[str, str] = {
    "default": "",
    "first": "set_input_order_lb_search",
    "smallest": "set_min_dom_lb_search",
    "conflicts": "set_conflict_history_search",
    "random": "set_random_search",
}
"""pychoco's names; it prints to the screen where weighted degrees are asked for by name."""

OPTIONS = (Option("search", tuple(SEARCHES), "default", "what Choco branches on"),)


def make(options: str = "") -> Driver:
    """The backend with its options, e.g. ``search=first``."""
    values = parse("choco", OPTIONS, options)
    name = canonical("choco", OPTIONS, values)
    return Driver(name, Choco(name, values["search"]))


class Choco:
    """Complete; statistics: nodes, failures, backtracks, restarts."""

    handlers = HANDLERS

    def __init__(self, name: str, search: str) -> None:
        self.name = name
        self.search = search
        self.choco, models, self.calls = (
            require("pychoco", module, "choco", INSTALL)
            for module in ("pychoco", "pychoco.model", "pychoco.backend")
        )
        self.empty = keep_settings(models, self.calls)
        self.capabilities = Capabilities(
            family="choco",
            version=find_version("pychoco"),
            improves=True,
            fixes=True,
            intervals=INTERVALS,
        )

    def refusal(self, structure: Structure, encode: Callable[[], Any]) -> str:
        """Values and sums that its integers do not hold."""
        return find_overflow(structure)

    def encode(self, structure: Structure) -> Recipe:
        """What the handlers note."""
        return Recipe(structure)

    def open(self, recipe: Recipe, call: Call) -> Search:
        """A model of the instance."""
        model = Model(self.choco, self.empty(), call.problem, BUILDERS)
        for builder, constraint, condition in recipe.posts:
            model.impose(builder(model, constraint), condition)
        return Search(self, model, call)


class Search(Session):
    """One search of one model."""

    def __init__(self, choco: Choco, model: Model, call: Call) -> None:
        self.choco = choco
        self.model = model
        self.call = call
        self.solver = model.model.get_solver()
        self.begun = False
        # the method of a variable asks each time whether it has a value; the others are not read
        self.read = choco.calls.get_intvar_value
        self.handles = [variable._handle for variable in model.variables[: call.declared]]

    def _begin(self) -> None:
        """The limit on time counts from here."""
        self.begun = True
        choice = SEARCHES[self.choco.search]
        if choice and self.model.variables:
            seed = {"seed": self.call.limits.seed or 0} if choice == "set_random_search" else {}
            getattr(self.solver, choice)(*self.model.variables, **seed)
        if self.call.deadline.left is not None:
            # in seconds: it takes "700ms" and does not stop
            self.solver.limit_time(f"{max(self.call.deadline.left, 0.001):.3f}s")

    def next(self) -> Assignment | StoppedBy:
        if not self.begun:
            self._begin()
        limits = self.call.limits
        if self.solver.solve(node_limit=limits.nodes, fail_limit=limits.conflicts):
            return tuple(map(self.read, self.handles))
        if self.solver.get_search_state() == "TERMINATED":
            return "exhausted"
        # it may be over a moment early: Choco's clock is another one
        counted = limits.nodes is not None or limits.conflicts is not None
        return "gave_up" if counted and not self.call.deadline.passed else "time"

    def best(self, objective: Objective, take: Take) -> StoppedBy:
        """Each solution is better than the one before."""
        self.model.model.set_objective(self._total(objective), objective.sense == "maximize")
        return self.each(take)

    def fix(self, objective: Objective, value: int) -> None:
        self.model.model.arithm(self._total(objective), "=", value).post()

    def _total(self, objective: Objective) -> Any:
        """The variable that is equal to the objective."""
        model, structure = self.model, self.call.problem.structure
        if objective.coefficients == (1,):
            return model.variables[objective.scope[0]]
        reach = sum_reach(objective.scope, objective.coefficients, structure)
        plain = all(abs(factor) == 1 for factor in objective.coefficients)
        most = WIDEST if plain else WIDEST // 2  # its total is one more term of that sum
        if reach > most:
            what = f"an objective that reaches beyond {most}"
            raise Unsupported(self.choco.name, what, "Choco's integers do not hold it")
        ends = [
            sorted(factor * end for end in bounds(variable, model.domains))
            for variable, factor in zip(objective.scope, objective.coefficients, strict=True)
        ]
        total = model.model.intvar(sum(low for low, _ in ends), sum(high for _, high in ends))
        terms = [model.variables[variable] for variable in objective.scope]
        model.model.scalar(terms, list(objective.coefficients), "=", total).post()
        return total

    def told(self) -> Told:
        solver = self.solver
        statistics = {
            # the method of this name returns seconds
            "nodes": self.choco.calls.get_node_count(solver._handle),
            "failures": solver.get_fail_count(),
            "backtracks": solver.get_backtrack_count(),
            "restarts": solver.get_restart_count(),
        }
        return Told(solver.get_search_state(), statistics)
