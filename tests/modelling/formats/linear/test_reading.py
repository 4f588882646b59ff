"""LP and MPS as they are read: what was written has the same optimum, texts of others' hands, and
damaged texts, which end in a problem or in an error with its place."""

import pytest

import concord
from modelling.brute_force import optima
from modelling.errors import InstanceError
from modelling.formats import find_format
from tests.modelling.formats.damage import check_damaged
from tests.modelling.formats.drawn import draw_problem, written

FREE = """\
* a comment
NAME example
OBJSENSE
    MAX
ROWS
 N profit
 L c1
 G c2
 E c3
 N unused
COLUMNS
    M1 'MARKER' 'INTORG'
    x profit 3 c1 1
    x c2 1 c3 1
    y profit -2 c1 2
    y c2 -1
    M2 'MARKER' 'INTEND'
    z c3 -1 unused 7
RHS
    R c1 14 profit -5
    R c2 2
RANGES
    R c2 6
BOUNDS
 LO B x 0
 UP B y 20
 FR B z
ENDATA
"""
FIXED = """\
NAME          A NAME
ROWS
 N  COST
 L  LIM 1
COLUMNS
    MARKER                 'MARKER'                 'INTORG'
    X 1       COST                -1   LIM 1             2.5
    X 2       COST                -1   LIM 1               1
    MARKER                 'MARKER'                 'INTEND'
RHS
    RHS       LIM 1              3.5
BOUNDS
 UP BND       X 1                  4
ENDATA
"""
LP = """\
\\ a comment
MAXIMISE
 profit: 3 x - 2y + 5 + 0 w
subject to
 c1: x + 2 y <= 14
 2 <= x - y =< 8
 3 x#1 + .5 w >= 1e0
such_name: w - x#1 = 0
Bounds
 y <= 20
 x >= 0  \\ default
 -1 <= x#1 <= 5
GENERAL
 x y x#1
 w
End
"""


def read(name, text):
    return find_format(name).read(text.encode(), f"a.{name}")


def solve(problem):
    result = concord.solve(problem, backend="cpsat")
    assert result.exhausted
    return result.objective


def test_what_is_written_is_read_again():
    for seed in range(30):
        problem = draw_problem(f"linear/{seed}")
        value, reached = optima(problem)
        for name in ("lp", "mps"):
            again = read(name, written(name, problem))
            if again.structure.objective is None:
                found = concord.solve(again, backend="cpsat")
                assert (found.exhausted, bool(found.count)) == (True, bool(reached)), (seed, name)
            else:
                assert solve(again) == (value if reached else None), (seed, name)


def test_mps_in_free_form():
    problem = read("mps", FREE)
    assert problem.structure.names == ("x", "y", "z")
    assert solve(problem) == 3 * 10 - 2 * 2 + 5


def test_mps_in_fixed_form_with_blanks_in_names_and_fractions():
    problem = read("mps", FIXED)
    assert problem.structure.names == ("X 1", "X 2")
    assert problem.structure.domains == ((0, 1, 2, 3, 4), (0, 1))
    assert solve(problem) == -2


def test_lp_as_people_write_it():
    problem = read("lp", LP)
    assert problem.structure.names == ("x", "y", "w", "x#1")
    assert solve(problem) == 31


def test_rational_factors_are_scaled_exactly():
    text = (
        "max\n a: 0.1 x + 0.25 y\nst\n 0.3 x + 0.1 y <= 1\nbounds\nx <= 9\ny <= 9\ngen\nx y\nend\n"
    )
    structure = read("lp", text).structure
    (row,) = structure.constraints
    assert (row.coefficients, row.constant) == ((3, 1), 10)
    assert structure.objective.coefficients == (2, 5)


def test_ranges_bounds_and_signs_of_mps():
    head = "ROWS\n N o\n {} r\nCOLUMNS\n A 'MARKER' 'INTORG'\n x o 1 r 1\n B 'MARKER' 'INTEND'\n"
    for kind, change, expected in (
        ("E", 3, (10, 13)),
        ("E", -3, (7, 10)),
        ("L", -3, (7, 10)),
        ("G", 3, (10, 13)),
    ):
        for sense, best in zip(("MIN", "MAX"), expected, strict=True):
            text = f"OBJSENSE {sense}\n{head.format(kind)}RHS\n r 10\nRANGES\n r {change}\nBOUNDS\n"
            assert solve(read("mps", f"{text} UP x 99\nENDATA\n")) == best, (kind, change)
    text = head.format("G") + "RHS\n r -50\nBOUNDS\n UP b x -3\nENDATA\n"
    assert read("mps", text).structure.domains[0] == tuple(range(-50, -2))


def test_bounds_follow_from_rows_and_large_ones_are_ranges():
    text = "min\n a: x\nst\n x + y <= 2000000000\n x - y >= 7\ngeneral\n x y\nend\n"
    problem = read("lp", text)
    assert problem.structure.domains == (range(2_000_000_001),) * 2
    assert solve(problem) == 7


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        (
            "lp",
            "min\n x\nst\n x >= 1\nbounds\n x <= 5\nend\n",
            "a.lp:2:2: the variable x is contin",
        ),
        ("lp", "min\n x\nst\n c: x >= 1\ngen\n x\nend\n", "x has no greatest value, and none foll"),
        ("lp", "min\n [ x * y ] / 2\nst\n x >= 1\nend\n", r"a.lp:2:2: '\[': what is no sum"),
        ("lp", "min\n x\nst\n b = 1 -> x >= 1\nend\n", "a.lp:4:8: '->': what is no sum"),
        ("lp", "min\n x\nst\n x >= y\nend\n", "'y' stands where a number must stand; write var"),
        ("lp", "min\n x\nst\n x >= 1\nsos1\n s: x:1\nend\n", "the section 'sos1' is not covered"),
        ("lp", "min\n x\nst\n x >= 1\n", "ends without End"),
        ("lp", "p(1..3).\n", "a.lp:1:1: an LP file begins with Minimize or Maximize"),
        ("mps", "ROWS\n N o\nQUADOBJ\n", "a.mps:3:1: the section 'QUADOBJ' is not covered"),
        (
            "mps",
            FREE.replace("z c3 -1", "z c3 -2"),
            "the variable z is continuous: it is not declared",
        ),
        ("mps", FREE.replace(" FR B z", " SC B z 4"), "the bound 'SC' is not covered"),
        ("mps", FREE.replace("x c2 1", "x c9 1"), "a.mps:14:1: no row is called 'c9'"),
        ("mps", FREE.replace("x c2 1", "x c1 1"), "x' has two factors in the row 'c1'"),
        ("mps", FREE.replace("ENDATA\n", ""), "ends without ENDATA"),
        ("mps", FREE.replace("-2 c1", "-2x c1"), "a.mps:15:1: '-2x' is no number"),
    ],
)
def test_what_is_not_covered_is_refused_with_its_place(name, text, says):
    with pytest.raises(InstanceError, match=says):
        read(name, text)


@pytest.mark.parametrize(("name", "text"), [("mps", FREE), ("mps", FIXED), ("lp", LP)])
def test_damaged_files_are_refused_with_a_place_or_read(name, text):
    words = b"0 - 1e99 1e-300 inf x <= : ROWS end free".split()
    check_damaged(find_format(name).read, text.encode(), (*words, b"\n", b" ", b"9" * 30), 20, 400)


def test_files_are_families(tmp_path):
    path = tmp_path / "one.lp"
    path.write_text(LP)
    (entry,) = concord.read(str(path))
    assert (entry.family, entry.name) == ("lp", "one")
    assert concord.solve(entry).objective == 31
