"""Findings of planted mistakes become small, and stay the same mistake."""

from collections.abc import Iterator
from itertools import islice

import pytest

from backends.conformance.drawn_problems import drawn_problems, plain_problems
from backends.interface.api import Limits
from harness.hunting import shrinking
from harness.hunting.asking import Questioner
from harness.hunting.findings import Answer, Finding
from harness.hunting.judging.faults import MOST_FIRST, find_faults
from harness.hunting.judging.truth import describe_truth, find_truth, is_small
from harness.hunting.shrinking import measure, shrink
from harness.job import Question
from modelling.constraints import AllDifferent, Linear, Not, NotEqual, Table
from modelling.errors import InputError
from modelling.problem import Problem, build_problem
from modelling.text import to_text
from modelling.vocabulary import VOCABULARY

pytestmark = pytest.mark.once  # many questions to processes

ALL = Question(None, 1000)
LIMITS = Limits(seconds=20)
KINDS = (AllDifferent, NotEqual, Linear, Table)


def draw(number: int) -> Iterator[Problem]:
    mixed, plain = drawn_problems(7, KINDS), plain_problems(7, VOCABULARY)
    for (_, problem), (*_, alone) in islice(zip(mixed, plain, strict=False), number):
        yield from (one for one in (problem, alone) if is_small(one))


def hunt(backend: str, most: int = 400) -> Finding:
    """The first wrong answer to a drawn problem that has more than two constraints or variables."""
    with Questioner("isolated") as questioner:
        for problem in draw(most):
            text = to_text(problem)
            record = questioner.ask(text, backend, ALL, LIMITS)
            truth = find_truth(problem)
            faults = find_faults(truth, ALL, record)
            fault = next((fault for fault in MOST_FIRST if fault in faults), None)
            if fault is not None:
                claimed = faults[fault]
                right = describe_truth(truth, fault, claimed)
                return Finding(text, ALL, backend, fault, claimed, right, "oracle", LIMITS)
    raise AssertionError(f"none of {most} problems shows what {backend} does wrong")


@pytest.mark.parametrize(
    "name", ["LosesTheLastRow", "ForgetsNegations", "TooStrict", "DiesOfElements"]
)
def test_a_planted_mistake_becomes_small(tmp_path, name):
    found = hunt(f"py:planted:{name}")
    steps = []
    small, shrunk = shrink(found, tmp_path, 600, lambda *what: steps.append(what))
    size = measure(small)
    assert shrunk.is_smallest
    assert small.fault == found.fault
    assert size.variables <= 2
    assert size.constraints == 1
    assert small == Finding.read(tmp_path)


def test_a_large_problem_needs_no_oracle(tmp_path):
    """One solution is known; as far as it holds it refutes the claim that there is none."""
    domains = {f"v{k}": range(6) for k in range(8)}
    sums = [Not(Linear((f"v{k}", f"v{k + 1}"), (1, 1), ">", 10)) for k in range(7)]
    problem = build_problem(domains, sums)
    assert not is_small(problem)
    zeros = ((0,) * 8,)
    found = Finding(
        *(to_text(problem), Question(1, 1), "py:planted:ForgetsNegations", "false unsatisfiable"),
        *(Answer("UNSATISFIABLE"), Answer("SATISFIABLE", solutions=zeros), "check"),
    )
    small, shrunk = shrink(found, tmp_path, 600)
    assert shrunk.is_smallest
    assert measure(small).constraints == 1
    assert small.authority == "oracle"


def test_a_finding_that_is_repaired_is_said_so(tmp_path):
    problem = build_problem({"x": range(3)}, [Linear(("x",), (1,), "<=", 1)])
    found = Finding(
        *(to_text(problem), ALL, "brute_force", "wrong count"),
        *(Answer("SATISFIABLE", count=3), Answer("SATISFIABLE", count=2), "oracle"),
    )
    with pytest.raises(InputError, match="does not make this fault"):
        shrink(found, tmp_path, 60)


def test_what_is_wrong_now_and_then_becomes_small_too(tmp_path, monkeypatch):
    monkeypatch.setattr(shrinking, "MOST_TRIES", 40)  # so that it is seen
    problem = build_problem(
        {"x": range(3), "y": range(3)},
        [Not(Linear(("x", "y"), (1, 1), ">", 2)), AllDifferent(("x", "y"))],
    )
    backend = "py:planted:ForgetsNowAndThen"
    seldom = Finding(
        *(to_text(problem), Question(1, 1), backend, "wrong solution"),
        *(Answer("SATISFIABLE", count=1), Answer("SATISFIABLE", count=4), "oracle"),
        tries=40,
    )
    small, shrunk = shrink(seldom, tmp_path, 600)
    assert (small.tries, shrunk.is_smallest, measure(small).constraints) == (40, True, 1)
    assert Finding.read(tmp_path) == small


def test_shrinking_is_continued(tmp_path):
    found = hunt("py:planted:LosesTheLastRow")
    cut, before = shrink(found, tmp_path, 1e-9)
    assert not before.is_smallest
    small, after = shrink(found, tmp_path, 600)
    assert after.is_smallest
    assert after.questions > before.questions
    assert small.text != cut.text
    again, third = shrink(found, tmp_path, 600)
    assert again.text == small.text
    assert third.before == after.before
