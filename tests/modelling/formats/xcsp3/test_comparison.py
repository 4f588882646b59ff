"""allDifferent, allEqual, ordered, lex, precedence, against predicates written by hand."""

from itertools import pairwise

import pytest

from modelling.constraints import AllDifferent, Increasing, Lex, Precedence

X = '<array id="x" size="[4]"> 0..2 </array>'
M = '<array id="m" size="[2][3]"> 0..2 </array>'


def differ(values, but=()):
    counted = [value for value in values if value not in but]
    return len(set(counted)) == len(counted)


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("<allDifferent> x[0..2] </allDifferent>", lambda a, b, c, d: differ((a, b, c))),
        ("<allDifferent><list> x[1] x[3] 0 </list></allDifferent>",
         lambda a, b, c, d: differ((b, d, 0))),
        ("<allDifferent><list> x[] </list><except> 0 1 </except></allDifferent>",
         lambda *x: differ(x, (0, 1))),
        ("<allDifferent> add(x[0],1) mul(x[1],2) x[2] </allDifferent>",
         lambda a, b, c, d: differ((a + 1, 2 * b, c))),
        ("<allDifferent><list> x[0..1] </list><list> x[2..3] </list></allDifferent>",
         lambda a, b, c, d: (a, b) != (c, d)),
        ("<allDifferent><list> x[0..1] </list><list> x[1..2] </list><list> x[2..3] </list>"
         "</allDifferent>", lambda a, b, c, d: differ(((a, b), (b, c), (c, d)))),
        ("<allDifferent><list> x[0..1] </list><list> x[2..3] </list>"
         "<except> (0,0)(1,2) </except></allDifferent>",
         lambda a, b, c, d: (a, b) != (c, d) or (a, b) in ((0, 0), (1, 2))),
        ("<allEqual> x[0] x[2] x[3] </allEqual>", lambda a, b, c, d: a == c == d),
        ("<allEqual><list> x[] </list><except> 0 </except></allEqual>",
         lambda *x: len(set(x) - {0}) == 1),
        ("<ordered><list> x[] </list><operator> le </operator></ordered>",
         lambda *x: all(p <= q for p, q in pairwise(x))),
        ("<ordered><list> x[0..2] </list><operator>lt</operator></ordered>",
         lambda a, b, c, d: a < b < c),
        ("<ordered><list> x[] </list><operator> ge </operator></ordered>",
         lambda *x: all(p >= q for p, q in pairwise(x))),
        ("<ordered><list> x[1..3] </list><operator> gt </operator></ordered>",
         lambda a, b, c, d: b > c > d),
        ("<ordered><list> x[0..2] </list><lengths> 1 0 </lengths><operator> le </operator>"
         "</ordered>", lambda a, b, c, d: a + 1 <= b <= c),
        ("<ordered><list> x[0..1] </list><lengths> x[2] x[3] </lengths><operator> lt </operator>"
         "</ordered>", lambda a, b, c, d: a + c < b),
        ("<lex><list> x[0..1] </list><list> x[2..3] </list><operator> le </operator></lex>",
         lambda a, b, c, d: (a, b) <= (c, d)),
        ("<lex><list> x[0..1] </list><list> x[2..3] </list><operator> gt </operator></lex>",
         lambda a, b, c, d: (a, b) > (c, d)),
        ("<lex><list> x[0..1] </list><list> 1 1 </list><list> x[2..3] </list>"
         "<operator> lt </operator></lex>", lambda a, b, c, d: (a, b) < (1, 1) < (c, d)),
        ("<precedence> x[] </precedence>",
         lambda *x: all(v == 0 or v - 1 in x[: x.index(v)] for v in x)),
        ("<precedence><list> x[] </list><values> 2 0 </values></precedence>",
         lambda *x: 0 not in x or 2 in x[: x.index(0)]),
        ("<precedence><list> x[] </list><values covered='true'> 2 0 </values></precedence>",
         lambda *x: 0 in x and 2 in x[: x.index(0)]),
    ],
)  # fmt: skip
def test_comparisons(says, text, predicate):
    says(X, text, predicate)


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("<allDifferent><matrix> m[][] </matrix></allDifferent>",
         lambda *m: differ(m[:3]) and differ(m[3:]) and all(m[k] != m[k + 3] for k in range(3))),
        ("<allDifferent><matrix> (m[0][0],m[0][1])(m[1][0],m[1][1]) </matrix></allDifferent>",
         lambda a, b, c, d, e, f: a != b and d != e and a != d and b != e),
        ("<allDifferent><matrix> m[][] </matrix><except> 0 </except></allDifferent>",
         lambda *m: differ(m[:3], (0,)) and differ(m[3:], (0,))
         and all(m[k] != m[k + 3] or not m[k] for k in range(3))),
        ("<lex><matrix> m[][] </matrix><operator> le </operator></lex>",
         lambda a, b, c, d, e, f: (a, b, c) <= (d, e, f) and (a, d) <= (b, e) <= (c, f)),
        ("<lex><matrix> m[][1..2] </matrix><operator> gt </operator></lex>",
         lambda a, b, c, d, e, f: (b, c) > (e, f) and (b, e) > (c, f)),
    ],
)  # fmt: skip
def test_matrices(says, text, predicate):
    says(M, text, predicate)


def test_they_are_stated_by_their_own_classes(state):
    problem = state(
        X,
        "<allDifferent> x[] </allDifferent>"
        "<ordered><list> x[] </list><operator> lt </operator></ordered>"
        "<lex><list> x[0..1] </list><list> x[2..3] </list><operator> ge </operator></lex>"
        "<precedence><list> x[] </list><values> 0 1 </values></precedence>",
    )
    assert problem.structure.constraints == (
        AllDifferent((0, 1, 2, 3)),
        Increasing((0, 1, 2, 3), True, False),
        Lex(((2, 3), (0, 1)), False),
        Precedence((0, 1, 2, 3), (0, 1)),
    )


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("<allDifferent> </allDifferent>", "empty"),
        ("<allEqual> </allEqual>", "empty"),
        ("<allDifferent> x[0] u </allDifferent>", "'u'"),
        ("<allDifferent><list> x[0] </list><list> x[1..2] </list></allDifferent>", "several"),
        ("<allDifferent><list> x[] </list><except> x[0] </except></allDifferent>", "integers"),
        ("<allDifferent><set> x[] </set></allDifferent>", "<set>"),
        ("<allDifferent><list> x[] </list> x[0] </allDifferent>", "text between"),
        ("<allDifferent case='sym'> x[] </allDifferent>", "case"),
        ("<allDifferent><matrix> m[][] </matrix></allDifferent>", "no matrix"),
        ("<ordered><list> x[] </list></ordered>", "<operator>"),
        ("<ordered><list> x[] </list><operator> eq </operator></ordered>", "'eq'"),
        ("<ordered><list> x[] </list><lengths> 1 </lengths><operator> le </operator></ordered>",
         "1 lengths for 4"),
        ("<lex><list> x[] </list><operator> le </operator></lex>", "two lists"),
        ("<precedence><list> x[] </list><values> 1 1 </values></precedence>", "twice"),
    ],
)  # fmt: skip
def test_what_is_refused(refuses, text, cause):
    assert cause in refuses(X, text)
