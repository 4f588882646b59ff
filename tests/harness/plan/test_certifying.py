"""``--certify``: which backends are asked for proofs, and by which names."""

import pytest

from harness.plan.certifying import ask_for_proofs, certify
from harness.plan.experiment import Experiment
from modelling.errors import UnknownBackend


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("sat", "sat:proof=check"),
        ("sat:cadical195", "sat:cadical195,proof=check"),
        ("fast=sat:direct", "fast=sat:direct,proof=check"),
        ("sat:proof=check", "sat:proof=check"),
        ("sat:check", "sat:check"),
        ("sat:proof=none", ""),
        ("sat:minisat22", ""),  # it writes none
        ("propagation", ""),  # nor does backtracking
        ("propagation:learning", "propagation:learning,proof=check"),
        ("propagation:learning,compiled", ""),
        ("brute_force", ""),
        ("py:some.module:thing", ""),
    ],
)
def test_proofs_are_asked_of_those_that_give_them(name, asked):
    assert ask_for_proofs(name) == asked


def test_the_limit_of_the_check_goes_along():
    assert ask_for_proofs("sat", 5) == "sat:proof=check,proof_seconds=5"
    assert ask_for_proofs("sat:proof=check", 5) == "sat:proof=check,proof_seconds=5"
    assert ask_for_proofs("sat:proof_seconds=7", 5) == "sat:proof_seconds=7,proof=check"


def test_libraries_that_write_proofs_are_asked():
    pytest.importorskip("exact")
    pytest.importorskip("pumpkin_solver")
    assert ask_for_proofs("exact") == "exact:proof=check"
    assert ask_for_proofs("pumpkin:unsat-sat") == "pumpkin:unsat-sat,proof=check"


def test_an_experiment_says_who_gives_proofs():
    experiment = Experiment(name="x", sets=["queens"], backends=["a=sat", "propagation"])
    found = certify(experiment)
    assert experiment.backends == ["a=sat:proof=check", "propagation"]
    assert found.text == "Proofs are asked of a. No proofs can be asked of propagation."
    experiment.backends = ["brute_force"]
    assert certify(experiment).text == "No proofs can be asked of brute_force."


def test_a_name_that_cannot_be_read_is_an_error():
    with pytest.raises(UnknownBackend):
        ask_for_proofs("sat:no-such-option")
