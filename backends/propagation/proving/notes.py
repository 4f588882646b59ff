"""The lines of a proof, as the search that learns finds what they say.

An inference is what an explanation says, and by which constraint; where no decision is taken it
needs no premises, since the checker knows as much. A nogood is a learned clause, and the lines that
show it. Views are replaced by their variables. Lines that nothing needs are left out in the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from backends.propagation.encode.arena import Arena
from backends.propagation.kernel import facts
from backends.propagation.kernel import facts as of
from backends.propagation.kernel import layout as at
from backends.propagation.kernel.facts import EXACTLY, LEAST, MOST, WITHOUT
from backends.propagation.learning import clauses
from backends.propagation.learning.layout import CLAUSE_LITERALS, CLAUSE_SIZE, FIRST_CLAUSE
from backends.propagation.proving.draft import DOMAINS, NotedDraft

bound_at: Any = facts.bound_at
is_false: Any = clauses.is_false
OBJECTIVE = "o"
MOST_NOTED = 200_000_000
"""Characters of lines that are kept; a longer proof is given up."""
RELATIONS = {LEAST: ">=", MOST: "<=", WITHOUT: "!=", EXACTLY: "=="}
OPPOSITES = {">=": ("<=", -1), "<=": (">=", 1), "==": ("!=", 0), "!=": ("==", 0)}


class Literal(NamedTuple):
    """A variable by its number, a relation and a value."""

    variable: int
    relation: str
    value: int

    def __str__(self) -> str:
        return f"x{self.variable}{self.relation}{self.value}"

    def opposite(self) -> Literal:
        """What is true where this is false."""
        relation, shift = OPPOSITES[self.relation]
        return Literal(self.variable, relation, self.value + shift)


class Line(NamedTuple):
    """A line, its name (none for a bound), the lines that it needs, and whether it is always kept,
    since it narrows a domain for good."""

    text: str
    name: str
    uses: Sequence[str] = ()
    is_kept: bool = True


class Kept(NamedTuple):
    """A clause as the search has it: its name in the proof, its slots and values."""

    name: str
    literals: Sequence[tuple[int, int]]


class Notes:
    """What is noted of one search; ``missing`` says why it has no proof."""

    def __init__(self, draft: NotedDraft, arena: Arena, M: Any) -> None:
        self.draft = draft
        self.missing = ""
        self.noted = 0
        self.lines: list[Line] = []
        self.names: dict[tuple[Literal, ...], str] = {}
        self.numbers = {x: number for number, x in enumerate(arena.places)}
        self.constants = {
            number: int(domain[0])
            for number, domain in enumerate(draft.domains)
            if draft.known.get(("constant", domain[0])) == number
        }
        self.rows = self._sources_of_rows(arena)
        self.groups: dict[int, list[tuple[int, int]]] = {}
        for g, group in enumerate(draft.groups):
            for variable, shift in group:
                self.groups.setdefault(variable, []).append((g, shift))
        self.hints: list[tuple[int, str]] = []
        self.renewed: list[Kept] = []
        self.clauses: dict[int, str] = {}
        self._begin_clauses(M)

    def _sources_of_rows(self, arena: Arena) -> dict[int, str]:
        """The source of each propagator by its place: they were laid out as they were posted, then
        those of the domains, then the objective."""
        T, M = arena.T, arena.M
        capacity = T[at.T_QUEUE_MASK] + 1
        rows = []
        for priority in range(3):
            first = T[at.T_QUEUES] + priority * capacity
            rows += M[first : first + M[at.M_HEADS + 2 * priority + 1]]
        found = {a: self.draft.sources.get(k, DOMAINS) for k, a in enumerate(sorted(rows))}
        if T[at.T_OBJECTIVE]:
            found[T[at.T_OBJECTIVE]] = OBJECTIVE
        return found

    def _begin_clauses(self, M: Any) -> None:
        """Infer each clause of the draft from its source."""
        sources = self.draft.clause_sources
        for source, (place, pairs) in zip(sources, clauses_of(M), strict=True):
            literals = self._clause(pairs)
            if literals is None:
                self.clauses[place] = ""  # it is true
                continue
            if source_text(literals) == self.draft.constraints.get(source):
                self.clauses[place] = source
                continue
            premises = [literal.opposite() for literal in literals[:-1]]
            conclusion = literals[-1] if literals else None
            self.clauses[place] = self._infer(source, premises, conclusion)

    # --- literals ---

    def literal(self, slot: int, value: int) -> Literal | bool:
        """A literal of the search over a variable other than a view, or its truth value."""
        number, kind = self.numbers[slot >> 2], slot & 3
        relation, value = RELATIONS[kind], int(-value if kind == MOST else value)
        if number in self.constants:
            return holds(self.constants[number], relation, value)
        if number not in self.draft.views:
            return Literal(number, relation, value)
        variable, factor, offset = self.draft.views[number]
        value -= offset
        if kind in (WITHOUT, EXACTLY):
            if value % factor:
                return kind == WITHOUT
            return Literal(variable, relation, value // factor)
        if (kind == LEAST) == (factor > 0):
            return Literal(variable, ">=", -(-value // factor))
        return Literal(variable, "<=", value // factor)

    def _clause(self, pairs: Sequence[tuple[int, int]]) -> tuple[Literal, ...] | None:
        """The literals of a clause, each once; None if one is always true."""
        found: dict[Literal, None] = {}
        for pair in pairs:
            literal = self.literal(*pair)
            if literal is True:
                return None
            if literal is not False:
                found[literal] = None
        return tuple(found)

    # --- lines ---

    def _name(self) -> str:
        return str(len(self.lines) + 1)

    def _infer(self, source: str, premises: Sequence[Literal], conclusion: Literal | None) -> str:
        """The name of an inference, which is new or known."""
        last = () if conclusion is None else (conclusion,)
        key = tuple(sorted([*[p.opposite() for p in premises], *last]))
        if key in self.names:
            return self.names[key]
        name = self.names[key] = self._name()
        words = ["i", name, source, *map(str, premises), ">", *map(str, last)]
        self._add(Line(" ".join(words), name, (), len(key) < 2))
        return name

    def _nogood(self, literals: Sequence[Literal], hints: Sequence[str]) -> str:
        name = self._name()
        words = ["n", name, *map(str, literals), ":", *hints]
        self._add(Line(" ".join(words), name, hints, len(literals) < 2))
        return name

    def _add(self, line: Line) -> None:
        """Keep a line, or give up all of them."""
        self.lines.append(line)
        self.noted += len(line.text)
        if self.noted > MOST_NOTED:
            self.give_up(f"its proof is longer than {MOST_NOTED:,} characters")

    def give_up(self, why: str) -> None:
        """Forget the proof."""
        self.missing = why
        for kept in (self.lines, self.names, self.hints, self.renewed, self.clauses):
            kept.clear()

    def bound(self, bound: int) -> None:
        """From here on the objective is at most this."""
        if not self.missing:
            self._add(Line(f"{OBJECTIVE} {bound}", ""))

    def text(self) -> str:
        """The proof, without lines that nothing needs."""
        needed: set[str] = set()
        kept = []
        for line in reversed(self.lines):
            if line.is_kept or line.name in needed:
                needed.update(line.uses)
                kept.append(line.text)
        return "\n".join(reversed(kept))

    # --- what the search does ---

    def explained(
        self,
        S: Any,
        M: Any,
        reason: int,
        failed: tuple[int, int],
        place: int,
        pairs: Sequence[tuple[int, int]],
    ) -> None:
        """Pairs of slot and value explain why ``reason`` makes a literal true, before ``place``."""
        kind, number = reason & of.KIND, reason >> of.NUMBER_SHIFT
        if kind == of.CLAUSE:
            self._hint(place, self.clauses.get(number & -2, ""))
            return
        premises = []
        for pair in pairs:
            literal = self.literal(*pair)
            if literal is not True and literal not in premises:
                assert literal is not False
                premises.append(literal)
        conclusion = self.literal(*failed) if failed[0] else False
        if conclusion is True or conclusion in premises:
            return
        source = self._source(S, M, reason, failed, place)
        self._hint(place, self._infer(source, premises, conclusion or None))

    def _hint(self, place: int, name: str) -> None:
        if name:
            self.hints.append((place, name))

    def _source(self, S: Any, M: Any, reason: int, failed: tuple[int, int], place: int) -> str:
        """The constraint behind a reason."""
        number = reason >> of.NUMBER_SHIFT
        if reason & of.KIND == of.PROPAGATOR:
            return self.rows[number]
        x, y = self.numbers[number], self.numbers[failed[0] >> 2]
        shift = failed[1] - bound_at(S, M, 4 * number, place)
        if (x, y, shift) in self.draft.rival_sources:
            return self.draft.rival_sources[x, y, shift]
        for g, own in self.groups[x]:
            for h, other in self.groups[y]:
                if g == h and own - other == shift:
                    return self.draft.group_sources[g]
        return DOMAINS

    def learned(self, c: int, pairs: Sequence[tuple[int, int]]) -> None:
        """A conflict gives the clause at place ``c``: the hints show it, the earliest first."""
        hints = dict.fromkeys([name for _, name in sorted(self.hints, key=lambda hint: hint[0])])
        literals = self._clause(pairs)
        self.clauses[c] = "" if literals is None else self._nogood(literals, tuple(hints))

    def changed(self, S: Any, M: Any, literal: tuple[int, int], reason: int) -> None:
        """A literal has become true where no decision is taken."""
        kind = reason & of.KIND
        if kind == of.SKIPPED:
            return
        found = self.literal(*literal)
        if found is True:
            return
        conclusion = None if found is False else found
        if self.renewed:
            self._nogood(_some(conclusion), self._find_units(S, literal[0] >> 2))
        elif kind == of.CLAUSE:
            name = self.clauses.get((reason >> of.NUMBER_SHIFT) & -2, "")
            self._nogood(_some(conclusion), (name,))
        else:
            self._infer(self._source(S, M, reason, literal, 1), (), conclusion)

    def _find_units(self, S: Any, x: int) -> list[str]:
        """The clauses whose literals are false, but for one of variable ``x``."""
        found = []
        for name, pairs in self.renewed:
            left = [pair for pair in pairs if not is_false(S, *pair)]
            if not left or (len(left) == 1 and left[0][0] >> 2 == x):
                found.append(name)
        return found

    def failed(self, S: Any, M: Any) -> None:
        """Propagation fails where no decision is taken."""
        literal = int(M[of.M_FAILED_SLOT]), int(M[of.M_FAILED_VALUE])
        reason = M[of.M_REASON]
        if reason & of.KIND == of.CLAUSE:
            self._nogood((), (self.clauses.get((reason >> of.NUMBER_SHIFT) & -2, ""),))
            return
        found = self.literal(*literal) if literal[0] else False
        assert found is not True
        conclusion = None if found is False else found
        self._infer(self._source(S, M, reason, literal, 1), (), conclusion)

    # --- clauses that move ---

    def begin_renewal(self, M: Any) -> None:
        """The clauses are about to be written anew."""
        self.renewed = [Kept(self.clauses[place], pairs) for place, pairs in clauses_of(M)]

    def end_renewal(self, S: Any, M: Any, consistent: bool) -> None:
        """The clauses have been written anew, in the same order and without false literals."""
        if not consistent:
            self._nogood((), self._find_units(S, 0))
            return
        self.clauses = {}
        before = iter(self.renewed)
        for place, pairs in clauses_of(M):
            kept = set(pairs)
            for name, old in before:
                if kept <= set(old) and all(pair in kept or is_false(S, *pair) for pair in old):
                    self.clauses[place] = name
                    break
        self.renewed = []


def clauses_of(M: Any) -> list[tuple[int, list[tuple[int, int]]]]:
    """The place of each clause in memory, and its slots and values."""
    base, c, found = M[of.M_CLAUSES], FIRST_CLAUSE, []
    while c < M[of.M_CLAUSE_TOP]:
        first = base + c + CLAUSE_LITERALS
        size = M[base + c + CLAUSE_SIZE]
        found.append((c, [(M[k], M[k + 1]) for k in range(first, first + 2 * size, 2)]))
        c += CLAUSE_LITERALS + 2 * size
    return found


def _some(literal: Literal | None) -> tuple[Literal, ...]:
    return () if literal is None else (literal,)


def source_text(literals: Sequence[Literal]) -> str:
    """A clause as a constraint of the model."""
    return " ".join(["clause", *map(str, literals)])


def holds(value: int, relation: str, bound: int) -> bool:
    """Whether a literal is true of a value."""
    if relation in ("==", "!="):
        return (value == bound) == (relation == "==")
    return value >= bound if relation == ">=" else value <= bound
