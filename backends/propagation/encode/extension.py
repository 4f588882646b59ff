"""Tables and automata: what is listed is laid out as bitsets of rows or of arcs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from backends.interface.handlers import Condition, Handler, Handlers
from backends.propagation.encode.bitsets import count_words, joined, places_of, words_of
from backends.propagation.encode.draft import Draft, Posted, Propagate
from backends.propagation.kernel.layout import DOMAIN
from backends.propagation.propagators.extension.allowed import allowed
from backends.propagation.propagators.extension.forbidden import forbidden
from modelling.constraints import FALSE, Table
from modelling.terms import ANY

Rows = Sequence[tuple[Any, ...]]


class Rowset(NamedTuple):
    """Rows as bitsets: how many there are; for each column those with each value, ascending, and
    those with *every value*."""

    number: int
    columns: tuple[dict[int, int], ...]
    stars: tuple[int, ...]


def rowset(rows: Rows, domains: Sequence[Sequence[int]]) -> Rowset:
    """The rows that the domains allow."""
    if not rows:
        return Rowset(0, (), ())
    whole = (1 << len(rows)) - 1
    columns, stars = [], []
    possible = whole
    for cells, domain in zip(zip(*rows, strict=True), domains, strict=True):
        found = places_of(cells)
        star = found.pop(ANY, 0)
        among = frozenset(domain) if len(domain) < len(found) else domain
        column = {value: found[value] for value in sorted(found) if value in among}
        if len(column) < len(found):
            possible &= star | joined(column.values())
        columns.append(column)
        stars.append(star)
    if possible != whole:
        kept = bin(possible)[:1:-1]
        return rowset([row for row, bit in zip(rows, kept, strict=False) if bit == "1"], domains)
    return Rowset(len(rows), tuple(columns), tuple(stars))


def post_table(draft: Draft, constraint: Table, condition: Condition | None = None) -> None:
    """One propagator; two where a condition is equivalent."""
    if condition is None:
        post_listed(draft, constraint)
        return
    variable, value, full = condition
    post_half(draft, constraint, variable, value)
    if full:
        opposite = Table(constraint.terms, constraint.tuples, not constraint.allowed)
        post_half(draft, opposite, variable, 1 - value)


def post_half(draft: Draft, table: Table, variable: int, value: int) -> None:
    """Where the variable has the value the table holds: a column more says so."""
    rows = tuple([(*row, value) for row in table.tuples])
    if table.allowed:
        rows = (*rows, (*[ANY] * len(table.terms), 1 - value))
    post_listed(draft, Table((*table.terms, variable), rows, table.allowed))


def post_listed(draft: Draft, table: Table) -> None:
    """A table that holds."""
    plain = all(type(term) is int for term in table.terms)
    if not plain or len(set(table.terms)) < len(table.terms):
        simple = table.simplified()
        if not isinstance(simple, Table):
            draft.possible = draft.possible and simple != FALSE
            return
        table = simple
    scope = table.terms
    rows = table.tuples if table.allowed else tuple(dict.fromkeys(table.tuples))
    domains = tuple([draft.domains[v] for v in scope])
    found = draft.once(("rows", rows, domains), lambda: rowset(rows, domains))
    if found.number == 0:
        draft.possible = draft.possible and not table.allowed
    elif table.allowed:
        draft.post(partial(lay_out_rows, allowed, scope, domains, found))
    else:
        draft.post(partial(lay_out_rows, forbidden, scope, domains, found))


def lay_out_rows(
    propagate: Propagate,
    scope: tuple[int, ...],
    domains: Sequence[Sequence[int]],
    rows: Rowset,
    word_bits: int,
    words: Sequence[int],
) -> Posted:
    """The arguments of ``propagators.extension.rows``."""
    number = count_words(rows.number, word_bits)
    bitsets: list[int] = []
    values: list[int] = []
    heads: list[list[int]] = []
    for column, star in zip(rows.columns, rows.stars, strict=True):
        heads.append([len(values), len(values) + len(column), 0, -1])
        bitsets += column.values()
        values += column
        if star:
            heads[-1][3] = len(values)
            bitsets.append(star)
            values.append(0)
    slots: list[int] = []
    before = 1 + 4 * len(scope) + len(values)
    for v, head, column, domain in zip(scope, heads, rows.columns, domains, strict=True):
        if words[v]:
            head[2] = before + len(slots) - domain[0]
            slots += slots_of(domain, column, head[0])
    cells = [w for bits in bitsets for w in words_of(bits, number, word_bits)]
    residues = [lowest_word(bits, word_bits) for bits in bitsets]
    last = [[0] * (1 + (words[v] or 2)) for v in scope]
    whole = words_of((1 << rows.number) - 1, number, word_bits)
    return Posted(
        propagate,
        scope,
        (DOMAIN,) * len(scope),
        [before + len(slots), *chain.from_iterable(heads), *values, *slots, *cells],
        [[number, number, 0], *last, *[[word] for word in whole]],
        [*range(number), *[0] * number, *residues],
        priority=1 if number * len(values) < 200 else 2,
        idempotent=True,
    )


def slots_of(domain: Sequence[int], column: dict[int, int], first: int) -> list[int]:
    """For each value between the bounds of a domain its slot or -1; ``first`` is the first slot."""
    slots = [-1] * (domain[-1] - domain[0] + 1)
    for slot, value in enumerate(column, first):
        slots[value - domain[0]] = slot
    return slots


def lowest_word(bits: int, word_bits: int) -> int:
    """The first word of a bitset that is not 0."""
    return ((bits & -bits).bit_length() - 1) // word_bits


def is_long_or_allowed(constraint: Table, variables: object) -> bool:
    """Whether no forbidden row has *every value*."""
    return constraint.allowed or not constraint._short


def has_no_short_rows(constraint: Table, variables: object) -> bool:
    """Whether the rows and their opposite are taken."""
    return not constraint._short


HANDLERS: Handlers = {
    Table: Handler(
        post_table,
        modes=("root", "half", "full"),
        arguments="affine",
        when=is_long_or_allowed,
        within=has_no_short_rows,
    ),
}
