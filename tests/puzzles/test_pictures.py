"""Pictures are SVG that shows what is there, whatever it holds."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

import concord
from backends.interface.api import Solutions
from backends.interface.registry import get
from modelling.errors import InputError, InstanceError
from puzzles import pictures
from puzzles.family import Instance, Pictured, families, family, find_module, make_picture
from puzzles.lines import LineFamily
from puzzles.pictures import Bar, Picture
from puzzles.sets import instances, ships

SPACE = "{http://www.w3.org/2000/svg}"
NAMES = [one.name for one in families() if ships(f"{one.name}:small")]
AS_TEXT = {"all_interval", "cryptarithm", "magic_sequence", "model_rb", "problem"}
"""Families that nobody looks at: their pictures are drawings of text."""


def read(svg):
    """The words of a picture, and how many shapes of each kind it has."""
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SPACE}svg"
    assert "\n" not in svg
    left, top, wide, high = map(float, root.get("viewBox").split())
    assert wide > 0 < high
    for one in root.iter(f"{SPACE}text"):
        assert left <= float(one.get("x")) <= left + wide
        assert top <= float(one.get("y")) <= top + high
    words = [one.text.replace("\u00a0", " ") for one in root.iter(f"{SPACE}text")]
    kinds = [one.tag.removeprefix(SPACE) for one in root]
    return words, {kind: kinds.count(kind) for kind in kinds}


@pytest.mark.parametrize("name", NAMES)
def test_every_family_has_pictures(name):
    kind = family(name)
    for entry in instances(f"{name}:small"):
        read(make_picture(kind, entry.text))
        problem = kind.problem(entry.text)
        for values in get("cpsat").solve(problem, Solutions(1)).solutions:
            words, shapes = read(make_picture(kind, entry.text, values))
            assert words or len(shapes) > 1  # an empty square is a still life
        lowest = [domain[0] for domain in problem.structure.domains]
        read(make_picture(kind, entry.text, lowest))  # of a wrong answer, too
        if isinstance(kind, Pictured):
            with pytest.raises(InstanceError, match=f"{len(lowest) + 1} values"):
                make_picture(kind, entry.text, [*lowest, 1])


def test_most_families_have_more_than_text():
    own = {
        one.name
        for one in families()
        if isinstance(one, Pictured)
        and not (isinstance(one, LineFamily) and type(one).sketch is LineFamily.sketch)
    }
    looked_at = {one.name for one in families() if "modelled" not in find_module(one.name)}
    assert looked_at - own == AS_TEXT  # models of any problem are nothing to look at


@pytest.mark.parametrize(
    ("name", "text", "values", "words"),
    [
        ("latin", "2:1...", [1, 2, 2, 1], "1 2 2 1"),
        ("magic_square", "3", [2, 7, 6, 9, 5, 1, 4, 3, 8], "2 7 6 9 5 1 4 3 8"),
        ("futoshiki", "2: .. .. r1c1<r1c2", [1, 2, 2, 1], "1 2 2 1"),
        ("kenken", "2: AB AB: 3+ 2x", [1, 2, 2, 1], "3+ 2x 1 2 2 1"),
        ("killer_sudoku", "2: .A A.: 2 2", [1, 2, 2, 1], "2 2 1 2 2 1"),
        ("kakuro", r"x 4\ 3\ / \3 . . / \4 . .", [1, 2, 3, 1], "1 2 3 1 4 3 3 4"),
        ("nonogram", "2 1 / 1 2", [1, 1, 0, 1], "2 1 1 2"),
        ("golomb", "3", [0, 1, 3], "0 1 3 1 2"),
        ("langford", "2 3", [2, 3, 1], "3 1 2 1 3 2"),
        ("schur", "2 4", [1, 2, 2, 1], "1 2 3 4"),
        ("van_der_waerden", "3 3: 4", [1, 2, 2, 1], "1 2 3 4"),
        ("number_partition", "4", [0, 1, 1, 0], "1 2 3 4"),
        ("quasigroup", "QG5 1", [0], "0"),
        ("graph_colouring", "3 2: 1-2", [1, 2, 1], "1 2 3"),
        ("bin_packing", "10: 6 5 4", [1, 2, 1], "bin 1|6|4|bin 2|5|0|1|2|3|4|5|6|7|8|9|10"),
        ("knapsack", "10: 5=1 4=4 6=3", [0, 1, 1], "items|2|3|0|1|2|3|4|5|6|7|8|9|10"),
        ("flexible_job_shop", "5=2/0=3 0=1", [0, 1, 0, 2], "machine 0|1|machine 5|1|0|1|2|3"),
        ("open_shop", "2 1", [0, 2], "machine 1|1|machine 2|1|0|1|2|3"),
        ("job_shop", "5=2 0=1", [0, 2], "machine 0|1|machine 5|1|0|1|2|3"),
        ("rcpsp", "2: 2 1 > 2 | 1 2", [0, 2], "task 1|1|task 2|2|0|1|2|3"),
        ("social_golfers", "2 2 1", [1, 1, 2, 2], "1 2|3 4|week 1"),
        ("tsp", "EUC_2D: 0,0 3,4 6,0", [1, 2, 0], "1 2 3"),
        ("zebra", "2 | a: b c", [2, 1], "c|b|a"),
        ("car_sequencing", "1/2: 1=1 1=0", [1, 2, 1, 0], "1/2|1|2"),
    ],
)
def test_pictures_show_the_values(name, text, values, words):
    found, _ = read(make_picture(family(name), text, values))
    assert found == words.split("|" if "|" in words else " ")


def test_patterns_are_filled_where_they_should_be():
    def fill(name, text, values):
        root = ElementTree.fromstring(make_picture(family(name), text, values))
        boxes = [one for one in root.iter(f"{SPACE}rect") if one.get("fill") == pictures.NEW]
        places = ((float(one.get("x")), float(one.get("y"))) for one in boxes)
        return sorted((round(y / pictures.CELL), round(x / pictures.CELL)) for x, y in places)

    assert fill("costas", "3", [1, 3, 2]) == [(0, 0), (1, 2), (2, 1)]
    assert fill("still_life", "2", [1, 0, 1, 0]) == [(0, 0), (1, 0)]
    assert fill("nonogram", "2 1 / 1 2", [1, 1, 0, 1]) == [(0, 0), (0, 1), (1, 1)]
    assert fill("bibd", "3 3 2 2 1", [1, 1, 0, 1, 0, 1, 0, 1, 1])[:2] == [(0, 0), (0, 1)]
    assert fill("car_sequencing", "1/2: 1=1 1=0", [1, 2, 1, 0]) == [(0, 0)]


def test_what_is_given_is_told_from_what_was_found():
    svg = make_picture(family("latin"), "2:1...", [1, 2, 2, 1])
    texts = ElementTree.fromstring(svg).iter(f"{SPACE}text")
    looks = [(one.text, one.get("fill"), one.get("font-weight")) for one in texts]
    new = pictures.NEW
    assert looks == [
        ("1", pictures.INK, "bold"),
        ("2", new, None),
        ("2", new, None),
        ("1", new, None),
    ]
    queens = read(make_picture(family("queens"), "4: 1=2", [2, 4, 1, 3]))
    assert queens[1]["polygon"] == 4
    assert make_picture(family("queens"), "4: 1=2").count(f'fill="{new}"') == 0


def test_a_tour_goes_home_and_a_graph_has_its_edges():
    svg = make_picture(family("tsp"), "EUC_2D: 0,0 3,4 6,0", [1, 2, 0])
    (line,) = ElementTree.fromstring(svg).iter(f"{SPACE}polyline")
    points = line.get("points").split()
    assert len(points) == 4
    assert points[0] == points[-1]
    _, shapes = read(make_picture(family("graph_colouring"), "4 3: 1-2,3 2-3,4", [1, 2, 3, 1]))
    assert (shapes["polyline"], shapes["circle"]) == (4, 4)
    _, shapes = read(make_picture(family("ramsey"), "3 3: 5"))
    assert shapes["polyline"] == 10


def test_text_is_escaped():
    nasty = "</text><script>&\"'\x00\x1b[31m\ud800 a  b"
    words, shapes = read(pictures.draw_text(nasty).svg())
    assert shapes == {"rect": 1, "text": 1}
    assert words == ["</text><script>&\"'\ufffd\ufffd[31m\ufffd a  b"]
    made = pictures.draw_bars([(nasty, [Bar(0, 900, nasty, 0)])], 900)
    assert read(made.svg())[1].keys() == {"rect", "text", "polyline"}

    class Own:
        name, about = "own", "a family of one's own"

        def render(self, text, values=None):
            return f"<b>{text}</b>"

    assert read(make_picture(Own(), "&"))[0] == ["<b>&</b>"]


def test_the_sheet_is_as_large_as_what_is_on_it():
    made = Picture()
    made.text(-100, 50, "long words", anchor="end")
    made.dot(200, 10, 5)
    left, top, wide, high = map(float, ElementTree.fromstring(made.svg()).get("viewBox").split())
    assert left < -100 - 10 * 6
    assert left + wide >= 205
    assert (top, top + high) == (-10, 68)
    assert read(Picture().svg()) == ([], {"rect": 1})


def test_colours_differ():
    assert len({pictures.colour_of(k) for k in range(24)}) == 24
    assert len({pictures.ink_of(k) for k in range(8)}) == 8


@pytest.mark.parametrize(
    ("end", "ticks"),
    [(1, [0, 1]), (10, [*range(11)]), (34, [0, 5, 10, 15, 20, 25, 30, 34]), (449, None)],
)
def test_scales(end, ticks):
    found = pictures._ticks(end)
    assert found == (ticks or [*range(0, 401, 50), 449])


@pytest.mark.parametrize(
    ("name", "text", "solution"),
    [
        (
            "job_shop",
            next(entry.text for entry in instances("job_shop") if entry.name == "ft06"),
            "5 6 16 30 42 49 0 8 13 28 38 48 0 5 9 18 27 42 "
            "8 13 22 27 30 45 13 22 25 38 48 52 13 16 19 28 38 42",
        ),
        (
            "kenken",
            "5: AABAA BACAA ACCBB ABBAC CCCAC: 10+ 5 40x 2 10x 4x 12x 3/ 5/ 1- 11+",
            "3 4 5 2 1 2 3 1 4 5 1 5 2 3 4 4 1 3 5 2 5 2 4 1 3",
        ),
    ],
)
def test_the_pictures_of_the_documents(name, text, solution):
    values = [int(word) for word in solution.split()]
    assert family(name).check(text, values) == []
    kept = Path(__file__).parents[2] / "docs" / "pictures" / f"{name}.svg"
    assert kept.read_text("utf-8") == f"{make_picture(family(name), text, values)}\n"


# --- the public face -----------------------------------------------------------------------------


def test_a_notebook_shows_instances_and_solutions(tmp_path):
    (first, *_) = concord.read("queens")
    assert first._repr_svg_() == make_picture(family("queens"), first.text)
    assert Instance("queens", "large", "400")._repr_svg_() is None
    stated = concord.instance(concord.family("queens").problem("4"))
    assert stated._repr_svg_() is None
    assert "q1" in read(concord.picture(stated))[0][0]
    shown = concord.picture(first, concord.solve(first))
    assert shown._repr_svg_() == str(shown) == concord.picture(first, concord.solve(first))
    shown.save(tmp_path / "queens.svg")
    assert (tmp_path / "queens.svg").read_text("utf-8") == f"{shown}\n"
    text = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    assert read(concord.picture(text))[0] == [sign for sign in text if sign != "."]
    assert read(concord.picture(Instance("golomb", "g", "3"), [0, 1, 3]))[0][:3] == ["0", "1", "3"]
    none = Instance("queens", "none", "3")
    with pytest.raises(InputError, match="no solution"):
        concord.picture(none, concord.solve(none))
    with pytest.raises(InstanceError, match="2 values"):
        concord.picture(first, [1, 2])
