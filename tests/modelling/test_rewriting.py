"""Rewriting: what comes out, what is shared and kept, what is declined, and the way back."""

import pickle

import pytest

from modelling.brute_force import optima, solutions
from modelling.constraint import Constraint
from modelling.constraints import (
    TRUE,
    Affine,
    AllDifferent,
    And,
    Count,
    Define,
    Element,
    Iff,
    Implies,
    Linear,
    Not,
    NotEqual,
    Or,
    Sum,
    Table,
    Truth,
    constant,
    constants,
    equal,
    equals,
)
from modelling.errors import ModelError
from modelling.problem import Objective, Problem, Structure, build_problem
from modelling.rewriting import (
    Declined,
    Native,
    Profile,
    Rewritten,
    keep_rewrites,
    normalise,
    rewrite,
    simplify,
    simplify_term,
)
from modelling.vocabulary.functions.multiplication import Product

PLAIN = Profile.of_plain({AllDifferent, NotEqual, Linear, Table})
LINEAR = Profile.of_plain({Linear})


def small_divisor(constraint, variables):
    """A guard: nothing but domains of three values."""
    return all(len(variables.domains[v]) <= 3 for v in constraint.scope)


def projected(problem, profile, counting=True):
    rewritten = rewrite(problem.structure, profile, counting)
    found = solutions(rewritten.lift(problem))
    return sorted(map(rewritten.project, found))


def test_what_is_native_comes_back_as_it_is():
    structure = build_problem({"x": range(3), "y": range(3)}, [NotEqual("xy")]).structure
    rewritten = rewrite(structure, PLAIN)
    assert rewritten.structure is structure
    assert (rewritten.declared, rewritten.definitions, rewritten.determined) == (2, (), True)


def test_declared_variables_come_first_and_givens_are_lifted():
    problem = build_problem(
        {"x": range(4), "y": range(4), "_1": range(2)},
        [Or((equals("x", 3), And((equals("y", 3), equals("_1", 1)))))],
        givens={"y": 3},
    )
    rewritten = rewrite(problem.structure, LINEAR)
    assert rewritten.structure.names[:3] == ("x", "y", "_1")
    assert len(set(rewritten.structure.names)) == rewritten.structure.size > 3
    lifted = rewritten.lift(problem)
    assert lifted.masks[:3] == problem.masks
    assert lifted.masks[3:] == rewritten.structure.full_masks[3:]
    found = list(solutions(lifted))
    assert sorted(map(rewritten.project, found)) == list(solutions(problem))
    assert {rewritten.extend(v) for v in solutions(problem)} == set(found)


def test_a_common_subterm_has_one_auxiliary():
    count = Count((0, 1, 2), constants(7))
    wide = {name: range(60) for name in "abcd"}
    once = build_problem(wide, [Linear((count, 3), (1, -1), "==", 0)])
    twice = build_problem(wide, [*once.structure.constraints, Linear((3, count), (1, 2), ">=", 2)])
    one, two = (rewrite(p.structure, LINEAR) for p in (once, twice))
    assert one.auxiliaries == two.auxiliaries > 0


def test_an_undefined_term_falsifies_the_nearest_constraint():
    wide = {"i": range(-2, 4), "v": range(3)}
    element = Element(constants(5, 1), "i")
    for profile in (PLAIN, LINEAR):
        plain = build_problem(wide, [equal(element, "v")])
        negated = build_problem(wide, [Not(equal(element, "v"))])
        assert projected(plain, profile) == [(1, 1)]
        assert len(projected(negated, profile)) == 17
        different = build_problem(wide, [Linear((element, "v"), (1, -1), "!=", 0)])
        assert projected(different, profile) == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2)]


def test_the_cheapest_way_wins():
    names = {name: range(2) for name in "ab"}
    small = rewrite(build_problem(names, [Or((equals("a", 1), equals("b", 0)))]).structure, PLAIN)
    assert small.auxiliaries == 0
    big = {name: range(1000) for name in "ab"}
    clause = build_problem(big, [Or((Linear("ab", (1, 1), ">=", 99), equals("b", 0)))]).structure
    assert rewrite(clause, PLAIN).auxiliaries > 0
    listed = rewrite(clause, Profile.of_plain({Table}))
    assert isinstance(listed, Declined)
    assert "1,000,000 tuples" in listed.reason


def test_a_function_is_listed_by_its_arguments():
    """Its results need not be tried; with them there would be too many tuples for a table."""
    domains = {"x": range(40), "y": range(40), "z": range(1500)}
    structure = build_problem(domains, [Define("z", Product("xy"))]).structure
    (table,) = rewrite(structure, Profile.of_plain({Table})).structure.constraints
    assert set(table.tuples) == {
        (x, y, x * y) for x in range(40) for y in range(40) if x * y < 1500
    }
    backward = build_problem(domains, [Define("x", Product("xy"))]).structure
    assert rewrite(backward, Profile.of_plain({Table})).structure.constraints == (
        Table((0, 1), tuple((x, y) for x in range(40) for y in range(40) if x == x * y)),
    )


def test_deciding_may_leave_auxiliaries_undetermined():
    problem = build_problem(
        {name: range(-9, 10) for name in "ab"},
        [Or((Linear("ab", (1, 2), ">=", 9), Linear("ab", (2, 1), "<=", -9), equals("a", 0)))],
    )
    counting = rewrite(problem.structure, LINEAR)
    deciding = rewrite(problem.structure, LINEAR, counting=False)
    assert counting.determined
    assert not deciding.determined
    assert len(deciding.structure.constraints) < len(counting.structure.constraints)
    assert set(projected(problem, LINEAR, False)) == set(solutions(problem))
    assert projected(problem, LINEAR) == sorted(solutions(problem))
    with pytest.raises(ModelError, match="not every auxiliary"):
        deciding.extend((0, 0))


def test_rewrites_compose():
    structure = build_problem(
        {name: range(5) for name in "abc"},
        [Or((AllDifferent("abc"), Linear((Count("ab", "c"),), (1,), ">=", 2)))],
    ).structure
    first = rewrite(structure, PLAIN)
    both = first.then(rewrite(first.structure, LINEAR))
    assert both.declared == 3
    assert {type(c) for c in both.structure.constraints} == {Linear}
    expected = list(solutions(structure.problem()))
    assert len({both.extend(v) for v in expected}) == len(expected)
    lifted = both.lift(structure.problem())
    assert all(
        c.holds([v[i] for i in c.scope])
        for v in map(both.extend, expected)
        for c in lifted.structure.constraints
    )
    with pytest.raises(ModelError, match="does not follow"):
        first.then(first)


def test_an_objective_becomes_a_plain_sum():
    for term in (
        Affine("a", -2, 5),
        Element(("a", "b", "c"), "b"),
        Sum(("a", Truth(equals("b", 1)), "a"), (1, 4, 1)),
        Sum((Affine("a", 1, 3), "b")),
        constant(4),
    ):
        for sense in ("minimize", "maximize"):
            problem = build_problem(
                {"a": range(3), "b": range(3), "c": (7,)},
                [NotEqual("ab")],
                objective=Objective(sense, term),
            )
            rewritten = rewrite(problem.structure, PLAIN)
            assert rewritten.structure.objective.is_linear
            best, reached = optima(problem)
            again, lifted = optima(rewritten.lift(problem))
            assert (again, sorted(map(rewritten.project, lifted))) == (best, sorted(reached))


def test_the_constant_of_an_objective_is_a_variable_of_one_value():
    term = Sum((0, Affine(1, -1, 1), Truth(NotEqual((0, 1)))), (3, 10**30, 2))
    structure = Structure(("x", "y"), ((0, 1),) * 2, (), Objective("minimize", term))
    rewritten = rewrite(structure, LINEAR)
    objective = rewritten.structure.objective
    assert objective.is_linear
    assert len(objective.scope) == 4
    assert (10**30,) in rewritten.structure.domains
    for values in solutions(structure.problem()):
        assert objective.value(rewritten.extend(values)) == structure.objective.value(values)


def test_what_cannot_be_said_is_declined_by_name():
    class Odd(Constraint):
        def holds(self, values):
            return sum(values) % 2 == 1

    wide = {name: range(1000) for name in "ab"}
    found = rewrite(build_problem(wide, [Or((Odd("ab"), equals("a", 1)))]).structure, LINEAR)
    assert isinstance(found, Declined)
    assert "Or is not native (for want of Odd)" in found.reason
    output = build_problem({"a": range(3), "b": range(3)}, output="a").structure
    assert "output" in rewrite(output, PLAIN).reason
    telling = Profile(PLAIN.natives, output=True)
    assert rewrite(output, telling).structure is output


# --- profiles ------------------------------------------------------------------------------------


def test_a_guard_makes_nativeness_a_matter_of_the_instance():
    profile = Profile((Native(AllDifferent, when=small_divisor), Native(Linear)))
    for size, kind in ((3, AllDifferent), (4, Linear)):
        structure = build_problem(
            {name: range(size) for name in "abc"}, [AllDifferent("abc")]
        ).structure
        assert {type(c) for c in rewrite(structure, profile).structure.constraints} == {kind}
    with pytest.raises(ModelError, match="guard of Linear must be a function of a module"):
        Native(Linear, when=lambda constraint, variables: True)


def test_modes():
    structure = build_problem(
        {"a": range(60), "b": range(60), "t": range(2)},
        [Iff(equals("t", 1), Linear("ab", (1, 1), "<=", 40))],
    ).structure
    kinds = {}
    for mode in ("root", "half", "full"):
        natives = (Native(Linear, frozenset({"root", mode}), "affine"),)
        made = rewrite(structure, Profile(natives)).structure
        assert made.size == 3
        kinds[mode] = {type(c) for c in made.constraints}
    assert kinds == {"root": {Linear}, "half": {Implies}, "full": {Iff}}


def test_native_functions_stand_in_definitions_only():
    structure = build_problem(
        {"i": range(4), "v": range(50), "w": range(50)},
        [Linear((Element(("v", "w"), "i"), "v"), (1, 2), "==", 30)],
    ).structure
    profile = Profile((Native(Linear), Native(Element, arguments="affine"), Native(Table)))
    made = rewrite(structure, profile)
    assert [type(c.function) for c in made.structure.constraints if type(c) is Define] == [Element]
    nested = Profile((Native(Linear, arguments="nested"), Native(Element, arguments="nested")))
    assert rewrite(structure, nested).structure is structure


def test_profiles_are_values():
    one, two = (Profile((Native(Linear, {"root"}, "affine", True, small_divisor),)) for _ in "ab")
    assert one == two
    assert hash(one) == hash(two)
    assert one.digest == two.digest != Profile((Native(Linear),)).digest
    assert pickle.loads(pickle.dumps(one)) == one


def test_rewrites_are_kept_and_travel():
    structure = build_problem(
        {"a": range(99)}, [Or((equals("a", 1), Linear("a", (1,), ">", 90)))]
    ).structure
    keep_rewrites(2)
    first = rewrite(structure, LINEAR)
    assert rewrite(structure, LINEAR) is first
    assert rewrite(structure, LINEAR, counting=False) is not first
    again = pickle.loads(pickle.dumps(first))
    assert again == first
    assert isinstance(again, Rewritten)
    assert hash(again) == hash(first)
    for k in range(2):
        rewrite(build_problem({"a": range(k + 1)}).structure, LINEAR)
    assert rewrite(structure, LINEAR) is not first
    keep_rewrites(64)


# --- degenerate cases ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("item", "simple"),
    [
        (Linear((0, 0), (1, 1), "==", 4), Linear((0,), (2,), "==", 4)),
        (Linear((0, 0), (1, -1), "==", 0), TRUE),
        (Linear((Sum((0, Affine(1, 2, 3))),), (2,), "<=", 9), Linear((0, 1), (2, 4), "<=", 3)),
        (AllDifferent((0, 0)), Or(())),
        (AllDifferent((0,)), TRUE),
        (AllDifferent((0, *constants(3)), (3,)), TRUE),
        (NotEqual((0, Affine(0, 1, 1))), TRUE),
        (Table((0, 0), ((1, 1), (1, 2))), Table((0,), ((1,),))),
        (Table((Affine(0, 2, 1),), ((5,), (6,))), Table((0,), ((2,),))),
        (Table((0, *constants(4)), ((1, 4), (2, 5))), Table((0,), ((1,),))),
        (Not(Not(equals(0, 1))), equals(0, 1)),
        (And((TRUE, And((equals(0, 1), equals(0, 1))))), equals(0, 1)),
    ],
)
def test_degenerate_cases_are_folded(item, simple):
    assert simplify(item) == simple


@pytest.mark.parametrize(
    ("term", "simple"),
    [
        (Sum(()), constant(0)),
        (Sum((0, 0), (1, 1)), Affine(0, 2, 0)),
        (Element((0, 1), constant(1)), 1),
        (Count((), (0,)), constant(0)),
        (Affine(0, 1, 0), 0),
        (Affine(0, 0, 7), constant(7)),
        (Truth(TRUE), constant(1)),
    ],
)
def test_degenerate_terms_are_folded(term, simple):
    assert simplify_term(term) == simple


def test_what_may_be_undefined_is_not_folded_away():
    beyond = Element((0, 1), 2)
    kept = simplify(Linear((beyond,), (0,), "==", 0))
    assert kept != TRUE
    assert not kept.holds((0, 0, 5))
    assert kept.holds((0, 0, 1))


def test_a_structure_is_normalised_constraint_by_constraint():
    twice = And((equals(0, 1), TRUE))
    structure = Structure(
        ("a",), ((0, 1),), (twice, equals(0, 1)), Objective("minimize", Sum((0, 0)))
    )
    found = normalise(structure)
    assert found.constraints == (equals(0, 1),)
    assert found.objective == Objective("minimize", Affine(0, 2, 0))


def test_a_deep_sum_is_taken_apart():
    term = 0
    for _ in range(300):
        term = Sum((term, 1))
    assert simplify_term(term) == Sum((0, 1), (1, 300))


def test_a_problem_of_another_size_cannot_be_lifted():
    rewritten = rewrite(build_problem({"a": (1,)}).structure, PLAIN)
    with pytest.raises(ModelError, match="cannot be lifted"):
        rewritten.lift(Problem(Structure((), (), ()), ()))
