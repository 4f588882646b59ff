"""What the global constraints of MiniZinc's library mean, in the vocabulary's words.

Places are counted from 1 there, and from 0 here. Where MiniZinc says less or more than the
vocabulary's class of the same name, that is written here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from modelling import constraints as core
from modelling.constraint import Constraint
from modelling.errors import ModelError
from modelling.formats.flatzinc.builtins import (
    Ends,
    check_written,
    compare,
    define,
    explicit_values,
    holds,
    is_in,
    linear,
    shifted,
)
from modelling.formats.flatzinc.values import Numbers
from modelling.terms import Affine, Term, affine, constant, constants
from modelling.vocabulary.comparisons import mirror
from modelling.vocabulary.scheduling.no_overlap_2d import list_apart

Terms = Sequence[Term]
Ints = Sequence[int]
Edge = tuple[int, Numbers, int]

MOST_NESTED = 32
"""A choice between more terms is written as conditions beside each other."""


def same_length(what: str, *lists: Sequence[Any]) -> None:
    """Refuse lists of which one is longer than another."""
    lengths = list(map(len, lists))
    if len(set(lengths)) > 1:
        raise ModelError(f"{what} must be equally many, and are {', '.join(map(str, lengths))}")


def places(terms: Terms, first: int = 1) -> tuple[Term, ...]:
    """Places counted from ``first`` as places counted from 0."""
    return tuple(shifted(term, -first) for term in terms)


# --- counting ------------------------------------------------------------------------------------


def count(relation: str) -> Any:
    """``n`` is so related to how many of the terms equal the value: ``n RELATION count``."""
    turned = mirror(relation)

    def made(terms: Terms, value: Term, n: Term) -> Constraint:
        counted = core.Count(tuple(terms), (value,))
        if relation == "==":
            return define(n, counted)
        if isinstance(n, Affine):
            return core.Linear((counted,), (1,), turned, n.offset)
        return core.Linear((counted, n), (1, -1), turned, 0)

    return made


def count_value(relation: str) -> Any:
    """As many terms equal a number, in the order of arguments of ``fzn_at_least_int``."""
    return lambda n, terms, value: core.Linear(
        (core.Count(tuple(terms), constants(value)),), (1,), relation, n
    )


def among(n: Term, terms: Terms, values: Numbers) -> Constraint:
    """``n`` of the terms have one of the values."""
    return define(n, core.Count(tuple(terms), constants(*explicit_values(values))))


def cardinality(closed: bool) -> Any:
    """Each value occurs as often as its count says. Where a value is listed twice, MiniZinc's
    definition differs: all counts together are at most the number of terms."""

    def made(terms: Terms, values: Ints, counts: Terms) -> Constraint:
        if len(set(values)) == len(values):
            return core.GlobalCardinality(tuple(terms), tuple(values), tuple(counts), closed)
        allowed = tuple(sorted(set(values)))
        parts = [distribute(counts, constants(*values), terms)]
        parts += [linear((1,) * len(counts), counts, "<=", len(terms))]
        parts += [is_in(term, allowed) for term in terms] if closed else []
        return core.And(tuple(parts)).simplified()

    return made


def cardinalities(terms: Terms, values: Ints, low: Ints, high: Ints) -> Constraint:
    """Each value occurs at least and at most so often."""
    same_length("values and their bounds", values, low, high)
    check_written(len(terms) * len(values))
    parts = []
    for value, least, most in zip(values, low, high, strict=True):
        counted = core.Count(tuple(terms), constants(value))
        parts += [
            core.Linear((counted,), (1,), ">=", least),
            core.Linear((counted,), (1,), "<=", most),
        ]
    return core.And(tuple(parts)).simplified()


def closed_cardinalities(terms: Terms, values: Ints, low: Ints, high: Ints) -> Constraint:
    """The same, and no other values."""
    check_written(len(terms) * len(values))
    allowed = tuple(sorted(set(values)))
    if not sum(low) <= len(terms) <= sum(high):  # says more only where a value is listed twice
        return core.FALSE
    parts = (is_in(term, allowed) for term in terms)
    return core.And((*parts, cardinalities(terms, values, low, high))).simplified()


def distribute(counts: Terms, values: Terms, terms: Terms) -> Constraint:
    """Each value occurs so often; values may be variables."""
    same_length("values and their counts", values, counts)
    check_written(len(terms) * len(values))
    pairs = zip(values, counts, strict=True)
    return core.And(tuple(define(n, core.Count(tuple(terms), (v,))) for v, n in pairs)).simplified()


def one_capacity(ends: Ends, capacity: int, items: Terms, sizes: Ints) -> Constraint:
    """No bin, whatever its number, holds more than the capacity."""
    if not items:
        return core.TRUE
    found = [end for item in items for end in ends(item)]
    known = [end for end in found if end is not None]
    if len(known) < len(found):
        raise ModelError("the bins that things can be in must have bounds")
    first, last = min(known), max(known)
    check_written(last - first + 1)
    limits = (constant(capacity),) * (last - first + 1)
    return core.BinPacking(places(items, first), tuple(sizes), "<=", limits)


# --- sequences -----------------------------------------------------------------------------------


def regular(
    terms: Terms, q: int, s: int, d: Ints, start: int, finals: Numbers, first: int = 1
) -> Constraint:
    """A DFA of states 1 to q over s values from ``first`` on; row by row the next state, 0 for
    none."""
    if q < 1 or s < 1 or len(d) != q * s:
        raise ModelError(f"{q} states and {s} values take {q * s} transitions, not {len(d)}")
    arcs = ((k // s + 1, k % s + first, to) for k, to in enumerate(d) if 1 <= to <= q)
    return _automaton(terms, arcs, start, finals, q)


def regular_nfa(
    terms: Terms, q: int, s: int, d: Sequence[Numbers], start: int, finals: Numbers, first: int = 1
) -> Constraint:
    """The same with a set of next states."""
    if q < 1 or s < 1 or len(d) != q * s:
        raise ModelError(f"{q} states and {s} values take {q * s} transitions, not {len(d)}")
    check_written(sum(min(q, len(states)) for states in d))
    arcs = (
        (k // s + 1, k % s + first, to) for k, states in enumerate(d) for to in _states(states, q)
    )
    return _automaton(terms, arcs, start, finals, q)


def _states(numbers: Numbers, q: int) -> Sequence[int]:
    if isinstance(numbers, range):
        return range(max(numbers.start, 1), min(numbers.stop, q + 1))
    return [number for number in numbers if 1 <= number <= q]


def _automaton(terms: Terms, arcs: Any, start: int, finals: Numbers, q: int) -> Constraint:
    if not terms:
        return core.TRUE if start in finals else core.FALSE
    return core.Regular(tuple(terms), tuple(arcs), start, tuple(_states(finals, q)))


def diagram(
    terms: Terms, n: int, levels: Ints, e: int, sources: Ints, labels: Sequence[Numbers], to: Ints
) -> Constraint:
    """A way through a decision diagram from node 1 to node 0, by edges of which each has labels."""
    same_length("edges, their labels and ends", sources, labels, to)
    if len(levels) != n or len(sources) != e:
        raise ModelError(f"{n} nodes and {e} edges take as many levels and ends")
    check_written(sum(map(len, labels)))
    if not terms:
        return core.FALSE
    edges = [edge for edge in zip(sources, labels, to, strict=True) if edge[1]]
    edges = _leading_to(0, sorted(edges, key=lambda edge: edge[0] != 1))
    if not edges or edges[0][0] != 1:
        return core.FALSE
    arcs = tuple((one, value, other) for one, label, other in edges for value in label)
    return core.MDD(tuple(terms), arcs)


def _leading_to(node: int, edges: list[Edge]) -> list[Edge]:
    """The edges of a graph from which a way leads to a node, in their order."""
    into: dict[int, list[int]] = {}
    for source, _, target in edges:
        into.setdefault(target, []).append(source)
    found, left = {node}, [node]
    while left:
        new = set(into.get(left.pop(), ())) - found
        found |= new
        left += new
    return [edge for edge in edges if edge[2] in found and edge[0] != node]


def table(terms: Terms, cells: Ints) -> Constraint:
    """The terms are one of the rows; ``cells`` lists the rows one after the other."""
    if not terms or len(cells) % len(terms):
        raise ModelError(f"{len(cells)} cells make no rows of {len(terms)}")
    return _make_table(tuple(cells), len(terms)).with_terms(terms)


@lru_cache(maxsize=8)
def _make_table(cells: tuple[int, ...], width: int) -> core.Table:
    """The table over the first variables: constraints that name one array share its rows."""
    rows = (cells[k : k + width] for k in range(0, len(cells), width))
    return core.Table(tuple(range(width)), tuple(rows))


def precede_all(ends: Ends, terms: Terms) -> Constraint:
    """Each value above 1 first occurs after the value below it; values below 1 are free."""
    known = [high for _, high in map(ends, terms) if high is not None]
    number = min(len(terms), max(known, default=0)) if len(known) == len(terms) else len(terms)
    most = (linear((1,), (term,), "<=", number) for term in terms)
    return core.And(
        (*most, core.Precedence(tuple(terms), tuple(range(1, number + 1))))
    ).simplified()


def lex_chain(strict: bool) -> Any:
    """The columns of a matrix are in lexicographic order; the cells list one after the other."""

    def made(columns: int, cells: Terms) -> Constraint:
        length = len(cells) // max(columns, 1)
        if len(cells) != columns * length:
            raise ModelError(f"{len(cells)} terms make no {columns} columns of one length")
        return core.Lex(
            tuple(tuple(cells[k * length : (k + 1) * length]) for k in range(columns)), strict
        )

    return made


def windows(low: int, high: int, width: int, terms: Terms) -> Constraint:
    """Any ``width`` consecutive terms add up to at least ``low`` and at most ``high``."""
    if width < 1:
        raise ModelError(f"a window of {width} terms is none")
    check_written(width * max(0, len(terms) - width + 1))
    parts = []
    for k in range(len(terms) - width + 1):
        row, ones = terms[k : k + width], (1,) * width
        parts += [linear(ones, row, ">=", low), linear(ones, row, "<=", high)]
    return core.And(tuple(parts)).simplified()


def first_extreme(kind: type[core.Maximum | core.Minimum]) -> Any:
    """``index`` is the first place, from 1 on, of the least or greatest term.

    Ties are broken by the place.
    """

    def made(terms: Terms, index: Term) -> Constraint:
        if not terms:
            return core.FALSE
        ranks = range(len(terms)) if kind is core.Minimum else range(len(terms), 0, -1)
        views = _ranked(terms, ranks)
        return core.Linear((core.Element(views, shifted(index)), kind(views)), (1, -1), "==", 0)

    return made


def _ranked(terms: Terms, ranks: Sequence[int]) -> tuple[Term, ...]:
    """``n * x + rank`` for each of n terms, which are all different."""
    number = len(terms)
    views = zip(map(affine, terms), ranks, strict=True)
    return tuple(Affine(x.variable, number * x.factor, number * x.offset + k) for x, k in views)


def sorting_places(terms: Terms, order: Terms) -> Constraint:
    """``order`` are the places, from 1 on, of the terms from the least to the greatest; of equal
    ones the first comes first."""
    same_length("terms and places", terms, order)
    if not terms:
        return core.TRUE
    check_written(len(terms) ** 2)
    if len(terms) == 1:
        return compare(order[0], constant(1), "==")
    views = _ranked(terms, range(len(terms)))
    return core.Increasing(tuple(core.Element(views, shifted(k)) for k in order), strict=True)


def sort(terms: Terms, ordered: Terms) -> Constraint:
    """``ordered`` are the same values from the least to the greatest."""
    same_length("terms and sorted ones", terms, ordered)
    check_written(2 * len(terms) ** 2)
    same = (
        core.Linear(
            (core.Count(tuple(terms), (t,)), core.Count(tuple(ordered), (t,))), (1, -1), "==", 0
        )
        for t in terms
    )
    return core.And((core.Increasing(tuple(ordered)), *same)).simplified()


# --- scheduling, packing, flows ------------------------------------------------------------------


def cumulative(starts: Terms, durations: Terms, demands: Terms, capacity: Term) -> Constraint:
    """Without tasks, MiniZinc's constraint is true whatever the capacity."""
    if not (starts or durations or demands):
        return core.TRUE
    return core.Cumulative(tuple(starts), tuple(durations), tuple(demands), capacity)


def boxes(strict: bool) -> Any:
    """Boxes of which no two overlap. MiniZinc asks for no signs of widths and heights: where one
    could be negative, this is written out."""

    def made(ends: Ends, xs: Terms, ys: Terms, widths: Terms, heights: Terms) -> Constraint:
        same_length("corners, widths and heights", xs, ys, widths, heights)
        lows = [ends(size)[0] for size in (*widths, *heights)]
        if all(low is not None and low >= 0 for low in lows):
            return core.NoOverlap2D(tuple(xs), tuple(ys), tuple(widths), tuple(heights), strict)
        check_written(4 * len(xs) ** 2)
        boxes = zip(xs, ys, widths, heights, strict=True)
        return core.And(tuple(list_apart(boxes, strict))).simplified()

    return made


def knapsack(sizes: Ints, gains: Ints, taken: Terms, size: Term, gain: Term) -> Constraint:
    """How many of each are taken, which together have this size and this gain."""
    same_length("sizes, gains and numbers", sizes, gains, taken)
    return core.And(
        (
            *(linear((1,), (term,), ">=", 0) for term in (*taken, size, gain)),
            linear((*gains, -1), (*taken, gain), "==", 0),
            linear((*sizes, -1), (*taken, size), "==", 0),
        )
    ).simplified()


def flow(arcs: Ints, balances: Ints, flows: Terms) -> Constraint:
    """What leaves each node is more by its balance than what comes; arcs are pairs of nodes."""
    if len(arcs) != 2 * len(flows):
        raise ModelError(f"{len(flows)} flows take as many pairs of nodes, not {len(arcs)} nodes")
    factors: list[list[int]] = [[] for _ in balances]
    terms: list[list[Term]] = [[] for _ in balances]
    for k, term in enumerate(flows):
        for node, sign in ((arcs[2 * k], 1), (arcs[2 * k + 1], -1)):
            if not 1 <= node <= len(balances):
                raise ModelError(f"node {node} has no balance; there are {len(balances)}")
            factors[node - 1].append(sign)
            terms[node - 1].append(term)
    rows = zip(factors, terms, balances, strict=True)
    return core.And(tuple(linear(f, t, "==", balance) for f, t, balance in rows)).simplified()


def flow_at_cost(arcs: Ints, balances: Ints, weights: Ints, flows: Terms, cost: Term) -> Constraint:
    """The same, and the flows times their weights are the cost."""
    paid = linear((*weights, -1), (*flows, cost), "==", 0)
    return core.And((paid, flow(arcs, balances, flows))).simplified()


def first_that_holds(conditions: Terms, values: Terms, result: Term) -> Constraint:
    """``result`` is the value of the first condition that holds; where none does, it is free."""
    same_length("conditions and values", conditions, values)
    nested = _choice(list(map(holds, conditions)), values)
    if nested is not None:
        return define(result, nested)
    check_written(len(conditions) ** 2)
    parts = []
    for k, value in enumerate(values):
        before_it = (holds(condition) for condition in conditions[:k])
        said = compare(result, value, "==")
        parts.append(core.Or((*before_it, holds(conditions[k], 0), said)).simplified())
    return core.And(tuple(parts)).simplified()


def _choice(conditions: list[Constraint], values: Terms) -> Term | None:
    """The value of the first condition that holds, where the last one does; else None."""
    if not conditions or conditions[-1] != core.TRUE or len(conditions) > MOST_NESTED:
        return None
    chosen = values[-1]
    for condition, value in reversed(list(zip(conditions, values, strict=True))[:-1]):
        if condition == core.TRUE:
            chosen = value
        elif condition != core.FALSE:
            chosen = core.IfThenElse(condition, value, chosen)
    return chosen


def first_number(conditions: Terms, values: Ints, result: Term) -> Constraint:
    """The same of numbers."""
    return first_that_holds(conditions, constants(*values), result)
