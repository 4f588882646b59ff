"""What conflict learning is checked for, against the definitions of the constraints.

*   A fact follows from its explanation: no assignment that satisfies the constraints has all that
    the explanation says and lacks the fact.
*   A learned clause holds in every solution.
*   The solutions, and the best value of an objective, are those of the definition.
*   The interpreted and the compiled form learn the same clauses, at the same nodes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from backends.interface.handlers import post
from backends.propagation.encode.arena import Arena, Form, Search, Settings, build
from backends.propagation.encode.draft import begin
from backends.propagation.kernel import facts as of
from backends.propagation.kernel import layout as at
from backends.propagation.kernel.search import EXHAUSTED, GROW, PAUSED
from backends.propagation.learning.clauses import is_false, is_true
from backends.propagation.learning.layout import (
    CLAUSE_LBD,
    CLAUSE_LITERALS,
    CLAUSE_SIZE,
    FIRST_CLAUSE,
)
from backends.propagation.learning.memory import Room, begin_memory, enlarge
from backends.propagation.learning.reasons import explain_fact
from backends.propagation.learning.solver import HANDLERS
from backends.propagation.solver import bound_of
from modelling.problem import Problem
from tests.backends.propagation.propagator_checks import Values, open_values, solutions_of

Literal = tuple[int, int, int]
"""The number of a variable, how it is compared, and a value."""


class Begun(NamedTuple):
    """A search before its first node."""

    arena: Arena
    search: Search
    room: Room


def begun(problem: Problem, form: Form, solutions: int = 10_000) -> Begun | None:
    """The arrays of a search; None where a constant is violated."""
    structure = replace(problem.structure, domains=tuple(open_values(problem)))
    draft = begin(structure, explains=True)
    post(HANDLERS, draft, problem.structure, "propagation:learning")
    if not draft.possible:
        return None
    objective = problem.structure.objective
    bound = None if objective is None else bound_of(objective)
    arena = build(draft, form, bound, problem.structure.size)
    S = arena.S.copy()
    M, room = begin_memory(arena, S, draft.clauses, Settings(solutions=solutions))
    return Begun(arena, Search(S, arena.T, M), room)


def searched(
    problem: Problem, form: Form, nodes: int = 50
) -> Iterator[tuple[Begun, list[Values], int]]:
    """After each slice of a search: its arrays, its new solutions, and why it ended."""
    found = begun(problem, form)
    while found is not None:
        S, T, M = found.search
        why = form.search(S, T, M, nodes)
        rows, width = [], T[at.T_REPORTED]
        for k in range(M[at.M_SOLUTION_COUNT]):
            place = M[at.M_SOLUTIONS] + k * width
            rows.append(tuple(int(v) for v in M[place : place + width]))
        M[at.M_SOLUTION_COUNT] = 0
        if why == GROW:
            found = Begun(found.arena, *enlarge(found.search, form, found.room))
        yield found, rows, why
        if why == EXHAUSTED:
            return


def holds(row: Sequence[int], literal: Literal) -> bool:
    """Whether a literal is true of an assignment."""
    variable, kind, value = literal
    x = row[variable]
    return (x >= value, -x >= value, x != value, x == value)[kind]


def literal_of(arena: Arena, slot: int, value: int) -> Literal:
    """A literal by the number of its variable."""
    return arena.places.index(slot >> 2), int(slot & of.EXACTLY), int(value)


def learned(begun: Begun) -> list[tuple[Literal, ...]]:
    """The clauses of a search that a conflict has given."""
    M = begun.search.M
    base, c, found = M[of.M_CLAUSES], FIRST_CLAUSE, []
    while c < M[of.M_CLAUSE_TOP]:
        size, begin = M[base + c + CLAUSE_SIZE], base + c + CLAUSE_LITERALS
        if M[base + c + CLAUSE_LBD] > 0:
            pairs = [(M[k], M[k + 1]) for k in range(begin, begin + 2 * size, 2)]
            found.append(tuple(literal_of(begun.arena, *pair) for pair in pairs))
        c += CLAUSE_LITERALS + 2 * size
    return found


def check_facts(begun: Begun, rows: Sequence[Values], what: str) -> int:
    """Check the explanation of each fact of a search that pauses; how many were checked.

    A bound is explained as it is, and as the least that was new. ``rows`` are the solutions that
    have not been found: what has been found is excluded.
    """
    S, T, M = begun.search
    checked = 0
    for i in range(1, M[of.M_FACT_TOP]):
        f = M[of.M_FACTS] + of.FACT * i
        if M[f + of.REASON] == of.DECISION:
            continue
        slot, value = M[f + of.SLOT], M[f + of.VALUE]
        needs = {value} if slot & of.WITHOUT else {value, M[f + of.FORMER] + 1}
        for need in needs:
            out = M[of.M_OUT]
            n = explain_fact(S, T, M, i, need, out)
            premises = []
            for k in range(out, out + 2 * n, 2):
                assert 0 < M[k] < i, f"{what}: fact {i} is explained by fact {M[k]}"
                of_fact = M[M[of.M_FACTS] + of.FACT * M[k] + of.SLOT]
                known = M[M[of.M_FACTS] + of.FACT * M[k] + of.VALUE]
                assert M[k + 1] <= known, f"{what}: fact {M[k]} does not say so much"
                premises.append(literal_of(begun.arena, of_fact, M[k + 1]))
            conclusion = literal_of(begun.arena, slot, need)
            if not all(is_declared(begun, one) for one in (*premises, conclusion)):
                continue
            for row in rows:
                if all(holds(row, one) for one in premises):
                    assert holds(row, conclusion), f"{what}: {premises} do not imply {conclusion}"
            checked += 1
    return checked


def is_declared(begun: Begun, literal: Literal) -> bool:
    """Whether a literal is over a variable of the problem."""
    return literal[0] < begun.search.T[at.T_REPORTED]


def check_learning(problem: Problem, form: Form, what: str) -> int:
    """Check facts, clauses and solutions of the search for all solutions of a problem; what has
    further variables is left out."""
    rows = solutions_of(problem)
    found: list[Values] = []
    checked = 0
    for begun_, new, why in searched(problem, form, nodes=3):
        found += new
        left = [row for row in rows if row not in found]
        if why == PAUSED:
            checked += check_facts(begun_, left, what)
            check_clauses(begun_, what)
        for clause in learned(begun_):
            if not all(is_declared(begun_, one) for one in clause):
                continue
            for row in left:
                assert any(holds(row, one) for one in clause), f"{what}: {clause}, {row}"
    assert sorted(found) == sorted(rows), what
    return checked


def check_clauses(begun: Begun, what: str) -> None:
    """Check that at a fixed point no clause is false or has one literal that is open."""
    S, _, M = begun.search
    base, c = M[of.M_CLAUSES], FIRST_CLAUSE
    while c < M[of.M_CLAUSE_TOP]:
        size, first = M[base + c + CLAUSE_SIZE], base + c + CLAUSE_LITERALS
        pairs = [(M[k], M[k + 1]) for k in range(first, first + 2 * size, 2)]
        left = [pair for pair in pairs if not is_false(S, *pair)]
        is_settled = len(left) > 1 or any(is_true(S, *pair) for pair in left)
        assert is_settled, f"{what}: {pairs} has not been propagated"
        c += CLAUSE_LITERALS + 2 * size


def trace(problem: Problem, form: Form) -> list[Any]:
    """What a search does, slice by slice: counters, clauses and solutions."""
    counters = (at.M_NODES, at.M_FAILURES, at.M_PROPAGATIONS, at.M_RESTARTS, of.M_FACT_TOP)
    return [
        ([int(found.search.M[k]) for k in counters], learned(found), rows, why)
        for found, rows, why in searched(problem, form)
    ]
