"""element, channel, circuit, against predicates written by hand."""

import pytest

from modelling.constraints import Inverse, SubCircuit

X = '<array id="x" size="[3]"> 0..3 </array><var id="i"> -1..4 </var>'
M = '<array id="m" size="[2][2]"> 0..2 </array><var id="i"> 0..2 </var><var id="j"> -1..1 </var>'


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("<element><list> x[] </list><index> i </index><value> 2 </value></element>",
         lambda *v: 0 <= v[3] < 3 and v[v[3]] == 2),
        ("<element><list startIndex='1'> x[] </list><index> i </index><value> x[0] </value>"
         "</element>", lambda *v: 1 <= v[3] <= 3 and v[v[3] - 1] == v[0]),
        ("<element><list> x[] </list><index> i </index><condition> (gt,1) </condition></element>",
         lambda *v: 0 <= v[3] < 3 and v[v[3]] > 1),
        ("<element><list> 5 1 3 </list><index> i </index><value> x[0] </value></element>",
         lambda *v: 0 <= v[3] < 3 and (5, 1, 3)[v[3]] == v[0]),
        ("<element><list> x[] </list><index> add(i,1) </index><value> 1 </value></element>",
         lambda *v: 0 <= v[3] + 1 < 3 and v[v[3] + 1] == 1),
        ("<element><list> x[] </list><value> 2 </value></element>", lambda *v: 2 in v[:3]),
        ("<element><list> x[] </list><value> i </value></element>", lambda *v: v[3] in v[:3]),
        ("<element><list> x[] </list><condition> (ge,3) </condition></element>",
         lambda *v: max(v[:3]) >= 3),
        ("<channel> x[] </channel>",
         lambda *v: all(v[k] < 3 and v[v[k]] == k for k in range(3))),
        ("<channel><list startIndex='1'> x[] </list></channel>",
         lambda *v: all(1 <= v[k] <= 3 and v[v[k] - 1] == k + 1 for k in range(3))),
        ("<circuit> x[] </circuit>",
         lambda a, b, c, i: (a, b, c) in
         {(1, 2, 0), (2, 0, 1), (1, 0, 2), (2, 1, 0), (0, 2, 1)}),
        ("<circuit><list startIndex='1'> x[] </list></circuit>",
         lambda a, b, c, i: (a - 1, b - 1, c - 1) in
         {(1, 2, 0), (2, 0, 1), (1, 0, 2), (2, 1, 0), (0, 2, 1)}),
        ("<circuit><list> x[] </list><size> 2 </size></circuit>",
         lambda a, b, c, i: (a, b, c) in {(1, 0, 2), (2, 1, 0), (0, 2, 1)}),
        ("<circuit><list> x[] </list><size> i </size></circuit>",
         lambda a, b, c, i: (a, b, c, i) in
         {(1, 2, 0, 3), (2, 0, 1, 3), (1, 0, 2, 2), (2, 1, 0, 2), (0, 2, 1, 2)}),
    ],
)  # fmt: skip
def test_places(says, text, predicate):
    says(X, text, predicate)


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("<element><matrix> m[][] </matrix><index> i j </index><value> 1 </value></element>",
         lambda *v: v[4] < 2 and v[5] >= 0 and v[2 * v[4] + v[5]] == 1),
        ("<element><matrix startRowIndex='1' startColIndex='-1'> m[][] </matrix>"
         "<index> i j </index><condition> (ne,m[0][0]) </condition></element>",
         lambda *v: v[4] >= 1 and v[5] <= 0 and v[2 * (v[4] - 1) + v[5] + 1] != v[0]),
        ("<element><matrix> (1,2)(3,m[0][0]) </matrix><index> i j </index><value> 2 </value>"
         "</element>",
         lambda *v: v[4] < 2 and v[5] >= 0 and (1, 2, 3, v[0])[2 * v[4] + v[5]] == 2),
    ],
)  # fmt: skip
def test_matrices(says, text, predicate):
    says(M, text, predicate)


def test_channel_of_two_lists(says):
    two = '<array id="f" size="[3]"> 0..3 </array><array id="g" size="[3]"> 0..2 </array>'
    text = '<channel><list> f[] </list><list startIndex="1"> g[] </list></channel>'

    def predicate(*v):
        f, g = [value - 1 for value in v[:3]], v[3:]
        return sorted(f) == [0, 1, 2] and all(g[f[k]] == k for k in range(3))

    problem = says(two, text, predicate)
    assert [type(c) for c in problem.structure.constraints] == [Inverse]


def test_channel_of_lists_of_unequal_lengths_goes_one_way(says):
    """Of the values of the longer list that no place of the shorter one leads to, nothing is
    said."""
    two = '<array id="f" size="[2]"> 0..3 </array><array id="g" size="[3]"> 0..2 </array>'
    text = "<channel><list> f[] </list><list> g[] </list></channel>"
    says(two, text, lambda *v: all(v[k] < 3 and v[2 + v[k]] == k for k in range(2)))


def test_channel_of_one_that_is_1(says):
    one = '<array id="b" size="[3]"> 0 1 </array><var id="v"> -1..3 </var>'
    text = "<channel><list> b[] </list><value> v </value></channel>"
    says(one, text, lambda *w: sum(w[:3]) == 1 and 0 <= w[3] < 3 and w[w[3]] == 1)
    late = '<channel><list startIndex="1"> b[] </list><value> v </value></channel>'
    says(one, late, lambda *w: sum(w[:3]) == 1 and 1 <= w[3] <= 3 and w[w[3] - 1] == 1)


def test_a_circuit_leaves_out_some_but_not_all(state):
    (tour, some) = state(X, "<circuit> x[] </circuit>").structure.constraints
    assert isinstance(tour, SubCircuit)
    assert tour.holds((0, 1, 2))
    assert not some.holds((0, 1, 2))


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("<element><list> x[] </list><index> i </index></element>", "<condition>"),
        ("<element><list> </list><index> i </index><value> 1 </value></element>", "empty"),
        ("<element><list> x[] </list><index> i i </index><value> 1 </value></element>", "2 items"),
        ("<element><list> x[] </list><index rank='first'> i </index><value> 1 </value></element>",
         "rank"),
        ("<element><list startIndex='a'> x[] </list><index> i </index><value> 1 </value>"
         "</element>", "no integer"),
        ("<element><matrix> (x[0],x[1])(x[2]) </matrix><index> i i </index><value> 1 </value>"
         "</element>", "several lengths"),
        ("<channel><list> x[] </list><list> x[] </list><list> x[] </list></channel>", "too many"),
        ("<circuit><list> x[] </list><foo/></circuit>", "<foo>"),
    ],
)  # fmt: skip
def test_what_is_refused(refuses, text, cause):
    assert cause in refuses(X, text)
