"""Proofs of Exact: certified, of the handlers' formula, and the formula against the constraints."""

import random

import pytest

pytest.importorskip("exact", reason="Exact is optional, and under the AGPL: the extra 'exact'")

import concord
from backends.exact.formula import Formula, combine
from backends.exact.handlers import HANDLERS
from backends.exact.proving import LOOKS_FOR_PAIRS, ProvingExact
from backends.interface.api import AllOptima, Optimum, Solutions
from backends.interface.libraries.formulas import handler
from modelling.constraints import AllDifferent, Iff, Implies, Linear, NotEqual, Table
from modelling.errors import ContradictoryResult, UnknownBackend
from modelling.problem import Objective
from tests.backends.propagation.proof_checks import stated
from tests.backends.propagation.test_proving import DRAWN, PROBLEMS, drawn

pytestmark = pytest.mark.once  # many proofs are checked

PROVING = "exact:proof=check"
PROVER = "the checker of cutting planes"


def certificate(problem, ask=None):
    if ask is None:
        ask = Solutions(1) if problem.structure.objective is None else Optimum()
    return concord.solve(problem, ask, backend=PROVING).certificate


@pytest.mark.parametrize("kind", ["pigeons", "square", "colouring", "knapsack"])
def test_refutations_and_optima_are_certified(kind):
    found = certificate(PROBLEMS[kind](random.Random(1)))
    assert (found.state, found.said) == ("checked", PROVER)
    assert found.encoding in ("enumerated", "agreed")
    assert found.size > found.steps > 1


def test_counts_and_all_optima_are_certified():
    problem = stated(
        [range(4)] * 3,
        [Linear((0, 1, 2), (1, 2, -1), "<=", 3), NotEqual((0, 2))],
        Objective("maximize", (0, 1, 2), (2, 1, 0)),
    )
    for ask in (Solutions(None), Optimum(), AllOptima()):
        found = concord.solve(problem, ask, backend=PROVING)
        other = concord.solve(problem, ask)
        assert (found.count, found.objective) == (other.count, other.objective)
        assert (found.certificate.state, found.certificate.encoding) == ("checked", "enumerated")


@pytest.mark.parametrize("seed", range(10))
def test_drawn_problems_are_certified(seed):
    rng = random.Random(seed)
    for _ in range(6):
        problem = drawn(rng, rng.choice(list(DRAWN)))
        ask = Solutions(None) if problem.structure.objective is None else AllOptima()
        found = certificate(problem, ask)
        assert found.state in ("", "checked")
        assert found.encoding != "wrong"


@pytest.mark.once
@pytest.mark.parametrize("kind", ["ruler", "shop"])
def test_larger_optima_are_certified(kind):
    assert certificate(PROBLEMS[kind](random.Random(1))).state == "checked"


def test_pairs_are_not_looked_for_among_many_booleans(monkeypatch):
    given = []
    made = ProvingExact.make
    monkeypatch.setattr(
        ProvingExact,
        "make",
        lambda self, call, *more: given.append(more) or made(self, call, *more),
    )
    for size in (3, 200):
        certificate(stated([range(size)] * 2, [Linear((0, 1), (1, 1), "<=", 1)]))
    for name in LOOKS_FOR_PAIRS:
        assert [(name, "0") in more for more in given] == [False, True]


# --- the formula ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "constraint",
    [
        AllDifferent((0, 1, 2)),
        Linear((0, 1, 2), (2, -1, 3), "<=", 4),
        Linear((0, 1, 2), (2, -1, 3), "!=", 4),
        Table((0, 1), ((0, 1), (1, 2), (2, 0)), True),
        Table((0, 1), ((0, "*"), ("*", 1)), True),
        Table((0, 1), ((0, 1), (1, 1)), False),
        Implies(Linear((3,), (1,), "==", 1), Linear((0, 1, 2), (3, 5, 7), "==", 15)),
        Iff(Linear((3,), (1,), "==", 1), Linear((0, 1, 2), (3, 5, 7), ">=", 15)),
    ],
)
def test_inequalities_are_compared_with_the_constraints(constraint):
    problem = stated([range(4)] * 3 + [range(2)], [constraint])
    found = certificate(problem, Solutions(None))
    assert (found.state, found.encoding) == ("checked", "enumerated")


def test_long_sums_are_compared_without_enumeration():
    rng = random.Random(3)
    n = 30
    weights = tuple(rng.randint(3, 30) for _ in range(n))
    sums = [Linear(tuple(range(n)), weights, relation, 40) for relation in ("<=", ">=")]
    apart = Linear((0, 1), (1, -1), "!=", 0)
    condition = Linear((n,), (1,), "==", 1)
    cases = ([sums[0], sums[1]], [Implies(condition, sums[0]), sums[1]], [Iff(condition, sums[1])])
    for constraints in cases:
        contradiction = [Linear((1, 2), (1, 1), "<=", 0), Linear((1, 2), (1, 2), ">=", 1)]
        problem = stated([range(3)] * n + [range(2)], [*constraints, apart, *contradiction])
        found = certificate(problem)
        assert (found.state, found.encoding) == ("checked", "enumerated"), found


def test_a_formula_that_loses_solutions_is_found_out(monkeypatch):
    """Every answer of the wrong formula has a proof."""

    def too_little(formula: Formula, constraint, condition):
        found = combine([(1, formula.weigh(constraint.terms, constraint.coefficients))])
        formula.at_most(found, constraint.constant - 1)

    problem = stated([range(3)] * 2, [Linear((0, 1), (1, 1), "<=", 2)])
    right = concord.solve(problem, Solutions(None), backend=PROVING)
    assert right.certificate.encoding == "enumerated"
    monkeypatch.setitem(HANDLERS, Linear, handler(too_little, modes=("root",)))
    with pytest.raises(ContradictoryResult, match="the encoding is wrong"):
        concord.solve(problem, Solutions(None), backend=PROVING)


def test_options_are_refused_by_name():
    with pytest.raises(UnknownBackend, match="proof"):
        concord.get_backend("exact:proof=maybe")
    with pytest.raises(UnknownBackend, match="proof-log"):
        concord.get_backend("exact:proof-log=here")
