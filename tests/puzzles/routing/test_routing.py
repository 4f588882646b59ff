"""Tours: TSPLIB's distances and files, generated cities, maps."""

import gzip
import math
from fractions import Fraction

import pytest

from backends.interface.api import Optimum, Solutions
from backends.interface.registry import get
from modelling.errors import InputError, InstanceError
from puzzles.random_stream import Stream
from puzzles.routing import tsp
from puzzles.routing.distances import KINDS, ROWS, count_numbers, fill_matrix, measure
from puzzles.routing.map import draw_map
from puzzles.routing.tsp import TSP
from puzzles.sets import instances

HEAD = "NAME : five.tsp\nTYPE: TSP\nCOMMENT : five\nDIMENSION: 3\n"
POINTS = (
    f"{HEAD}EDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n1 0 0\n 3 1.5e1 2.50\n2 -3 +4\nEOF\n"
)


def explicit(form, numbers, kind="TSP"):
    return (
        f"NAME: m\nTYPE: {kind}\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\n"
        f"EDGE_WEIGHT_FORMAT: {form}\nEDGE_WEIGHT_SECTION\n{numbers}\nEOF\n"
    )


@pytest.mark.parametrize(
    ("kind", "one", "other", "distance"),
    [
        ("EUC_2D", (0, 0), (1, 1), 1),
        ("EUC_2D", (0, 0), (1.5, 0), 2),
        ("EUC_2D", (0, 0), (0, 2.5), 3),  # halves go up, not to even numbers
        ("CEIL_2D", (0, 0), (1, 1), 2),
        ("CEIL_2D", (0, 0), (3, 4), 5),
        ("MAN_2D", (0, 0), (1.2, 1.2), 2),
        ("MAX_2D", (0, 0), (1.2, 3.5), 4),
        ("ATT", (0, 0), (10, 0), 4),  # the root of 10 is 3.16
        ("ATT", (0, 0), (0, math.sqrt(160)), 4),
        ("GEO", (38.24, 20.42), (39.57, 26.15), 509),  # the first two cities of ulysses16
    ],
)
def test_distances_are_rounded_as_tsplib_does(kind, one, other, distance):
    assert KINDS[kind](one, other) == KINDS[kind](other, one) == distance
    assert measure(kind, [one, other]) == ((0, distance), (distance, 0))


def test_att_rounds_up():
    """By fractions: the least number whose square is a tenth of the squared distance or more."""
    for x in range(1, 60):
        for y in range(60):
            tenth = Fraction(x * x + y * y, 10)
            assert KINDS["ATT"]((0, 0), (x, y)) == next(n for n in range(60) if n * n >= tenth)


@pytest.mark.parametrize(
    ("form", "numbers"),
    [
        ("FULL_MATRIX", [7, 1, 2, 1, 7, 3, 2, 3, 7]),
        ("UPPER_ROW", [1, 2, 3]),
        ("LOWER_ROW", [1, 2, 3]),
        ("UPPER_DIAG_ROW", [7, 1, 2, 7, 3, 7]),
        ("LOWER_DIAG_ROW", [7, 1, 7, 2, 3, 7]),
        ("UPPER_COL", [1, 2, 3]),
        ("LOWER_COL", [1, 2, 3]),
        ("UPPER_DIAG_COL", [7, 1, 7, 2, 3, 7]),
        ("LOWER_DIAG_COL", [7, 1, 2, 7, 3, 7]),
    ],
)
def test_matrices_in_every_form(tmp_path, form, numbers):
    assert fill_matrix(form, 3, numbers) == ((0, 1, 2), (1, 0, 3), (2, 3, 0))
    path = tmp_path / "m.tsp"
    path.write_text(explicit(form, " ".join(map(str, numbers))))
    (entry,) = instances(str(path))
    assert (entry.family, entry.name, entry.text) == ("tsp", "m", "UPPER_ROW: 1 2 3")


def test_forms_tell_columns_from_rows():
    """For four cities, where they differ."""
    upper = ((0, 1, 2, 3), (1, 0, 4, 5), (2, 4, 0, 6), (3, 5, 6, 0))
    assert fill_matrix("UPPER_ROW", 4, [1, 2, 3, 4, 5, 6]) == upper
    assert fill_matrix("LOWER_COL", 4, [1, 2, 3, 4, 5, 6]) == upper
    assert fill_matrix("LOWER_ROW", 4, [1, 2, 4, 3, 5, 6]) == upper
    assert fill_matrix("UPPER_COL", 4, [1, 2, 4, 3, 5, 6]) == upper
    assert {form: count_numbers(form, 4) for form in ROWS} == {
        form: 16 if form == "FULL_MATRIX" else 10 if "DIAG" in form else 6 for form in ROWS
    }


FILES = [
    ("five.tsp", POINTS, "five", "EUC_2D: 0,0 -3,4 15,2.5"),
    ("a.atsp", explicit("FULL_MATRIX", "9 1 2\n3 9 4 5\n6 9", "ATSP"), "m", None),
    (
        "display.tsp",
        "DIMENSION:2\nEDGE_WEIGHT_TYPE:GEO\nDISPLAY_DATA_SECTION\n1 1.30 2\n2 0 -0.0\n",
        "display",
        "GEO: 1.3,2 0,0",
    ),
    (
        "remarks.tsp",
        POINTS.replace("COMMENT : five\n", "COMMENT : five\nCOMMENT : and more\n"),
        "five",
        "EUC_2D: 0,0 -3,4 15,2.5",
    ),
    ("lines.tsp", "# two\nCEIL_2D: 0,0 1,1 # small\n", "small", "CEIL_2D: 0,0 1,1"),
]


@pytest.mark.parametrize(("file", "content", "name", "text"), FILES)
@pytest.mark.parametrize("packed", [False, True])
def test_files_are_read_as_they_are(tmp_path, file, content, name, text, packed):
    path = tmp_path / (f"{file}.gz" if packed else file)
    path.write_bytes(gzip.compress(content.encode()) if packed else content.encode())
    (entry,) = instances(str(path))
    assert (entry.name, entry.text) == (name, text or "FULL_MATRIX: 0 1 2 3 0 4 5 6 0")
    assert TSP.text(TSP.parse(entry.text)) == entry.text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "f:1:1: no line tells the DIMENSION"),
        (
            POINTS.replace("TYPE: TSP", "TYPE: CVRP"),
            "f:2:7: a problem of type 'CVRP'; TSP and ATSP",
        ),
        (POINTS.replace("DIMENSION: 3", "DIMENSION: x"), "f:4:12: 'x' is not a number; expected"),
        (POINTS.replace("EUC_2D", "EUC_3D"), "f:5:20: distances of type 'EUC_3D'; did you mean"),
        (
            POINTS.replace("NODE_COORD_S", "NODE_S"),
            "f:6:1: 'NODE_SECTION' is not read; did you mean",
        ),
        (POINTS.replace("NODE_COORD_SECTION\n", ""), "f:6:1: numbers before a section begins"),
        (POINTS.replace(" 3 1.5e1", " 1 1.5e1"), "f:8:2: city 1 occurs twice"),
        (POINTS.replace(" 3 1.5e1", " 4 1.5e1"), "f:8:2: the number of a city is 4; it must be"),
        (POINTS.replace("1.5e1", "1,5"), "f:8:4: '1,5' is not a number; expected a coordinate"),
        (POINTS.replace("2.50", "1e99"), "f:8:10: a coordinate of 1e99; they go up to 10000000"),
        (POINTS.replace("2 -3 +4", "2 -3"), "f:9:3: the file ends where a coordinate is expected"),
        (POINTS.replace("EOF", "7"), "f:10:1: '7' follows the end of 3 cities"),
        (POINTS.replace("EOF", "DEPOT_SECTION"), "f:10:1: 'DEPOT_SECTION' is not read"),
        (POINTS.replace("1.5e1", "1_5"), "f:8:4: '1_5' is not a number; expected a coordinate"),
        (POINTS.replace("1.5e1", "\u0661"), "f:8:4: '\u0661' is not a number; expected a coordin"),
        (POINTS.replace("EOF", "DIMENSION: 3"), "f:10:1: a second DIMENSION; leave one of them"),
        (POINTS.replace("EOF", "NODE_COORD_SECTION"), "f:10:1: a second NODE_COORD_SECTION; leave"),
        (
            explicit("FULL_MATRIX", "0 1 2\n3 0 4 5\n6 0", "TSP"),
            "f:2:7: TYPE is TSP, but not all ways back are as long as ways there; write TYPE",
        ),
        (explicit("FULL", "1"), "f:5:21: a matrix in the form 'FULL'"),
        (explicit("UPPER_ROW", "1 2"), "f:7:3: the file ends where a distance is expected"),
        (explicit("UPPER_ROW", "1 2 3 4"), "f:7:7: '4' follows the end of the 3 distances"),
        (explicit("UPPER_ROW", "1 2 -3"), "f:7:5: '-3' is not a number; expected a distance"),
        (HEAD + "EDGE_WEIGHT_TYPE: ATT\n", "f:1:1: there is no DISPLAY_DATA_SECTION"),
    ],
)
def test_damaged_files(content, message):
    (error,) = TSP.in_format("tsplib").read(content.splitlines(), "f")
    assert isinstance(error, InstanceError)
    assert str(error).startswith(message)


def test_symmetric_matrices_are_told_by_half():
    assert TSP.text(TSP.parse("FULL_MATRIX: 4 1 2 1 4 3 2 3 4")) == "UPPER_ROW: 1 2 3"
    assert TSP.text(TSP.parse("EUC_2D: 1.50,-0 0.0,2e1")) == "EUC_2D: 1.5,0 0,20"


def test_tours_are_counted_both_ways_round():
    text = "EUC_2D: 0,0 3,4 6,0 3,1 9,9 <= 99"
    assert get("brute_force").solve(TSP.problem(text), Solutions(None)).count == math.factorial(4)


def find_shortest(matrix):
    """By dynamic programming over sets of cities (Held and Karp, 1962)."""
    n = len(matrix) - 1
    best = {(1 << k, k): matrix[n][k] for k in range(n)}
    for members in range(1, 1 << n):
        for last in (k for k in range(n) if (members, k) in best):
            length = best[members, last]
            for k in range(n):
                if not members >> k & 1:
                    further = (members | 1 << k, k)
                    best[further] = min(best.get(further, 1 << 60), length + matrix[last][k])
    return min(best[(1 << n) - 1, k] + matrix[k][n] for k in range(n))


@pytest.mark.parametrize("item", range(3))
def test_the_shortest_tour_is_that_of_dynamic_programming(item):
    text = tsp.generate(Stream(4, item), cities=6, side=50)
    result = get("cpsat").solve(TSP.problem(text), Optimum())
    assert result.objective == find_shortest(TSP.parse(text).distances)
    assert result.configuration == "alldifferent,presolve=full"


@pytest.mark.once
def test_burma14_by_dynamic_programming():
    (burma,) = (entry for entry in instances("tsp") if entry.name == "burma14")
    assert find_shortest(TSP.parse(burma.text).distances) == 3323


@pytest.mark.once
def test_a_tour_of_forty_cities_is_found_by_cpsat():
    """It is within a tenth of what Beardwood, Halton and Hammersley's law foretells."""
    text = tsp.generate(Stream(1, 0), cities=40)
    result = get("cpsat").solve(TSP.problem(text), Optimum())
    assert result.status == "OPTIMUM"
    assert TSP.check(text, result.solutions[0]) == []
    assert TSP.value(text, result.solutions[0]) == result.objective
    assert result.objective == pytest.approx(0.7124 * math.sqrt(40) * 1000 * 1.1, rel=0.15)


def test_generated_cities():
    assert tsp.generate(Stream(1, 0), cities=9) == tsp.generate(Stream(1, 0), cities=9)
    assert len({tsp.generate(Stream(s, i), cities=9) for s, i in [(1, 0), (1, 1), (2, 0)]}) == 3
    text = tsp.generate(Stream(1, 0), cities=25, side=100, percent=75)
    assert text == f"{tsp.generate(Stream(1, 0), cities=25, side=100)} <= 375"
    with pytest.raises(InputError, match="no 1 cities in a square of 1000"):
        tsp.generate(Stream(1, 0), cities=1)
    with pytest.raises(InputError, match="a limit of -1 %"):
        tsp.generate(Stream(1, 0), cities=3, percent=-1)


def test_maps():
    text = "EUC_2D: 0,0 8,0 8,4 0,4"
    assert TSP.write(text, [1, 2, 3, 0]) == "1 2 3 4"
    assert TSP.value(text, [1, 2, 3, 0]) == 24
    assert draw_map([(0, 0), (8, 0), (8, 4), (0, 4)], None).splitlines()[0].split() == ["4", "3"]
    rows = TSP.render(text, [1, 2, 3, 0]).splitlines()
    assert rows[0] == "4 cities, EUC_2D, a tour as short as can be"
    assert "24: 1 2 3 4" in rows
    assert max(map(len, rows)) <= 80
    assert rows[-1].startswith("1....")
    assert rows[-1].endswith("...2")
    same = draw_map([(5, 5), (5, 5)], [0, 1])
    assert same == "1"
    drawn = TSP.render("UPPER_ROW: 5 12 5", [1, 2, 0]).splitlines()
    assert drawn[0] == "3 cities, UPPER_ROW, a tour as short as can be         22: 1 2 3"
    assert [row[:8] for row in drawn[1:]] == [" 0  5 12", " 5  0  5", "12  5  0"]
    long = tsp.generate(Stream(1, 0), cities=150)
    drawn = TSP.render(long, [*range(1, 150), 0])
    assert max(map(len, drawn.splitlines())) <= 80
