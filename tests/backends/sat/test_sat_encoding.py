"""The SAT encodings mean what the constraints mean, and determine all their auxiliary variables.

The formulas are enumerated on *all* their variables: a solution that came twice would show an
auxiliary variable, or one that occurs in no clause, that is free.
"""

import random
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Minisat22

from backends.conformance.drawn_problems import drawn_problems
from backends.conformance.foreign_constraints import Ascending
from backends.interface.handlers import profile_of
from backends.sat.at_most_one import ENCODINGS, FEW, most_clauses
from backends.sat.cnf import Cnf, TooLarge
from backends.sat.constraints.table import allow, forbid
from backends.sat.encode import HANDLERS, Booleans, chosen, encode, givens, strengthened, values
from backends.sat.size import most_clauses_of
from backends.sat.sums.diagram import FALSE, TRUE, Term, build, most_edges
from backends.sat.sums.linear import linear
from modelling.brute_force import solutions
from modelling.check import refuted
from modelling.constraints import RELATIONS, AllDifferent, Linear, NotEqual, Table
from modelling.errors import MissingHandler
from modelling.problem import Problem, Structure, build_problem
from modelling.rewriting import rewrite
from tests.backends.small_problems import sudoku

ALL_FOUR = [AllDifferent, NotEqual, Linear, Table]


def models(clauses, units=()):
    """Every model, blocked on all variables that occur."""
    with Minisat22(bootstrap_with=[list(clause) for clause in clauses]) as solver:
        for unit in units:
            solver.add_clause([unit])
        return list(solver.enum_models())


def one_hot(cnf, domains):
    """Literal maps for variables with these domains, exactly one value each."""
    maps = []
    for domain in domains:
        literals = {value: cnf.new() for value in domain}
        cnf.add(literals.values())
        ENCODINGS["pairwise"](cnf, list(literals.values()))
        maps.append(literals)
    return maps


def assignments(cnf, maps):
    """The models as values, with repetitions if an auxiliary variable is free."""
    every = models(cnf.clauses)
    return sorted(
        tuple(next(v for v, literal in m.items() if model[literal - 1] > 0) for m in maps)
        for model in every
    )


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 16, 17, 27])
def test_at_most_one_has_a_model_for_none_and_for_each_literal(name, n):
    cnf = Cnf()
    literals = [cnf.new() for _ in range(n)]
    ENCODINGS[name](cnf, literals)
    found = sorted(chosen(model, n) for model in models(cnf.clauses))
    assert found == sorted([[], *([literal] for literal in literals)])
    assert len(cnf.clauses) <= most_clauses(name, n)
    if n <= FEW or name == "pairwise":
        assert len(cnf.clauses) == most_clauses(name, n)


def test_a_formula_has_a_variable_where_the_problem_has_none():
    encoding = encode(build_problem({}).structure, ENCODINGS["pairwise"], extended=False)
    assert (encoding.top, encoding.one_hot, encoding.clauses) == (1, 0, [(1,)])


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("n", [0, 1])
def test_at_most_one_of_none_or_one_literal_says_nothing(name, n):
    cnf = Cnf()
    ENCODINGS[name](cnf, [cnf.new() for _ in range(n)])
    assert cnf.clauses == []
    assert cnf.top == n


def test_the_encodings_differ():
    sizes = {}
    for name, encoding in ENCODINGS.items():
        cnf = Cnf()
        encoding(cnf, [cnf.new() for _ in range(30)])
        sizes[name] = (cnf.top, len(cnf.clauses))
    assert len(set(sizes.values())) == len(ENCODINGS)
    assert sizes["pairwise"] == (30, 435)
    assert sizes["bimander"][0] == 30 + 4  # four bits tell fifteen pairs apart
    assert all(clauses < 435 for name, (_, clauses) in sizes.items() if name != "pairwise")


def follow(diagram, path):
    """The terminal that a path of values (one per term, in the diagram's order) ends at."""
    at = diagram.root
    for term, nodes, value in zip(diagram.terms, diagram.layers, path, strict=True):
        if at < 0:
            return at
        at = nodes[at][term.values.index(value)]
    return at


@given(
    st.lists(
        st.tuples(
            st.sampled_from([1, 1, 1, -1, 2, -3, 7, 90, -1000, 10**25]),
            st.sets(st.integers(-6, 9), min_size=1, max_size=4),
        ),
        max_size=4,
    ),
    st.sampled_from(list(RELATIONS)),
    st.integers(-40, 40),
)
@settings(max_examples=200, deadline=None)
def test_a_diagram_ends_in_true_exactly_where_the_sum_holds(sums, relation, constant):
    terms = [Term(i, factor, tuple(sorted(domain))) for i, (factor, domain) in enumerate(sums)]
    diagram = build(terms, relation, constant, 10**6)
    assert sum(len(n) for layer in diagram.layers for n in layer) <= most_edges(terms)
    for choice in product(*(term.values for term in terms)):
        total = sum(t.coefficient * value for t, value in zip(terms, choice, strict=True))
        path = [choice[term.variable] for term in diagram.terms]
        expected = TRUE if RELATIONS[relation](total, constant) else FALSE
        assert follow(diagram, path) == expected


def test_a_diagram_merges_partial_sums():
    """At most 10 of 40 Booleans: a node per count, not one per subset."""
    terms = [Term(i, 1, (0, 1)) for i in range(40)]
    diagram = build(terms, "<=", 10, 10**4)
    assert max(map(len, diagram.layers)) <= 11
    loose = build([Term(i, 1000 + i, (0, 1)) for i in range(30)], "<=", 10_500, 10**4)
    assert max(map(len, loose.layers)) <= 30  # the sums differ, what they allow does not


def test_a_sum_with_powers_of_ten_stays_small():
    """1000 S + 91 E + ...: 8 letters have 10**8 assignments."""
    factors = {"M": -9000, "S": 1000, "O": -900, "E": 91, "N": -90, "R": 10, "D": 1, "Y": -1}
    terms = [Term(i, factor, tuple(range(10))) for i, factor in enumerate(factors.values())]
    diagram = build(terms, "==", 0, 10**5)
    assert sum(map(len, diagram.layers)) < 1000


def test_a_diagram_that_would_be_too_large_is_refused_while_it_is_built():
    terms = [Term(i, 3**i, tuple(range(3))) for i in range(12)]
    with pytest.raises(TooLarge, match="more than 500 edges"):
        build([*terms, *(Term(20 + i, 2**i, (0, 1)) for i in range(18))], "==", 70_000, 500)


domains_of_sum = st.lists(
    st.sets(st.integers(-4, 6), min_size=1, max_size=4), min_size=1, max_size=4
)


@given(domains_of_sum, st.data())
@settings(max_examples=150, deadline=None)
def test_a_linear_has_each_assignment_that_holds_once(domains, data):
    domains = [tuple(sorted(domain)) for domain in domains]
    factors = [data.draw(st.sampled_from([-900, -2, -1, 0, 1, 3, 1000])) for _ in domains]
    relation = data.draw(st.sampled_from(list(RELATIONS)))
    near = sum(f * data.draw(st.sampled_from(d)) for f, d in zip(factors, domains, strict=True))
    constant = near + data.draw(st.integers(-1, 1))
    cnf = Cnf()
    maps = one_hot(cnf, domains)
    linear(cnf, maps, factors, relation, constant)
    holds = Linear(range(len(domains)), factors, relation, constant).holds
    assert assignments(cnf, maps) == sorted(row for row in product(*domains) if holds(row))


@given(st.integers(0, 4), st.booleans(), st.data())
@settings(max_examples=150, deadline=None)
def test_a_table_has_each_row_once(arity, allowed, data):
    domains = [
        sorted(data.draw(st.sets(st.integers(-2, 5), min_size=1, max_size=3))) for _ in range(arity)
    ]
    value = st.integers(-2, 6)  # also values that no variable can take
    rows = data.draw(st.lists(st.tuples(*[value] * arity), max_size=12))
    cnf = Cnf()
    cnf.add([cnf.new()])
    maps = one_hot(cnf, domains)
    (allow if allowed else forbid)(cnf, maps, rows + rows[:2])
    holds = Table(range(arity), tuple(rows), allowed).holds
    assert assignments(cnf, maps) == sorted(row for row in product(*domains) if holds(row))


def test_a_table_closes_values_by_unit_propagation():
    """A value that no row has, and one whose rows are all closed while several others are open."""
    cnf = Cnf()
    x, y, z = maps = one_hot(cnf, [(0, 1), (0, 1, 2, 3), (0, 1)])
    allow(cnf, maps, [(0, 0, 0), (0, 0, 1), (1, 1, 0), (1, 2, 1)])
    assert (-y[3],) in cnf.clauses
    with Minisat22(bootstrap_with=list(map(list, cnf.clauses))) as solver:
        _, known = solver.propagate(assumptions=[-x[0]])
    assert -y[0] in known
    assert not {-y[1], -y[2], -z[0], -z[1]} & set(known)


@pytest.mark.parametrize("amo", ENCODINGS)
@pytest.mark.parametrize("extended", [False, True])
def test_drawn_problems_have_a_model_for_each_solution(amo, extended):
    seed = f"{amo}{extended}"
    for (_, drawn), _ in zip(drawn_problems(seed, ALL_FOUR), range(120), strict=False):
        # The formula has a model for each full solution; outputs are the driver's affair.
        problem = Problem(replace(drawn.structure, output=None), drawn.masks)
        rewritten = rewrite(problem.structure, profile_of(HANDLERS))
        structure = rewritten.structure
        if refuted(rewritten.lift(problem)):  # by a constant, which is never encoded
            assert not list(solutions(problem))
            continue
        encoding = encode(structure, ENCODINGS[amo], extended)
        used = {abs(literal) for clause in encoding.clauses for literal in clause}
        assert used == set(range(1, encoding.top + 1))
        assert len(encoding.clauses) <= most_clauses_of(structure, amo)
        every = models(encoding.clauses, givens(encoding, rewritten.lift(problem)))
        whole = [values(encoding, chosen(model, encoding.one_hot)) for model in every]
        decoded = list(map(rewritten.project, whole))
        assert sorted(decoded) == sorted(solutions(problem)), problem


@pytest.mark.parametrize("amo", ENCODINGS)
def test_values_by_the_dozen_use_the_auxiliary_variables(amo):
    """Domains larger than the drawn ones, where every at-most-one encoding is itself."""
    structure = Structure(
        ("a", "b", "c"),
        (tuple(range(11)), tuple(range(3, 12)), (0, 5, 9)),
        (AllDifferent((0, 1, 2)), Linear((0, 1), (1, 1), "<=", 9)),
    )
    encoding = encode(structure, ENCODINGS[amo], extended=False)
    every = models(encoding.clauses)
    decoded = sorted(values(encoding, chosen(model, encoding.one_hot)) for model in every)
    assert decoded == sorted(solutions(structure.problem()))


def test_the_size_of_the_sudoku_encoding():
    """81 values clauses and 36 pairs of values a cell, 36 pairs of cells per value and group less
    those that a box shares with its rows and columns (18 a box)."""
    pairs = 81 * 36 + 9 * (27 * 36 - 9 * 18)
    direct = encode(sudoku(), ENCODINGS["pairwise"], extended=False)
    extended = encode(sudoku(), ENCODINGS["pairwise"], extended=True)
    assert (direct.top, len(direct.clauses)) == (729, 81 + pairs)
    assert (extended.top, len(extended.clauses)) == (729, 81 + pairs + 27 * 9)


def test_extended_adds_clauses_only_where_they_are_implied():
    def clauses(values, extended):
        structure = build_problem(
            {c: range(values) for c in "abc"}, [AllDifferent("abc")]
        ).structure
        return encode(structure, ENCODINGS["pairwise"], extended).clauses

    assert len(clauses(3, True)) == len(clauses(3, False)) + 3
    assert len(clauses(4, True)) == len(clauses(4, False))
    assert () in clauses(2, True)
    assert () not in clauses(2, False)


def test_givens_are_literals():
    structure = Structure(("a", "b", "c"), ((-1, 4, 9), (2,), (0, 1, 2, 3)), ())
    encoding = encode(structure, ENCODINGS["pairwise"], extended=False)
    assert givens(encoding, structure.problem()) == []
    assert givens(encoding, structure.problem({0: 4})) == [2]
    assert givens(encoding, Problem(structure, (0b101, 1, 0b0110))) == [-2, -5, -8]
    assert givens(encoding, Problem(structure, (0, 0, 0b1111))) == [-1, -2, -3, -4]


def test_what_was_found_is_excluded_on_all_variables_or_on_some():
    structure = Structure(("a", "b"), ((3, 4, 5), (7, 8, 9)), ())
    encoding = encode(structure, ENCODINGS["pairwise"], extended=False)
    found = encoding.chosen([-1, 2, -3, -4, -5, 6])
    assert encoding.assignment(found) == (4, 9)
    assert encoding.excluding(found, None) == (-2, -6)
    assert encoding.excluding(found, (1,)) == (-6,)


def test_a_variable_of_two_values_is_one_literal_where_all_have_two():
    structure = Structure(("a", "b", "c"), ((0, 1), (3, 8), (-2, 5)), ())
    encoding = encode(structure, ENCODINGS["pairwise"], extended=False, integers="order")
    assert isinstance(encoding, Booleans)
    found = encoding.chosen([1, -2, 3, -4])
    assert encoding.assignment(found) == (1, 3, 5)
    assert encoding.excluding(found, (2, 0)) == (-3, -1)
    assert encoding.given(structure.problem({1: 3, 2: 5})) == ([-2, 3], [])


def test_a_formula_without_variables_still_has_one_model():
    encoding = encode(Structure((), (), ()), ENCODINGS["pairwise"], extended=False)
    assert encoding.one_hot == 0
    assert [chosen(model, 0) for model in models(encoding.clauses)] == [[]]


def test_a_bound_is_added_to_a_copy():
    problem = build_problem({"x": range(5), "y": range(5)}, [AllDifferent("xy")])
    encoding = encode(problem.structure, ENCODINGS["pairwise"], extended=False)
    before = list(encoding.clauses)
    bounded = strengthened(encoding, problem.structure, Linear((0, 1), (1, 1), ">=", 7))
    decoded = {values(bounded, chosen(m, bounded.one_hot)) for m in models(bounded.clauses)}
    assert decoded == {(3, 4), (4, 3)}
    assert encoding.clauses == before


def test_the_bound_of_the_size_is_not_a_wild_guess():
    rng = random.Random(1)
    for _ in range(20):
        sizes = [rng.randint(2, 30) for _ in range(3)]
        structure = Structure(("a", "b", "c"), tuple(tuple(range(n)) for n in sizes), ())
        encoding = encode(structure, ENCODINGS["pairwise"], extended=False)
        assert len(encoding.clauses) == most_clauses_of(structure, "pairwise") - 1


def test_too_many_clauses_are_refused_before_they_are_written():
    pairs = 46 * 45 // 2
    cnf = Cnf(most=pairs - 1)
    with pytest.raises(TooLarge, match="more than 1,034 clauses"):
        ENCODINGS["pairwise"](cnf, [cnf.new() for _ in range(46)])
    assert cnf.clauses == []
    cnf = Cnf(most=pairs)
    ENCODINGS["pairwise"](cnf, [cnf.new() for _ in range(46)])
    assert len(cnf.clauses) == pairs
    cnf = Cnf(most=3)
    for _ in range(3):
        cnf.add([1])
    with pytest.raises(TooLarge):
        cnf.add([1])


def test_a_constraint_that_was_not_rewritten_is_named():
    structure = Structure(("x", "y"), ((0, 1), (0, 1)), (Ascending((0, 1)),))
    with pytest.raises(MissingHandler, match="no handler for Ascending"):
        encode(structure, ENCODINGS["pairwise"], extended=False)
