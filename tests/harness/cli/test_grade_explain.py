"""`concord grade` and `concord explain` as their users meet them."""

import csv
import json
import subprocess
import sys
from itertools import islice

import pytest
from within_process import clean
from within_process import invoke as concord

from harness.streams import grading
from modelling.errors import ConcordError
from puzzles.family import Instance
from puzzles.sudoku import SUDOKU, explaining

EASY = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
SOLVED = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
PAIR = "......8.1.64...9.......3..6.39.4.2..5....2....1..3..7....36...2.9.....5.651.....7"
TRIAL = ".84.3...21......8..5....9..5.2...1...6..4......7.63....1...65......7.8.9..58...2."
NONE = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
SEVERAL = "1" + "." * 80
CLASH = "11" + "." * 79


def words(line):
    return line.split()


# --- grade ---------------------------------------------------------------------------------------


def test_a_table_and_a_summary():
    text = f"{EASY} # one\n{PAIR} # two\n{TRIAL} # three\n{SEVERAL} # many\n{NONE} # none\n"
    done = clean(concord("grade", "-", "-b", "propagation", text=text), 0)
    lines = list(map(words, done.stdout.splitlines()))
    assert lines[0] == words("puzzle clues solutions grade score steps nodes propagation")
    assert lines[2] == words("one 32 1 naked-single 49 49 1")
    assert lines[3][:6] == words("two 25 1 naked-pair 77 57")
    assert lines[4][:6] == words("three 25 1 trial 245 61")
    assert lines[5][:7] == words("many 1 2+ several solutions - -")
    assert lines[6][:6] == words("none 17 0 unsatisfiable - -")
    summary = done.stdout.split("\n\n")[1].splitlines()
    assert words(summary[0]) == words("grade puzzles clues median score median nodes propagation")
    names = [words(line)[0] for line in summary[2:]]
    assert names == ["naked-single", "naked-pair", "trial", "unsatisfiable", "several"]
    assert done.stderr == ""


def test_csv_is_written_puzzle_by_puzzle():
    done = clean(concord("grade", "-", "--format", "csv", text=f"{EASY}\n{NONE}\n{PAIR}\n"), 0)
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert [row["puzzle"] for row in rows] == ["stdin:1", "stdin:2", "stdin:3"]
    assert [row["score"] for row in rows] == ["49", "", "77"]
    assert [row["solutions"] for row in rows] == ["1", "0", "1"]


def test_json_and_markdown():
    data = json.loads(clean(concord("grade", "--json", text=f"{EASY}\n{NONE}\n"), 0).stdout)
    assert data["puzzles"][0]["score"] == 49
    assert data["puzzles"][1]["score"] is None
    assert [line["grade"] for line in data["summary"]] == ["naked-single", "unsatisfiable"]
    table = clean(concord("grade", "--format", "markdown", text=EASY), 0).stdout
    assert table.startswith("| puzzle | clues | solutions | grade | score | steps |")


def test_bad_lines_are_told_and_the_rest_is_graded():
    done = clean(concord("grade", text=f"{EASY}\n12x\n{CLASH}\n{PAIR}\n"), 1)
    assert "stdin:2:" in done.stderr
    assert "stdin:3:2: clashing givens, 1 occurs twice in row 1" in done.stderr
    assert "naked-pair" in done.stdout


def test_other_families_are_left_out():
    done = clean(concord("grade", "queens"), 1)
    assert done.stderr.count("puzzles of the family queens are left out") == 1
    assert done.stdout == ""


def test_a_full_grid():
    assert "full grid" in clean(concord("grade", text=SOLVED), 0).stdout


def test_a_set_by_name_and_progress_is_silent_when_quiet():
    done = clean(concord("grade", "sudoku-sizes", "--quiet"), 0)
    assert len(done.stdout.split("\n\n")[0].splitlines()) > 5
    assert done.stderr == ""


@pytest.mark.parametrize("verb", ["grade", "explain"])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("sudokku",), "did you mean 'sudoku'"),
        (("none.txt",), "no set and no file"),
        (("--qiet",), "--qiet"),
    ],
)
def test_wrong_usage_is_explained(verb, arguments, message):
    assert message in clean(concord(verb, *arguments), 2).stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--backend", "propagatoin"), "did you mean 'propagation'"),
        (("--format", "html"), "--format"),
        (("--seconds", "-1"), "--seconds"),
    ],
)
def test_wrong_usage_of_grade_is_explained(arguments, message):
    assert message in clean(concord("grade", "sudoku", *arguments), 2).stderr


@pytest.mark.parametrize("verb", ["grade", "explain"])
def test_an_empty_file(tmp_path, verb):
    empty = tmp_path / "empty.txt"
    empty.write_text("", encoding="utf-8")
    done = clean(concord(verb, str(empty)), 1)
    assert done.stderr == f"{empty}:1:1: there is no puzzle in the input\n"
    assert done.stdout == ""


@pytest.mark.parametrize("arguments", [("grade", "--format", "csv"), ("explain",)])
def test_a_reader_that_leaves_early(tmp_path, arguments):
    """As in `| head -1`, with enough lines that writing continues after the reader has left."""
    (tmp_path / "many.txt").write_text(f"{EASY}\n" * 2000, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "harness.cli.entry", *arguments, "many.txt"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    )
    assert process.stdout is not None
    assert process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(timeout=60) == 0


def test_what_was_graded_is_shown_when_it_is_interrupted(monkeypatch):
    whole = grading.grade_all

    def interrupted(*arguments):
        yield from islice(whole(*arguments), 2)
        raise KeyboardInterrupt

    monkeypatch.setattr(grading, "grade_all", interrupted)
    done = clean(concord("grade", text=f"{EASY}\n" * 5), 130)
    assert "stdin:2" in done.stdout
    assert "stdin:3" not in done.stdout
    assert done.stderr == "concord: interrupted\n"


def test_a_backend_that_disagrees_is_found_out():
    class Liar:
        name = "liar"
        native = frozenset()

        def __init__(self, count):
            self.count = count

        def accepts(self, problem):
            from backends.interface.api import Accepted

            return Accepted()

        def solve(self, problem, ask, limits, sink=None):
            from backends.interface.api import Result

            return Result(self.count, "enough" if self.count else "exhausted")

    entry = Instance("sudoku", "easy", EASY, "file:1")
    for count in (0, 2):
        with pytest.raises(ConcordError, match=f"file:1: liar finds {count} solutions"):
            list(grading.grade_all([entry], [Liar(count)], None, print))


def test_what_a_backend_cannot_do_is_told_and_left_open():
    heard = []
    entry = Instance("sudoku", "hard", TRIAL, "file:1")
    solvers = grading.load_backends(["brute_force", "propagation", "propagation"])
    assert len(solvers) == 2
    rows = list(grading.grade_all([entry], solvers, 0.05, heard.append))
    assert rows[0]["nodes brute_force"] is None
    assert rows[0]["nodes propagation"] >= 1
    assert any("brute_force" in text for text in heard)


# --- explain -------------------------------------------------------------------------------------


def test_a_puzzle_on_the_command_line():
    done = clean(concord("explain", PAIR), 0)
    lines = done.stdout.splitlines()
    assert lines[0] == "puzzle:1: 25 clues"
    assert lines[1].startswith("+---")
    assert lines[14].startswith(" 1  hidden-single  in box 8, 5 can only go to r7c6")
    assert lines[-2].startswith("grade naked-pair, score 77, 57 steps: ")
    assert max(map(len, lines)) <= 80
    steps = [line for line in lines if line[:2].strip().isdigit()]
    assert len(steps) == 57
    assert sum(line.startswith("+--") for line in lines) == 4


def test_grids_are_drawn_before_what_is_no_single():
    plain = clean(concord("explain", TRIAL), 0).stdout
    drawn = clean(concord("explain", TRIAL, "--grids"), 0).stdout
    lines = drawn.splitlines()
    dear = [
        k for k, line in enumerate(lines) if line[:2].strip().isdigit() and "single" not in line
    ]
    assert dear
    assert all(lines[k - 1].startswith("+--") for k in dear)
    assert set(plain.splitlines()) <= set(lines)
    assert "\x1b" not in drawn


def test_a_file_of_puzzles_with_names(tmp_path):
    (tmp_path / "two.txt").write_text(f"{EASY} # one\n{PAIR} # two\n", encoding="utf-8")
    text = clean(concord("explain", str(tmp_path / "two.txt")), 0).stdout
    first, second = text.split("\n\n")
    assert first.startswith("one: 32 clues")
    assert second.startswith("two: 25 clues")


def test_a_grid_over_several_lines_as_argument():
    rows = "\n".join(EASY[k : k + 9] for k in range(0, 81, 9))
    assert "grade naked-single" in clean(concord("explain", rows), 0).stdout


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        (NONE, 0, "unsatisfiable: no "),
        (SEVERAL, 0, "several solutions, so it has no grade: r"),
        (SOLVED, 0, "nothing to do: the grid is full"),
        (CLASH, 1, "puzzle:1:2: clashing givens, 1 occurs twice in row 1: r1c1 and r1c2"),
        (EASY[:-1], 1, "puzzle:1:"),
    ],
)
def test_what_is_no_proper_puzzle_is_said(text, status, words):
    done = clean(concord("explain", text), status)
    assert words in done.stdout + done.stderr


def test_explain_as_json():
    (found,) = json.loads(clean(concord("explain", TRIAL, "--json"), 0).stdout)
    assert (found["outcome"], found["grade"], found["score"]) == ("solved", "trial", 245)
    assert found["score"] == sum(step["cost"] for step in found["steps"])
    step = next(step for step in found["steps"] if step["technique"] == "trial")
    (gone,) = step["eliminations"]
    assert [gone["cell"]] == step["cells"]
    assert gone["cell"] in step["explanation"]
    text = "".join(map(str, found["end"]))
    assert SUDOKU.check(TRIAL, found["end"]) == []
    assert len(text) == 81
    (found,) = json.loads(clean(concord("explain", SEVERAL, "--json"), 0).stdout)
    assert (found["outcome"], found["grade"], found["score"]) == ("several", None, None)


def test_colours_of_a_terminal():
    entry = Instance("sudoku", "x", PAIR)
    painted = "\n".join(explaining.explain(entry, True, explaining.paint))
    plain = "\n".join(explaining.explain(entry, True, None))
    for code in ("1", "1;31", "1;33"):
        assert f"\x1b[{code}m" in painted
        painted = painted.replace(f"\x1b[{code}m", "")
    assert painted.replace("\x1b[0m", "").replace("\x1b[1;32m", "") == plain
