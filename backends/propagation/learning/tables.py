"""Tables as clauses, where the solver learns.

A row of an allowed table is a truth value, that its values are taken; a value is in one of the rows
that have it, so that unit propagation keeps exactly the values that are in a row whose other
values are open (the support encoding: Bacchus, *GAC via unit propagation*, CP 2007). A row that is
forbidden is one clause. A table of more rows has the propagator, and its explanations.
"""

from __future__ import annotations

from collections.abc import Sequence

from backends.interface.handlers import Condition, Handler, Handlers
from backends.propagation.encode import extension
from backends.propagation.encode.arena import is_interval
from backends.propagation.kernel.facts import EXACTLY, LEAST, WITHOUT
from backends.propagation.learning.draft import LearningDraft, Literal
from modelling.constraints import Table
from modelling.terms import ANY, variables_of

MOST_ROWS = 10_000
"""A table of more rows does not become clauses: each would be a variable of its own."""


def post_table(draft: LearningDraft, table: Table, condition: Condition | None = None) -> None:
    """Clauses, of which a condition is one more literal; a propagator for many rows."""
    domains = [draft.domains[v] for term in table.terms for v in variables_of(term)]
    if not can_be_clauses(table, domains):
        extension.post_table(draft, table, condition)
        return
    scope = [draft.view(term) for term in table.terms]
    if condition is None:
        _post_rows(draft, scope, table, table.allowed, [])
        return
    variable, value, is_full = condition
    _post_rows(draft, scope, table, table.allowed, [(4 * variable + WITHOUT, value)])
    if is_full:
        _post_rows(draft, scope, table, not table.allowed, [(4 * variable + EXACTLY, value)])


def _post_rows(
    draft: LearningDraft,
    scope: list[int],
    table: Table,
    allowed: bool,
    unless: list[Literal],
) -> None:
    """That one of the rows is taken, or none, unless one of some literals is true."""
    open_values = [set(draft.domains[v]) for v in scope]
    rows = [
        row
        for row in dict.fromkeys(table.tuples)
        if all(cell is ANY or cell in own for cell, own in zip(row, open_values, strict=True))
    ]
    if not allowed:
        for row in rows:
            cells = [(v, cell) for v, cell in zip(scope, row, strict=True) if cell is not ANY]
            draft.add([*unless, *[(4 * v + WITHOUT, cell) for v, cell in cells]])
        return
    taken = [draft.variable((0, 1)) for _ in rows]
    draft.add([*unless, *[(4 * b + LEAST, 1) for b in taken]])
    supports: list[dict[int, list[Literal]]] = [{} for _ in scope]
    stars: list[list[Literal]] = [[] for _ in scope]
    for b, row in zip(taken, rows, strict=True):
        cells = [(v, cell) for v, cell in zip(scope, row, strict=True) if cell is not ANY]
        draft.add([(4 * b + LEAST, 1), *[(4 * v + WITHOUT, cell) for v, cell in cells]])
        for place, (v, cell) in enumerate(zip(scope, row, strict=True)):
            if cell is ANY:
                stars[place].append((4 * b + LEAST, 1))
                continue
            draft.add([(4 * b + EXACTLY, 0), (4 * v + EXACTLY, cell)])
            supports[place].setdefault(cell, []).append((4 * b + LEAST, 1))
    for v, support, star in zip(scope, supports, stars, strict=True):
        for value in draft.domains[v]:
            draft.add([*unless, (4 * v + WITHOUT, value), *support.get(value, []), *star])


def can_be_clauses(table: Table, domains: Sequence[Sequence[int]]) -> bool:
    """Whether the rows are few and the domains listed."""
    return len(table.tuples) <= MOST_ROWS and not any(map(is_interval, filter(len, domains)))


HANDLERS: Handlers = {
    Table: Handler(post_table, modes=("root", "half", "full"), arguments="affine")
}
