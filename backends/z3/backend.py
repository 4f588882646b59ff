"""z3's search: one model after another, optima by bounds between them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from backends.interface.api import StoppedBy
from backends.interface.driver import Driver
from backends.interface.magnitudes import find_too_heavy, find_too_large, sum_reach, weight_of
from backends.interface.options import Option, canonical, parse
from backends.interface.registry import require
from backends.interface.session import Call, Capabilities, Session, Told
from backends.z3.draft import Draft, Formula, all_of, any_of, name_of, negated
from backends.z3.handlers import HANDLERS
from modelling.constraints import AllDifferent, Constraint, Linear
from modelling.errors import Unsupported
from modelling.problem import Assignment, Objective, Structure
from modelling.versions import find_version

INSTALL = "pip install 'solver-concord[z3]'"
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


def make(options: str = "") -> Driver:
    """The backend; it has no options."""
    name = canonical("z3", OPTIONS, parse("z3", OPTIONS, options))
    return Driver(name, Z3(name))


class Z3:
    """Complete; statistics: nodes (decisions), failures (conflicts), restarts."""

    handlers = HANDLERS

    def __init__(self, name: str) -> None:
        self.name = name
        self.z3 = require("z3-solver", "z3", "z3", INSTALL)
        self.context = self.z3.Context()
        self.capabilities = Capabilities(
            family="z3",
            version=find_version("z3-solver"),
            improves=True,
            fixes=True,
            projects=True,
        )

    def refusal(self, structure: Structure, encode: Callable[[], Any]) -> str:
        """Sums that its weights do not hold."""
        return find_too_large(structure, LARGEST) or find_too_heavy(structure, HEAVIEST)

    def encode(self, structure: Structure) -> Draft:
        """The literals of the variables."""
        return Draft(self.z3, self.context, structure)

    def finish(self, draft: Draft) -> Draft:
        """Everything as one formula."""
        draft.finish()
        return draft

    def open(self, draft: Draft, call: Call) -> Search:
        """A solver of its own."""
        return Search(self, draft, call)


def _is_sum(constraint: Constraint) -> bool:
    """Whether it compares a sum of three terms or more, or counts."""
    return isinstance(constraint, Linear) and len(constraint.terms) > 2


class Search(Session):
    """One search: a solver that is given more formulas between two models."""

    def __init__(self, solver: Z3, draft: Draft, call: Call) -> None:
        self.z3 = solver.z3
        self.name = solver.name
        self.draft = draft
        self.call = call
        self.status, self.configuration = "", "QF_FD"
        self.solver = self._make_solver(call)
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
                given += [negated(x) for value, x in literals.items() if value not in domain]
        self._add(all_of(given))

    def _make_solver(self, call: Call) -> Any:
        """z3's solver of finite domains for counts, optima, and what has no sums.

        For one solution of AllDifferent alone or of sums it is the general one, which refutes
        Sudokus in half the time (``results/reference/defaults``).
        """
        constraints = call.problem.structure.constraints
        differing = all(type(one) is AllDifferent for one in constraints)
        is_single = not call.several and not call.optimum
        if is_single and (differing or any(map(_is_sum, constraints))):
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
        self._add(any_of([negated(of[v][values[v]]) for v in on if len(self.open[v]) > 1]))

    def improve(self, objective: Objective, than: int) -> None:
        self._bound(objective, "<" if objective.sense == "minimize" else ">", than)

    def fix(self, objective: Objective, value: int) -> None:
        self._bound(objective, "==", value)

    def _bound(self, objective: Objective, relation: str, value: int) -> None:
        of = objective.scope, objective.coefficients
        structure = self.call.problem.structure
        if sum_reach(*of, structure) > LARGEST or weight_of(*of, structure) > HEAVIEST:
            what = f"an objective that reaches beyond {LARGEST}"
            raise Unsupported(self.name, what, "z3's weights do not hold it")
        weighed, least = self.draft.weigh(*of)
        self._add(self.draft.compare(weighed, relation, value - least))

    def told(self) -> Told:
        return Told(self.status, self._statistics(), self.configuration)

    def _statistics(self) -> dict[str, int | float]:
        """Of all checks together."""
        said = self.solver.statistics()
        known = {said[k][0]: said[k][1] for k in range(len(said))}
        return {
            ours: known.get(f"sat {theirs}", known.get(theirs, 0))
            for ours, theirs in STATISTICS.items()
        }
