"""`concord convert` as its users meet it."""

import gzip
import json

import pytest
from within_process import within

from harness.cli.verbs import sudoku
from puzzles.sudoku.formats import FORMATS

CELLS = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
SOLVED = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
KAGGLE = f"quizzes,solutions\n{CELLS.replace('.', '0')},{SOLVED}\n"


@pytest.fixture
def concord(tmp_path):
    def run(*arguments, text=None, status=0):
        done = within(tmp_path, *arguments, text=text)
        assert done.returncode == status, done.stderr
        return done

    return run


def test_the_help_names_every_format():
    assert sudoku.FORMATS.split(", ") == list(FORMATS)


def test_from_one_format_into_another(concord):
    done = concord("convert", "-", "--to", "jsonl", text=KAGGLE)
    assert json.loads(done.stdout) == {"puzzle": CELLS, "solution": SOLVED}
    assert done.stderr == ""
    sdk = concord("convert", "-", "--to", "sdk", text=done.stdout)
    assert sdk.stdout.startswith("[Puzzle]\n..3.2.6..\n")
    assert sdk.stderr == "sdk cannot hold everything; left out: solutions (1)\n"
    lines = concord("convert", "--to", "sdm", text=sdk.stdout)
    assert (lines.stdout, lines.stderr) == (f"{CELLS}\n", "")


def test_a_set_and_files_by_their_endings(concord, tmp_path):
    done = concord("convert", "sudoku", "--out", "all.csv.gz")
    assert done.stdout == ""
    number = int(done.stderr.splitlines()[-1].split()[0])
    text = gzip.decompress((tmp_path / "all.csv.gz").read_bytes()).decode()
    assert len(text.splitlines()) == number + 1
    concord("convert", "all.csv.gz", "--out", "all.txt", "--quiet")
    assert len((tmp_path / "all.txt").read_text().splitlines()) == number
    concord("convert", "all.txt", "--to", "csv", "--out", "all.txt", "--force")  # in its own place
    assert (tmp_path / "all.txt").read_text() == text
    assert {path.name for path in tmp_path.iterdir()} == {"all.csv.gz", "all.txt"}


def test_bad_entries_are_left_out_and_told(concord):
    wrong = SOLVED[1] + SOLVED[0] + SOLVED[2:]
    text = f"{KAGGLE}{CELLS[1:]},\n{CELLS},{wrong}\n11{'.' * 79},\n{CELLS},{SOLVED}\n"
    done = concord("convert", "--to", "sdm", text=text, status=1)
    assert done.stdout == f"{CELLS}\n{CELLS}\n"
    errors = done.stderr.splitlines()
    assert errors[0] == "stdin:3:81: 80 cells found, expected 81 for a 9x9 grid"
    assert errors[1].startswith("stdin:4:1: the solution beside it is wrong: ")
    assert errors[2].startswith("stdin:5:2: clashing givens, 1 stands twice in row 1")
    assert errors[3:] == ["sdm cannot hold everything; left out: solutions (2)"]


def test_sizes_that_a_format_cannot_hold_are_refused(concord):
    small = "3x2:" + "." * 36
    done = concord("convert", "--to", "sdk", text=f"{small}\n{CELLS}\n", status=1)
    assert done.stderr == (
        "stdin:1:5: sdk cannot tell box shapes, so it cannot hold 6x6 with boxes of 3x2\n"
    )
    assert done.stdout.count("[Puzzle]") == 1
    drawn = concord("convert", "--to", "ss", text=small + "\n").stdout
    assert concord("convert", "--to", "lines", text=drawn).stdout == small + "\n"
    done = concord("convert", "--to", "hodoku", text=small + "\n", status=1)
    assert "hodoku holds 9x9 only, not 6x6 with boxes of 3x2" in done.stderr


def test_a_format_may_be_said(concord, tmp_path):
    (tmp_path / "some.txt").write_text(f"{CELLS},{SOLVED}\n")
    done = concord("convert", "some.txt", "--from", "csv", "--to", "jsonl")
    assert json.loads(done.stdout)["solution"] == SOLVED


def test_wrong_usage(concord, tmp_path):
    assert "name the format to write with --to" in concord("convert", "sudoku", status=2).stderr
    done = concord("convert", "sudoku", "--to", "sdx", status=2)
    assert "no format is called 'sdx'; did you mean 'sd" in done.stderr
    done = concord("convert", "queens", "--to", "sdm", status=2)
    assert "its puzzles are of the family queens; formats are for sudoku" in done.stderr
    done = concord("convert", "sudoku", "--out", "no/such/folder.csv", status=2)
    assert "folder.csv cannot be written" in done.stderr
    (tmp_path / "kept.csv").write_text("kept")
    concord("convert", "queens", "--out", "kept.csv", status=2)
    assert (tmp_path / "kept.csv").read_text() == "kept"
    assert [path.name for path in tmp_path.iterdir()] == ["kept.csv"]


def test_solve_and_compare_take_other_formats(concord, tmp_path):
    (tmp_path / "some.csv").write_text(KAGGLE)
    assert concord("solve", "some.csv").stdout == f"{SOLVED}\n"
    concord("convert", "some.csv", "--out", "some.opensudoku")
    done = concord("compare", "--set", "some.opensudoku", "--backend", "propagation")
    assert "some.opensudoku" in done.stdout
