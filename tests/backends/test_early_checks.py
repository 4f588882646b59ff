"""python-constraint's functions: what partial assignments show is true, and no auxiliaries."""

import random
from itertools import combinations, product

import pytest

from backends.interface import registry
from backends.interface.api import Solutions
from backends.python_constraint.early import CHECKS, RANGES, inverse
from backends.python_constraint.posing import counted_in, smaller
from modelling import constraints as core
from modelling.brute_force import solutions
from modelling.constraints import Count, Define, Linear, NotEqual
from modelling.laws.drawing import Drawer, structure_over
from modelling.rewriting import simplify
from modelling.terms import Affine, Function, constant, is_true
from tests.backends.solver_checks import check_solutions

OTHERWISE = {"AllDifferent", "Circuit", "Clauses", "Inverse", "MDD", "Regular"}
"""The drawn ones are not decided by parts of their values."""


@pytest.fixture(scope="module")
def backend():
    return registry.get("python_constraint")


def kind(name):
    return getattr(core, name)


def drawn(of, number):
    """A constraint of a class, or about a function, over affine terms of three variables."""
    rng = random.Random(f"early/{of.__name__}/{number}")
    domains = [(-1, 0, 1, 2), (0, 1, 2), (0, 1, 3)]
    made = of.draw(rng, Drawer(rng, domains, depth=0))
    if isinstance(made, Function):
        result = rng.choice((0, 1, 2, constant(1)))
        made = Define(result, made) if number % 2 else Linear((made, 0), (1, -1), "<=", 1)
    return made, domains


@pytest.mark.parametrize("of", [*CHECKS, core.AllDifferent], ids=lambda of: of.__name__)
def test_a_check_fails_only_where_nothing_completes(of, backend):
    """Of each solution every part is let pass, and all of what is no solution is not."""
    builder, partial = backend.solver.builder, 0
    for number in range(12):
        constraint, domains = drawn(of, number)
        if not constraint.scope:
            continue  # settled before anything is posed
        forms = [(make(), scope) for make, scope in builder.all_forms([constraint])]
        functions = [form for form in forms if not getattr(form[0], "_assigned", True)]
        partial += len(functions)
        for values in product(*domains):
            held = [form(scope, {}, dict(enumerate(values))) for form, scope in forms]
            assert all(held) == is_true(constraint, values), (constraint, values)
            if not all(held):
                continue
            for known in (k for n in range(3) for k in combinations(range(3), n)):
                for form, scope in functions:
                    seen = {v: values[v] for v in known}
                    assert form(scope, {}, seen), (constraint, values, known)
    assert partial or of.__name__ in OTHERWISE


def test_a_check_fails_as_soon_as_something_is_known():
    """One partial assignment for each class that cannot be completed."""
    broken = {
        "BinPacking": ([0, 0, None], (2, 2, 1), "<=", [3, 3]),
        "Circuit": ([1, 0, None],),
        "Clauses": ([0, None], ((1, 2), (1, 1))),
        "Count": (2, [0, 0, None], [1]),
        "Cumulative": ([0, 1, None], [2, 2, 2], [1, 1, 1], 1),
        "GlobalCardinality": ([0, 0, None], [0], [1], False),
        "Inverse": ([0, None], [1, None]),
        "Lex": ([[1, None], [0, None]], False),
        "MDD": ([1, None], ((0, 0, 1), (1, 1, 2))),
        "NValue": (1, [0, 1, None], ()),
        "NoOverlap": ([0, 1, None], [2, 2, 2], False),
        "NoOverlap2D": ([0, 1, None], [0, 1, 5], [2, 2, 2], [2, 2, 2], False),
        "Precedence": ([2, None], (1, 2)),
        "Regular": ([1, None], ((0, 0, 0),), 0, (0,)),
        "SubCircuit": ([1, 0, 3, None],),
    }
    assert set(broken) == {of.__name__ for of in CHECKS}
    for of, check in CHECKS.items():
        assert not check(*broken[of.__name__]), of
    assert set(RANGES) < set(CHECKS)


def test_counts_are_compared_before_all_is_known():
    check = counted_in(Linear((Count((0, 1, 2), (constant(1),)), 3), (1, 1), ">=", 4))
    assert check([1, None, None, 1])
    assert check([0, None, None, None])
    assert not check([0, None, None, 1])


def test_a_comparison_of_counts_is_posed_with_its_early_check(backend):
    """The number of ones among three variables and a fourth variable are four together."""
    compared = Linear((Count((0, 1, 2), (constant(1),)), 3), (1, 1), ">=", 4)
    ((make, scope),) = backend.solver.builder.all_forms([compared])
    posed = make()
    assert posed(scope, {}, {0: 0})
    assert not posed(scope, {}, {0: 0, 3: 1})


@pytest.mark.parametrize("value", [-1, 2])
def test_a_value_beyond_the_other_list_has_no_inverse(value):
    assert not inverse([value, None], [None, None])
    assert not inverse([None, None], [value, None])


def test_smaller_constraints_say_the_same(backend):
    for name in ("AllEqual", "Increasing"):
        parts = list(smaller(kind(name)((0, 1, 2))))
        assert [len(part.scope) for part in parts] == [2, 2]
    assert [part.scope for part in smaller(kind("NoOverlap")((0, 1, 2), (3, 3, 3)))] == [
        (0, 1, 3),
        (0, 2, 3),
        (1, 2, 3),
    ]
    assert [type(part).__name__ for part in smaller(kind("Circuit")((0, 1, 2)))] == [
        "Circuit",
        "AllDifferent",
    ]


def test_parts_that_are_false_by_themselves(backend):
    """Parts of constants alone, beside variables: all of it is false."""
    one, two = constant(1), constant(2)
    for made in (
        kind("AllEqual")((one, two, 0)),
        kind("Increasing")((two, one, 0)),
        core.And((Linear((one,), (1,), "==", 2), NotEqual((0, 1)))),
        core.AllDifferent((one, one, 0)),
        core.And((Define(1, 0), Linear((0, 1), (1, -1), "!=", 0))),
        kind("Clauses")((0,), ((),)),
    ):
        problem = structure_over([range(3)] * 2, [made]).problem()
        assert backend.solve(problem, Solutions(None)).count == 0, made


@pytest.mark.parametrize(
    "frequent",
    [
        kind("Clauses")((0, 1, 2), ((1, -2, 3),)),
        Define(0, core.Element((constant(2), constant(5)), 1)),
        Define(0, core.Element2D(((constant(2), constant(5)),), 1, 2)),
    ],
    ids=["clause", "element", "matrix"],
)
def test_frequent_constraints_are_posed_without_readers(frequent, backend):
    """Each takes its short way, which says what the definition says."""
    made = backend.solver.builder._chosen(frequent)
    assert made is not None
    posed = made()
    for values in product(range(-1, 6), repeat=len(frequent.scope)):
        assignment = dict(zip(frequent.scope, values, strict=True))
        assert posed(frequent.scope, {}, assignment) == frequent.holds(values), values


def test_what_two_variables_must_not_differ_by_is_one_function(backend):
    builder = backend.solver.builder
    apart = [Linear(pair, (1, -1), "!=", c) for pair in ((0, 1), (1, 0)) for c in (0, 1)]
    apart += [Linear((0, 1), (-2, 1), "!=", c) for c in (1, 3)]
    forms = builder.all_forms(apart)
    assert [form.scope for form in forms] == [(0, 1), (0, 1)]
    problem = structure_over([range(-3, 4)] * 2, apart)
    found = backend.solve(problem.problem(), Solutions(None, None)).solutions
    assert sorted(found) == sorted(solutions(problem.problem()))


def test_sums_with_repeats_are_merged_first(backend):
    """The library's sums lose solutions where a variable stands twice."""
    doubled = Linear((0, 1, 0), (1, 1, 1), "==", 4)
    assert type(simplify(doubled)) is Linear
    assert simplify(doubled).is_plain
    problem = structure_over([range(4)] * 2, [doubled, NotEqual((0, 1))]).problem()
    assert sorted(backend.solve(problem, Solutions(None, None)).solutions) == [(1, 2), (2, 0)]


def test_an_element_of_terms_that_are_its_own_index():
    """It has the variables of an element of constants."""
    element = Define(0, core.Element((constant(2), Affine(1, 2, 0)), 1))
    check_solutions("python_constraint", structure_over([range(3), range(2)], [element]).problem())
