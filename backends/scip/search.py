"""SCIP's calls: one solution, an optimum with its incumbents and bounds, or all solutions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backends.integer_programs.draft import IntegerProgramDraft
from backends.integer_programs.instance import Row
from backends.integer_programs.listening import Listener
from backends.integer_programs.searching import Searching
from backends.interface.api import StoppedBy
from backends.interface.collector import solution_hash
from backends.interface.driver import MOST_OUTPUTS
from backends.interface.options import Value
from backends.interface.session import Call, SessionReport, Take
from backends.scip.enumeration import LAST, enumerator_class, prepare
from backends.scip.incumbent_handler import incumbent_handler_class
from backends.signals import stop_when_interrupted
from modelling.problem import Assignment, Objective

_STOPPED: dict[str, StoppedBy] = {
    "optimal": "exhausted",
    "infeasible": "exhausted",
    "timelimit": "time",
    "memlimit": "memory",
}


class ScipSession(Searching):
    """One model of one instance, solved once."""

    def __init__(
        self,
        name: str,
        library: Any,
        draft: IntegerProgramDraft,
        call: Call,
        parameters: Mapping[str, Value],
    ) -> None:
        super().__init__(name, draft, call)
        self.library = library
        self.model = library.Model()
        self.model.hideOutput()
        self.model.setParam("misc/catchctrlc", False)  # Python handles it
        for parameter, value in parameters.items():
            self.model.setParam(parameter, value)
        program = self.instance.program
        add = self.model.addVar
        self.columns = [
            add("", "B" if (low, high) == (0, 1) else "I", low, high)
            for low, high in program.bounds
        ]
        for row in program.rows:
            self._add(row)

    def _add(self, row: Row) -> None:
        terms, relation, constant = row
        columns = self.columns
        total = self.library.quicksum([factor * columns[column] for factor, column in terms])
        if relation == "<=":
            self.model.addCons(total <= constant)
        elif relation == ">=":
            self.model.addCons(total >= constant)
        else:
            self.model.addCons(total == constant)

    def fix(self, objective: Objective, value: int) -> None:
        self._add(self.row_of(objective, value))

    def each(self, take: Take) -> StoppedBy:
        if self.instance.apart:
            return self._every(take)
        return self._take_best(take, self._solve())

    def _every(self, take: Take) -> StoppedBy:
        """One tree, whose leaves are the solutions."""
        prepare(self.library, self.model)
        instance = self.instance
        places = {x - 1: None for v in instance.apart for x in instance.literals_of(v)}
        for place in places:
            self.model.chgVarBranchPriority(self.columns[place], 1)
        reason: StoppedBy | None = None
        seen: set[int] = set()

        def taken() -> bool:
            nonlocal reason
            found = self._shown(None)
            if found is None:
                reason = "gave_up"
                return False
            if instance.loose:
                fingerprint = solution_hash(tuple([found[v] for v in instance.apart]))
                if fingerprint in seen:
                    return True
                if len(seen) >= MOST_OUTPUTS:
                    reason = "memory"
                    return False
                seen.add(fingerprint)
            return take(found)

        enumerator = enumerator_class(self.library)([self.columns[k] for k in places], taken)
        self.model.includeConshdlr(
            enumerator,
            "enumerator",
            "takes each solution and rejects it",
            enfopriority=LAST,
            chckpriority=LAST,
            needscons=False,
        )
        stopped_by = self._solve()
        enumerator.listener.check()
        return reason or ("sink" if enumerator.listener.stopped else stopped_by)

    def best(self, objective: Objective, take: Take) -> StoppedBy:
        """SCIP's own search; gaps are 0 by default."""
        self.check_objective(objective)
        terms = self.instance.terms(objective.scope, objective.coefficients)
        total = self.library.quicksum([factor * self.columns[k] for factor, k in terms])
        self.model.setObjective(total, objective.sense)
        incumbent = self.library.SCIP_EVENTTYPE.BESTSOLFOUND

        def tell(event: Any) -> bool:
            if event.getType() == incumbent:
                found = self._shown(self.model.getBestSol())
                return found is None or take(found)
            return self.tell_bound(self.model.getDualbound(), objective)

        listener = Listener(tell)
        if self.call.bounded is not None:  # somebody listens
            handler = incumbent_handler_class(self.library)(listener)
            self.model.includeEventhdlr(handler, "listener", "tells of incumbents and bounds")
        stopped_by = self._solve()
        listener.check()
        self.tell_bound(self.model.getDualbound(), objective)
        return "sink" if listener.stopped else self._take_best(take, stopped_by)

    def _shown(self, solution: Any) -> Assignment | None:
        """A solution of SCIP; None stands for that of the relaxation."""
        return self.read(self._numbers(solution))

    def _numbers(self, solution: Any) -> list[float]:
        value = self.model.getSolVal
        return [value(solution, column) for column in self.columns]

    def _take_best(self, take: Take, stopped_by: StoppedBy) -> StoppedBy:
        found = self._numbers(self.model.getBestSol()) if self.model.getNSols() else None
        return self.take_best(found, take, stopped_by)

    def _solve(self) -> StoppedBy:
        model, limits = self.model, self.call.limits
        if limits.seed is not None:
            model.setParam("randomization/randomseedshift", limits.seed % (1 << 31))
        if limits.nodes is not None:
            model.setParam("limits/totalnodes", limits.nodes)
        left = self.call.deadline.left
        if left is not None:
            model.setParam("limits/time", left)
        with stop_when_interrupted(model.interruptSolve):
            model.optimizeNogil()
        self.status = model.getStatus()
        return _STOPPED.get(self.status, "gave_up")

    def report(self) -> SessionReport:
        model = self.model
        statistics = {
            "nodes": int(model.getNTotalNodes()),
            "restarts": max(0, int(model.getNRuns()) - 1),
            "lp_iterations": int(model.getNLPIterations()),
        }
        return SessionReport(self.status, statistics, bound=self.bound)
