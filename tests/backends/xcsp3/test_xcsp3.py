"""Solvers of XCSP3: what they stumble over, what they print, where a release is wrong."""

from __future__ import annotations

import itertools

import pytest

from backends.conformance import examine
from backends.interface import registry
from backends.interface.api import AllOptima, Limits, Optimum, Refused, Solutions
from backends.xcsp3 import backend as xcsp3_backend
from backends.xcsp3 import programs
from backends.xcsp3.condensing import condense
from backends.xcsp3.guards import ace, cosoco
from backends.xcsp3.guards.ace import takes_ace
from backends.xcsp3.guards.choco import takes_choco
from backends.xcsp3.guards.cosoco import takes_cosoco, takes_cosoco_within
from backends.xcsp3.guards.profile import guarded
from backends.xcsp3.precedences import say_precedences
from modelling.constraints import (
    AllDifferent,
    AllEqual,
    Clauses,
    Count,
    Define,
    Element,
    Iff,
    Linear,
    Maximum,
    Minimum,
    Not,
    NotEqual,
    Or,
    Truth,
    equals,
)
from modelling.errors import BackendUnavailable, ProgramFailed, UnknownBackend
from modelling.formats import xcsp3
from modelling.laws.drawing import structure_over
from modelling.problem import Objective, build_problem
from modelling.terms import Affine, constants
from modelling.vocabulary.automata.mdd import MDD
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.counting.bin_packing import BinPacking
from modelling.vocabulary.counting.global_cardinality import GlobalCardinality
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.formulas.truth import IfThenElse
from modelling.vocabulary.functions.distance import Distance
from modelling.vocabulary.functions.element2d import Element2D
from modelling.vocabulary.functions.multiplication import Product, Quotient
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.graphs.inverse import Inverse
from modelling.vocabulary.ordering.increasing import Increasing
from modelling.vocabulary.ordering.lex import Lex
from modelling.vocabulary.scheduling.cumulative import Cumulative
from modelling.vocabulary.scheduling.no_overlap import NoOverlap
from tests.backends.small_problems import pigeons
from tests.backends.solver_checks import check_solutions

pytestmark = pytest.mark.once  # each test starts a virtual machine or a program

CHECKS = {"cosoco": takes_cosoco, "ace": takes_ace, "choco": takes_choco}


def loaded(name):
    """The backend; where its solver is not installed, the line of what was skipped says so."""
    try:
        return registry.get(name)
    except BackendUnavailable as error:
        pytest.skip(str(error))


# --- names ----------------------------------------------------------------------------------------


def test_names_and_families():
    assert registry.spec("xcsp3").text == "xcsp3:cosoco"
    assert registry.spec("xcsp3:solver=ace").text == "xcsp3:ace"
    assert registry.known_family("xcsp3:choco") == registry.known_family("choco") == "choco"
    assert registry.known_family("xcsp3") == "cosoco"
    with pytest.raises(UnknownBackend, match="did you mean 'cosoco'"):
        registry.get("xcsp3:cosocco")


@pytest.mark.parametrize(
    ("name", "missing", "cause"),
    [
        ("cosoco", "cosoco", "needs cosoco: pip install"),
        ("ace", "pycsp3", "needs pycsp3"),
        ("choco", "java", "needs Java"),
    ],
)
def test_what_is_missing_is_named(monkeypatch, tmp_path, name, missing, cause):
    (tmp_path / "solvers").mkdir()
    (tmp_path / "solvers" / "choco-parsers-9.9.jar").touch()

    class Package:
        submodule_search_locations = (str(tmp_path),)

    there = None if missing == "pycsp3" else Package
    monkeypatch.setattr(programs.importlib.util, "find_spec", lambda package: there)
    monkeypatch.setattr(programs.shutil, "which", lambda *arguments, **named: None)
    with pytest.raises(BackendUnavailable, match=cause):
        registry.get(f"xcsp3:{name}")


# --- condensing -----------------------------------------------------------------------------------


def test_what_solvers_stumble_over_is_taken_away():
    problem = build_problem(
        {"free": range(3), "x": range(4), "y": range(4), "one": (5,)},
        [Linear(("x",), (1,), ">=", 2), Linear(("x", "y", "one"), (1, 1, 0), "<=", 3)],
        objective=Objective("maximize", ("x", "free", "one"), (1, 0, 7)),
    )
    condensed = condense(problem, [], problem.structure.objective)
    assert condensed.kept == (1, 2)
    assert condensed.structure.names == ("x[0]", "x[1]")
    assert condensed.structure.domains == ((2, 3), (0, 1, 2, 3))
    assert condensed.structure.constraints == (Linear((0, 1), (1, 1), "<=", 3),)
    assert condensed.structure.objective == Objective("maximize", (0,), (1,))
    spread = list(condensed.spread({"x[0]": "2", "x[1]": "*"}))
    assert spread[0] == (0, 2, 0, 5)
    assert len(spread) == 3 * 4
    assert condense(problem, [Linear((0,), (1,), ">", 2)], None).structure is None


def test_variables_of_one_value_are_no_part_of_a_sum():
    sums = [
        Linear(("x", "y", "z"), (1, 2, 3), "!=", 9),
        Linear(("z", "one"), (1, -1), "==", -3),
        Linear(("one", "one"), (1, 1), "==", 10),
    ]
    problem = build_problem({"x": range(4), "y": range(4), "z": range(4), "one": (5,)}, sums)
    condensed = condense(problem, [], None)
    assert condensed.structure.constraints == (Linear((0, 1), (1, 2), "!=", 3),)
    assert condensed.domains[2:] == ([2], (5,))
    never = Linear((3, 3), (1, 1), "==", 11)
    assert condense(problem, [never], None).structure is None


def test_an_objective_without_constraints_is_settled():
    domains = {"x": range(4), "y": range(2, 5), "free": range(2)}
    problem = build_problem(domains, [], objective=Objective("maximize", ("x", "y"), (1, -2)))
    condensed = condense(problem, [], problem.structure.objective)
    assert condensed.kept == ()
    assert list(condensed.spread({})) == [(3, 2, 0), (3, 2, 1)]


def test_an_objective_that_is_constant_is_none():
    problem = build_problem(
        {"x": (4,), "y": range(2)}, [], objective=Objective("minimize", ("x", "y"), (3, 0))
    )
    assert condense(problem, [], problem.structure.objective).structure.objective is None


# --- guards ---------------------------------------------------------------------------------------

NESTED = Iff(equals(0, 1), Iff(equals(1, 1), equals(2, 1)))
FROM_1 = tuple(Affine(variable, 1, -1) for variable in range(6))


@pytest.mark.parametrize(
    ("constraint", "takers"),
    [
        (Define(0, Element((1,), 2)), {"choco"}),
        (Define(0, Maximum((1, 1))), {"choco"}),
        (Define(3, NValue((0, 1), (0,))), {"ace"}),
        (Linear((Affine(0, 0, 3), 1), (1, 1), "<=", 3), {"choco"}),
        (Inverse((0, 1), (2, 3)), {"choco"}),
        (AllDifferent((0, 1, 2)), {"cosoco", "choco"}),
        (Define(2, Maximum((0, 3))), {"ace", "choco"}),
        (NESTED, {"cosoco", "ace", "choco"}),
        (
            Linear((Truth(Linear((0, 1), (1, 1), "<=", 1)), Truth(equals(1, 1))), (1, 1), "==", 1),
            {"ace", "choco"},
        ),
        (Circuit((0, 1, 2)), {"choco"}),
        (Define(2, Element(constants(3, 4, 5), 0)), {"cosoco", "ace", "choco"}),
        (Define(2, Element2D(((0, 1), (2, 3)), 0, 1)), {"ace"}),
        (Define(2, Element2D(((Affine(None, 0, 3), Affine(None, 0, 4)),) * 2, 0, 0)), {"choco"}),
        (AllEqual((0, 1, 2)), {"ace", "choco"}),
        (Linear((Count((0, 0, 1), constants(1)),), (1,), "==", 1), {"choco"}),
        (Increasing((0, 1, 1), strict=False), {"choco"}),
        (Linear((Distance(0, 1),), (1,), "!=", 0), {"cosoco", "choco"}),
        (Define(0, IfThenElse(equals(2, 1), 1, 1)), {"choco"}),
        (Linear((NValue((0, 1)),), (1,), "<=", 1), {"cosoco"}),
        (Linear((Maximum((0, 1)),), (1,), "<=", 1), {"cosoco", "ace", "choco"}),
        (Define(0, Quotient(3, 1)), {"cosoco", "choco"}),
        (Linear((Product((0, 1)),), (1,), "!=", 1), {"cosoco", "choco"}),
        (Linear((Truth(equals(0, 1)), 1), (1, -1), "==", 0), {"choco"}),
        (Not(AllEqual((0, 1, 2))), set()),
        (NoOverlap((0, 1), (2, 3), strict=False), set()),
        (
            Cumulative((0, 1), constants(1, 2), constants(1, 1), Affine(None, 0, 2)),
            {"cosoco", "ace"},
        ),
        (
            Cumulative((0, 1), constants(1, 2), constants(1, 2), Affine(None, 0, 2)),
            {"cosoco", "ace", "choco"},
        ),
        (Define(2, Truth(AllEqual((0, 1)))), set()),
        (Not(Define(Affine(None, 0, 1), Maximum((0, 1)))), {"cosoco", "choco"}),
        (MDD((0, 1), ((0, 1, 1), (1, 4, 2))), set()),
        (Regular((0, 1), ((0, 0, 0), (0, 1, 1)), 0, (1,)), {"cosoco", "ace", "choco"}),
        (Regular((0, 1), ((0, 0, 0), (0, 1, 1), (0, 1, 0)), 0, (1,)), {"choco"}),
        (GlobalCardinality((0, 1), (0,), (2,), closed=True), {"ace", "choco"}),
        (BinPacking((0, 1), (1, 2), "==", constants(1, 2, 3)), {"cosoco", "choco"}),
        (Lex(((0, 1), (0, 2)), strict=False), {"cosoco"}),
    ],
)
def test_each_solver_is_given_what_it_takes(constraint, takers):
    variables = structure_over([range(3)] * 2 + [range(5), (1, 3)], ())
    taking = {name for name, takes in CHECKS.items() if takes(constraint, variables)}
    assert taking == takers


@pytest.mark.parametrize(
    "constraint",
    [
        Circuit(FROM_1[:3]),
        Inverse(FROM_1[:3], (3, 4, 5)),
        Define(0, Element((1, 2, 3), FROM_1[5])),
        Define(0, Element2D((constants(1, 2, 3),) * 3, 1, FROM_1[5])),
    ],
)
def test_ace_is_given_no_numbers_that_begin_at_1(constraint):
    """Its circuits, channels and elements have no ``startIndex``; MiniZinc's arrays begin at 1."""
    variables = structure_over([range(1, 4)] * 3 + [range(3)] * 2 + [range(1, 4)], ())
    assert not takes_ace(constraint, variables)
    assert takes_choco(constraint, variables)


@pytest.mark.once
def test_ace_solves_what_is_numbered_from_1():
    backend = loaded("xcsp3:ace")
    next_, f, g = FROM_1[:3], FROM_1[:3], FROM_1[3:6]
    for constraint in (Circuit(next_), Inverse(f, g), Define(4, Element((0, 1, 2), FROM_1[3]))):
        domains = {f"x{i}": range(1, 4) for i in sorted(constraint.scope)}
        check_solutions(backend, build_problem(domains, [constraint]))


@pytest.mark.parametrize(
    "constraints",
    [
        (GlobalCardinality((0, 1), (2,), constants(2)),),
        (GlobalCardinality((0, 1), (7,), constants(2)),),
        (Linear((Minimum((3, 0)),), (1,), "<=", 0),),
        (Clauses((4, 5), ((-1,), (1, -2))),),
        (equals(0, 1), Linear((0, 1, 2), (1, 1, 2), "!=", 4)),
        (Linear((Maximum((0, 3)),), (1,), "==", 3), Linear((0, 1, 3), (1, 1, 2), "!=", 8)),
        (AllDifferent((0, 1, 2), except_=(2, 1, 0)),),
        (Cumulative((0, 1), constants(1, 2), constants(0, 2), Affine(None, 0, 3)),),
        (Linear((Count((0, 1, 2), (1, 2)), 6), (1, -1), "!=", 0),),
        (GlobalCardinality(constants(3, 1), (3, 2), (0, 1)),),
        (Inverse((7, 7, 7), constants(1, 1, 2)),),
    ],
    ids=str,
)
def test_ace_solves_what_it_would_stop_at(constraints):
    domains = [range(3)] * 3 + [range(1, 4), range(2), range(2), (0,), (1, 2)]
    problem = structure_over(domains, constraints).problem()
    check_solutions(loaded("xcsp3:ace"), problem)


def test_profiles_differ_by_their_guards():
    assert len({guarded(takes, takes).digest for takes in CHECKS.values()}) == 3


@pytest.mark.parametrize(
    ("name", "never"), [("cosoco", cosoco.NEVER), ("ace", ace.NEVER), ("choco", frozenset())]
)
def test_what_a_solver_is_never_given_is_not_called_native(name, never):
    native = loaded(f"xcsp3:{name}").native
    assert native.isdisjoint(never)
    assert (NoOverlap in native) == (name == "choco")


def test_the_order_of_two_tasks_is_said_as_ace_knows_it():
    lengths = {(0, 1): -3, (1, 0): -2}
    order = Or(tuple(Linear(pair, (1, -1), "<=", n) for pair, n in lengths.items()))
    others = (
        Or((order.formulas[0], Linear((1, 2), (1, -1), "<=", -2))),
        Or((order.formulas[0], Linear((1, 0), (1, -1), "<=", 2))),
        Or((order.formulas[0], Linear((1, 0), (1, -1), "<=", -2_000_000))),
    )
    said = say_precedences(structure_over([range(6)] * 3, (order, *others)))
    assert said.constraints[1:] == others
    text = "".join(xcsp3.write(said.problem()))
    assert "or(le(add(x0,3),x1),le(add(x1,2),x0))" in text
    pairs = itertools.product(range(6), repeat=2)
    assert all(said.constraints[0].holds(pair) == order.holds(pair) for pair in pairs)


def test_ace_counts_orders_of_tasks():
    order = Or((Linear((0, 1), (1, -1), "<=", -3), Linear((1, 0), (1, -1), "<=", -2)))
    others = [Linear((2, 1), (1, -1), "==", 0)]
    problem = structure_over([range(-2, 5), range(6), range(8)], (order, *others)).problem()
    check_solutions(loaded("xcsp3:ace"), problem)


def test_an_iff_within_another_is_taken_apart():
    variables = structure_over([range(3)] * 3, ())
    assert takes_cosoco(NESTED, variables)
    assert not takes_cosoco_within(NESTED.other, variables)
    assert guarded(takes_cosoco, takes_cosoco_within).takes(NESTED, "root", variables) is False


# --- answers --------------------------------------------------------------------------------------


def answering(monkeypatch, tmp_path, printed):
    """A backend whose solver prints what is given."""
    script = tmp_path / "solver.sh"
    script.write_text(f"#!/bin/sh\ncat <<'END'\n{printed}\nEND\n")
    script.chmod(0o755)
    made = programs.InstalledSolver(
        "fake", "1", (str(script),), lambda order: [], takes_choco, 1000, "", {}
    )
    monkeypatch.setattr(xcsp3_backend, "find_program", lambda name, place="": made)
    return registry.get("xcsp3")


PAIR = build_problem({"x": range(2), "y": range(2)}, [NotEqual(("x", "y"))])
FIRST = "v <instantiation> <list> x[0] x[1] </list> <values> 0 1 </values> </instantiation>"


@pytest.mark.parametrize(
    ("printed", "cause"),
    [
        ("", "it says no status"),
        ("s UNSUPPORTED", "it says UNSUPPORTED"),
        ("s UNKNOWN", "it says UNKNOWN"),
        ("s SATISFIABLE", "it says SATISFIABLE after 0 solutions"),
        (f"{FIRST}\ns UNSATISFIABLE", "it says UNSATISFIABLE after 1 solutions"),
        (f"{FIRST}\njava.lang.NullPointerException: x\ns SATISFIABLE", "NullPointerException"),
        (FIRST.replace("0 1", "0"), "2 variables and 1 values"),
        (FIRST.replace("0 1", "0 one"), r"a solution has x\[1\] = 'one'"),
    ],
)
def test_what_is_no_answer_is_an_error(monkeypatch, tmp_path, printed, cause):
    backend = answering(monkeypatch, tmp_path, printed)
    with pytest.raises(ProgramFailed, match=cause):
        backend.solve(PAIR, Solutions(None))


def test_what_follows_unsatisfiable_does_not_count(monkeypatch, tmp_path):
    backend = answering(monkeypatch, tmp_path, f"s UNSATISFIABLE\n{FIRST}\ns SATISFIABLE")
    found = backend.solve(PAIR, Solutions(None))
    assert (found.status, found.native_status) == ("UNSATISFIABLE", "UNSATISFIABLE")


def test_an_end_without_proof_is_no_proof(monkeypatch, tmp_path):
    backend = answering(monkeypatch, tmp_path, f"{FIRST}\ns SATISFIABLE")
    assert backend.solve(PAIR, Solutions(1)).stopped_by == "enough"
    assert backend.solve(PAIR, Solutions(1), Limits(seconds=60)).stopped_by == "enough"


# --- solvers --------------------------------------------------------------------------------------


def test_cosoco_counts_proves_and_optimises():
    backend = loaded("xcsp3:cosoco")
    assert backend.solve(pigeons(6)).status == "UNSATISFIABLE"
    problem = build_problem(
        {name: range(4) for name in "abcd"},
        [AllDifferent(tuple("abc"))],
        objective=Objective("maximize", ("a", "b"), (2, -1)),
    )
    check_solutions(backend, problem)
    best = backend.solve(problem, AllOptima(None, None))
    assert (best.status, best.objective, best.count) == ("OPTIMUM", 6, 8)
    assert backend.solve(problem, Optimum()).statistics["nodes"] > 0


def test_cosoco_keeps_its_time():
    backend = loaded("xcsp3:cosoco")
    found = backend.solve(pigeons(14), Solutions(1), Limits(seconds=0.5))
    assert (found.status, found.stopped_by) == ("UNKNOWN", "time")


def test_what_is_too_large_is_refused():
    backend = loaded("xcsp3:cosoco")
    refused = backend.accepts(build_problem({"x": (0, 1 << 40)}, []))
    assert isinstance(refused, Refused)
    assert "x reaches beyond" in refused.reason


def test_cosoco_conforms():
    report = examine(loaded("xcsp3:cosoco"), problems=12, seed=3)
    assert not report.faults


@pytest.mark.once
@pytest.mark.parametrize("name", ["ace", "choco"])
def test_the_solvers_in_java_prove(name):
    backend = loaded(f"xcsp3:{name}")
    found = backend.solve(pigeons(5))
    assert found.status == "UNSATISFIABLE"
    assert "failures" in found.statistics
    either = build_problem({"x": range(3), "y": range(3)}, [Or((equals(0, 1), equals(1, 2)))])
    check_solutions(backend, either)


def test_elements_as_they_are_posed():
    """Elements of constants lost solutions, and those of a matrix are not supported."""
    backend, constants = loaded("xcsp3:cosoco"), tuple(Affine(None, 0, k) for k in (3, 4, 5, 6))
    problem = build_problem(
        {"i": range(4), "r": range(3, 7)}, [Define("r", Element(constants, "i"))]
    )
    assert backend.solve(problem, Solutions(None)).count == 4
    matrix = Define("r", Element2D((("a", "b"),) * 2, "i", "j"))
    small = build_problem(dict.fromkeys("abijr", range(2)), [matrix])
    assert backend.solve(small, Solutions(None)).count == 16
