"""The study of learning: penalised means, and how far we are ahead."""

from argparse import Namespace

from backends.interface.api import Solutions
from concord import Model, all_different
from results.studies.speed.learning.__main__ import OURS, Answer, Row, report, row_of, solve_apart
from results.studies.speed.learning.instances import SETS

THEIRS = "pumpkin"


def test_a_problem_that_is_not_solved_counts_twice_the_limit():
    rows = [
        Row("shops", "one", OURS, 1.0, "OPTIMUM 3", 10),
        Row("shops", "two", OURS, 3.0, "OPTIMUM 4", 20),
        Row("shops", "one", THEIRS, 4.0, "OPTIMUM 3"),
        Row("shops", "two", THEIRS, None, ""),
    ]
    page = report(rows, Namespace(command="COMMAND", seconds=10.0))
    assert "| shops | 2.00 | 12.00 |" in page
    assert f"| {THEIRS} | 6.00 | 6.00 |" in page
    assert "| shops two | 3.00, 20 | - |" in page


def test_an_answer_that_is_not_complete_is_not_solved():
    whole = row_of("f", "p", OURS, Answer(1.0, "OPTIMUM", 3, "exhausted", 7))
    assert (whole.seconds, whole.answer, whole.conflicts) == (1.0, "OPTIMUM 3", 7)
    for answer in (None, Answer(1.0, "SATISFIABLE", 3, "time", 7)):
        assert row_of("f", "p", OURS, answer).seconds is None


def test_a_call_in_a_process_of_its_own_answers():
    model = Model()
    model.add(all_different(model.ints(3, 0, 2, "x")))
    name = "propagation:search=learning,form=pure"
    found = solve_apart(name, model.problem(), Solutions(None, 0), 10.0)
    assert found is not None
    assert (found.status, found.why) == ("SATISFIABLE", "exhausted")


def test_every_set_has_problems_with_names():
    for family, of in SETS.items():
        names = list(of.problems())
        assert len(names) >= 3, family
