"""Tables and automata: what is listed is laid out as bitsets of rows or of arcs."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from backends.interface.handlers import Condition, Handler, Handlers
from backends.propagation.encode.bitsets import (
    count_words,
    joined,
    places_of,
    words_of,
    words_of_all,
)
from backends.propagation.encode.clauses import keep_clauses, post_distinct
from backends.propagation.encode.draft import Draft, Posted, Propagate
from backends.propagation.kernel.layout import DOMAIN
from backends.propagation.propagators.extension.allowed import allowed
from backends.propagation.propagators.extension.forbidden import forbidden
from backends.propagation.propagators.extension.layers import on_way
from backends.propagation.propagators.formulas.clauses import NOT_EQUAL
from modelling.constraints import FALSE, MDD, Regular, Table
from modelling.stopping import watched
from modelling.terms import ANY

Rows = Sequence[tuple[Any, ...]]
FEW = 12_800
"""Rows times values of a table that is cheap; the same in every form, or their steps would differ.
"""


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
    plain = set(map(type, table.terms)) == {int}
    if not plain or len(set(table.terms)) < len(table.terms):
        simple = table.simplified()
        if not isinstance(simple, Table):
            draft.possible = draft.possible and simple != FALSE
            return
        table = simple
    scope = table.terms
    rows = table.tuples if table.allowed else tuple(dict.fromkeys(table.tuples))
    if not (table.allowed or rows):
        return  # nothing is forbidden
    if not table.allowed and (len(rows) == 1 or table._short or are_apart(rows)):
        if draft.explains or table._short or len(scope) < 2:
            for row in watched(rows):
                cells = zip(scope, row, strict=True)
                post_distinct(draft, [(x, NOT_EQUAL, value) for x, value in cells if value != ANY])
        else:
            kinds = (NOT_EQUAL,) * len(scope)
            keep_clauses(draft, scope, [tuple(zip(scope, kinds, row)) for row in rows])  # noqa: B905
        return
    domains = tuple([draft.domains[v] for v in scope])
    found = draft.once(("rows", rows, domains), lambda: rowset(rows, domains))
    if found.number == 0:
        draft.possible = draft.possible and not table.allowed
    elif table.allowed:
        draft.post(partial(lay_out_rows, draft, allowed, scope, found))
    else:
        draft.post(partial(lay_out_rows, draft, forbidden, scope, found))


def are_apart(rows: Rows) -> bool:
    """Whether no two rows have a value in common: as clauses they are domain consistent, too."""
    return all(len(set(column)) == len(rows) for column in zip(*rows, strict=True))


def lay_out_rows(
    draft: Draft,
    propagate: Propagate,
    scope: tuple[int, ...],
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
    for v, head, column in zip(scope, heads, rows.columns, strict=True):
        if words[v]:
            domain = draft.domains[v]
            head[2] = before + len(slots) - domain[0]
            slots += slots_of(domain, column, head[0])
    cells, residues = draft.once(
        ("words", id(rows), word_bits),
        lambda: (
            words_of_all(bitsets, number, word_bits),
            [lowest_word(bits, word_bits) for bits in bitsets]
            if number > 1
            else [0] * len(bitsets),
        ),
    )
    last = [[0] * (1 + (words[v] or 2)) for v in scope]
    whole = words_of((1 << rows.number) - 1, number, word_bits)
    return Posted(
        propagate,
        scope,
        (DOMAIN,) * len(scope),
        [before + len(slots), *chain.from_iterable(heads), *values, *slots, *cells],
        [[number, number, 0], *last, *[[word] for word in whole]],
        [*range(number), *[0] * number, *residues],
        priority=1 if rows.number * len(values) < FEW else 2,
        idempotent=True,
    )


def slots_of(domain: Sequence[int], column: dict[int, int], first: int) -> list[int]:
    """For each value between the bounds of a domain its slot or -1; ``first`` is the first slot."""
    slots = [-1] * (domain[-1] - domain[0] + 1)
    for slot, value in enumerate(column, first):
        if domain[0] <= value <= domain[-1]:
            slots[value - domain[0]] = slot
    return slots


def lowest_word(bits: int, word_bits: int) -> int:
    """The first word of a bitset that is not 0."""
    return ((bits & -bits).bit_length() - 1) // word_bits


# --- automata and decision diagrams ---------------------------------------------------------------

SHARED = 64
"""An automaton with at most this many arcs has all of them in each layer, described once."""

Arc = tuple[int, int, int]


class Layer(NamedTuple):
    """Arcs as bitsets: how many there are, and those with each value, ascending, from each node
    before the layer, to each node behind it."""

    number: int
    values: dict[int, int]
    out: Sequence[int]
    into: Sequence[int]


def describe_layer(arcs: Sequence[Arc], before: Iterable[int], behind: Iterable[int]) -> Layer:
    """A layer between two rows of nodes."""
    sources, values, targets = map(places_of, zip(*arcs, strict=True))
    return Layer(
        len(arcs),
        {value: values[value] for value in sorted(values)},
        [sources.get(node, 0) for node in before],
        [targets.get(node, 0) for node in behind],
    )


def post_regular(draft: Draft, constraint: Regular) -> None:
    """All arcs in each layer, or those that are useful there."""
    scope = tuple([draft.view(term) for term in constraint.terms])
    arcs = tuple(dict.fromkeys(constraint.transitions))
    start, finals = constraint.start, frozenset(constraint.finals)
    if len(arcs) > SHARED:
        post_layers(draft, scope, useful_arcs(draft, scope, arcs, start, finals))
        return
    if not arcs:
        draft.possible = False
        return
    layer = draft.once(("arcs", arcs), lambda: describe_automaton(arcs))
    whole = (1 << len(arcs)) - 1
    possible = [whole] * len(scope)
    possible[0] &= joined(1 << k for k, arc in enumerate(arcs) if arc[0] == start)
    possible[-1] &= joined(1 << k for k, arc in enumerate(arcs) if arc[2] in finals)
    draft.post(partial(lay_out_layers, scope, [layer] * len(scope), possible))


def describe_automaton(arcs: Sequence[Arc]) -> Layer:
    """A layer of all arcs, with the same nodes before it and behind it."""
    nodes = dict.fromkeys([node for source, _, target in arcs for node in (source, target)])
    return describe_layer(arcs, nodes, nodes)


def post_diagram(draft: Draft, constraint: MDD) -> None:
    """The arcs that are useful in each layer."""
    scope = tuple([draft.view(term) for term in constraint.terms])
    arcs = tuple(dict.fromkeys(constraint.transitions))
    if not arcs:
        draft.possible = False
        return
    leaves = {target for _, _, target in arcs} - {source for source, _, _ in arcs}
    post_layers(draft, scope, useful_arcs(draft, scope, arcs, arcs[0][0], leaves))


def useful_arcs(
    draft: Draft, scope: Sequence[int], arcs: Iterable[Arc], start: int, finals: Container[int]
) -> list[list[Arc]]:
    """For each layer the arcs on a way from the start to a final node, over the domains."""
    leaving: dict[int, list[Arc]] = {}
    for arc in arcs:
        leaving.setdefault(arc[0], []).append(arc)
    layers = []
    nodes: dict[int, None] = {start: None}
    for v in scope:
        domain = draft.domains[v]
        among = domain if isinstance(domain, range) else frozenset(domain)
        layers.append([a for node in nodes for a in leaving.get(node, ()) if a[1] in among])
        nodes = dict.fromkeys([target for _, _, target in layers[-1]])
    useful = finals
    for k in range(len(layers) - 1, -1, -1):
        layers[k] = [arc for arc in layers[k] if arc[2] in useful]
        useful = {source for source, _, _ in layers[k]}
    return layers


def post_layers(draft: Draft, scope: tuple[int, ...], layers: Sequence[Sequence[Arc]]) -> None:
    """A description for each layer."""
    if not all(layers):
        draft.possible = False
        return
    nodes = [dict.fromkeys([source for source, _, _ in arcs]) for arcs in layers]
    nodes.append(dict.fromkeys([target for _, _, target in layers[-1]]))
    described = list(map(describe_layer, layers, nodes, nodes[1:]))
    whole = [(1 << len(arcs)) - 1 for arcs in layers]
    draft.post(partial(lay_out_layers, scope, described, whole))


def lay_out_layers(
    scope: tuple[int, ...],
    layers: Sequence[Layer],
    possible: Sequence[int],
    word_bits: int,
    words: Sequence[int],
) -> Posted:
    """The arguments of ``propagators.extension.layers``."""
    places: dict[int, int] = {}
    cells: list[int] = []
    for layer in layers:
        if id(layer) not in places:
            places[id(layer)] = len(scope) + len(cells)
            number = count_words(layer.number, word_bits)
            cells += [number, len(layer.out), len(layer.into), len(layer.values), *layer.values]
            for bits in (*layer.values.values(), *layer.out, *layer.into):
                cells += words_of(bits, number, word_bits)
    numbers = [count_words(layer.number, word_bits) for layer in layers]
    arcs = map(words_of, possible, numbers, [word_bits] * len(layers))
    return Posted(
        on_way,
        scope,
        (DOMAIN,) * len(scope),
        [*[places[id(layer)] for layer in layers], *cells],
        [[0, *row] for row in arcs],
        [0] * (len(scope) + max(numbers)),
        priority=2,
        idempotent=len(set(scope)) == len(scope),
    )


HANDLERS: Handlers = {
    Table: Handler(
        post_table,
        modes=("root", "half", "full"),
        arguments="affine",
    ),
    Regular: Handler(post_regular, arguments="affine"),
    MDD: Handler(post_diagram, arguments="affine"),
}
