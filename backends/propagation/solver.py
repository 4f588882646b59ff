"""The solver: which form runs, what is kept of a structure, and one search in slices."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from backends.interface.api import StoppedBy
from backends.interface.session import Call, Capabilities, Session, SessionReport, Solver
from backends.propagation.encode.arena import Arena, Form, Search, build, grow
from backends.propagation.encode.draft import Draft, Posted, begin
from backends.propagation.encode.handlers import HANDLERS
from backends.propagation.kernel import layout as at
from backends.propagation.kernel.branching import DOM_WDEG, FIRST, SMALLEST
from backends.propagation.kernel.layout import LOWER_BOUND, UPPER_BOUND
from backends.propagation.kernel.search import EXHAUSTED, FULL, GROW
from backends.propagation.propagators.linear import objective_at_most
from modelling.problem import Assignment, Objective, Problem, Structure

RULES = {"domwdeg": DOM_WDEG, "smallest": SMALLEST, "first": FIRST}
UNBOUNDED = 1 << 61
"""More than any objective; sums of the kernel are less, too."""
SLICES = {"pure": 250, "compiled": 20_000}
"""Nodes between two looks at the clock."""
MOST_KEPT = 1000
"""Solutions that one slice returns at most."""


@dataclass
class Encoding:
    """A draft, and the arenas that searches of its structure have needed so far."""

    draft: Draft
    arenas: dict[tuple[bool, int], Arena] = field(default_factory=dict)

    def arena(self, form: Form, objective: Objective | None, declared: int) -> Arena:
        """The arena with or without the objective's bound."""
        key = objective is not None, declared
        if key not in self.arenas:
            bound = None if objective is None else bound_of(objective)
            self.arenas[key] = build(self.draft, form, bound, declared)
        return self.arenas[key]


def bound_of(objective: Objective) -> Posted:
    """The propagator that keeps an objective at most M[M_BOUND]; negated for maximising."""
    sign = 1 if objective.sense == "minimize" else -1
    terms = zip(objective.scope, objective.coefficients, strict=True)
    pairs = sorted([(v, sign * f) for v, f in terms if f], key=lambda pair: pair[1] < 0)
    return Posted(
        objective_at_most,
        tuple(v for v, _ in pairs),
        tuple(LOWER_BOUND if f > 0 else UPPER_BOUND for _, f in pairs),
        [sum(f > 0 for _, f in pairs), *[f for _, f in pairs]],
        idempotent=True,
    )


class Propagation(Solver):
    """Complete; statistics: nodes, failures, propagations, peak_depth."""

    capabilities = Capabilities(family="propagation", improves=True)
    handlers = HANDLERS

    def __init__(self, name: str, form: Form, branching: str) -> None:
        self.name = name
        self.form = form
        self.rule = RULES[branching]

    def encode(self, structure: Structure) -> Draft:
        """The variables of a structure."""
        return begin(structure)

    def finish(self, draft: Draft) -> Encoding:
        """What is kept of a structure."""
        return Encoding(draft)

    def open(self, encoding: Encoding, call: Call) -> PropagationSession:
        """A search from the first fixed point on."""
        return PropagationSession(self, encoding, call)


class PropagationSession(Session):
    """One depth-first search; for an optimum it continues after each incumbent with a tighter
    bound (branch and bound)."""

    def __init__(self, solver: Propagation, encoding: Encoding, call: Call) -> None:
        self.solver = solver
        self.encoding = encoding
        self.call = call
        self.waiting: deque[Assignment] = deque()
        self.search: Search | None = None
        objective = call.problem.structure.objective if call.optimum else None
        if encoding.draft.possible:
            self.search = self._begin(objective, call.problem)

    def _begin(self, objective: Objective | None, problem: Problem) -> Search | None:
        call, draft = self.call, self.encoding.draft
        if any(len(domain) == 0 for domain in draft.domains):
            return None
        arena = self.encoding.arena(self.solver.form, objective, call.declared)
        S = arena.S.copy()
        narrowed = arena.narrow(S, problem.masks, problem.structure.full_masks)
        assert narrowed is not None
        if not narrowed:
            return None
        solutions = MOST_KEPT if call.several and objective is None else 1
        M = arena.memory(solutions, self.solver.rule, UNBOUNDED)
        return Search(S, arena.T, M)

    def next(self) -> Assignment | StoppedBy:
        if self.waiting:
            return self.waiting.popleft()
        if self.search is None:
            return "exhausted"
        form, limit = self.solver.form, self.call.limits.nodes
        slice_ = SLICES[form.name]
        while True:
            S, T, M = self.search
            nodes = slice_ if limit is None else min(slice_, limit - int(M[at.M_NODES]))
            why = form.search(S, T, M, nodes)
            if M[at.M_SOLUTION_COUNT]:
                self._fetch(T, M)
                return self.waiting.popleft()
            if why == EXHAUSTED:
                return "exhausted"
            if why == GROW:
                self.search = self._grow(self.search)
            elif self.call.deadline.passed:
                return "time"
            elif limit is not None and M[at.M_NODES] >= limit:
                return "gave_up"

    def _grow(self, search: Search) -> Search:
        return grow(search, self.solver.form)

    def _fetch(self, T: Any, M: Any) -> None:
        count, width = int(M[at.M_SOLUTION_COUNT]), int(T[at.T_REPORTED])
        begin = int(M[at.M_SOLUTIONS])
        cells = M[begin : begin + count * width]
        if not isinstance(cells, list):
            cells = cells.tolist()
        self.waiting.extend(tuple(cells[k * width : (k + 1) * width]) for k in range(count))
        M[at.M_SOLUTION_COUNT] = 0

    def improve(self, objective: Objective, than: int) -> None:
        if self.search is not None:
            sign = 1 if objective.sense == "minimize" else -1
            self.search.M[at.M_BOUND] = sign * than - 1

    def report(self) -> SessionReport:
        if self.search is None:
            return SessionReport(statistics=dict.fromkeys(STATISTICS, 0))
        M = self.search.M
        return SessionReport(statistics={name: int(M[place]) for name, place in STATISTICS.items()})


STATISTICS = {
    "nodes": at.M_NODES,
    "failures": at.M_FAILURES,
    "propagations": at.M_PROPAGATIONS,
    "peak_depth": at.M_PEAK_DEPTH,
}
