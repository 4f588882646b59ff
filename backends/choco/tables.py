"""Tables, with rows that leave places open."""

from __future__ import annotations

from backends.choco.guards import fits
from backends.choco.model import Made, Model
from backends.interface.libraries.formulas import Builder
from backends.interface.magnitudes import values_of
from modelling.constraints import Table
from modelling.rewriting.profile import Guard, Variables
from modelling.terms import ANY


def table(model: Model, constraint: Table) -> Made:
    """Choco's own, of the rows that may be met; without any it is known."""
    domains = [set(values_of(term, model)) for term in constraint.terms]
    rows = constraint.rows_among(domains)
    if not rows:
        return model.known(not constraint.allowed)
    terms = model.terms(constraint.terms)
    if not any(ANY in row for row in rows):
        return [model.model.table(terms, list(map(list, rows)), constraint.allowed)]
    beyond = max(map(max, domains)) + 1
    written = [[beyond if value is ANY else value for value in row] for row in rows]
    return [model.model.table(terms, written, constraint.allowed, uvalue=beyond)]


def rows_are_closed(constraint: Table, variables: Variables) -> bool:
    """Rows that leave a place open are rows of an allowed table only."""
    open_rows = any(ANY in row for row in constraint.tuples)
    return (constraint.allowed or not open_rows) and fits(constraint, variables)


TABLES: dict[type, tuple[Builder, Guard]] = {
    Table: (table, rows_are_closed),
}
