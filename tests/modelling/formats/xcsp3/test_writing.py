"""What is written: word for word for each class, and as many solutions for drawn problems."""

import random
import re
from itertools import islice, product

import pytest

from backends.conformance.drawn_problems import drawn_problems
from backends.interface import registry
from backends.interface.api import Optimum, Solutions
from modelling import constraints as mc
from modelling.brute_force import optima, solutions
from modelling.errors import ModelError
from modelling.expressions.model import Model
from modelling.formats.xcsp3 import read, write
from modelling.laws.drawing import Drawer, draw_constraint, draw_domains, structure_over
from modelling.problem import Objective, Problem, Structure

LT = mc.Linear((0, 1), (1, -1), "<", 0)


def structure(constraints, objective=None, domain=(0, 1, 2, 3)):
    names = tuple(f"x[{k}]" for k in range(6))
    return Structure(names, (domain,) * 6, tuple(constraints), objective)


def written(problem):
    return "".join(write(problem))


def said(constraint):
    """What stands between <constraints> and its end, on one line; with what is read from it."""
    text = written(structure([constraint]).problem())
    inner = text.partition("<constraints>")[2].partition("</constraints>")[0]
    inner = re.sub(r"<intension> eq\((.*),\1\) </intension>", "", inner)
    return "".join(line.strip() for line in inner.splitlines()), read(text.encode(), "w.xml")


@pytest.mark.parametrize(
    ("constraint", "text"),
    [
        (LT, "<intension> lt(x[0],x[1]) </intension>"),
        (mc.Linear((0, 1), (1, -1), "<=", -2), "<intension> le(sub(x[0],x[1]),-2) </intension>"),
        (mc.NotEqual((0, 1)), "<intension> ne(x[0],x[1]) </intension>"),
        (mc.equals(3, 1), "<intension> eq(x[3],1) </intension>"),
        (mc.Linear((0, 1, 2), (1, 1, 1), "<=", 4),
         "<sum><list> x[0] x[1] x[2] </list><condition> (le,4) </condition></sum>"),
        (mc.Linear((0, 1), (2, -3), "==", 0),
         "<sum><list> x[0] x[1] </list><coeffs> 2 -3 </coeffs><condition> (eq,0) </condition>"
         "</sum>"),
        (mc.Linear((mc.Product((0, 1)), mc.Truth(LT)), (1, 2), ">=", 3),
         "<sum><list> mul(x[0],x[1]) lt(x[0],x[1]) </list><coeffs> 1 2 </coeffs>"
         "<condition> (ge,3) </condition></sum>"),
        (mc.Linear((mc.Distance(0, 1),), (1,), "==", 2),
         "<intension> eq(dist(x[0],x[1]),2) </intension>"),
        (mc.Linear((mc.Distance(0, mc.constant(0)), 1), (1, -1), "==", 0),
         "<intension> eq(abs(x[0]),x[1]) </intension>"),
        (mc.Linear((mc.Remainder(0, mc.constant(2)),), (1,), "==", 1),
         "<intension> eq(mod(x[0],2),1) </intension>"),
        (mc.Linear((mc.Quotient(0, mc.Affine(1, 1, 1)), 2), (1, -1), ">", 0),
         "<intension> gt(div(x[0],add(x[1],1)),x[2]) </intension>"),
        (mc.Linear((mc.IfThenElse(LT, 2, 3), 4), (1, -1), "==", 0),
         "<intension> eq(if(lt(x[0],x[1]),x[2],x[3]),x[4]) </intension>"),
        (mc.Or((LT, mc.equals(2, 3))), "<intension> or(lt(x[0],x[1]),eq(x[2],3)) </intension>"),
        (mc.Xor((LT, mc.equals(2, 3))), "<intension> xor(lt(x[0],x[1]),eq(x[2],3)) </intension>"),
        (mc.Implies(LT, mc.equals(2, 3)), "<intension> imp(lt(x[0],x[1]),eq(x[2],3)) </intension>"),
        (mc.Iff(LT, mc.equals(2, 3)), "<intension> iff(lt(x[0],x[1]),eq(x[2],3)) </intension>"),
        (mc.Not(mc.And((LT, mc.equals(2, 3)))),
         "<intension> not(and(lt(x[0],x[1]),eq(x[2],3))) </intension>"),
        (mc.Or((LT, mc.Table((2,), ((1,), (3,))), mc.Table((3,), ((1,),), False))),
         "<intension> or(lt(x[0],x[1]),in(x[2],set(1,3)),notin(x[3],set(1))) </intension>"),
        (mc.AllDifferent((0, 1, 2)), "<allDifferent> x[0] x[1] x[2] </allDifferent>"),
        (mc.AllDifferent((0, mc.Affine(1, -2, 3), mc.Sum((2, 3)))),
         "<allDifferent> x[0] add(mul(-2,x[1]),3) add(x[2],x[3]) </allDifferent>"),
        (mc.AllDifferent((0, 1, 2), (0, 3)),
         "<allDifferent><list> x[0] x[1] x[2] </list><except> 0 3 </except></allDifferent>"),
        (mc.AllEqual((0, 1, 2)), "<allEqual> x[0] x[1] x[2] </allEqual>"),
        (mc.Table((0, 1), ((0, 1), (2, "*"))),
         "<extension><list> x[0] x[1] </list><supports> (0,1)(2,*) </supports></extension>"),
        (mc.Table((0,), ((0,), (2,)), False),
         "<extension><list> x[0] </list><conflicts> 0 2 </conflicts></extension>"),
        (mc.Regular((0, 1, 2), ((0, 1, 0), (0, 2, 1)), 0, (1,)),
         "<regular><list> x[0] x[1] x[2] </list><transitions> (q0,1,q0)(q0,2,q1) </transitions>"
         "<start> q0 </start><final> q1 </final></regular>"),
        (mc.MDD((0, 1), ((0, 1, 1), (0, 2, 2), (1, 2, 3), (2, 0, 4))),
         "<mdd><list> x[0] x[1] </list><transitions> (q0,1,q1)(q0,2,q2)(q1,2,t)(q2,0,t)"
         " </transitions></mdd>"),
        (mc.Linear((mc.Count((0, 1, 2), mc.constants(1)),), (1,), ">=", 2),
         "<count><list> x[0] x[1] x[2] </list><values> 1 </values><condition> (ge,2) </condition>"
         "</count>"),
        (mc.Linear((mc.Count((0, 1, 2), (3,)), 4), (1, -1), "==", 0),
         "<count><list> x[0] x[1] x[2] </list><values> x[3] </values>"
         "<condition> (eq,x[4]) </condition></count>"),
        (mc.Linear((mc.NValue((0, 1, 2), (3,)),), (-1,), "<", -1),
         "<nValues><list> x[0] x[1] x[2] </list><except> 3 </except>"
         "<condition> (gt,1) </condition></nValues>"),
        (mc.Linear((mc.Maximum((0, mc.Sum((1, 2)))), 3), (1, -1), "<=", 0),
         "<maximum><list> x[0] add(x[1],x[2]) </list><condition> (le,x[3]) </condition></maximum>"),
        (mc.Linear((mc.Minimum((0, 1)),), (1,), "==", 2),
         "<minimum><list> x[0] x[1] </list><condition> (eq,2) </condition></minimum>"),
        (mc.Linear((mc.Element((0, 1, 2), 3), 4), (1, -1), "==", 0),
         "<element><list> x[0] x[1] x[2] </list><index> x[3] </index>"
         "<value> x[4] </value></element>"),
        (mc.Linear((mc.Element(mc.constants(3, 1, 2), mc.Affine(3, 1, -1)),), (1,), "!=", 1),
         '<element><list startIndex="1"> 3 1 2 </list><index> x[3] </index>'
         "<condition> (ne,1) </condition></element>"),
        (mc.Linear((mc.Element2D(((0, 1), (2, 3)), 4, mc.Affine(5, 1, -2)),), (1,), "==", 1),
         '<element><matrix startColIndex="2"> (x[0],x[1])(x[2],x[3]) </matrix>'
         "<index> x[4] x[5] </index><value> 1 </value></element>"),
        (mc.GlobalCardinality((0, 1, 2), (1, 2), (3, 4), True),
         '<cardinality><list> x[0] x[1] x[2] </list><values closed="true"> 1 2 </values>'
         "<occurs> x[3] x[4] </occurs></cardinality>"),
        (mc.GlobalCardinality((0, 1, 2), (1, 2), mc.constants(1, 0)),
         "<cardinality><list> x[0] x[1] x[2] </list><values> 1 2 </values>"
         "<occurs> 1 0 </occurs></cardinality>"),
        (mc.Lex(((0, 1), (2, 3)), True),
         "<lex><list> x[0] x[1] </list><list> x[2] x[3] </list><operator> lt </operator></lex>"),
        (mc.Increasing((0, 1, 2), False, True),
         "<ordered><list> x[0] x[1] x[2] </list><operator> ge </operator></ordered>"),
        (mc.Precedence((0, 1, 2), (1, 2, 3)),
         "<precedence><list> x[0] x[1] x[2] </list><values> 1 2 3 </values></precedence>"),
        (mc.Inverse((0, 1), (2, 3)),
         "<channel><list> x[0] x[1] </list><list> x[2] x[3] </list></channel>"),
        (mc.Inverse((mc.Affine(0, 1, -1), mc.Affine(1, 1, -1)), (2, 3)),
         '<channel><list> x[0] x[1] </list><list startIndex="1"> x[2] x[3] </list></channel>'),
        (mc.Inverse((0, 1), (0, 1)), "<channel><list> x[0] x[1] </list></channel>"),
        (mc.Circuit((0, 1, 2)),
         "<circuit><list> x[0] x[1] x[2] </list><size> 3 </size></circuit>"),
        (mc.Cumulative((0, 1), mc.constants(2, 1), mc.constants(1, 2), mc.constant(2)),
         "<cumulative><origins> x[0] x[1] </origins><lengths> 2 1 </lengths>"
         "<heights> 1 2 </heights><condition> (le,2) </condition></cumulative>"),
        (mc.NoOverlap((0, 1), mc.constants(2, 1), True),
         '<noOverlap zeroIgnored="false"><origins> x[0] x[1] </origins>'
         "<lengths> 2 1 </lengths></noOverlap>"),
        (mc.NoOverlap2D((0, 1), (2, 3), mc.constants(2, 1), mc.constants(1, 1)),
         "<noOverlap><origins> (x[0],x[2])(x[1],x[3]) </origins>"
         "<lengths> (2,1)(1,1) </lengths></noOverlap>"),
        (mc.BinPacking((0, 1), (2, 1), "==", (2, 3, 4, 5)),
         "<binPacking><list> x[0] x[1] </list><sizes> 2 1 </sizes>"
         "<loads> x[2] x[3] x[4] x[5] </loads></binPacking>"),
        (mc.BinPacking((0, 1), (2, 1), "<=", mc.constants(2, 2, 2, 1)),
         "<binPacking><list> x[0] x[1] </list><sizes> 2 1 </sizes>"
         "<limits> 2 2 2 1 </limits></binPacking>"),
    ],
)  # fmt: skip
def test_each_class_in_its_own_words(constraint, text):
    told, again = said(constraint)
    assert told == text
    (found,) = again.structure.constraints
    if not isinstance(constraint, (mc.Regular, mc.MDD)):  # whose states have other numbers
        assert simple(found) == simple(constraint)
    values = list(product(range(4), repeat=len(constraint.scope)))
    wanted = [v for v in values if constraint.holds(v)]
    assert [v for v in values if held(found, constraint.scope, v)] == wanted


def simple(constraint):
    """-NValue < -1 and NValue > 1 are the same."""
    if isinstance(constraint, mc.Linear) and constraint.coefficients == (-1,):
        opposed = {"<": ">"}[constraint.relation]
        return mc.Linear(constraint.terms, (1,), opposed, -constraint.constant)
    return constraint


def held(constraint, scope, values):
    given = dict(zip(scope, values, strict=True))
    return constraint.holds([given[v] for v in constraint.scope])


def test_a_circuit_that_leaves_some_out_is_one_element():
    nodes = (0, 1, 2)
    some = mc.Or(tuple(mc.Linear((k,), (1,), "!=", k) for k in nodes))
    text = written(structure([mc.SubCircuit(nodes), some]).problem())
    assert "<circuit>" in text
    assert "ne(" not in text
    assert read(text.encode(), "w.xml").structure.constraints == (mc.SubCircuit(nodes), some)


def test_clauses():
    names = ("a", "b", "c")
    made = Structure(
        names,
        ((0, 1),) * 3,
        (mc.Or((mc.equals(0, 1), mc.equals(1, 0))), mc.Clauses((0, 1, 2), ((1, -3), (2,)))),
    )
    text = written(made.problem())
    lines = [line.strip() for line in text.splitlines() if "clause" in line]
    assert lines == [
        "<clause> a not(b) </clause>",
        "<clause> a not(c) </clause>",
        "<clause> b </clause>",
    ]
    assert len(list(solutions(read(text.encode(), "w.xml")))) == 2


def test_tables_with_the_same_tuples_are_a_group():
    rows = ((0, 1), (2, 3))
    made = structure(
        [mc.Table((0, 1), rows), mc.Table((1, 2), rows), mc.Table((1, 2), rows, False)]
    )
    text = written(made.problem())
    assert text.count("(0,1)(2,3)") == 2
    assert text.count("<args>") == 2
    assert read(text.encode(), "w.xml").structure == made


def test_what_other_parsers_cannot_read_is_said_otherwise():
    """Tables without a possible tuple, unary ones out of order, formulas without variables, and
    excepted values among expressions."""
    for never in (mc.Table((0,), ()), mc.Table((1, 2), ((9, 0), (8, 8)))):
        assert said(never)[0] == f"<intension> lt(x[{never.terms[0]}],0) </intension>"
    assert said(mc.Table((0, 0, 0), (), False))[0] == said(mc.Linear((), (), "<=", 3))[0] == ""
    assert (
        said(mc.Linear((mc.constant(1),), (1,), ">", 1))[0] == "<intension> lt(x[0],0) </intension>"
    )
    assert "<supports> 1 3 </supports>" in said(mc.Table((0,), ((3,), (1,), (3,))))[0]
    for terms in ((0, mc.Affine(1, 2, 0), 2), (0,)):
        text = written(structure([mc.AllDifferent(terms, (1,))]).problem())
        shown = re.search(r"<list> ([^<]*) </list>\s*<except>", text)
        assert shown is None or (" " in shown[1] and "(" not in shown[1])
        assert len(list(solutions(read(text.encode(), "w.xml")))) == len(
            list(solutions(structure([mc.AllDifferent(terms, (1,))]).problem()))
        )


@pytest.mark.parametrize(
    ("objective", "text"),
    [
        (Objective("minimize", (2,), (1,)), "<minimize> x[2] </minimize>"),
        (Objective("maximize", (0, 1), (2, -1)),
         '<maximize type="sum"><list> x[0] x[1] </list><coeffs> 2 -1 </coeffs></maximize>'),
        (Objective("minimize", mc.Sum((0, mc.Product((1, 2))))),
         '<minimize type="sum"><list> x[0] mul(x[1],x[2]) </list></minimize>'),
        (Objective("minimize", mc.Maximum((0, 1))),
         '<minimize type="maximum"><list> x[0] x[1] </list></minimize>'),
        (Objective("maximize", mc.NValue((0, 1, 2))),
         '<maximize type="nValues"><list> x[0] x[1] x[2] </list></maximize>'),
        (Objective("maximize", mc.Product((0, 1))),
         '<maximize type="product"><list> x[0] x[1] </list></maximize>'),
        (Objective("minimize", mc.Distance(0, 1)), "<minimize> dist(x[0],x[1]) </minimize>"),
        (Objective("minimize", mc.Sum((0, 1, mc.constant(5)), (2, 1, 1))),
         "<minimize> add(mul(2,x[0]),x[1],5) </minimize>"),
    ],
)  # fmt: skip
def test_objectives(objective, text):
    made = structure([LT], objective)
    told = written(made.problem())
    inner = told.partition("<objectives>")[2].partition("</objectives>")[0]
    assert "".join(line.strip() for line in inner.splitlines()) == text
    assert read(told.encode(), "w.xml").structure == made


def test_an_objective_without_words_is_that_of_an_auxiliary():
    made = structure([LT], Objective("maximize", mc.Count((0, 1, 2), mc.constants(1))), (0, 1))
    again = read(written(made.problem()).encode(), "w.xml")
    assert optima(again)[0] == optima(made.problem())[0] == 2


# --- variables -----------------------------------------------------------------------------------


def lines_of_variables(names, domains):
    text = written(Structure(tuple(names), tuple(domains), ()).problem())
    inner = text.partition("<variables>")[2].partition("</variables>")[0]
    assert read(text.encode(), "w.xml").structure.names == tuple(names)
    return [line.strip() for line in inner.splitlines() if line.strip()]


def test_arrays_are_told_by_their_names():
    names = ["x[0]", "x[1]", "x[2]", "b", "m[0][0]", "m[0][1]", "m[1][0]", "m[1][1]"]
    domains = [(0, 1), (0, 1), (0, 1), (0, 1, 2, 5, 6), (0,), (0,), (0,), (7, 9)]
    assert lines_of_variables(names, domains) == [
        '<array id="x" size="[3]"> 0 1 </array>',
        '<var id="b"> 0..2 5 6 </var>',
        '<array id="m" size="[2][2]">',
        '<domain for="m[0][0..1] m[1][0]"> 0 </domain>',
        '<domain for="m[1][1]"> 7 9 </domain>',
        "</array>",
    ]


def test_arrays_may_have_gaps():
    names = ["x[0]", "x[2]", "x[3]"]
    assert lines_of_variables(names, [(0, 1)] * 3) == [
        '<array id="x" size="[4]">',
        '<domain for="x[0] x[2..3]"> 0 1 </domain>',
        "</array>",
    ]


def test_names_of_models():
    m = Model()
    m.ints((2, 2), 0, 1, "x")
    m.int(0, 1, "y")
    text = written(m.problem())
    assert '<array id="x" note="concord names with commas" size="[2][2]"> 0 1 </array>' in text
    assert read(text.encode(), "w.xml").structure == m.problem().structure


@pytest.mark.parametrize(
    "names",
    [
        ["größe", "a b", "<&>", '"', "'", "\n\t", "\x00", "", "_1", "1", "v0", "é", "\ud800"],
        ["x[1]", "x[0]"],
        ["x[0]", "y", "x[1]"],
        ["x", "x[0]", "x[1]"],
        ["x[0]", "x[1][0]"],
        ["x[0,0]", "x[1][0]"],
        ["x[00]", "x[1]"],
        ["x[1000000]"],
        ["x[0,0]", "x[0,1]", "x[0,"],
        ["v0", "v1", "?"],
    ],
)
def test_any_names_come_back(names):
    for line in lines_of_variables(names, [(0, 1)] * len(names)):
        assert line.isascii()


def test_givens_are_narrower_domains():
    made = structure([LT]).problem({0: 2})
    text = written(made)
    assert '<domain for="x[0]"> 2 </domain>' in text
    again = read(text.encode(), "w.xml")
    assert again.structure.domains == made.domains()


def test_large_domains_and_numbers():
    made = Structure(("x",), (range(10**9),), (mc.equals(0, 5),))
    text = written(made.problem())
    assert '<var id="x"> 0..999999999 </var>' in text
    assert read(text.encode(), "w.xml").structure == made
    with pytest.raises(ModelError, match="18 digits"):
        written(Structure(("x",), ((0, 10**18),), ()).problem())


@pytest.mark.parametrize("domains", [(), ((),), ((0, 1), ())])
@pytest.mark.parametrize(
    "constraints", [(), (mc.TRUE,), (mc.FALSE,), (mc.Linear((), (), "==", 1),)]
)
def test_small_and_impossible_problems(domains, constraints):
    made = structure_over(domains, constraints).problem()
    again = read(written(made).encode(), "w.xml")
    assert len(list(solutions(again))) == len(list(solutions(made)))


def test_an_empty_mask_has_no_solution():
    made = structure([LT])
    again = read(written(Problem(made, (0, *made.full_masks[1:]))).encode(), "w.xml")
    assert not list(solutions(again))


def test_variables_without_constraints_count():
    made = Structure(("x", "y", "z"), ((0, 1),) * 3, (mc.NotEqual((0, 1)),))
    text = written(made.problem())
    assert "<intension> eq(z,z) </intension>" in text
    assert read(text.encode(), "w.xml").structure == made


@pytest.mark.parametrize(
    "constraint", [mc.Table((0, 1), (), False), mc.Clauses((0, 1), ((2, -2),))]
)
def test_variables_of_what_is_not_said_count(constraint):
    """A table that excludes nothing is not written, and a formula without some of its variables."""
    problem = structure_over(((0, 1), (0, 1)), (constraint,)).problem()
    assert len(list(solutions(problem))) == 4
    again = read(written(problem).encode(), "here")
    assert registry.get("brute_force").solve(again, Solutions(None)).count == 4


def test_an_output_is_said_by_silence():
    made = Structure(("x", "y", "z"), ((0, 1),) * 3, (mc.equals(0, 1),), None, (0, 2))
    text = written(made.problem())
    assert "eq(z,z)" in text
    assert "eq(y,y)" not in text
    assert read(text.encode(), "w.xml").structure == made


def test_an_output_that_cannot_be_said():
    made = Structure(("x", "y"), ((0, 1),) * 2, (mc.NotEqual((0, 1)),), None, (0,))
    with pytest.raises(ModelError, match="none of the output"):
        written(made.problem())


# --- drawn problems ------------------------------------------------------------------------------

SOLVER = registry.get("propagation")


def check(problem):
    """As many solutions as before, on the same variables, and the same optimum."""
    again = read(written(problem).encode(), "w.xml")
    size = problem.structure.size
    assert again.structure.names[:size] == problem.structure.names
    wanted = list(solutions(problem))
    found = SOLVER.solve(again, Solutions(None, keep=len(wanted) + 1))
    assert found.exhausted
    assert sorted(values[:size] for values in found.solutions) == sorted(wanted)
    if problem.structure.objective is not None and wanted:
        best = SOLVER.solve(again, Optimum())
        assert best.objective == optima(problem)[0]


@pytest.mark.parametrize("kind", mc.VOCABULARY, ids=lambda kind: kind.__name__)
def test_every_class_over_any_terms(kind):
    for seed in range(8):
        rng = random.Random(f"xcsp3/{kind.__name__}/{seed}")
        domains = draw_domains(rng, 200)
        drawer = Drawer(rng, domains, depth=rng.choice((0, 0, 1, 2)))
        check(structure_over(domains, [draw_constraint(rng, kind, drawer)]).problem())


def test_drawn_problems():
    for kind, problem in islice(
        drawn_problems(7, (mc.AllDifferent, mc.Linear, mc.Table), mc.VOCABULARY), 150
    ):
        if kind.partition(",")[0] != "output":
            check(problem)
