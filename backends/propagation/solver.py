"""The solver: what is kept of a structure, and one search, in slices.

Both forms visit the same nodes in the same order. So the form ``auto`` begins interpreted, which
starts at once, and where that takes long it repeats the search compiled, passing over the solutions
that it has already given: whatever the clock says, solutions and statistics are the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.util import find_spec
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from backends.interface.api import Ask, Limits, StoppedBy
from backends.interface.magnitudes import find_too_large
from backends.interface.session import Call, Capabilities, Session, SessionReport, Solver
from backends.propagation.encode.arena import Arena, Form, Search, Settings, build, grow
from backends.propagation.encode.draft import Draft, Posted, begin, post_linear
from backends.propagation.encode.handlers import HANDLERS
from backends.propagation.encode.objectives import find_preferred, with_bounds
from backends.propagation.encode.sums import list_sums
from backends.propagation.forms import compiled_form, pure_form
from backends.propagation.kernel import layout as at
from backends.propagation.kernel import turns
from backends.propagation.kernel.branching import (
    ACTIVITY,
    CHS,
    DOM_WDEG,
    FIRST,
    LEAST_VALUE,
    SAVED_VALUE,
    SMALLEST,
    STATED,
)
from backends.propagation.kernel.layout import LOWER_BOUND, UPPER_BOUND
from backends.propagation.kernel.search import EXHAUSTED, GROW, PAUSED
from backends.propagation.propagators.linear import objective_at_most
from backends.propagation.stated import StatedSearch
from backends.propagation.trace import write_trace
from modelling.constraints import AllDifferent, And, Iff, Implies, Linear, Not, NotEqual, Or, Xor
from modelling.problem import Assignment, Objective, Problem, Structure
from modelling.stopping import stop_when

FEWEST_FAILURES = {"auto": 1000, "none": 0, "geometric": 100, "luby": 100}
"""Failures before the first restart. By default short searches, and short proofs, have none."""
FEWEST_OF_TURN = 100
"""Failures of a run in which another rule has its first turn."""
INTERVALS = frozenset({Linear, NotEqual, AllDifferent, And, Or, Not, Implies, Iff, Xor})
"""The constraints within which a domain may be too large to be listed."""
TURNS = "turns"
RULES = {
    TURNS: DOM_WDEG,
    "smallest": SMALLEST,
    "domwdeg": DOM_WDEG,
    "chs": CHS,
    "activity": ACTIVITY,
    "first": FIRST,
    "stated": STATED,
}
VALUES = {"least": LEAST_VALUE, "saved": SAVED_VALUE}
CUMULATIVES = ("timetable", "energy")
TASKS = ("orders", "starts")
WEIGHED = (TURNS, "domwdeg", "chs", "activity")
"""The rules of branching that say which of two tasks to put in order first."""
NOGOODS = ("restarts", "none")
RESTARTS = {"none": at.NEVER, "geometric": at.GEOMETRIC, "luby": at.LUBY}
FIRST_SLICE = 32
"""Nodes before the first look at the clock; twice or half as many until the next, so that a slice
takes from a quarter of ``SLICE`` to all of it."""
SLICE = 0.02
"""Seconds."""
AFRESH = 20_000
"""Nodes of a compiled slice that repeats an interpreted search."""
MOST_KEPT = 2_000
"""Values of solutions that one slice returns at most."""
MOST = 1 << 60
"""Values and sums of the compiled form are less than this in size."""
PATIENCE = 0.25
"""Seconds that a search is interpreted before it is compiled: about what numba takes to start."""
STATISTICS = {
    "nodes": at.M_NODES,
    "failures": at.M_FAILURES,
    "propagations": at.M_PROPAGATIONS,
    "peak_depth": at.M_PEAK_DEPTH,
    "restarts": at.M_RESTARTS,
}


class Configuration(NamedTuple):
    """The options of the backend; ``recorded`` nodes of the tree are kept, and written to the file
    ``trace`` if it has a name."""

    form: str = "auto"
    branching: str = TURNS
    values: str = "auto"
    restarts: str = "auto"
    recorded: int = 0
    trace: str = ""
    all_different: str = "auto"
    seed: int = 0
    nogoods: str = "restarts"
    cumulative: str = "timetable"
    objective: str = "auto"
    tasks: str = "orders"


@dataclass
class Encoding:
    """A draft, and the arenas that searches of its structure have needed so far."""

    draft: Draft
    arenas: dict[tuple[str, bool, int], Arena] = field(default_factory=dict)

    def arena(self, form: Form, objective: Objective | None, declared: int) -> Arena:
        """The arena with or without the objective's bound."""
        key = form.name, objective is not None, declared
        if key not in self.arenas:
            self.arenas[key] = lay_out(self.draft, form, objective, declared)
        return self.arenas[key]


def terms_of(objective: Objective) -> list[tuple[int, int]]:
    """The variables and their factors; negated for maximising."""
    sign = 1 if objective.sense == "minimize" else -1
    terms = zip(objective.scope, objective.coefficients, strict=True)
    return [(variable, sign * factor) for variable, factor in terms if factor]


def bound_of(objective: Objective) -> Posted:
    """The propagator that keeps an objective at most M[M_BOUND]; negated for maximising."""
    pairs = sorted(terms_of(objective), key=lambda pair: pair[1] < 0)
    return Posted(
        objective_at_most,
        tuple(v for v, _ in pairs),
        tuple(LOWER_BOUND if f > 0 else UPPER_BOUND for _, f in pairs),
        [sum(f > 0 for _, f in pairs), *[f for _, f in pairs]],
        idempotent=True,
    )


def lay_out(draft: Draft, form: Form, objective: Objective | None, declared: int) -> Arena:
    """The arrays, with or without what keeps the objective at most M[M_BOUND]."""
    if objective is None:
        return build(draft, form, None, declared)
    terms = terms_of(objective)
    bound = draft.bound or bound_of(objective)
    arena = build(with_bounds(draft, terms), form, bound, declared)
    for variable, value in find_preferred(draft, terms):
        arena.S[arena.places[variable] + at.PHASE] = value
    return arena


def greatest(objective: Objective | None, structure: Structure) -> int:
    """More than an objective can be, with the sign of minimising."""
    if objective is None:
        return 0
    ends = (structure.domains[v] for v in objective.scope)
    most = (max(abs(domain[0]), abs(domain[-1])) for domain in ends)
    reach = 1
    for factor, value in zip(objective.coefficients, most, strict=True):
        reach += abs(factor) * int(value)
    return reach


def can_compile(structure: Structure) -> bool:
    """Whether numba is there, which is not imported, and 64 bits hold all numbers."""
    return find_spec("numba") is not None and not find_too_large(structure, MOST, MOST)


class Propagation(Solver):
    """Complete; statistics: nodes, failures, propagations, peak_depth, restarts."""

    capabilities = Capabilities(
        family="propagation", improves=True, fixes=True, intervals=INTERVALS
    )
    handlers = HANDLERS

    def __init__(self, name: str, configuration: Configuration) -> None:
        self.name = name
        self.configuration = configuration
        self.form = compiled_form() if configuration.form == "compiled" else pure_form()

    def load(self) -> None:
        """Compile the search, or load it from the disk."""
        self.form.load()

    def refusal(self, structure: Structure, encode: Callable[[], Any]) -> str:
        """What the integers of the compiled form do not hold."""
        is_compiled = self.configuration.form == "compiled"
        return find_too_large(structure, MOST, MOST) if is_compiled else ""

    def plan_call(self, structure: Structure, ask: Ask, limits: Limits) -> StatedSearch | None:
        """The search that the user's structure states, where it is asked for."""
        is_stated = self.configuration.branching == "stated"
        return StatedSearch(structure.search) if is_stated else None

    def encode(self, structure: Structure) -> Draft:
        """The variables of a structure."""
        chosen = self.configuration
        has_orders = chosen.tasks == "orders" and chosen.branching in WEIGHED
        return replace(
            begin(structure),
            tasks="orders" if has_orders else "starts",
            all_different=chosen.all_different,
            cumulative=chosen.cumulative,
            in_order=chosen.branching == "first",
        )

    def finish(self, draft: Draft) -> Encoding:
        """What is kept of a structure."""
        if not draft.explains:
            list_sums(draft)
        return Encoding(draft)

    def open(self, encoding: Encoding, call: Call) -> PropagationSession:
        """A search from the first fixed point on."""
        return PropagationSession(self.configuration, self.form, encoding, call)


class PropagationSession(Session):
    """One depth-first search; for an optimum it continues after each incumbent with a tighter
    bound (branch and bound)."""

    def __init__(
        self, configuration: Configuration, form: Form, encoding: Encoding, call: Call
    ) -> None:
        self.configuration = configuration
        self.form = form
        self.encoding = encoding
        self.call = call
        self.objective = call.problem.structure.objective if call.optimum else None
        self.waiting: deque[Assignment] = deque()
        self.given = 0
        self.bounds: list[int] = []
        self.began = perf_counter()
        self.slice = FIRST_SLICE
        self.compiled = ""
        self.stated = call.choice if isinstance(call.choice, StatedSearch) else None
        self.most_kept = 1
        self.is_patient = configuration.form == "auto"
        self.search = self._begin()

    def next(self) -> Assignment | StoppedBy:
        if not self.waiting:
            why = self._run()
            if why is not None:
                return why
        self.given += 1
        return self.waiting.popleft()

    def improve(self, objective: Objective, than: int) -> None:
        sign = 1 if objective.sense == "minimize" else -1
        self.bounds.append(sign * than - 1)
        if self.search is not None:
            self.search.M[at.M_BOUND] = self.bounds[-1]

    def fix(self, objective: Objective, value: int) -> None:
        draft = self.encoding.draft
        exact = replace(draft, propagators=[*draft.propagators], sums=[*draft.sums])
        exact.rivals = [dict(row) for row in draft.rivals]
        terms = list(zip(objective.scope, objective.coefficients, strict=True))
        post_linear(exact, "==", terms, value)
        self.encoding = Encoding(exact)
        self.objective = None
        self.search = self._begin()

    def close(self) -> None:
        if self.configuration.trace:
            write_trace(self.configuration.trace, self.search, self.call.problem.structure.names)

    def report(self) -> SessionReport:
        said = self.compiled, "" if self.stated is None else self.stated.note()
        counted = dict.fromkeys(STATISTICS, 0)
        if self.search is not None:
            M = self.search.M
            counted = {name: int(M[place]) for name, place in STATISTICS.items()}
        return SessionReport(statistics=counted, configuration=",".join(filter(None, said)))

    def _begin(self) -> Search | None:
        """The arrays before the first fixed point; None where a domain or a constraint over
        constants leaves nothing to search."""
        draft, problem = self.encoding.draft, self.call.problem
        if not draft.possible:
            return None
        arena = self.encoding.arena(self.form, self.objective, self.call.declared)
        S = arena.S.copy()
        is_narrowed = arena.narrow(S, problem.masks, problem.structure.full_masks)
        if is_narrowed is None:
            narrowed = replace(draft, domains=[*open_values(problem), *draft.domains])
            del narrowed.domains[problem.structure.size : 2 * problem.structure.size]
            arena = lay_out(narrowed, self.form, self.objective, self.call.declared)
            S = arena.S.copy()
        elif not is_narrowed:
            return None
        self._draw_lots(arena, S)
        return Search(S, arena.T, self._memory(arena, S))

    def _draw_lots(self, arena: Arena, S: Any) -> None:
        """With a seed, ties between variables go by lot; the first one is still the first."""
        seed = self.configuration.seed
        if seed and self.configuration.branching != "first":
            lots = list(range(len(arena.places)))
            Random(seed).shuffle(lots)
            for x, lot in zip(arena.places, lots, strict=True):
                S[x + at.TIE] = lot

    def _memory(self, arena: Arena, S: Any) -> Any:
        return arena.memory(self._settings())

    def _grow(self, search: Search) -> Search:
        return grow(search, self.form)

    def _compiled_form(self) -> Form:
        return compiled_form()

    def _settings(self) -> Settings:
        chosen, several = self.configuration, self.call.several and self.objective is None
        size = self.call.problem.structure.size
        values = "least" if several else "saved"
        phases = () if self.stated is None else self.stated.cells()
        rule = "none" if several or phases else "geometric"
        is_unstated = chosen.branching == "stated" and not phases
        rule = rule if chosen.restarts == "auto" or several else chosen.restarts
        is_shop = bool(self.encoding.draft.pairs)
        begins_soon = is_shop and chosen.restarts == "auto"
        failures = FEWEST_FAILURES["geometric" if begins_soon else chosen.restarts]
        takes_turns = (chosen.branching == TURNS or is_unstated) and rule != "none" and not is_shop
        self.most_kept = max(1, MOST_KEPT // max(1, size)) if several else 1
        return Settings(
            solutions=self.most_kept,
            bound=greatest(self.objective, self.call.problem.structure),
            branching=RULES[TURNS if is_unstated else chosen.branching],
            values=VALUES[values if chosen.values == "auto" else chosen.values],
            restarts=RESTARTS[rule],
            first_failures=failures,
            restart_base=FEWEST_OF_TURN if takes_turns else failures,
            turns=turns.RULES if takes_turns else 1,
            recorded=chosen.recorded,
            last_conflict=not several and not phases,
            orders=not several and not phases,
            nogoods=chosen.nogoods == "restarts" and not several,
            phases=phases,
            seed=chosen.seed,
        )

    def _search_slice(self, search: Search, nodes: int) -> int:
        """Search for ``nodes`` nodes more, or until the limit of time or the patience is over."""
        if self.form.ask is not None:
            search.M[at.M_ASK] = self.form.ask()
        with stop_when(self._is_over):
            return self.form.search(*search, nodes)

    def _is_over(self) -> bool:
        """Whether this search is to stop, or to be repeated compiled."""
        return self.call.deadline.passed or (self._pays_to_compile() and self._can_compile)

    def _pays_to_compile(self) -> bool:
        return self.is_patient and perf_counter() > self.began + PATIENCE

    @cached_property
    def _can_compile(self) -> bool:
        return can_compile(self.call.problem.structure)

    def _run(self) -> StoppedBy | None:
        """Search until solutions wait; why it ended, if none do."""
        if self.search is None:
            return "exhausted"
        limit = self.call.limits.nodes
        wanted: int | None = getattr(self.call.ask, "limit", None)
        while not self.call.deadline.passed:
            if self._pays_to_compile():
                self.is_patient = False
                if self._can_compile:
                    self._compile()
                    if self.call.deadline.passed:  # what is found now may have been given before
                        return "time"
            M = self.search.M
            begin, nodes = perf_counter(), self.slice
            if wanted is not None:  # what is counted is that of the last solution that is wanted
                M[at.M_SOLUTION_ROOM] = min(self.most_kept, max(1, wanted - self.given))
            if limit is not None:
                nodes = min(nodes, limit - int(M[at.M_NODES]))
            why = self._search_slice(self.search, nodes)
            if why == PAUSED:
                self.slice = next_slice(self.slice, perf_counter() - begin)
            if M[at.M_SOLUTION_COUNT]:
                self.waiting.extend(take_solutions(self.search))
                return None
            if why == EXHAUSTED:
                return "exhausted"
            if why == GROW:
                self.search = self._grow(self.search)
            elif limit is not None and M[at.M_NODES] >= limit:
                return "gave_up"
        return "time"

    def _compile(self) -> None:
        """Repeat in the compiled form what has been searched."""
        self.form = self._compiled_form()
        self.compiled = self.form.name
        self.search = self._begin()
        assert self.search is not None
        bounds, passed = self.bounds, 0
        while passed < self.given and not self.call.deadline.passed:
            M = self.search.M
            M[at.M_SOLUTION_ROOM] = min(self.most_kept, self.given - passed)
            if self._search_slice(self.search, AFRESH) == GROW:
                self.search = self._grow(self.search)
            found = take_solutions(self.search)
            self.waiting.extend(found[self.given - passed :])
            passed += len(found)
            if found and bounds:
                self.search.M[at.M_BOUND] = bounds[passed - 1]
        self.search.M[at.M_SOLUTION_ROOM] = self.most_kept


def next_slice(nodes: int, seconds: float) -> int:
    """How many nodes the next slice has, after one of ``nodes`` nodes."""
    if seconds > SLICE:
        return max(1, nodes // 2)
    return 2 * nodes if seconds < SLICE / 4 else nodes


def open_values(problem: Problem) -> list[list[int]]:
    """The open values of every variable."""
    return [
        [domain[k] for k in range(len(domain)) if mask is None or mask >> k & 1]
        for domain, mask in zip(problem.structure.domains, problem.masks, strict=True)
    ]


def take_solutions(search: Search) -> list[Assignment]:
    """The solutions that wait in memory, which is then free for others."""
    _, T, M = search
    count, width, begin = int(M[at.M_SOLUTION_COUNT]), int(T[at.T_REPORTED]), M[at.M_SOLUTIONS]
    cells: Any = M[begin : begin + count * width]
    if not isinstance(cells, list):
        cells = cells.tolist()
    M[at.M_SOLUTION_COUNT] = 0
    return [tuple(cells[k * width : (k + 1) * width]) for k in range(count)]
