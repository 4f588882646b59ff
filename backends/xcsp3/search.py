"""One question to a solver of XCSP3: it is condensed, written, and given to the program."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from backends.interface.api import StoppedBy
from backends.interface.magnitudes import sum_reach
from backends.interface.programs.program import Program
from backends.interface.programs.search import ProgramSearch
from backends.interface.session import Call, Take
from backends.xcsp3.clauses import clauses_as_sums
from backends.xcsp3.condensing import Condensed, condense
from backends.xcsp3.folding import fold
from backends.xcsp3.precedences import say_precedences
from backends.xcsp3.programs import InstalledSolver
from backends.xcsp3.run import LastText, Xcsp3Run
from modelling.constraint import Constraint
from modelling.constraints import (
    Clauses,
    Define,
    GlobalCardinality,
    Linear,
    NotEqual,
    Or,
    Table,
)
from modelling.errors import Unsupported
from modelling.formats import xcsp3
from modelling.formats.xcsp3.writer.profile import measured
from modelling.problem import Assignment, Objective, Structure
from modelling.rewriting import Declined, Profile, rewrite

ROUNDS = 5
"""Most times that a problem is rewritten and folded; two are the rule."""


class Xcsp3Session(ProgramSearch):
    """One text and one process."""

    run_class = Xcsp3Run

    def __init__(
        self,
        program: Program,
        solver: InstalledSolver,
        profile: Profile,
        last: LastText,
        call: Call,
    ) -> None:
        super().__init__(program, call)
        self.solver = solver
        self.profile = profile
        self.last = last
        self.more: list[Constraint] = []

    def fix(self, objective: Objective, value: int) -> None:
        self._check(objective)
        self.more.append(Linear(objective.scope, objective.coefficients, "==", value))

    def each(self, take: Take) -> StoppedBy:
        self._condense(None)
        limit: int | None = getattr(self.call.ask, "limit", None)
        known = self.call.on is None or limit == 1
        return self._ask_in_time(take, limit if known else None)

    def best(self, objective: Objective, take: Take) -> StoppedBy:
        """Each solution that it shows is better than the one before; any is for a constant."""
        self._check(objective)
        self._condense(objective)
        structure = self.last.condensed.structure
        if structure is not None and structure.objective is not None:
            return self._ask_once(self.last, "optimum", take)
        wanted: list[bool] = []

        def take_and_note(values: Assignment) -> bool:
            wanted.append(take(values))
            return wanted[-1]

        stopped_by = self._ask_in_time(take_and_note, 1)
        return "exhausted" if wanted[:1] == [True] else stopped_by

    def _check(self, objective: Objective) -> None:
        of = objective.scope, objective.coefficients, self.call.problem.structure
        most = self.solver.largest
        if sum_reach(*of) > most:
            what = f"an objective that reaches beyond {most}"
            raise Unsupported(self.program.name, what, "its integers do not hold it")

    def _ask_in_time(self, take: Take, limit: int | None) -> StoppedBy:
        """Give all solutions to ``take``; one that is shown may stand for any number of them."""
        is_late = False

        def take_in_time(values: Assignment) -> bool:
            nonlocal is_late
            if not take(values):
                return False
            is_late = self.call.deadline.passed
            return not is_late

        condensed = self.last.condensed
        if condensed.structure is None:
            return "exhausted"
        if condensed.kept:
            stopped_by = self._ask_once(self.last, "all", take_in_time, limit)
        else:
            are_wanted = all(map(take_in_time, islice(condensed.spread({}), limit)))
            stopped_by = "exhausted" if are_wanted else "sink"
        return "time" if is_late else stopped_by

    def _condense(self, objective: Objective | None) -> None:
        """Condense and write the question, unless it is that of the last call."""
        key = self.call.problem.masks, tuple(self.more), objective
        with self.call.phases("encode"):
            if self.last.key != key:
                condensed = condense(self.call.problem, self.more, objective)
                self.last.text = self._write_condensed(condensed)
                self.last.condensed, self.last.key = condensed, key

    def _write_condensed(self, condensed: Condensed) -> str:
        """No text where there is nothing to ask."""
        if condensed.structure is None or not condensed.kept:
            return ""
        posed = self._pose(condensed.structure)
        if not self.solver.has_clauses:
            posed = replace(posed, constraints=tuple(clauses_as_sums(posed)))
        if self.solver.knows_precedences:
            posed = say_precedences(posed)
        if self.solver.fixes_early:
            posed = replace(posed, constraints=tuple(sorted(posed.constraints, key=_place)))
        if self.solver.needs_constraint and posed.objective is not None and _may_vanish(posed):
            posed = _with_a_constraint(posed)
        return "".join(xcsp3.write(posed.problem()))

    def _pose(self, structure: Structure) -> Structure:
        """The rewrite again, until conditions of auxiliaries are simple, too: what givens have made
        of the instance may need another one."""
        for _ in range(ROUNDS):
            found = rewrite(structure, self.profile)
            if isinstance(found, Declined):
                raise Unsupported(self.program.name, "this problem", found.reason)
            posed = found.structure
            folded = tuple([fold(constraint, posed.domains) for constraint in posed.constraints])
            if folded == posed.constraints:
                break
            structure = replace(posed, constraints=folded)
        return posed


def _place(constraint: Constraint) -> int:
    """Clauses and sums that are ``ne`` come first, extremes and counts second.

    ACE 2.6 stops at the former where a variable is fixed, at the latter where the terms cannot
    reach the number.
    """
    if isinstance(constraint, Clauses | Or):
        return 0
    if isinstance(constraint, Linear) and measured(constraint) is None:
        return 0 if constraint.relation == "!=" and len(constraint.terms) > 1 else 2
    return 1 if isinstance(constraint, GlobalCardinality | Linear | Define) else 2


def _may_vanish(structure: Structure) -> bool:
    """Whether ACE may make all constraints domains and nogoods, and find none left."""
    is_open = [len(domain) > 1 for domain in structure.domains]
    return all(
        isinstance(constraint, Table) or sum(is_open[v] for v in set(constraint.scope)) < 3
        for constraint in structure.constraints
    )


def _with_a_constraint(structure: Structure) -> Structure:
    """And one over two variables that mean nothing; as long as an optimum is asked for, it matters
    to nobody how many solutions they have."""
    one = len(structure.names)
    return replace(
        structure,
        names=(*structure.names, "spare0", "spare1"),
        domains=(*structure.domains, (0, 1), (0, 1)),
        constraints=(*structure.constraints, NotEqual((one, one + 1))),
    )
