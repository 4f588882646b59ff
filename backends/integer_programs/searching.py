"""Sessions that solve: what each of these solvers is asked, and what is made of its numbers.

``Searching`` has what all share: the largest sums, rounding, bounds. ``SolvingAnew`` is for solvers
that find one solution at a time: each is cut off by a row, and the program is solved anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, floor, isfinite
from typing import Any

from backends.integer_programs import LARGEST, WHY, WIDEST
from backends.integer_programs.draft import IntegerProgramDraft, has_gaps
from backends.integer_programs.instance import Instance, Row
from backends.interface.api import Ask, Optimum, StoppedBy
from backends.interface.magnitudes import ensure_objective_fits, find_too_large, largest, sum_reach
from backends.interface.session import Call, Session, Take
from modelling.constraint import Constraint
from modelling.constraints import Iff, Implies, Linear, NotEqual
from modelling.errors import Unsupported
from modelling.problem import Assignment, Objective, Structure

SURE = 1e-4
"""How far a bound may be off before it is rounded to the integer on its better side."""

NOT_HELD = "a solution that does not hold when it is rounded"
"""What a solver's own status is followed by when its tolerances have let it through."""


MOST_SOLUTIONS = 64
"""Most that are enumerated by solving anew for each one, which takes longer every time."""

MORE = f"there are more than {MOST_SOLUTIONS} solutions, and each is a search of its own"


def find_unsupported(ask: Ask) -> tuple[str, str] | None:
    """Why a solver that searches anew for each solution is not asked for that number."""
    limit = None if isinstance(ask, Optimum) else ask.limit
    if limit is None or limit <= MOST_SOLUTIONS:
        return None
    return f"more than {MOST_SOLUTIONS} solutions", "each is a search of its own; ask for fewer"


def find_refusal(structure: Structure, encode: Callable[[], Any]) -> str:
    """The first sum or value that doubles with a tolerance do not tell from its neighbour."""
    found = find_too_large(structure, WIDEST) or _find_more_than_rows(structure)
    return f"{found}, and {WHY}" if found else ""


def _find_more_than_rows(structure: Structure) -> str:
    """What reaches beyond ``LARGEST`` and is given factors of that size in front of a column of 0
    and 1; empty if nothing is."""
    for name, domain in zip(structure.names, structure.domains, strict=True):
        if domain and max(-domain[0], domain[-1]) > LARGEST and has_gaps(domain):
            return f"{name}, whose domain has gaps, reaches beyond {LARGEST}"
    for constraint in structure.constraints:
        if not _is_row(constraint, structure):
            for part in (constraint, *constraint.parts()):
                reach = max([largest(v, structure) for v in part.scope], default=0)
                if type(part) is Linear:
                    reach = sum_reach(part.terms, part.coefficients, structure)
                    reach += abs(part.constant)
                if reach > LARGEST:
                    return f"{_describe(constraint)} reaches beyond {LARGEST}"
    return ""


def _describe(constraint: Constraint) -> str:
    if type(constraint) is Linear and constraint.relation != "!=":
        return "a comparison of a sum with factors other than 1 and -1"
    if isinstance(constraint, Linear | NotEqual):
        return "a comparison with !="
    if isinstance(constraint, Implies | Iff):
        return "a comparison under a condition"
    return type(constraint).__name__


def _is_row(constraint: Constraint, structure: Structure) -> bool:
    """Whether a constraint is a row with factors 1 and -1 over its columns and no other column, or
    says where one column ends."""
    if type(constraint) is not Linear:
        return False
    if any(abs(factor) != 1 for factor in constraint.coefficients) and len(constraint.scope) > 1:
        return False
    if constraint.relation != "!=":
        return True
    if not all(structure.domains[v] for v in constraint.scope):
        return True  # an empty domain leaves no value to distinguish
    ends = [
        sorted((factor * structure.domains[v][0], factor * structure.domains[v][-1]))
        for factor, v in zip(constraint.coefficients, constraint.scope, strict=True)
    ]
    return not sum(low for low, _ in ends) < constraint.constant < sum(high for _, high in ends)


def round_bound(value: float, sense: str) -> int | None:
    """A proven bound of an integral objective; None for none."""
    if not isfinite(value) or abs(value) > 2 * WIDEST:
        return None
    return ceil(value - SURE) if sense == "minimize" else floor(value + SURE)


class Searching(Session):
    """One call, with its program."""

    def __init__(self, name: str, draft: IntegerProgramDraft, call: Call) -> None:
        self.name = name
        self.call = call
        self._check_apart()
        self.instance = Instance(draft, call)
        self.status = ""
        self.bound: int | None = None

    def _check_apart(self) -> None:
        """Raise Unsupported if a variable that distinguishes solutions is beyond ``LARGEST``."""
        call = self.call
        structure = call.problem.structure
        if call.several:
            for variable in range(call.declared) if call.on is None else call.on:
                values = call.problem.values(variable)
                if values and max(-values[0], values[-1]) > LARGEST:
                    what = f"more than one solution where {structure.names[variable]} reaches "
                    raise Unsupported(self.name, f"{what}beyond {LARGEST}", WHY)

    def check_objective(self, objective: Objective) -> None:
        """Raise Unsupported if the solver does not distinguish all values of the objective."""
        ensure_objective_fits(self.name, objective, self.call.problem.structure, WIDEST, WHY)

    def row_of(self, objective: Objective, value: int) -> Row:
        """A row that only solutions of this value keep."""
        self.check_objective(objective)
        terms = self.instance.terms(objective.scope, objective.coefficients)
        return terms, "==", value

    def read(self, numbers: Sequence[float]) -> Assignment | None:
        """A solution that holds; else the status says that there was one that does not."""
        found = self.instance.read(numbers)
        if found is None:
            self.status = f"{self.status}; {NOT_HELD}".lstrip("; ")
        return found

    def take_best(
        self, numbers: Sequence[float] | None, take: Take, stopped_by: StoppedBy
    ) -> StoppedBy:
        """Why a search for an optimum ended, with the best that it has found, if anything."""
        if numbers is None:
            return stopped_by
        found = self.read(numbers)
        if found is None:
            return "gave_up"
        return stopped_by if take(found) else "sink"

    def tell_bound(self, value: float, objective: Objective) -> bool:
        """Note a bound and report it; whether to continue."""
        rounded = round_bound(value, objective.sense)
        if rounded is None:
            return True
        if self.bound is not None and not objective.better(self.bound, rounded):
            return True
        self.bound = rounded
        return self.call.bounded is None or self.call.bounded(rounded)


class SolvingAnew(Searching):
    """``solve`` gives the columns of one solution; ``add`` a row that the next one has to keep."""

    def solve(self) -> Sequence[float] | StoppedBy:
        """Any solution."""
        raise NotImplementedError

    def add(self, row: Row) -> None:
        """One more row."""
        raise NotImplementedError

    def optimise(self, objective: Objective, take: Take) -> StoppedBy:
        """Better and better solutions."""
        raise NotImplementedError

    def next(self) -> Assignment | StoppedBy:
        found = self.solve()
        if isinstance(found, str):
            return found
        values = self.read(found)
        return "gave_up" if values is None else values

    def each(self, take: Take) -> StoppedBy:
        """All of them, if they are not too many."""
        for _ in range(MOST_SOLUTIONS):
            found = self.next()
            if isinstance(found, str):
                return found
            if not take(found):
                return "sink"
            if not self.instance.apart:  # one is all that was asked for, or all there is
                return "exhausted"
            self.add(self.instance.without(found))
        found = self.next()
        if isinstance(found, str):
            return found
        self.status = MORE
        return "gave_up"

    def fix(self, objective: Objective, value: int) -> None:
        self.add(self.row_of(objective, value))

    def best(self, objective: Objective, take: Take) -> StoppedBy:
        self.check_objective(objective)
        return self.optimise(objective, take)
