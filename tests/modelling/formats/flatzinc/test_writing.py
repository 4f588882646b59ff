"""Problems as FlatZinc: what is written, and that it means the same when it is read again."""

from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest

from backends.conformance.drawn_problems import drawn_problems
from backends.interface import registry
from backends.interface.api import Optimum, Solutions
from modelling import constraints as mc
from modelling.brute_force import optima, solutions
from modelling.errors import ModelError
from modelling.formats.flatzinc import PROFILE, read, write
from modelling.formats.flatzinc.profile import PREDICATES
from modelling.problem import Objective, Structure, build_problem


def text_of(problem):
    return "".join(write(problem))


def again(problem):
    return read(text_of(problem).encode(), "written.fzn")


def test_an_example():
    problem = build_problem(
        {"x[1]": range(1, 5), "x[2]": (1, 3, 7), "b": (0, 1), "n": range(3)},
        [
            mc.AllDifferent(("x[1]", "x[2]")),
            mc.Iff(mc.Linear(("b",), (1,), "==", 1), mc.Linear(("x[1]", "x[2]"), (1, 2), ">=", 4)),
            mc.Define("n", mc.Count(("x[1]", "x[2]"), mc.constants(3))),
            mc.Linear((mc.Affine("n", 2, 1), "x[1]"), (1, 1), "!=", 4),
        ],
        objective=Objective("maximize", ("x[1]", "n"), (2, -1)),
        givens={"x[2]": 3},
    )
    assert (
        text_of(problem)
        == """\
% x[1] is called x_1
% x[2] is called x_2
predicate fzn_all_different_int(array [int] of var int: xs);
predicate fzn_count_eq(array [int] of var int: xs, var int: value, var int: n);
var 1..4: x_1 :: output_var;
var 3..3: x_2 :: output_var;
var bool: b :: output_var;
var 0..2: n :: output_var;
var 1..5: X_INTRODUCED_1_ :: var_is_introduced :: is_defined_var;
var 0..8: X_INTRODUCED_2_ :: var_is_introduced :: is_defined_var;
constraint fzn_all_different_int([x_1,x_2]);
constraint int_lin_le_reif([-1,-2],[x_1,x_2],-4,b) :: defines_var(b);
constraint fzn_count_eq([x_1,x_2],3,n);
constraint int_lin_eq([2,-1],[n,X_INTRODUCED_1_],-1) :: defines_var(X_INTRODUCED_1_);
constraint int_lin_ne([1,1],[X_INTRODUCED_1_,x_1],4);
constraint int_lin_eq([2,-1,-1],[x_1,n,X_INTRODUCED_2_],0) :: defines_var(X_INTRODUCED_2_);
solve maximize X_INTRODUCED_2_;
"""
    )


X = tuple(range(4))
NATIVE = [
    mc.Linear(X, (1, -2, 3, 4), "<=", 5),
    mc.Linear(X, (1, -2, 3, 4), "==", 5),
    mc.Linear(X, (1, -2, 3, 4), "!=", 5),
    mc.Linear((0, 1), (1, -1), "<=", 0),
    mc.Linear((0,), (1,), "<=", 2),
    mc.NotEqual((0, 1)),
    mc.Table(X, ((1, 2, 3, 1), (2, 2, 2, 2))),
    mc.Table((1,), ((1,), (3,))),
    mc.AllDifferent(X),
    mc.AllDifferent(X, (1, 3)),
    mc.AllEqual(X),
    mc.Circuit(tuple(mc.Affine(x, 1, -1) for x in X)),
    mc.SubCircuit(tuple(mc.Affine(x, 1, -1) for x in X)),
    mc.Inverse(
        (mc.Affine(0, 1, -1), mc.Affine(1, 1, -1)), (mc.Affine(2, 1, -1), mc.Affine(3, 1, -1))
    ),
    mc.Increasing(X),
    mc.Increasing(X, strict=True),
    mc.Lex(((0, 1), (2, 3))),
    mc.Lex(((0, 1), (2, 3)), strict=True),
    mc.Precedence(X, (1, 2)),
    mc.Precedence(X, (2, 1, 3)),
    mc.Cumulative((0, 1), (2, mc.constant(2)), (mc.constant(1), 3), mc.constant(2)),
    mc.NoOverlap((0, 1), (2, 3)),
    mc.NoOverlap((0, 1), (2, 3), strict=True),
    mc.NoOverlap2D((0, 1), (2, 3), mc.constants(1, 2), mc.constants(2, 1)),
    mc.NoOverlap2D((0, 1), (2, 3), mc.constants(1, 2), mc.constants(2, 1), strict=True),
    mc.GlobalCardinality((0, 1, 2), (1, 2), (3, mc.constant(1))),
    mc.GlobalCardinality((0, 1, 2), (1, 2), (3, mc.constant(1)), closed=True),
    mc.BinPacking((mc.Affine(0, 1, -1), mc.Affine(1, 1, -1)), (1, 2), "==", (2, 3)),
    mc.BinPacking((mc.Affine(0, 1, -1), mc.Affine(1, 1, -1)), (1, 2), "<=", mc.constants(2, 2)),
    mc.Regular(X, ((1, 1, 2), (2, 1, 2), (2, 2, 1)), 1, (1,)),
    mc.Regular(X, ((1, 1, 1), (1, 1, 2), (2, 2, 1)), 1, (1,)),
    mc.Define(0, mc.Product((1, 2))),
    mc.Define(0, mc.Product((1, 1))),
    mc.Define(0, mc.Quotient(1, 2)),
    mc.Define(0, mc.Remainder(1, 2)),
    mc.Define(0, mc.Distance(1, mc.constant(0))),
    mc.Define(0, mc.Minimum((1, 2))),
    mc.Define(0, mc.Minimum((1, 2, 3))),
    mc.Define(0, mc.Maximum((1, 2))),
    mc.Define(0, mc.Maximum((1, 2, 3))),
    mc.Define(0, mc.Element((1, mc.constant(2), 3), mc.Affine(2, 1, -1))),
    mc.Define(0, mc.Element(mc.constants(4, 2, 3), mc.Affine(2, 1, -1))),
    mc.Define(0, mc.Count((1, 2, 3), (2,))),
    mc.Define(0, mc.Count((1, 2, 3), mc.constants(2, 3))),
    mc.Define(0, mc.NValue((1, 2, 3))),
]


@pytest.mark.parametrize("constraint", NATIVE, ids=repr)
def test_what_is_native_is_read_as_what_it_was(constraint):
    structure = Structure(("a", "b", "c", "d"), ((1, 2, 3, 4),) * 4, (constraint,))
    read_again = again(structure.problem())
    assert read_again.structure == structure
    assert set(solutions(read_again)) == set(solutions(structure.problem()))


B = [mc.Linear((x,), (1,), "==", 1) for x in range(3)]


@pytest.mark.parametrize(
    "constraint",
    [
        mc.Or((B[0], B[1], B[2])),
        mc.Or((B[0], mc.Linear((1,), (1,), "==", 0))),
        mc.Iff(B[0], mc.Linear((3, 4), (1, 1), "<=", 3)),
        mc.Iff(B[0], mc.NotEqual((3, 4))),
        mc.Iff(B[0], mc.Table((3,), ((1,), (4,)))),
        mc.Xor((B[0], B[1], B[2])),
        mc.Define(3, mc.IfThenElse(B[0], 4, mc.constant(2))),
    ],
    ids=repr,
)
def test_so_are_formulas(constraint):
    names = ("a", "b", "c", "x", "y")
    structure = Structure(names, ((0, 1),) * 3 + ((1, 2, 3, 4),) * 2, (constraint,))
    assert again(structure.problem()).structure == structure


def test_clauses():
    structure = Structure(("a", "b", "c"), ((0, 1),) * 3, (mc.Clauses((0, 1, 2), ((1, -2), (3,))),))
    assert text_of(structure.problem()).splitlines()[3:5] == [
        "constraint bool_clause([a],[b]);",
        "constraint bool_clause([c],[]);",
    ]
    assert set(solutions(again(structure.problem()))) == set(solutions(structure.problem()))


@pytest.mark.parametrize("tuples", [((1,), (99,)), ((1, 2), (0, 0))])
def test_a_condition_that_is_a_table(tuples):
    """Its opposite, a table of what is excluded, has no word in FlatZinc."""
    terms = ("x", "y")[: len(tuples[0])]
    problem = build_problem(
        {"x": range(3), "y": range(3), "b": (0, 1)},
        [mc.Implies(mc.Table(terms, tuples, True), mc.Linear(("b",), (1,), "==", 1))],
    )
    assert len(list(solutions(again(problem)))) == len(list(solutions(problem)))


def test_booleans_that_are_numbers_too():
    problem = build_problem(
        {"a": (0, 1), "b": (0, 1), "c": (0, 1)},
        [
            mc.Implies(mc.Linear(("a",), (1,), "==", 1), mc.Linear(("b",), (1,), "!=", 1)),
            mc.Linear(("a", "b", "c"), (1, 2, 1), "<=", 3),
            mc.Linear(("c",), (1,), "==", 1),
        ],
    )
    text = text_of(problem)
    assert "var 0..1: a :: output_var;" in text
    assert "constraint bool2int(X_INTRODUCED_1_,a);" in text
    assert "constraint int_eq(c,1);" in text
    assert set(solutions(again(problem))) == {
        (*values, values[0], values[1]) for values in solutions(problem)
    }


def test_a_boolean_beside_its_number():
    text = (
        b"var bool: a; var 0..1: x; constraint bool2int(a,x); constraint bool_clause([a],[a]);"
        b"constraint int_lin_le([1,1],[x,x],3); solve satisfy;"
    )
    written = text_of(read(text, "a.fzn"))
    assert "var bool: a ::" in written
    assert "constraint bool2int(a,x);" in written


@pytest.mark.parametrize(
    ("output", "shown"), [(None, None), ((1,), (1,)), ((), ()), ((0, 1, 2), None)]
)
def test_output(output, shown):
    structure = Structure(("a", "b", "c"), ((0, 1),) * 3, (mc.AllDifferent((0, 1)),), None, output)
    assert again(structure.problem()).structure.output == shown


def test_names():
    names = ("x", "X_INTRODUCED_1_", "var", "x[1]", "x_1", "3", "_a", "é", "x 1", "a;\nb%")
    structure = Structure(
        names, ((1, 2),) * 10, (mc.Linear((0, 1), (2, 3), "<=", 8),), None, (0, 3)
    )
    written = text_of(structure.problem())
    assert [line for line in written.splitlines() if line.startswith("%")] == [
        "% var is called var_2",
        "% x[1] is called x_1_2",
        "% 3 is called v_3",
        "% _a is called a",
        "% é is called v_",
        "% x 1 is called x_1_3",
        "% a; b% is called a_b",
    ]
    read_again = read(written.encode(), "a.fzn").structure
    assert read_again.names[:2] == ("x", "X_INTRODUCED_1_")
    assert replace(read_again, names=names) == structure


def test_domains_and_givens():
    problem = build_problem(
        {"a": (1, 2, 5), "b": (), "c": range(10**9), "d": range(5)}, [], givens={"d": 3}
    )
    assert text_of(problem).splitlines() == [
        "var {1,2,5}: a :: output_var;",
        "var 0..0: b :: output_var;",
        "var 0..999999999: c :: output_var;",
        "var 3..3: d :: output_var;",
        "constraint bool_clause([],[]);",
        "solve satisfy;",
    ]


@pytest.mark.parametrize(
    ("problem", "cause"),
    [
        (build_problem({"x": range(0, 10**9, 2)}), "the domain of x has too many gaps"),
        (build_problem({"x": (0, 10**20)}), "the number 100000000000000000000 is too large"),
    ],
)
def test_what_cannot_be_said(problem, cause):
    with pytest.raises(ModelError, match=cause):
        text_of(problem)


def test_what_no_rewrite_says_is_refused_by_name():
    class Strange(mc.Constraint):
        def holds(self, values):
            return sum(values) % 7 == 1

    structure = Structure(("a", "b"), (tuple(range(2000)),) * 2, (Strange((0, 1)),))
    with pytest.raises(ModelError, match="FlatZinc: Strange is not native"):
        text_of(structure.problem())


def test_native_classes_are_written_and_the_others_rewritten():
    kinds = {native.kind for native in PROFILE.natives}
    assert kinds <= set(mc.VOCABULARY)
    left = {kind.__name__ for kind in set(mc.VOCABULARY) - kinds - {mc.Define, mc.Sum}}
    assert left == {"Element2D", "MDD", "Truth"}


def test_predicates_are_declared_as_they_are_used():
    problem = build_problem(
        {"x": range(3), "y": range(3)}, [mc.And((mc.AllDifferent(("x", "y")),))]
    )
    assert text_of(problem).count("predicate ") == 1
    for name in PREDICATES:
        assert name.startswith("fzn_")


def test_drawn_problems_mean_the_same():
    """Of all classes, in all positions: solutions, optima, and no auxiliary that is free."""
    backend = registry.get("propagation")
    kinds = [kind for kind in mc.VOCABULARY if issubclass(kind, mc.Constraint)]
    for kind, problem in islice(drawn_problems(5, kinds), 150):
        structure, other = problem.structure, again(problem)
        output = range(structure.size) if structure.output is None else sorted(structure.output)
        wanted = Counter(tuple(values[v] for v in output) for values in solutions(problem))
        shown = other.structure.output
        shown = range(other.structure.size) if shown is None else sorted(shown)
        found = backend.solve(other, Solutions(None, keep=10**6))
        assert Counter(tuple(v[k] for k in shown) for v in found.solutions) == wanted, kind
        if structure.output is None:
            whole = replace(other.structure, output=None).problem()
            assert backend.solve(whole, Solutions(None)).count == len(wanted), kind
        if structure.objective is not None:
            best, reached = optima(problem)
            found = backend.solve(other, Optimum())
            assert (found.objective if reached else 0) == best, kind
