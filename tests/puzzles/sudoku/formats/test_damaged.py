"""Text that is no file of a format ends in errors with places; mutations that once found a bug."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modelling.errors import InstanceError
from puzzles.files import LONGEST_PIECE
from puzzles.formats import numbered
from puzzles.sudoku.entries import entries
from puzzles.sudoku.formats import FORMATS, Entry, read
from puzzles.sudoku.formats.entry import fault
from puzzles.sudoku.formats.opensudoku import PORTION, _portions

CELLS = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
ROWS = [CELLS[k : k + 9] for k in range(0, 81, 9)]
PIECES = [
    *(CELLS, ROWS[0], ROWS[1], ",", ";", "|", "\n", "\r\n", " ", "\t", "#A", "#", '"', "{", "}"),
    *("[Puzzle]", "[State]", "[PencilMarks]", ",,,,,,,,", ":0000:x:", ":", "+5", "112", "\x00"),
    *('{"puzzle": "', '"}', "<opensudoku>", "</opensudoku>", '<game data="', '"/>', "&#10;", "&e;"),
    *("version: 3", "0|0|1|", "<!DOCTYPE a [", "]>", "puzzle,solution", "*---*", "|123|4|56|"),
    *("| 12 3 45 | 6 78 9 | 1 2 3 |", "1.|.2", "\ufeff", "\ufffd", "\ud800", "é", "٣", "x", "0"),
]


def ends_well(name, text):
    """Every entry is a puzzle that can be written again, or an error in a line of the text."""
    lines = text.splitlines(keepends=True) or [""]
    found = list(read(FORMATS[name], lines, "there"))
    assert found
    for one in found:
        wrong = fault(one, "there") if isinstance(one, Entry) else one
        if wrong is not None:
            assert isinstance(wrong, InstanceError)
            place = re.fullmatch(r"there:(\d+):(\d+)", wrong.place)
            assert place, wrong
            assert 1 <= int(place[1]) <= len(lines) + 1
            assert int(place[2]) >= 1
        else:
            "".join(FORMATS[name].write([one])).encode()
    return found


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=60, deadline=None, derandomize=True)
@given(text=st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=30).map("".join))
def test_any_text(name, text):
    ends_well(name, text)


def test_a_state_whose_puzzle_could_not_be_read():
    text = "\n".join(["[Puzzle]", *ROWS[:8], "[State]", *ROWS, "[PencilMarks]", ",,", *ROWS])
    assert [type(one) for one in ends_well("sdk", text)] == [InstanceError]
    text = "\n".join(["[Puzzle]", *ROWS, "[State]", *ROWS[:4], "x" * 60_000, *ROWS[4:], *ROWS])
    assert InstanceError in [type(one) for one in ends_well("sdk", text)]


def test_a_state_that_goes_on_behind_the_next_puzzle():
    text = "\n".join(["[Puzzle]", CELLS, "[State]", *ROWS[:4], "#Aone", CELLS, "[State]", *ROWS])
    found = ends_well("sdk", text)
    assert [type(one) for one in found] == [InstanceError, Entry]


def test_a_tag_of_many_short_lines_is_parsed_in_few_portions():
    portions = list(_portions(["a\n"] * PORTION))
    assert len(portions) == 3
    assert b"".join(portions) == b"a\n" * PORTION


def test_a_tag_that_does_not_end_is_given_up():
    found = ends_well("opensudoku", '<opensudoku><game data="' + "1\n" * (1 << 20))
    assert "a tag or text of more than" in str(found[0])


def test_half_a_surrogate_pair_is_replaced():
    text = f'{{"puzzle": "{CELLS}", "name": "\\ud800", "x": ["\\udfff"]}}'
    (found,) = ends_well("jsonl", text)
    assert (found.name, found.about) == ("?", {"x": ["?"]})


def test_a_line_without_end_is_one_line(tmp_path):
    path = tmp_path / "long.txt"
    path.write_text(f"{CELLS}\n{'1' * (3 * LONGEST_PIECE)}\n{CELLS}\n", encoding="utf-8")
    one, bad, two = entries(str(path))
    assert (one.grid.line, two.grid.line) == (1, 3)
    assert bad.place == f"{path}:2:50001"
    pieces = ["a" * LONGEST_PIECE, "b" * LONGEST_PIECE, "c\n", "d\n"]
    assert [(number, line[0]) for number, line in numbered(pieces)] == [(1, "a"), (2, "d")]


def test_many_borders_take_no_memory():
    text = "| 1 | 2 |\n" + "+-----+\n" * 50_000
    assert len(ends_well("ss", text)) == 1


SPACES = " " * 200_000


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("opensudoku", f'<opensudoku><game data="version: 3{SPACES}1{SPACES}x"/></opensudoku>'),
        ("sdk", f"[{SPACES[:40_000]}!"),
        ("sdk", f"[Puzzle{SPACES[:40_000]}!]"),
        ("ss", f"{SPACES[:40_000]}Grid{SPACES[:9_000]}!"),
        ("lines", f"12{SPACES[:40_000]}!"),
        ("csv", f"puzzle,{SPACES[:80_000]}!{SPACES[:80_000]}!,\n{CELLS}"),
    ],
)
def test_long_gaps_take_no_time_that_grows_with_their_square(name, text):
    """With a pattern that goes back and forth over the gap, each of these takes minutes."""
    ends_well(name, text)


def test_long_gaps_in_the_head_of_a_set(tmp_path):
    path = tmp_path / "some.txt"
    path.write_text(f"# about: one{SPACES[:40_000]}!\n{CELLS}\n")
    assert len(list(entries(str(path)))) == 1
