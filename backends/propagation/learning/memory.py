"""The memory of a search that learns: what it has beyond that of the kernel, and how it grows.

After the cells that a structure fixes come regions whose room may be too small: decisions, trail,
facts, explanations, clauses. They grow where no decision is taken, when only clauses are in use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from backends.propagation.encode.arena import Arena, Form, Search, Settings
from backends.propagation.kernel import facts as of
from backends.propagation.kernel import layout as at
from backends.propagation.kernel.facts import FACT
from backends.propagation.learning.activity import FIRST_STEP
from backends.propagation.learning.analyse import DEEPEST, FRAME
from backends.propagation.learning.layout import FIRST_CLAUSE, FIRST_LIST_ROOM, LIST_ENTRIES
from backends.propagation.learning.search import LINEAR, LUBY_UNIT

FIRST_MOST_LEARNED = 2000
"""Learned clauses before some are forgotten."""
LIST_CELLS = LIST_ENTRIES + FIRST_LIST_ROOM
FIRST_ROOM = 1 << 14
"""What there is room for to begin with, of decisions and of facts, and more cells of clauses."""


Literal = tuple[int, int]
"""Slot and value, where the slot's variable is a number of the draft."""


class Aims(NamedTuple):
    """What is decided first where an objective is to be least: a rule of ``search``, and the slots
    that make it less, where a slot's variable is a number of the draft."""

    rule: int
    slots: Sequence[int]


NO_AIMS = Aims(LINEAR, ())


@dataclass(frozen=True)
class Room:
    """How many decisions, cells of the trail, facts and cells of clauses fit; ``longest`` cells is
    an explanation by a propagator at most; ``lists`` are cells that all lists take at least."""

    decisions: int
    trail: int
    facts: int
    clauses: int
    longest: int
    lists: int

    def doubled(self, is_clauses: bool) -> Room:
        """Twice the room for clauses, or for all else."""
        if is_clauses:
            return replace(self, clauses=2 * self.clauses)
        return replace(
            self, decisions=2 * self.decisions, trail=2 * self.trail, facts=2 * self.facts
        )


def begin_memory(
    arena: Arena,
    S: Any,
    clauses: Sequence[Sequence[Literal]],
    settings: Settings,
    aims: Aims = NO_AIMS,
) -> tuple[Any, Room]:
    """M for one search from the domains in S, and its room; headers of S are filled."""
    M = [int(cell) for cell in arena.M]
    longest = longest_explanation(arena)
    of_values = truths_of_values(arena, clauses)
    for number, (x, domain) in enumerate(zip(arena.places, arena.domains, strict=True)):
        S[x + of.TIER] = int(len(domain) > 2 or number in of_values)
        if S[x + at.LENGTH] != at.WORDS:
            S[x + of.REMOVALS] = len(M) - domain[0]
            M += [0] * (domain[-1] - domain[0] + 1)
    M[of.M_HEAP] = len(M)
    M += [0] * (len(arena.places) + 1)
    M[at.M_SOLUTIONS], M[at.M_SOLUTION_ROOM] = len(M), settings.solutions
    M += [0] * (settings.solutions * arena.T[at.T_REPORTED])
    M[at.M_BOUND] = settings.bound
    M[of.M_AIM_RULE], M[of.M_AIMS] = aims.rule, len(M)
    M += [len(aims.slots), *[located(arena, slot) for slot in aims.slots]]
    M[of.M_STEP], M[of.M_NEXT_RESTART] = FIRST_STEP, LUBY_UNIT
    M[of.M_MOST_LEARNED], M[of.M_LONGEST] = FIRST_MOST_LEARNED, longest
    cells = [0] * FIRST_CLAUSE
    for clause in clauses:
        cells += [len(clause), 0]
        for slot, value in clause:
            cells += [located(arena, slot), value]
    level = int(arena.T[at.T_LEVEL_CELLS])
    room = Room(
        decisions=FIRST_ROOM,
        trail=4 * level + FIRST_ROOM,
        facts=4 * len(arena.places) + FIRST_ROOM,
        clauses=2 * len(cells) + 8 * FIRST_ROOM,
        longest=longest,
        lists=4 * LIST_CELLS * len(arena.places),
    )
    M[at.M_DECISIONS] = len(M)
    return with_regions(arena.form, M, room, cells), room


def truths_of_values(arena: Arena, clauses: Sequence[Sequence[Literal]]) -> set[int]:
    """The variables of two values that depend on whether another variable has a value: to decide
    the other one, which decides many of these, is as good. An order of tasks is none of them."""
    return {
        truth >> 2
        for clause in clauses
        if len(clause) == 2
        for (truth, _), (slot, _) in (clause, clause[::-1])
        if slot & of.WITHOUT
        and len(arena.domains[truth >> 2]) == 2
        and len(arena.domains[slot >> 2]) > 2
    }


def located(arena: Arena, slot: int) -> int:
    """A slot of a variable of the draft, by the place of the variable."""
    return 4 * arena.places[slot >> 2] + (slot & of.EXACTLY)


def longest_explanation(arena: Arena) -> int:
    """The most cells that an explanation takes, but for clauses: all that is known of all
    variables."""
    spans = [
        domain[-1] - domain[0]
        for x, domain in zip(arena.places, arena.domains, strict=True)
        if arena.S[x + at.LENGTH] != at.WORDS
    ]
    return 2 * sum(spans) + 12 * len(arena.places) + 8


def with_regions(form: Form, head: list[int], room: Room, clauses: Sequence[int]) -> Any:
    """M: the cells before the decisions, then all regions; clauses are copied."""
    size = len(head)

    def region(begin: int, cells: int, end: int = of.M_UNUSED) -> None:
        nonlocal size
        head[begin] = size
        size += cells
        head[end] = size

    region(at.M_DECISIONS, at.DECISION * room.decisions, at.M_DECISIONS_END)
    region(at.M_TRAIL, room.trail, at.M_TRAIL_END)
    head[at.M_TRAIL_TOP] = head[at.M_TRAIL]
    region(of.M_FACTS, FACT * room.facts)
    head[of.M_FACT_ROOM], head[of.M_FACT_TOP], head[of.M_FACT_HEAD] = room.facts, 1, 1
    region(of.M_OUT, 4 * room.facts + 3 * room.longest, of.M_OUT_END)
    region(of.M_PENDING, room.facts + 1)
    region(of.M_STACK, room.facts + FRAME * (DEEPEST + 1))
    region(of.M_LEVELS, room.decisions + 1)
    region(of.M_CLAUSES, room.clauses)
    region(of.M_LISTS, 4 * room.clauses + room.lists, of.M_LIST_END)
    head[of.M_LIST_TOP] = head[of.M_LISTS]
    head[of.M_CLAUSE_END], head[of.M_CLAUSE_TOP] = room.clauses, len(clauses)
    M = form.blank(size)
    M[: len(head)] = head
    begin = head[of.M_CLAUSES]
    M[begin : begin + len(clauses)] = clauses
    return M


def enlarge(search: Search, form: Form, room: Room) -> tuple[Search, Room]:
    """A search, without a decision, that has twice the room where it may have lacked it."""
    S, T, M = search
    M[at.M_ASK] = 0  # a function, where the search is interpreted
    begin, size = int(M[of.M_CLAUSES]), int(M[of.M_CLAUSE_TOP])
    # A clause of all facts must fit, or the search would ask for room again and again.
    room = room.doubled(2 * size + 4 * room.facts > room.clauses)
    head = [int(cell) for cell in M[: int(M[at.M_DECISIONS])]]
    return Search(S, T, with_regions(form, head, room, M[begin : begin + size])), room
