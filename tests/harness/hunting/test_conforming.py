"""What `concord conform` finds is made small."""

import pytest

from harness.hunting.conforming import find_fault, write_small
from harness.hunting.findings import Finding
from modelling.constraints import Linear, Table
from modelling.errors import InputError
from modelling.problem import build_problem
from modelling.text import to_text
from puzzles.family import Instance

ROWS = ((0, 0, 1), (1, 1, 1), (2, 0, 1), (2, 1, 0))
PROBLEM = build_problem(
    {"x": range(3), "y": range(2), "z": range(3)},
    [Table(("x", "y", "z"), ROWS), Linear(("x", "z"), (1, 1), "<=", 4)],
)
FAILED = [Instance("problem", "one", to_text(PROBLEM))]


def test_a_wrong_answer_is_found_again():
    finding = find_fault(FAILED, "py:planted:LosesTheLastRow", 10)
    assert finding.fault == "missing solution"
    assert finding.authority == "oracle"


@pytest.mark.once
def test_a_right_solver_leaves_nothing_to_make_small():
    with pytest.raises(InputError, match="nothing to make small"):
        find_fault(FAILED, "brute_force", 10)


@pytest.mark.once
def test_the_folder_has_a_small_finding(tmp_path):
    small, _ = write_small(FAILED, "py:planted:LosesTheLastRow", tmp_path, 10, 20)
    assert small.problem.structure.size <= 2
    assert Finding.read(tmp_path).text == small.text
    assert (tmp_path / "issue.md").exists()
