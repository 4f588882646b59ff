"""`concord convert` as its users meet it."""

import gzip
import json
import sys
from types import ModuleType

import pytest
from within_process import within

import modelling.formats
from harness.cli.verbs import convert
from modelling.errors import ModelError
from modelling.formats import Format
from puzzles.family import family
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
    assert convert.PUZZLES.split(", ") == list(FORMATS)


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


def test_a_file_that_cannot_be_read_leaves_no_half_of_a_document(concord, tmp_path):
    (tmp_path / "binary.txt").write_bytes(b"\xbf\x80\x00")
    for source in ("missing.txt", "binary.txt"):
        assert concord("convert", source, "--to", "opensudoku", status=2).stdout == ""


def test_a_dash_is_not_taken_for_a_file_to_write(concord, tmp_path):
    done = concord("convert", "sudoku", "--to", "sdm", "--out", "-", status=2)
    assert "must be a file; write ./- for one that is called -" in done.stderr
    concord("convert", "sudoku", "--to", "sdm", "--out", "./-")
    assert (tmp_path / "-").is_file()


def test_bad_entries_are_left_out_and_told(concord):
    wrong = SOLVED[1] + SOLVED[0] + SOLVED[2:]
    text = f"{KAGGLE}{CELLS[1:]},\n{CELLS},{wrong}\n11{'.' * 79},\n{CELLS},{SOLVED}\n"
    done = concord("convert", "--to", "sdm", text=text, status=1)
    assert done.stdout == f"{CELLS}\n{CELLS}\n"
    errors = done.stderr.splitlines()
    assert errors[0] == "stdin:3:81: 80 cells found, expected 81 for a 9x9 grid"
    assert errors[1].startswith("stdin:4:1: the solution beside it is wrong: ")
    assert errors[2].startswith("stdin:5:2: clashing givens, 1 occurs twice in row 1")
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


# --- problems -------------------------------------------------------------------------------------


@pytest.fixture
def letter(monkeypatch):
    """A format that says how many variables and constraints there are, and refuses objectives."""
    monkeypatch.setitem(sys.modules, "letter_format", module := ModuleType("letter_format"))

    def write(problem):
        if problem.structure.objective is not None:
            raise ModelError("letter has no objectives; leave it out")
        yield f"{len(problem.structure.names)} variables, "
        yield f"{len(problem.structure.constraints)} constraints\n"

    module.write = write
    module.read = lambda data, source: family("queens").problem(data.decode().strip())
    form = Format("letter", "letters", (".letter",), "letter_format")
    reader = Format("diary", "diaries", (".diary",), "letter_format", writes=False)
    monkeypatch.setattr(modelling.formats, "FORMATS", (form, reader))
    monkeypatch.setattr(convert, "FORMATS", (form, reader))


def test_a_problem_of_any_family(concord, letter, tmp_path):
    done = concord("convert", CELLS, "--to", "letter")
    assert done.stdout.startswith("81 variables, ")
    (tmp_path / "six.txt").write_text("# family: queens\n6  # six\n")
    concord("convert", "six.txt", "--out", "six.letter")
    assert (tmp_path / "six.letter").read_text().startswith("6 variables, ")
    taken = concord("convert", "six.txt", "--out", "six.letter", status=2)
    assert "six.letter exists already; add --force to replace it" in taken.stderr
    plain = concord("convert", "-", "--family", "queens", "--to", "letter", text="4\n")
    assert plain.stdout.startswith("4 variables, ")
    told = concord("convert", "-", "--from", "letter", "--to", "letter", text="5\n")
    assert told.stdout.startswith("5 variables, ")


def test_several_problems_go_into_a_folder(concord, letter, tmp_path):
    (tmp_path / "some.txt").write_text(
        "# family: queens\n6  # ../six\n8\n6  # a/six\n6  # six\n6\n"
    )
    alone = concord("convert", "some.txt", "--to", "letter", status=2)
    assert (
        "some.txt holds several problems, and a file of letter one; name a folder" in alone.stderr
    )
    concord("convert", "some.txt", "--to", "letter", "--out", "made/", "--quiet")
    made = {path.name for path in (tmp_path / "made").iterdir()}
    assert made == {"six.letter", "some-3.letter", "a-six.letter", "six-2.letter", "some-6.letter"}


def test_what_a_format_cannot_say_is_refused(concord, letter, tmp_path):
    (tmp_path / "two.txt").write_text("10: 5=10 4=40  # best\n")
    done = concord("convert", "two.txt", "--family", "knapsack", "--to", "letter", status=1)
    assert done.stdout == ""
    assert done.stderr == "two.txt:1: letter has no objectives; leave it out\n"


def test_formats_that_are_not_there(concord, letter, tmp_path):
    done = concord("convert", CELLS, "--to", "diary", status=2)
    assert "diary is read and not written" in done.stderr
    done = concord("convert", CELLS, "--to", "leter", status=2)
    assert "no format is called 'leter'; did you mean 'letter'?" in done.stderr
    done = concord("convert", CELLS, "--to", "sdk", "--family", "queens", status=2)
    assert "sdk is a format of Sudoku, not of the family queens" in done.stderr


def test_the_help_names_the_formats_of_problems():
    known = [form.name for form in modelling.formats.FORMATS if form.writes]
    assert ", ".join(known) == convert.PROBLEMS


@pytest.mark.parametrize("form", [form.name for form in modelling.formats.FORMATS if form.writes])
def test_every_format_is_written(concord, tmp_path, form):
    (tmp_path / "four.txt").write_text("# family: queens\n4  # four\n")
    (tmp_path / "sack.txt").write_text("# family: knapsack\n10: 5=10 4=40 6=30 3=50  # sack\n")
    source = "sack.txt" if form == "wcnf" else "four.txt"
    written = concord("convert", source, "--to", form).stdout
    assert written
    found = modelling.formats.find_format(form)
    if found.reads and form != "minizinc":
        again = concord("convert", "-", "--from", form, "--to", "python", text=written)
        assert "concord" in again.stdout
