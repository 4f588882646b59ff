"""What the classes of the vocabulary mean to each other, by all assignments; what is refused."""

import random
from itertools import pairwise, product

import pytest

from modelling import constraints as mc
from modelling.errors import ModelError
from modelling.problem import Objective, Problem, Structure, build_problem
from modelling.rewriting import Profile, rewrite
from modelling.terms import is_true

X, Y = (0, 1, 2), (3, 4, 5)
ONE = {"x": (1,)}
ONES, ZEROS = mc.constants(1, 1, 1), mc.constants(0, 0, 0)
POSITIONS = mc.equals(0, 0), mc.equals(1, 1), mc.equals(2, 2)


def negative(term):
    return mc.Affine(term, -1, 0)


SAME = {
    "a circuit is a subcircuit without loops": (
        mc.Circuit(X),
        mc.And((mc.SubCircuit(X), *map(mc.Not, POSITIONS))),
    ),
    "a subcircuit of all or none": (
        mc.And((mc.SubCircuit(X), mc.Or((mc.Not(POSITIONS[0]), mc.And(POSITIONS))))),
        mc.Or(
            (
                mc.Circuit(X),
                mc.And(POSITIONS),
                *(mc.Table(X, (row,)) for row in ((1, 0, 2), (2, 1, 0))),
            )
        ),
    ),
    "unit tasks on one machine": (mc.Cumulative(X, ONES, ONES, mc.constant(1)), mc.AllDifferent(X)),
    "unit tasks do not overlap": (mc.NoOverlap(X, ONES), mc.AllDifferent(X)),
    "tasks on one machine": (mc.NoOverlap(X, Y), mc.Cumulative(X, Y, ONES, mc.constant(1))),
    "no task inside another": (
        mc.And((mc.NoOverlap(X, Y, True), *(mc.Linear((y,), (1,), ">", 0) for y in Y))),
        mc.And((mc.NoOverlap(X, Y), *(mc.Linear((y,), (1,), ">", 0) for y in Y))),
    ),
    "boxes on one line": (mc.NoOverlap2D(X, ZEROS, Y, ONES), mc.NoOverlap(X, Y)),
    "boxes on one line, strictly": (
        mc.NoOverlap2D(X, ZEROS, Y, ONES, True),
        mc.NoOverlap(X, Y, True),
    ),
    "boxes without height": (mc.NoOverlap2D(X, ZEROS, Y, ZEROS), mc.And(())),
    "as many values as terms": (mc.equal(mc.NValue(X), mc.constant(3)), mc.AllDifferent(X)),
    "at most one value": (mc.Linear((mc.NValue(X),), (1,), "<=", 1), mc.AllEqual(X)),
    "lexicographic both ways": (
        mc.And((mc.Lex((X, Y)), mc.Lex((Y, X)))),
        mc.And(tuple(map(mc.equal, X, Y))),
    ),
    "lexicographic, strictly": (
        mc.Lex((X, Y), True),
        mc.And((mc.Lex((X, Y)), mc.Not(mc.Lex((Y, X))))),
    ),
    "rows of one": (mc.Lex(((0,), (1,), (2,)), True), mc.Increasing(X, True)),
    "increasing and different": (
        mc.Increasing(X, True),
        mc.And((mc.Increasing(X), mc.AllDifferent(X))),
    ),
    "decreasing": (mc.Increasing(X, False, True), mc.Increasing(X[::-1])),
    "bins of things of one size": (
        mc.BinPacking(X, (1, 1, 1), "==", Y),
        mc.GlobalCardinality(X, (0, 1, 2), Y, True),
    ),
    "loads are capacities that are reached": (
        mc.BinPacking(X, (2, 0, 1), "==", Y),
        mc.And((mc.BinPacking(X, (2, 0, 1), "<=", Y), mc.equal(mc.Sum(Y), mc.constant(3)))),
    ),
    "counts one by one": (
        mc.GlobalCardinality(X, (0, 2), (3, 4)),
        mc.And(
            (mc.equal(mc.Count(X, mc.constants(0)), 3), mc.equal(mc.Count(X, mc.constants(2)), 4))
        ),
    ),
    "pairs": (
        mc.Inverse(X, X),
        mc.And(tuple(mc.equal(mc.Element(X, x), mc.constant(k)) for k, x in enumerate(X))),
    ),
    "the inverse of an inverse": (mc.Inverse(X, Y), mc.Inverse(Y, X)),
    "a matrix of one row": (
        mc.equal(mc.Element2D((X,), mc.constant(0), 3), 4),
        mc.equal(mc.Element(X, 3), 4),
    ),
    "least and greatest": (
        mc.equal(mc.Minimum(X), 3),
        mc.equal(mc.Maximum(tuple(map(negative, X))), negative(3)),
    ),
    "distance is the greater difference": (
        mc.equal(mc.Distance(0, 1), 2),
        mc.equal(mc.Maximum((mc.Sum((0, 1), (1, -1)), mc.Sum((0, 1), (-1, 1)))), 2),
    ),
    "a cube": (
        mc.equal(mc.Product((0, 0, 0)), 1),
        mc.equal(mc.Product((0, mc.Product((0, 0)))), 1),
    ),
    "quotient and remainder": (
        mc.equal(mc.Sum((mc.Product((1, mc.Quotient(0, 1))), mc.Remainder(0, 1))), 0),
        mc.Linear((1,), (1,), "!=", 0),
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
        return mc.MDD(regular.terms, ())
    arcs.sort(key=lambda arc: arc[0] != regular.start)
    return mc.MDD(regular.terms, arcs)


def test_an_automaton_is_its_unrolled_diagram():
    rng = random.Random(1)
    accepted = 0
    for _ in range(60):
        arcs = [[rng.randrange(3), rng.randrange(2), rng.randrange(3)] for _ in range(6)]
        regular = mc.Regular(X[: rng.randint(1, 3)], arcs, 0, rng.sample(range(3), 2))
        diagram = unrolled(regular)
        for values in product(range(-1, 3), repeat=len(regular.terms)):
            assert regular.holds(values) == diagram.holds(values), (regular, values)
            accepted += regular.holds(values)
    assert accepted > 100


def test_precedence_by_first_occurrences():
    for values in product(range(4), repeat=4):
        first = [values.index(v) if v in values else 9 for v in (2, 0, 3)]
        expected = all(a < b or b == 9 for a, b in pairwise(first))
        assert mc.Precedence((0, 1, 2, 3), (2, 0, 3)).holds(values) == expected


def test_a_tour_is_a_permutation_of_one_cycle():
    """Circuits of n nodes are (n - 1)!; subcircuits are as many as cycles, and the empty one."""
    for number, circuits, subcircuits in ((2, 1, 2), (3, 2, 6), (4, 6, 21)):
        nodes = tuple(range(number))
        every = list(product(range(-1, number + 1), repeat=number))
        assert sum(map(mc.Circuit(nodes).holds, every)) == circuits
        assert sum(map(mc.SubCircuit(nodes).holds, every)) == subcircuits


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (lambda: mc.NotEqual((0,)), "takes 2 variables, got 1"),
        (lambda: mc.Linear((0, 1), (1,), "==", 0), "2 variables but 1 coefficients"),
        (lambda: mc.Linear((0,), (1,), "=", 0), "unknown relation '='"),
        (lambda: mc.Linear((0,), (1.5,), "==", 0), "takes integers, got 1.5"),
        (lambda: mc.Table((0, 1), ((1, 2), (3,))), "tuple 1 has 1 values for 2 variables"),
        (lambda: mc.AllDifferent((0, 1)).over((2,)), "as many variables"),
        (lambda: mc.Element((), 0), "Element of no terms"),
        (lambda: mc.Sum((0, 1), (1,)), "Sum: 2 variables but 1 coefficients"),
        (lambda: mc.Sum((0,), (1.5,)), "takes integers, got 1.5"),
        (lambda: build_problem(ONE, [mc.AllDifferent(("x", "z"))]), "no variable is called 'z'"),
        (lambda: build_problem(ONE, givens={"x": 4}), "x = 4: the value is not in its base domain"),
        (lambda: Structure(("x", "x"), ((1,), (1,)), ()), "two variables are called 'x'"),
        (lambda: Structure(("x",), ((2, 1),), ()), "must be ascending"),
        (lambda: Structure(("x",), ((1.0,),), ()), "not an integer"),
        (lambda: Structure(("x",), ((1,),), (mc.AllDifferent((3,)),)), "refers to variable 3"),
        (lambda: Problem(build_problem(ONE).structure, (2,)), "beyond a base domain"),
        (lambda: Problem(build_problem(ONE).structure, ()), "0 masks for 1 variables"),
        (lambda: Objective("least", (0,), (1,)), "use minimize or maximize"),
        (lambda: mc.Minimum(()), "Minimum of no terms has no value anywhere"),
        (lambda: mc.Maximum(()), "Maximum of no terms has no value anywhere"),
        (lambda: mc.Element2D((), 0, 1), "Element2D of no terms"),
        (lambda: mc.Element2D(((), ()), 0, 1), "Element2D of no terms"),
        (lambda: mc.Element2D(((0,), (1, 2)), 0, 1), "rows of a matrix have one length"),
        (lambda: mc.GlobalCardinality((0,), (1, 2), (1,)), "2 values but 1 counts"),
        (lambda: mc.BinPacking((0,), (1, 2), "==", (1,)), "1 items but 2 sizes"),
        (lambda: mc.BinPacking((0,), (-1,), "==", (1,)), "size -1 is negative"),
        (lambda: mc.BinPacking((0,), (1,), ">=", (1,)), "unknown relation '>='"),
        (lambda: mc.NoOverlap((0, 1), (1,)), "2 starts but 1 lengths"),
        (lambda: mc.NoOverlap2D((0,), (1,), (), (2,)), "1 and 1 corners, 0 widths, 1 heights"),
        (lambda: mc.Cumulative((0,), (1,), (), 2), "1 starts, 1 durations, 0 demands"),
        (lambda: mc.Regular((0,), ((0, 1),), 0, ()), "transition 0, .0, 1., is no state, value"),
        (lambda: mc.MDD((0,), ((0, 1, 1), (0, "*", 1))), "MDD: transition 1"),
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
        (mc.Element(mc.constants(5, 1), 0), (1, 0, 1), ((1, 0, 5), (2, 0, 1), (4000, 3, 5))),
        (mc.Quotient(1, 0), (7, -50, -7), ((7, -50, -8), (0, 50, 0), (0, 50, 50))),
        (mc.Remainder(1, 0), (7, -50, -1), ((7, -50, 6), (0, 50, 0), (0, 50, 50))),
        (mc.Product((0, 1)), (70, -50, -3500), ((70, -50, 3500), (1, 0, 1))),
    ],
)
def test_a_function_of_wide_arguments_is_rewritten(term, solution, others):
    """Each auxiliary is determined: who extends an assignment sees whether it is a solution."""
    domains = {"x": range(WIDE), "y": range(-WIDE, WIDE), "z": range(-WIDE, WIDE)}
    structure = constraints_over(domains, mc.equal(term, 2))
    rewritten = rewrite(structure, Profile.of_plain({mc.Linear}))
    assert satisfied(rewritten, solution)
    assert not any(satisfied(rewritten, other) for other in others)


def constraints_over(domains, constraint):
    names, values = tuple(domains), tuple(domains.values())
    return Structure(names, values, (constraint,))


def satisfied(rewritten, values):
    whole = rewritten.extend(values)
    return all(is_true(constraint, whole) for constraint in rewritten.structure.constraints)
