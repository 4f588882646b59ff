"""Sums, counts, values, occurrences and extremes, against predicates written by hand."""

import pytest

from modelling.constraints import Count, GlobalCardinality, Linear

X = '<array id="x" size="[3]"> -1..2 </array><var id="y"> 0..3 </var>'
LIST = "<list> x[] </list>"


def summed(coeffs, condition):
    coeffs = coeffs and f"<coeffs> {coeffs} </coeffs>"
    return f"<sum>{LIST}{coeffs}<condition> {condition} </condition></sum>"


@pytest.mark.parametrize(
    ("coeffs", "condition", "predicate"),
    [
        ("", "(le,2)", lambda *v: sum(v[:3]) <= 2),
        ("", "( eq , y )", lambda a, b, c, y: a + b + c == y),
        ("2 -3 0", "(gt,y)", lambda a, b, c, y: 2 * a - 3 * b > y),
        ("1x3", "(ne,0)", lambda a, b, c, y: a + b + c),
        ("y 1 y", "(ge,3)", lambda a, b, c, y: y * a + b + y * c >= 3),
        ("", "(in,1..3)", lambda a, b, c, y: 1 <= a + b + c <= 3),
        ("", "(notin,-1..3)", lambda a, b, c, y: not -1 <= a + b + c <= 3),
        ("", "(in,{-3,2,4})", lambda a, b, c, y: a + b + c in (-3, 2, 4)),
        ("", "(notin,{0,1})", lambda a, b, c, y: a + b + c not in (0, 1)),
        ("", "(lt,add(y,x[0]))", lambda a, b, c, y: b + c < y),
    ],
)
def test_sums(says, coeffs, condition, predicate):
    says(X, summed(coeffs, condition), predicate)


def test_a_sum_is_one_linear_constraint(state):
    problem = state(X, summed("1 2 3", "(le,y)"))
    assert problem.structure.constraints == (Linear((0, 1, 2, 3), (1, 2, 3, -1), "<=", 0),)


def test_sums_of_expressions_and_constants(says):
    text = "<sum><list> add(x[0],1) lt(x[1],y) 2 </list><condition> (eq,4) </condition></sum>"
    says(X, text, lambda a, b, c, y: a + 1 + (b < y) + 2 == 4)


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        (f"<count>{LIST}<values> 1 </values><condition> (ge,2) </condition></count>",
         lambda *v: v[:3].count(1) >= 2),
        (f"<count>{LIST}<values> 1 2 </values><condition> (eq,y) </condition></count>",
         lambda a, b, c, y: sum(v in (1, 2) for v in (a, b, c)) == y),
        (f"<count>{LIST}<values> y </values><condition> (le,1) </condition></count>",
         lambda *v: v[:3].count(v[3]) <= 1),
        ("<count><list> eq(x[0],y) lt(x[1],x[2]) </list><values> 1 </values>"
         "<condition> (eq,1) </condition></count>", lambda a, b, c, y: (a == y) + (b < c) == 1),
        (f"<nValues>{LIST}<condition> (eq,2) </condition></nValues>",
         lambda *v: len(set(v[:3])) == 2),
        (f"<nValues>{LIST}<except> 0 1 </except><condition> (lt,y) </condition></nValues>",
         lambda *v: len(set(v[:3]) - {0, 1}) < v[3]),
        (f"<cardinality>{LIST}<values> 0 1 </values><occurs> 1 y </occurs></cardinality>",
         lambda *v: v[:3].count(0) == 1 and v[:3].count(1) == v[3]),
        (f"<cardinality>{LIST}<values closed='true'> 0 1 </values><occurs> 0..2 1..3 </occurs>"
         "</cardinality>",
         lambda *v: set(v[:3]) <= {0, 1} and v[:3].count(0) <= 2 and v[:3].count(1) >= 1),
        (f"<cardinality>{LIST}<values closed='true'> 0 1 2 </values><occurs> 1 1 1 </occurs>"
         "</cardinality>", lambda *v: set(v[:3]) == {0, 1, 2}),
        (f"<cardinality>{LIST}<values> y 2 </values><occurs> 1..2 0 </occurs></cardinality>",
         lambda *v: 1 <= v[:3].count(v[3]) <= 2 and 2 not in v[:3]),
        (f"<cardinality>{LIST}<values closed='true'> y 2 </values><occurs> 1 2 </occurs>"
         "</cardinality>",
         lambda *v: v[:3].count(v[3]) == 1 and v[:3].count(2) == 2 and set(v[:3]) <= {v[3], 2}),
        (f"<minimum>{LIST}<condition> (eq,y) </condition></minimum>",
         lambda *v: min(v[:3]) == v[3]),
        ("<maximum><list> x[0] mul(x[1],2) 1 </list><condition> (le,2) </condition></maximum>",
         lambda a, b, c, y: max(a, 2 * b, 1) <= 2),
    ],
)  # fmt: skip
def test_counts_and_extremes(says, text, predicate):
    says(X, text, predicate)


def places(values, chosen, rank):
    found = [k for k, value in enumerate(values) if value == chosen(values)]
    return {"any": found, "first": found[:1], "last": found[-1:]}[rank]


RANKS = ("any", "first", "last")


@pytest.mark.parametrize("rank", RANKS)
@pytest.mark.parametrize("chosen", [min, max])
def test_where_an_extreme_stands(says, chosen, rank):
    text = (
        f'<{chosen.__name__}imum><list startIndex="1"> x[] </list><index rank="{rank}"> y </index>'
        f"<condition> (ge,0) </condition></{chosen.__name__}imum>"
    )

    def predicate(a, b, c, y):
        values = (a, b, c)
        return y - 1 in places(values, chosen, rank) and chosen(values) >= 0

    says(X, text, predicate)


@pytest.mark.parametrize("rank", RANKS)
@pytest.mark.parametrize("chosen", [min, max])
@pytest.mark.parametrize(
    ("condition", "allows"),
    [
        ("(eq,1)", lambda k, y: k == 1),
        ("(in,{0,2})", lambda k, y: k in (0, 2)),
        ("(lt,2)", lambda k, y: k < 2),
        ("(eq,y)", lambda k, y: k == y),
        ("(ne,y)", lambda k, y: k != y),
        ("(lt,y)", lambda k, y: k < y),
        ("(ge,y)", lambda k, y: k >= y),
    ],
)
def test_conditions_on_where_an_extreme_stands(says, chosen, rank, condition, allows):
    text = (
        f'<{chosen.__name__}imumArg rank="{rank}">{LIST}'
        f"<condition> {condition} </condition></{chosen.__name__}imumArg>"
    )

    def predicate(a, b, c, y):
        return any(allows(k, y) for k in places((a, b, c), chosen, rank))

    says(X, text, predicate)


def test_they_are_stated_by_their_own_classes(state):
    problem = state(
        X,
        f"<count>{LIST}<values> 1 </values><condition> (ge,2) </condition></count>"
        f"<cardinality>{LIST}<values> 0 1 </values><occurs> 1 y </occurs></cardinality>",
    )
    count, cardinality = problem.structure.constraints
    assert isinstance(count.terms[0], Count)
    assert isinstance(cardinality, GlobalCardinality)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"<sum>{LIST}</sum>", "<condition>"),
        (f"<sum>{LIST}<condition> (le,5 </condition></sum>", "no condition"),
        (f"<sum>{LIST}<condition> (foo,5) </condition></sum>", "'foo'"),
        (f"<sum>{LIST}<condition> (in,5) </condition></sum>", "range"),
        (f"<sum>{LIST}<condition> (in,5..1) </condition></sum>", "before"),
        (f"<sum>{LIST}<condition> (le,) </condition></sum>", "0 operands"),
        (f"<sum>{LIST}<coeffs> 1 2 </coeffs><condition> (le,5) </condition></sum>", "2 coeff"),
        (f"<cardinality>{LIST}<values> 0 1 </values><occurs> 1 </occurs></cardinality>",
         "2 values but 1"),
        (f"<cardinality>{LIST}<values> 0 </values><occurs> 1..a </occurs></cardinality>", "'1..a'"),
        (f"<cardinality>{LIST}<values closed='maybe'> 0 </values><occurs> 1 </occurs>"
         "</cardinality>", "maybe"),
        ("<minimum><list> </list><condition> (le,5) </condition></minimum>", "empty"),
        (f"<minimum>{LIST}</minimum>", "neither"),
        (f"<minimum>{LIST}<index rank='second'> y </index></minimum>", "second"),
    ],
)  # fmt: skip
def test_what_is_refused(refuses, text, cause):
    assert cause in refuses(X, text)
