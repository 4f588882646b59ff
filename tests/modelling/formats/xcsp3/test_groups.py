"""Groups, blocks, slides, logical constraints and reification, against predicates by hand."""

import pytest

from modelling.constraints import AllDifferent, Linear

X = '<array id="x" size="[4]"> 0..2 </array><var id="b"> 0 1 </var>'


def test_a_group_gives_its_arguments_line_by_line(says):
    text = """<group><intension> lt(add(%0,%1),%2) </intension>
      <args> x[0] 1 x[1] </args><args> x[2] -1 mul(x[3],2) </args></group>"""
    says(X, text, lambda a, b, c, d, e: a + 1 < b and c - 1 < 2 * d)


def test_the_rest_of_the_arguments(says):
    text = """<group><sum><list> %... </list><condition> (le,%0) </condition></sum>
      <args> 2 x[0..1] </args><args> x[0] x[2] x[3] </args></group>"""
    says(X, text, lambda a, b, c, d, e: a + b <= 2 and c + d <= a)


def test_all_arguments_are_the_rest_where_none_has_a_number(state):
    text = (
        "<group><allDifferent> %... </allDifferent><args> x[0..2] </args><args> x[] </args></group>"
    )
    found = state(X, text).structure.constraints
    assert found == (AllDifferent((0, 1, 2)), AllDifferent((0, 1, 2, 3)))


@pytest.mark.parametrize(
    ("template", "line", "predicate"),
    [
        ("<sum><list> x[] </list><coeffs> %0 %1 1 1 </coeffs><condition> %2 </condition></sum>",
         "2 3 (eq,5)", lambda a, b, c, d, e: 2 * a + 3 * b + c + d == 5),
        ("<count><list> x[] </list><values> %0 </values><condition> (ge,%1) </condition></count>",
         "1 x[0]", lambda a, b, c, d, e: (a, b, c, d).count(1) >= a),
        ("<intension> or(%...) </intension>", "lt(x[0],x[1]) b",
         lambda a, b, c, d, e: a < b or e),
        ("<element><list> x[] </list><index> %0 </index><value> %1 </value></element>",
         "x[3] 2", lambda *v: v[v[3]] == 2),
        ("<intension> in(x[0],set(%...)) </intension>", "0 2", lambda *v: v[0] != 1),
    ],
)  # fmt: skip
def test_what_arguments_can_be(says, template, line, predicate):
    says(X, f"<group>{template}<args> {line} </args></group>", predicate)


def test_blocks_only_hold_constraints(state):
    text = """<block class="a" note="b"><block><allDifferent> x[] </allDifferent></block>
      <intension> lt(x[0],x[1]) </intension></block>"""
    found = state(X, text).structure.constraints
    assert found == (AllDifferent((0, 1, 2, 3)), Linear((0, 1), (1, -1), "<", 0))


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("<slide><list> x[] </list><intension> lt(%0,add(%1,1)) </intension></slide>",
         lambda a, b, c, d, e: a <= b <= c <= d),
        ("<slide circular='true'><list> x[] </list><intension> ne(%0,%1) </intension></slide>",
         lambda a, b, c, d, e: a != b and b != c and c != d and d != a),
        ("<slide><list offset='2'> x[] </list><intension> ne(%0,%1) </intension></slide>",
         lambda a, b, c, d, e: a != b and c != d),
        ("<slide circular='true'><list offset='2'> x[] </list>"
         "<intension> lt(add(%0,%1,%2),3) </intension></slide>",
         lambda a, b, c, d, e: a + b + c < 3 and c + d + a < 3),
        ("<slide><list collect='1'> x[0..1] </list><list collect='2'> x[1..3] </list>"
         "<intension> eq(%0,add(%1,%2)) </intension></slide>",
         lambda a, b, c, d, e: a == b + c and b == c + d),
        ("<slide><list> x[] </list><extension><list> %0 %1 </list>"
         "<supports> (0,1)(1,2)(2,0) </supports></extension></slide>",
         lambda a, b, c, d, e: b == (a + 1) % 3 and c == (b + 1) % 3 and d == (c + 1) % 3),
    ],
)  # fmt: skip
def test_slides(says, text, predicate):
    says(X, text, predicate)


LT = "<intension> lt(x[0],x[1]) </intension>"
DIFFERENT = "<allDifferent> x[1..3] </allDifferent>"
ORDERED = (
    "<ordered><list> x[0..2] </list><lengths> 0 0 </lengths><operator> le </operator></ordered>"
)


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        (f"<not>{DIFFERENT}</not>", lambda a, b, c, d, e: len({b, c, d}) < 3),
        (f"<not>{ORDERED}</not>", lambda a, b, c, d, e: not a <= b <= c),
        (f"<and>{LT}{DIFFERENT}</and>", lambda a, b, c, d, e: a < b and len({b, c, d}) == 3),
        (f"<or>{LT}{DIFFERENT}</or>", lambda a, b, c, d, e: a < b or len({b, c, d}) == 3),
        (f"<xor>{LT}{DIFFERENT}</xor>", lambda a, b, c, d, e: (a < b) != (len({b, c, d}) == 3)),
        (f"<iff>{LT}{ORDERED}</iff>", lambda a, b, c, d, e: (a < b) == (a <= b <= c)),
        (f"<ifThen>{LT}{DIFFERENT}</ifThen>",
         lambda a, b, c, d, e: a >= b or len({b, c, d}) == 3),
        (f"<ifThenElse>{LT}{DIFFERENT}{ORDERED}</ifThenElse>",
         lambda a, b, c, d, e: len({b, c, d}) == 3 if a < b else a <= b <= c),
        ("<allDifferent reifiedBy='b'> x[1..3] </allDifferent>",
         lambda a, b, c, d, e: e == (len({b, c, d}) == 3)),
        ("<intension hreifiedFrom='b'> lt(x[0],x[1]) </intension>",
         lambda a, b, c, d, e: a < b or not e),
        ("<intension hreifiedTo='b'> lt(x[0],x[1]) </intension>",
         lambda a, b, c, d, e: a >= b or e),
    ],
)  # fmt: skip
def test_logical_constraints(says, text, predicate):
    says(X, text, predicate)


def test_text_may_be_that_of_another_element(says):
    text = """<allDifferent><list id="three"> x[0] x[1] x[2] </list></allDifferent>
      <sum><list as="three"/><condition> (ge,3) </condition></sum>"""
    says(X, text, lambda a, b, c, d, e: {a, b, c} == {0, 1, 2})


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("<group><intension> lt(%0,%1) </intension><args> x[0] </args></group>", "%1"),
        ("<group><intension> lt(%0,%1) </intension></group>", "no <args>"),
        ("<group><intension> lt(%0,%1) </intension><args> </args></group>", "empty"),
        ("<group><group><intension> b </intension><args> 1 </args></group><args> 1 </args></group>",
         "in no others"),
        ("<group> x </group>", "args"),
        ("<intension> lt(%0,1) </intension>", "%0"),
        ("<group><intension> lt(%a,1) </intension><args> 1 </args></group>", "%a"),
        ("<slide><list> x[0] </list><intension> lt(%0,%1) </intension></slide>", "shorter"),
        ("<slide><list offset='0'> x[] </list><intension> lt(%0,%1) </intension></slide>",
         "below 1"),
        ("<slide><intension> lt(%0,%1) </intension></slide>", "<list>"),
        ("<not/>", "0 constraints"),
        ("<spread><list> x[] </list></spread>", "no such constraint"),
        ("<allDifferent type='soft'> x[] </allDifferent>", "soft"),
        ("<allDifferent reifiedBy='x[0]'> x[] </allDifferent>", "reifiedBy"),
        ("<allDifferent reifiedBy='u'> x[] </allDifferent>", "'u'"),
        ("<allDifferent reifiedBy='b' hreifiedTo='b'> x[] </allDifferent>", "both"),
        ("<allDifferent as='x'> x[] </allDifferent>", "as="),
        ("<sum><list as='u'/><condition> (ge,3) </condition></sum>", "'u'"),
        ("<sum><list id='u' as='u'/><condition> (ge,3) </condition></sum>", "'u'"),
        ("<block> x[0] </block>", "text"),
    ],
)  # fmt: skip
def test_what_is_refused(refuses, text, cause):
    assert cause in refuses(X, text)
