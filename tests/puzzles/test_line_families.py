"""Families of a line an instance: rules against model, generators, drawings, bad lines."""

import random

import pytest

from backends.interface.api import Solutions
from backends.interface.registry import get
from modelling.check import violations
from modelling.errors import InputError, InstanceError
from puzzles.arithmetic import magic_square
from puzzles.family import Sized, families, family
from puzzles.generators import generate
from puzzles.lines import LineFamily

SMALL = {
    "all_interval": ["4", "1"],
    "bibd": ["3 3 2 2 1", "4 6 3 2 1 lex", "2 3 1 2 0", "2 4 2 1 0 lex", "1 1 1 1 5"],
    "bin_packing": ["10: 6 5 4 3 2", "10: 6 6 6", "10 2: 5 5 5 5", "10 2: 6 6 6", "3 1: 3"],
    "car_sequencing": [
        "1/2 2/3: 2=10 1=01 2=00",
        "1/2: 3=1 1=0",
        "1/3 2/2: 1=11 0=10 3=01",
        "0/1: 1=0 1=1",
        "2/4: 1=1",
    ],
    "costas": ["4", "1"],
    "flexible_job_shop": [
        "0=1/1=2 1=1 | 1=2",
        "0=1/1=1 | 0=1 <= 2",
        "0=1/1=2 0=1/1=0 | 1=1/0=0",
        "0=2 | 0=2/1=3 <= 2",
        "5=0",
    ],
    "futoshiki": ["3: ..3 ... ... r1c1<r1c2 r3c1<r2c1", "3: r1c1<r1c2", "2: 1. .1", "1:"],
    "golomb": ["4", "4 6", "1"],
    "graph_colouring": ["4: 1-2,3 2-3,4", "4 3: 1-2,3 2-3,4", "3:", "2 1: 1-2"],
    "job_shop": [
        "0=3 1=2 2=2 | 0=2 2=1 1=4 | 1=4 2=3",
        "0=1 1=2 | 1=1 0=2 <= 4",
        "0=2 | 0=2 <= 3",
        "0=0 1=1 | 1=0 0=2 0=1",
        "0=1 0=1 | 0=1 <= 1",
        "5=0",
    ],
    "kakuro": [r"x 4\ 3\ / \3 . . / \4 . .", ". 1 / . x", r"x 9\ / \9 .", r"x x / \3 ."],
    "kenken": ["3: ABB ABA ACC: 6x 5+ 2 5+", "3: AAB C.B C..: 2/ 4? 3+", "2: AB AB: 3+ 2x"],
    "killer_sudoku": [
        "4: AABB BABA BCCA BDDA: 7 8 9 6 5 5",
        "4:",
        "2x1: A. .A: 1 1",
        "2: .A A.: 2 2",
    ],
    "knapsack": ["10: 5=10 4=40 6=30 3=50", "5: 6=7", "0: 0=1 1=1"],
    "langford": ["2 3", "2 4", "2 1"],
    "magic_sequence": ["4", "5"],
    "magic_square": ["3", "3: 2 . . . 5 . . . .", "1"],
    "model_rb": ["2 6 4 8 7: 1", "2 6 4 8 7: 1 forced", "3 5 3 2 27: 1", "1 1 1 0 0: 0"],
    "nonogram": ["2,2 7 7 5 3 1 / 2 4 5 5 5 4 2", "1 1 / 1 1", "0 0 / 0", "1,1 / 1 0 0"],
    "number_partition": ["8", "3", "1"],
    "open_shop": ["3 2 | 1 4", "1 0 | 2 1 <= 4", "1 1 1 | 1 1 1 <= 2", "2 | 3", "5 1 <= 3"],
    "quasigroup": ["QG4 4", "QG3 4 any", "QG5 4 any", "QG6 4", "QG7 5", "QG5 1"],
    "ramsey": ["3 3: 5", "2 3: 3", "3 4: 5", "3 3: 2"],
    "rcpsp": [
        "4 2: 3 2 0 > 3 | 2 3 1 | 4 1 2",
        "1: 1 1 | 1 1 | 1 1 > 2 <= 4",
        "2: 3 1 | 1 0 > 1 <= 3",
        "0: 0 0",
        "2: 2 2 | 0 1 > 1",
    ],
    "schur": ["2 4", "3 5", "1 1"],
    "social_golfers": ["2 2 3", "2 2 4", "1 2 1", "2 1 2", "3 2 1"],
    "still_life": ["3", "4", "2", "1"],
    "tsp": [
        "EUC_2D: 0,0 3,4 6,0 3,1",
        "UPPER_ROW: 5 6 5",
        "UPPER_ROW: 5 6 5 1 4 2 <= 14",
        "FULL_MATRIX: 0 5 6 7 0 5 6 8 0 <= 10",
        "GEO: 1.3,2 2.5,3",
        "CEIL_2D: 0,0 0,0 1.5,1 2,2 -1,3 <= 9",
    ],
    "van_der_waerden": ["3 3: 8", "2 3: 4", "3 2 4: 6", "2: 1"],
    "zebra": [
        "2 | colour: red blue | pet: dog fox | red < dog, red = fox",
        "3 | a: b c d | e: f g | b ~ f, c << g, d != 2, b != g",
        "3 | a: b c d | e: f g h | b << c, c ~ h, d = f",
        "1 | a: b",
    ],
}
"""Instances of each family that are small enough to try much of."""

KINDS = [one for one in families() if isinstance(one, LineFamily)]


def test_every_family_is_tried():
    assert {kind.name for kind in KINDS} == set(SMALL)


@pytest.mark.parametrize(
    ("name", "text"), [(n, text) for n, texts in SMALL.items() for text in texts]
)
def test_the_rules_are_the_model(name, text):
    """On solutions, on what is near them, and on values drawn from domains a little wider."""
    kind, draws = family(name), random.Random(7)
    problem = kind.problem(text)
    every = get("sat").solve(problem, Solutions(50, 50)).solutions
    wider = [(*domain, max(domain) + 1, min(domain) - 1) for domain in problem.structure.domains]
    tried = list(every)
    for values in every:
        for _ in range(6):
            near = list(values)
            for _ in range(draws.choice((1, 1, 2))):
                place = draws.randrange(len(near))
                near[place] = draws.choice(wider[place])
            tried.append(near)
    tried += [[draws.choice(domain) for domain in wider] for _ in range(200)]
    for values in tried:
        assert (kind.check(text, values) == []) == (violations(problem, values) == []), values
    assert kind.check(text, [0] * (problem.structure.size + 1))
    for values in (None, *every[:1]):
        assert kind.render(text, values)
    for values in every[:1]:
        assert kind.write(text, values)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_instance_has_a_size(kind):
    assert kind.unit
    for text in SMALL[kind.name]:
        assert kind.size_of(text) == int(kind.size_of(text)) > 0, text


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_instances_of_one_size_share_a_structure(kind):
    text = SMALL[kind.name][0]
    assert kind.problem(text).structure is kind.problem(text).structure
    if isinstance(kind, Sized):
        assert kind.problem(kind.of_size(4)).structure is kind.problem(kind.of_size(4)).structure


@pytest.mark.parametrize(
    ("name", "line", "message"),
    [
        ("magic_sequence", "x", "f.txt:1:1: 'x' is not a number; expected the length"),
        ("magic_sequence", "4 4", "f.txt:1:1: 2 numbers; write the length, as in '4'"),
        ("langford", "2 900", "f.txt:1:3: how many numbers is 900; it must be from 1 to 60"),
        ("golomb", "1 5", "f.txt:1:1: the number of marks is 1; it must be from 2 to 24"),
        ("quasigroup", "QG2 5", "f.txt:1:1: write the identity, QG3 to QG7, and the order"),
        ("quasigroup", "QG3 5 all", "f.txt:1:7: 'all' is not 'any'"),
        ("bibd", "7 7 3 3", "f.txt:1:1: 4 numbers; write the number of objects, "),
        ("bibd", "40 200 3 3 1", "f.txt:1:1: 40 x 200 cells; there are at most 2000"),
        ("social_golfers", "10 10 3", "f.txt:1:1: 100 players; there are at most 60"),
        ("bin_packing", "10: 11", "f.txt:1:5: a size is 11; it must be from 1 to 10"),
        ("bin_packing", "10 2 3: 5", "f.txt:1:1: 3 numbers; write the capacity, the number of b"),
        ("bin_packing", "10", "f.txt:1:1: write a capacity, a colon and 1 to 1000 sizes"),
        ("knapsack", "10: 5", "f.txt:1:5: '5' is no item; write weight=value as in '5=10'"),
        ("knapsack", "10: 5=x", "f.txt:1:5: 'x' is not a number; expected a value"),
        ("knapsack", "10:", "f.txt:1:1: write a capacity, a colon and 1 to 2000 items"),
        ("model_rb", "2 6 4 8 7", "f.txt:1:1: write five numbers, a colon and the seed"),
        ("model_rb", "2 6 4 8 7: 1 force", "f.txt:1:1: write five numbers, a colon and the seed"),
        ("model_rb", "2 6 4 8 17: 1", "f.txt:1:1: 17 forbidden tuples of 16"),
        ("model_rb", "2 6 4 8 16: 1 forced", "f.txt:1:1: 16 forbidden tuples of 16, one of them"),
        ("model_rb", "3 2 4 8 16: 1", "f.txt:1:1: constraints of 3 among 2 variables"),
        ("model_rb", "2 9 50 5000 99: 1", "f.txt:1:1: more than 200000 forbidden tuples in all"),
        ("graph_colouring", "4", "f.txt:1:1: no colon; write vertices, colours: edges, as in"),
        ("graph_colouring", "4: 1-2,5", "f.txt:1:4: a vertex is 5; it must be from 1 to 4"),
        ("graph_colouring", "4: 1-2 3-3", "f.txt:1:8: an edge from 3 to itself"),
        ("graph_colouring", "4: 1-2 3", "f.txt:1:8: '3' is no edge; write 1-2, or 1-2,3 for"),
        ("job_shop", "0=1 | | 1=1", "f.txt:1:6: a job without an operation; write jobs as in"),
        ("job_shop", "0=1 2", "f.txt:1:5: '2' is no operation; write machine=duration as in '0=3'"),
        ("job_shop", "0=1 | x=2", "f.txt:1:7: 'x' is not a number; expected a machine"),
        ("job_shop", "0=1 <= 3 4", "f.txt:1:5: only the time by which all ends may follow"),
        ("job_shop", "0=1 <= x", "f.txt:1:8: 'x' is not a number; expected the time by which"),
        ("job_shop", "|".join(["0=1"] * 101), "f.txt:1:1: 101 jobs; there are at most 100"),
        ("flexible_job_shop", "0=1/1 2", "f.txt:1:5: '1' is no alternative; write machine="),
        ("flexible_job_shop", "0=1 | 2=1/2=3", "f.txt:1:7: a machine occurs twice among"),
        ("flexible_job_shop", "0=1 | | 1=1", "f.txt:1:6: a job without an operation"),
        ("open_shop", "1 2 | 3", "f.txt:1:6: 1 durations; write one for each machine, as in"),
        ("open_shop", "0 0 | 0 0", "f.txt:1:1: there is nothing to be done: all durations are 0"),
        ("open_shop", "1 y", "f.txt:1:3: 'y' is not a number; expected a duration"),
        ("rcpsp", "3 1", "f.txt:1:1: no colon; write capacities: tasks, as in '4 2: 3 2 0 > 3 |"),
        ("rcpsp", ": 3", "f.txt:1:1: 0 capacities; there are from 1 to 20"),
        ("rcpsp", "3: 1 4", "f.txt:1:6: the use of a resource is 4; it must be from 0 to 3"),
        (
            "rcpsp",
            "3: 1 2 | 1",
            "f.txt:1:9: 1 numbers; write the duration and the use of each of 1",
        ),
        ("rcpsp", "3: 1 2 > 3 | 1 1", "f.txt:1:10: a task that waits is 3; it must be from 1 to 2"),
        ("rcpsp", "3: 1 2 > 2 | 1 1 > 1", "f.txt:1:3: task 1 waits for itself, or for tasks that"),
        ("tsp", "EUC: 1,1 2,2", "f.txt:1:1: write how distances are given, a colon and what gives"),
        ("tsp", "ATT: 1,1 2", "f.txt:1:10: '2' is no point; write two coordinates, as in '3,4'"),
        ("tsp", "ATT: 1,1 x,2", "f.txt:1:10: 'x' is not a number; expected a coordinate"),
        ("tsp", "ATT: 1,1 1,1_0", "f.txt:1:10: '1_0' is not a number; expected a coordinate"),
        ("tsp", "ATT: 1,1 1,nan", "f.txt:1:10: a coordinate of nan; they go up to 10000000"),
        ("tsp", "ATT: 1,1", "f.txt:1:1: 1 cities; there are from 2 to 300"),
        ("tsp", "UPPER_ROW: 1 2", "f.txt:1:12: 2 distances make no such matrix of 2 to 300 cities"),
        ("car_sequencing", "1/2 1=1", "f.txt:1:1: write capacities, a colon and 1 to 200 classes"),
        ("car_sequencing", "1/2 3: 1=1", "f.txt:1:5: '3' is no capacity; write p/q as in '1/2'"),
        ("car_sequencing", "3/2: 1=1", "f.txt:1:1: how many with the option is 3; it must be from"),
        ("car_sequencing", "1/2: 1=11", "f.txt:1:6: '1=11' is no class; write how many cars it"),
        ("car_sequencing", "1/2: 0=1", "f.txt:1:1: 0 cars; there are from 1 to 1000"),
        ("van_der_waerden", "3 3 8", "f.txt:1:1: write 1 to 6 lengths, a colon and how many"),
        ("van_der_waerden", "3 3: 8 9", "f.txt:1:6: 2 numbers; write how many numbers, as in"),
        ("ramsey", "3 x: 5", "f.txt:1:3: 'x' is not a number; expected the size of a clique"),
        ("ramsey", "9 9: 60", "f.txt:1:1: more than 100000 cliques to be forbidden"),
        (
            "schur",
            "3",
            "f.txt:1:1: 1 numbers; write how many boxes, how many numbers, as in '3 13'",
        ),
        ("magic_square", "3: 1 2", "f.txt:1:4: 2 cells; a square of order 3 has 9"),
        ("nonogram", "1 1 1", "f.txt:1:1: write the runs of each row, one '/', and the runs of e"),
        ("nonogram", "1 / 1 / 1", "f.txt:1:7: write the runs of each row, one '/', and the runs"),
        ("nonogram", "1 1- / 2", "f.txt:1:3: '1-' is no row; write its runs with commas between"),
        ("nonogram", "1 / 1 2", "f.txt:1:7: runs of 2 take 2 cells, but a column has 1"),
        ("nonogram", "1,1 / 1 1", "f.txt:1:1: runs of 1,1 take 3 cells, but a row has 2"),
        ("killer_sudoku", "4", "f.txt:1:1: write the order, a colon, rows of letters, a colon"),
        ("killer_sudoku", "26:", "f.txt:1:1: a grid of order 26; it must be from 1 to 25"),
        ("killer_sudoku", "2: AB", "f.txt:1:4: 1 rows of letters; write 2 of 2 letters or dots"),
        ("killer_sudoku", "2: AB ABC: 3", "f.txt:1:7: a row of 3 cells, 'ABC'; it must have 2"),
        ("killer_sudoku", "2: AB A7: 3", "f.txt:1:8: '7' is neither a letter, of a cage, nor"),
        ("killer_sudoku", "2: AB AB: 3", "f.txt:1:11: 1 results for 2 cages; write a colon and"),
        ("killer_sudoku", "2: AB AB: 3 4", "f.txt:1:13: the sum of a cage of 2 is 4; it must be"),
        ("killer_sudoku", "2: AA AB: 3 1", "f.txt:1:11: a cage of 3 cells; 2 values cannot all"),
        ("killer_sudoku", "2: AB AB: 3 x", "f.txt:1:13: 'x' is not a number; expected the sum"),
        ("kenken", "2", "f.txt:1:1: write the order, a colon, rows of letters, a colon"),
        ("kenken", "2: AB AB: 3+ 3", "f.txt:1:14: '3' for a cage of 2 cells; write +, -, x, / or"),
        ("kenken", "2: AA AB: 3- 1", "f.txt:1:11: '3-' for a cage of 3 cells; - and / are for"),
        ("kenken", "2: AA AB: 3+ 1+", "f.txt:1:14: '1+' for a cage of one cell; write its value"),
        ("kenken", "2: AA AB: 3+ 3", "f.txt:1:14: the result of a cage is 3; it must be from 1 to"),
        ("futoshiki", "3", "f.txt:1:1: no colon; write order: rows, signs, as in '3: ..3 ..."),
        ("futoshiki", "2: .. ..  1.", "f.txt:1:4: 3 rows of cells; write 2, or none where no"),
        ("futoshiki", "2: .. ...", "f.txt:1:7: a row of 3 cells, '...'; it must have 2"),
        ("futoshiki", "2: .. .3", "f.txt:1:8: '3' is neither one of 1-2 nor a dot for an open"),
        ("futoshiki", "2: r1c1<2", "f.txt:1:4: 'r1c1<2' is no sign; write r1c1<r1c2"),
        ("futoshiki", "2: r1c1<r1c3", "f.txt:1:4: r1c3 is outside a square of order 2"),
        ("futoshiki", "2: r1c1<r2c2", "f.txt:1:4: r1c1<r2c2: a sign belongs between two cells"),
        ("kakuro", ". / . .", "f.txt:1:5: row 2 has 2 cells, the first has 1; write rows of as"),
        ("kakuro", ". . /", "f.txt:1:6: row 2 has 0 cells, the first has 2; write rows of as"),
        ("kakuro", "x x", "f.txt:1:1: there is no white cell; write one as a dot"),
        ("kakuro", ". 10", "f.txt:1:3: '10' is no cell; write a dot, a digit from 1, x, or sums"),
        ("kakuro", "\\4 . 5\\", "f.txt:1:6: a sum of 5 without a white cell after it, down"),
        ("kakuro", r"x \4 . .\4", r"f.txt:1:8: '.\4' is no cell; write a dot, a digit from 1"),
        ("kakuro", r"\2 . .", "f.txt:1:1: the run from r1c2 right has a sum of 2; 2 digits make 3"),
        ("kakuro", ". . . . . . . . . .", "f.txt:1:1: the run from r1c1 right has 10 cells; nine"),
        ("zebra", "2", "f.txt:1:1: write the number of houses, attributes and clues with | be"),
        ("zebra", "2 3 | a: b", "f.txt:1:3: 2 words where the number of houses must be alone"),
        ("zebra", "2 | a: b c d", "f.txt:1:5: a has 3 values; 2 houses have 1 to 2 of them"),
        ("zebra", "2 | a b | b = 1", "f.txt:1:5: write an attribute as its name, a colon and its"),
        ("zebra", "2 | a: b | a: c", "f.txt:1:12: a second attribute 'a'; give it another name"),
        ("zebra", "2 | a: b 2", "f.txt:1:10: '2' is no value; begin it with a letter, continue"),
        ("zebra", "2 | a: b b", "f.txt:1:10: 'b' occurs twice; give one of them another name"),
        ("zebra", "2 | a: b | b", "f.txt:1:12: 'b' is no clue; write two values with = != ~ < or"),
        ("zebra", "2 | a: bee | bea = 1", "f.txt:1:14: 'bea' is a value of no attribute; did you"),
        ("zebra", "2 | a: b | b = 3", "f.txt:1:16: a house is 3; it must be from 1 to 2"),
        ("zebra", "2 | a: b | b < 2", "f.txt:1:12: a house after <; write a value there, or = or"),
        ("zebra", "2 | a: b | b = b", "f.txt:1:12: a clue that relates b to itself; name another"),
        ("zebra", "2 | b = 1", "f.txt:1:1: 0 attributes; there must be 1 to 30"),
        ("magic_square", "2: 1 . . 5", "f.txt:1:10: a cell is 5; it must be from 1 to 4"),
    ],
)
def test_wrong_lines(name, line, message):
    (entry,) = family(name).read([line], "f.txt")
    assert isinstance(entry, InstanceError)
    assert str(entry).startswith(message)


@pytest.mark.parametrize("order", [*range(3, 13), 30])
def test_squares_are_made_of_every_kind_of_order(order):
    square = [value for row in magic_square.make_square(order) for value in row]
    assert magic_square.MAGIC_SQUARE.check(str(order), square) == []


def test_generated_squares():
    def draw(item, **told):
        return next(generate(family("magic_square"), seed=1, start=item, **told)).text

    text = draw(0, order=6, given=30)
    assert text == draw(0, order=6, given=30)
    assert text != draw(1, order=6, given=30)
    assert text.count(".") == 6
    assert draw(0, order=4, given=0) == "4"
    result = get("cpsat").solve(family("magic_square").problem(text), Solutions(1))
    assert result.count == 1
    with pytest.raises(InputError, match="order must be from 3 to 30, not 2"):
        draw(0, order=2, given=0)
    with pytest.raises(InputError, match="no magic square of order 3 with 10 cells given"):
        draw(0, order=3, given=10)


def test_drawings():
    assert family("langford").write("2 3", [2, 3, 1]) == "3 1 2 1 3 2"
    assert family("golomb").render("4", [0, 1, 4, 6]) == "4 marks, length ?   -->   ||--|-|"
    assert family("golomb").value("4", [0, 1, 4, 6]) == 6
    assert family("all_interval").render("4", [0, 3, 1, 2]).splitlines() == [
        ". . . .         0 3 1 2",
        "          -->    3 2 1",
    ]
    assert family("costas").render("3").splitlines() == [". . ."] * 3
    assert family("costas").render("3", [1, 3, 2]).splitlines()[1] == ". . .   -->   . . X"
    assert family("magic_sequence").render("4", [1, 2, 1, 0]).splitlines() == [
        "0 1 2 3         0 1 2 3",
        ". . . .   -->   1 2 1 0",
    ]
