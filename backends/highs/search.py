"""HiGHS's calls: one solution at a time, or the best, with its incumbents and bounds."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from backends.integer_programs.draft import IntegerProgramDraft
from backends.integer_programs.instance import Row
from backends.integer_programs.listening import Listener
from backends.integer_programs.searching import SolvingAnew
from backends.interface.api import StoppedBy
from backends.interface.options import Value
from backends.interface.session import Call, SessionReport, Take
from backends.signals import defer, is_handled
from modelling.errors import BackendError
from modelling.problem import Objective

_STOPPED: dict[str, StoppedBy] = {
    "kOptimal": "exhausted",
    "kModelEmpty": "exhausted",
    "kInfeasible": "exhausted",
    "kUnboundedOrInfeasible": "exhausted",  # every column has bounds
    "kTimeLimit": "time",
    "kMemoryLimit": "memory",
    "kInterrupt": "sink",
    "kHighsInterrupt": "sink",
}
_FAILED = ("kModelError", "kLoadError")


class HighsSession(SolvingAnew):
    """One model of one instance, with a row more for each solution that was found."""

    def __init__(
        self,
        name: str,
        library: Any,
        draft: IntegerProgramDraft,
        call: Call,
        threads: int,
        parameters: Mapping[str, Value],
    ) -> None:
        super().__init__(name, draft, call)
        self.library = library
        self.infinity = library.kHighsInf
        self.model = library.Highs()
        self.nodes = self.iterations = 0
        limits = call.limits
        options: dict[str, Any] = {"output_flag": False, "threads": threads, "mip_rel_gap": 0.0}
        if limits.seed is not None:
            options["random_seed"] = limits.seed % (1 << 31)
        if limits.nodes is not None:
            options["mip_max_nodes"] = limits.nodes
        for option, value in (options | dict(parameters)).items():
            self.model.setOptionValue(option, value)
        self._load()

    def _load(self) -> None:
        """The program as HiGHS has it: rows one after the other."""
        library, program = self.library, self.instance.program
        self.columns = len(program.bounds)
        program_of = library.HighsLp()
        program_of.num_col_, program_of.num_row_ = self.columns, len(program.rows)
        program_of.col_cost_ = np.zeros(self.columns)
        bounds = np.array(program.bounds, dtype=float).reshape(-1, 2)
        program_of.col_lower_, program_of.col_upper_ = bounds[:, 0].copy(), bounds[:, 1].copy()
        ends = np.array([self._ends(row) for row in program.rows], dtype=float).reshape(-1, 2)
        program_of.row_lower_, program_of.row_upper_ = ends[:, 0].copy(), ends[:, 1].copy()
        lengths = [len(terms) for terms, _, _ in program.rows]
        matrix = program_of.a_matrix_
        matrix.format_ = library.MatrixFormat.kRowwise
        matrix.start_ = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
        matrix.index_ = np.array([k for terms, _, _ in program.rows for _, k in terms], np.int32)
        matrix.value_ = np.array([f for terms, _, _ in program.rows for f, _ in terms], float)
        program_of.integrality_ = [library.HighsVarType.kInteger] * self.columns
        self.model.passModel(program_of)

    def _ends(self, row: Row) -> tuple[float, float]:
        """The least and the greatest value of a row."""
        _, relation, constant = row
        low = -self.infinity if relation == "<=" else constant
        return low, self.infinity if relation == ">=" else constant

    def add(self, row: Row) -> None:
        terms = row[0]
        low, high = self._ends(row)
        index = np.array([column for _, column in terms], np.int32)
        self.model.addRow(low, high, len(terms), index, np.array([f for f, _ in terms], float))

    def solve(self) -> Sequence[float] | StoppedBy:
        stopped_by = self._run()
        return stopped_by if self.numbers is None else self.numbers

    def optimise(self, objective: Objective, take: Take) -> StoppedBy:
        """Minimised always, so that bounds are from below."""
        model, sign = self.model, 1 if objective.sense == "minimize" else -1
        for factor, column in self.instance.terms(objective.scope, objective.coefficients):
            model.changeColCost(column, float(sign * factor))
        incumbent = self.library.cb.HighsCallbackType.kCallbackMipImprovingSolution

        def tell(kind: Any, said: Any) -> bool:
            if int(kind) == int(incumbent):
                found = self.read(list(said.mip_solution))
                return found is None or take(found)
            return self.tell_bound(sign * said.mip_dual_bound, objective)

        listener = Listener(tell)
        stopped_by = self._run(None if self.call.bounded is None else listener.callback)
        listener.check()
        self.tell_bound(sign * model.getInfo().mip_dual_bound, objective)
        return "sink" if listener.stopped else self.take_best(self.numbers, take, stopped_by)

    def _run(self, callback: Callable[..., bool] | None = None) -> StoppedBy:
        """Solve; ``numbers`` are the columns of what was found, None for nothing. ``callback``, if
        somebody listens, receives incumbents and bounds, and returns whether to continue."""
        model = self.model
        left = self.call.deadline.left
        if left is not None:  # its clock continues from one solution to the next
            model.setOptionValue("time_limit", model.getRunTime() + left)
        self.numbers: Sequence[float] | None = None
        with self._registered(callback):
            model.run()
        status = model.getModelStatus()
        self.status = model.modelStatusToString(status)
        if status.name in _FAILED:
            raise BackendError(f"{self.name}: {self.status}")
        info = model.getInfo()
        self.nodes += max(0, int(info.mip_node_count))
        self.iterations += max(0, int(info.simplex_iteration_count))
        if status.name == "kModelEmpty":
            self.numbers = []
        elif info.primal_solution_status == self.library.SolutionStatus.kSolutionStatusFeasible:
            self.numbers = list(model.getSolution().col_value)
        return _STOPPED.get(status.name, "gave_up")

    @contextmanager
    def _registered(self, callback: Callable[..., bool] | None) -> Iterator[None]:
        """In the block HiGHS calls back, and Ctrl-C ends it when it does so next: within a callback
        nothing may be raised."""
        kinds = self.library.cb.HighsCallbackType
        calls = [kinds.kCallbackMipInterrupt] if callback is not None or is_handled() else []
        if callback is not None:
            calls.append(kinds.kCallbackMipImprovingSolution)

        def answer(kind: Any, message: str, said: Any, answered: Any, data: object) -> None:
            if interrupted.is_set() or (callback is not None and not callback(kind, said)):
                answered.user_interrupt = True

        with defer(signal.SIGINT) as interrupted:
            if calls:
                self.model.setCallback(answer, None)
            for call in calls:
                self.model.startCallback(call)
            yield
            for call in calls:
                self.model.stopCallback(call)
        if interrupted.is_set():
            signal.raise_signal(signal.SIGINT)

    def report(self) -> SessionReport:
        statistics = {"nodes": self.nodes, "lp_iterations": self.iterations}
        return SessionReport(self.status, statistics, bound=self.bound)
