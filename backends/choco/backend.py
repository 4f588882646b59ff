"""Choco's search: solutions one after another, optima by its own branch and bound."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from backends.choco.guards import INTERVALS, WIDEST, find_overflow
from backends.choco.handlers import BUILDERS, HANDLERS
from backends.choco.model import Model, keep_settings
from backends.choco.parameters import PARAMETERS
from backends.choco.unguarded import UNGUARDED, UNGUARDED_BUILDERS
from backends.interface.api import StoppedBy
from backends.interface.libraries.making import RecipeSolver, import_library, maker
from backends.interface.libraries.recipes import Recipe
from backends.interface.libraries.workarounds import DROPPED, WORKAROUNDS
from backends.interface.magnitudes import ensure_objective_fits
from backends.interface.options import Option
from backends.interface.session import Call, Capabilities, Session, SessionReport, Take
from modelling.problem import Assignment, Objective, Structure
from modelling.terms import bounds

SEARCHES: Mapping[str, str] = {
    "default": "",
    "first": "set_input_order_lb_search",
    "smallest": "set_min_dom_lb_search",
    "conflicts": "set_conflict_history_search",
    "random": "set_random_search",
}
"""pychoco's names; it prints to the screen where weighted degrees are asked for by name."""

OPTIONS = (
    Option("search", tuple(SEARCHES), "default", "what Choco branches on"),
    WORKAROUNDS,
)


class Choco(RecipeSolver):
    """Complete; statistics: nodes, failures, backtracks, restarts."""

    handlers = HANDLERS
    builders = BUILDERS

    def __init__(self, name: str, search: str, workarounds: str) -> None:
        super().__init__(
            name, Capabilities("choco", improves=True, fixes=True, intervals=INTERVALS)
        )
        self.search = search
        if workarounds == DROPPED:
            self.handlers, self.builders = UNGUARDED, UNGUARDED_BUILDERS
        self.calls = import_library("choco", "pychoco.backend")

    @cached_property
    def empty(self) -> Callable[[], Any]:
        """Makes models that have the parameters of the name."""
        models = import_library("choco", "pychoco.model")
        return keep_settings(models, self.calls, self.parameters)

    def load(self) -> None:
        """Make the settings before there is a problem."""
        self.empty  # noqa: B018 - it is kept

    def refusal(self, structure: Structure, encode: Callable[[], Any]) -> str:
        """Values and sums that its integers do not hold."""
        return find_overflow(structure)

    def open(self, recipe: Recipe, call: Call) -> ChocoSession:
        """A model of the instance."""
        model = Model(self.library, self.empty(), call.problem, self.builders)
        for builder, constraint, condition in recipe.posts:
            model.post(builder, constraint, condition)
        return ChocoSession(self, model, call)


class ChocoSession(Session):
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
        plain = all(abs(factor) == 1 for factor in objective.coefficients)
        most = WIDEST if plain else WIDEST // 2  # its total is one more term of that sum
        why = "Choco's integers do not hold it"
        ensure_objective_fits(self.choco.name, objective, structure, most, why)
        ends = [
            sorted(factor * end for end in bounds(variable, model.domains))
            for variable, factor in zip(objective.scope, objective.coefficients, strict=True)
        ]
        total = model.model.intvar(sum(low for low, _ in ends), sum(high for _, high in ends))
        terms = [model.variables[variable] for variable in objective.scope]
        model.model.scalar(terms, list(objective.coefficients), "=", total).post()
        return total

    def report(self) -> SessionReport:
        solver = self.solver
        statistics = {
            # the method of this name returns seconds
            "nodes": self.choco.calls.get_node_count(solver._handle),
            "failures": solver.get_fail_count(),
            "backtracks": solver.get_backtrack_count(),
            "restarts": solver.get_restart_count(),
        }
        return SessionReport(solver.get_search_state(), statistics)


make = maker("choco", OPTIONS, Choco, PARAMETERS)
