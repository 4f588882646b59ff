"""Does Concord read CPMpy's constraints as CPMpy means them? Drawn ones, and their solutions.

    python -m results.studies.correctness.cpmpy_constraints [--draws 200] [--first SEED]
                [--most 400] [--only CLASS]... [--backend NAME]... [--out FOLDER]

For each of CPMpy's global constraints and functions, and for operators, and each seed, an
expression over a few small variables is drawn: bare, negated, implied, reified or within a
disjunction, its arguments variables, constants, affine or nested, division among them. At each
assignment what ``from_cpmpy`` made of it is compared with CPMpy's own ``argval``. Then every
``--backend`` counts the solutions through CPMpy's ``solveAll``.

A row for each class: draws, assignments, those that are true, and how many draws differ by whom.
Each that differs is printed, with its seed. Exit status 1 if Concord differs from CPMpy's values
anywhere. ``cpmpy_constraints.md`` and ``.json`` in ``--out`` are the table.
"""

from __future__ import annotations

import random
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

import cpmpy as cp
import msgspec
from cpmpy.expressions.core import Comparison, Operator
from cpmpy.expressions.utils import argval
from cpmpy.expressions.variables import NegBoolView, _BoolVarImpl

from backends import cpmpy_solver
from modelling.formats.cpmpy import from_cpmpy
from modelling.terms import is_true
from modelling.versions import find_version
from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study, option

RELATIONS = ("==", "!=", "<", "<=", ">", ">=")


class Drawer:
    """Draws CPMpy expressions over variables of its own."""

    def __init__(self, rng: random.Random, most: int) -> None:
        self.rng = rng
        self.integers: list[Any] = []
        size = 1
        for k in range(rng.randint(1, 4)):
            low = rng.randint(-2, 2)
            high = low + rng.randint(0, 3)
            if size * (high - low + 1) <= most:
                size *= high - low + 1
                self.integers.append(cp.intvar(low, high, name=f"x{k}"))
        number = 1 if size * 4 > most else 2
        self.booleans: list[Any] = [cp.boolvar(name=f"b{k}") for k in range(number)]

    def term(self, depth: int = 1) -> Any:
        """A variable mostly, else a constant, something affine, or a function of terms."""
        kind = self.rng.random()
        if kind < 0.12:
            return self.rng.randint(-2, 3)
        if kind < 0.62 or depth < 1:
            return self.rng.choice(self.integers)
        if kind < 0.68:
            return self.boolean(0)
        if kind < 0.8:
            return self.rng.choice((2, -1, 3)) * self.rng.choice(self.integers) + self.rng.randint(
                -1, 2
            )
        return self.rng.choice(tuple(FUNCTIONS.values()))(self, depth - 1)

    def expression(self, depth: int = 1) -> Any:
        """A term that is not a constant."""
        found = self.term(depth)
        while not isinstance(found, cp.expressions.core.Expression):
            found = self.term(depth)
        return found

    def number(self, depth: int = 1) -> Any:
        """An expression that is not Boolean, such as an index is."""
        found = self.expression(depth)
        while found.is_bool():
            found = self.expression(depth)
        return found

    def terms(self, least: int = 1, most: int = 4, depth: int = 1) -> list[Any]:
        """Several, one at least an expression."""
        number = self.rng.randint(least, most)
        return [self.expression(depth), *(self.term(depth) for _ in range(number - 1))]

    def boolean(self, depth: int = 1) -> Any:
        """A Boolean variable or its negation, or a comparison."""
        if depth < 1 or self.rng.random() < 0.6:
            found = self.rng.choice(self.booleans)
            return ~found if self.rng.random() < 0.3 else found
        return Comparison(self.rng.choice(RELATIONS), self.expression(depth - 1), self.term(0))

    def values(self, least: int = 1, most: int = 3) -> list[int]:
        """Distinct constants."""
        return self.rng.sample(range(-2, 4), self.rng.randint(least, most))

    def rows(self, width: int, cells: Sequence[Any]) -> list[list[Any]]:
        """Tuples of a table."""
        return [self.rng.choices(cells, k=width) for _ in range(self.rng.randint(1, 6))]

    def durations(self, number: int) -> list[Any]:
        """Lengths of tasks, seldom negative."""
        return [
            self.rng.randint(0, 3) if self.rng.random() < 0.7 else self.term(0)
            for _ in range(number)
        ]


Draw = Callable[..., Any]

FUNCTIONS: Mapping[str, Draw] = {
    "sum": lambda d, n=1: cp.sum(d.terms(2, 4, n)),
    "wsum": lambda d, n=1: Operator("wsum", ([2, -1, 0], [d.expression(n) for _ in range(3)])),
    "sub": lambda d, n=1: d.expression(n) - d.term(n),
    "neg": lambda d, n=1: -d.expression(n),
    "Multiplication": lambda d, n=1: d.expression(n) * d.term(n),
    "Division": lambda d, n=1: d.expression(n) // _other(d.term(n), 0),
    "Modulo": lambda d, n=1: d.expression(n) % _other(d.term(n), 0),
    "Power": lambda d, n=1: d.expression(n) ** d.rng.randint(0, 3),
    "Abs": lambda d, n=1: cp.Abs(d.expression(n)),
    "Minimum": lambda d, n=1: cp.Minimum(d.terms(1, 4, n)),
    "Maximum": lambda d, n=1: cp.Maximum(d.terms(1, 4, n)),
    "Element": lambda d, n=1: cp.Element(d.terms(1, 4, n), d.number(n)),
    "NDElement": lambda d, n=1: _element_of_matrix(d, n),
    "Count": lambda d, n=1: cp.Count(d.terms(1, 4, n), d.term(n)),
    "Among": lambda d, n=1: cp.Among(d.terms(1, 4, n), d.values()),
    "NValue": lambda d, n=1: cp.NValue(d.terms(1, 4, n)),
    "NValueExcept": lambda d, n=1: cp.NValueExcept(d.terms(1, 4, n), d.rng.randint(-2, 3)),
}
"""Global functions and operators that are numbers."""


def _other(term: Any, value: int) -> Any:
    """A divisor that is not the constant 0, which CPMpy refuses."""
    return 2 if isinstance(term, int) and term == value else term


def _element_of_matrix(d: Drawer, depth: int) -> Any:
    shape = d.rng.choice(((2, 2), (1, 3), (2, 1, 2)))
    items = cp.cpm_array([d.expression(0) for _ in range(prod(shape))]).reshape(shape)
    make = getattr(cp, "NDElement", None) or cp.expressions.globalfunctions.NDElement
    return make(items, [d.number(0) for _ in shape])


def _automaton(d: Drawer) -> Any:
    arcs = {(d.rng.randint(0, 2), v): d.rng.randint(0, 2) for v in range(-1, 3) for _ in range(2)}
    transitions = [(state, value, to) for (state, value), to in arcs.items()]
    terms = [d.expression() for _ in range(d.rng.randint(1, 4))]
    return cp.Regular(terms, transitions, transitions[0][0], d.rng.sample(range(3), 2))


def _diagram(d: Drawer) -> Any:
    terms = [d.expression() for _ in range(3)]
    arcs = [
        ("r", 0, "a"),
        ("r", 1, "b"),
        ("r", 2, "b"),
        ("a", 1, "c"),
        ("b", 0, "c"),
        ("b", -1, "d"),
    ]
    arcs += [("c", 0, "t"), ("d", 1, "t"), ("c", 2, "t"), ("d", -2, "t")]
    kept = [
        arc for arc in arcs if arc[:2] in (("r", 1), ("b", 0), ("c", 0)) or d.rng.random() < 0.7
    ]
    return cp.MDD(terms, sorted(kept, key=lambda arc: arc[0] != "r"))


def _scheduled(name: str, optional: bool) -> Draw:
    def draw(d: Drawer) -> Any:
        number = d.rng.randint(1, 3)
        starts, times = [d.term() for _ in range(number)], d.durations(number)
        ends = [[d.term(0) for _ in range(number)]] if d.rng.random() < 0.2 else [None]
        more: list[Any] = []
        if name.startswith("Cumulative"):
            constant = optional or d.rng.random() < 0.7  # see the documentation of formats
            more = [d.durations(number), d.rng.randint(0, 4) if constant else d.term(0)]
        if optional:
            more.append([d.boolean() for _ in range(number)])
        return getattr(cp, name)(starts, times, *ends, *more)

    return draw


def _reservoir(optional: bool) -> Draw:
    def draw(d: Drawer) -> Any:
        number = d.rng.randint(1, 3)
        starts, changes = [d.term() for _ in range(number)], d.rng.choices(range(-2, 3), k=number)
        there = [[d.boolean() for _ in range(number)]] if optional else []
        kind = cp.ReservoirOptional if optional else cp.Reservoir
        return kind(starts, changes, -d.rng.randint(0, 1), d.rng.randint(0, 2), *there)

    return draw


def _lists(d: Drawer, number: int) -> list[list[Any]]:
    length = d.rng.randint(1, 3)
    return [[d.term() for _ in range(length)] for _ in range(number)]


def _cardinality(d: Drawer) -> Any:
    values = d.values()
    counts = [d.rng.randint(0, 2) if d.rng.random() < 0.5 else d.term(0) for _ in values]
    return cp.GlobalCardinalityCount(d.terms(1, 4), values, counts, closed=d.rng.random() < 0.5)


def _inverse(d: Drawer) -> Any:
    length = d.rng.randint(1, 3)
    return cp.Inverse(*([d.term() for _ in range(length)] for _ in range(2)))


def _table(d: Drawer, name: str) -> Any:
    terms = [d.expression() for _ in range(d.rng.randint(1, 3))]
    cells = [*range(-2, 4), *(["*"] * 3 if name == "ShortTable" else [])]
    return getattr(cp, name)(terms, d.rows(len(terms), cells))


CONSTRAINTS: Mapping[str, Draw] = {
    "comparison": lambda d: Comparison(d.rng.choice(RELATIONS), d.expression(2), d.term(2)),
    "and": lambda d: cp.all([d.boolean(2) for _ in range(3)]),
    "or": lambda d: cp.any([d.boolean(2) for _ in range(3)]),
    "->": lambda d: d.boolean(2).implies(d.boolean(2)),
    "not": lambda d: ~d.boolean(2),
    "==": lambda d: Comparison(d.rng.choice(("==", "!=")), d.boolean(2), d.boolean(2)),
    "AllDifferent": lambda d: cp.AllDifferent(d.terms(1, 4)),
    "AllDifferentExcept0": lambda d: cp.AllDifferentExcept0(d.terms(1, 4)),
    "AllDifferentExceptN": lambda d: cp.AllDifferentExceptN(d.terms(1, 4), d.values()),
    "AllEqual": lambda d: cp.AllEqual(d.terms(1, 4)),
    "AllEqualExceptN": lambda d: cp.AllEqualExceptN(d.terms(1, 4), d.values()),
    "Circuit": lambda d: cp.Circuit(d.terms(2, 4)),
    "Inverse": _inverse,
    "Table": lambda d: _table(d, "Table"),
    "ShortTable": lambda d: _table(d, "ShortTable"),
    "NegativeTable": lambda d: _table(d, "NegativeTable"),
    "Regular": _automaton,
    "MDD": _diagram,
    "IfThenElse": lambda d: cp.IfThenElse(d.boolean(2), d.boolean(2), d.boolean(2)),
    "InDomain": lambda d: cp.InDomain(d.expression(), d.values()),
    "Xor": lambda d: cp.Xor([d.boolean(2) for _ in range(d.rng.randint(1, 3))]),
    "Cumulative": _scheduled("Cumulative", False),
    "CumulativeOptional": _scheduled("CumulativeOptional", True),
    "NoOverlap": _scheduled("NoOverlap", False),
    "NoOverlapOptional": _scheduled("NoOverlapOptional", True),
    "Reservoir": _reservoir(False),
    "ReservoirOptional": _reservoir(True),
    "Precedence": lambda d: cp.Precedence(d.terms(1, 4), d.values(1, 3)),
    "GlobalCardinalityCount": _cardinality,
    "Increasing": lambda d: cp.Increasing(d.terms(1, 4)),
    "IncreasingStrict": lambda d: cp.IncreasingStrict(d.terms(1, 4)),
    "Decreasing": lambda d: cp.Decreasing(d.terms(1, 4)),
    "DecreasingStrict": lambda d: cp.DecreasingStrict(d.terms(1, 4)),
    "LexLess": lambda d: cp.LexLess(*_lists(d, 2)),
    "LexLessEq": lambda d: cp.LexLessEq(*_lists(d, 2)),
    "LexChainLess": lambda d: cp.LexChainLess(_lists(d, 3)),
    "LexChainLessEq": lambda d: cp.LexChainLessEq(_lists(d, 3)),
} | {
    name: lambda d, draw=draw: Comparison(d.rng.choice(RELATIONS), draw(d), d.term(0))
    for name, draw in FUNCTIONS.items()
}
"""Whatever is a constraint; a function is compared."""

KINDS = tuple(name for name in CONSTRAINTS if hasattr(cp, name) or not name.startswith("Reservoir"))
"""The constraints of this CPMpy."""


def draw_constraint(kind: str, seed: int, most: int) -> tuple[Any, list[Any]]:
    """A constraint and all its variables; it is posted alone or inside another one."""
    rng = random.Random(f"{kind} {seed}")
    while True:
        d = Drawer(rng, most)
        if not d.integers:
            continue
        found = CONSTRAINTS[kind](d)
        b = rng.choice(d.booleans)
        place = rng.randrange(6)
        if place == 1:
            found = ~found
        elif place == 2:
            found = b.implies(found)
        elif place == 3:
            found = found == b
        elif place == 4:
            found = found | b
        if isinstance(found, cp.expressions.core.Expression) and found.is_bool():
            return found, d.integers + d.booleans


class Row(msgspec.Struct):
    """The result for one class; ``differing`` counts draws by whose answer differed."""

    kind: str
    draws: int = 0
    assignments: int = 0
    true: int = 0
    differing: dict[str, int] = msgspec.field(default_factory=dict)


def truths(constraint: Any, variables: Sequence[Any]) -> Iterator[tuple[tuple[int, ...], bool]]:
    """Each assignment, and whether CPMpy says that the constraint holds there."""
    for values in product(*(range(v.lb, v.ub + 1) for v in variables)):
        for variable, value in zip(variables, values, strict=True):
            boolean = isinstance(variable, _BoolVarImpl) and not isinstance(variable, NegBoolView)
            variable._value = bool(value) if boolean else value
        yield values, bool(argval(constraint))


def differences(
    kind: str, seed: int, most: int, backends: Sequence[str], row: Row
) -> Iterator[tuple[str, str]]:
    """Who gives another answer than CPMpy's values for one draw, and which; ``row`` is counted."""
    constraint, variables = draw_constraint(kind, seed, most)
    model = cp.Model([constraint, *(v >= v.lb for v in variables)])  # so that it has all of them
    problem = from_cpmpy(model)
    names = [variable.name for variable in variables]
    order = [problem.structure.index[name] for name in names]
    count, wrong = 0, []
    for values, expected in truths(constraint, variables):
        placed = [0] * len(order)
        for place, value in zip(order, values, strict=True):
            placed[place] = value
        count += expected
        row.assignments += 1
        if all(is_true(c, placed) for c in problem.structure.constraints) != expected:
            wrong.append((values, expected))
    row.draws, row.true = row.draws + 1, row.true + count
    if wrong:
        yield "Concord", f"{constraint}: CPMpy says {wrong[0][1]} at {names} = {wrong[0][0]}"
    for name in backends:
        found = model.solveAll(solver=f"{cpmpy_solver.NAME}:{name}")
        if found != count:
            yield name, f"{constraint}: {found} solutions, CPMpy's values {count}"


def report(rows: Sequence[Row], asked: Options) -> str:
    """Return the table, with the number of draws."""
    columns = ["Concord", *asked.backend]
    table = []
    for row in [*rows, total(rows)]:
        counts = " | ".join(str(row.differing.get(name, 0)) for name in columns)
        table.append(f"{row.kind} | {row.draws} | {row.assignments:,} | {row.true:,} | {counts}")
    heads = " | ".join(["class | draws: | assignments: | true:", *(f"{one}:" for one in columns)])
    return join_page(
        "# CPMpy's constraints as Concord reads them",
        f"CPMpy {find_version('cpmpy')}. Seeds {asked.first} to {asked.first + asked.draws - 1} of "
        f"each class, at most {asked.most} assignments. The last columns: draws in which somebody "
        "differs from CPMpy's own values, at an assignment (Concord) or in the count (backends).",
        list_table(heads, table),
    )


def total(rows: Sequence[Row]) -> Row:
    """All rows in one."""
    differing = sum((Counter(row.differing) for row in rows), Counter())
    draws, assignments = sum(row.draws for row in rows), sum(row.assignments for row in rows)
    return Row("all", draws, assignments, sum(row.true for row in rows), dict(differing))


def measure(chosen: Options, known: Known) -> Iterator[Row]:
    """A row for each class."""
    warnings.simplefilter("ignore")
    for kind in chosen.only or KINDS:
        if kind in known:
            continue
        row, counter = Row(kind), Counter[str]()
        for seed in range(chosen.first, chosen.first + chosen.draws):
            for who, what in differences(kind, seed, chosen.most, chosen.backend, row):
                counter[who] += 1
                print(f"{kind}, seed {seed}: {who}: {what}", flush=True)
        row.differing = dict(counter)
        yield row


STUDY = Study(
    "correctness.cpmpy_constraints",
    __doc__,
    Row,
    key=lambda row: row.kind,
    measure=measure,
    report=report,
    place="cpmpy",
    faults=lambda rows: [f"{r.kind}: Concord differs" for r in rows if "Concord" in r.differing],
    options=(
        option("--draws", 200, "draws for each class"),
        option("--first", 0, "first seed", metavar="SEED"),
        option("--most", 400, "assignments of a draw at most"),
        option("--only", [], "these classes alone", choices=KINDS),
        option("--backend", [], "count by these, too"),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
