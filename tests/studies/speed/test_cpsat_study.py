"""The study of CP-SAT's configurations, on a few tiny problems."""

import json

import pytest

pytest.importorskip("ortools.sat.python.cp_model")

from backends.interface import registry
from backends.interface.api import Solutions
from modelling.constraints import AllDifferent
from modelling.problem import state
from results.studies.speed.cpsat import __main__ as program
from results.studies.speed.cpsat import report
from results.studies.speed.cpsat.configurations import (
    ASKS,
    CONFIGURATIONS,
    Answer,
    Bare,
    Configuration,
)
from results.studies.speed.cpsat.measuring import fault
from results.studies.speed.cpsat.parts import Part, drawn, equations, knapsack, tables

pytestmark = pytest.mark.once

PAIR = state({"x": range(2), "y": range(2)}, [AllDifferent(("x", "y"))])
BOTH = [(0, 1), (1, 0)]


def test_it_measures_checks_and_writes(tmp_path, monkeypatch):
    parts = (
        Part("pair", ("first", "all"), lambda: [PAIR], 2),
        Part("knapsack", ("all optima",), drawn(knapsack, 1)),
    )
    for module in (program, report):
        monkeypatch.setattr(module, "PARTS", parts)
    monkeypatch.setattr(program, "WORKERS", ((parts[0], "first"),))
    program.main(["--repeat", "1", "--out", str(tmp_path)])
    figures = json.loads((tmp_path / "cpsat.json").read_text())
    assert [(c["part"], c["ask"]) for c in figures["cells"]] == [
        ("pair", "first"),
        ("pair", "all"),
        ("knapsack", "all optima"),
    ]
    for cell in figures["cells"][:2]:
        assert cell["chosen"] == ["booleans,presolve=off"]
        assert cell["ratios"][cell["best"]] == 1
        assert not cell["wrong"]
        assert set(cell["ratios"]) == {*CONFIGURATIONS, "concord"}
    assert [w["instances"] for w in figures["workers"]] == [1]
    text = (tmp_path / "cpsat.md").read_text()
    assert "| pair | first | 1 |" in text
    assert "One worker and two" in text


@pytest.mark.parametrize(
    ("ask", "answer", "said"),
    [
        ("all", Answer(BOTH, True), ""),
        ("first", Answer(BOTH[:1], True), ""),
        ("uniqueness", Answer(BOTH[:1], True), "1 solutions, not 2"),
        ("all", Answer(BOTH[:1] * 2, True), "a solution twice"),
        ("first", Answer([(1, 1)], True), "is violated"),
        ("first", Answer([], True), "0 solutions, not 1"),
        ("optimum", Answer(BOTH[:1], True, 3), "optimum 3, not None"),
    ],
)
def test_a_wrong_answer_is_seen(ask, answer, said):
    found = fault(PAIR, ask, answer, Answer(BOTH, True))
    assert said in found
    assert bool(said) == bool(found)


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_every_configuration_is_put_to_cpsat(name):
    answer = Bare(CONFIGURATIONS[name], "all")(PAIR)
    assert (sorted(answer.solutions), answer.ended) == (BOTH, True)


def test_a_parameter_that_cpsat_does_not_know_is_an_error():
    with pytest.raises(AttributeError, match="no_such_parameter"):
        Bare(Configuration("booleans", {"no_such_parameter": 1}), "first")(PAIR)


def test_the_drawn_problems_have_solutions_or_are_counted():
    for draw in (tables, equations):
        assert registry.get("propagation").solve(draw(0), Solutions(1)).count == 1


def test_variables_left_unfixed_are_no_optimum():
    """docs/disagreements.md: why no backend sets ``instantiate_all_variables``."""
    problem = knapsack(0)
    known = registry.get("propagation").solve(problem, ASKS["optimum"]).objective
    of = {
        name: Bare(CONFIGURATIONS[f"alldifferent, {name}"], "optimum")(problem).objective
        for name in ("presolve off", "presolve off, not all instantiated")
    }
    assert of["presolve off"] == known == 182
    assert of["presolve off, not all instantiated"] != known
