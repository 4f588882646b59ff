"""Bitwuzla's search: one model after another, optima by bounds between them."""

from __future__ import annotations

import signal
import threading
from collections.abc import Mapping
from typing import Any

from backends.bitwuzla.draft import BitwuzlaDraft
from backends.bitwuzla.handlers import BUILDERS, HANDLERS
from backends.bitwuzla.parameters import PARAMETERS, set_parameters
from backends.interface.api import StoppedBy
from backends.interface.libraries.making import LibrarySolver, maker
from backends.interface.options import Option, Value
from backends.interface.session import Call, Capabilities, Session, SessionReport
from backends.signals import defer
from modelling.problem import Assignment, Objective, Structure

STATISTICS = {
    "n_vars": "solver::bv::bitblast::cnf::num_vars",
    "n_clauses": "solver::bv::bitblast::cnf::num_clauses",
}

OPTIONS: tuple[Option, ...] = ()


class Bitwuzla(LibrarySolver):
    """Complete; statistics: the size of the formula that its bits come to."""

    handlers = HANDLERS

    def __init__(self, name: str) -> None:
        super().__init__(name, Capabilities("bitwuzla", improves=True, fixes=True, projects=True))

    def encode(self, structure: Structure) -> BitwuzlaDraft:
        """The bit-vectors of the variables."""
        return BitwuzlaDraft(self.library, structure, BUILDERS)

    def open(self, draft: BitwuzlaDraft, call: Call) -> BitwuzlaSession:
        """A solver of its own."""
        return BitwuzlaSession(self.library, draft, call, self.parameters)


class BitwuzlaSession(Session):
    """One search: a solver that is given more formulas between two models."""

    def __init__(
        self, bitwuzla: Any, draft: BitwuzlaDraft, call: Call, parameters: Mapping[str, Value]
    ) -> None:
        self.bitwuzla = bitwuzla
        self.draft = draft
        self.call = call
        self.status = ""
        self.interrupted = threading.Event()
        chosen = bitwuzla.Options()
        set_parameters(chosen, parameters)
        chosen.set(bitwuzla.Option.PRODUCE_MODELS, True)
        if call.limits.seed is not None:
            chosen.set(bitwuzla.Option.SEED, call.limits.seed % (1 << 32))
        self.solver = bitwuzla.Bitwuzla(draft.manager, chosen)
        self.solver.configure_terminator(self._ends)
        self.solver.assert_formula(*draft.formulas)
        structure = call.problem.structure
        for variable, domain in enumerate(call.problem.domains()):
            if len(domain) < len(structure.domains[variable]):
                self.solver.assert_formula(draft.among(variable, domain))
        self.bits = draft.concatenate(range(structure.size))
        on = range(structure.size) if call.on is None else call.on
        self.on = draft.concatenate(on)

    def next(self) -> Assignment | StoppedBy:
        with defer(signal.SIGINT) as self.interrupted:
            answer = self.solver.check_sat()
        if self.interrupted.is_set():
            signal.raise_signal(signal.SIGINT)  # whoever handles it decides what comes of it
        self.status = str(answer)
        if answer == self.bitwuzla.Result.UNSAT:
            return "exhausted"
        if answer == self.bitwuzla.Result.UNKNOWN:
            return "time" if self.call.deadline.left == 0 else "gave_up"
        known = "" if self.bits is None else self.solver.get_value(self.bits).value(2)
        return tuple(self._values(known))

    def _ends(self) -> bool:
        """Whether the search is over. Bitwuzla would drop what this raises, even on its first
        line: an interrupt is only noted."""
        return self.interrupted.is_set() or self.call.deadline.left == 0

    def _values(self, known: str) -> list[int]:
        """Each variable's part of all bits."""
        values, start = [], 0
        for number in self.draft.numbers:
            end = start + number.width
            values.append(number.low + int(known[start:end] or "0", 2))
            start = end
        return values

    def exclude(self, values: Assignment) -> None:
        draft = self.draft
        if self.on is None:
            self.solver.assert_formula(draft.false)
            return
        taken = self.solver.get_value(self.on)
        self.solver.assert_formula(draft.denied(draft.same(self.on, taken)))

    def improve(self, objective: Objective, than: int) -> None:
        self._bound(objective, "<" if objective.sense == "minimize" else ">", than)

    def fix(self, objective: Objective, value: int) -> None:
        self._bound(objective, "==", value)

    def _bound(self, objective: Objective, relation: str, value: int) -> None:
        numbers = self.draft.numbers_of(objective.scope)
        weighed = list(zip(numbers, objective.coefficients, strict=True))
        self.solver.assert_formula(self.draft.compare(weighed, relation, value))

    def report(self) -> SessionReport:
        said = self.solver.statistics()
        return SessionReport(
            self.status, {ours: int(said[key]) for ours, key in STATISTICS.items()}
        )


make = maker("bitwuzla", OPTIONS, Bitwuzla, PARAMETERS)
