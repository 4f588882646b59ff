"""The study of the kernel: its answers, programs beside it, sets of any length, and the table."""

import sys
from argparse import Namespace

import pytest

from results.studies.speed import kernel
from results.studies.speed.kernel import OURS, STUDY, Row, find_difference, report, spread

pytestmark = pytest.mark.once

UNIQUE = "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........"
EMPTY = "." * 81
NONE = "11" + "." * 79


def write_rival(folder, digits):
    """A program that answers its lines with these counts in turn."""
    path = folder / "rival.py"
    path.write_text(
        "import sys, itertools\n"
        f"for _, count in zip(sys.stdin, itertools.cycle({digits!r})):\n"
        "    print(count, 'anything')\n"
    )
    return f"{sys.executable} {path}"


def write_set(folder):
    path = folder / "three.txt"
    path.write_text(f"{UNIQUE}\n{EMPTY}\n{UNIQUE[:9][::-1]}{'.' * 72}\n")
    return str(path)


def test_the_kernel_writes_counts_and_solutions(tmp_path):
    pytest.importorskip("numba")
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_text(f"{UNIQUE}\n{EMPTY}\n{NONE}\n")
    assert kernel.find_kernel()(source, target) >= 0
    one, two, none = target.read_text().splitlines()
    assert (one[0], two[0], none[0]) == ("1", "2", "0")
    assert len(one) == 83
    assert all(sign in (".", given) for sign, given in zip(UNIQUE, one[2:], strict=True))
    assert {*one[2:11]} == set("123456789")


def test_programs_are_timed_beside_it(tmp_path, capsys):
    pytest.importorskip("numba")
    words = ["--set", write_set(tmp_path), "--puzzles", "30", "--rounds", "2"]
    words += ["--out", str(tmp_path / "out")]
    rival = ["--rival", f"other={write_rival(tmp_path, '122')}"]
    assert STUDY.main([*words, *rival, "--about", "other=answers by heart"]) == 0
    page = (tmp_path / "out" / "kernel.md").read_text()
    assert "| three | 3 | 30 |" in page
    assert "| other |" in page
    assert "other: answers by heart" in page
    (row,) = STUDY.read(tmp_path / "out")
    assert {name: len(times) for name, times in row.seconds.items()} == {OURS: 2, "other": 2}
    capsys.readouterr()
    assert STUDY.main([*words, "--resume"]) == 0
    assert STUDY.read(tmp_path / "out") == [row]


def test_a_program_that_counts_otherwise_is_a_fault(tmp_path, capsys):
    pytest.importorskip("numba")
    words = ["--set", write_set(tmp_path), "--puzzles", "3", "--rounds", "1"]
    assert STUDY.main([*words, "--rival", f"liar={write_rival(tmp_path, '121')}"]) == 1
    assert "liar differ: 2 and '1'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (["--rival", "name"], "give it as NAME=COMMAND"),
        (["--rival", "name="], "give it as NAME=COMMAND"),
        (["--rival", "name='"], "No closing quotation"),
        (["--rival", f"{OURS}=cat"], "is taken"),
        (["--rival", "a=no-such-program-here"], "No such file"),
        (["--rival", f"a={sys.executable} -c 'raise SystemExit(3)'"], "the exit status is 3"),
        (["--set", "no-such-set"], "no-such-set"),
        (["--set", "sudoku-4x4"], "no Sudoku has 81 cells"),
        (["--about", "name"], "give it as NAME=TEXT"),
        (["--puzzles", "0"], "--puzzles 0"),
        (["--rounds", "-1"], "--rounds -1"),
    ],
)
def test_what_does_not_fit_is_an_error(words, cause, capsys):
    pytest.importorskip("numba")
    assert STUDY.main(["--puzzles", "2", "--rounds", "1", *words]) == 2
    assert cause in capsys.readouterr().err


def test_a_set_is_thinned_evenly_or_repeated():
    assert spread("abcdef", 3) == ["a", "c", "e"]
    assert spread("ab", 5) == ["a", "b", "a", "b", "a"]
    assert spread("abc", 3) == ["a", "b", "c"]


def test_a_missing_answer_is_a_difference():
    assert find_difference(["x", "y"], ["1", "2"], ["1"]) == "2 and 1 answers"
    assert find_difference(["x"], ["1"], ["1"]) == ""


def test_the_ratio_is_that_of_medians_and_of_the_best_rival():
    times = {OURS: [1.0, 2.0, 9.0], "slow": [8.0, 8.0, 8.0], "fast": [5.0, 1.0, 5.0]}
    row = Row("set", 4, 1_000_000, times)
    assert (row.find_best_rival(), row.find_ratio()) == ("fast", 2.5)
    page = report([row, Row("own", 4, 1, {OURS: [1.0]})], Namespace(about=["fast=at -O3"]))
    assert "| set | 4 | 1,000,000 | 2.000 | 8.000 | 5.000 | fast | 2.50 |" in page
    assert "| own | 4 | 1 | 1000000.000 | - | - | - | - |" in page
    assert "fast: at -O3" in page
