"""How learning approaches the best value: each rule against the definition, with proofs."""

import random
from math import ceil, log2

import pytest

import concord
from backends.interface.api import AllOptima, Optimum, Solutions
from backends.interface.registry import get
from backends.proofs.inferences.program import check
from backends.propagation.learning.solver import OBJECTIVES, LearningSession
from modelling.constraints import Linear
from modelling.errors import UnknownBackend
from modelling.problem import Objective
from tests.backends.propagation.proof_checks import stated
from tests.backends.propagation.propagator_checks import solutions_of
from tests.backends.propagation.test_learning import draw_structure

RULES = [rule for rule in OBJECTIVES if rule not in ("auto", "linear")]
FORMS = ("pure", pytest.param("compiled", marks=pytest.mark.once))


def backend_of(rule, more="form=pure"):
    return get(f"propagation:learning,objective={rule},{more}")


def best_of(problem):
    """The values of all solutions, and the best of them."""
    objective = problem.structure.objective
    values = [objective.value(row) for row in solutions_of(problem)]
    best = min if objective.sense == "minimize" else max
    return values, best(values, default=None)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rule", RULES)
def test_optima_are_those_of_the_definition(rule, form):
    rng = random.Random(f"optima {rule}")
    backend = backend_of(rule, f"form={form}")
    for case in range(40):
        problem = draw_structure(rng, with_objective=True)
        values, best = best_of(problem)
        found = backend.solve(problem, Optimum())
        what = f"case {case}: {problem}"
        assert (found.objective, found.stopped_by) == (best, "exhausted"), what
        assert backend.solve(problem, AllOptima()).count == values.count(best), what
        assert backend.solve(problem, Solutions(None, 0)).count == len(values), what


@pytest.mark.parametrize("rule", RULES)
def test_proofs_of_optima_are_accepted(rule):
    rng = random.Random(f"proofs {rule}")
    backend = backend_of(rule, "proof=check")
    totals = proofs = 0
    for case in range(40):
        problem = draw_structure(rng, with_objective=True)
        for one in backend.solve(problem, Optimum()).refutations:
            model = one.formula().decode().splitlines()
            verdict = check(model, one.proof.decode().splitlines())
            assert verdict.state == "checked", f"case {case}: {verdict}"
            totals += any(line.startswith("total") for line in model)
            proofs += 1
    assert proofs > 30
    assert (totals > 20) == (rule != "stratified")


@pytest.mark.parametrize("rule", ["lower", "halves", "stratified", "both"])
def test_a_ruler_that_takes_restarts(rule):
    ruler = concord.family("golomb").problem("7")
    found = backend_of(rule).solve(ruler, Optimum())
    assert (found.objective, found.stopped_by) == (25, "exhausted")
    assert found.statistics["restarts"] > 0


def weighed(sense, factors):
    """A sum over -4..20 and 0..31, both of which are at least 6 together."""
    domains = [range(-4, 21), range(32)]
    return stated(domains, [Linear((0, 1), (1, 1), ">=", 6)], Objective(sense, (0, 1), factors))


@pytest.fixture
def improvements(monkeypatch):
    """The values of the incumbents."""
    found = []
    improve = LearningSession.improve

    def note(self, objective, than):
        found.append(than)
        improve(self, objective, than)

    monkeypatch.setattr(LearningSession, "improve", note)
    return found


@pytest.mark.parametrize(
    ("sense", "factors", "best"),
    [
        ("minimize", (1, 1), 6),
        ("minimize", (3, 1), -2),
        ("minimize", (1, 0), -4),
        ("maximize", (-1, 0), 4),
        ("maximize", (1, 0), 20),
        ("maximize", (-2, -3), -12),
    ],
)
def test_the_first_solution_from_below_is_the_best(sense, factors, best, improvements):
    assert backend_of("lower").solve(weighed(sense, factors), Optimum()).objective == best
    assert improvements == [best]


@pytest.mark.parametrize("factors", [(1, 1), (1, 0), (5, 2)])
@pytest.mark.parametrize("sense", ["minimize", "maximize"])
def test_the_open_half_of_the_values_gets_less_with_each_solution(sense, factors, improvements):
    problem = weighed(sense, factors)
    _, best = best_of(problem)
    assert backend_of("halves").solve(problem, Optimum()).objective == best
    width = sum(abs(f) * s for f, s in zip(factors, (24, 31), strict=True))
    assert 0 < len(improvements) <= ceil(log2(width + 1)) + 1


def test_from_both_sides_the_first_run_is_linear(improvements):
    backend_of("linear").solve(weighed("maximize", (1, 1)), Optimum())
    linear = [*improvements]
    improvements.clear()
    backend_of("both").solve(weighed("maximize", (1, 1)), Optimum())
    assert improvements == linear
    assert len(linear) > 1


@pytest.mark.once
def test_tours_are_searched_from_both_sides():
    (text,) = [one.text for one in concord.generate(1, family="tsp", seed=1, cities=30)]
    tour = concord.family("tsp").problem(text)
    found = {
        rule: backend_of(rule, "form=compiled").solve(tour, Optimum())
        for rule in ("linear", "auto", "both")
    }
    assert {one.objective for one in found.values()} == {4726}
    failures = {rule: one.statistics["failures"] for rule, one in found.items()}
    assert 10 * failures["auto"] < failures["linear"]
    assert failures["auto"] == failures["both"]


def test_the_term_of_the_greatest_factor_is_decided_first(improvements):
    found = backend_of("stratified").solve(weighed("minimize", (1, 3)), Optimum())
    assert (found.objective, improvements) == (6, [6])  # the second is 0, so the first is 6


def test_only_learning_decides_the_objective_first():
    with pytest.raises(UnknownBackend, match="only learning decides the objective first"):
        concord.get_backend("propagation:objective=lower")
    with pytest.raises(UnknownBackend, match="unknown value of objective"):
        concord.get_backend("propagation:learning,objective=core")
