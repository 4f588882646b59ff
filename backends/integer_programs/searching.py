"""Sessions that solve: what each of these solvers is asked, and what is made of its numbers.

``Searching`` has what all share: the largest sums, rounding, bounds. ``SolvingAnew`` is for solvers
that find one solution at a time: each is cut off by a row, and the program is solved anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, floor, isfinite
from typing import Any

from backends.integer_programs import LARGEST, WHY
from backends.integer_programs.draft import Draft
from backends.integer_programs.instance import Instance, Row
from backends.interface.api import Ask, Optimum, StoppedBy
from backends.interface.magnitudes import find_too_large, sum_reach
from backends.interface.session import Call, Session, Take
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
    found = find_too_large(structure, LARGEST)
    return f"{found}, and {WHY}" if found else ""


def round_bound(value: float, sense: str) -> int | None:
    """A proven bound of an integral objective; None for none."""
    if not isfinite(value) or abs(value) > 2 * LARGEST:
        return None
    return ceil(value - SURE) if sense == "minimize" else floor(value + SURE)


class Searching(Session):
    """One call, with its program."""

    def __init__(self, name: str, draft: Draft, call: Call) -> None:
        self.name = name
        self.call = call
        self.instance = Instance(draft, call)
        self.status = ""
        self.bound: int | None = None

    def check_objective(self, objective: Objective) -> None:
        """Unsupported for values that the solver does not tell apart."""
        of = objective.scope, objective.coefficients, self.call.problem.structure
        if sum_reach(*of) > LARGEST:
            raise Unsupported(self.name, f"an objective that reaches beyond {LARGEST}", WHY)

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
