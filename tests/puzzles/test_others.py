"""n queens, Latin squares and cryptarithms: known counts, checks, drawings, bad input."""

import pytest

from modelling import brute_force
from modelling.check import violations
from modelling.errors import InstanceError
from puzzles.boards.queens import QUEENS
from puzzles.family import Instance
from puzzles.latin import LATIN
from puzzles.pencil.cryptarithm import CRYPTARITHM
from tests.puzzles.exhaustive_count import count, solve


def the_error(of, line):
    (entry,) = of.read([line], "f.txt")
    assert isinstance(entry, InstanceError)
    return str(entry)


@pytest.mark.parametrize(
    ("size", "number"), [(1, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4), (7, 40), (8, 92)]
)
def test_number_of_queens_solutions(size, number):
    problem = QUEENS.problem(str(size))
    found = list(brute_force.solutions(problem))
    assert len(found) == number
    assert all(QUEENS.check(str(size), solution) == [] for solution in found)


def test_queens_check_agrees_with_the_model_on_every_placement():
    problem = QUEENS.problem("4: 1=2")
    for code in range(6**4):
        rows = [code // 6**k % 6 for k in range(4)]
        assert (QUEENS.check("4: 1=2", rows) == []) == (violations(problem, rows) == [])


def test_queens_share_a_structure_and_givens_narrow_it():
    one, other = QUEENS.problem("8"), QUEENS.problem("8: 3=2 1=4")
    assert one.structure is other.structure
    assert other.domain(0) == (4,)
    assert other.domain(2) == (2,)
    assert count(QUEENS.problem("8: 1=1")) == 4


def test_queens_check_names_the_faults():
    assert QUEENS.check("4", [2, 4, 1]) == ["3 values for 4 queens"]
    assert QUEENS.check("4", [2, 4, 1, 5]) == ["column 4: row 5 is not between 1 and 4"]
    assert QUEENS.check("4", [2, 2, 4, 1]) == [
        "2 queens on a row: 1=2, 2=2",
        "2 queens on a falling diagonal: 1=2, 3=4",
    ]
    assert QUEENS.check("4", [1, 2, 4, 3])[0].startswith("2 queens on a rising diagonal")
    assert QUEENS.check("4: 1=3", [2, 4, 1, 3]) == [
        "column 1: the queen is in row 2, but was placed in row 3"
    ]


def test_queens_text_is_canonical():
    lines = ["8", "  8 # board", "8:", "8: 2=7, 1=4", "8:1=4 2=7  # two # placed"]
    found = list(QUEENS.read(lines, "f.txt"))
    assert [entry.text for entry in found] == ["8", "8", "8", "8: 1=4 2=7", "8: 1=4 2=7"]
    assert [entry.name for entry in found] == ["f:1", "board", "f:3", "f:4", "two"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("# nothing", "f.txt:1:1: there is no puzzle in the input"),
        ("eight", "f.txt:1:1: 'eight' is no board"),
        ("0", "f.txt:1:1: a board of size 0; sizes go from 1 to 500"),
        ("100000", "f.txt:1:1: a board of size 100000"),
        ("8 1=4", "f.txt:1:1: '8 1=4' is no board"),
        ("8: 1=4 x", "f.txt:1:8: 'x' is no queen"),
        ("8: 1=4 9=1", "f.txt:1:8: 9=1 is outside a board of size 8"),
        ("8: 1=4 1=5", "f.txt:1:8: two queens in column 1: 4 and 5"),
        ("8: 1=4 5=4", "f.txt:1:8: clashing queens, 1=4 and 5=4 are in row 4"),
        ("8: 4=4 2=2", "f.txt:1:8: clashing queens, 4=4 and 2=2 are on a diagonal"),
    ],
)
def test_wrong_boards(line, message):
    assert the_error(QUEENS, line).startswith(message)


def test_clashing_queens_can_be_stated_and_have_no_solution():
    assert count(QUEENS.problem("4: 1=1 2=2")) == 0


def test_queens_drawn_and_written():
    assert QUEENS.render("4: 1=2", [2, 4, 1, 3]).splitlines() == [
        ". . . .         . . Q .",
        "Q . . .         Q . . .",
        ". . . .   -->   . . . Q",
        ". . . .         . Q . .",
    ]
    assert QUEENS.write("4", [2, 4, 1, 3]) == "4: 1=2 2=4 3=1 4=3"
    (again,) = QUEENS.read([QUEENS.write("4", [2, 4, 1, 3])], "f.txt")
    assert solve(QUEENS.problem(again.text)) == [(2, 4, 1, 3)]


def test_number_of_latin_squares():
    assert len(list(brute_force.solutions(LATIN.problem("3:" + "." * 9)))) == 12
    found = solve(LATIN.problem("4:" + "." * 16))
    assert len(set(found)) == 576
    assert all(LATIN.check("4:" + "." * 16, solution) == [] for solution in found)


def test_latin_structure_has_rows_and_columns_only():
    structure = LATIN.problem("4:" + "." * 16).structure
    assert len(structure.constraints) == 8
    assert structure is LATIN.problem("4:1" + "." * 15).structure


def test_latin_check_and_drawing():
    square = [1, 2, 3, 2, 3, 1, 3, 1, 2]
    assert LATIN.check("3:1........", square) == []
    assert LATIN.check("3:2........", square) == ["r1c1 = 1, but its given is 2"]
    assert LATIN.check("3:.........", [1, 2, 3] * 3) == [
        "column 1 holds 1 3 times",
        "column 2 holds 2 3 times",
        "column 3 holds 3 3 times",
    ]
    assert LATIN.render("3:1........").splitlines()[1] == "| 1 . . |"
    assert LATIN.write("3:.........", square) == "3:123231312"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("3:1.......", "f.txt:1:11: 8 cells found, expected 9 for a 3x3 grid"),
        ("3:4........", "f.txt:1:3: '4' is neither one of 1-3 nor a blank"),
        ("3:1.1......", "f.txt:1:5: clashing givens, 1 occurs twice in row 1: r1c1 and r1c3"),
        ("0:", "f.txt:1:1: a Latin square of order 0"),
    ],
)
def test_wrong_latin_squares(line, message):
    assert the_error(LATIN, line).startswith(message)


@pytest.mark.parametrize(
    ("text", "solutions"),
    [
        ("SEND+MORE=MONEY", ["9567 + 1085 = 10652"]),
        (
            "TWO+TWO=FOUR",
            [
                "734 + 734 = 1468",
                "765 + 765 = 1530",
                "836 + 836 = 1672",
                "846 + 846 = 1692",
                "867 + 867 = 1734",
                "928 + 928 = 1856",
                "938 + 938 = 1876",
            ],
        ),
        ("I+BB=ILL", ["1 + 99 = 100"]),
        ("BUG+BUG=DEBUG", []),
    ],
)
def test_known_cryptarithms(text, solutions):
    found = solve(CRYPTARITHM.problem(text))
    assert sorted(CRYPTARITHM.write(text, values) for values in found) == solutions
    assert all(CRYPTARITHM.check(text, values) == [] for values in found)


@pytest.mark.parametrize(
    "text",
    ["AB+A=BC", "A+A+A=BA", "A=B", "A=A", "A+B=A", "AB+BA=CAC", "AB+A=BC base 11", "A+A=BC base 4"],
)
def test_cryptarithm_check_agrees_with_the_model(text):
    problem = CRYPTARITHM.problem(text)
    letters = len(problem.structure.names)
    for code in range(11**letters):
        values = [code // 11**k % 11 for k in range(letters)]
        assert (CRYPTARITHM.check(text, values) == []) == (violations(problem, values) == [])


def test_other_bases():
    text = "EAT+EAT+EAT=BEET base 7"
    puzzle = CRYPTARITHM.read(["eat + eat+eat=beet Base 07"], "f.txt")
    assert next(puzzle).text == text
    assert next(CRYPTARITHM.read(["A+A=B base 10"], "f.txt")).text == "A+A=B"
    assert CRYPTARITHM.problem(text).structure.domains[1] == tuple(range(7))
    assert CRYPTARITHM.write("A+A=BC base 16", [9, 1, 2]) == "9 + 9 = 12 base 16"
    assert CRYPTARITHM.check("A+A=BC base 16", [9, 1, 2]) == []
    assert CRYPTARITHM.check("A+A=BC base 16", [13, 1, 2]) == [
        "D + D = 12 base 16 is false: it is 1A"
    ]


def test_cryptarithm_model():
    structure = CRYPTARITHM.problem("SEND+MORE=MONEY").structure
    assert structure.names == ("S", "E", "N", "D", "M", "O", "R", "Y")
    assert structure.domains[0] == tuple(range(1, 10))
    assert structure.domains[1] == tuple(range(10))
    assert structure.domains[4] == tuple(range(1, 10))
    _, equation = structure.constraints
    assert equation.coefficients == (1000, 91, -90, 1, -9000, -900, 10, -1)
    assert CRYPTARITHM.problem("SEND+MORE=MONEY").structure is structure


def test_cryptarithm_check_names_the_faults():
    text = "AB+C=AD"
    assert CRYPTARITHM.check(text, [1, 2]) == ["2 values for 4 letters"]
    assert CRYPTARITHM.check(text, [1, 2, 10, 3]) == ["C = 10 is no digit"]
    assert CRYPTARITHM.check(text, [0, 2, 3, 5]) == ["A is zero, but begins a word"]
    assert CRYPTARITHM.check(text, [1, 2, 4, 5]) == ["12 + 4 = 15 is false: it is 16"]
    assert CRYPTARITHM.check(text, [1, 2, 1, 3]) == ["A, C are all 1"]


def test_cryptarithm_is_read_in_any_case_and_drawn():
    lines = ["send + more = money  # classic", "a+b+c=d"]
    found = list(CRYPTARITHM.read(lines, "f.txt"))
    assert found[0] == Instance("cryptarithm", "classic", "SEND+MORE=MONEY", "f.txt:1")
    assert found[1].text == "A+B+C=D"
    drawn = CRYPTARITHM.render("SEND+MORE=MONEY", [9, 5, 6, 7, 1, 0, 8, 2]).splitlines()
    assert [line.split() for line in drawn] == [
        ["SEND", "9567"],
        ["+", "MORE", "+", "1085"],
        ["-------", "-->", "-------"],
        ["MONEY", "10652"],
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("SEND+MORE", "f.txt:1:10: there is no total"),
        ("SEND+MORE=", "f.txt:1:11: there is no word after the '='"),
        ("+A=B", "f.txt:1:1: there is no word before this '+'"),
        ("A++B=C", "f.txt:1:3: there is no word before this '+'"),
        ("A=B=C", "f.txt:1:4: there is something after the total"),
        ("A=B+C", "f.txt:1:4: there is something after the total"),
        ("A B=C", "f.txt:1:3: there is no '+' or '=' between two words"),
        ("A-B=C", "f.txt:1:2: '-' does not belong in a word sum"),
        ("A1=B", "f.txt:1:2: '1' does not belong in a word sum"),
        ("ABCDEF+GHIJ=K", "f.txt:1:14: 11 different letters, but there are 10 digits"),
        ("A" * 41 + "=B", "f.txt:1:44: a word of more than 40 letters"),
        ("A+A=B base 1", "f.txt:1:12: the base is 1; it must be from 2 to 36"),
        ("A+A=B base ten", "f.txt:1:12: 'ten' is not a number; expected the base"),
        ("A+B=CD base 3", "f.txt:1:7: 4 different letters, but there are 3 digits"),
    ],
)
def test_wrong_word_sums(line, message):
    assert the_error(CRYPTARITHM, line).startswith(message)
