"""The configurations, and calls of CP-SAT in each of them with nothing around."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from backends.cpsat.formulations import Model, Read
from backends.cpsat.handlers import formulate
from backends.cpsat.parameters import LEVELS
from backends.interface import registry
from backends.interface.api import AllOptima, Ask, Backend, Limits, Optimum, Solutions
from backends.interface.optimise import bounded, required_objective
from modelling.problem import Assignment, Problem

LIMIT = 3.0
"""Seconds of wall time for a call; a row that needs more is no rival."""

ASKS: dict[str, Ask] = {
    "first": Solutions(1),
    "uniqueness": Solutions(2, 2),
    "all": Solutions(None, None),
    "optimum": Optimum(),
    "all optima": AllOptima(None, None),
}

BARE = LEVELS["off"]
THIN = {"cp_model_probing_level": 0, "symmetry_level": 0, "linearization_level": 0}


@dataclass(frozen=True)
class Configuration:
    """A formulation and parameters; ``plain`` is the documentation's script."""

    formulation: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    plain: bool = False


PARAMETERS: dict[str, Mapping[str, Any]] = {
    "presolve on": {},
    "presolve off": BARE,
    "presolve off, inprocessing on": {**BARE, "use_sat_inprocessing": True},
    "presolve off, fixed search": {**BARE, "search_branching": "FIXED_SEARCH"},
    "presolve light": LEVELS["light"],
    "light, linearization 0": {**LEVELS["light"], "linearization_level": 0},
    "no probing, symmetry, linearization": THIN,
}
ONLY_INTEGERS: dict[str, Mapping[str, Any]] = {
    "linearization 0": {"linearization_level": 0},
    "linearization 2": {"linearization_level": 2},
    "symmetry 0": {"symmetry_level": 0},
    "probing 0": {"cp_model_probing_level": 0},
    "keep all feasible": {"keep_all_feasible_solutions_in_presolve": True},
    "presolve off, not all instantiated": {**BARE, "instantiate_all_variables": False},
}
CONFIGURATIONS: dict[str, Configuration] = {
    "plain": Configuration("alldifferent", plain=True),
    **{f"alldifferent, {k}": Configuration("alldifferent", v) for k, v in PARAMETERS.items()},
    **{f"alldifferent, {k}": Configuration("alldifferent", v) for k, v in ONLY_INTEGERS.items()},
    **{f"booleans, {k}": Configuration("booleans", v) for k, v in PARAMETERS.items()},
}


@dataclass
class Answer:
    """What a row says: solutions found, whether the search was exhausted, the optimum."""

    solutions: list[Assignment]
    ended: bool
    objective: int | None = None


Call = Callable[[Problem], Answer]


class Bare:
    """CP-SAT with nothing around it."""

    def __init__(self, configuration: Configuration, ask: str) -> None:
        from ortools.sat.python import cp_model

        self._cp = cp_model
        self._configuration = configuration
        self._ask = ask
        self._models: dict[str, Model] = {}

    def __call__(self, problem: Problem) -> Answer:
        if self._ask == "optimum":
            return self._optimum(problem)
        if self._ask == "all optima":
            best = self._optimum(problem)
            if best.objective is None or not best.ended:
                return best
            every = self._search(bounded(problem, "==", best.objective), None)
            return Answer(every.solutions, every.ended, best.objective)
        limit = ASKS[self._ask].limit  # type: ignore[union-attr] # the other asks are above
        return self._search(problem, limit)

    def _model(self, problem: Problem) -> Model:
        key = problem.structure.digest
        if self._configuration.plain or key not in self._models:
            formulation = self._configuration.formulation
            self._models[key] = formulate(self._cp, formulation, problem.structure)
        return self._models[key]

    def _solver(self) -> Any:
        solver = self._cp.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.max_time_in_seconds = LIMIT
        if not self._configuration.plain:
            solver.parameters.presolve_inclusion_work_limit = 0
        for name, value in self._configuration.parameters.items():
            if name == "search_branching":
                value = getattr(type(solver.parameters.search_branching), value)
            setattr(solver.parameters, name, value)
        return solver

    def _search(self, problem: Problem, limit: int | None) -> Answer:
        model, solver = self._model(problem), self._solver()
        found: list[Assignment] = []
        model.narrow(problem)
        read = model.reader(problem)
        callback = None
        if limit != 1:
            solver.parameters.enumerate_all_solutions = True
            callback = _collect(self._cp)(read, found, limit)
        status = solver.solve(model.model, callback)
        model.widen(problem)
        if limit == 1 and status in (self._cp.OPTIMAL, self._cp.FEASIBLE):
            found.append(read(solver.response_proto.solution))
        ended = status in (self._cp.OPTIMAL, self._cp.INFEASIBLE) or len(found) == limit
        return Answer(found, ended)

    def _optimum(self, problem: Problem) -> Answer:
        model, solver, objective = self._model(problem), self._solver(), required_objective(problem)
        model.narrow(problem)
        terms = [model.expressions[v] for v in objective.scope]
        total = self._cp.LinearExpr.weighted_sum(terms, objective.coefficients)
        getattr(model.model, objective.sense)(total)
        status = solver.solve(model.model)
        model.model.clear_objective()
        model.widen(problem)
        if status not in (self._cp.OPTIMAL, self._cp.FEASIBLE):
            return Answer([], status == self._cp.INFEASIBLE)
        best = model.reader(problem)(solver.response_proto.solution)
        return Answer([best], status == self._cp.OPTIMAL, objective.value(best))


@lru_cache(maxsize=1)
def _collect(cp: Any) -> Any:
    """A callback that collects; its class is made once, for that takes as long as a small call."""

    class Collect(cp.CpSolverSolutionCallback):  # type: ignore[misc]  # cp is imported lazily
        def __init__(self, read: Read, found: list[Assignment], limit: int | None) -> None:
            super().__init__()
            self.read, self.found, self.limit = read, found, limit

        def on_solution_callback(self) -> None:
            if self.limit is not None and len(self.found) >= self.limit:
                return
            self.found.append(self.read(self.response_proto.solution))
            if len(self.found) == self.limit:
                self.stop_search()

    return Collect


def through_concord(name: str, ask: str) -> Call:
    """CP-SAT as Concord calls it, keeping what the ask lets it keep."""
    backend: Backend = registry.get(name)

    def call(problem: Problem) -> Answer:
        result = backend.solve(problem, ASKS[ask], Limits(seconds=LIMIT))
        ended = result.stopped_by in ("exhausted", "enough")
        return Answer(list(result.solutions), ended, result.objective)

    return call
