"""The folder of a small finding: a script or a program's file, and the text of an issue."""

import sys
from dataclasses import replace

import pytest

from backends.interface.api import Limits
from harness.hunting.findings import Answer, Finding
from harness.hunting.program_files import record_program
from harness.hunting.reporting import ISSUE, PROBLEM, SCRIPT, report
from harness.job import Question
from modelling.constraints import Linear, NotEqual
from modelling.errors import InputError, Unsupported
from modelling.problem import Objective, build_problem
from modelling.text import to_text

PROBLEM_OF_TWO = build_problem({"x": range(1, 3), "y": (1, 4)}, [NotEqual(("x", "y"))])

READER = """
import sys

print("c a comment")
print(open(sys.argv[1], encoding="utf-8").read().count("variables"))
print("s UNSATISFIABLE")
"""


def make_finding(backend, fault="false unsatisfiable", **more):
    solution = Answer("SATISFIABLE", count=3, solutions=((1, 4),))
    given = to_text(PROBLEM_OF_TWO), Question(1, 1), backend, fault, Answer("UNSATISFIABLE")
    return Finding(*given, solution, "oracle", Limits(20), version="1.0", **more)


@pytest.fixture
def command(tmp_path):
    program = tmp_path / "reader.py"
    program.write_text(READER, encoding="utf-8")
    return f"command:xcsp3:{sys.executable} {program} {{file}} --all"


def test_a_program_is_reported_with_its_file(tmp_path, command):
    call = record_program(make_finding(command))
    assert list(call.files) == ["bug.xml"]
    assert call.command.endswith("reader.py bug.xml --all")
    folder = tmp_path / "small"
    make_finding(command).write(folder)
    done = report(make_finding(command), folder)
    assert (done.lines, "no writer" in done.why) == (0, True)
    assert b"<instance" in (folder / "bug.xml").read_bytes()
    issue = (folder / ISSUE).read_text(encoding="utf-8")
    assert "s UNSATISFIABLE" in issue
    assert "a comment" not in issue
    assert "/reader.py bug.xml --all" in issue


def test_only_programs_are_asked_in_this_process():
    for backend in ("py:planted:DiesOfElements", "brute_force"):
        with pytest.raises(Unsupported, match="starts no program"):
            record_program(make_finding(backend))


def test_an_issue_says_what_is_right_and_why(tmp_path):
    report(make_finding("propagation"), tmp_path)
    issue = (tmp_path / ISSUE).read_text(encoding="utf-8")
    assert issue.startswith("# propagation 1.0: a problem with solutions is said to have none\n")
    for said in (
        "* `x` in 1, 2",
        "* `x != y`",
        "3 solutions: x = 1, y = 4; x = 2, y = 1; x = 2, y = 4. Every assignment was tried.",
        "**Found**: no solution.",
        "x = 1, y = 4 satisfies every constraint.",
    ):
        assert said in issue
    assert "oncord" not in issue
    assert (tmp_path / PROBLEM).read_text(encoding="utf-8").strip() == to_text(PROBLEM_OF_TWO)


def test_a_report_leaves_nothing_of_an_earlier_one(tmp_path):
    (tmp_path / SCRIPT).write_text("print()\n", encoding="utf-8")
    report(make_finding("propagation"), tmp_path)
    assert not (tmp_path / SCRIPT).exists()


@pytest.mark.once
def test_a_false_optimum_is_explained(tmp_path):
    objective = Objective("maximize", ("x", "y"), (1, 2))
    problem = build_problem({"x": range(2), "y": range(2)}, [], objective=objective)
    best = Answer("OPTIMUM", objective=3, solutions=((1, 1),))
    given = to_text(problem), Question(1, 1, True), "cpsat", "false optimum"
    found = Finding(*given, Answer("OPTIMUM", objective=2), best, "oracle", version="1.0")
    report(found, tmp_path)
    issue = (tmp_path / ISSUE).read_text(encoding="utf-8")
    assert "The objective: maximize `x + 2 * y`" in issue
    assert "x = 1, y = 1 satisfies every constraint, and the objective is 3 there." in issue


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "cannot be read"),
        ("{}", "missing required field"),
        ('{"text": 3}', "Expected `str`"),
    ],
)
def test_a_broken_finding_is_named(tmp_path, content, said):
    (tmp_path / "finding.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=said) as error:
        Finding.read(tmp_path)
    assert str(tmp_path / "finding.json") in str(error.value)


def test_a_finding_of_another_format_and_a_bad_text(tmp_path):
    found = make_finding("sat")
    replace(found, format=7).write(tmp_path)
    with pytest.raises(InputError, match="format 7"):
        Finding.read(tmp_path)
    replace(found, text="nothing").write(tmp_path)
    with pytest.raises(InputError, match="does not state a problem"):
        Finding.read(tmp_path)
    found.write(tmp_path)
    assert Finding.read(tmp_path) == found
    with pytest.raises(InputError, match="name the folder of a finding"):
        Finding.read(tmp_path / "nowhere")


def test_a_linear_constraint_is_written_as_an_expression(tmp_path):
    problem = build_problem({"x": range(9)}, [Linear(("x",), (2,), "<=", 5)])
    given = to_text(problem), Question(None, 10), "sat", "wrong count"
    report(Finding(*given, Answer(count=9), Answer(count=3), "oracle"), tmp_path)
    assert "* `2 * x <= 5`" in (tmp_path / ISSUE).read_text(encoding="utf-8")
