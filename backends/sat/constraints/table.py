"""Tables as clauses: which tuples of values are allowed, or forbidden.

forbidden   a clause per tuple: not all of its values at once
allowed     one variable: the values that no tuple has are false
            two variables: each value implies one of its partners (the support encoding of Kasif
            and of Gent, ECAI 2002); no auxiliary variable
            more: a selector per tuple that implies each of the tuple's values, and each value
            implies one of the selectors that have it (Bacchus, CP 2007). The tuples differ, so the
            values leave at most one selector free to be true, and the clause of all selectors
            makes it true: selectors are determined. Unit propagation is domain consistent.
reified     a row is a gate, and so is that one of them is taken

A literal map gives a variable's literal by value; tuples with a value outside it cannot occur.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from backends.sat.cnf import Cnf, Literals
from backends.sat.draft import SatDraft
from backends.sat.gates import conjunction, disjunction
from backends.sat.integers.direct import Direct
from modelling.constraints import Table


def post_table(draft: SatDraft, table: Table) -> None:
    """Let a table over variables hold."""
    scope, whole = _literals(draft, table)
    if not table.allowed:
        forbid(draft.cnf, scope, table.tuples)
    elif whole or not table.tuples:
        allow(draft.cnf, scope, table.tuples)
    elif len(scope) == 1:
        draft.cnf.add(scope[0].values())
    else:
        # A value that no row has is excluded by the selectors alone, and needs no literal.
        choose(draft.cnf, scope, table.tuples)


def choose(cnf: Cnf, scope: Sequence[Literals], rows: Iterable[Sequence[int]]) -> None:
    """One of ``rows`` is taken; by selectors, also where a row has two values only."""
    _selectors(cnf, scope, present(scope, rows))


def table_literal(draft: SatDraft, table: Table) -> int:
    """Whether a table over variables holds."""
    scope, _ = _literals(draft, table)
    rows = present(scope, table.tuples)
    taken = disjunction(draft.cnf, [conjunction(draft.cnf, row) for row in rows])
    return taken if table.allowed else -taken


def _literals(draft: SatDraft, table: Table) -> tuple[list[Literals], bool]:
    """The value literals of each column, and whether all of each variable's are there; else they
    are those of the rows."""
    found: list[Literals] = []
    whole = True
    columns = list(zip(*table.tuples, strict=True)) if table.tuples else [()] * len(table.scope)
    for variable, column in zip(table.scope, columns, strict=True):
        integer = draft.integer(variable)
        if isinstance(integer, Direct) or len(integer.domain) <= 2:
            found.append(integer.value_literals())
        else:
            whole = False
            literals = ((value, integer.value_literal(value)) for value in dict.fromkeys(column))
            found.append({value: x for value, x in literals if x != -draft.cnf.true})
    return found, whole


def forbid(cnf: Cnf, scope: Sequence[Literals], rows: Iterable[Sequence[int]]) -> None:
    """None of ``rows`` is taken."""
    for row in present(scope, rows):
        cnf.add([-literal for literal in row])


def allow(cnf: Cnf, scope: Sequence[Literals], rows: Iterable[Sequence[int]]) -> None:
    """One of ``rows`` is taken."""
    chosen = present(scope, rows)
    if not chosen:
        cnf.add([])
    elif len(scope) == 2:
        _partners(cnf, scope, chosen)
    elif len(scope) > 2:
        _selectors(cnf, scope, chosen)
    elif scope:
        for literal in set(scope[0].values()).difference(literal for (literal,) in chosen):
            cnf.add([-literal])


def present(scope: Sequence[Literals], rows: Iterable[Sequence[int]]) -> list[tuple[int, ...]]:
    """The rows as literals, each once, without those that hold a value no variable can take."""
    found: dict[tuple[int, ...], None] = {}
    for row in rows:
        literals = tuple(literal.get(value, 0) for literal, value in zip(scope, row, strict=True))
        if 0 not in literals:
            found[literals] = None
    return list(found)


def _partners(cnf: Cnf, scope: Sequence[Literals], rows: list[tuple[int, ...]]) -> None:
    for here, there in ((0, 1), (1, 0)):
        partners: dict[int, list[int]] = {literal: [] for literal in scope[here].values()}
        for row in rows:
            partners[row[here]].append(row[there])
        every = len(scope[there])
        for literal, others in partners.items():
            if len(others) < every:
                cnf.add([-literal, *others])


def _selectors(cnf: Cnf, scope: Sequence[Literals], rows: list[tuple[int, ...]]) -> None:
    selectors = [cnf.new() for _ in rows]
    supports: list[dict[int, list[int]]] = [
        {literal: [] for literal in literals.values()} for literals in scope
    ]
    for selector, row in zip(selectors, rows, strict=True):
        for literal, support in zip(row, supports, strict=True):
            cnf.add([-selector, literal])
            support[literal].append(selector)
    cnf.add(selectors)
    for support in supports:
        for literal, having in support.items():
            cnf.add([-literal, *having])
