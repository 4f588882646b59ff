"""The solver that learns, with a proof of each search to the end."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from backends.interface.api import StoppedBy
from backends.interface.evidence.model_text import write_domain, write_objective
from backends.interface.handlers import Handler
from backends.interface.proofs import MOST_EXCLUDED, Refutation
from backends.interface.session import Call, Capabilities, SessionReport
from backends.propagation.encode.arena import Arena, Search
from backends.propagation.learning.handlers import HANDLERS, post_tour
from backends.propagation.learning.solver import Learning, LearningSession, Terms
from backends.propagation.proving.draft import (
    DOMAINS,
    NotedDraft,
    begin_noted,
    copy_draft,
    noted,
)
from backends.propagation.proving.form import NOTES, noting_form
from backends.propagation.proving.notes import Notes
from backends.propagation.solver import Configuration, Encoding, open_values
from modelling.constraint import Constraint
from modelling.constraints import Circuit, Element2D, Linear, Table
from modelling.problem import Assignment, Objective, Structure


class Proving(Learning):
    """Complete; as ``Learning``, interpreted. What has variables of the solver's own, which the
    checker does not know, is left out: ``Element2D`` is rewritten, and tours have no bound."""

    capabilities = Capabilities(family="propagation", improves=True, fixes=True, certifies=True)
    handlers = noted(
        {
            **{kind: one for kind, one in HANDLERS.items() if kind is not Element2D},
            Circuit: Handler(post_tour, arguments="affine"),
        }
    )

    def __init__(self, name: str, configuration: Configuration, seconds: int) -> None:
        super().__init__(name, configuration._replace(form="pure"))
        self.form = noting_form()
        self.seconds = seconds

    def encode(self, structure: Structure) -> NotedDraft:
        """The variables of a structure."""
        return begin_noted(structure)

    def post_total(self, draft: Any, terms: Terms) -> int:
        draft.begin_total(terms)
        total = super().post_total(draft, terms)
        draft.source = DOMAINS
        return total

    def open(self, encoding: Encoding, call: Call) -> ProvingSession:
        """A search from the first fixed point on."""
        return ProvingSession(self, encoding, call)


class ProvingSession(LearningSession):
    """One search that learns, and the notes of it.

    The notes do not mention the solutions that were found. When all have been found, they are
    excluded by constraints, and what is left is searched again: that has a proof.
    """

    def __init__(self, solver: Proving, encoding: Encoding, call: Call) -> None:
        self.handlers, self.seconds = solver.handlers, solver.seconds
        self.notes: Notes | None = None
        self.refutations: list[Refutation] = []
        self.than: int | None = None
        self.value: int | None = None
        self.found: dict[tuple[int, ...], Assignment] = {}
        output = call.problem.structure.output if call.on is None else call.on
        self.output = tuple(range(call.declared) if output is None else output)
        self.first: SessionReport | None = None
        super().__init__(solver.configuration, solver.form, encoding, call)

    def _memory(self, arena: Arena, S: Any) -> Any:
        M = super()._memory(arena, S)
        draft: Any = self.encoding.draft
        M[NOTES] = self.notes = Notes(draft, arena, M)
        return M

    def _grow(self, search: Search) -> Search:
        search.M[NOTES] = 0
        found = super()._grow(search)
        found.M[NOTES] = self.notes
        return found

    def next(self) -> Assignment | StoppedBy:
        found = super().next()
        if found == "exhausted":
            missing = self._search_rest() if self.found else ""
            self.refutations.append(self._refutation(missing))
        elif isinstance(found, tuple) and self.objective is None:
            self.found.setdefault(tuple([found[v] for v in self.output]), found)
        return found

    def _search_rest(self) -> str:
        """Search what is left without the solutions; why that gives no proof."""
        if len(self.found) > MOST_EXCLUDED:
            return f"more than {MOST_EXCLUDED:,} solutions are not checked again"
        self.first = self.first or super().report()
        self._state([Table(self.output, (row,), False) for row in self.found])
        ended = super().next()
        return "" if ended == "exhausted" else "no proof was written within the limits"

    def _state(self, constraints: Iterable[Constraint]) -> None:
        """Begin a search with more constraints."""
        draft: Any = self.encoding.draft
        more = copy_draft(draft)
        for constraint in constraints:
            self.handlers[type(constraint)].post(more, constraint)
        self.encoding, self.notes = Encoding(more), None
        self.search = self._begin()

    def improve(self, objective: Objective, than: int) -> None:
        super().improve(objective, than)
        self.than = than
        if self.notes is not None:
            self.notes.bound(self.bounds[-1])

    def fix(self, objective: Objective, value: int) -> None:
        self.than, self.value, self.objective = None, value, None
        self.first = super().report()
        self._state([Linear(objective.scope, objective.coefficients, "==", value)])

    def report(self) -> SessionReport:
        """The statistics are those of the search for solutions."""
        found = self.first or super().report()
        return found._replace(refutations=tuple(self.refutations))

    def _refutation(self, missing: str) -> Refutation:
        """What has been refuted, as the checker reads it."""
        proof, why = (b"", missing) if missing else self._proof()
        return Refutation(
            (),
            excluded=tuple(islice(self.found.values(), MOST_EXCLUDED + 1)),
            than=self.than,
            value=self.value,
            proof=None if why else proof,
            missing=why,
            seconds=self.seconds,
            model=self._model,
        )

    def _proof(self) -> tuple[bytes, str]:
        """The lines, and why there are none."""
        draft: Any = self.encoding.draft
        if self.notes is not None:
            return self.notes.text().encode(), self.notes.missing
        if draft.possible:  # a variable has no value, which the model says
            return b"", ""
        return f"i 1 {draft.impossible} >".encode(), ""

    def _model(self) -> bytes:
        """The problem."""
        draft: Any = self.encoding.draft
        problem = self.call.problem
        domains = [*open_values(problem), *draft.domains[problem.structure.size :]]
        lines = [
            write_domain(variable, domain)
            for variable, domain in enumerate(domains)
            if variable not in draft.views
        ]
        lines += [f"{name} {text}" for name, text in draft.constraints.items()]
        lines += draft.new_variables()
        objective = problem.structure.objective
        if self.than is not None and objective is not None:
            if draft.totals:
                objective = Objective("minimize", tuple(draft.totals), (1,))
            lines.append(write_objective(objective, self.bounds[-1]))
        return "\n".join(lines).encode()
