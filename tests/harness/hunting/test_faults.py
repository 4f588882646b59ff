"""Each class of fault, by what a record says."""

import pytest

from harness.hunting.findings import Answer
from harness.hunting.judging.faults import describe_end, find_faults
from harness.hunting.judging.truth import add_witness, describe_truth, find_truth
from harness.job import Question
from harness.record import Record
from modelling.constraints import NotEqual
from modelling.problem import Objective, build_problem

PROBLEM = build_problem(
    {"x": range(2), "y": range(2)},
    [NotEqual(("x", "y"))],
    objective=Objective("maximize", ("x", "y"), (2, 1)),
)
ALL, ONE, BEST, BEST_ALL = (
    Question(None, 9),
    Question(1, 1),
    Question(1, 1, True),
    Question(None, 9, True),
)
RIGHT = ((0, 1), (1, 0))


def record(status="SATISFIABLE", solutions=(), count=None, **more):
    count = len(solutions) if count is None else count
    said = {"outcome": "finished", "stopped_by": "exhausted"} | more
    return Record(job=1, status=status, solutions=solutions, count=count, **said)


@pytest.mark.parametrize(
    ("question", "answer", "faults"),
    [
        (ALL, record(solutions=RIGHT), set()),
        (ALL, record("UNSATISFIABLE"), {"false unsatisfiable"}),
        (ALL, record(solutions=((0, 1),)), {"missing solution", "wrong count"}),
        (ALL, record(solutions=((0, 1), (1, 1))), {"wrong solution", "missing solution"}),
        (ALL, record(solutions=(*RIGHT, (1, 0))), {"duplicate solution", "wrong count"}),
        (ALL, record(solutions=RIGHT[:1], count=3), {"wrong count"}),
        (ALL, record(solutions=RIGHT, repeats=1), {"duplicate solution"}),
        (ALL, record(solutions=RIGHT[:1], stopped_by="time", outcome="timeout"), set()),
        (ONE, record(solutions=RIGHT[:1], stopped_by="enough"), set()),
        (ONE, record(solutions=((1, 1),), stopped_by="enough"), {"wrong solution"}),
        (BEST, record("OPTIMUM", RIGHT[1:], objective=2), set()),
        (BEST, record("OPTIMUM", RIGHT[:1], objective=1), {"false optimum"}),
        (BEST, record("OPTIMUM", RIGHT[1:], objective=3), {"false optimum"}),
        (BEST, record("UNSATISFIABLE"), {"false unsatisfiable"}),
        (BEST_ALL, record("OPTIMUM", RIGHT[1:], objective=2), set()),
        (
            BEST_ALL,
            record("OPTIMUM", (), count=0, objective=2),
            {"missing solution", "wrong count"},
        ),
        (ALL, record("UNKNOWN", outcome="crashed", stopped_by=""), {"crash"}),
        (ALL, record("UNKNOWN", outcome="error", stopped_by="", error="E: 1"), {"crash"}),
        (ALL, record("UNKNOWN", outcome="timeout", stopped_by=""), {"hang"}),
    ],
)
def test_faults(question, answer, faults):
    assert set(find_faults(find_truth(PROBLEM), question, answer)) == faults


def test_a_truth_of_some_solutions_knows_no_count():
    domains = {f"v{k}": range(10) for k in range(8)}
    large = build_problem(domains, [], objective=Objective("minimize", ("v0",), (1,)))
    known = [(3, *[0] * 7), (11, *[0] * 7)]
    truth = find_truth(large, known)
    assert (truth.is_complete, truth.count, truth.best) == (False, None, 3)
    assert truth.solutions == (known[0],)
    assert set(find_faults(truth, ALL, record("UNSATISFIABLE"))) == {"false unsatisfiable"}
    worse = record("OPTIMUM", ((4, *[0] * 7),), objective=4)
    assert set(find_faults(truth, BEST, worse)) == {"false optimum"}
    better = record("OPTIMUM", ((2, *[0] * 7),), objective=2)
    assert not find_faults(truth, BEST, better)


def test_a_witness_adds_what_it_has_shown():
    domains = {f"v{k}": range(10) for k in range(8)}
    large = build_problem(domains, [])
    witness = record(solutions=((0,) * 8,), count=10**8)
    truth = add_witness(find_truth(large), witness, ALL)
    assert (truth.count, truth.authority) == (10**8, "agreement")
    assert set(find_faults(truth, ALL, record(solutions=((0,) * 8,), count=5))) == {
        *("missing solution", "wrong count")
    }
    wrong = record(solutions=((10,) * 8,), count=1)
    assert add_witness(find_truth(large), wrong, ALL).count is None


def test_the_right_answer_refutes_the_wrong_one():
    right = describe_truth(find_truth(PROBLEM), "missing solution", Answer(solutions=RIGHT[:1]))
    assert (right.count, right.solutions) == (2, RIGHT[1:])
    best = describe_truth(find_truth(PROBLEM), "false optimum", Answer(objective=1))
    assert (best.status, best.objective, best.solutions) == ("OPTIMUM", 2, RIGHT[1:])


def test_the_end_of_a_crash_has_no_numbers_and_paths():
    said = "Traceback\n  ...\nValueError: 17 of /tmp/x-3/a.xml is bad\n"
    ended = record("UNKNOWN", outcome="error", stopped_by="", error=said)
    assert describe_end(ended) == "ValueError: N of PATH is bad"
