"""Files of nonograms: ``.non`` and ``.dzn``, as they are, and damaged ones."""

import pytest

from modelling.errors import InstanceError
from puzzles.pencil.nonogram import NONOGRAM
from puzzles.sets import instances

HEART = "2,2 7 7 5 3 1 / 2 4 5 5 5 4 2"
NON = """catalogue "one of our own"
title "heart"
by "nobody"
width 7
height 6

rows
2,2
7
7
5
3
1

columns
2
4
5
5
5
4
2

goal "0110110"
"""
DZN = """%% a heart
rows = 6;
row_rule_len = 2;
row_rules = array2d(1..rows, 1..row_rule_len,
 [ 2,2,
   0,7,  0,7, % zeros are no runs
   0,5,  0,3,  0,1 ]);
cols = 7;
col_rule_len = 1;
col_rules = array2d(1..cols, 1..col_rule_len, [2, 4, 5, 5, 5, 4, 2]);
"""


@pytest.mark.parametrize(("name", "content"), [("heart.non", NON), ("heart.dzn", DZN)])
def test_files_are_read_as_they_are(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content)
    (entry,) = instances(str(path), "nonogram")
    assert (entry.name, entry.text, entry.source) == ("heart", HEART, f"{path}:1")
    path.write_text(f"{HEART}  # one\n1 / 1  # two\n")
    assert [entry.name for entry in instances(str(path), "nonogram")] == ["one", "two"]


@pytest.mark.parametrize(
    "lines",
    [
        ["rows 2", "columns 1", "rows", "0", "0", "columns", "0"],
        ["height 2", "width 1", "rows", "", "", "columns", ""],
        ["# mine", "width 1", "height 2", "columns", "", "rows", "", "", ""],
    ],
)
def test_lines_without_runs(lines):
    (entry,) = NONOGRAM.in_format("non").read(lines, "f.non")
    assert (entry.text, entry.name) == ("0 0 / 0", "f")


def test_other_ways_to_write_arrays():
    lines = "rows=2;cols=1;row_rules=[|1\n|0|];col_rules=[|0,1|];".splitlines()
    (entry,) = NONOGRAM.in_format("dzn").read(lines, "f.dzn")
    assert entry.text == "1 0 / 1"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "f:1:1: there is no line 'height'; write it with a number after"),
        (["height 1"], "f:1:1: there is no line 'width'; write it with a number after"),
        (["height 1", "width 1"], "f:1:1: there is no line 'rows'; write it, and the runs in"),
        (["1"], "f:1:1: runs before a line 'rows' or 'columns'"),
        (["width x"], "f:1:6: width 'x'; write a number from 1 to 200"),
        (["color a #ff0000"], "f:1:1: a picture of several colours; only those of one are read"),
        (["rows", "1", "rows"], "f:3:1: a second line 'rows'"),
        (
            ["width 5", "width 4"],
            "f:2:1: a second line 'width' for the number of columns; leave one of them",
        ),
        (["height 5", "", "height 5"], "f:3:1: a second line 'height' for the number of rows;"),
        (["width 5", "columns 5"], "f:2:1: a second line 'columns' for the number of columns;"),
        (
            ["height 2", "width 1", "rows", "1", "columns", "1"],
            "f:3:1: 1 lines of runs follow, not 2 as height says",
        ),
        (
            ["height 1", "width 1", "rows", "1b", "columns", "1"],
            "f:4:1: '1b' is no list of runs; write numbers with commas, as in 3,1,2",
        ),
        (
            ["height 1", "width 2", "rows", "1,1", "columns", "1", "1"],
            "f:4:1: runs of 1,1 take 3 cells, but a row has 2",
        ),
    ],
)
def test_damaged_non_files(lines, message):
    (error,) = NONOGRAM.in_format("non").read(lines, "f")
    assert isinstance(error, InstanceError)
    assert str(error).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f:1:1: there is no 'rows = ...;'"),
        ("rows = 2;", "f:1:1: there is no 'row_rules = ...;'"),
        ("rows = 2;\nrow_rules = [1];", "f:2:13: row_rules is no list of runs, as many for each"),
        ("rows = 2;\nrow_rules = [1, x];", "f:2:13: row_rules is no list of runs, as many for"),
        ("rows = 2;\n row_rules = 1;", "f:2:14: row_rules is no list of runs, as many for each"),
        (
            "rows = 2;\nrow_rules = [| 1, 1, 0 | 1 |];",
            "f:2:13: row_rules has 2 parts between bars, of 3, 1 numbers; write 2 parts of one "
            "length, filled with 0",
        ),
        ("rows = 2;\nrow_rules = [| 1, 0 |];", "f:2:13: row_rules has 1 parts between bars, of 2"),
        ("rows = 1;\nrow_rules = [| 1 | 0 |];", "f:2:13: row_rules has 2 parts between bars, of 1"),
        ("rows = 2;\nrow_rules = [| 1, 0 | |];", "f:2:13: row_rules is no list of runs, as many"),
        ("rows = 2;\nrow_rules = [| 1 | 0 ];", "f:2:13: row_rules has bars; write them as in [| 1"),
        ("rows = 2;\nrow_rules = [1 | 0];", "f:2:13: row_rules has bars; write them as in [| 1, 2"),
        ("rows = 2;\nrow_rules = [1 2, 1];", "f:2:13: row_rules is no list of runs, as many for"),
        ("rows = 1;\nrow_rules = [-1];", "f:2:13: row_rules is no list of runs, as many for each"),
        (
            "rows = 3; row_rules = [1,\n1, 12;\n",
            "f:1:23: row_rules is not closed; write its numbers as [...] or array2d(..., [...])",
        ),
        ("rows = 1;\nrow_rules = array2d(1..1, 1..1, [1];", "f:2:13: row_rules is not closed; w"),
        ("rows = 1;\nrow_rules = [1]2;", "f:2:13: row_rules is not closed; write its numbers"),
        ("rows = 1;\n rows = 2;", "f:2:2: a second 'rows = ...;'; leave one of them"),
        ("rows = 900;row_rules = [1];", "f:1:8: rows '900'; write a number from 1 to 200"),
        (
            "rows = 1; row_rules = [1];\ncols = 1; col_rules = [2];",
            "f:2:23: runs of 2 take 2 cells, but a column has 1",
        ),
    ],
)
def test_damaged_dzn_files(text, message):
    (error,) = NONOGRAM.in_format("dzn").read(text.splitlines(), "f")
    assert isinstance(error, InstanceError)
    assert str(error).startswith(message)
