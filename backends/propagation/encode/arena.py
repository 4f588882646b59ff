"""The three arrays of a structure, and those of one search.

``build`` lays out what the handlers have drafted, once for a structure. ``Arena.instance`` copies
it and narrows the domains to the masks of an instance. Both are lists of Python's integers; a
``Form`` says how long a word is, what an array is made of, and how a propagator is called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

from backends.propagation.encode.draft import Draft, Posted, Propagate, Shared
from backends.propagation.encode.order import functions_of_sums, order_by_influence
from backends.propagation.kernel import layout as at
from backends.propagation.kernel.branching import ACTIVITY_STEP
from backends.propagation.kernel.layout import (
    BOUNDS,
    DECISION,
    LENGTH,
    MEMORY_HEAD,
    NODE,
    NUMBER,
    RECORD_HEADER,
    TABLE_HEAD,
    VARIABLE_HEADER,
    WORDS,
)
from backends.propagation.kernel.nogoods import (
    NOGOOD_CELLS,
    begin_nogoods,
    cells_before_nogoods,
    lacks_nogoods,
)
from backends.propagation.kernel.orders import NO_PHASE
from backends.propagation.kernel.restarts import NO_LIMIT
from backends.propagation.propagators import member
from modelling.stopping import stop_if_over, watched

LONGEST_WITH_WORDS = 4096
"""A domain that spans more values is kept as an interval, with its holes to begin with apart."""


SHORT = 8
"""Domains of at most as many values are compared by these."""


class Form(NamedTuple):
    """How the kernel runs: interpreted or compiled."""

    name: str
    word_bits: int
    array: Callable[[list[Any]], Any]
    """Makes an array of a list of integers; those of words are not negative."""
    extend: Callable[[Any, int], Any]
    """Copies an array, with zeros at its end."""
    call: Callable[[Propagate], Any]
    """What the kernel calls a propagator by."""
    search: Callable[[Any, Any, Any, int], int]
    load: Callable[[], object]
    """Does beforehand what the first search would otherwise wait for."""
    blank: Callable[[int], Any]
    """Makes an array of zeros."""
    explain: Callable[[Propagate], Any] | None = None
    """Makes what the kernel calls a propagator's explanation by, where it learns."""
    variable_header: int = VARIABLE_HEADER
    memory_head: int = MEMORY_HEAD
    neighbours: Callable[..., Sequence[Any]] | None = None
    """Makes of S, places, rivals and groups what T has of each variable in place of these."""
    watchers: Callable[[list[Any], Sequence[Sequence[int]]], Sequence[Any]] | None = None
    """Makes of T and the watchers of each variable what lies before these."""
    ask: Callable[[], Any] | None = None
    """Makes what the kernel asks, in this thread, whether it is to stop: M[M_ASK]."""


PhaseCells = tuple[int, int, Sequence[int]]
"""A phase of ``kernel.stated``: the rules for variables and for values, and the variables."""


class Settings(NamedTuple):
    """How one search is run; the rules are numbers of ``kernel.branching`` and ``restarts``.

    ``solutions`` fit into memory at once; ``bound`` is the most that the objective may be, with the
    sign of minimising; ``first_failures`` come before the first restart; ``turns`` is how many
    rules of branching take turns; ``recorded`` is how many nodes of the tree are recorded;
    ``nogoods`` says whether restarts leave any; ``orders`` whether tasks are put in order, where
    they can be; ``seed`` begins the lots of ``phases``.
    """

    solutions: int = 1
    bound: int = 1 << 61
    branching: int = 0
    values: int = 0
    restarts: int = 0
    restart_base: int = 100
    first_failures: int = 100
    turns: int = 1
    recorded: int = 0
    last_conflict: bool = False
    orders: bool = False
    nogoods: bool = False
    phases: Sequence[PhaseCells] = ()
    seed: int = 0


class Search(NamedTuple):
    """The arrays of one search."""

    S: Any
    T: Any
    M: Any


@dataclass(frozen=True)
class Arena:
    """What is kept of a structure; S, T and M are copied or shared by its searches.

    ``places[v]`` is where variable v lies in S, ``domains[v]`` its values to begin with.
    """

    form: Form
    S: Any
    T: Any
    M: Any
    places: Sequence[int]
    domains: Sequence[Sequence[int]]

    def narrow(
        self, S: Any, masks: Sequence[int | None], full: Sequence[int | None]
    ) -> bool | None:
        """Narrow the domains of S to masks; False if one is empty, None if an interval would get
        holes."""
        for v, (mask, whole) in enumerate(zip(watched(masks), full, strict=True)):
            if mask == whole or mask is None:
                continue
            if not mask:
                return False
            domain, x = self.domains[v], self.places[v]
            values = [domain[k] for k in bits_of(mask)]
            if S[x + LENGTH] == WORDS and len(values) != values[-1] - values[0] + 1:
                return None
            set_domain(S, x, values, self.form)
        return True

    def memory(self, settings: Settings) -> Any:
        """M for one search."""
        begin = len(self.M)
        solutions = settings.solutions * int(self.T[at.T_REPORTED])
        recorded = NODE * settings.recorded
        decisions = DECISION * FIRST_DECISIONS
        trail = 2 * int(self.T[at.T_LEVEL_CELLS]) + FIRST_TRAIL
        nogoods = cells_before_nogoods(len(self.places)) if settings.nogoods else 0
        phases = self._phases(settings)
        weights = len(self.places) if settings.turns > 1 else 0
        before = solutions + recorded + len(phases) + weights + nogoods
        M = self.form.extend(self.M, before + decisions + trail)
        M[at.M_SOLUTIONS], M[at.M_SOLUTION_ROOM] = begin, settings.solutions
        M[at.M_TREE], M[at.M_TREE_ROOM] = begin + solutions, settings.recorded
        M[at.M_PHASES], M[at.M_LOTS] = begin + solutions + recorded, settings.seed
        for k, cell in enumerate(phases, int(M[at.M_PHASES])):
            M[k] = cell
        M[at.M_TURNS], M[at.M_TURNS_VALUES] = settings.turns, settings.values
        M[at.M_TURNS_WEIGHTS] = aside = int(M[at.M_PHASES]) + len(phases)
        for k in range(aside, aside + weights):
            M[k] = 1
        if nogoods:  # they grow into what is put before the decisions
            begin_nogoods(M, aside + weights, len(self.places))
        M[at.M_DECISIONS] = begin + before
        M[at.M_DECISIONS_END] = M[at.M_TRAIL] = M[at.M_TRAIL_TOP] = len(M) - trail
        M[at.M_TRAIL_END] = len(M)
        M[at.M_BOUND] = settings.bound
        M[at.M_LAST_CONFLICT] = 0 if settings.last_conflict else -1
        M[at.M_ORDERS] = int(settings.orders and self.T[at.T_ORDERS] != 0)
        M[at.M_BRANCHING], M[at.M_VALUES] = settings.branching, settings.values
        M[at.M_ACTIVITY_STEP] = ACTIVITY_STEP
        M[at.M_RESTART_RULE] = settings.restarts
        M[at.M_RESTART_BASE] = settings.restart_base
        M[at.M_FAILURES_LEFT] = settings.first_failures if settings.restarts else NO_LIMIT
        return M

    def _phases(self, settings: Settings) -> list[int]:
        """The cells of the phases of a stated search, and what ends them."""
        cells: list[int] = []
        for choice, values, variables in settings.phases:
            cells += len(variables), choice, values, *[self.places[v] for v in variables]
        return [*cells, 0] if cells else []


FIRST_DECISIONS = 64
FIRST_TRAIL = 1024


def bits_of(mask: int) -> list[int]:
    """The numbers of the bits that are 1, ascending."""
    return [k for k, bit in enumerate(reversed(bin(mask)[2:])) if bit == "1"]


def grow(search: Search, form: Form) -> Search:
    """A search with room for nogoods, or with twice the room for decisions, or for the trail,
    whichever is full."""
    S, T, M = search
    begin, end, trail, top = (
        int(M[k]) for k in (at.M_DECISIONS, at.M_DECISIONS_END, at.M_TRAIL, at.M_TRAIL_TOP)
    )
    moved: tuple[int, ...] = at.M_DECISIONS_END, at.M_TRAIL, at.M_TRAIL_TOP
    if M[at.M_FAILURES_LEFT] <= 0 and lacks_nogoods(M):
        place, more = begin, NOGOOD_CELLS
        moved = at.M_DECISIONS, at.M_NOGOOD_END, *moved
    elif begin + DECISION * (int(M[at.M_DEPTH]) + 1) > end:
        place, more = trail, end - begin
    else:
        place, more = top, int(M[at.M_TRAIL_END]) - trail
        moved = ()
    M = form.extend(M, more)
    M[place + more : top + more] = M[place:top]
    for k in (*moved, at.M_TRAIL_END):
        M[k] += more
    if moved:
        first = int(M[at.M_DECISIONS])
        for k in range(first, first + DECISION * int(M[at.M_DEPTH]), DECISION):
            M[k] += more  # the mark on the trail
    return Search(S, T, M)


def is_interval(domain: Sequence[int]) -> bool:
    """Whether a domain is kept without words."""
    return domain[-1] - domain[0] >= LONGEST_WITH_WORDS


def set_domain(S: list[Any], x: int, values: Sequence[int], form: Form) -> None:
    """Write the open values of variable ``x``, which ascend and are not none, into its record."""
    S[x], S[x + at.UPPER], S[x + at.SIZE] = values[0], values[-1], len(values)
    if S[x + LENGTH] == WORDS:
        S[x + at.SIZE] = values[-1] - values[0] + 1
        return
    bits, base = 0, int(S[x + at.BASE])
    if len(values) == values[-1] - values[0] + 1:
        bits = ((1 << len(values)) - 1) << (values[0] - base)
    else:
        for value in values:
            bits |= 1 << (value - base)
    full = (1 << form.word_bits) - 1
    for w in range(S[x + LENGTH] - WORDS):
        S[x + WORDS + w] = signed(bits >> w * form.word_bits & full, form)


def signed(word: int, form: Form) -> int:
    """A word as the integer that the arrays of a form take."""
    return word - (1 << 64) if form.word_bits == 64 and word >> 63 else word


class _Builder:
    """Lists that grow into the three arrays."""

    def __init__(self, draft: Draft, form: Form) -> None:
        self.draft = draft
        self.form = form
        self.S: list[Any] = [0]
        self.T: list[Any] = [0] * TABLE_HEAD
        self.M: list[Any] = [0] * form.memory_head
        self.places: list[int] = []
        self.rows: dict[Shared, int] = {}
        self.calls: dict[Propagate, Any] = {}
        self.cells = 0

    def record(self, cells: Sequence[int], header: int = RECORD_HEADER) -> int:
        """A record of S; its place."""
        self.S.extend([0] * header)
        place = len(self.S)
        self.S.extend(cells)
        self.S[place + LENGTH] = len(cells)
        self.cells += len(cells) + 1
        return place

    def memory(self, cells: Sequence[int]) -> int:
        """A region of M; where it begins."""
        place = len(self.M)
        self.M.extend(cells)
        return place

    def variables(self) -> None:
        """The records of all variables; those of one domain are alike but for their number."""
        form, bits = self.form, self.form.word_bits
        least = min((domain[0] for domain in self.draft.domains), default=0)
        known: dict[Any, list[Any]] = {}
        for number, domain in enumerate(watched(self.draft.domains)):
            is_short = type(domain) is tuple and len(domain) <= SHORT
            key = domain if is_short or isinstance(domain, range) else id(domain)
            start = len(self.S)
            if key in known:
                self.S.extend(known[key])
                x = start + form.variable_header
                self.cells += self.S[x + LENGTH] + 1
            else:
                base = least + (domain[0] - least) // bits * bits
                words = 0 if is_interval(domain) else (domain[-1] - base) // bits + 1
                x = self.record([0] * (WORDS + words), form.variable_header)
                self.S[x + at.BASE], self.S[x + at.WEIGHT] = base, 1
                set_domain(self.S, x, domain, form)
                known[key] = self.S[start:]
            self.S[x + NUMBER] = self.S[x + at.TIE] = number
            self.places.append(x)

    def shared(self, shared: Shared) -> int:
        """The row of T that propagators share; its place."""
        if shared not in self.rows:
            memory = self.memory(shared.memory)
            self.rows[shared] = len(self.T)
            self.T += [memory, *[self.places[v] for v in shared.variables], *shared.constants]
        return self.rows[shared]

    def propagator(self, posted: Posted) -> int:
        """The row of a propagator; its place."""
        T, M, scope = self.T, self.M, posted.scope
        row = 0 if posted.shared is None else self.shared(posted.shared)
        call = self.calls.get(posted.propagate)
        if call is None:
            call = self.calls[posted.propagate] = self.form.call(posted.propagate)
        if self.form.explain is not None:
            T += (int(posted.rests), self.form.explain(posted.propagate))
        a = len(T)
        T += (call, 0, posted.priority, len(M), int(posted.idempotent), len(scope))
        M += (1, 0, 0)
        T += [self.places[v] for v in scope]
        if posted.states:
            T += [self.record(state) for state in posted.states]
        if posted.scratch:
            T.append(self.memory(posted.scratch))
        if row:
            T.append(row)
        T += posted.constants
        return a

    def lists(
        self, rows: Sequence[Sequence[int]], field: int, before: Sequence[Any] | None = None
    ) -> None:
        """A row of T for each variable, where ``field`` of its header says: what lies ``before``
        it, if anything does, its length, its numbers."""
        S, T = self.S, self.T
        empty = len(T)
        T.append(0)
        for k, (x, row) in enumerate(zip(watched(self.places), rows, strict=True)):
            if before is not None:
                T.append(before[k])
            elif not row:
                S[x + field] = empty
                continue
            S[x + field] = len(T)
            T.append(len(row))
            T += row

    def near(self, found: Sequence[Any]) -> None:
        """What T has of each variable in place of its rivals and its groups."""
        start = len(self.T)
        self.T += found
        for k, x in enumerate(self.places):
            self.S[x + at.RIVALS] = start + k


def build(draft: Draft, form: Form, objective: Posted | None, declared: int) -> Arena:
    """The arrays of a draft, none of whose domains is empty.

    ``objective`` is the propagator of the objective's bound; the first ``declared`` variables are
    branched on before all others.
    """
    builder = _Builder(draft, form)
    builder.variables()
    S, T, M, places = builder.S, builder.T, builder.M, builder.places
    words = [S[x + LENGTH] - WORDS for x in places]
    laid_out = [
        one if type(one) is Posted else one(form.word_bits, words)  # type: ignore[operator]
        for one in watched(draft.propagators, every=64)
    ]
    posted = [*laid_out, *holes(draft.domains), *([objective] if objective else [])]
    numbers = [builder.propagator(one) for one in watched(posted)]
    watchers: list[list[int]] = [[] for _ in places]
    for a, one in zip(numbers, watched(posted), strict=True):
        for v, events in zip(one.scope, one.events, strict=True):
            row = watchers[v]
            row.append(a)
            row.append(events)
    _queues(T, M, builder, numbers)
    builder.lists(watchers, at.WATCHERS, form.watchers and form.watchers(T, watchers))
    rivals = [_placed(places, row) for row in watched(draft.rivals)]
    if form.neighbours is None:
        builder.lists(rivals, at.RIVALS)
        builder.lists(_groups(builder, draft.groups), at.GROUPS)
    else:
        builder.near(form.neighbours(S, places, rivals, draft.groups))
    T[at.T_VARIABLES] = len(T)
    T += places
    T[at.T_SIZE] = len(places)
    T[at.T_REPORTED] = draft.structure.size
    T[at.T_OBJECTIVE] = numbers[-1] if objective else 0
    _order(builder, declared)
    if draft.pairs:
        _orders(builder, objective)
    T[at.T_LEVEL_CELLS] = builder.cells
    T[at.T_FIXED_QUEUE] = builder.memory([0] * (len(places) + 1))
    M[at.M_STAMP] = 1
    S, T, M = [_array(form, cells) for cells in (S, T, M)]
    return Arena(form, S, T, M, tuple(places), tuple(draft.domains))


def _order(builder: _Builder, declared: int) -> None:
    """The lists of what is branched on first, and later; who is first among equals."""
    draft, places, T = builder.draft, builder.places, builder.T
    is_free = not draft.in_order and not draft.explains
    late = functions_of_sums(draft, declared) if is_free else set()
    first, rest = places[:declared], places[declared:]
    late |= {start for one in draft.pairs for start in (one.start, one.other_start)}
    if late:
        first = [places[v] for v in range(declared) if v not in late]
        rest = [places[v] for v in dict.fromkeys((*sorted(late), *range(declared, len(places))))]
    T[at.T_OPEN], T[at.T_AUXILIARY] = builder.memory(first), builder.memory(rest)
    T[at.T_OPEN_COUNTS] = builder.record([len(first), len(rest), len(draft.pairs)])
    for rank, v in enumerate(order_by_influence(draft) if is_free else ()):
        builder.S[places[v] + at.TIE] = rank


def _orders(builder: _Builder, objective: Posted | None) -> None:
    """The pairs of tasks that a search may put in order; and the objective, if it is one variable
    that is minimised."""
    places, S, T = builder.places, builder.S, builder.T
    T[at.T_ORDERS] = len(builder.M)
    for one in builder.draft.pairs:
        builder.M.append(len(T))
        T += [places[v] for v in one]
        S[places[one.before] + at.PHASE] = NO_PHASE
        for v in (one.start, one.other_start):
            S[places[v] + at.PHASE] = at.LEAST_ALWAYS
    if objective and len(objective.scope) == 1 and objective.constants[0] == 1:
        T[at.T_GOAL] = x = places[objective.scope[0]]
        S[x + at.PHASE] = at.LEAST_ALWAYS


def _array(form: Form, cells: list[Any]) -> Any:
    stop_if_over()
    return form.array(cells)


def holes(domains: Sequence[Sequence[int]]) -> list[Posted]:
    """The propagators that keep intervals within domains that have holes."""
    return [
        Posted(
            member.within_runs, (v,), (BOUNDS,), member.runs_of(domain), priority=0, idempotent=True
        )
        for v, domain in enumerate(domains)
        if is_interval(domain) and len(domain) != domain[-1] - domain[0] + 1
    ]


def _placed(places: Sequence[int], pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Pairs of a variable and a shift in a row, with the places of the variables."""
    row = list(chain.from_iterable(pairs))
    if row:
        row[::2] = [places[v] for v in row[::2]]
    return row


def _groups(builder: _Builder, groups: Sequence[Sequence[tuple[int, int]]]) -> list[list[int]]:
    """A row of T for each group; for each variable the pairs of a group and its shift there."""
    of_variables: list[list[int]] = [[] for _ in builder.places]
    for group in watched(groups):
        row = len(builder.T)
        builder.T.append(2 * len(group))
        builder.T += _placed(builder.places, group)
        for v, shift in group:
            mine = of_variables[v]
            mine.append(row)
            mine.append(shift)
    return of_variables


def _queues(T: list[Any], M: list[Any], builder: _Builder, numbers: Sequence[int]) -> None:
    """Three rings, in which every propagator waits."""
    capacity = 1 << max(1, len(numbers)).bit_length()
    T[at.T_QUEUES], T[at.T_QUEUE_MASK] = len(M), capacity - 1
    rings: list[list[int]] = [[], [], []]
    for a in numbers:
        rings[T[a + at.PRIORITY]].append(a)
    for priority, ring in enumerate(rings):
        M[at.M_HEADS + 2 * priority + 1] = len(ring)
        M += ring
        M += [0] * (capacity - len(ring))
