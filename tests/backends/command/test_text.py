"""Programs that read a family's own text and answer by the names of its variables."""

from __future__ import annotations

import sys

import pytest

import concord
from backends.interface.programs.answers.named_values import NamedValues, group_arrays
from backends.interface.programs.answers.reader import Garbled
from modelling.errors import ProgramFailed, Unsupported

QUEENS = """
import sys
from itertools import permutations
size, every, found = int(open(sys.argv[1]).read()), "--all" in sys.argv, 0
for q in permutations(range(1, size + 1)):
    if len({q[i] + i for i in range(size)}) == size == len({q[i] - i for i in range(size)}):
        found += 1
        print(f"q = {list(q)};\\n----------")
        if not every:
            break
else:
    print("==========" if found else "=====UNSATISFIABLE=====")
"""
SACK = """
import sys
from itertools import product
room, things = open(sys.argv[1]).read().split(":")
things, best = [tuple(map(int, one.split("="))) for one in things.split()], -1
for t in product((0, 1), repeat=len(things)):
    value = sum(a * v for a, (w, v) in zip(t, things))
    if sum(a * w for a, (w, v) in zip(t, things)) <= int(room) and value > best:
        best = value
        print(*(f"t{k} = {x};" for k, x in enumerate(t, 1)), "----------", sep="\\n")
print("==========")
"""
BOARD = concord.Instance("queens", "six", "6")
THINGS = concord.Instance("knapsack", "four", "10: 5=10 4=40 6=30 3=50")


@pytest.fixture
def program(tmp_path):
    def write(code: str, options: str = "", arguments: str = "") -> str:
        path = tmp_path / "program.py"
        path.write_text(code)
        return f"command:text{options}:{sys.executable} {path} {arguments}".rstrip()

    return write


def test_it_finds_one_all_or_the_best(program):
    one = concord.solve(BOARD, backend=program(QUEENS))
    assert one.count == 1
    every = program(QUEENS, ",all=--all", "{file} {flags}")
    found = concord.solve(BOARD, concord.Solutions(None), backend=every)
    assert (found.count, found.exhausted) == (4, True)
    assert found.digest == concord.solve(BOARD, concord.Solutions(None)).digest
    best = concord.solve(THINGS, backend=program(SACK))
    assert (best.objective, best.status) == (90, "OPTIMUM")


def test_it_says_that_there_is_none(program):
    three = concord.Instance("queens", "three", "3")
    assert concord.solve(three, backend=program(QUEENS)).status == "UNSATISFIABLE"


def test_several_solutions_need_a_way_to_ask_for_them(program):
    with pytest.raises(Unsupported, match="say with all=ARGUMENTS how it shows them"):
        concord.solve(BOARD, concord.Solutions(2), backend=program(QUEENS))


def test_a_problem_without_a_text_is_refused(program):
    backend = concord.backend(program(QUEENS))
    concord.solve(BOARD, backend=backend)
    stated = concord.problem({"x": range(3)}, [])
    with pytest.raises(Unsupported, match="stated without one"):
        concord.solve(stated, backend=backend)


def test_a_file_is_given_as_it_is(program, tmp_path):
    (tmp_path / "a.cnf").write_text("c mine\np cnf 2 1\n1 -2 0\n")
    (instance,) = concord.read(tmp_path / "a.cnf")
    code = (
        "import sys\nlines = open(sys.argv[1]).read().splitlines()\n"
        "assert lines[:2] == ['c mine', 'p cnf 2 1']\nprint('x = [1, 0];\\n----------')"
    )
    assert concord.solve(instance, backend=program(code)).count == 1


@pytest.mark.parametrize(
    ("printed", "message"),
    [
        ("q1 = 1;\n----------", "a solution has no value of q2"),
        ("z = 1;\n----------", "no variable is called 'z'"),
        ("q = [1, 2];\n----------", "2 values of 'q', and there are 6 variables q1"),
        ("q = [1, 2, 3, 4, 5, 6];\n----------", "no solution"),
        ("q1 = 1; q2 = 2;", "ended without an answer"),
        ("", "ended without an answer"),
    ],
)
def test_what_is_no_answer_is_an_error(program, printed, message):
    with pytest.raises(ProgramFailed, match=message):
        concord.solve(BOARD, backend=program(f"print({printed!r})"))


def test_a_comparison_gives_each_job_its_text(program, tmp_path):
    name = program(QUEENS)
    run = concord.compare(
        [BOARD, concord.Instance("queens", "five", "5")], name, out=tmp_path / "r"
    )
    assert list(run.jobs["outcome"]) == ["finished", "finished"]
    assert list(run.jobs["error"]) == ["", ""]


def test_arrays_are_names_that_differ_in_numbers():
    grouped = group_arrays(["x[0]", "x[1]", "r1c1", "r1c2", "z", "7"])
    assert grouped == {"x": ["x[0]", "x[1]"], "r1c": ["r1c1", "r1c2"]}


def test_a_value_that_is_shown_twice_must_be_the_same():
    reader = NamedValues(["x[0]", "x[1]"], optimum=False)
    reader.line("x = [1, 2];")
    reader.line("x[1] = 2")
    with pytest.raises(Garbled, match="two values"):
        reader.line("x[0] = 3;")
