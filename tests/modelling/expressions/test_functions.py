"""The vocabulary as functions: each class is bound, and means by expressions what it means."""

import pydoc
from dataclasses import dataclass
from itertools import product

import pytest

import concord
from modelling.constraint import Constraint, Predicate
from modelling.constraints import ANY, VOCABULARY, AllDifferent, Function, Table
from modelling.errors import ModelError
from modelling.expressions.functions import FUNCTIONS, OPERATORS, bind, spell
from modelling.expressions.model import Model
from modelling.terms import Terms, constant


@pytest.fixture
def m():
    return Model()


@pytest.fixture
def x(m):
    return m.ints(3, 0, 2, "x")


def test_every_class_is_a_function_of_concord():
    for kind in VOCABULARY:
        if kind.__name__ not in OPERATORS:
            for name in spell(kind):
                assert getattr(concord, name) is FUNCTIONS[name]
                assert name in concord.__all__
                assert FUNCTIONS[name].__doc__ == kind.__doc__
    assert {kind.__name__ for kind in VOCABULARY} >= OPERATORS
    assert len(set(concord.__all__)) == len(concord.__all__)


def test_help_tells_arguments_and_meaning():
    told = pydoc.plain(pydoc.render_doc(concord.cumulative))
    assert "cumulative(starts" in "".join(told.split())  # 3.13 folds a long signature
    assert "the load never exceeds the capacity" in told


@pytest.mark.parametrize(
    "kind", [k for k in VOCABULARY if k.__name__ not in OPERATORS], ids=lambda k: k.__name__
)
def test_edges_hold_where_integers_stand_for_constants(m, kind):
    """What each class tells of itself with constants, asked with plain integers."""

    def plain(value):
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return value.offset
        if isinstance(value, Predicate):
            return value.holds(())
        return [plain(one) for one in value] if isinstance(value, tuple) else value

    for arguments, wanted in kind.EDGES:
        made = bind(kind)(*map(plain, arguments))
        s = m.solution(())
        if wanted is None:
            with pytest.raises(ModelError, match="no value"):
                s[made]
        else:
            assert s[made] == wanted


def agree(m, x, condition, test):
    """That a condition over x holds exactly where ``test`` says so."""
    m.add(condition)
    (constraint,) = m.problem().structure.constraints
    for values in product(range(3), repeat=3):
        assert constraint.holds([values[v] for v in constraint.scope]) == test(*values)


@pytest.mark.parametrize(
    ("made", "test"),
    [
        (lambda x: concord.all_different(x), lambda a, b, c: len({a, b, c}) == 3),
        (
            lambda x: concord.all_different(x[0], x[1], 1),
            lambda a, b, c: a != b and 1 not in (a, b),
        ),
        (lambda x: concord.all_different(x, except_=0), lambda a, b, c: _differ(a, b, c)),
        (lambda x: concord.all_equal(one for one in x), lambda a, b, c: a == b == c),
        (lambda x: concord.count(x, 1) == 2, lambda a, b, c: [a, b, c].count(1) == 2),
        (lambda x: concord.count(x, [1, 2]) == 2, lambda a, b, c: (a, b, c).count(0) == 1),
        (lambda x: concord.count(x[1:], x[0]) == 1, lambda a, b, c: [b, c].count(a) == 1),
        (lambda x: concord.nvalue(x) == 2, lambda a, b, c: len({a, b, c}) == 2),
        (
            lambda x: concord.cardinality(x[:2], [0, 1], [x[2], 1]),
            lambda a, b, c: [a, b].count(0) == c and [a, b].count(1) == 1,
        ),
        (lambda x: concord.lex_less(x[:2], x[1:]), lambda a, b, c: (a, b) < (b, c)),
        (lambda x: concord.lex_less_equal(x[:2], x[1:]), lambda a, b, c: (a, b) <= (b, c)),
        (lambda x: concord.increasing(x, strict=True), lambda a, b, c: a < b < c),
        (lambda x: concord.decreasing(x), lambda a, b, c: a >= b >= c),
        (lambda x: concord.precede(x, [0, 1]), lambda a, b, c: _precede(a, b, c)),
        (lambda x: concord.inverse(x, x), lambda a, b, c: _inverse(a, b, c)),
        (lambda x: concord.circuit(x), lambda *v: v in {(1, 2, 0), (2, 0, 1)}),
        (
            lambda x: concord.cumulative(x, [1, 1, 1], [1, 1, 1], 1),
            lambda a, b, c: len({a, b, c}) == 3,
        ),
        (lambda x: concord.no_overlap(x, [1, 1, 1]), lambda a, b, c: len({a, b, c}) == 3),
        (
            lambda x: concord.no_overlap_2d(x[:2], [0, 0], [1, x[2]], [1, 1]),
            lambda a, b, c: c == 0 or a + 1 <= b or b + c <= a,
        ),
        (
            lambda x: concord.regular(x, [(0, 0, 0), (0, 1, 1), (1, 0, 0)], 0, [0]),
            lambda a, b, c: 2 not in (a, b, c) and c == 0 and (a, b) != (1, 1),
        ),
        (lambda x: concord.mdd(x[:1], [(0, 1, 1)]), lambda a, b, c: a == 1),
        (
            lambda x: concord.bin_packing(x, [2, 1, 1], "<=", [2, 2, 0]),
            lambda a, b, c: _packed(a, b, c),
        ),
        (
            lambda x: concord.table(x, [(0, 1, 2), (2, ANY, 2)]),
            lambda a, b, c: (a, b, c) == (0, 1, 2) or (a, c) == (2, 2),
        ),
        (lambda x: concord.table(x[:2], [(0, 1)], allowed=False), lambda a, b, c: (a, b) != (0, 1)),
        (lambda x: concord.element(x, x[0]) == 1, lambda a, b, c: (a, b, c)[a] == 1),
        (
            lambda x: concord.if_then_else(x[0] > 1, x[1], 5 - x[2]) == 2,
            lambda a, b, c: (b if a > 1 else 5 - c) == 2,
        ),
        (lambda x: concord.xor([x[0] > 0, x[1] > 0]), lambda a, b, c: (a > 0) != (b > 0)),
        (lambda x: concord.product(x) == 4, lambda a, b, c: a * b * c == 4),
        (lambda x: concord.minimum(x) == 1, lambda a, b, c: min(a, b, c) == 1),
    ],
)
def test_functions_of_expressions(m, x, made, test):
    agree(m, x, made(x), test)


def _differ(*values):
    kept = [v for v in values if v]
    return len(set(kept)) == len(kept)


def _precede(*values):
    return 1 not in values or 0 in values[: values.index(1)]


def _inverse(*f):
    return all(f[f[k]] == k for k in range(3))


def _packed(*bins):
    held = [sum(size for b, size in zip(bins, (2, 1, 1), strict=True) if b == k) for k in range(3)]
    return held[0] <= 2 and held[1] <= 2 and held[2] <= 0


def test_what_is_wrong_in_a_call_is_told(x):
    for trap, match in [
        (lambda: concord.table(x), "table takes terms, tuples, allowed: .*missing"),
        (lambda: concord.circuit(x, 1, 2), "circuit takes 1 arguments"),
        (lambda: concord.increasing(x, loose=True), "loose"),
        (lambda: concord.precede(x, [1.5]), "1.5 stands where an integer must"),
        (lambda: concord.all_different("abc"), "'abc' beside"),
        (lambda: concord.all_different([1.5, x[0]]), "1.5 beside"),
        (lambda: bind(int), "int is no class of constraints"),
    ]:
        with pytest.raises(ModelError, match=match):
            trap()


@dataclass(frozen=True)
class Even(Predicate):
    """Their sum is even."""

    terms: Terms

    def relates(self, terms):
        return sum(terms) % 2 == 0


class Rising(Constraint):
    """The short way."""

    def holds(self, values):
        return sorted(values) == list(values)


@dataclass(frozen=True)
class Square(Function):
    """Of one term."""

    terms: Terms

    def value(self, terms):
        return terms[0] ** 2

    def bounds(self, domains):
        return 0, 10**6


def test_classes_of_ones_own_are_bound():
    m = concord.Model()
    x = m.ints(3, 0, 2, "x")
    even, rising, square = bind(Even), bind(Rising), bind(Square)
    m.add(even(x[0] + 1, x[1], x[2]) | (x[0] == 0), rising(x), square(x[2]) >= 4)
    found = {tuple(s["x"]) for s in m.solutions(backend="brute_force")}
    assert found == {
        v
        for v in product(range(3), repeat=3)
        if (sum(v) % 2 == 1 or v[0] == 0) and sorted(v) == list(v) and v[2] == 2
    }


def test_constants_stand_as_constants(x):
    assert concord.all_different(x[0], 7).formula == AllDifferent((0, constant(7)))
    assert x[0].isin([5, 3, 5]).formula == Table((0,), ((5,), (3,)))
