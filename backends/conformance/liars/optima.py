"""False optima, bounds and incumbents."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from backends.conformance.liars.liar import Liar
from backends.interface.api import Ask, Limits, Result, Solutions
from backends.interface.events import Bound, Emit, Event, Found
from modelling.brute_force import solutions
from modelling.check import violations
from modelling.problem import Objective, Problem


class WrongOptimum(Liar):
    """Calls the first solution the best one."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        objective = problem.structure.objective
        if objective is None:
            return result
        first = next(iter(solutions(problem)))
        value = objective.value(first)
        return replace(result, solutions=(first,), objective=value, bound=value)


class FalseObjective(Liar):
    """The best solution, with a better value than its own."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        objective = problem.structure.objective
        if objective is None or result.objective is None:
            return result
        value = result.objective + (-1 if objective.sense == "minimize" else 1)
        return replace(result, objective=value, bound=value)


class BoundTooTight(WrongOptimum):
    """Stops in time at the first solution, and says that none can be better."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        lie = super().lie(problem, ask, limits, result)
        return lie if lie is result else replace(lie, stopped_by="time")


class FalseIncumbent(Liar):
    """Tells on its way of a better value than there is; what it shows in the end is right."""

    emits = True

    def solve(  # type: ignore[override]
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        emit: Emit | None = None,
    ) -> Result:
        """The honest answer, after a false event."""
        result = self.honest.solve(problem, ask, limits)
        objective = problem.structure.objective
        if emit is not None and objective is not None and result.objective is not None:
            emit(self.event(objective, problem, result.objective))
        return result

    def event(self, objective: Objective, problem: Problem, best: int) -> Event:
        """The values that would be best if there were no constraint."""
        every = product(*problem.structure.domains)
        choose = min if objective.sense == "minimize" else max
        values = choose(every, key=objective.value)
        return Found(values, objective.value(values), 0.0)


class WorseIncumbent(FalseIncumbent):
    """Tells on its way, at once, of a value that is worse than the best and of no solution."""

    def event(self, objective: Objective, problem: Problem, best: int) -> Event:
        every = product(*problem.structure.domains)
        choose = max if objective.sense == "minimize" else min
        false = [values for values in every if violations(problem, values)]
        values = choose(false, key=objective.value)
        return Found(values, objective.value(values), 0.0)


class FalseBoundAtFirst(FalseIncumbent):
    """Tells on its way of a bound that its own solution breaks in the end."""

    def event(self, objective: Objective, problem: Problem, best: int) -> Event:
        """A bound that is worse than the best value by 1."""
        return Bound(best + (1 if objective.sense == "minimize" else -1), 0.0)
