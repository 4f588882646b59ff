"""Scripts: what a backend calls of its library, written down, answers as the backend does."""

from dataclasses import replace

import pytest

from backends.interface.registry import get
from harness.hunting.findings import Answer, Finding
from harness.hunting.judging.truth import describe_truth, find_truth
from harness.hunting.scripts import count_lines, shows_fault, write_script
from harness.hunting.scripts.recording import Recording, fold, rename, tidy
from harness.job import Question
from modelling.constraints import (
    Affine,
    AllDifferent,
    Define,
    Implies,
    Linear,
    Maximum,
    Not,
    Remainder,
    Table,
)
from modelling.errors import BackendUnavailable, Unsupported
from modelling.laws.drawing import structure_over
from modelling.problem import Objective, build_problem
from modelling.terms import constant
from modelling.text import to_text

pytestmark = pytest.mark.once  # each script is run

ALL, ONE, BEST = Question(None, 10), Question(1, 1), Question(1, 1, True)
NATIVE = ("choco", "cpsat:presolve=on", "pumpkin")
DIRECT = ("sat:direct,cadical195,integers=direct", "sat:direct,pycosat,integers=direct")
OTHERS = ("clingo", "python_constraint", *DIRECT, "toulbar2", "z3")
PROGRAMS = ("highs", "scip")
"""Scripts for these ask for one solution, or the best."""

SATISFIABLE = build_problem(
    {"x": range(3), "y": range(3), "p": range(2)},
    [
        Implies(Linear(("p",), (1,), "==", 1), Linear(("x", "y"), (2, 3), "==", 8)),
        Table(("x", "y"), ((1, 2), (2, 1), (1, 1))),
    ],
)
WITH_OBJECTIVE = build_problem(
    {"x": range(3), "y": range(3)},
    [Not(Linear(("x", "y"), (2, 3), "==", 8)), AllDifferent(("x", "y"))],
    objective=Objective("maximize", ("x", "y"), (2, -1)),
)


def make_finding(backend, problem, question, right=None):
    fault = "false optimum" if question.optimum else "wrong count"
    found = describe_truth(find_truth(problem), fault, Answer())
    given = to_text(problem), question, backend, fault, Answer()
    return Finding(*given, right or found, "oracle", version="1.0")


def get_or_skip(backend):
    try:
        get(backend)
    except BackendUnavailable as error:
        pytest.skip(str(error))


CASES = [
    *((backend, question) for backend in (*NATIVE, *OTHERS) for question in (ALL, ONE)),
    *((backend, ONE) for backend in PROGRAMS),
]


@pytest.mark.parametrize(("backend", "question"), CASES, ids=lambda it: getattr(it, "text", it))
def test_a_right_answer_is_right_in_a_script(backend, question):
    get_or_skip(backend)
    script = write_script(make_finding(backend, SATISFIABLE, question))
    is_wrong, said = shows_fault(make_finding(backend, SATISFIABLE, question), script)
    assert not is_wrong, said
    assert said.startswith("right:"), said
    assert "concord" not in script


@pytest.mark.parametrize("backend", [*NATIVE, *PROGRAMS, *OTHERS])
def test_an_optimum_in_a_script(backend):
    get_or_skip(backend)
    finding = make_finding(backend, WITH_OBJECTIVE, BEST)
    is_wrong, said = shows_fault(finding, write_script(finding))
    assert (is_wrong, said) == (False, "right: 4 found: 4\n")


@pytest.mark.parametrize("backend", [*NATIVE, *OTHERS])
def test_a_wrong_answer_ends_with_status_1(backend):
    """The script believes the finding, of which the right answer is wrong here."""
    get_or_skip(backend)
    finding = make_finding(backend, WITH_OBJECTIVE, BEST, Answer("OPTIMUM", objective=5))
    script = write_script(finding)
    assert shows_fault(finding, script) == (True, "right: 5 found: 4\n")
    assert count_lines(script) <= 20


def test_the_best_of_what_is_not_a_sum_is_not_written():
    get_or_skip("z3")
    objective = Objective("minimize", Maximum((0, 1)))
    structure = replace(WITH_OBJECTIVE.structure, objective=objective)
    with pytest.raises(Unsupported, match="the objective is not a sum"):
        write_script(make_finding("z3", structure.problem(), BEST))


def test_an_error_of_a_script_shows_no_fault():
    finding = make_finding("choco", SATISFIABLE, ALL)
    assert not shows_fault(finding, "import sys\nraise SystemExit(1)\n")[0]


def test_a_script_for_what_ends_the_process_while_the_problem_is_posed():
    """Choco's remainder by a variable that is 0: the calls are written down up to that."""
    get_or_skip("choco")
    rest = Define(0, Remainder(constant(0), Affine(0, -1, -1)))
    problem = structure_over([(-1,)], [rest]).problem()
    made = make_finding("choco:workarounds=dropped", problem, ONE)
    finding = replace(made, fault="crash", claimed=Answer(outcome="crashed"))
    script = write_script(finding)
    assert script.splitlines()[-1].startswith("model.mod(")
    assert shows_fault(finding, script)[0]


def test_a_script_for_what_is_wrong_now_and_then_runs_itself_again(tmp_path):
    get_or_skip("cpsat")
    finding = replace(make_finding("cpsat:presolve=on", SATISFIABLE, ALL), tries=2)
    script = write_script(finding)
    assert not shows_fault(finding, script)[0]
    second = f"import os; there = os.path.exists({str(tmp_path / 'flag')!r})"
    made = f"open({str(tmp_path / 'flag')!r}, 'a').close()"
    wrong = script.replace("sys.exit(bool(", f"{second}; {made}; sys.exit(there or bool(")
    assert shows_fault(finding, wrong)[0]


@pytest.mark.parametrize("backend", ["propagation", "brute_force"])
def test_no_script_for_a_solver_without_a_library(backend):
    with pytest.raises(Unsupported, match="script"):
        write_script(make_finding(backend, SATISFIABLE, ALL))


class Variable:
    """What can be added."""

    def __init__(self, name):
        self.name = name

    def __add__(self, other):
        return Variable(f"{self.name} + {other.name}")

    def __repr__(self):
        return f"<{self.name}>"


class Library:
    """A library with variables that can be added."""

    def __init__(self):
        self.said = []

    def variable(self, name):
        return Variable(name)

    def post(self, *items):
        self.said.append(repr(items))


def test_calls_are_recorded_and_made():
    recording, library = Recording(), Library()
    model = recording.wrap(library, "model")
    x, y = model.variable("x"), model.variable(name="y")
    model.post([x, y], range(2), x + y)
    assert library.said == ["([<x>, <y>], range(0, 2), <x + y>)"]
    assert recording.lines == [
        'v1 = model.variable("x")',
        'v2 = model.variable(name="y")',
        "model.post([v1, v2], range(0, 2), v1 + v2)",
    ]
    assert rename(recording.lines, {"v1": "x"})[0] == 'x = model.variable("x")'


def test_lines_become_fewer():
    lines = ["a1 = f()", "b1 = g(a1)", "h(b1, 3)", "c1 = k()"]
    assert tidy(lines, ()) == ["h(g(f()), 3)", "k()"]
    assert tidy(lines, ("a1",)) == ["a1 = f()", "h(g(a1), 3)", "k()"]
    assert tidy(["a1 = f()", "g()", "h(a1)"], ()) == ["a1 = f()", "g()", "h(a1)"]


def test_calls_in_a_row_become_a_loop():
    assert fold(["f(1, 2)", "f(3, 4)", "f(5, 6)", "g()"]) == [
        "for row in [(1, 2), (3, 4), (5, 6)]:",
        "    f(*row)",
        "g()",
    ]
    assert fold(["f()", "f()", "f()"]) == ["for _ in range(3):", "    f()"]
    assert fold(["f(x)", "f(y)", "f(z)"]) == ["f(x)", "f(y)", "f(z)"]
