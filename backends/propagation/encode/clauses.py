"""Clauses: all those of a draft are laid out together, and each variable gets a propagator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from backends.interface.handlers import Handler, Handlers
from backends.propagation.encode.draft import Draft, Posted, Shared, post_linear
from backends.propagation.kernel.facts import EXACTLY, LEAST, MOST, WITHOUT
from backends.propagation.kernel.layout import DOMAIN, FIXED
from backends.propagation.propagators.formulas.clauses import (
    AT_LEAST,
    AT_MOST,
    EQUAL,
    NOT_EQUAL,
    visit,
)
from modelling.constraints import Clauses, Linear, Or
from modelling.stopping import watched
from modelling.terms import Affine, Term, affine

Literal = tuple[int, int, int]
"""A variable, a kind and a value."""

RELATIONS = {EQUAL: "==", NOT_EQUAL: "!=", AT_MOST: "<=", AT_LEAST: ">="}
SLOTS = {EQUAL: EXACTLY, NOT_EQUAL: WITHOUT, AT_MOST: MOST, AT_LEAST: LEAST}
OPPOSITES = {EQUAL: NOT_EQUAL, NOT_EQUAL: EQUAL}


def literal_of(term: Term, relation: str, constant: int) -> Literal | bool:
    """``factor * variable + offset relation constant`` as a literal, or its truth value."""
    variable, factor, offset = affine(term)
    bound = constant - offset
    if relation in ("<", ">"):
        bound, relation = (bound - 1, "<=") if relation == "<" else (bound + 1, ">=")
    if variable is None:
        return {
            "==": bound == 0,
            "!=": bound != 0,
            "<=": bound >= 0,
            ">=": bound <= 0,
        }[relation]
    if relation in ("==", "!="):
        if bound % factor:
            return relation == "!="
        return variable, EQUAL if relation == "==" else NOT_EQUAL, bound // factor
    if relation == ">=":
        factor, bound = -factor, -bound
    if factor > 0:
        return variable, AT_MOST, bound // factor
    return variable, AT_LEAST, -(bound // -factor)


def post_clause(draft: Draft, literals: Iterable[Literal | bool]) -> None:
    """At least one literal holds."""
    kept: dict[Literal, None] = {}
    for literal in literals:
        if literal is True:
            return
        if literal is not False:
            x, kind, value = literal
            if kind in OPPOSITES and (x, OPPOSITES[kind], value) in kept:
                return
            kept[literal] = None
    if not kept:
        draft.possible = False
    elif len(kept) == 1:
        ((x, kind, value),) = kept
        post_linear(draft, RELATIONS[kind], [(x, 1)], value)
    elif draft.explains:
        learn_from(draft, kept)
    else:
        keep_clause(draft, tuple(kept))


def post_distinct(draft: Draft, literals: Sequence[Literal]) -> None:
    """``post_clause`` of literals over as many variables."""
    if len(literals) < 2 or draft.explains:
        post_clause(draft, literals)
    else:
        keep_clause(draft, literals)


def keep_clause(draft: Draft, literals: Sequence[Literal]) -> None:
    """Lay out a clause of distinct literals, two at least, with all others."""
    keep_clauses(draft, [x for x, _, _ in literals], [literals])


def keep_clauses(draft: Draft, scope: Iterable[int], clauses: Iterable[Sequence[Literal]]) -> None:
    """Lay out clauses of distinct literals over all variables of ``scope``, two at least."""
    store: ClauseStore = draft.once("clauses", ClauseStore)
    store.clauses += clauses
    for x in scope:
        if x not in store.visited:
            store.visited.add(x)
            post_visit(draft, store, x)


def learn_from(draft: Draft, literals: Iterable[Literal]) -> None:
    """A clause for a solver that learns, over the slots of ``kernel.facts``."""
    clause: list[tuple[int, int]] = []
    for x, kind, value in literals:
        if kind in OPPOSITES and value not in draft.domains[x]:
            if kind == NOT_EQUAL:
                return
            continue
        clause.append((4 * x + SLOTS[kind], -value if kind == AT_MOST else value))
    if clause:
        draft.clauses.append(clause)
    else:
        draft.possible = False


@dataclass
class ClauseStore:
    """All clauses of a draft, each of distinct literals, two at least."""

    clauses: list[Sequence[Literal]] = field(default_factory=list)
    visited: set[int] = field(default_factory=set)

    @cached_property
    def literals(self) -> dict[Literal, int]:
        """The number of each literal; those of a variable follow each other."""
        found = sorted(set(chain.from_iterable(self.clauses)))
        return {literal: number for number, literal in enumerate(found)}

    @cached_property
    def ranges(self) -> dict[int, tuple[int, int]]:
        """For each variable the first of its literals, and the end of them."""
        found: dict[int, tuple[int, int]] = {}
        for (x, _, _), number in self.literals.items():
            first, _ = found.get(x, (number, number))
            found[x] = first, number + 1
        return found

    @cached_property
    def shared(self) -> Shared:
        """The arguments that the propagators of all variables share."""
        numbers = self.literals
        number_of = numbers.__getitem__
        memory = [0] * (len(numbers) + 2 - len(numbers) % 2)  # 0 ends a list of watches
        place = len(memory)
        for clause in watched(self.clauses):
            row = list(map(number_of, clause))
            first, second = row[0], row[1]
            memory += memory[first], memory[second], len(row)
            memory += row
            memory[first], memory[second] = place, place + 1
            place += 3 + len(row)
            if place % 2:
                memory.append(0)
                place += 1
        constants = [number for _, kind, value in numbers for number in (kind, value)]
        return Shared([x for x, _, _ in numbers], constants, memory)


def post_visit(draft: Draft, store: ClauseStore, x: int) -> None:
    """The propagator of a variable that clauses name."""

    def lay_out(word_bits: int, words: Sequence[int]) -> Posted:
        two_valued = len(draft.domains[x]) <= 2
        constants = (len(store.literals), *store.ranges[x])
        events = FIXED if two_valued else DOMAIN
        return Posted(visit, (x,), (events,), constants, priority=0, shared=store.shared)

    draft.post(lay_out)


def post_clauses(draft: Draft, constraint: Clauses) -> None:
    """Literals of terms that are true where they are not 0."""
    for clause in constraint.literals:
        literals = [(constraint.terms[abs(k) - 1], "!=" if k > 0 else "==") for k in clause]
        post_clause(draft, [literal_of(term, relation, 0) for term, relation in literals])


def post_or(draft: Draft, constraint: Or) -> None:
    """Comparisons of one term with a constant, or truth values."""
    post_clause(draft, map(literal_of_part, constraint.formulas))


def literal_of_part(part: Linear) -> Literal | bool:
    """A comparison of one variable as a literal."""
    ((term, coefficient),) = zip(part.terms, part.coefficients, strict=True)
    variable, factor, offset = affine(term)
    scaled = Affine(variable, coefficient * factor, coefficient * offset)
    return literal_of(scaled, part.relation, part.constant)


def is_clause(constraint: Or, variables: object) -> bool:
    """Whether each part compares one affine term with a constant."""
    return all(
        type(part) is Linear and len(part.terms) == 1 and not part.parts()
        for part in constraint.formulas
    )


HANDLERS: Handlers = {
    Clauses: Handler(post_clauses, arguments="affine"),
    Or: Handler(post_or, arguments="nested", when=is_clause),
}
