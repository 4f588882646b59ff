"""The SAT backend: encode the structure, give the formula to an engine, decode its models."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Any

from backends.interface.api import Limits, StoppedBy
from backends.interface.driver import Driver
from backends.interface.handlers import Handlers
from backends.interface.optimise import merge_statistics
from backends.interface.options import BackendSpec
from backends.interface.proofs import MOST_EXCLUDED, Refutation
from backends.interface.session import Call, Capabilities, Session, SessionReport, Solver
from backends.sat.at_most_one import CHOICES
from backends.sat.cnf import Clause, Cnf, TooLarge
from backends.sat.constraints.handlers import HANDLERS
from backends.sat.draft import SatDraft
from backends.sat.encode import Encoding, begin, finish, strengthened
from backends.sat.objective import Bounds, counted, of_one_variable
from backends.sat.pins import list_pins
from backends.sat.size import refusal, rewritten_too_long
from backends.sat.task import Engine, Task
from modelling.constraints import Circuit, Linear
from modelling.errors import Unsupported
from modelling.problem import Assignment, Objective, Problem, Structure

NATIVE_STATUS = {"exhausted": "UNSAT", "time": "UNKNOWN", "gave_up": "UNKNOWN"}


def backend(spec: BackendSpec, engine: Engine) -> Driver:
    """Complete. ``spec`` is its name, read; ``engine`` is the solver behind."""
    made = Sat(spec.text, spec.options, engine)
    made.parameters = spec.parameters
    return Driver(spec.text, made, keep=spec.options["reuse"] != "none")


def proven() -> Handlers:
    """With proofs a circuit is rewritten to a walk: the check of the encoding knows what its nodes
    are, and not what the digits of places mean."""
    return {kind: one for kind, one in HANDLERS.items() if kind is not Circuit}


class Sat(Solver):
    """What the driver is given; see ``backends.interface.session``."""

    def __init__(self, name: str, options: Mapping[str, str], engine: Engine) -> None:
        self.name = name
        self.handlers = proven() if options["proof"] == "check" else HANDLERS
        self.engine = engine
        self.amo = options["amo"]
        self.extended = options["encoding"] == "extended"
        self.integers = options["integers"]
        self.sums = options["sums"]
        self.proof_seconds = int(options["proof_seconds"])
        self.capabilities = Capabilities(
            family="sat",
            version=engine.version,
            improves=True,
            fixes=True,
            projects=True,
            large_domains=self.integers in ("auto", "log"),
            certifies=options["proof"] == "check",
        )

    def too_large(self, problem: Problem) -> str:
        """What would take too long, and too much memory, to be rewritten."""
        return rewritten_too_long(problem.structure)

    def refusal(self, structure: Structure, encode: Callable[[], Any]) -> str:
        """Formulas of more than 5,000,000 clauses are refused."""
        return refusal(structure, self.begin, self.amo, encode)

    def encode(self, structure: Structure) -> SatDraft:
        """The formula of the variables."""
        return self.begin(structure, None)

    def begin(self, structure: Structure, cnf: Cnf | None) -> SatDraft:
        """The same, in a formula that is given."""
        at_most_one = CHOICES[self.amo]
        return begin(structure, at_most_one, self.extended, self.integers, self.sums, cnf)

    def finish(self, draft: SatDraft) -> Encoding:
        """The formula of the structure."""
        return finish(draft)

    def weigh(self, encoding: Encoding) -> int:
        """About what an encoding keeps in memory, with a solver that may hold the same clauses."""
        single = 200 * len(encoding.clauses) + 16 * sum(map(len, encoding.clauses))
        return single + 40 * sum(map(len, encoding.blocks))

    def open(self, encoding: Encoding, call: Call) -> SatSession:
        """A search of the formula under the givens."""
        return SatSession(self, encoding, call)


class SatSession(Session):
    """The models of a formula, one by one, or better and better ones.

    A bound of the objective is clauses over literals that are there already: at once where one
    variable is the objective; else the objective is written to the formula after the first
    solution, for a new solver, or, where it is too large for that, each bound is.
    """

    timed = True

    def __init__(self, solver: Sat, encoding: Encoding, call: Call) -> None:
        self.solver = solver
        self.encoding = encoding
        self.call = call
        self.givens, self.closing = encoding.given(call.problem)
        self.spent: dict[str, int | float] = {}
        self.status = ""
        self.bounds: Bounds | None = None
        self.than: int | None = None
        self.value: int | None = None
        self.refutations: list[Refutation] = []
        self._search(encoding)

    def _search(self, encoding: Encoding) -> None:
        call = self.call
        self.posed = encoding
        self.more: list[Clause] = []
        self.excluded: list[Assignment] = []
        self.found: tuple[list[int], Assignment] | None = None
        task = Task(
            encoding,
            self.givens,
            self.closing,
            call.deadline,
            self._limits_left(),
            call.several,
            call.phases,
            on=call.on,
        )
        self.task, self.models = task, self.solver.engine.models(task)
        self.clauses: list[Clause] | None = None

    def _limits_left(self) -> Limits:
        """What the searches before this one, with weaker bounds, have left of the call's limits;
        at least 1, which some engines need."""
        limits, spent = self.call.limits, self.spent
        if not spent:
            return limits

        def left(most: int | None, name: str) -> int | None:
            return None if most is None else max(1, most - int(spent.get(name, 0)))

        return replace(
            limits,
            nodes=left(limits.nodes, "nodes"),
            conflicts=left(limits.conflicts, "failures"),
        )

    def next(self) -> Assignment | StoppedBy:
        if self.call.certify:
            self._note()
        try:
            model = self.models.send(self.clauses)
        except StopIteration as end:
            stopped_by: StoppedBy = end.value
            self.status = NATIVE_STATUS[stopped_by]
            if stopped_by == "exhausted" and self.call.certify:
                self.refutations.append(self._refutation())
            return stopped_by
        self.clauses, self.status = None, "SAT"
        now = perf_counter()
        found = self.encoding.assignment(model)
        self.call.phases.add("decode", now)
        self.found = (model, found) if self.call.certify else None
        return found

    def _note(self) -> None:
        """Remember the clauses that the engine gets next, to refute all of them in the end."""
        if self.clauses is not None:
            self.more += self.clauses
        elif self.found is not None and len(self.excluded) <= MOST_EXCLUDED:
            model, values = self.found
            self.more.append(self.task.excluding(model))
            self.excluded.append(values)

    def _refutation(self) -> Refutation:
        """The formula as the encoder has made it, and the proof that the engine has written."""
        task, encoding = self.task, self.posed
        missing = task.missing
        if len(self.excluded) > MOST_EXCLUDED:
            missing = f"more than {MOST_EXCLUDED:,} solutions are not checked again"
        return Refutation(
            (task.units, encoding.clauses, self.more),
            encoding.blocks,
            tuple(self.excluded),
            self.than,
            self.value,
            None if missing else task.proof,
            self.solver.engine.form == "binary",
            missing,
            self.solver.proof_seconds,
            literals=partial(list_pins, self.encoding, self.call.problem.structure),
        )

    def improve(self, objective: Objective, than: int) -> None:
        now = perf_counter()
        structure = self.call.problem.structure
        self.than = than
        if self.bounds is None:
            self.bounds = of_one_variable(self.encoding, structure, objective)
        if self.bounds is not None:
            self.clauses = self.bounds.better(than)
        else:
            self._restart(self._bounded(objective, than))
        self.call.phases.add("encode", now)

    def _bounded(self, objective: Objective, than: int) -> Encoding:
        try:
            found, self.bounds = counted(
                self.encoding, self.call.problem.structure, objective, than
            )
        except TooLarge:
            relation = "<" if objective.sense == "minimize" else ">"
            return self._strengthened(objective, relation, than)
        return found

    def fix(self, objective: Objective, value: int) -> None:
        now = perf_counter()
        self.value = value
        self._restart(self._strengthened(objective, "==", value))
        self.call.phases.add("encode", now)

    def _strengthened(self, objective: Objective, relation: str, constant: int) -> Encoding:
        extra = Linear(objective.scope, objective.coefficients, relation, constant)
        try:
            return strengthened(self.encoding, self.call.problem.structure, extra, self.solver.sums)
        except TooLarge as error:
            raise Unsupported(self.solver.name, "this objective", str(error)) from error

    def _restart(self, encoding: Encoding) -> None:
        self.close()
        self.spent = merge_statistics(self.spent, self.task.statistics)
        self._search(encoding)

    def close(self) -> None:
        self.models.close()

    def report(self) -> SessionReport:
        statistics = self._statistics()
        return SessionReport(self.status, statistics, refutations=tuple(self.refutations))

    def _statistics(self) -> dict[str, int | float]:
        """The effort, and the size of the formula without givens and bounds."""
        spent = self.task.statistics
        if self.spent:
            spent = merge_statistics(self.spent, spent)
        spent["n_vars"], spent["n_clauses"] = self.encoding.top, self.encoding.number
        return spent
