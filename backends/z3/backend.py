"""z3's search: one model after another, optima by bounds between them."""

from __future__ import annotations

from typing import Any

from backends.interface.api import StoppedBy
from backends.interface.libraries.making import LibrarySolver, maker
from backends.interface.magnitudes import ensure_objective_fits
from backends.interface.options import Option
from backends.interface.session import Call, Capabilities, Session, SessionReport
from backends.z3.draft import Formula, Z3Draft, name_of
from backends.z3.handlers import BUILDERS, HANDLERS
from backends.z3.parameters import FINITE, GENERAL, PARAMETERS, choose_solver
from modelling.constraints import AllDifferent, Constraint, Linear
from modelling.problem import Assignment, Objective, Structure

LARGEST = (1 << 30) - 1
HEAVIEST = (1 << 31) - 1
"""Coefficients are handed over as C's int, and so is what all weigh together."""

KEYBOARD = "interrupted from keyboard"
STATISTICS = {
    "nodes": "decisions",
    "failures": "conflicts",
    "restarts": "restarts",
}
"""By z3's name; its solver of finite domains writes ``sat`` before it."""

OPTIONS: tuple[Option, ...] = ()


class Z3(LibrarySolver):
    """Complete; statistics: nodes (decisions), failures (conflicts), restarts."""

    handlers = HANDLERS
    largest, heaviest = LARGEST, HEAVIEST

    def __init__(self, name: str) -> None:
        super().__init__(name, Capabilities("z3", improves=True, fixes=True, projects=True))
        self.context = self.library.Context()

    def encode(self, structure: Structure) -> Z3Draft:
        """The literals of the variables."""
        return Z3Draft(self.library, self.context, structure, BUILDERS)

    def finish(self, draft: Z3Draft) -> Z3Draft:
        """Everything as one formula."""
        draft.finish()
        return draft

    def open(self, draft: Z3Draft, call: Call) -> Z3Session:
        """A solver of its own."""
        return Z3Session(self, draft, call)


def _is_sum(constraint: Constraint) -> bool:
    """Whether it compares a sum of three terms or more, or counts."""
    return isinstance(constraint, Linear) and len(constraint.terms) > 2


class Z3Session(Session):
    """One search: a solver that is given more formulas between two models."""

    def __init__(self, solver: Z3, draft: Z3Draft, call: Call) -> None:
        self.z3 = solver.library
        self.name = solver.name
        self.draft = draft
        self.call = call
        self.status, self.configuration = "", "QF_FD"
        self.solver = self._make_solver(call, choose_solver(solver.parameters))
        for parameter, value in solver.parameters.items():
            self.solver.set(parameter, value)
        if call.limits.seed is not None:
            self.solver.set("random_seed", call.limits.seed % (1 << 31))
        self.solver.add(draft.whole)
        self.open = call.problem.domains()
        """The values of each variable, under the givens."""
        given: list[Formula] = []
        for variable, domain in enumerate(self.open):
            literals = draft.literals[variable]
            if len(domain) == 1 < len(literals):
                given.append(literals[domain[0]])
            elif len(domain) < len(literals):
                given += [draft.opposite(x) for value, x in literals.items() if value not in domain]
        self._add(draft.all_of(given))

    def _make_solver(self, call: Call, needed: str) -> Any:
        """z3's solver of finite domains for counts, optima, and what has no sums.

        For one solution of AllDifferent alone or of sums it is the general one, which refutes
        Sudokus in half the time (``results/reference/defaults``). ``needed`` is the one that alone
        has the parameters that are given, if it is not empty.
        """
        constraints = call.problem.structure.constraints
        differing = all(type(one) is AllDifferent for one in constraints)
        is_single = not call.several and not call.optimum
        is_better = is_single and (differing or any(map(_is_sum, constraints)))
        if (is_better and needed != FINITE) or needed == GENERAL:
            self.configuration = "general"
            return self.z3.Solver(ctx=self.draft.context)
        return self.z3.SolverFor("QF_FD", ctx=self.draft.context)

    def next(self) -> Assignment | StoppedBy:
        if not self._limit():
            return "gave_up"
        answer = self.solver.check()
        self.status = str(answer)
        if answer == self.z3.unsat:
            return "exhausted"
        if answer == self.z3.unknown:
            reason = self.solver.reason_unknown()
            if reason == KEYBOARD:  # z3 takes the signal from Python
                raise KeyboardInterrupt
            self.status = f"unknown: {reason}"
            return "time" if reason == "timeout" else "gave_up"
        model = self.solver.model()
        return tuple([self._value(model, v, domain) for v, domain in enumerate(self.open)])

    def _add(self, formula: Formula) -> None:
        self.solver.add(self.draft.read("", formula))

    def _limit(self) -> bool:
        """Hand over what is left of the limits, which z3 keeps for one check; whether there is."""
        if self.call.deadline.left is not None:
            self.solver.set("timeout", 1 + int(1000 * self.call.deadline.left))
        if self.call.limits.conflicts is not None:
            left = self.call.limits.conflicts - self._statistics()["failures"]
            self.solver.set("max_conflicts", max(0, min(left, HEAVIEST)))
            return left > 0
        return True

    def _value(self, model: Any, variable: int, domain: tuple[int, ...]) -> int:
        """The value whose literal is true; the last one, if no other is."""
        literals = self.draft.literals[variable]
        for value in domain[:-1]:
            if self._is_true(model, literals[value]):
                return value
        return domain[-1]

    def _is_true(self, model: Any, literal: Formula) -> bool:
        """What a model says of a name, or not of a negated one."""
        z3, context = self.z3, self.draft.context.ref()
        name = name_of(literal)
        found = z3.Z3_model_get_const_interp(context, model.model, self.draft.declared(name))
        is_true = bool(found) and z3.Z3_get_bool_value(context, found) == z3.Z3_L_TRUE
        return is_true == (name == literal)

    def exclude(self, values: Assignment) -> None:
        on = range(len(values)) if self.call.on is None else self.call.on
        of = self.draft.literals
        self._add(self.draft.none_of([[of[v][values[v]] for v in on if len(self.open[v]) > 1]]))

    def improve(self, objective: Objective, than: int) -> None:
        self._bound(objective, "<" if objective.sense == "minimize" else ">", than)

    def fix(self, objective: Objective, value: int) -> None:
        self._bound(objective, "==", value)

    def _bound(self, objective: Objective, relation: str, value: int) -> None:
        structure, why = self.call.problem.structure, "z3's weights do not hold it"
        ensure_objective_fits(self.name, objective, structure, LARGEST, why, HEAVIEST)
        of = objective.scope, objective.coefficients
        weighed, least = self.draft.weigh_from_least(*of)
        self._add(self.draft.compare(weighed, relation, value - least))

    def report(self) -> SessionReport:
        return SessionReport(self.status, self._statistics(), self.configuration)

    def _statistics(self) -> dict[str, int | float]:
        """Statistics of all checks together."""
        said = self.solver.statistics()
        known = {said[k][0]: said[k][1] for k in range(len(said))}
        return {
            ours: known.get(f"sat {theirs}", known.get(theirs, 0))
            for ours, theirs in STATISTICS.items()
        }


make = maker("z3", OPTIONS, Z3, PARAMETERS)
