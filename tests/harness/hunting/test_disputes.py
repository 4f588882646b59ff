"""A dispute between two solvers is made smaller, and then has a cause as any finding has."""

import pytest

from harness.hunting.asking import Questioner
from harness.hunting.findings import Answer
from harness.hunting.fuzzing.causes import find_cause
from harness.hunting.fuzzing.disputes import make_smaller
from harness.hunting.fuzzing.drawing.questions import EVERY
from harness.hunting.judging.answers import Wrong
from harness.hunting.judging.asked import Asked
from modelling.constraints import Linear, Table
from modelling.problem import build_problem

LIAR = "py:planted:LosesTheLastRow"
DOMAINS = {f"v{k}": range(6) for k in range(8)}
ENDS = [Linear((name,), (1,), "<=", 0) for name in list(DOMAINS)[1:]]
TABLE = Table(("v0",), ((1,), (2,), (3,)))
LARGE = build_problem(DOMAINS, [*ENDS, TABLE])

pytestmark = pytest.mark.once  # solvers are started


def dispute(backend, witness):
    note = f"it is contradicted; the other one is said by {witness}"
    wrong = Wrong("missing solution", Answer(count=3), "agreement", note, witness)
    return Asked(LARGE, "large", backend, EVERY), wrong, Answer(count=2)


def test_what_is_not_needed_is_taken_away():
    with Questioner() as questioner:
        smaller, wrong, claimed = make_smaller(*dispute(LIAR, "propagation"), LIAR, questioner)
    structure = smaller.problem.structure
    assert [type(one) for one in structure.constraints].count(Table) == 1
    assert len(structure.constraints) < len(LARGE.structure.constraints) + 1
    assert (wrong.authority, wrong.witness) == ("agreement", "")
    assert claimed.count < wrong.right.count or wrong.right.solutions
    cause = str(find_cause(smaller, wrong, LIAR))
    assert cause.startswith(f"{LIAR}: missing solution with ")
    assert "Table" in cause


def test_a_dispute_that_is_gone_stays_as_it_was():
    with Questioner() as questioner:
        given = dispute("propagation", "sat")
        assert make_smaller(*given, "propagation", questioner) == given
    cause = str(find_cause(given[0], given[1], "propagation"))
    assert cause == "propagation: missing solution with no oracle, by agreement"
