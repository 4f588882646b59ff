"""Instances of each class, of growing size: puzzles where there is one, else drawn.

A *maker* is called with a random generator and a size, and gives domains, constraints and, where
one is natural, an objective. ``MAKERS`` has one or more for each class, with three sizes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from modelling import constraints as core
from modelling.constraints import AllDifferent, Constraint, Define, Linear, Sum, Term
from modelling.drawing import structure_over
from modelling.problem import Objective, Problem
from modelling.terms import Affine, constant
from modelling.vocabulary.formulas.clauses import Block, Clauses


class Drawn(NamedTuple):
    """What a maker gives."""

    domains: Sequence[Sequence[int]]
    constraints: Sequence[Constraint]
    objective: Term | None = None


class Maker(NamedTuple):
    """Makes instances of one class; ``sizes`` for CP-SAT, the first ones for python-constraint."""

    kind: str
    make: Callable[[random.Random, int], Drawn]
    sizes: tuple[int, ...]


def problem_of(maker: Maker, size: int, seed: int) -> Problem:
    """One instance."""
    drawn = maker.make(random.Random(f"{maker.kind}/{size}/{seed}"), size)
    structure = structure_over(drawn.domains, drawn.constraints)
    if drawn.objective is None:
        return structure.problem()
    objective = Objective("minimize", drawn.objective)
    return Problem(
        type(structure)(structure.names, structure.domains, structure.constraints, objective),
        structure.full_masks,
    )


def kind(name: str) -> Any:
    """A class of the vocabulary by its name."""
    return getattr(core, name)


def total(terms: Sequence[Term], relation: str, bound: int) -> Linear:
    """A comparison of a plain sum."""
    return Linear(tuple(terms), (1,) * len(terms), relation, bound)


def less(x: Term, y: Term, by: int = 0) -> Linear:
    """``x + by <= y``."""
    return Linear((x, y), (1, -1), "<=", -by)


def drawn_order(rng: random.Random, terms: Sequence[Term]) -> Linear:
    """Of two drawn terms, one is less than the other."""
    x, y = rng.sample(terms, 2)
    return less(x, y, by=1)


# --- functions -----------------------------------------------------------------------------------


def element(rng: random.Random, n: int) -> Drawn:
    """Assignment: worker i takes a task of its own, and pays for it."""
    prices = [[rng.randint(1, 20) for _ in range(n)] for _ in range(n)]
    costs = [range(1, 21)] * n
    elements = [
        Define(n + i, kind("Element")(tuple(map(constant, row)), i)) for i, row in enumerate(prices)
    ]
    cost = Sum(tuple(range(n, 2 * n)))
    bound = Linear((cost,), (1,), "<=", 9 * n)
    return Drawn([range(n)] * n + costs, [AllDifferent(tuple(range(n))), *elements, bound], cost)


def element_of_variables(rng: random.Random, n: int) -> Drawn:
    """``x[x[i]] == i + 1`` turned by a drawn shift."""
    shift = rng.randrange(1, n)
    terms = tuple(range(n))
    wanted = [Linear((kind("Element")(terms, i),), (1,), "==", (i + shift) % n) for i in range(n)]
    return Drawn([range(n)] * n, [AllDifferent(terms), *wanted])


def element2d(rng: random.Random, n: int) -> Drawn:
    """A tour by places, each step at its price."""
    matrix = tuple(tuple(constant(rng.randint(1, 9)) for _ in range(n)) for _ in range(n))
    steps = [kind("Element2D")(matrix, i, j) for i, j in pairwise(range(n))]
    found = [Define(n + k, step) for k, step in enumerate(steps)]
    cost = Sum(tuple(range(n, 2 * n - 1)))
    domains = [range(n)] * n + [range(1, 10)] * (n - 1)
    bound = Linear((cost,), (1,), "<=", 3 * n)
    return Drawn(domains, [AllDifferent(tuple(range(n))), *found, bound], cost)


def extreme(name: str) -> Callable[[random.Random, int], Drawn]:
    """Values that differ, above drawn differences, with an extreme of some of them."""

    def make(rng: random.Random, n: int) -> Drawn:
        chosen = [tuple(rng.sample(range(n), max(2, n // 2))) for _ in range(3)]
        made = [Linear((kind(name)(c),), (1,), "==", n // 2) for c in chosen[:2]]
        last = kind(name)(chosen[2])
        apart = [drawn_order(rng, range(n)) for _ in range(n // 3)]
        return Drawn([range(n + 1)] * n, [AllDifferent(tuple(range(n))), *made, *apart], last)

    return make


def product(rng: random.Random, n: int) -> Drawn:
    """``x * x + y * y == z * z`` beside a drawn product."""
    square = [kind("Product")((v, v)) for v in range(3)]
    equation = Linear(tuple(square), (1, 1, -1), "==", 0)
    other = Linear((kind("Product")((0, 3)), 1), (1, -1), "==", rng.randint(0, 3))
    return Drawn([range(1, n + 1)] * 4, [equation, other, less(0, 1)])


def distance(rng: random.Random, n: int) -> Drawn:
    """All intervals of a series differ; two places are drawn."""
    gaps = tuple(range(n, 2 * n - 1))
    found = [Define(g, kind("Distance")(i, i + 1)) for i, g in enumerate(gaps)]
    given = drawn_order(rng, range(n))
    domains = [range(n)] * n + [range(1, n)] * (n - 1)
    return Drawn(domains, [AllDifferent(tuple(range(n))), AllDifferent(gaps), *found, given])


def division(name: str) -> Callable[[random.Random, int], Drawn]:
    """Several dividends of one divisor, with results that differ."""

    def make(rng: random.Random, n: int) -> Drawn:
        xs = tuple(range(1, 5))
        results = [kind(name)(x, 0) for x in xs]
        apart = [
            Linear((one, other), (1, -1), "!=", 0)
            for k, one in enumerate(results)
            for other in results[:k]
        ]
        sums = total(xs, "==", rng.randint(n, 2 * n))
        chain = [less(x, y, by=1) for x, y in pairwise(xs)]
        return Drawn([range(2, n // 2)] + [range(-n, n + 1)] * 4, [*apart, sums, *chain])

    return make


def if_then_else(rng: random.Random, n: int) -> Drawn:
    """Each next value is one of two views of the one before, by a drawn threshold."""
    steps = [
        Define(
            i + 1,
            kind("IfThenElse")(
                Linear((i, n), (1, 1), ">=", rng.randint(3, 9)),
                Affine(i, 1, -rng.randint(1, 4)),
                Affine(i, 1, rng.randint(1, 4)),
            ),
        )
        for i in range(n - 1)
    ]
    return Drawn([range(-20, 21)] * n + [range(8)], steps)


# --- counting ------------------------------------------------------------------------------------


def count(rng: random.Random, n: int) -> Drawn:
    """A magic sequence."""
    terms = tuple(range(n))
    counts = [Define(i, kind("Count")(terms, (constant(i),))) for i in range(n)]
    return Drawn([range(n)] * n, counts)


def among(rng: random.Random, n: int) -> Drawn:
    """Of each three or four in a row, one or two have one of two values."""
    values = tuple(map(constant, rng.sample(range(4), 2)))
    windows = [tuple(range(i, i + 4)) for i in range(n - 3)]
    parts = [
        Linear((kind("Count")(w, values),), (1,), relation, bound)
        for w in windows
        for relation, bound in ((">=", 1), ("<=", 2))
    ]
    return Drawn([range(4)] * n, [*parts, total(range(n), "==", 2 * n - 3)])


def nvalue(rng: random.Random, n: int) -> Drawn:
    """Few values for drawn sets."""
    domains = [sorted(rng.sample(range(n), 3)) for _ in range(n)]
    number = kind("NValue")(tuple(range(n)))
    return Drawn(domains, [Linear((number,), (1,), "<=", n // 2)], number)


def cardinality(rng: random.Random, n: int) -> Drawn:
    """Rows and columns of a square in which values occur as often as drawn."""
    values = (0, 1, 2)
    first = rng.randint(0, n - 1)
    counts = tuple(map(constant, (first, n - 1 - first, 1)))
    lines = [tuple(range(r * n, r * n + n)) for r in range(n)]
    lines += [tuple(range(c, n * n, n)) for c in range(n)]
    made = [kind("GlobalCardinality")(line, values, counts, True) for line in lines]
    return Drawn([range(4)] * (n * n), made)


def bin_packing(rng: random.Random, n: int) -> Drawn:
    """Drawn sizes in bins with a little room."""
    sizes = tuple(rng.randint(1, 9) for _ in range(n))
    bins = max(2, n // 3)
    room = sum(sizes) // bins + 3
    limits = tuple(constant(room) for _ in range(bins))
    packing = kind("BinPacking")(tuple(range(n)), sizes, "<=", limits)
    return Drawn([range(bins)] * n, [packing, less(0, 1)], Sum(tuple(range(n)), sizes))


# --- order ---------------------------------------------------------------------------------------


def all_equal(rng: random.Random, n: int) -> Drawn:
    """Drawn groups are equal if a Boolean says so, and sums say which."""
    groups = [tuple(rng.sample(range(n), 3)) for _ in range(n // 2)]
    kinds = [core.Implies(core.equals(n + k, 1), kind("AllEqual")(g)) for k, g in enumerate(groups)]
    flags = range(n, n + len(groups))
    sums = [total(g, "==", rng.randint(2, 7)) for g in groups[:2]]
    return Drawn([range(4)] * n + [range(2)] * len(groups), [*kinds, *sums, total(flags, ">=", 2)])


def increasing(rng: random.Random, n: int) -> Drawn:
    """Partitions of a number into parts that grow."""
    parts = kind("Increasing")(tuple(range(n)), True)
    return Drawn([range(1, 3 * n)] * n, [parts, total(range(n), "==", n * (n + 1) // 2 + 2 * n)])


def lex(rng: random.Random, n: int) -> Drawn:
    """0-1 matrices with given sums, rows and columns in lexicographic order."""
    rows = tuple(tuple(range(r * n, r * n + n)) for r in range(n))
    columns = tuple(zip(*rows, strict=True))
    ones = [total(line, "==", 2) for line in (*rows, *columns)]
    return Drawn([range(2)] * (n * n), [kind("Lex")(rows), kind("Lex")(columns), *ones])


def precedence(rng: random.Random, n: int) -> Drawn:
    """Colourings of a drawn graph, each once."""
    edges = [tuple(rng.sample(range(n), 2)) for _ in range(2 * n)]
    apart = [core.NotEqual(edge) for edge in edges]
    first = kind("Precedence")(tuple(range(n)), (0, 1, 2, 3))
    return Drawn([range(4)] * n, [first, *apart])


# --- graphs and sequences ------------------------------------------------------------------------


def inverse(rng: random.Random, n: int) -> Drawn:
    """Permutations and their inverses, in drawn order."""
    f, g = tuple(range(n)), tuple(range(n, 2 * n))
    order = [drawn_order(rng, g) for _ in range(n)]
    order += [drawn_order(rng, f) for _ in range(n // 2)]
    return Drawn([range(n)] * (2 * n), [kind("Inverse")(f, g), *order])


def circuit(rng: random.Random, n: int) -> Drawn:
    """Tours of a drawn graph, with prices."""
    domains = [sorted(rng.sample([j for j in range(n) if j != i], 3)) for i in range(n)]
    cost = Sum(tuple(range(n)), tuple(rng.randint(1, 9) for _ in range(n)))
    return Drawn(domains, [kind("Circuit")(tuple(range(n)))], cost)


def subcircuit(rng: random.Random, n: int) -> Drawn:
    """Tours of some nodes of a drawn graph, two of which must be in it."""
    domains = [sorted({i, *rng.sample(range(n), 3)}) for i in range(n)]
    inside = [Linear((i,), (1,), "!=", i) for i in range(2)]
    cost = Sum(tuple(range(n)), tuple(rng.randint(1, 9) for _ in range(n)))
    return Drawn(domains, [kind("SubCircuit")(tuple(range(n))), *inside], cost)


def _runs(lengths: Sequence[int]) -> tuple[tuple[tuple[int, int, int], ...], int]:
    """An automaton for runs of ones of these lengths; its last state is final."""
    arcs, state = [(0, 0, 0)], 0
    for k, length in enumerate(lengths):
        for _ in range(length):
            arcs.append((state, 1, state + 1))
            state += 1
        if k < len(lengths) - 1:
            arcs.append((state, 0, state + 1))
            state += 1
        arcs.append((state, 0, state))
    return tuple(arcs), state


def regular(rng: random.Random, n: int) -> Drawn:
    """Nonograms of drawn pictures."""
    picture = [[int(rng.random() < 0.6) for _ in range(n)] for _ in range(n)]
    rows = [tuple(range(r * n, r * n + n)) for r in range(n)]
    made = []
    for line in (*rows, *zip(*rows, strict=True)):
        text = "".join(str(picture[v // n][v % n]) for v in line)
        arcs, final = _runs([len(run) for run in text.split("0") if run])
        made.append(kind("Regular")(line, arcs, 0, (final,)))
    return Drawn([range(2)] * (n * n), made)


def mdd(rng: random.Random, n: int) -> Drawn:
    """Ways through drawn diagrams, two over the same places."""

    def diagram() -> tuple[tuple[int, int, int], ...]:
        arcs = []
        for layer in range(n):
            for state in range(3 if layer else 1):
                for value in rng.sample(range(4), 3):
                    arcs.append((10 * layer + state, value, 10 * layer + 10 + rng.randrange(3)))
        return tuple(arcs)

    terms = tuple(range(n))
    two = [kind("MDD")(terms, diagram()), kind("MDD")(terms[::-1], diagram())]
    return Drawn([range(4)] * n, [*two, total(terms, "==", n)])


# --- scheduling ----------------------------------------------------------------------------------


def cumulative(rng: random.Random, n: int) -> Drawn:
    """Tasks with drawn durations and demands, some in order; the last ends early."""
    durations = [rng.randint(1, 4) for _ in range(n)]
    demands = [rng.randint(1, 3) for _ in range(n)]
    horizon = sum(a * b for a, b in zip(durations, demands, strict=True)) // 4 + 4
    starts = tuple(range(n))
    tasks = kind("Cumulative")(
        starts, tuple(map(constant, durations)), tuple(map(constant, demands)), constant(4)
    )
    ends = [less(Affine(i, 1, d), n) for i, d in enumerate(durations)]
    order = [less(i, j, by=durations[i]) for i, j in pairwise(sorted(rng.sample(range(n), n // 2)))]
    return Drawn([range(horizon)] * n + [range(horizon + 1)], [tasks, *ends, *order], n)


def no_overlap(rng: random.Random, n: int) -> Drawn:
    """Tasks on one machine with drawn windows; the last ends early."""
    lengths = [rng.randint(1, 4) for _ in range(n)]
    horizon = sum(lengths) + 2
    domains = [range(low, horizon) for low in (rng.randint(0, horizon // 2) for _ in range(n))]
    tasks = kind("NoOverlap")(tuple(range(n)), tuple(map(constant, lengths)))
    ends = [less(Affine(i, 1, d), n) for i, d in enumerate(lengths)]
    return Drawn([*domains, range(horizon + 4)], [tasks, *ends], n)


def no_overlap_2d(rng: random.Random, n: int) -> Drawn:
    """Boxes of drawn sides on a board."""
    sides = [(rng.randint(1, 3), rng.randint(1, 3)) for _ in range(n)]
    side = 2 + int(sum(a * b for a, b in sides) ** 0.5)
    widths, heights = (tuple(map(constant, row)) for row in zip(*sides, strict=True))
    xs, ys = tuple(range(n)), tuple(range(n, 2 * n))
    boxes = kind("NoOverlap2D")(xs, ys, widths, heights)
    domains = [range(side - w + 1) for w, _ in sides] + [range(side - h + 1) for _, h in sides]
    return Drawn(domains, [boxes])


# --- formulas ------------------------------------------------------------------------------------


def queens(rng: random.Random, n: int) -> Drawn:
    """Queens, as three all-different over views."""
    views = [tuple(Affine(i, 1, sign * i) for i in range(n)) for sign in (0, 1, -1)]
    return Drawn([range(n)] * n, [AllDifferent(view) for view in views])


def formulas(name: str) -> Callable[[random.Random, int], Drawn]:
    """Drawn comparisons of two variables, three in a connective."""

    def comparison(rng: random.Random, n: int) -> Constraint:
        relation = rng.choice(("<", "<=", "==", "!="))
        return Linear(tuple(rng.sample(range(n), 2)), (1, -1), relation, rng.randint(-1, 1))

    def make(rng: random.Random, n: int) -> Drawn:
        made = []
        for _ in range(2 * n):
            one, other, third = (comparison(rng, n) for _ in range(3))
            made.append(
                {
                    "And": core.Or((core.And((one, other)), third)),
                    "Or": core.Or((one, other, third)),
                    "Not": core.Not(core.And((one, other, third))),
                    "Implies": core.Implies(core.And((one, other)), third),
                    "Iff": core.Iff(one, core.Or((other, third))),
                    "Xor": core.Xor((one, other, third)),
                }[name]
            )
        return Drawn([range(4)] * n, made)

    return make


def reified(rng: random.Random, n: int) -> Drawn:
    """As many of drawn comparisons hold as asked for."""
    truths = []
    for _ in range(n):
        terms, relation = tuple(rng.sample(range(n), 3)), rng.choice(("<=", "==", "!="))
        truths.append(kind("Truth")(Linear(terms, (1, 1, -2), relation, rng.randint(0, 3))))
    sums = Linear(tuple(truths), (1,) * n, "==", n // 2)
    return Drawn([range(n)] * n, [sums, total(range(n), "==", n * n // 4)])


def reified_table(rng: random.Random, n: int) -> Drawn:
    """As many of drawn tables hold as asked for."""
    every = [(a, b, c) for a in range(4) for b in range(4) for c in range(4)]
    truths = [
        kind("Truth")(core.Table(tuple(rng.sample(range(n), 3)), tuple(rng.sample(every, 12))))
        for _ in range(n)
    ]
    sums = Linear(tuple(truths), (1,) * n, ">=", n // 2)
    return Drawn([range(4)] * n, [sums, total(range(n), "==", n)])


def clauses(rng: random.Random, n: int) -> Drawn:
    """Clauses of three literals, three to a variable."""
    drawn = [
        tuple(v if rng.random() < 0.5 else -v for v in rng.sample(range(1, n + 1), 3))
        for _ in range(3 * n)
    ]
    return Drawn([range(2)] * n, [Clauses(tuple(range(n)), Block(drawn))])


MAKERS: Mapping[str, tuple[Maker, ...]] = {
    maker.kind: tuple(m for m in _ALL if m.kind == maker.kind)
    for _ALL in [
        (
            Maker("AllDifferent", queens, (6, 8, 10)),
            Maker("AllEqual", all_equal, (6, 8, 10)),
            Maker("And", formulas("And"), (5, 7, 9)),
            Maker("BinPacking", bin_packing, (6, 9, 12)),
            Maker("Circuit", circuit, (7, 9, 12)),
            Maker("Clauses", clauses, (12, 20, 40)),
            Maker("Count", count, (6, 8, 10)),
            Maker("Count", among, (6, 8, 10)),
            Maker("Cumulative", cumulative, (5, 7, 9)),
            Maker("Distance", distance, (6, 7, 8)),
            Maker("Element", element_of_variables, (5, 6, 8)),
            Maker("Element2D", element2d, (5, 6, 7)),
            Maker("GlobalCardinality", cardinality, (3, 4, 5)),
            Maker("IfThenElse", if_then_else, (5, 8, 12)),
            Maker("Iff", formulas("Iff"), (5, 7, 9)),
            Maker("Implies", formulas("Implies"), (5, 7, 9)),
            Maker("Increasing", increasing, (4, 6, 8)),
            Maker("Inverse", inverse, (5, 7, 9)),
            Maker("Lex", lex, (3, 4, 5)),
            Maker("Linear", reified, (5, 7, 9)),
            Maker("MDD", mdd, (5, 8, 12)),
            Maker("Maximum", extreme("Maximum"), (5, 6, 8)),
            Maker("Minimum", extreme("Minimum"), (5, 6, 8)),
            Maker("NValue", nvalue, (6, 8, 10)),
            Maker("NoOverlap", no_overlap, (6, 9, 12)),
            Maker("NoOverlap2D", no_overlap_2d, (5, 8, 11)),
            Maker("Not", formulas("Not"), (5, 7, 9)),
            Maker("Or", formulas("Or"), (5, 7, 9)),
            Maker("Precedence", precedence, (6, 8, 10)),
            Maker("Product", product, (10, 20, 40)),
            Maker("Quotient", division("Quotient"), (10, 14, 20)),
            Maker("Regular", regular, (5, 7, 9)),
            Maker("Remainder", division("Remainder"), (10, 14, 20)),
            Maker("SubCircuit", subcircuit, (6, 8, 10)),
            Maker("Table", reified_table, (5, 7, 9)),
            Maker("Xor", formulas("Xor"), (5, 7, 9)),
        )
    ]
    for maker in _ALL
}
