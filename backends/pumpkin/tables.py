"""Tables and clauses in Pumpkin, each with its opposite."""

from __future__ import annotations

from typing import Any

from backends.interface.magnitudes import values_of
from backends.pumpkin.guards import fits
from backends.pumpkin.model import Model, Pair
from modelling.constraint import Constraint
from modelling.constraints import Table
from modelling.rewriting.profile import Guard
from modelling.terms import ANY
from modelling.vocabulary.formulas.clauses import Clauses


def table(model: Model, constraint: Table, premise: Any) -> None:
    """One of the rows is met, or none."""
    (_allow if constraint.allowed else _forbid)(model, constraint, premise)


def not_table(model: Model, constraint: Table, premise: Any) -> None:
    """The opposite."""
    (_forbid if constraint.allowed else _allow)(model, constraint, premise)


def _rows(model: Model, constraint: Table) -> list[tuple[Any, ...]]:
    """Those that may be met, each once."""
    domains = [set(values_of(term, model)) for term in constraint.terms]
    return constraint.rows_among(domains)


def _allow(model: Model, constraint: Table, premise: Any) -> None:
    """Pumpkin's own; where rows leave places open, a literal for each row."""
    rows = _rows(model, constraint)
    if not rows:
        model.clause([], premise)
    elif not any(ANY in row for row in rows):
        model.add("Table", model.terms(constraint.terms), list(map(list, rows)), premise=premise)
    else:
        chosen = [model.boolean() for _ in rows]
        for literal, row in zip(chosen, rows, strict=True):
            for term, value in zip(constraint.terms, row, strict=True):
                if value is not ANY:
                    model.clause([model.literal(term, "==", value)], literal)
        model.clause(chosen, premise)


def _forbid(model: Model, constraint: Table, premise: Any) -> None:
    """Pumpkin's own, over the places that rows do not leave open."""
    by_places: dict[tuple[int, ...], list[list[int]]] = {}
    for row in _rows(model, constraint):
        places = tuple(k for k, value in enumerate(row) if value is not ANY)
        by_places.setdefault(places, []).append([row[k] for k in places])
    for places, rows in by_places.items():
        terms = model.terms(constraint.terms[k] for k in places)
        model.add("NegativeTable", terms, rows, premise=premise)


def clauses(model: Model, constraint: Clauses, premise: Any) -> None:
    """Each of them."""
    for literals in _literals(model, constraint):
        model.clause(literals, premise)


def not_clauses(model: Model, constraint: Clauses, premise: Any) -> None:
    """One of them does not hold."""
    broken = []
    for literals in _literals(model, constraint):
        broken.append(model.boolean())
        for literal in literals:
            model.clause([literal.negate()], broken[-1])
    model.clause(broken, premise)


def _literals(model: Model, constraint: Clauses) -> list[list[Any]]:
    true = [model.literal(term, "!=", 0) for term in constraint.terms]
    false = [literal.negate() for literal in true]
    return [[true[x - 1] if x > 0 else false[-x - 1] for x in row] for row in constraint.literals]


TABLES: dict[type[Constraint], tuple[Pair, Guard]] = {
    Table: (Pair(table, not_table), fits),
    Clauses: (Pair(clauses, not_clauses), fits),
}
