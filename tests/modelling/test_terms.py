"""Terms in constraints, structures, problems: names, repeats, ranges, outputs, refusals."""

from dataclasses import dataclass

import pytest

from modelling.brute_force import optima, solutions
from modelling.check import violations
from modelling.constraint import Constraint, Predicate
from modelling.constraints import (
    ANY,
    Affine,
    AllDifferent,
    And,
    Count,
    Element,
    Linear,
    Not,
    Sum,
    Table,
    Truth,
    constants,
    equals,
)
from modelling.errors import ModelError
from modelling.problem import LISTED, Objective, Problem, Structure, build_problem
from modelling.terms import Int, Kind, Term, Terms, fields_of
from modelling.text import from_text, to_text


def test_the_scope_is_the_distinct_variables_by_first_occurrence():
    inner = Element((4, Affine(2, 3, 1)), 0)
    constraint = Linear((3, inner, 4, *constants(9)), (1, 1, 1, 1), "==", 0)
    assert constraint.scope == (3, 4, 2, 0)
    assert not constraint.is_plain
    assert Not(And((constraint, AllDifferent((7, 3))))).scope == (3, 4, 2, 0, 7)
    assert AllDifferent((1, 0, 1)).scope == (1, 0)


def test_plain_is_what_backends_have_always_taken():
    assert AllDifferent((2, 0)).is_plain
    assert not AllDifferent((2, 0), (5,)).is_plain
    assert not AllDifferent((2, 2)).is_plain
    assert not AllDifferent((2, Affine(0, 1, 1))).is_plain
    assert not Table((0,), ((ANY,),)).is_plain
    assert not Not(equals(0, 1)).is_plain


def test_names_are_resolved_in_terms_and_formulas():
    problem = build_problem(
        {"x": range(3), "y": range(3)},
        [Not(Linear((Count(("x", Affine("y", 1, 1)), constants(2)), "y"), (1, 1), ">", 1))],
        objective=Objective("maximize", Sum(("x", Truth(equals("y", 0))), (1, 5))),
        output=("y",),
    )
    (constraint,) = problem.structure.constraints
    assert constraint.scope == (0, 1)
    assert problem.structure.output == (1,)
    assert optima(problem) == (7, [(2, 0)])
    with pytest.raises(ModelError, match="no variable is called 'z'"):
        build_problem({"x": range(3)}, [equals(Affine("z", 2, 0), 1)])


def test_kinds_are_read_from_annotations():
    kinds = {f.name: (f.kind, f.optional) for f in fields_of(Table)}
    assert kinds == {
        "terms": (Kind.TERMS, False),
        "tuples": (Kind.ROWS, False),
        "allowed": (Kind.TEXT, False),
    }

    @dataclass(frozen=True)
    class Own(Predicate):
        terms: Terms
        least: Term | None
        most: Int = 3

        def relates(self, terms, least, most):
            return (least or 0) <= sum(terms) <= most

    by_object = {f.name: (f.kind, f.optional) for f in fields_of(Own)}
    assert by_object == {
        "terms": (Kind.TERMS, False),
        "least": (Kind.TERM, True),
        "most": (Kind.INT, False),
    }
    assert Own((0, 1), None).holds((1, 2))
    assert Own((0, 1), 2).scope == (0, 1, 2)
    assert not Own((0, 1), 2).holds((1, 1, 3))
    found = solutions(build_problem({c: range(3) for c in "ab"}, [Not(Own("ab", None))]))
    assert list(found) == [(2, 2)]


def test_a_violation_names_the_variables_of_the_terms():
    problem = build_problem({"x": range(3), "y": range(3)}, [equals(Element(("x", "y"), "y"), 2)])
    assert violations(problem, (2, 0)) == []
    (found,) = violations(problem, (0, 2))
    assert str(found) == "constraint 0, Linear(x, y), is violated by (0, 2)"


def test_a_constraint_within_must_say_what_it_means():
    class Vague(Constraint):
        pass

    with pytest.raises(ModelError, match="Vague must define holds"):
        build_problem({"x": (1,)}, [Not(Vague("x"))])
    with pytest.raises(ModelError, match="Vague must define holds"):
        build_problem({"x": (1,)}, [equals(Truth(Vague("x")), 1)])
    with pytest.raises(ModelError, match="a Sum stands where a constraint must"):
        Structure(("x",), ((1,),), (Sum((0,)),))


def test_an_objective_must_have_a_value_everywhere():
    element = Element(("x", "y"), "y")
    with pytest.raises(ModelError, match="the objective has no value for some values"):
        build_problem({"x": range(3), "y": range(3)}, objective=Objective("minimize", element))
    fine = build_problem({"x": range(3), "y": range(2)}, objective=Objective("minimize", element))
    assert optima(fine) == (0, [(0, 0)])
    for arguments in (("minimize",), ("minimize", 0, (1, 2), 3)):
        with pytest.raises((ModelError, TypeError)):
            Objective(*arguments)


def test_the_linear_objective_is_what_it_was():
    objective = Objective("maximize", (2, 0), (1, -4))
    assert objective.is_linear
    assert (objective.scope, objective.coefficients) == ((2, 0), (1, -4))
    assert objective == Objective("maximize", Sum((2, 0), (1, -4)))
    assert objective.value((1, 9, 3)) == -1
    with pytest.raises(ModelError, match="stands twice"):
        Objective("maximize", (0, 0), (1, 1))
    with pytest.raises(ModelError, match="rewrite it first"):
        _ = Objective("maximize", Affine(0, 2, 1)).coefficients


def test_solutions_are_told_apart_by_the_output():
    problem = build_problem({"x": range(3), "y": range(3)}, [AllDifferent("xy")], output="y")
    assert list(solutions(problem)) == [(0, 1), (0, 2), (1, 0)]
    assert (
        problem.structure.digest != build_problem({"x": range(3), "y": range(3)}).structure.digest
    )
    assert from_text(to_text(problem)).structure.output == (1,)
    with pytest.raises(ModelError, match="output refers to variable 7"):
        Structure(("x",), ((1,),), (), output=(7,))
    with pytest.raises(ModelError, match="twice in the output"):
        Structure(("x",), ((1,),), (), output=(0, 0))


def test_domains_may_be_ranges():
    small, large = range(2, 5), range(-LISTED, 3 * LISTED)
    structure = Structure(("x", "y"), (small, large), (Linear((0, 1), (1, -1), "==", 0),))
    assert structure.domains == ((2, 3, 4), large)
    assert structure.full_masks == (7, None)
    problem = Problem(structure, (None, None))
    assert problem.masks == (7, None)
    assert problem.narrowed() == []
    assert violations(problem, (3, 3)) == []
    assert [v.kind for v in violations(problem, (3, 9 * LISTED))] == ["domain", "constraint"]
    given = structure.problem({0: 3})
    assert given.masks == (2, None)
    assert from_text(to_text(given)) == given
    with pytest.raises(ModelError, match="too large to be listed"):
        problem.domains()
    with pytest.raises(ModelError, match="beyond"):
        Problem(structure, (8, None))
    assert Structure(("x",), (range(3),), ()).digest == Structure(("x",), ((0, 1, 2),), ()).digest


def test_a_function_within_a_view_is_refused():
    with pytest.raises(ModelError, match="cannot be put into an affine term"):
        equals(Affine(0, 2, 0), 1).mapped(lambda v: Sum((1, 2)))
