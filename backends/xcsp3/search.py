"""One question to a solver of XCSP3: text in, a process, solutions out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from backends.interface.api import StoppedBy
from backends.interface.magnitudes import sum_reach
from backends.interface.programs.answers.reader import Garbled
from backends.interface.programs.process import Process
from backends.interface.programs.program import seconds_to_tell
from backends.interface.programs.starting import make_folder
from backends.interface.session import Call, Session, Take, Told
from backends.xcsp3.clauses import clauses_as_sums
from backends.xcsp3.condensing import Condensed, condense
from backends.xcsp3.folding import fold
from backends.xcsp3.programs import Program
from backends.xcsp3.run import PROVEN, Run
from modelling.constraint import Constraint
from modelling.constraints import Linear, NotEqual, Table
from modelling.errors import Unsupported
from modelling.formats import xcsp3
from modelling.problem import Objective, Structure
from modelling.rewriting import Declined, Profile, rewrite

ROUNDS = 5
"""Most times that a problem is rewritten and folded; two are the rule."""


class LastText:
    """What an instance of a structure was written as last: asked again, it is not written anew."""

    def __init__(self) -> None:
        self.key: object = None
        self.condensed = Condensed(None)
        self.text = ""


class Search(Session):
    """One text and one process."""

    def __init__(
        self, name: str, program: Program, profile: Profile, last: LastText, call: Call
    ) -> None:
        self.name = name
        self.program = program
        self.profile = profile
        self.last = last
        self.call = call
        self.more: list[Constraint] = []
        self.status = ""
        self.statistics: dict[str, int | float] = {}

    def fix(self, objective: Objective, value: int) -> None:
        self._check(objective)
        self.more.append(Linear(objective.scope, objective.coefficients, "==", value))

    def each(self, take: Take) -> StoppedBy:
        return self._ask(take, None)

    def best(self, objective: Objective, take: Take) -> StoppedBy:
        """Each solution that it shows is better than the one before."""
        self._check(objective)
        return self._ask(take, objective)

    def _check(self, objective: Objective) -> None:
        of = objective.scope, objective.coefficients, self.call.problem.structure
        most = self.program.largest
        if sum_reach(*of) > most:
            what = f"an objective that reaches beyond {most}"
            raise Unsupported(self.name, what, "its integers do not hold it")

    def _ask(self, take: Take, objective: Objective | None) -> StoppedBy:
        key = self.call.problem.masks, tuple(self.more), objective
        with self.call.phases("encode"):
            if self.last.key != key:
                self.last.condensed = condense(self.call.problem, self.more, objective)
                self.last.text = self._write(self.last.condensed)
                self.last.key = key
        condensed = self.last.condensed
        if condensed.structure is None:
            return "exhausted"
        if not condensed.kept:
            return self._give(take, condensed, {}, objective is not None) or "exhausted"
        wanted = self._wanted(condensed, objective is not None)
        with make_folder() as folder:
            return self._run(take, condensed, wanted, Path(folder), objective is not None)

    def _write(self, condensed: Condensed) -> str:
        """No text where there is nothing to ask."""
        if condensed.structure is None or not condensed.kept:
            return ""
        posed = self._pose(condensed.structure)
        if not self.program.has_clauses:
            posed = replace(posed, constraints=tuple(clauses_as_sums(posed)))
        if self.program.needs_constraint and posed.objective is not None and _may_vanish(posed):
            posed = _with_a_constraint(posed)
        return "".join(xcsp3.write(posed.problem()))

    def _pose(self, structure: Structure) -> Structure:
        """The rewrite again, until conditions of auxiliaries are simple, too: what givens have made
        of the instance may need another one."""
        for _ in range(ROUNDS):
            found = rewrite(structure, self.profile)
            if isinstance(found, Declined):
                raise Unsupported(self.name, "this problem", found.reason)
            posed = found.structure
            folded = tuple([fold(constraint, posed.domains) for constraint in posed.constraints])
            if folded == posed.constraints:
                break
            structure = replace(posed, constraints=folded)
        return posed

    def _wanted(self, condensed: Condensed, optimum: bool) -> int | None:
        """How many solutions the solver is asked for: None for all, 0 for the optimum."""
        assert condensed.structure is not None
        if condensed.structure.objective is not None:
            return 0
        if optimum:  # which is constant
            return 1
        limit: int | None = getattr(self.call.ask, "limit", None)
        return limit if self.call.on is None or limit == 1 else None

    def _run(
        self,
        take: Take,
        condensed: Condensed,
        wanted: int | None,
        folder: Path,
        optimum: bool,
    ) -> StoppedBy:
        assert condensed.structure is not None
        program, path = self.program, folder / "problem.xml"
        path.write_text(self.last.text, encoding="utf-8")
        seconds, limits = seconds_to_tell(self.call.deadline), self.call.limits
        words = (*program.words, str(path), *program.arguments(wanted, seconds, limits))
        with Process(words, str(folder), self.call.deadline) as process:
            run = Run(program, process, condensed.arrays)
            for shown in run.solutions():
                try:
                    stopped_by = self._give(take, condensed, shown, optimum)
                except Garbled as error:
                    process.fail(str(error))
                if stopped_by is not None:
                    self._keep(run)
                    return stopped_by
            process.wait()
            self._keep(run)
            if process.told_to_end and run.claim not in PROVEN:
                return "time"
            if optimum and wanted and run.shown:  # a constant one
                return "exhausted"
            return run.conclude(wanted, self.call.limits.seconds is not None)

    def _keep(self, run: Run) -> None:
        self.status, self.statistics = run.reader.native, run.statistics

    def _give(
        self, take: Take, condensed: Condensed, shown: Mapping[str, str], one: bool
    ) -> StoppedBy | None:
        """The solutions for which one stands; why the search is to end with them, if it is."""
        for found in condensed.spread(shown):
            if not take(found):
                return "sink"
            if one:
                return None
            if self.call.deadline.passed:
                return "time"
        return None

    def told(self) -> Told:
        return Told(self.status, self.statistics)


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
