"""What the classes of the vocabulary mean to each other, by all assignments; what is refused."""

import random
from itertools import pairwise, product

import pytest

from modelling.constraints import (
    Affine,
    AllDifferent,
    And,
    Count,
    Element,
    Linear,
    Not,
    Or,
    Sum,
    Table,
    constant,
    constants,
    equal,
    equals,
)
from modelling.errors import ModelError
from modelling.problem import Structure
from modelling.rewriting import Profile, rewrite
from modelling.terms import is_true
from modelling.vocabulary.automata.mdd import MDD
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.counting.bin_packing import BinPacking
from modelling.vocabulary.counting.global_cardinality import GlobalCardinality
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.equality.all_equal import AllEqual
from modelling.vocabulary.functions.distance import Distance
from modelling.vocabulary.functions.element2d import Element2D
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.functions.multiplication import Product, Quotient, Remainder
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.graphs.inverse import Inverse
from modelling.vocabulary.graphs.subcircuit import SubCircuit
from modelling.vocabulary.ordering.increasing import Increasing
from modelling.vocabulary.ordering.lex import Lex
from modelling.vocabulary.ordering.precedence import Precedence
from modelling.vocabulary.scheduling.cumulative import Cumulative
from modelling.vocabulary.scheduling.no_overlap import NoOverlap
from modelling.vocabulary.scheduling.no_overlap_2d import NoOverlap2D

X, Y = (0, 1, 2), (3, 4, 5)
ONES, ZEROS = constants(1, 1, 1), constants(0, 0, 0)
POSITIONS = equals(0, 0), equals(1, 1), equals(2, 2)


def negative(term):
    return Affine(term, -1, 0)


SAME = {
    "a circuit is a subcircuit without loops": (
        Circuit(X),
        And((SubCircuit(X), *map(Not, POSITIONS))),
    ),
    "a subcircuit of all or none": (
        And((SubCircuit(X), Or((Not(POSITIONS[0]), And(POSITIONS))))),
        Or((Circuit(X), And(POSITIONS), *(Table(X, (row,)) for row in ((1, 0, 2), (2, 1, 0))))),
    ),
    "unit tasks on one machine": (Cumulative(X, ONES, ONES, constant(1)), AllDifferent(X)),
    "unit tasks do not overlap": (NoOverlap(X, ONES), AllDifferent(X)),
    "tasks on one machine": (NoOverlap(X, Y), Cumulative(X, Y, ONES, constant(1))),
    "no task inside another": (
        And((NoOverlap(X, Y, True), *(Linear((y,), (1,), ">", 0) for y in Y))),
        And((NoOverlap(X, Y), *(Linear((y,), (1,), ">", 0) for y in Y))),
    ),
    "boxes on one line": (NoOverlap2D(X, ZEROS, Y, ONES), NoOverlap(X, Y)),
    "boxes on one line, strictly": (NoOverlap2D(X, ZEROS, Y, ONES, True), NoOverlap(X, Y, True)),
    "boxes without height": (NoOverlap2D(X, ZEROS, Y, ZEROS), And(())),
    "as many values as terms": (equal(NValue(X), constant(3)), AllDifferent(X)),
    "at most one value": (Linear((NValue(X),), (1,), "<=", 1), AllEqual(X)),
    "lexicographic both ways": (
        And((Lex((X, Y)), Lex((Y, X)))),
        And(tuple(map(equal, X, Y))),
    ),
    "lexicographic, strictly": (Lex((X, Y), True), And((Lex((X, Y)), Not(Lex((Y, X)))))),
    "rows of one": (Lex(((0,), (1,), (2,)), True), Increasing(X, True)),
    "increasing and different": (Increasing(X, True), And((Increasing(X), AllDifferent(X)))),
    "decreasing": (Increasing(X, False, True), Increasing(X[::-1])),
    "bins of things of one size": (
        BinPacking(X, (1, 1, 1), "==", Y),
        GlobalCardinality(X, (0, 1, 2), Y, True),
    ),
    "loads are capacities that are reached": (
        BinPacking(X, (2, 0, 1), "==", Y),
        And((BinPacking(X, (2, 0, 1), "<=", Y), equal(Sum(Y), constant(3)))),
    ),
    "counts one by one": (
        GlobalCardinality(X, (0, 2), (3, 4)),
        And((equal(Count(X, constants(0)), 3), equal(Count(X, constants(2)), 4))),
    ),
    "pairs": (
        Inverse(X, X),
        And(tuple(equal(Element(X, x), constant(k)) for k, x in enumerate(X))),
    ),
    "the inverse of an inverse": (Inverse(X, Y), Inverse(Y, X)),
    "a matrix of one row": (equal(Element2D((X,), constant(0), 3), 4), equal(Element(X, 3), 4)),
    "least and greatest": (
        equal(Minimum(X), 3),
        equal(Maximum(tuple(map(negative, X))), negative(3)),
    ),
    "distance is the greater difference": (
        equal(Distance(0, 1), 2),
        equal(Maximum((Sum((0, 1), (1, -1)), Sum((0, 1), (-1, 1)))), 2),
    ),
    "a cube": (equal(Product((0, 0, 0)), 1), equal(Product((0, Product((0, 0)))), 1)),
    "quotient and remainder": (
        equal(Sum((Product((1, Quotient(0, 1))), Remainder(0, 1))), 0),
        Linear((1,), (1,), "!=", 0),
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_two_ways_to_say_one_thing(name):
    one, other = SAME[name]
    size = 1 + max(*one.scope, *other.scope)
    values = range(-1, 4) if size <= 4 else range(3)
    truths = set()
    for assignment in product(values, repeat=size):
        truths.add(is_true(one, assignment))
        assert is_true(one, assignment) == is_true(other, assignment), assignment
    assert name == "boxes without height" or truths == {True, False}


def unrolled(regular):
    """The decision diagram of an automaton: its states once for each place, those that lead to a
    final one only."""
    leading = {(len(regular.terms), state) for state in regular.finals}
    arcs = []
    for place in range(len(regular.terms) - 1, -1, -1):
        for state, value, to in regular.transitions:
            if (place + 1, to) in leading:
                leading.add((place, state))
                arcs.append((10 * place + state, value, 10 * (place + 1) + to))
    if (0, regular.start) not in leading:
        return MDD(regular.terms, ())
    arcs.sort(key=lambda arc: arc[0] != regular.start)
    return MDD(regular.terms, arcs)


def test_an_automaton_is_its_unrolled_diagram():
    rng = random.Random(1)
    accepted = 0
    for _ in range(60):
        arcs = [[rng.randrange(3), rng.randrange(2), rng.randrange(3)] for _ in range(6)]
        regular = Regular(X[: rng.randint(1, 3)], arcs, 0, rng.sample(range(3), 2))
        diagram = unrolled(regular)
        for values in product(range(-1, 3), repeat=len(regular.terms)):
            assert regular.holds(values) == diagram.holds(values), (regular, values)
            accepted += regular.holds(values)
    assert accepted > 100


def test_precedence_by_first_occurrences():
    for values in product(range(4), repeat=4):
        first = [values.index(v) if v in values else 9 for v in (2, 0, 3)]
        expected = all(a < b or b == 9 for a, b in pairwise(first))
        assert Precedence((0, 1, 2, 3), (2, 0, 3)).holds(values) == expected


def test_a_tour_is_a_permutation_of_one_cycle():
    """Circuits of n nodes are (n - 1)!; subcircuits are as many as cycles, and the empty one."""
    for number, circuits, subcircuits in ((2, 1, 2), (3, 2, 6), (4, 6, 21)):
        nodes = tuple(range(number))
        every = list(product(range(-1, number + 1), repeat=number))
        assert sum(map(Circuit(nodes).holds, every)) == circuits
        assert sum(map(SubCircuit(nodes).holds, every)) == subcircuits


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (lambda: Minimum(()), "Minimum of no terms has no value anywhere"),
        (lambda: Maximum(()), "Maximum of no terms has no value anywhere"),
        (lambda: Element2D((), 0, 1), "Element2D of no terms"),
        (lambda: Element2D(((), ()), 0, 1), "Element2D of no terms"),
        (lambda: Element2D(((0,), (1, 2)), 0, 1), "rows of a matrix have one length"),
        (lambda: GlobalCardinality((0,), (1, 2), (1,)), "2 values but 1 counts"),
        (lambda: BinPacking((0,), (1, 2), "==", (1,)), "1 items but 2 sizes"),
        (lambda: BinPacking((0,), (-1,), "==", (1,)), "size -1 is negative"),
        (lambda: BinPacking((0,), (1,), ">=", (1,)), "unknown relation '>='"),
        (lambda: NoOverlap((0, 1), (1,)), "2 starts but 1 lengths"),
        (lambda: NoOverlap2D((0,), (1,), (), (2,)), "1 and 1 corners, 0 widths, 1 heights"),
        (lambda: Cumulative((0,), (1,), (), 2), "1 starts, 1 durations, 0 demands"),
        (lambda: Regular((0,), ((0, 1),), 0, ()), "transition 0, .0, 1., is no state, value"),
        (lambda: MDD((0,), ((0, 1, 1), (0, "*", 1))), "MDD: transition 1"),
    ],
)
def test_what_cannot_be_stated_says_why(state, message):
    with pytest.raises(ModelError, match=message):
        state()


# --- large domains -------------------------------------------------------------------------------

WIDE = 5_000  # more values than are tried one by one


@pytest.mark.parametrize(
    ("term", "solution", "others"),
    [
        (Element(constants(5, 1), 0), (1, 0, 1), ((1, 0, 5), (2, 0, 1), (4000, 3, 5))),
        (Quotient(1, 0), (7, -50, -7), ((7, -50, -8), (0, 50, 0), (0, 50, 50))),
        (Remainder(1, 0), (7, -50, -1), ((7, -50, 6), (0, 50, 0), (0, 50, 50))),
        (Product((0, 1)), (70, -50, -3500), ((70, -50, 3500), (1, 0, 1))),
    ],
)
def test_a_function_of_wide_arguments_is_rewritten(term, solution, others):
    """Each auxiliary is determined: who extends an assignment sees whether it is a solution."""
    domains = {"x": range(WIDE), "y": range(-WIDE, WIDE), "z": range(-WIDE, WIDE)}
    structure = constraints_over(domains, equal(term, 2))
    rewritten = rewrite(structure, Profile.of_plain({Linear}))
    assert satisfied(rewritten, solution)
    assert not any(satisfied(rewritten, other) for other in others)


def constraints_over(domains, constraint):
    names, values = tuple(domains), tuple(domains.values())
    return Structure(names, values, (constraint,))


def satisfied(rewritten, values):
    whole = rewritten.extend(values)
    return all(is_true(constraint, whole) for constraint in rewritten.structure.constraints)
