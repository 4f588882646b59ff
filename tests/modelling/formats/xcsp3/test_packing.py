"""noOverlap, cumulative, binPacking, knapsack, flow, against predicates written by hand."""

from itertools import combinations

import pytest

from modelling.constraints import BinPacking, Cumulative, NoOverlap, NoOverlap2D

S = '<array id="s" size="[3]"> 0..3 </array><var id="y"> 0..2 </var>'


def apart(tasks, ignored=True):
    return all(
        s + d <= t or t + e <= s or (ignored and not (d and e))
        for (s, d), (t, e) in combinations(tasks, 2)
    )


def loads(starts, lengths, heights):
    tasks = list(zip(starts, lengths, heights, strict=True))
    return [sum(h for s, d, h in tasks if s <= t < s + d) for t in range(-1, 9)]


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("<noOverlap><origins> s[] </origins><lengths> 2 1 y </lengths></noOverlap>",
         lambda a, b, c, y: apart([(a, 2), (b, 1), (c, y)])),
        ("<noOverlap zeroIgnored='false'><origins> s[] </origins><lengths> 2 1 0 </lengths>"
         "</noOverlap>", lambda a, b, c, y: apart([(a, 2), (b, 1), (c, 0)], ignored=False)),
        ("<cumulative><origins> s[] </origins><lengths> 2 1 2 </lengths><heights> 1 2 y </heights>"
         "<condition> (le,2) </condition></cumulative>",
         lambda a, b, c, y: max(loads((a, b, c), (2, 1, 2), (1, 2, y))) <= 2),
        ("<cumulative><origins> s[] </origins><lengths> 2 y 1 </lengths><heights> 1 1 1 </heights>"
         "<condition> (lt,y) </condition></cumulative>",
         lambda a, b, c, y: max(loads((a, b, c), (2, y, 1), (1, 1, 1))) < y),
        ("<cumulative><origins> s[0..1] </origins><lengths> y 1 </lengths><ends> s[1..2] </ends>"
         "<heights> 1 1 </heights><condition> (le,1) </condition></cumulative>",
         lambda a, b, c, y: a + y == b and b + 1 == c
         and max(loads((a, b), (y, 1), (1, 1))) <= 1),
        ("<knapsack><list> s[] </list><weights> 1 2 3 </weights><condition> (le,5) </condition>"
         "<profits> 3 1 2 </profits><condition> (ge,y) </condition></knapsack>",
         lambda a, b, c, y: a + 2 * b + 3 * c <= 5 and 3 * a + b + 2 * c >= y),
        ("<knapsack><list> s[] </list><weights> 1 2 3 </weights><limit> 5 </limit>"
         "<profits> 3 1 2 </profits><condition> (gt,6) </condition></knapsack>",
         lambda a, b, c, y: a + 2 * b + 3 * c <= 5 and 3 * a + b + 2 * c > 6),
        ("<flow><list> s[] </list><balance> 2 0 -2 </balance><arcs> (1,2)(2,3)(1,3) </arcs>"
         "</flow>", lambda a, b, c, y: a + c == 2 and a == b),
        ("<flow><list> s[] </list><balance> 2 0 -2 </balance><arcs> (0,1)(1,2)(0,2) </arcs>"
         "<weights> 1 1 1 </weights><condition> (le,3) </condition></flow>",
         lambda a, b, c, y: a + c == 2 and a == b and a + b + c <= 3),
        ("<flow><list> s[] </list><balance> 1 -1 </balance><arcs> (0,1)(0,1)(1,0) </arcs></flow>",
         lambda a, b, c, y: a + b - c == 1),
    ],
)  # fmt: skip
def test_scheduling_and_flows(says, text, predicate):
    says(S, text, predicate)


def boxes(values, sizes, ignored=True):
    half = len(values) // len(sizes)
    corners = [values[k * half : (k + 1) * half] for k in range(len(sizes))]
    return all(
        (ignored and 0 in (*d, *e))
        or any(
            x + w <= z or z + v <= x
            for x, w, z, v in zip(corner, d, other, e, strict=True)
        )
        for (corner, d), (other, e) in combinations(list(zip(corners, sizes, strict=True)), 2)
    )  # fmt: skip


@pytest.mark.parametrize("ignored", [True, False])
def test_boxes_in_two_dimensions(says, ignored):
    two = '<array id="o" size="[3][2]"> 0 1 2 </array>'
    text = (
        f'<noOverlap zeroIgnored="{str(ignored).lower()}"><origins> o[][] </origins>'
        "<lengths> (2,1)(1,2)(2,0) </lengths></noOverlap>"
    )
    sizes = [(2, 1), (1, 2), (2, 0)]
    problem = says(two, text, lambda *v: boxes(v, sizes, ignored))
    assert [type(c) for c in problem.structure.constraints] == [NoOverlap2D]


@pytest.mark.parametrize("ignored", [True, False])
def test_boxes_in_three_dimensions(says, ignored):
    three = '<array id="o" size="[3][3]"> 0 1 </array>'
    text = (
        f'<noOverlap zeroIgnored="{str(ignored).lower()}"><origins> o[][] </origins>'
        "<lengths> (2,1,1)(1,2,2)(0,3,2) </lengths></noOverlap>"
    )
    sizes = [(2, 1, 1), (1, 2, 2), (0, 3, 2)]
    says(three, text, lambda *v: boxes(v, sizes, ignored))


def test_boxes_of_one_dimension(says):
    text = "<noOverlap><origins> (s[0])(s[1]) </origins><lengths> (2)(y) </lengths></noOverlap>"
    problem = says(S, text, lambda a, b, c, y: apart([(a, 2), (b, y)]))
    assert [type(c) for c in problem.structure.constraints] == [NoOverlap]


B = '<array id="b" size="[3]"> 1..3 </array><array id="l" size="[3]"> 0..4 </array>'
SIZES = "<list> b[] </list><sizes> 2 1 3 </sizes>"


def held(bins, number):
    return sum(size for bin_, size in zip(bins, (2, 1, 3), strict=True) if bin_ == number)


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("<condition> (le,3) </condition>", lambda *v: all(held(v[:3], k) <= 3 for k in v[:3])),
        ("<condition> (lt,l[0]) </condition>",
         lambda *v: all(held(v[:3], k) < v[3] for k in v[:3])),
        ("<condition> (in,{2,4}) </condition>",
         lambda *v: all(held(v[:3], k) in (2, 4) for k in v[:3])),
        ("<condition> (eq,3) </condition>", lambda *v: all(held(v[:3], k) == 3 for k in v[:3])),
        ("<limits startIndex='1'> 2 3 l[0] </limits>",
         lambda *v: held(v[:3], 1) <= 2 and held(v[:3], 2) <= 3 and held(v[:3], 3) <= v[3]),
        ("<loads startIndex='1'> l[] </loads>",
         lambda *v: all(held(v[:3], k) == v[2 + k] for k in (1, 2, 3))),
        ("<limits> 0 3 2 </limits>", lambda *v: held(v[:3], 1) <= 3 and held(v[:3], 2) <= 2),
        ("<conditions startIndex='1'> (le,2)(ge,1)(ne,3) </conditions>",
         lambda *v: held(v[:3], 1) <= 2 and held(v[:3], 2) >= 1 and held(v[:3], 3) != 3),
    ],
)  # fmt: skip
def test_bin_packing(says, text, predicate):
    says(B, f"<binPacking>{SIZES}{text}</binPacking>", predicate)


def test_they_are_stated_by_their_own_classes(state):
    problem = state(
        B,
        f"<binPacking>{SIZES}<condition> (le,3) </condition></binPacking>"
        "<cumulative><origins> b[] </origins><lengths> l[] </lengths><heights> 1 1 1 </heights>"
        "<condition> (le,2) </condition></cumulative>",
    )
    assert [type(c) for c in problem.structure.constraints] == [BinPacking, Cumulative]


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("<noOverlap><origins> s[] </origins><lengths> 1 1 </lengths></noOverlap>", "3 starts"),
        ("<noOverlap><origins> (s[0],s[1]) </origins><lengths> (1) </lengths></noOverlap>",
         "dimension"),
        ("<cumulative><origins> s[] </origins><lengths> 1 1 </lengths><heights> 1 1 1 </heights>"
         "<condition> (le,2) </condition></cumulative>", "2 lengths"),
        ("<cumulative><origins> s[] </origins><lengths> 1 1 1 </lengths><heights> 1 1 1 </heights>"
         "<condition> (ge,2) </condition></cumulative>", "upper bound"),
        ("<binPacking><list> s[] </list><sizes> 1 2 </sizes><condition> (le,2) </condition>"
         "</binPacking>", "2 sizes"),
        ("<binPacking><list> s[] </list><sizes> 1 2 3 </sizes></binPacking>", "one of limits"),
        ("<binPacking><list> s[] </list><sizes> 1 2 -3 </sizes><condition> (le,2) </condition>"
         "</binPacking>", "negative"),
        ("<flow><list> s[] </list><balance> 0 0 </balance><arcs> (1,2)(2,3)(1,3) </arcs></flow>",
         "2 balances"),
        ("<flow><list> s[] </list><balance> 0 0 </balance><arcs> (1,2) </arcs></flow>", "1 arcs"),
        ("<knapsack><list> s[] </list><weights> 1 1 1 </weights><profits> 1 1 1 </profits>"
         "</knapsack>", "one condition"),
    ],
)  # fmt: skip
def test_what_is_refused(refuses, text, cause):
    assert cause in refuses(S, text)
