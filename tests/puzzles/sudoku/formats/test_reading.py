"""What files of each format look like, how they are told apart, and where errors are."""

import gzip
import json
import re
from pathlib import Path

import pytest

from modelling.errors import InputError, InstanceError
from puzzles.family import Instance
from puzzles.grid.family import Plain
from puzzles.grid.rows import scan
from puzzles.sets import batches, instances
from puzzles.sudoku.entries import entries
from puzzles.sudoku.formats import FORMATS, by_ending, detect, read
from puzzles.sudoku.formats.entry import fault, possible

CELLS = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
SOLVED = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
ZEROS = CELLS.replace(".", "0")
ROWS = [CELLS[k : k + 9] for k in range(0, 81, 9)]
SIMPLE = """*-----------*
|.3.|4..|...|
|9.2|8.6|3.1|
|...|...|.2.|
|---+---+---|
|8..|.6.|7..|
|.6.|2.5|.9.|
|..3|.4.|..8|
|---+---+---|
|.7.|...|...|
|4.8|9.2|5.6|
|...|..8|.3.|
*-----------*
"""
MARKS = """*--------------------------------------------------------------------*
| 1567   3      1567   | 4      12579  179    | 689    5678   579    |
| 9      45     2      | 8      57     6      | 3      457    1      |
| 1567   1458   14567  | 1357   13579  1379   | 4689   2      4579   |
|----------------------+----------------------+----------------------|
| 8      12459  1459   | 13     6      139    | 7      145    2345   |
| 17     6      147    | 2      1378   5      | 14     9      34     |
| 1257   1259   3      | 17     4      179    | 126    156    8      |
|----------------------+----------------------+----------------------|
| 12356  7      1569   | 1356   135    134    | 12489  148    249    |
| 4      1      8      | 9      137    2      | 5      17     6      |
| 1256   1259   1569   | 1567   157    8      | 1249   3      2479   |
*--------------------------------------------------------------------*
"""
PUZZLE = ".3.4.....9.28.63.1.......2.8...6.7...6.2.5.9...3.4...8.7.......4.89.25.6.....8.3."


def text_of(values):
    return "".join(".123456789"[value] for value in values)


def all_of(name, text, source="f"):
    return list(read(FORMATS[name], text.splitlines(keepends=True), source))


def one_of(name, text):
    (found,) = all_of(name, text)
    assert not isinstance(found, InstanceError), found
    return found


def error_of(name, text):
    (found,) = [one for one in all_of(name, text) if isinstance(one, InstanceError)]
    return str(found)


# --- telling what a file is ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (CELLS, "lines"),
        (" ".join(ROWS), "lines"),
        ("53. | .7. | ...", "lines"),
        ("3x2:" + "." * 36, "lines"),
        ("Grid 01", "lines"),
        ("quizzes,solutions", "csv"),
        ("puzzle,solution,clues,difficulty", "csv"),
        ("id;Puzzle;Rating", "csv"),
        ('"puzzle"\t"solution"', "csv"),
        ("puzzle", "csv"),
        ('{"puzzle": "x"}', "jsonl"),
        (f":0000:x:{CELLS}:::", "hodoku"),
        (":0503-1:4:+3", "hodoku"),
        ("[Puzzle]", "sdk"),
        ("[ puzzle ]", "sdk"),
        ("\ufeff<?xml version='1.0'?>", "opensudoku"),
        ("<opensudoku>", "opensudoku"),
        ("*-----------*", "ss"),
        ("+-------+-------+-------+", "ss"),
        ("| 1567 3 1567 | 4 12579 179 | 689 5678 579 |", "ss"),
        ("1567 3 1567 4 12579 179 689 5678 579", "ss"),
    ],
)
def test_the_first_line_tells(line, name):
    assert detect([], line + "\r\n", "stdin").name == name


def test_the_ending_tells_where_the_text_does_not():
    for source, name in [
        ("a.sdk", "sdk"),
        ("a.SDK.gz", "sdk"),
        ("a.csv", "csv"),
        ("a.txt", "lines"),
        ("a", "lines"),
        ("a.sdm", "sdm"),
    ]:
        assert detect([], ROWS[0], source).name == name
    assert by_ending("a.jsonl").name == "jsonl"
    assert by_ending("a.odt") is None


def test_headers_of_an_sdk_file_tell_and_comments_do_not():
    assert detect(["#ARuud\n", "\n"], ROWS[0], "f").name == "sdk"
    assert detect(["# A comment\n"], ROWS[0], "f").name == "lines"
    assert detect(["#All my puzzles\n"], CELLS, "f").name == "lines"


def test_every_verb_reads_every_format(tmp_path):
    first = next(iter(entries("sudoku")))
    for name, form in FORMATS.items():
        path = tmp_path / f"some.{name}.gz"
        path.write_bytes(gzip.compress("".join(form.write([first, first])).encode()))
        found = list(instances(str(path)))
        assert [type(one) for one in found] == [Instance] * 2, name
        assert {one.text for one in found} == {text_of(first.givens)}
        assert [one.family for one in found] == ["sudoku"] * 2
        together = []
        for run in batches(str(path), None, 100):
            plain = isinstance(run, Plain)
            together += map(run.entry, range(len(run))) if plain else [run]
        assert together == found, name


def test_a_declared_family_goes_before_the_format(tmp_path):
    path = tmp_path / "some.csv"
    path.write_text(f"# family: latin\n4:{'.' * 16}\n")
    assert [one.family for one in instances(str(path))] == ["latin"]
    with pytest.raises(InputError, match=r"some\.csv: its puzzles are of the family latin"):
        list(entries(str(path)))


def test_runs_keep_names_places_and_order(tmp_path):
    path = tmp_path / "some.csv"
    path.write_text(f"name,puzzle\none,{CELLS}\n,11{'.' * 79}\nbad\ntwo,{CELLS}\n,{'.' * 16}\n")
    found = []
    for run in batches(str(path), None, 100):
        found += map(run.entry, range(len(run))) if isinstance(run, Plain) else [run]
    assert [str(getattr(one, "name", one)).removeprefix(f"{path}") for one in found] == [
        "one",
        ":3:3: clashing givens, 1 occurs twice in row 1: r1c1 and r1c2",
        ":4:4: 1 columns, and the puzzle is expected in column 2",
        "two",
        "some.csv:6",
    ]


def test_a_damaged_file_keeps_what_came_before(tmp_path):
    for name, form in FORMATS.items():
        text = "".join(form.write(list(entries("sudoku"))[:20] * 50))
        whole = gzip.compress(text.encode(), mtime=0)
        path = tmp_path / f"cut.{name}"
        path.write_bytes(whole[: len(whole) // 2])
        for reading in (entries(str(path)), batches(str(path), None, 50)):
            *good, last = list(reading)
            assert good, name
            assert "damaged" in str(last)


# --- each format ---------------------------------------------------------------------------------


def test_sdk_as_sudocue_writes_it():
    found = one_of("sdk", "#ARuud\n#DA random\n#Cone\n#Ctwo\n#B03-08-2006\n" + "\n".join(ROWS))
    assert text_of(found.givens) == CELLS
    assert found.about == {
        "author": "Ruud",
        "description": "A random",
        "comment": "one\ntwo",
        "date": "03-08-2006",
    }


def test_sdk_as_sadman_writes_it():
    state = [row.replace(".", "4", 1) if k == 0 else row for k, row in enumerate(ROWS)]
    marks = [",".join("12" if sign == "." else "" for sign in row) for row in state]
    text = "\r\n".join(["[Puzzle]", *ROWS, "[State]", *state, "[PencilMarks]", *marks])
    found = one_of("sdk", text)
    assert text_of(found.placed) == "4" + "." * 80
    assert found.candidates[1] == 3
    assert found.candidates[0] == found.candidates[2] == 0
    spaced = text.replace("12", "1 2").replace(",", " , ")
    assert "'1 2' is no list of candidates" in error_of("sdk", spaced)


def test_sdk_forms_that_are_met():
    bars = [f"{row[:3]}|{row[3:6]}|{row[6:]}" for row in ROWS]
    for body in (ROWS, bars, [CELLS], [*ROWS[:3], "", *ROWS[3:6], "", *ROWS[6:]], [ZEROS]):
        found = one_of("sdk", "\n".join(["[Puzzle]", *body]))
        assert text_of(found.givens) == CELLS
    several = all_of("sdk", "\n".join(["#Aone", *ROWS, "#Atwo", *ROWS, "[puzzle]", *ROWS, *ROWS]))
    assert [found.about.get("author") for found in several] == ["one", "two", None, None]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[State]\n" + CELLS, "f:1:1: [state] where [Puzzle] should come first"),
        ("[Puzzle]\n" + "\n".join(ROWS[:8]), "f:9:10: 8 rows of 9 cells; the grid should have 9"),
        ("[Puzzle]\n" + CELLS[:-1] + "a", "f:2:81: 'a' is neither one of 1-9 nor a blank"),
        (f"[Puzzle]\n{CELLS}\n[State]\n1{SOLVED[1:]}\n[State]", ""),
        (
            f"[Puzzle]\n{CELLS}\n[State]\n48{'.' * 79}",
            "f:4:1: [State] has a blank in r1c3, where the puzzle has 3",
        ),
        (f"[Puzzle]\n{CELLS}\n[PencilMarks]\n1,2", "f:4:4: 2 cells in a row of [PencilMarks]"),
        (f"[Puzzle]\n{CELLS}\n[PencilMarks]\n,,,,,,,,\n", "f:2:1: 9 cells of [PencilMarks]"),
    ],
)
def test_sdk_errors(text, message):
    if message:
        assert error_of("sdk", text).startswith(message)
    else:
        assert isinstance(one_of("sdk", text).placed, list)


def test_simple_sudoku_as_it_copies():
    text = SIMPLE + "\n\nSimple Sudoku Version 4.2n\n" + MARKS
    found = one_of("ss", text)
    assert text_of(found.givens) == PUZZLE
    assert found.placed is None
    # r8c2 shows 1 and r8c8 17: candidates, because the first grid has blanks there
    masks = possible(found.layout, found.givens)
    assert found.marks() == [mask & told for mask, told in zip(masks, found.marks(), strict=True)]
    assert found.marks()[7 * 9 + 1] == 1


def test_marks_alone_are_a_puzzle():
    found = one_of("pencilmarks", "Candidate Grid\n" + MARKS)
    assert text_of(found.givens) == PUZZLE[:64] + "1" + PUZZLE[65:]
    bare = "\n".join(line.replace("|", " ") for line in MARKS.splitlines() if line.startswith("| "))
    assert one_of("pencilmarks", bare).contents() == found.contents()
    bands = "\n\n".join("\n".join(bare.splitlines()[k : k + 3]) for k in (0, 3, 6))
    assert one_of("pencilmarks", bands).contents() == found.contents()
    boxes = MARKS.replace("|", "│").replace("-", "─").replace("*", "┼").replace("+", "┼")
    assert one_of("pencilmarks", boxes).contents() == found.contents()


def test_marks_whose_first_rows_are_filled():
    line = "| 4    8    3    | 9    2    1    | 6    5    7    |"
    rest = ["| " + " ".join(["123"] * 9) + " |"] * 8
    found = one_of("pencilmarks", "\n".join([line, *rest]))
    assert text_of(found.givens) == SOLVED[:9] + "." * 72


def test_grids_that_stay_apart():
    solved = SIMPLE.replace(".", "1", 1)
    assert len(all_of("ss", SIMPLE + "\n# another\n" + solved)) == 2
    merged = one_of("ss", SIMPLE + "\n" + solved)
    assert text_of(merged.placed).count(".") == 80
    assert len(all_of("ss", SIMPLE + "\n" + SIMPLE)) == 2
    assert len(all_of("ss", f"{CELLS}\n{SOLVED}\n")) == 2


def test_names_before_and_behind_drawings():
    named = all_of("ss", "# one #1\n" + SIMPLE + "\n#\n" + SIMPLE + "\n# family: sudoku\n" + SIMPLE)
    assert [found.name for found in named] == ["one", "", ""]


def test_marks_errors():
    lines = MARKS.splitlines()
    assert error_of("ss", "\n".join(lines[:8])) == (
        "f:8:64: 6 rows of 9 cells; the grid should have 9 rows"
    )
    assert error_of("ss", MARKS.replace(" 45 ", " 4x ", 1)).startswith("f:3:10: '4x' is no list")


@pytest.mark.parametrize(
    ("text", "solution", "about"),
    [
        (f"quizzes,solutions\n{ZEROS},{SOLVED}", SOLVED, {}),
        (
            f"id,puzzle,solution,clues,difficulty\n7,{CELLS},{SOLVED},36,2.2",
            SOLVED,
            {"id": "7", "difficulty": "2.2"},
        ),
        (f'"Puzzle";"Solution"\n"{CELLS}";""', None, {}),
        (
            f"source,question,answer,rating\ns,{CELLS},{SOLVED},0",
            SOLVED,
            {"source": "s", "rating": "0"},
        ),
        (f"{CELLS},{SOLVED}", SOLVED, {}),
        (f"{CELLS}", None, {}),
        (f"# made yesterday\n\npuzzle\tname\n{CELLS}\t", None, {}),
        (f"puzzle,solution\n{CELLS},{'.' * 81}", None, {}),
    ],
)
def test_csv_as_it_is_met(text, solution, about):
    found = one_of("csv", text)
    assert text_of(found.givens) == CELLS
    assert (found.solution and text_of(found.solution)) == solution
    assert found.about == about


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,puzzle\n1", "f:2:2: 1 columns, and the puzzle is expected in column 2"),
        (f"id,puzzle\n1,{CELLS[:-1]}", "f:2:83: 80 cells found, expected 81"),
        (f"id,puzzle\n1,{CELLS[:-1]}a", "f:2:83: 'a' is neither"),
        ("id,puzzle\n1,", "f:2:3: there is no puzzle here"),
        (f'puzzle,name\n{CELLS},"a\n', "f:2:83: no row of a CSV file"),
        (f"puzzle,solution\n{CELLS},1234\n", "f:2:87: 1 rows of 4 cells"),
        ("puzzle,solution\n" + "1" * 300_000, "f:2:200001: 300000 characters on a line"),
        ("puzzle,solution\n", "f:1:1: there is no puzzle in the input"),
    ],
)
def test_csv_errors(text, message):
    assert error_of("csv", text).startswith(message)


def test_a_wrong_solution_is_found():
    wrong = SOLVED[1] + SOLVED[0] + SOLVED[2:]
    found = one_of("csv", f"{CELLS},{wrong}")
    assert str(fault(found, "f")).startswith("f:1:1: the solution beside it is wrong: ")
    assert fault(one_of("csv", f"{CELLS},{SOLVED}"), "f") is None
    other = "5" + CELLS[1:]
    assert "but its given is 5" in str(fault(one_of("csv", f"{other},{SOLVED}"), "f"))


def test_json_as_it_is_met():
    grid = [[int(sign) for sign in ZEROS[k : k + 9]] for k in range(0, 81, 9)]
    for told in (CELLS, ZEROS, grid, [value for row in grid for value in row], "\n".join(ROWS)):
        assert text_of(one_of("jsonl", json.dumps({"quiz": told})).givens) == CELLS
    small = one_of(
        "jsonl", '{"puzzle": "1...........", "box": [1, 2]}'.replace("...........", "...")
    )
    assert small.layout.box == (1, 2)
    found = one_of("jsonl", json.dumps({"Puzzle": CELLS, "name": 7, "solution": None, "x": [1]}))
    assert (found.name, found.solution, found.about) == ("7", None, {"x": [1]})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"puzzle" "x"}', "f:1:11: no JSON: Expecting ':' delimiter"),
        ("[1]", "f:1:1: a line should hold one object"),
        ('{"name": "x"}', 'f:1:1: there is no "puzzle" in the object'),
        ('{"puzzle": 5}', "f:1:2: 'puzzle' should be the cells as text"),
        (f'{{"puzzle": "{CELLS[:-1]}a1"}}', "f:1:94: 82 cells found"),
        (f'{{"puzzle": "{CELLS[:-1]}a"}}', "f:1:93: 'a' is neither"),
        ('{"puzzle": "1...", "box": "two"}', 'f:1:20: "box" should be rows and columns'),
        (f'{{"puzzle": "{CELLS}", "state": "{SOLVED[1:]}4"}}', 'f:1:107: "state" has 9 in r1c3'),
        (f'{{"puzzle": "{CELLS}", "candidates": ["1"]}}', 'f:1:97: "candidates" should be a list'),
        (f'{{"puzzle": "{CELLS}", "name": {{}}}}', 'f:1:97: "name" should be text'),
        ('{"puzzle": NaN}', "f:1:1: no JSON that can be used: NaN is no number"),
        ('{"puzzle": ' + "[" * 100_000, "f:1:1: no JSON that can be used"),
        ('{"puzzle": ' + "9" * 5000 + "}", "f:1:1: no JSON that can be used"),
        ('{"puzzle": "x", "a": ' + "[" * 50 + "]" * 50 + "}", "f:1:1: more than 20 objects"),
    ],
)
def test_json_errors(text, message):
    assert error_of("jsonl", text).startswith(message)


def test_hodoku_as_it_is_met():
    placed = "..3.2+46.." + CELLS[9:]
    found = one_of("hodoku", f":0901:34:{placed}:712 213 978:143:555:-:")
    assert text_of(found.givens) == CELLS
    assert text_of(found.placed) == "." * 5 + "4" + "." * 75
    masks = possible(found.layout, found.filled())
    assert found.candidates[1] == masks[1] & ~64
    assert found.about == {
        "technique": "0901",
        "digits": "34",
        "eliminations": "143",
        "placements": "555",
        "extra": "-",
    }
    for line in (f":0000:x:{ZEROS}", f"# head\n\n:0000:x:{CELLS}::::", f":0000:x:{CELLS}:::::\n"):
        found = one_of("hodoku", line)
        assert (text_of(found.givens), found.candidates, found.about) == (CELLS, None, {})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (CELLS, "f:1:1: a line of a HoDoKu library begins with a colon"),
        (":0000:x", "f:1:8: the third field should hold the givens"),
        (f":0000:x:{CELLS[:-1]}:::", "f:1:89: 80 cells found, expected 81"),
        (f":0000:x:+{CELLS}:::", "f:1:10: '.' where a digit after + should be"),
        (f":0000:x:{CELLS[:-1]}q:::", "f:1:89: 'q' where one of 1-9, + or a blank should be"),
        (f":0000:x:{CELLS}:112 10:", "f:1:95: '10' is no deleted candidate"),
    ],
)
def test_hodoku_errors(text, message):
    assert error_of("hodoku", text).startswith(message)


def played(version, cell, open_cell):
    cells = [cell.replace("V", sign) if sign != "0" else open_cell for sign in ZEROS]
    return f'<opensudoku><game data="version: {version}&#10;{"".join(cells)}"/></opensudoku>'


def test_opensudoku_of_every_version():
    plain = (
        "<?xml version='1.0' encoding='UTF-8'?>\n<opensudoku><name>Easy &amp; fun</name>"
        f"<author>me</author><level>1</level>\n<game data='{ZEROS}' /></opensudoku>"
    )
    found = one_of("opensudoku", plain)
    assert text_of(found.givens) == CELLS
    assert found.about == {"folder": "Easy & fun", "author": "me", "level": "1"}
    for version, cell, open_cell in (
        (1, "V|-|0|", "0|1,2,|1|"),
        (2, "V|0||0|", "0|3||1|"),
        (3, "V|0|0|", "0|3|1|"),
        (4, "V|0|0|0|", "0|1|2|1|"),
    ):
        found = one_of("opensudoku", played(version, cell, open_cell))
        assert text_of(found.givens) == CELLS
        assert {mask for mask in found.candidates if mask} == {3}
    found = one_of("opensudoku", played(3, "V|0|0|", "0|0|1|").replace("0|0|1|", "4|0|1|", 1))
    assert text_of(found.placed) == "4" + "." * 80


def test_opensudoku_folders():
    game = f'<game data="{ZEROS}" note="a&#10;b" created="1" command_stack=""/>'
    text = f'<opensudoku version="2"><folder name="one">{game}</folder>{game}</opensudoku>'
    one, two = all_of("opensudoku", text)
    assert (one.about, two.about) == ({"folder": "one", "comment": "a\nb"}, {"comment": "a\nb"})


BOMB = (
    '<?xml version="1.0"?>\n<!DOCTYPE a [\n<!ENTITY e "x">\n<!ENTITY f "&e;&e;">]>\n<opensudoku>&f;'
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOMB, "f:2:13: a document type or an entity is declared here"),
        ('<!DOCTYPE opensudoku SYSTEM "file:///etc/hostname"><opensudoku/>', "f:1:51: a document"),
        ("<opensudoku>&e;</opensudoku>", "f:1:13: no well-formed XML: undefined entity"),
        ("<html></html>", "f:1:1: the document is no <opensudoku> but <html>"),
        ("<opensudoku><game/></opensudoku>", "f:1:13: a <game> without data"),
        ("<opensudoku>\n<game data='1'/></opensudoku>", "f:2:1: 1 cell found, expected 16"),
        (f"<opensudoku><game data='{'1' * 36}'/></opensudoku>", "f:1:13: 36 cells, where"),
        ("<opensudoku><game data='version: 9&#10;1|'/></opensudoku>", "f:1:13: data of version 9"),
        ("<opensudoku><game data='version: 3&#10;1|'/></opensudoku>", "f:1:13: 1 fields in"),
        (played(3, "V|0|0|", "0|999|1|"), "f:1:13: notes '999' in the data of a game"),
        (played(3, "V|0|0|", "0|0|7|"), "f:1:13: cell 1 is '0'|'7', no cell"),
        ("<opensudoku>", "f:1:13: no well-formed XML: no element found"),
        ("<opensudoku>\x00", "f:1:13: no well-formed XML"),
        ("<opensudoku>" + "<folder>" * 20, "f:1:133: more than 16 elements in each other"),
        ("<opensudoku><game data='" + "1" * (3 << 20), "f:1:13: a tag or text of more than"),
    ],
)
def test_opensudoku_errors(text, message):
    assert error_of("opensudoku", text).startswith(message)


# --- blanks --------------------------------------------------------------------------------------


@pytest.mark.parametrize("blank", ["0", ".", "X", "x", "*", "_", " "])
def test_every_blank_in_every_line_format(blank):
    cells = CELLS.replace(".", blank)
    for name, text in [
        ("lines", cells),
        ("sdm", cells),
        ("csv", f"puzzle,solution\n{cells},"),
        ("jsonl", json.dumps({"puzzle": cells})),
        ("hodoku", f":0000:x:{cells}::::"),
    ]:
        assert text_of(one_of(name, text).givens) == CELLS, name
    rows = "\n".join(row.replace(".", blank) for row in ROWS)
    if blank != " ":
        assert text_of(one_of("sdk", "[Puzzle]\n" + rows).givens) == CELLS
    assert text_of(one_of("ss", SIMPLE.replace(".", blank)).givens) == PUZZLE


def test_one_kind_of_blank_goes_before_the_others():
    orders = (4, 6, 9, 12, 16, 25)
    wholes = [order * order for order in orders if order * order not in orders]
    kinds = "0.X*_"
    for k, blank in enumerate(kinds):
        for other in [*kinds[k + 1 :], "+", "-"]:
            text = other.join(CELLS.replace(".", blank)[n : n + 9] for n in range(0, 81, 9))
            cells = scan(text, wholes, orders).cells
            assert "".join(sign for sign, _ in cells) == CELLS.replace(".", blank)
    # as many of two kinds: the first of them is meant
    text = CELLS.replace(".", "0") + "." * CELLS.count(".")
    assert "".join(sign for sign, _ in scan(text, wholes, orders).cells) == ZEROS
    # other signs are no decoration, and two kinds of blanks that make 81 cells are both meant
    assert len(scan(CELLS + "a", wholes, orders).cells) == 82
    assert len(scan(CELLS.replace(".", "0", 20), wholes, orders).cells) == 81


# --- the page that shows them --------------------------------------------------------------------

DOCUMENT = Path(__file__).parents[4] / "docs" / "formats.md"


def test_the_examples_of_the_page_are_what_they_say():
    text = DOCUMENT.read_text(encoding="utf-8")
    sections = re.split(r"^## ", text, flags=re.MULTILINE)
    shown = {}
    for section in sections[1:]:
        name = section.split("\n", 1)[0].strip("`")
        for block in re.findall(r"^```text\n(.*?)^```$", section, re.MULTILINE | re.DOTALL):
            first = next(line for line in block.splitlines() if not line.startswith("#"))
            told = detect([], first, f"x{FORMATS[name].endings[0]}").name
            assert told in (name, "ss"), name
            found = one_of(name, block)
            assert fault(found, "f") is None
            kept = {a for a, b in zip(CELLS, text_of(found.givens), strict=True) if a != b}
            assert kept <= ({"."} if name == "pencilmarks" else set()), name
            shown[name] = found
    assert list(shown) == list(FORMATS)
    assert shown["hodoku"].candidates
    assert text_of(shown["sdk"].placed) == text_of(shown["ss"].placed) == "4" + "." * 80


def test_the_table_of_the_page_has_every_format():
    text = DOCUMENT.read_text(encoding="utf-8")
    for form in FORMATS.values():
        row = next(line for line in text.splitlines() if line.startswith(f"| [`{form.name}`]"))
        assert all(f"`{ending}`" in row for ending in form.endings)
        assert ("name" in form.holds) == ("name" in row.split("|")[4]) or "*" in form.holds
