"""The forms in which grids are read, and what is said about those that cannot be."""

import pytest

from modelling.errors import InstanceError
from puzzles.family import Instance, family
from puzzles.sudoku import SUDOKU

EASY = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
HARD = "......8.1.64...9.......3..6.39.4.2..5....2....1..3..7....36...2.9.....5.651.....7"
TWELVE = "...456789679813245548927136...594678857361492964782513...648957796135824485279361"
SIXTEEN = "1.3.5.7.9.B.D.F." + "." * 239 + "G"


def read(text, kind="sudoku"):
    return list(family(kind).read(text.splitlines(), "f.txt"))


def texts(text, kind="sudoku"):
    entries = read(text, kind)
    assert all(isinstance(entry, Instance) for entry in entries), entries
    return [entry.text for entry in entries]


def the_error(text, kind="sudoku"):
    (entry,) = read(text, kind)
    assert isinstance(entry, InstanceError)
    return str(entry)


def rows(text, n=9, between=""):
    return [between.join(text[k : k + n]) for k in range(0, n * n, n)]


@pytest.mark.parametrize("blank", ".0*_Xx ")
def test_every_blank_sign(blank):
    assert texts(EASY.replace(".", blank) if blank != " " else TWELVE.replace(".", " ")) == [
        EASY if blank != " " else TWELVE
    ]


def test_spaces_for_blanks_at_the_ends():
    for text in (EASY, HARD):
        spaced = text.replace(".", " ")
        assert texts(spaced) == [text]
        assert texts(spaced + "  # name") == [text]
        assert texts(spaced + ",name") == [text]


def test_spaces_for_blanks_whose_last_were_stripped():
    text = EASY[:72] + "1" + "." * 8
    assert texts(text.replace(".", " ").rstrip()) == [text]


def test_blank_signs_may_be_mixed():
    signs = iter(".0*_Xx " * 20)
    mixed = "".join(next(signs) if s == "." and 0 < k < 80 else s for k, s in enumerate(EASY))
    assert texts(mixed) == [EASY]


@pytest.mark.parametrize(
    ("tail", "name"),
    [
        ("", "f:1"),
        (" easy", "easy"),
        ("\teasy one", "easy one"),
        ("# easy", "easy"),
        ("  # easy # for its own reasons", "easy"),
        (";easy", "easy"),
        (", 153", "153"),
        (" // easy", "easy"),
        ("  ", "f:1"),
        (" \x1b[31mred", "[31mred"),
    ],
)
def test_names_behind_a_puzzle(tail, name):
    (instance,) = read(EASY + tail)
    assert instance == Instance("sudoku", name, EASY, "f.txt:1")


def test_comments_blank_lines_line_ends_and_byte_order_mark():
    text = f"\ufeff# head\r\n; other\r\n// third\r\n\r\n{EASY}\r\n   # indented\r\n{HARD}\r\n"
    entries = list(SUDOKU.read(text.splitlines(keepends=True), "f.txt"))
    assert [entry.text for entry in entries] == [EASY, HARD]
    assert [entry.source for entry in entries] == ["f.txt:5", "f.txt:7"]
    assert texts("\ufeff" + EASY) == [EASY]


@pytest.mark.parametrize(
    "line",
    [
        " ".join(EASY),
        ",".join(EASY),
        ", ".join(EASY),
        "  ".join(EASY),
        " ".join(rows(EASY)),
        ",".join(rows(EASY)),
        "|".join(rows(EASY)),
        "   " + EASY,
        "3x3:" + EASY,
        "3x3: " + " ".join(EASY),
        "9:" + EASY,
    ],
)
def test_one_line_forms(line):
    assert texts(line) == [EASY]


@pytest.mark.parametrize(
    "grid",
    [
        "\n".join(rows(EASY)),
        "\n".join(rows(EASY, between=" ")),
        "\n".join(row[:3] + " " + row[3:6] + " " + row[6:] for row in rows(EASY)),
        "\n".join(row + ("\n" if k % 3 == 2 else "") for k, row in enumerate(rows(EASY))),
        "\n".join(
            "|".join((row[:3], row[3:6], row[6:])) + ("\n---+---+---" if k in (2, 5) else "")
            for k, row in enumerate(rows(EASY))
        ),
        SUDOKU.render(EASY),
        SUDOKU.render(EASY).replace("|", "│").replace("-", "─").replace("+", "┼"),
        SUDOKU.render(EASY).replace("+-------", "*-------").replace(" . ", " _ "),
        "Grid 01\n" + "\n".join(rows(EASY.replace(".", "0"))),
        "╔" + "═══╤" * 9 + "\n" + "\n".join(f"║ {' │ '.join(row)} ║" for row in rows(EASY)),
        "╔" + "═══╤" * 9 + "\n"
        + "\n".join(f"║ {' │ '.join(row)} ║\n╟{'───┼' * 8}───╢" for row in rows(EASY)).replace(
            ".", " "
        ),
    ],
)  # fmt: skip
def test_grids_over_several_lines(grid):
    assert texts(grid) == [EASY]
    assert texts(f"# two of them\n{grid}\n\n{grid}\n{HARD}") == [EASY, EASY, HARD]


def test_printed_grid_with_spaces_for_blanks():
    printed = """
 -------------------------
 |       |       | 8   1 |
 |   6 4 |       | 9     |
 |       |     3 |     6 |
 -------------------------
 |   3 9 |   4   | 2     |
 | 5     |     2 |       |
 |   1   |   3   |   7   |
 -------------------------
 |       | 3 6   |     2 |
 |   9   |       |   5   |
 | 6 5 1 |       |     7 |
 -------------------------
"""
    assert texts(printed) == [HARD]


def test_printed_grid_without_a_frame_even_when_its_left_end_was_stripped():
    printed = """
      | 4 5 6 | 7 8 9
6 7 9 | 8 1 3 | 2 4 5
5 4 8 | 9 2 7 | 1 3 6
------+-------+------
| 5 9 4 | 6 7 8
8 5 7 | 3 6 1 | 4 9 2
9 6 4 | 7 8 2 | 5 1 3
------+-------+------
      | 6 4 8 | 9 5 7
7 9 6 | 1 3 5 | 8 2 4
4 8 5 | 2 7 9 | 3 6 1
"""
    assert texts(printed) == [TWELVE]


@pytest.mark.parametrize("order", [4, 6, 12, 16, 25])
def test_sizes_that_the_number_of_cells_tells(order):
    blank = "." * order * order
    assert texts(blank) == [blank]
    assert texts("1" + blank[1:]) == ["1" + blank[1:]]


def test_sixteen_by_sixteen_forms():
    assert texts(SIXTEEN) == [SIXTEEN]
    assert texts(SIXTEEN.lower()) == [SIXTEEN]
    numbers = " ".join("." if s == "." else str(int(s, 17)) for s in SIXTEEN)
    assert texts(numbers) == [SIXTEEN]
    assert texts(numbers.replace(" ", ",")) == [SIXTEEN]
    assert texts(SUDOKU.render(SIXTEEN)) == [SIXTEEN]


def test_sixteen_rows_of_sixteen_are_one_grid_and_small_grids_are_many():
    dense = ["123456789ABCDEFG"[k:] + "123456789ABCDEFG"[:k] for k in range(0, 16, 4)]
    grid = [*dense, *["." * 16] * 12]
    assert len(grid) == 16
    many = texts("\n".join(["1" + "." * 15] * 40))
    assert many == ["1" + "." * 15] * 40
    rows_with_letters = [f"{'.' * k}{'56789ABC'[k]}{'.' * (15 - k)}" for k in range(8)]
    (one,) = texts("\n".join([*rows_with_letters, *["." * 16] * 8]))
    assert len(one) == 256


def test_hexadecimal_and_letters():
    hexadecimal = "0123456789ABCDEF" + "." * 240
    assert texts(hexadecimal) == ["G123456789ABCDEF" + "." * 240]
    letters = "ABCDEFGHIJKLMNOP" + "." * 240
    assert texts(letters) == ["123456789ABCDEFG" + "." * 240]
    assert texts("A" + "0" * 255) == ["A" + "." * 255]


def test_a_grid_too_large_for_signs_is_written_in_numbers():
    cells = ["36", *["."] * 1294, "7"]
    (text,) = texts("6x6: " + " ".join(cells))
    assert text == "6x6:" + ",".join(cells)
    assert texts(text) == [text]
    assert SUDOKU.problem(text).domain(0) == (36,)


def test_borders_tell_the_box_shape():
    tall = "3x2:" + "12" + "." * 34
    assert texts(SUDOKU.render(tall)) == [tall]
    assert texts("\n".join(rows("12" + "." * 34, 6))) == ["12" + "." * 34]


def test_latin_squares_are_read_by_the_same_forms():
    assert texts("1" + "." * 15, "latin") == ["4:1" + "." * 15]
    assert texts("1...\n....\n....\n....", "latin") == ["4:1" + "." * 15]
    assert texts("1 . . 4\n. . . .\n. . . .\n. . . .", "latin") == ["4:1..4" + "." * 12]
    assert texts("5: 1 . . . . " + ". " * 20, "latin") == ["5:1" + "." * 24]
    assert texts(EASY, "latin") == ["9:" + EASY]
    assert texts("2:12..\n2:21..", "latin") == ["2:12..", "2:21.."]


def test_rows_of_another_grid_do_not_swallow_the_grids_behind_them():
    small = ["1234", "3412", "2143", "4321"]
    first, *others = read("\n".join([EASY[:9]] * 3 + small * 6))
    assert str(first) == "f.txt:1:10: 9 cells in a row, where the grid's other rows have 4"
    assert [entry.text for entry in others] == ["".join(small)] * 5


WRONG = {
    "empty": ("", "f.txt:1:1: there is no puzzle in the input"),
    "only comments": ("# a\n\n; b", "f.txt:1:1: there is no puzzle in the input"),
    "too short": (EASY[:-1], "f.txt:1:81: 80 cells found, expected 81 for a 9x9 grid"),
    "too short, named": (
        EASY[:-1] + " name",
        "f.txt:1:81: 80 cells found, expected 81 for a 9x9 grid",
    ),
    "too long": (EASY + ".", "f.txt:1:82: 82 cells found, expected 81 for a 9x9 grid"),
    "a single sign": ("5", "f.txt:1:2: 1 cell found, expected 16 for a 4x4 grid"),
    "prefix and length": (
        "3x2:" + "." * 35,
        "f.txt:1:40: 35 cells found, expected 36 for a 6x6 grid",
    ),
    "order zero": ("0x3:...", "f.txt:1:1: a Sudoku of order 0; orders go from 1 to 100"),
    "order too large": ("20x20:...", "f.txt:1:1: a Sudoku of order 400; orders go from 1 to 100"),
    "row": (
        f"{EASY[:9]}\n{EASY[9:18]}\n{EASY[18:26]}\n{EASY[27:36]}",
        "f.txt:3:9: 8 cells in a row, where the grid's other rows have 9",
    ),
    "rows": (
        "\n".join(rows(EASY)[:8]),
        "f.txt:8:10: 8 rows of 9 cells; the grid should have 9 rows",
    ),
    "rows of a wrong size": (
        "| 1 2 3 4 5 |\n| 2 3 4 5 1 |",
        "f.txt:1:12: rows of 5 cells; a grid has 4, 6, 9, 12, 16, 25",
    ),
    "row clash": (
        "5" + EASY[1:8] + "5" + EASY[9:],
        "f.txt:1:9: clashing givens, 5 occurs twice in row 1: r1c1 and r1c9",
    ),
    "column clash": (
        "9" + EASY[1:],
        "f.txt:1:10: clashing givens, 9 occurs twice in column 1: r1c1 and r2c1",
    ),
    "box clash": (
        "1........" + "..1......" + "." * 63,
        "f.txt:1:12: clashing givens, 1 occurs twice in box 1: r1c1 and r2c3",
    ),
    "long line": ("." * 60_000, "f.txt:1:50001: 60000 characters on a line; no grid needs more"),
}


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=list(WRONG))
def test_what_is_said_about_wrong_input(text, message):
    assert the_error(text).startswith(message)


@pytest.mark.parametrize("foreign", ["a", "?", "-", "é", "٣", "\x00", "\ufffd", "/"])
def test_foreign_character(foreign):
    message = the_error(EASY[:40] + foreign + EASY[41:])
    assert message.startswith(f"f.txt:1:41: {foreign!r} is neither one of 1-9 nor a blank")


def test_a_value_that_is_too_large_is_foreign():
    assert the_error("5" + "." * 15).startswith("f.txt:1:1: '5' is neither one of 1-4")
    assert the_error("7" + "." * 35).startswith("f.txt:1:1: '7' is neither one of 1-6")
    assert the_error("D" + "1" + "." * 142).startswith("f.txt:1:1: 'D' is neither one of 1-9, A-C")


def test_place_of_a_fault_in_a_grid_over_several_lines():
    drawn = SUDOKU.render(EASY).splitlines()
    drawn[5] = drawn[5].replace("8", "?")
    assert the_error("# head\n" + "\n".join(drawn)).startswith("f.txt:7:7: '?' is neither")
    clash = SUDOKU.render("1......1." + "." * 72)
    assert the_error(clash).startswith("f.txt:2:21: clashing givens, 1 occurs twice in row 1")


def test_the_other_entries_still_come():
    bad_grid = "\n".join(rows(EASY)[:7])
    clash = "11" + "." * 79
    foreign = "?" + EASY[1:]
    text = "\n".join([EASY, "hello world", EASY[:-1], HARD, foreign, "", bad_grid, "", EASY, clash])
    kinds = [entry.text if isinstance(entry, Instance) else "error" for entry in read(text)]
    assert kinds == [EASY, "error", "error", HARD, "error", "error", EASY, "error"]


def test_a_short_band_does_not_swallow_the_next_grid():
    text = "\n".join([*rows(EASY)[:3], "", *rows(HARD)])
    entries = read(text)
    assert isinstance(entries[0], InstanceError)
    assert [entry.text for entry in entries[1:]] == [HARD]


def test_reading_is_streaming():
    def endless():
        while True:
            yield EASY

    stream = SUDOKU.read(endless(), "f.txt")
    assert [next(stream).source for _ in range(3)] == ["f.txt:1", "f.txt:2", "f.txt:3"]
