"""Exact's search: solutions one after another, optima from solution to solution."""

from __future__ import annotations

from typing import Any

from backends.exact.formula import ExactRecipe, Formula
from backends.exact.handlers import HANDLERS, linear
from backends.exact.parameters import TAKEN
from backends.interface.api import StoppedBy
from backends.interface.libraries.making import LibrarySolver
from backends.interface.session import Call, Capabilities, Session, SessionReport, Take
from backends.signals import keep_handlers
from modelling.constraints import Linear
from modelling.problem import Assignment, Objective, Structure

NAMES = {
    "nodes": "decisions",
    "failures": "conflicts",
    "propagations": "propagations",
    "restarts": "restarts",
}
"""Statistics, and what Exact calls them."""


class Exact(LibrarySolver):
    """Complete; statistics: nodes (decisions), failures (conflicts), propagations, restarts."""

    handlers = HANDLERS

    def __init__(self, name: str) -> None:
        super().__init__(name, Capabilities("exact", improves=True, fixes=True, projects=True))

    def encode(self, structure: Structure) -> ExactRecipe:
        """What the handlers note."""
        return ExactRecipe()

    def open(self, recipe: ExactRecipe, call: Call) -> ExactSession:
        """A formula of the instance."""
        solver = self.make(call)
        return ExactSession(solver, recipe.pose(solver, call.problem), call)

    def make(self, call: Call, *more: tuple[str, str]) -> Any:
        """A new solver of the library, with the options of the backend and ``more``."""
        options = [("verbosity", "0"), *more]
        options += [(name, str(value)) for name, value in self.parameters.items()]
        if call.limits.seed is not None:
            options.append(("seed", str(1 + call.limits.seed % (1 << 31))))
        with keep_handlers(*TAKEN):
            return self.library.Exact(options)


class ExactSession(Session):
    """One search of one formula."""

    def __init__(self, solver: Any, formula: Formula, call: Call) -> None:
        self.solver = solver
        self.formula = formula
        self.call = call
        self.status = ""
        self.objective: Objective | None = None
        self.found_any = False

    def next(self) -> Assignment | StoppedBy:
        deadline = self.call.deadline
        while True:
            if deadline.passed:
                self.status = "TIMEOUT"
                return "time"
            left = deadline.left
            self.status = self.solver.runOnce(0 if left is None else max(left, 0.001))
            self._tell_bound()
            if self.status == "SAT":
                self.found_any = True
                return self.formula.read()
            if self.status in ("UNSAT", "INCONSISTENT"):
                return "exhausted"
            if self.status == "TIMEOUT":
                return "time"

    def exclude(self, values: Assignment) -> None:
        on = range(len(values)) if self.call.on is None else self.call.on
        names = self.formula.names(on)
        if names:
            self.solver.invalidateLastSol(list(dict.fromkeys(names)))
        else:  # nothing is left by which another one could differ
            self.solver.addConstraint([], True, 1)

    # --- optima ---

    def best(self, objective: Objective, take: Take) -> StoppedBy:
        """Each solution is better than the one before."""
        self.objective = objective
        weights, constant = self.formula.weigh(objective.scope, objective.coefficients)
        terms = [(weight, name) for name, weight in weights.items() if weight]
        self.solver.setObjective(terms, objective.sense == "minimize", constant)
        return super().best(objective, take)

    def improve(self, objective: Objective, than: int) -> None:
        self.solver.boundObjByLastSol()

    def fix(self, objective: Objective, value: int) -> None:
        total = Linear(objective.scope, objective.coefficients, "==", value)
        linear(self.formula, total, None)

    def _tell_bound(self) -> None:
        if self.objective is not None and self.call.bounded is not None and self.status != "UNSAT":
            self.call.bounded(self._bound())

    def _bound(self) -> int:
        bound: int = self.solver.getDualBound()
        return bound

    def report(self) -> SessionReport:
        said = dict(self.solver.getStats())
        statistics = {ours: int(said[theirs]) for ours, theirs in NAMES.items()}
        proven = self.status in ("UNSAT", "INCONSISTENT")
        bound = self._bound() if self.objective is not None and not proven else None
        return SessionReport(self.status, statistics, bound=bound)
