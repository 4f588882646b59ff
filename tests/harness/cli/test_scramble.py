"""`concord scramble` and `concord canonical`: a set in disguise, and the disguise seen through."""

import gzip

import pytest
from within_process import invoke

import harness.cli.verbs.sudoku  # noqa: F401 - what is tested is the verbs that it registers
from modelling.errors import InputError, InstanceError
from puzzles.family import Instance
from puzzles.formats import LONGEST_NAME
from puzzles.sets import instances
from puzzles.sudoku import SUDOKU
from puzzles.sudoku.canonical import texts
from puzzles.sudoku.scrambling import line, scramble, scrambles

EASY = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SMALL = "3x2:" + "1" + "." * 34 + "6"
LINES = f"{EASY}  # easy\n{HARD}\n# a comment\n\n{SMALL}  # small # why it is here\n"


@pytest.fixture
def concord(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return invoke


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "some.txt"
    path.write_text(LINES, encoding="utf-8")
    return path


def entries(text, path):
    path.write_text(text, encoding="utf-8")
    return list(instances(str(path)))


def test_scrambles_are_the_same_puzzles_in_disguise(concord, file, tmp_path):
    done = concord("scramble", file, "--copies", 3)
    assert done.exit_code == 0
    before = list(instances(str(file)))
    after = entries(done.stdout, tmp_path / "out.txt")
    assert [entry.name for entry in after] == [
        f"{name}~{copy}" for name in ("easy", "some:2", "small") for copy in (1, 2, 3)
    ]
    assert len({entry.text for entry in after} | {entry.text for entry in before}) == 12
    forms = list(texts(entry.text for entry in before))
    assert list(texts(entry.text for entry in after)) == [f for f in forms for _ in range(3)]


def test_a_seed_makes_the_same_lines_again_and_another_others(concord, file):
    first = concord("scramble", file, "--seed", 7).stdout
    assert concord("scramble", file, "--seed", 7).stdout == first
    assert concord("scramble", file, "--seed", 8).stdout != first
    assert concord("scramble", "-", "--seed", 7, text=file.read_text()).stdout == first.replace(
        "some:2", "stdin:2"
    )


def test_a_line_depends_on_its_place_alone():
    """So a bad line before it changes nothing, and neither does the number of copies."""
    puzzle, bad = Instance("sudoku", "one", HARD), InstanceError("no")
    whole = list(scrambles([puzzle, puzzle], 3))
    assert list(scrambles([bad, puzzle], 3)) == [bad, whole[1]]
    assert list(scrambles([puzzle, puzzle], 3, copies=2))[::2] == whole
    assert whole == [scramble(puzzle, 3, 0), scramble(puzzle, 3, 1)]
    assert whole[0].text != whole[1].text


def test_scrambles_into_a_file(concord, file, tmp_path):
    out = tmp_path / "out.txt.gz"
    done = concord("scramble", file, "--out", out)
    assert (done.exit_code, done.stdout) == (0, "")
    assert f"3 puzzles: {out}" in done.stderr
    text = gzip.decompress(out.read_bytes()).decode()
    head, *lines = text.splitlines()
    assert head == f"# about: {file}, scrambled (seed 0, copies 1)"
    assert lines == concord("scramble", file).stdout.splitlines()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.txt.gz", "some.txt"]


def test_a_bad_line_keeps_its_place(concord):
    done = concord("scramble", "-", text=f"{EASY}\n12345\n{HARD}\n")
    lines = done.stdout.splitlines()
    assert done.exit_code == 1
    assert len(lines) == 3
    assert lines[1] == "# error"
    assert "stdin:2:6: 5 cells found" in done.stderr


@pytest.mark.parametrize("verb", ["scramble", "canonical"])
def test_what_cannot_be_used_is_wrong_usage(concord, verb):
    other = concord(verb, "queens")
    assert other.exit_code == 2
    assert "and this puzzle is of the family queens" in other.stderr
    missing = concord(verb, "no-such-set")
    assert missing.exit_code == 2
    assert "no-such-set" in missing.stderr


def test_a_file_that_cannot_be_written_leaves_nothing(concord, file, tmp_path):
    done = concord("scramble", file, "--out", tmp_path / "nowhere" / "out.txt")
    assert done.exit_code == 2
    assert "cannot be written" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["some.txt"]


def test_a_negative_seed_is_refused(concord, file):
    assert concord("scramble", file, "--seed", -1).exit_code == 2
    with pytest.raises(InputError, match="seeds go from 0"):
        scramble(Instance("sudoku", "one", HARD), 2**64, 0)


def test_long_names_keep_their_mark():
    name = "n" * LONGEST_NAME
    found = scramble(Instance("sudoku", name, HARD), 1, 2, 13)
    assert found.name == name[:-3] + "~13"
    assert [entry.name for entry in SUDOKU.read([line(found)], "f")] == [found.name]


def test_canonical_forms_line_for_line(concord, file):
    done = concord("canonical", file)
    assert done.exit_code == 0
    assert done.stdout.splitlines() == list(texts([EASY, HARD, SMALL]))
    scrambles = concord("scramble", file).stdout
    assert concord("canonical", "-", text=scrambles).stdout == done.stdout


def test_canonical_says_which_line_has_none(concord):
    clashing = "11" + "." * 79
    done = concord("canonical", "-", text=f"{clashing}\n{EASY}\nxyz\n{HARD}\n12\n")
    assert done.exit_code == 1
    one, two = texts([EASY, HARD])
    assert done.stdout.splitlines() == ["# error", one, "# error", two, "# error"]
    assert "stdin:1:2: clashing givens" in done.stderr
    full = ",".join(str((4 * (r % 4) + r // 4 + c) % 16 + 1) for r in range(16) for c in range(16))
    done = concord("canonical", "-", text=f"{EASY}\n{full}\n")
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [one, "# error"]
    assert "stdin:2: the canonical form takes too much work" in done.stderr


def test_duplicates_are_named(concord, file, tmp_path):
    assert concord("canonical", file, "--duplicates").exit_code == 0
    assert concord("canonical", file, "--duplicates").stdout == ""
    disguised = concord("scramble", file, "--copies", 2).stdout.splitlines()
    both = tmp_path / "both.txt"
    both.write_text(LINES + disguised[1] + "\n" + disguised[2] + "\n", encoding="utf-8")
    done = concord("canonical", both, "--duplicates")
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        f"{both}:6 (easy~2) is {both}:1 (easy) in disguise",
        f"{both}:7 (some:2~1) is {both}:2 in disguise",
    ]


def test_duplicates_with_a_bad_line(concord):
    done = concord("canonical", "-", "--duplicates", text=f"{EASY}\nxyz\n{EASY}\n")
    assert done.exit_code == 1
    assert done.stdout == "stdin:3 is stdin:1 in disguise\n"
    assert "stdin:2" in done.stderr
