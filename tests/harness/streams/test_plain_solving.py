"""``concord solve`` on plain grids taken together: the same answers as one by one."""

import gzip
import subprocess
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

pytest.importorskip("numba", reason="numba is optional: pip install 'solver-concord[compiled]'")

import numpy as np

from backends.interface import registry
from harness.streams import plain_solving, solving
from harness.streams.solving import Answer, SolveRequest, solve
from modelling.errors import ConcordError
from puzzles import sets
from puzzles.grid import arrays
from puzzles.grid.layout import Layout

HARD = Path(__file__).parents[3] / "puzzles" / "sets" / "sudoku-hard.txt"
EASY = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
SOLVED = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
TWELVE = "   456789679813245548927136   594678857361492964782513   648957796135824485279361"
NONE = "11" + "." * 79
UNSATISFIABLE = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
ROWS = "\n".join(EASY[k : k + 9] for k in range(0, 81, 9))


def one_by_one(source, question=SolveRequest(), family=None):
    """The same without any arrays."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solving, "_takes_arrays", lambda backend: False)
        return said(source, replace(question, backend="compiled"), family)


def said(source, question, family=None, jobs=1):
    """Lines of output, and what was said of trouble with the line that it follows."""
    lines, troubles = [], []
    for answer in solve(str(source), family, question, jobs):
        lines += "\n".join(answer.lines).split("\n")
        if answer.trouble:
            troubles.append((len(lines), answer.trouble))
    return lines, troubles


MIXED = {
    "plain": [EASY, SOLVED] * 40,
    "digits for blanks": [EASY.replace(".", "0"), EASY.replace(".", "x"), EASY.replace(".", "_")],
    "a head": ["# family: sudoku", "# about: a test", "", EASY, EASY],
    "no solution": [EASY, UNSATISFIABLE, EASY, NONE, NONE, UNSATISFIABLE],
    "clash first": [NONE, EASY],
    "clash only": [NONE],
    "bad lines between": [EASY, "123", EASY, EASY + "x", EASY[:-1] + "?", EASY],
    "comments and names": [EASY, "; comment", EASY + " # name", EASY + ",1,2", EASY],
    "spaces for blanks": [EASY, TWELVE, EASY],
    "several lines": [EASY, *ROWS.split("\n"), EASY, "", *ROWS.split("\n")],
    "a grid that is cut": [EASY, "53..7....", "6..195...", EASY, EASY],
    "other sizes": ["." * 256, EASY, "1..............4", "." * 36, "11" + "." * 34, EASY, "." * 16],
    "nothing": [],
    "only comments": ["# a", "# b"],
    "several solutions": ["." * 81, TWELVE.replace(" ", "."), "1" + "." * 80],
}


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("kind", MIXED)
def test_together_as_one_by_one(tmp_path, kind, end):
    path = tmp_path / "some.txt"
    for last in ("", end):
        path.write_bytes((end.join(MIXED[kind]) + last).encode())
        together = said(path, SolveRequest())
        assert together == one_by_one(path)
        assert together == said(path, SolveRequest("compiled"))
        for count, seconds in ((1, 60.0), (2, None), (3, 1e-9), (20, None)):
            asked = SolveRequest(None, count, seconds)
            assert said(path, asked) == one_by_one(path, asked)
        propagation = said(path, SolveRequest("propagation"))
        assert len(together[0]) == len(propagation[0])
        assert together[1] == propagation[1]
        if kind not in ("several solutions", "other sizes", "spaces for blanks"):
            assert together == propagation  # where solutions are unique


@pytest.mark.parametrize("length", [1, 2, 3])
def test_the_length_of_runs_does_not_matter(tmp_path, monkeypatch, length):
    path = tmp_path / "some.txt"
    path.write_text("\n".join(line for lines in MIXED.values() for line in lines))
    expected = one_by_one(path)
    monkeypatch.setattr(solving, "RUN", length)
    assert said(path, SolveRequest()) == expected


@pytest.mark.parametrize("room", [1, 7, 100])
def test_what_is_held_at_a_time_does_not_matter(tmp_path, monkeypatch, room):
    """Nor what is too much to be held: such a grid is solved by itself."""
    path = tmp_path / "some.txt"
    path.write_text("\n".join(line for lines in MIXED.values() for line in lines))
    for count in (1, 2, 30):
        expected = one_by_one(path, SolveRequest(None, count))
        for most in (3, 1000):
            monkeypatch.setattr(plain_solving, "ROWS", room)
            monkeypatch.setattr(plain_solving, "MOST_KEPT", most)
            assert said(path, SolveRequest(None, count)) == expected


@pytest.mark.once
def test_jobs_keep_the_order(tmp_path):
    path = tmp_path / "some.txt"
    path.write_text("\n".join(line for lines in MIXED.values() for line in lines))
    for count in (1, 2):
        asked = SolveRequest(None, count)
        assert said(path, asked, jobs=2) == one_by_one(path, asked)


@pytest.mark.parametrize("family", ["latin", "sudoku"])
def test_other_families_and_plain_orders(tmp_path, family):
    path = tmp_path / "some.txt"
    path.write_text(f"{'.' * 81}\n{EASY}\n12{'.' * 34}\n1{'.' * 48}1\n")
    assert said(path, SolveRequest(), family) == one_by_one(path, family=family)


def test_a_family_that_the_kernel_does_not_take():
    assert said("cryptarithm", SolveRequest()) == said("cryptarithm", SolveRequest("propagation"))


def test_a_damaged_file_is_answered_as_far_as_it_goes(tmp_path):
    path = tmp_path / "damaged.txt.gz"
    rng = np.random.default_rng(1)
    noise = "".join(f"# {number}\n" for number in rng.integers(0, 10**9, 4000))
    path.write_bytes(gzip.compress((f"{EASY}\n" * 20 + noise).encode())[:-2000])
    lines, troubles = said(path, SolveRequest())
    assert lines[:20] == [SOLVED] * 20
    assert "damaged" in troubles[0][1]
    assert (lines, troubles) == one_by_one(path)


def test_a_stream_without_end_is_answered_as_it_is_read(monkeypatch):
    """Memory is bounded: the first answers come while more is still to be read."""
    read = 0

    def endless(path):
        nonlocal read
        while True:
            read += 1
            yield EASY + "\n"

    monkeypatch.setattr(sets, "lines_of", lambda path: endless(path))
    path = Path(__file__)
    first = list(islice(solve(str(path), "sudoku", SolveRequest()), 3))
    assert all(answer.lines[0].startswith(SOLVED) for answer in first)
    assert read <= 3 * solving.RUN


class Liar:
    """Takes arrays, and changes a digit of the third solution."""

    name = "liar"
    native = frozenset()

    def __init__(self):
        self.honest = registry.get("compiled")

    def accepts(self, problem):
        return self.honest.accepts(problem)

    def solve(self, *arguments):
        return self.honest.solve(*arguments)

    def takes(self, structure):
        return self.honest.takes(structure)

    def count_batch(self, structure, grids, limit=2):
        return self.solve_batch(structure, grids, limit)[0]

    def solve_batch(self, structure, grids, limit=1, keep=1, nodes=None):
        counts, kept = self.honest.solve_batch(structure, grids, limit, keep, nodes)
        kept[2, 0, 40] = kept[2, 0, 40] % 9 + 1
        return counts, kept


def test_a_wrong_answer_is_found_out(tmp_path):
    path = tmp_path / "some.txt"
    path.write_text(f"{EASY}\n" * 5)
    plain = next(sets.batches(str(path), None, 10))
    with pytest.raises(ConcordError, match=r"some.txt:3: liar answered wrongly: row 5 holds"):
        list(plain_solving.solve_together(plain, plain.structure(), Liar()))


class Repeater(Liar):
    """Shows the first solution of the second grid twice."""

    name = "repeater"

    def solve_batch(self, structure, grids, limit=1, keep=1, nodes=None):
        counts, kept = self.honest.solve_batch(structure, grids, limit, keep, nodes)
        kept[1, 1] = kept[1, 0]
        return counts, kept


def test_a_repeated_solution_is_found_out(tmp_path):
    path = tmp_path / "some.txt"
    path.write_text(("." * 81 + "\n") * 3)
    plain = next(sets.batches(str(path), None, 10))
    with pytest.raises(ConcordError, match=r"some.txt:2: repeater answered one solution twice"):
        list(plain_solving.solve_together(plain, plain.structure(), Repeater(), 2))


def test_arrays_tell_wrong_grids():
    layout = Layout(9, (3, 3))
    right = np.array([[int(d) for d in SOLVED]], np.uint8)
    blank = np.zeros_like(right)
    assert not arrays.wrong(layout, blank, right).any()
    assert not arrays.wrong(layout, right, right).any()
    for cell in range(81):
        other = right.copy()
        other[0, cell] = other[0, cell] % 9 + 1
        assert arrays.wrong(layout, blank, other).all()
        assert arrays.wrong(layout, other, right).all()
    other = right.copy()
    other[0, 0] = 0
    assert arrays.wrong(layout, blank, other).all()
    # rows and columns as they should be, boxes not
    latin = np.array([[(r + c) % 9 + 1 for r in range(9) for c in range(9)]], np.uint8)
    assert arrays.wrong(layout, blank, latin).all()
    assert not arrays.wrong(Layout(9), blank, latin).any()
    # a row exchanged between bands leaves rows and columns right
    turned = right.reshape(9, 9)[[3, 1, 2, 0, 4, 5, 6, 7, 8]].reshape(1, 81)
    assert arrays.wrong(layout, blank, turned).all()


def test_written_text():
    grids = np.array([[1, 2, 2, 1], [2, 1, 1, 0]], np.uint8)
    assert arrays.written("", grids) == "1221\n211."
    assert arrays.written("2:", grids) == "2:1221\n2:211."


def test_what_solve_imports(tmp_path):
    (tmp_path / "some.txt").write_text(f"{EASY}\n" * 3)
    code = (
        "import sys; from harness.streams.solving import solve, SolveRequest;"
        "answers = list(solve('some.txt', None, SolveRequest()));"
        "print(len(answers), sorted({'numba', 'pandas', 'ortools'} & set(sys.modules)))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert result.stdout.strip() == "1 ['numba']"


def test_without_numba_propagation_solves(tmp_path):
    (tmp_path / "some.txt").write_text(f"{EASY}\n{NONE}\n")
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "from harness.streams.solving import solve, SolveRequest\n"
        "answers = solve('some.txt', None, SolveRequest())\n"
        "print([a.lines[0] for a in answers], 'numpy' in sys.modules)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert result.stdout.strip() == f"{[SOLVED, '# error']} False"


def test_a_whole_set(tmp_path):
    path = tmp_path / "hard.txt"  # the puzzles alone: plain lines, one after another
    lines = HARD.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(line[:81] for line in lines if line and line[0] != "#") + "\n")
    answers = list(solve(str(path), None, SolveRequest()))
    assert all(isinstance(answer, Answer) and not answer.trouble for answer in answers)
    lines = "\n".join(line for answer in answers for line in answer.lines).split("\n")
    assert len(lines) == 1000
    assert lines[:20] == one_by_one(path)[0][:20]
