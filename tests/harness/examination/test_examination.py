"""`concord conform`: one line a check, whatever the solver does, and no traceback of ours."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from within_process import within

from harness.examination import examination
from harness.examination.checks import CHECKS, Finding
from harness.examination.examination import Mark, judge_findings
from harness.examination.names import resolve_name
from harness.examination.problems import draw_puzzles
from harness.examination.sheet import find_truth, shorten
from modelling.errors import InputError
from puzzles.family import family

SOLVER = """
import concord


class Solver:
    name = "mine"
    native = frozenset({concord.Constraint})
    optimises = False

    def accepts(self, problem):
        whole = problem.structure.output is None
        return concord.Accepted() if whole else concord.Refused("it knows no output")

    def solve(self, problem, ask=concord.Solutions(), limits=concord.Limits(), sink=None):
        if not isinstance(ask, concord.Solutions) or problem.structure.output is not None:
            raise concord.Unsupported(self.name, "an optimum or an output")
        found, domains = concord.Collector(ask, sink), problem.domains()
        constraints = problem.structure.constraints

        def search(values):
            n = len(values)
            due = [c for c in constraints if max(c.scope, default=-1) == n - 1]
            if not all(c.holds([values[v] for v in c.scope]) for c in due):
                return True
            if n < len(domains):
                return all(search((*values, value)) for value in domains[n])
            return found.add(values)

        search(())
        return found.result("exhausted")
"""
FEW = ("--problems", "26", "--seconds", "60", "--quiet")

pytestmark = pytest.mark.once  # each case begins processes


def conform(folder: Path, *options: str, text: str = SOLVER, name: str = "py:mine:Solver"):
    """The command on ``mine.py`` with this text."""
    (folder / "mine.py").write_text(text, encoding="utf-8")
    return within(folder, "conform", name, *FEW, *options)


def test_a_right_solver_gets_all_points(tmp_path: Path) -> None:
    done = conform(tmp_path)
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert lines[-1] == "py:mine:Solver: 85 of 85 points; all checks passed"
    assert lines[1].split() == ["loads", "5", "of", "5", "mine,", "1", "native", "constraint"]
    assert [line.split()[-1] for line in lines if "best" in line] == ["False", "False"]


def test_a_solver_that_optimises_is_asked_for_the_best(tmp_path: Path) -> None:
    done = within(tmp_path, "conform", "brute_force", *FEW)
    assert done.stdout.splitlines()[-1] == "brute_force: 100 of 100 points; all checks passed"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("search(())", "len(domains) > 1 or search(())", "says UNSATISFIABLE, but there"),
        ("found.add(values)", "found.add(values) or found.add(values)", "counted 2"),
        ("search(())", "1 / 0", "solve() raised ZeroDivisionError: division by zero (mine.py"),
        ("search(())", "raise SystemExit", "solve() raised SystemExit (mine.py, line"),
        ("search(())", "import os; os._exit(3)", "it ended the process with exit status 3"),
        ("found.add(values)", "found.add([*values])", "must be a tuple, not list"),
        ("return found.result", "found.result", "solve() returned None; return a concord.Result"),
        (", sink=None", "", "takes from 2 to 4 positional arguments but 5"),
        ("return concord.Accepted()", "return True", "accepts() returned bool True; return"),
        ("search(())", "input('Value? ')", "solve() raised EOFError"),
    ],
)
def test_an_error_gets_a_line_and_status_1(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in SOLVER
    done = conform(tmp_path, text=SOLVER.replace(old, new))
    assert (done.returncode, done.stderr) == (1, "")
    assert said in " ".join(done.stdout.split())
    assert "The smallest problem that fails the check" in done.stdout
    assert "Traceback" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_a_forgotten_empty_scope_costs_its_own_check_and_hides_no_other_fault(
    tmp_path: Path,
) -> None:
    forgets = SOLVER.replace("default=-1) == n - 1", "default=-9) == n - 1")
    done = conform(tmp_path, text=forgets)
    failed = [line.split("  ")[0] for line in done.stdout.splitlines() if " wrong: " in line]
    assert (done.returncode, failed) == (1, ["empty scopes"])
    assert "  Linear(; coefficients = ; relation = ==; constant = 1)" in done.stdout.splitlines()
    done = conform(tmp_path, text=forgets.replace("in domains[n])", "in domains[n][:4])"))
    assert "The smallest puzzle (queens) that fails the check 'finds a sol" in done.stdout


def test_points_are_in_proportion_to_the_right_answers() -> None:
    check = next(one for one in CHECKS if one.points == 15)
    findings = [Finding(20, 4, "too few"), Finding(10)]
    mark = judge_findings(check, findings, is_ended=False)
    assert (mark.points, mark.tried, mark.wrong) == (13, 30, 4)
    assert shorten(mark, None) == "4 of 30 wrong: too few"
    assert shorten(mark, mark) == "4 of 30 wrong: the same"
    assert judge_findings(check, findings, is_ended=True).points == 0


def test_the_solution_that_is_shown_reaches_the_best_value() -> None:
    knapsack = next(one for one, _ in draw_puzzles(0) if one.family == "knapsack")
    said, solution = find_truth(knapsack)
    problem = family("knapsack").problem(knapsack.text)
    assert problem.structure.objective is not None
    assert solution is not None
    best = problem.structure.objective.value(solution)
    assert best > 0
    assert f"the best value is {best} " in said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("class Solver:", "class Solver", "SyntaxError: expected ':' (mine.py, line 5)"),
        ("import concord", "import concord, no_such", "No module named 'no_such'"),
        ("class Solver:", "class Solvr:", "has no attribute 'Solver'; did you mean 'Solvr'?"),
        ('name = "mine"', "", "is not a Backend: it has no 'name'"),
        ("import concord", "import concord\n1 / 0", "ZeroDivisionError: division by zero (mine"),
        ("import concord", "import concord, os\nos._exit(4)", "ended the process with exit"),
        ("frozenset({concord.Constraint})", "5", "native must be a frozenset of types"),
    ],
)
def test_what_does_not_load_gets_no_points(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in SOLVER
    done = conform(tmp_path, text=SOLVER.replace(old, new))
    assert (done.returncode, done.stderr) == (1, "")
    assert said in " ".join(done.stdout.split())
    assert done.stdout.splitlines()[-1].startswith("py:mine:Solver: 0 of 100 points;")


def test_a_solver_that_hangs_is_ended(tmp_path: Path) -> None:
    text = SOLVER.replace("search(())", "while len(domains) > 1: pass\n        search(())")
    done = conform(tmp_path, "--seconds", "0.5", text=text)
    assert done.returncode == 1
    assert "no answer within 0.5 s" in done.stdout


def test_after_a_hang_the_limit_is_shorter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examination, "LEAST_AFTER_HANG", 0.2)
    text = SOLVER.replace("search(())", "while len(domains) > 1: pass\n        search(())")
    done = conform(tmp_path, "--seconds", "1", text=text)
    assert "no answer within 1 s" in done.stdout
    assert "no answer within 0.25 s" in done.stdout


def test_loading_has_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examination, "LEAST_LOADING", 0.3)
    text = SOLVER.replace("import concord", "import concord\nwhile True: pass")
    done = conform(tmp_path, "--seconds", "0.2", text=text)
    assert done.returncode == 1
    assert "it did not load within 0.3 s" in done.stdout


def test_what_it_prints_does_no_harm(tmp_path: Path) -> None:
    done = conform(tmp_path, text=SOLVER.replace("search(())", "print('\\x1b[31mso'); search(())"))
    assert done.returncode == 0
    assert "no fault, but it printed" in done.stdout
    assert "\x1b" not in done.stdout


def test_a_fork_of_the_solver_answers_nothing(tmp_path: Path) -> None:
    done = conform(tmp_path, text=SOLVER.replace("search(())", "import os; os.fork(); search(())"))
    assert done.stdout.splitlines()[-1] == "py:mine:Solver: 85 of 85 points; all checks passed"


def test_a_solver_that_takes_nothing_gets_next_to_nothing(tmp_path: Path) -> None:
    text = SOLVER.replace("return concord.Accepted() if", "return concord.Refused('no') if")
    text = text.replace("if not isinstance(ask", "if True or not isinstance(ask")
    done = conform(tmp_path, text=text)
    assert done.stdout.splitlines()[-1] == "py:mine:Solver: 5 of 85 points; 8 of 9 checks failed"
    assert "it accepts no problem of this check" in done.stdout


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("py:mien:Solver", "no mien.py in this folder"),
        ("py:mine", "write py:MODULE:CLASS, such as"),
        ("py:mien.py:Solver", "mien.py does not exist; did you mean 'mine'?"),
        ("py:../mine:Solver", "file ../mine.py does not exist"),
        ("mine.py", "write py:mine:CLASS for a class in mine.py"),
        ("cpsatt", "did you mean 'cpsat'?"),
    ],
)
def test_a_name_that_is_not_there_is_wrong_usage(tmp_path: Path, name: str, said: str) -> None:
    done = conform(tmp_path, name=name)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_a_file_is_named_by_its_path_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "students").mkdir()
    (tmp_path / "students" / "alice.py").touch()
    (tmp_path / "students" / "al-ice.py").touch()
    for path in ("students/alice", "students/alice.py", tmp_path / "students" / "alice.py"):
        assert resolve_name(f"py:{path}:Solver") == "py:students.alice:Solver"
    with pytest.raises(InputError, match=r"write py:students\.alice:CLASS"):
        resolve_name("students/alice.py")
    with pytest.raises(InputError, match="'al-ice' cannot be part of a module's name"):
        resolve_name("py:students/al-ice:Solver")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    with pytest.raises(InputError, match=r"change to .*students and name it py:alice:CLASS"):
        resolve_name("py:../students/alice:Solver")


def test_an_interrupt_shows_the_points_so_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> Iterator[Mark]:
        yield Mark("loads", 5, 5, "mine")
        yield Mark("finds a solution", 10, 20, "wrong", tried=2, wrong=1)
        raise KeyboardInterrupt

    monkeypatch.setattr(examination, "examine", interrupted)
    done = conform(tmp_path)
    assert (done.returncode, done.stderr) == (130, "concord: interrupted\n")
    assert "mine:Solver: 15 of 25 points when interrupted; 1 of the 2 checks" in done.stdout


def test_the_marks_as_json(tmp_path: Path) -> None:
    text = SOLVER.replace("search(())", "len(domains) > 1 or search(())")
    done = conform(tmp_path, "--json", text=text)
    found = json.loads(done.stdout)
    assert done.returncode == 1
    assert (found["backend"], found["most"]) == ("py:mine:Solver", 85)
    assert found["points"] == sum(one["points"] for one in found["checks"])
    failed = {one["check"]: one["failed"] for one in found["checks"]}["finds a solution"]
    assert [one["family"] for one in failed] == ["problem", "latin"]


def test_the_smallest_puzzle_that_fails_is_drawn(tmp_path: Path) -> None:
    text = SOLVER.replace("search(())", "len(domains) > 1 or search(())")
    done = conform(tmp_path, "--picture", "wrong.svg", text=text)
    assert done.returncode == 1
    assert "The smallest puzzle (latin) that fails" in done.stdout
    assert ElementTree.parse(tmp_path / "wrong.svg").getroot().tag.endswith("svg")
    again = conform(tmp_path, "--picture", "wrong.svg", text=text)
    assert (again.returncode, again.stdout) == (2, "")
    assert "add --force" in again.stderr


@pytest.mark.parametrize(
    ("picture", "said"),
    [
        ("wrong.png", "written as .svg alone; name it wrong.svg"),
        ("wrong", "name it wrong.svg"),
        ("no/wrong.svg", "the folder no does not exist; make it"),
    ],
)
def test_a_picture_that_cannot_be_written_is_refused_at_first(
    tmp_path: Path, picture: str, said: str
) -> None:
    done = conform(tmp_path, "--picture", picture)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_a_file_of_the_user_hides_no_module(tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text("raise RuntimeError('not this one')\n", encoding="utf-8")
    assert conform(tmp_path).returncode == 0
