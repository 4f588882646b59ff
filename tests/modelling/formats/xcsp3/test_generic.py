"""Formulas, tables, automata and diagrams, against predicates written by hand."""

from itertools import groupby

import pytest

from modelling.constraints import MDD, Linear, Regular, Table

X = '<array id="x" size="[3]"> 0..2 </array>'
BOOLS = '<array id="b" size="[3]"> 0 1 </array>'


def test_an_intension_is_stated_as_a_person_would(state):
    problem = state(X, "<intension> le(add(x[0],2),x[1]) </intension>")
    assert problem.structure.constraints == (Linear((0, 1), (1, -1), "<=", -2),)


def test_a_function_may_stand_in_an_element_of_its_own(says):
    text = "<intension id='c'><function> lt(x[0],x[1]) </function></intension>"
    says(X, text, lambda x, y, z: x < y)


@pytest.mark.parametrize(
    ("tuples", "predicate"),
    [
        ("<supports> (0,1)(2,2) </supports>", lambda x, y: (x, y) in ((0, 1), (2, 2))),
        ("<supports>(0,1)\n(2,2) (2 , 2)</supports>", lambda x, y: (x, y) in ((0, 1), (2, 2))),
        ("<conflicts> (0,1)(2,2) </conflicts>", lambda x, y: (x, y) not in ((0, 1), (2, 2))),
        ("<supports> (*,1)(2,*) </supports>", lambda x, y: y == 1 or x == 2),
        ("<conflicts> (*,1)(2,*) </conflicts>", lambda x, y: y != 1 and x != 2),
        ("<supports> (0..1,2)({0,2},0) </supports>",
         lambda x, y: (x <= 1 and y == 2) or (x != 1 and y == 0)),
        ("<supports> (-1,9)(+1,1) </supports>", lambda x, y: (x, y) == (1, 1)),
    ],
)  # fmt: skip
def test_tables(says, tuples, predicate):
    text = f"<extension><list> x[0..1] </list>{tuples}</extension>"
    problem = says(X, text, lambda x, y, z: predicate(x, y))
    assert [type(c) for c in problem.structure.constraints] == [Table]


@pytest.mark.parametrize(
    ("values", "predicate"),
    [
        ("<supports> 0 2 </supports>", lambda x: x != 1),
        ("<supports> 1..7 </supports>", lambda x: x >= 1),
        ("<conflicts> 1 5..9 </conflicts>", lambda x: x != 1),
        ("<supports> (1)(2) </supports>", lambda x: x >= 1),
    ],
)
def test_unary_tables(says, values, predicate):
    text = f"<extension><list> x[1] </list>{values}</extension>"
    says(X, text, lambda x, y, z: predicate(y))


def test_tables_without_tuples(state):
    listed = "<extension><list> x[] </list><{0}> </{0}></extension>"
    allowed = state(X, listed.format("supports")).structure.constraints
    forbidden = state(X, listed.format("conflicts")).structure.constraints
    assert allowed == (Table((0, 1, 2), ()),)
    assert forbidden == (Table((0, 1, 2), (), False),)


def test_the_tables_of_a_group_share_their_tuples(state):
    problem = state(
        X,
        "<group><extension><list> %0 %1 </list><supports> (0,1)(*,2) </supports></extension>"
        "<args> x[0] x[1] </args><args> x[1] x[2] </args></group>",
    )
    one, other = problem.structure.constraints
    assert one == Table((0, 1), ((0, 1), ("*", 2)))
    assert other == Table((1, 2), ((0, 1), ("*", 2)))
    assert one.tuples is other.tuples
    assert one.is_plain is other.is_plain is False


def test_regular(says):
    text = """<regular><list> x[] </list>
      <transitions> (a,0,a)(a,1,b)(b,1,c)(c,0,c) </transitions>
      <start> a </start><final> c a </final></regular>"""

    def runs(*values):  # no ones, or one run of exactly two; and no twos
        ones = [len(list(run)) for value, run in groupby(values) if value == 1]
        return 2 not in values and ones in ([], [2])

    problem = says(X, text, runs)
    assert [type(c) for c in problem.structure.constraints] == [Regular]


def test_labels_of_transitions_may_be_several_values(says):
    text = """<regular><list> x[] </list>
      <transitions> (a,0..1,a)(a,{2},b)(b,{0,1},b) </transitions>
      <start> a </start><final> b </final></regular>"""
    says(X, text, lambda *values: values.count(2) == 1)


def test_mdd(says):
    text = """<mdd><list> x[] </list>
      <transitions> (r,0,a)(r,1,b)(a,1,c)(b,0,c)(b,2,d)(c,2,t)(d,0,t) </transitions></mdd>"""
    ways = {(0, 1, 2), (1, 0, 2), (1, 2, 0)}
    problem = says(X, text, lambda *values: values in ways)
    assert [type(c) for c in problem.structure.constraints] == [MDD]


def test_a_diagram_that_is_not_in_layers(says):
    """Any way of as many steps as variables will do, as XCSP3's checker has it."""
    text = "<mdd><list> x[] </list><transitions> (r,0,r)(r,1,a)(a,2,r) </transitions></mdd>"

    def walks(*values):
        at_root = True
        for value in values:
            if at_root and value in (0, 1):
                at_root = value == 0
            elif not at_root and value == 2:
                at_root = True
            else:
                return False
        return True

    says(X, text, walks)


def test_instantiation(says):
    text = "<instantiation><list> x[0] x[2] </list><values> 2 1 </values></instantiation>"
    says(X, text, lambda x, y, z: (x, z) == (2, 1))
    repeated = "<instantiation><list> x[] </list><values> 1x3 </values></instantiation>"
    says(X, repeated, lambda *values: values == (1, 1, 1))


def test_an_instantiation_beyond_the_domain_has_no_solution(state):
    text = "<instantiation><list> x[0] </list><values> 9 </values></instantiation>"
    (constraint,) = state(X, text).structure.constraints
    assert not any(constraint.holds((value,)) for value in range(3))


def test_clause(says):
    text = "<clause> b[0] not(b[1]) b[2] </clause>"
    says(BOOLS, text, lambda x, y, z: x or not y or z)
    says(BOOLS, "<clause><list> b[] </list></clause>", lambda *values: any(values))


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("<extension><list> x[] </list><supports> (0,1) </supports></extension>", "2 values for 3"),
        ("<extension><list> x[0..1] </list><supports> (0,1)(1) </supports></extension>", "several"),
        ("<extension><list> x[0] x[1] </list><supports> (0,a) </supports></extension>", "'a'"),
        ("<extension><list> x[0] x[1] </list><supports> (1,≠2) </supports></extension>", "hybrid"),
        ("<extension><list> x[] </list></extension>", "supports or conflicts"),
        ("<extension><list> </list><supports> 1 </supports></extension>", "empty"),
        ("<regular><list> x[] </list></regular>", "<transitions>"),
        ("<mdd><list> x[] </list><transitions> (a,0) </transitions></mdd>", "no transition"),
        ("<clause> x[0] </clause>", "condition"),
        ("<intension> </intension>", "empty"),
        ("<intension> add(x[0],x[1]) </intension>", "condition"),
    ],
)  # fmt: skip
def test_what_is_refused(refuses, text, cause):
    assert cause in refuses(X, text)
