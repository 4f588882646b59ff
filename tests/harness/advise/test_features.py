"""Features of problems, beside figures that were counted by hand."""

from __future__ import annotations

from math import log10

import pytest

from harness.advise.features import FEATURES, KINDS, find_kind, measure_features
from modelling.constraints import AllDifferent, Constraint, Linear, NotEqual, Table
from modelling.problem import Objective, Problem, Structure


class Own(Constraint):
    def holds(self, values: tuple[int, ...]) -> bool:
        return True


def measure(problem: Problem) -> dict[str, float]:
    return dict(zip(FEATURES, measure_features(problem), strict=True))


def make(*constraints: Constraint, objective: Objective | None = None) -> Problem:
    names = ("x", "y", "z", "u")
    return Structure(names, (range(1, 6),) * 4, constraints, objective).problem()


def test_sizes_density_and_degree() -> None:
    found = measure(make(AllDifferent((0, 1, 2, 3)), NotEqual((0, 1))))
    assert found["variables"] == pytest.approx(log10(4))
    assert found["constraints"] == pytest.approx(log10(2))
    assert found["values"] == found["largest_domain"] == pytest.approx(log10(5))
    assert found["arity"] == pytest.approx(log10(3))
    assert found["degree"] == pytest.approx(log10(1 + 6 / 4))
    assert found["density"] == pytest.approx(3 / 4)
    assert found["fixed"] == found["optimum"] == 0
    assert found["share_all_different"] == found["share_not_equal"] == 0.5


def test_givens_and_the_objective() -> None:
    whole = make(Linear((0, 1), (1, 1), "<=", 4), objective=Objective("minimize", (0,), (1,)))
    found = measure(Problem(whole.structure, (1, 1, 0b11111, 0b11111)))
    assert found["fixed"] == 0.5
    assert found["values"] == pytest.approx(log10(3))
    assert found["optimum"] == 1
    assert found["share_linear"] == 1


def test_a_problem_without_anything_has_features() -> None:
    found = measure(Structure((), (), ()).problem())
    assert set(found.values()) == {0.0}


def test_kinds_of_constraints() -> None:
    assert find_kind(Own((0,))) == "other"
    assert find_kind(Table((0, 1), ((1, 2),))) == "table"
    assert {find_kind(one) for one in make(AllDifferent((0, 1))).structure.constraints} <= {*KINDS}
