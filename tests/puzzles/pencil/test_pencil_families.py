"""Pencil puzzles: canonical text, the same counts by several solvers, known ones, drawings."""

from math import prod

import pytest

from backends.interface.api import Solutions
from backends.interface.registry import get
from modelling.errors import InputError
from puzzles.family import Instance, family
from puzzles.pencil import futoshiki, kakuro, kenken, killer_sudoku, nonogram, zebra
from puzzles.random_stream import Stream
from puzzles.sets import instances

COUNTED = [
    ("nonogram", "2,2 7 7 5 3 1 / 2 4 5 5 5 4 2", 1),
    ("nonogram", "1 1 1 1 / 1 1 1 1", 24),
    ("nonogram", "1,1 1 1,1 / 1,1 1 1,1", 1),
    ("killer_sudoku", "4:", 288),
    ("killer_sudoku", "4: AABB BABA BCCA BDDA: 7 8 9 6 5 5", 2),
    ("kakuro", r"x 4\ 3\ / \3 . . / \4 . .", 1),
    ("kakuro", r"x 4\ 3\ / \4 . . / \3 . .", 1),
    ("kakuro", r"x 3\ 3\ / \3 . . / \3 . .", 2),
    ("kakuro", r"x 3\ 4\ / \4 . . / \4 . .", 0),
    ("futoshiki", "4:", 576),
    ("futoshiki", "3: ..3 ... ... r1c1<r1c2 r3c1<r2c1", 1),
    ("futoshiki", "3: r1c1<r1c2 r1c2<r2c2 r2c2<r2c1 r2c1<r1c1", 0),
    ("kenken", "3: ABB ABA ACC: 6x 5+ 2 5+", 1),
    ("kenken", "3: AAB CBB CCB: 1- 18x 6+", 2),
    ("kenken", "3: ABB ABB AAA: 9+ 18?", 4),
    ("zebra", "2 | colour: red blue | pet: dog fox | red < dog, red = fox", 1),
    ("zebra", "3 | a: b c d | e: f g h | b << c, c ~ h, d = f", 2),
]
"""Small enough for every solver."""


@pytest.mark.parametrize(("name", "text", "number"), COUNTED)
def test_all_solvers_count_the_same(name, text, number):
    kind = family(name)
    problem = kind.problem(text)
    assignments = prod(map(len, problem.domains()))
    small = ["brute_force"] if assignments < 1_000_000 else []
    for backend in ("propagation", "cpsat", "sat", *small):
        result = get(backend).solve(problem, Solutions(None))
        assert (result.exhausted, result.count) == (True, number), backend
        for values in result.solutions:
            assert kind.check(text, values) == []


@pytest.mark.parametrize(
    ("name", "line", "text"),
    [
        ("nonogram", " 01  0,2 / 0 1 1 ", "1 2 / 0 1 1"),
        ("killer_sudoku", "2x2: .... .... .... ....", "4:"),
        ("killer_sudoku", "4x1: zzzz .... ..aa ..bb: 10 5 5", "4x1: AAAA .... ..AA ..BB: 10 5 5"),
        ("killer_sudoku", "1X4 : Az.. .... .... ....: 2 3", "1x4: AB.. .... .... ....: 2 3"),
        ("kenken", "2: ab ab: 2÷ 3+", "2: AB AB: 2/ 3+"),
        ("kenken", "2: aA ..: 2 1", "2: AB ..: 2 1"),
        ("futoshiki", "2: r1c2>r1c1 R2C1<r1c1 r1c1<r1c2", "2: r1c1<r1c2 r2c1<r1c1"),
        ("futoshiki", "2: 0_ .1", "2: .. .1"),
        ("kakuro", r" X 04\ \ / 3\03 . 1  /  . . .", r"x 4\ x / 3\3 . 1 / . . ."),
        ("zebra", "2|a:b c|d:e|e>b,c=b,b=c,e=1", "2 | a: b c | d: e | b = c, b < e, e = 1"),
    ],
)
def test_one_text_of_each_puzzle(name, line, text):
    (entry,) = family(name).read([line], "f.txt")
    assert isinstance(entry, Instance)
    assert entry.text == text
    (again,) = family(name).read([text], "f.txt")
    assert again.text == text


def test_the_zebra_puzzle():
    entry = next(entry for entry in instances("zebra") if entry.name == "zebra")
    kind = family("zebra")
    (values,) = get("propagation").solve(kind.problem(entry.text), Solutions(None)).solutions
    houses = kind.write(entry.text, values).split(" | ")
    assert [house.split()[1] for house in houses if "zebra" in house] == ["Japanese"]
    assert [house.split()[1] for house in houses if "water" in house] == ["Norwegian"]


def test_structures_are_shared_where_only_givens_differ():
    for name, one, other in [
        ("futoshiki", "3: ..3 ... ... r1c1<r1c2", "3: ... ... 1.. r1c1<r1c2"),
        ("killer_sudoku", "4: AAB. .... .... ....: 3 1", "4: AA.. .... .... ....: 3"),
        ("kenken", "3: AAB ... ...: 3+ 1", "3: AA. ... ...: 3+"),
        ("kakuro", "x . . / x 1 .", "x . 9 / x . ."),
    ]:
        assert family(name).problem(one).structure is family(name).problem(other).structure


def test_kenken_results():
    assert kenken.find_results([2, 6]) == {"+": 8, "x": 12, "-": 4, "/": 3}
    assert kenken.find_results([4, 6]) == {"+": 10, "x": 24, "-": 2}
    assert kenken.find_results([1, 2, 4]) == {"+": 7, "x": 8}


def test_runs_of_a_kakuro():
    rows = kakuro.KAKURO.parse(r"x 4\ 3\ / \3 . . / \4 . .")
    told = [(run.name, run.total) for run in kakuro.find_runs(rows)]
    assert told == [
        ("the run from r2c2 right", 3),
        ("the run from r3c2 right", 4),
        ("the run from r2c2 down", 4),
        ("the run from r2c3 down", 3),
    ]


def test_faults_in_words():
    def faults(name, text, values):
        return family(name).check(text, values)

    assert faults("nonogram", "1 1 / 1 1", [1, 0, 1, 0]) == [
        "column 1 has runs of 2, not of 1",
        "column 2 has runs of 0, not of 1",
    ]
    assert faults("nonogram", "1 1 / 1 1", [1, 0, 0, 2]) == ["r2c2 = 2 is not from 0 to 1"]
    assert faults("killer_sudoku", "2x1: A. .A: 1 1", [1, 2, 2, 1]) == []
    assert faults("killer_sudoku", "2: AA ..: 3", [1, 1, 2, 2])[-2:] == [
        "the cage of r1c1 adds up to 2, not to 3",
        "the cage of r1c1 holds a value twice",
    ]
    assert faults("kenken", "2: AB AB: 2/ 4x", [1, 2, 2, 1]) == [
        "2 and 1 do not make 4x in the cage of r1c2"
    ]
    assert faults("futoshiki", "2: r1c1<r1c2", [2, 1, 1, 2]) == [
        "r1c1 = 2 is not less than r1c2 = 1"
    ]
    assert faults("kakuro", r"\5 . 2", [3, 3]) == [
        "3 where 2 is given",
        "the run from r1c2 right holds a digit twice",
        "the run from r1c2 right adds up to 6, not to 5",
    ]
    assert faults("zebra", "2 | a: b c | b << c, c != 2", [1, 1]) == [
        "house 1 has b and c as its a",
        "it is not so that b is immediately left of c",
    ]


def test_drawings():
    assert family("nonogram").render("2 1 / 1,0 2", [1, 1, 0, 1]).splitlines() == [
        "     1 2                1 2",
        "  +------+           +------+",
        "2 |  . . |   -->   2 | #### |",
        "1 |  . . |         1 |   ## |",
        "  +------+           +------+",
    ]
    assert family("killer_sudoku").render("4: AABB A.BB .... ...A: 7 10 4").splitlines()[:7] == [
        "+===+===+===+===+",
        "#7      #10     #",
        "# .   . # .   . #",
        "+   +---+       +",
        "#   |   #       #",
        "# . | . # .   . #",
        "+===+...+===+===+",
    ]
    assert family("kenken").render("2: AB A.: 2/ 1", [1, 2, 2, 1]).splitlines() == [
        "+---+---+         +---+---+",
        "|2/ |1  |         |2/ |1  |",
        "| . | . |         | 1 | 2 |",
        "+   +---+   -->   +   +---+",
        "|   |   |         |   |   |",
        "| . | . |         | 2 | 1 |",
        "+---+---+         +---+---+",
    ]
    assert family("kakuro").render(r"x 4\ / 3\9 . / . 2", [9, 1, 2]).splitlines()[:5] == [
        "+-----+-----+         +-----+-----+",
        "|#####| 4\\  |         |#####| 4\\  |",
        "+-----+-----+         +-----+-----+",
        "| 3\\9 |  .  |   -->   | 3\\9 |  9  |",
        "+-----+-----+         +-----+-----+",
    ]
    assert family("futoshiki").render("3: ..3 ... ... r1c1<r1c2 r3c1<r2c1").splitlines() == [
        ". < .   3",
        "",
        ".   .   .",
        "v",
        ".   .   .",
    ]
    drawn = family("zebra").render("2 | pet: dog fox | game: go | dog < fox, go != 1", [1, 2, 2])
    assert drawn.splitlines() == [
        "2 houses in a row                      1    2",
        "                                 pet   dog  fox",
        "pet   dog fox                    game  -    go",
        "game  go                   -->",
        "",
        " 1. dog is left of fox",
        " 2. go is not in house 1",
    ]


def test_drawings_fit_a_screen():
    """Of the sets, with any values: only their widths are looked at."""
    for name in ("nonogram", "killer_sudoku", "kakuro", "futoshiki", "kenken", "zebra"):
        kind = family(name)
        for entry in instances(name):
            values = [domain[0] for domain in kind.problem(entry.text).structure.domains]
            drawn = kind.render(entry.text, values).splitlines()
            assert max(map(len, drawn)) <= 80, entry.name


def count(problem, limit):
    return get("cpsat").solve(problem, Solutions(limit)).count


@pytest.mark.parametrize(
    ("module", "settings", "reach"),
    [
        (nonogram, {"rows": 5, "columns": 6}, "no nonogram of 31 x 6"),
        (killer_sudoku, {"order": 4, "largest": 3}, "no killer Sudoku of order 10 with cages of 3"),
        (kakuro, {"rows": 3, "columns": 4}, "no kakuro of 13 x 4 with runs of 3"),
        (futoshiki, {"order": 4}, "no futoshiki of order 10 with 20 signs"),
        (kenken, {"order": 4, "largest": 3}, "no KenKen of order 10 with cages of 3"),
        (zebra, {"houses": 3, "attributes": 3}, "no puzzle of 8 houses and 3 attributes"),
    ],
)
def test_generated_puzzles(module, settings, reach):
    name = module.__name__.rpartition(".")[2]
    texts = [module.generate(Stream(3, item), count=count, **settings) for item in range(3)]
    assert texts == [module.generate(Stream(3, item), count=count, **settings) for item in range(3)]
    assert len(set(texts)) == 3
    for text in texts:
        (entry,) = family(name).read([text], "f.txt")
        assert entry.text == text
        result = get("propagation").solve(family(name).problem(text), Solutions(2))
        assert (result.count, family(name).check(text, result.solutions[0])) == (1, [])
    first = next(iter(settings))
    over = {"rows": {"nonogram": 31, "kakuro": 13}.get(name), "order": 10, "houses": 8}[first]
    with pytest.raises(InputError, match=reach):
        module.generate(Stream(3, 0), count=count, **{**settings, first: over})


def test_settings_of_generators():
    text = futoshiki.generate(Stream(1, 0), count=count, order=4, signs=0)
    assert "<" not in text
    text = kenken.generate(Stream(1, 0), count=count, order=3, largest=3, given=False)
    assert "?" in text
    assert not any(sign in text for sign in "+-x/")
    text = zebra.generate(
        Stream(1, 0), count=count, houses=3, attributes=2, relations=("<<",), numbered=False
    )
    assert "<<" in text
    assert "=" not in text
    with pytest.raises(InputError, match="clues of ~ do not tell one solution; allow more"):
        zebra.generate(Stream(1, 0), count=count, houses=3, numbered=False, relations=("~",))


def test_no_part_of_a_generated_puzzle_can_go():
    order, cells, signs = futoshiki.FUTOSHIKI.parse(
        futoshiki.generate(Stream(2, 0), count=count, order=4)
    )
    for k, value in enumerate(cells):
        if value:
            fewer = order, (*cells[:k], 0, *cells[k + 1 :]), signs
            assert count(futoshiki.FUTOSHIKI.state(fewer), 2) == 2
    for k in range(len(signs)):
        fewer = order, cells, (*signs[:k], *signs[k + 1 :])
        assert count(futoshiki.FUTOSHIKI.state(fewer), 2) == 2
