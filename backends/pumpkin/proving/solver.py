"""The solver Pumpkin with a proof of each search to the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from backends.interface.api import StoppedBy
from backends.interface.evidence.model_text import write_objective, write_sum
from backends.interface.handlers import Handlers
from backends.interface.libraries.formulas import ALL, handler
from backends.interface.libraries.recipes import Recipe
from backends.interface.proofs import MOST_EXCLUDED, Refutation, read_proof
from backends.interface.session import Call, SessionReport, Take
from backends.pumpkin.backend import Pumpkin
from backends.pumpkin.comparisons import COMPARISONS
from backends.pumpkin.functions import FUNCTIONS
from backends.pumpkin.guards import fits
from backends.pumpkin.handlers import PAIRS
from backends.pumpkin.proving.drcp import UnknownLine, translate
from backends.pumpkin.proving.model import NotedModel
from backends.pumpkin.scheduling import SCHEDULING
from backends.pumpkin.search import PumpkinSession
from backends.pumpkin.tables import TABLES
from modelling.constraints import (
    AllDifferent,
    Clauses,
    Cumulative,
    Element,
    Linear,
    Maximum,
    Minimum,
    NotEqual,
    Product,
    Table,
)
from modelling.problem import Assignment, Objective
from modelling.rewriting.profile import Variables

POSED: Mapping[Any, Any] = {**COMPARISONS, **TABLES, **SCHEDULING}


def is_forbidden(constraint: Table, variables: Variables) -> bool:
    """Rows that are not allowed; in proofs by allowed ones Pumpkin leaves out premises."""
    return not constraint.allowed and fits(constraint, variables)


PROVEN: Handlers = {
    **{kind: handler(*POSED[kind], modes=("root",)) for kind in (AllDifferent, NotEqual)},
    **{kind: handler(*POSED[kind], modes=("root",)) for kind in (Clauses, Cumulative)},
    Linear: handler(*POSED[Linear], modes=ALL),
    Table: handler(POSED[Table][0], is_forbidden, modes=("root", "half")),
    **{
        kind: handler(*FUNCTIONS[kind], modes=("root",))
        for kind in (Element, Minimum, Maximum, Product)
    },
}
"""What the checker has a text for; the rest is rewritten."""


class ProvingPumpkin(Pumpkin):
    """Complete; as ``Pumpkin``. What needs variables of the backend's own is rewritten."""

    handlers = PROVEN

    def __init__(self, name: str, optimum: str, proof_seconds: int) -> None:
        super().__init__(name, optimum)
        self.capabilities = replace(self.capabilities, certifies=True)
        self.proof_seconds = proof_seconds

    def open(self, recipe: Recipe, call: Call) -> ProvingSession:
        """A model of the instance, and a folder for its proof."""
        folder = TemporaryDirectory(prefix="concord-pumpkin-")
        try:
            place = Path(folder.name, "proof.drcp")
            arguments = (self.library, self.kinds, call.problem, PAIRS, self.seed(call))
            model = NotedModel(place, *arguments)
            session = ProvingSession(self.name, model, call, self.optimisation, self.optimiser)
            session.build(lambda: model.pose(recipe))
        except BaseException:
            folder.cleanup()
            raise
        session.folder, session.seconds = folder, self.proof_seconds
        return session


class ProvingSession(PumpkinSession):
    """One search of one model, whose proof is read when Pumpkin has let go of it."""

    model: NotedModel
    folder: TemporaryDirectory[str]
    seconds: int
    ended = False
    than: int | None = None
    value: int | None = None
    total_number: int | None = None

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.excluded: list[Assignment] = []
        self.ending = SessionReport()
        self.objective_line = ""

    def next(self) -> Assignment | StoppedBy:
        found = super().next()
        self.ended = found == "exhausted"
        return found

    def exclude(self, values: Assignment) -> None:
        if len(self.excluded) <= MOST_EXCLUDED:
            self.excluded.append(values)
        on = range(len(values)) if self.call.on is None else self.call.on
        scope = " ".join([f"x{k}" for k in on])
        with self.model.noted(f"forbidden {scope} : {' '.join([str(values[k]) for k in on])}"):
            super().exclude(values)

    # --- optima ---

    def best(self, objective: Objective, take: Take) -> StoppedBy:
        found = super().best(objective, take)
        self.ended = found == "exhausted"
        if self.ended and self.best_found is not None:
            self.than = self.best_found
            self.objective_line = self._write_objective(objective)
        return found

    def fix(self, objective: Objective, value: int) -> None:
        self.value = value
        text = write_sum(objective.scope, objective.coefficients, "==", value)
        with self.model.noted(text):
            super().fix(objective, value)

    def _make_total(self, objective: Objective) -> None:
        """The same, and that the total is a variable of its own which the sum defines."""
        first = self.model.made
        scope, factors = [*objective.scope, first], [*objective.coefficients, -1]
        if sum(map(bool, objective.coefficients)) == 1:
            super()._make_total(objective)
            return
        with self.model.noted(write_sum(scope, factors, "==", 0)) as name:
            super()._make_total(objective)
        self.model.lines.append(f"total x{first} {name}")
        self.total_number = first

    def _write_objective(self, objective: Objective) -> str:
        """What is claimed: that no value is better than the best that was found."""
        assert self.than is not None
        if self.total_number is not None:
            objective = Objective(objective.sense, (self.total_number,), (1,))
        sign = 1 if objective.sense == "minimize" else -1
        return write_objective(objective, sign * self.than - 1)

    # --- the end ---

    def close(self) -> None:
        """Pumpkin ends its proof when the model is freed."""
        self.ending = super().report()
        self.model.model = None
        if self.ended:
            self.ending = self.ending._replace(refutations=(self._refutation(),))
        self.folder.cleanup()

    def report(self) -> SessionReport:
        return self.ending

    def _refutation(self) -> Refutation:
        """The problem as the structure says it, and the proof that Pumpkin has written."""
        written, missing = read_proof(self.model.place)
        proof = b""
        if not missing:
            try:
                lines = translate(written.decode().splitlines(), self.model.sources)
            except UnknownLine as error:
                missing = str(error)
            else:
                proof = "\n".join([*lines, *self._last_lines()]).encode()
        if len(self.excluded) > MOST_EXCLUDED:
            missing = f"more than {MOST_EXCLUDED:,} solutions are not checked again"
        text = "\n".join([*self.model.lines, self.objective_line]).strip().encode()
        return Refutation(
            (),
            excluded=tuple(self.excluded),
            than=self.than,
            value=self.value,
            proof=None if missing else proof,
            missing=missing,
            seconds=self.seconds,
            model=lambda: text,
        )

    def _last_lines(self) -> list[str]:
        """What is claimed contradicts the bound that was shown."""
        if not self.objective_line:
            return []
        return [f"o {self.objective_line.split()[-1]}", "i end o >"]
