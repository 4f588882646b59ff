"""Pumpkin's search: solutions one after another, optima by its own optimisation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from backends.interface.api import StoppedBy
from backends.interface.magnitudes import ensure_objective_fits
from backends.interface.session import Call, Session, SessionReport, Take
from backends.pumpkin.comparisons import linear
from backends.pumpkin.guards import LARGEST
from backends.pumpkin.model import Model
from modelling.constraints import Linear
from modelling.problem import Assignment, Objective
from modelling.terms import bounds


class Stopped(Exception):
    """Raised through Pumpkin's optimisation, which nothing else ends."""


DIRECTIONS: Mapping[str, str] = {"minimize": "Minimise", "maximize": "Maximise"}
"""Pumpkin's names."""


class PumpkinSession(Session):
    """One search of one model."""

    def __init__(
        self, name: str, model: Model, call: Call, optimisation: Any, optimiser: Any
    ) -> None:
        self.name = name
        self.optimisation = optimisation
        self.optimiser = optimiser
        self.model = model
        self.call = call
        self.status = ""
        self.total: Any = None
        self.sense = 1
        self.best_found: int | None = None

    def build(self, pose: Callable[[], object]) -> None:
        """Pose what there is to pose, until it is impossible.

        From then on Pumpkin makes no variables and tags, and says so by a ValueError, or by a
        RuntimeError up to 0.4.
        """
        try:
            pose()
        except (ValueError, RuntimeError):
            if not self.model.model.is_inconsistent():
                raise

    @property
    def _seconds(self) -> float | None:
        left = self.call.deadline.left
        return None if left is None else max(left, 0.001)

    def next(self) -> Assignment | StoppedBy:
        results = self.model.pumpkin.SatisfactionResult
        if self.model.model.is_inconsistent():
            self.status = "Unsatisfiable"
            return "exhausted"
        match self.model.model.satisfy(self._seconds):
            case results.Satisfiable(solution):
                self.status = "Satisfiable"
                return self._values(solution)
            case results.Unsatisfiable():
                self.status = "Unsatisfiable"
                return "exhausted"
        self.status = "Unknown"
        return "time"

    def _values(self, solution: Any) -> Assignment:
        return tuple([solution.int_value(variable) for variable in self.model.variables])

    def exclude(self, values: Assignment) -> None:
        on = range(len(values)) if self.call.on is None else self.call.on
        variables = [self.model.variables[k] for k in on]
        row = [values[k] for k in on]
        self.build(lambda: self.model.add("NegativeTable", variables, [row]))

    # --- optima ---

    def best(self, objective: Objective, take: Take) -> StoppedBy:
        """Each solution is better than the one before."""
        self.sense = 1 if objective.sense == "minimize" else -1
        self.build(lambda: self._make_total(objective))
        if self.model.model.is_inconsistent():
            self.status = "Unsatisfiable"
            return "exhausted"
        results = self.optimisation.OptimisationResult
        direction = DIRECTIONS[objective.sense]

        def found(solution: Any) -> None:
            values = self._values(solution)
            self.best_found = objective.value(values)
            if not take(values):
                raise Stopped

        try:
            result = self.model.model.optimise(
                self.total,
                optimiser=self.optimiser,
                direction=getattr(self.optimisation.Direction, direction),
                timeout=self._seconds,
                on_solution=found,
            )
        except Stopped:
            self.status = "Satisfiable"
            return "sink"
        self.status = type(result).__name__
        if isinstance(result, results.Optimal | results.Satisfiable):
            values = self._values(result._0)  # from the bound up, the callback lacks the last
            self.best_found = objective.value(values)
            if not take(values):
                return "sink"
        proven = isinstance(result, results.Optimal | results.Unsatisfiable)
        return "exhausted" if proven else "time"

    def fix(self, objective: Objective, value: int) -> None:
        self._check(objective)
        total = Linear(objective.scope, objective.coefficients, "==", value)
        self.build(lambda: linear(self.model, total, None))

    def _make_total(self, objective: Objective) -> None:
        """The objective as one: a variable, or one that is equal to the sum."""
        self._check(objective)
        model = self.model
        # it panics where a variable is taken 0 times
        pairs = [(x, k) for x, k in zip(objective.scope, objective.coefficients, strict=True) if k]
        if len(pairs) == 1:
            ((x, k),) = pairs
            self.total = model.variables[x].scaled(k)
            return
        ends = [sorted(k * end for end in bounds(x, model.domains)) for x, k in pairs]
        low, high = sum(low for low, _ in ends), sum(high for _, high in ends)
        self.total = model.integer(low, high)
        terms = [model.variables[x].scaled(k) for x, k in pairs]
        model.add("Equals", [*terms, self.total.scaled(-1)], 0)

    def _check(self, objective: Objective) -> None:
        structure, why = self.call.problem.structure, "Pumpkin's integers do not hold it"
        ensure_objective_fits(self.name, objective, structure, LARGEST // 2, why)

    def report(self) -> SessionReport:
        """The bound is what is left of the objective at the root, or what was found."""
        if self.total is None or self.best_found is None:
            return SessionReport(self.status)
        model = self.model.model
        if self.status == "Optimal" or model.is_inconsistent() or not hasattr(model, "lower_bound"):
            return SessionReport(self.status)  # 0.4.0 does not say bounds
        low, high = model.lower_bound(self.total), model.upper_bound(self.total)
        bound = min(low, self.best_found) if self.sense == 1 else max(high, self.best_found)
        return SessionReport(self.status, bound=bound)
