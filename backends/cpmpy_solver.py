"""Every backend of Concord as a solver of CPMpy's: ``model.solve(solver="concord:cpsat")``.

    import cpmpy as cp
    import concord

    concord.register_cpmpy()
    x = cp.intvar(1, 9, shape=3, name="x")
    model = cp.Model(cp.AllDifferent(x), sum(x) == 15)
    model.solve(solver="concord:propagation"), model.solveAll(solver="concord:sat:direct")

Importing this module registers, too. What follows the first colon is a backend's name with its
options; ``concord`` alone is the propagation solver. CPMpy keeps its list of solvers in a method,
so that this method is put in the place of another, which adds one entry.

Assumptions narrow domains, so that a structure is encoded once and asked again under others.
Optional keywords of ``solve`` and ``solveAll`` are the ``Limits`` other than seconds: ``nodes``,
``conflicts``, ``seed``, ``threads``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from time import perf_counter
from typing import Any

from cpmpy.exceptions import NotSupportedError
from cpmpy.expressions.variables import NegBoolView, _BoolVarImpl, _NumVarImpl
from cpmpy.solvers.solver_interface import ExitStatus, SolverInterface, SolverStatus
from cpmpy.solvers.utils import SolverLookup
from cpmpy.transformations.get_variables import get_variables
from cpmpy.transformations.normalize import toplevel_list

from backends.interface import registry
from backends.interface.api import (
    AllOptima,
    Ask,
    Backend,
    Limits,
    Optimum,
    Refused,
    Result,
    Solutions,
)
from backends.interface.evidence.answer import shortfall
from modelling.errors import BackendUnavailable, ContradictoryResult, ModelError, Unsupported
from modelling.formats.cpmpy.reading import Reading
from modelling.problem import Problem, build_problem
from modelling.versions import find_version
from modelling.vocabulary.formulas.linear import equals

NAME = "concord"


class ConcordSolver(SolverInterface):  # type: ignore[misc] # cpmpy has no types
    """A backend of Concord's behind CPMpy's interface."""

    default = "propagation"
    """The backend where none is named."""

    @staticmethod
    def supported() -> bool:
        """It is, wherever this class is."""
        return True

    @classmethod
    def version(cls) -> str | None:
        """Concord's."""
        return find_version() or None

    @staticmethod
    def solvernames(installed: bool = True) -> list[str]:
        """The backends that take more than puzzles of one kind."""
        found = [info.name for info in registry.infos() if info.installed or not installed]
        return [name for name in found if not _is_special(name)]

    @staticmethod
    def solverversion(subsolver: str) -> str | None:
        """That of the backend's own solver, where it has one."""
        return str(getattr(registry.get(subsolver), "version", "")) or None

    def __init__(self, cpm_model: Any = None, subsolver: str | None = None) -> None:
        self.backend: Backend = registry.get(subsolver or self.default)
        self.reading = Reading()
        self.result: Result | None = None
        self._assumed: list[Any] = []
        self._limits = Limits()
        super().__init__(name=f"{NAME}:{self.backend.name}", cpm_model=cpm_model)

    # --- stating ---

    @property
    def native_model(self) -> Problem:
        """The Problem in its current state."""
        return self.reading.problem()

    def add(self, cpm_expr: Any) -> ConcordSolver:
        """Post constraints; NotSupportedError for what Concord has no word for."""
        get_variables(cpm_expr, collect=self.user_vars)
        try:
            self.reading.add(toplevel_list(cpm_expr))
        except ModelError as error:
            raise NotSupportedError(str(error)) from error
        return self

    __add__ = add

    def objective(self, expr: Any, minimize: bool) -> None:
        """Let this be the objective, in the place of any other."""
        try:
            get_variables(expr, collect=self.user_vars)
            self.reading.set_objective(expr, minimize)
        except ModelError as error:
            raise NotSupportedError(str(error)) from error

    def has_objective(self) -> bool:
        """Whether there is one."""
        return self.reading.objective is not None

    def solver_var(self, cpm_var: Any) -> Any:
        """The name under which Concord has a variable; a constant by itself."""
        if not isinstance(cpm_var, _NumVarImpl):
            return cpm_var
        own = cpm_var._bv if isinstance(cpm_var, NegBoolView) else cpm_var
        return self.reading.variable(own).name

    # --- solving ---

    def solve(
        self,
        time_limit: float | None = None,
        assumptions: Iterable[Any] | None = None,
        display: Any = None,
        **limits: Any,
    ) -> bool:
        """Whether a solution was found; with an objective it is sought to be a best one.

        ``display`` is called or printed for each solution that is found on the way.
        """
        self._assumed = list(assumptions or ())
        ask = Optimum() if self.has_objective() else Solutions(1)
        result = self._ask(ask, time_limit, limits, display if self.has_objective() else None)
        if display is not None and not self.has_objective() and result.solutions:
            self.print_display(display)
        return bool(self._solve_return(self.cpm_status))

    def solveAll(  # noqa: N802 (CPMpy's name)
        self,
        display: Any = None,
        time_limit: float | None = None,
        solution_limit: int | None = None,
        call_from_model: bool = False,
        **limits: Any,
    ) -> int:
        """How many solutions there are, up to a limit; with an objective, how many best ones."""
        self._assumed = []
        ask = AllOptima if self.has_objective() else Solutions
        return self._ask(ask(solution_limit), time_limit, limits, display).count

    def get_core(self) -> list[Any]:
        """Assumptions of the last ``solve`` that together leave no solution, and none too many.

        Each assumption is left out in turn. It stays out if the others alone leave no solution.
        """
        if self.cpm_status.exitstatus is not ExitStatus.UNSATISFIABLE:
            raise NotSupportedError(
                "there is no core: the last call to solve was not unsatisfiable"
            )
        kept = list(self._assumed)
        for one in list(kept):
            fewer = [other for other in kept if other is not one]
            result = self._answer(self._problem(fewer), Solutions(1), self._limits)
            if result.exhausted and not result.count:
                kept = fewer
        return kept

    def _ask(
        self, ask: Ask, time_limit: float | None, limits: dict[str, Any], display: Any
    ) -> Result:
        """Ask the backend, and leave status, objective and values as CPMpy wants them."""
        if time_limit is not None and time_limit <= 0:
            raise ValueError("the time limit must be positive")
        self._limits = replace(Limits(time_limit), **limits)
        began = perf_counter()
        problem = self._problem(self._assumed)
        result = self._answer(problem, ask, self._limits, display)
        self.result = result
        self.cpm_status = SolverStatus(self.name)
        self.cpm_status.solve_time = self.cpm_status.runtime = perf_counter() - began
        self.cpm_status.exitstatus = _exit_status(result, ask)
        self.objective_value_ = result.objective
        if result.solutions:
            self._set_values(problem, result.solutions[0])
        else:
            for variable in self.user_vars:
                variable._value = None
        return result

    def _answer(self, problem: Problem, ask: Ask, limits: Limits, display: Any = None) -> Result:
        def show(values: tuple[int, ...]) -> bool:
            self._set_values(problem, values)
            self.print_display(display)
            return True

        sink = None if display is None else show
        try:
            result = self.backend.solve(problem, ask, limits, sink)
        except Unsupported as error:
            raise NotSupportedError(str(error)) from error
        fault = shortfall(result, ask, problem, sink=sink is not None)
        if fault:
            raise ContradictoryResult(f"{self.backend.name} answered wrongly: {fault}")
        return result

    def _problem(self, assumptions: Iterable[Any]) -> Problem:
        """The problem under assumptions, Boolean variables or their negations."""
        for variable in sorted(self.user_vars, key=lambda variable: str(variable.name)):
            self.solver_var(variable)
        assumed = list(assumptions)
        positions = []
        for one in assumed:
            if not isinstance(one, _BoolVarImpl):
                raise NotSupportedError(f"{one!r} is no Boolean variable, as assumptions are")
            self.user_vars.add(one._bv if isinstance(one, NegBoolView) else one)
            positions.append(self.solver_var(one))
        problem = self.reading.problem()
        structure, masks = problem.structure, list(problem.masks)
        for one, name in zip(assumed, positions, strict=True):
            place = structure.index[name]
            value = 0 if isinstance(one, NegBoolView) else 1
            open_ = structure.positions[place].get(value)
            masks[place] &= 0 if open_ is None else 1 << open_
        return Problem(structure, tuple(masks))

    def _set_values(self, problem: Problem, values: tuple[int, ...]) -> None:
        found = problem.named(values)
        for variable in self.user_vars:
            value = found[variable.name]
            variable._value = bool(value) if isinstance(variable, _BoolVarImpl) else value


def _is_special(name: str) -> bool:
    """Whether a backend takes one kind of puzzle only, and not even a comparison."""
    try:
        backend = registry.get(name)
    except BackendUnavailable:
        return False
    return isinstance(backend.accepts(build_problem({"x": range(2)}, [equals("x", 1)])), Refused)


def _exit_status(result: Result, ask: Ask) -> ExitStatus:
    """CPMpy's word: optimal is a proven optimum, and all solutions where all were asked for."""
    if result.count == 0:
        return ExitStatus.UNSATISFIABLE if result.exhausted else ExitStatus.UNKNOWN
    if isinstance(ask, Optimum):
        return ExitStatus.OPTIMAL if result.status == "OPTIMUM" else ExitStatus.FEASIBLE
    every = result.exhausted and ask != Solutions(1)
    return ExitStatus.OPTIMAL if every else ExitStatus.FEASIBLE


def register(name: str = NAME, solver: type[ConcordSolver] = ConcordSolver) -> None:
    """Let CPMpy know ``concord``; a second call changes nothing."""
    known = SolverLookup.base_solvers
    if name in dict(known()):
        return

    def base_solvers(cls: Any) -> list[tuple[str, Any]]:
        """As before, and this one last."""
        return [*known(), (name, solver)]

    SolverLookup.base_solvers = classmethod(base_solvers)


register()
