"""The check of clauses variable by variable: exact, and wrong encoders of sums are found."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product
from time import perf_counter

import pytest

from backends.interface.api import Optimum, Solutions
from backends.interface.handlers import Handler
from backends.interface.registry import get
from backends.proofs.certify import certify
from backends.proofs.encodings import boxes, inquiry, linked
from backends.proofs.encodings.check import check_encoding
from backends.proofs.encodings.comparisons import Sum
from backends.proofs.encodings.extending import has_model
from backends.proofs.encodings.layers import Clauses, find_lost
from backends.proofs.encodings.partial_sums import Open, PartialSums, compare
from backends.sat.constraints.handlers import HANDLERS
from backends.sat.objective import counted
from modelling.check import violations
from modelling.constraints import Iff, Linear
from modelling.problem import Objective, Problem, build_problem
from results.studies.correctness.proofs import knapsack

RELATIONS = ("<=", "<", ">=", ">", "==", "!=")


def meets(total: int, relation: str, constant: int) -> bool:
    return Linear((0,), (1,), relation, constant).holds((total,))


@pytest.mark.parametrize("relation", RELATIONS)
def test_a_comparison_with_open_terms(relation):
    for sums in ({0}, {0, 3}, {-2, 0, 5}):
        for total, constant in product(range(-3, 4), range(-6, 7)):
            found = [meets(total + s, relation, constant) for s in sums]
            open_ = Open(frozenset(sums), min(sums), max(sums))
            assert compare(Sum({}, relation, constant), total, open_) == (any(found), all(found))


@pytest.mark.parametrize("seed", range(300))
def test_what_is_lost_is_found_exactly(seed):
    """Three variables of three values own literals 1 to 6 (a step each); 7 to 10 are free."""
    rng = random.Random(seed)
    clauses = []
    for _ in range(rng.randint(4, 16)):
        chosen = rng.sample(range(1, 11), rng.randint(1, 3))
        clauses.append(tuple(rng.choice((1, -1)) * b for b in chosen))
    clauses = [c for c in clauses if any(abs(x) > 6 for x in c)]
    pins = {
        v: {k: tuple(x if k > s else -x for s, x in enumerate((2 * v + 1, 2 * v + 2)))
            for k in range(3)}
        for v in range(3)
    }  # fmt: skip
    factors = {v: rng.choice((-2, -1, 1, 2, 3)) for v in range(4)}
    one = Sum(factors, rng.choice(RELATIONS), rng.randint(-2, 6))

    def domain(variable):
        return range(3) if variable < 3 else (0, 1)

    def is_kept(values):
        return any(
            meets(sum(factors[v] * x for v, x in enumerate((*values, last))), one[1], one[2])
            for last in domain(3)
        )

    def is_lost(values):
        true = [x for v, value in enumerate(values) for x in pins[v][value]]
        return not has_model(clauses, true)

    order = rng.sample(range(3), 3)
    found = find_lost(
        Clauses(clauses, range(7, 11)), order, pins, PartialSums([one], order, domain), lambda: None
    )
    every = list(product(range(3), repeat=3))
    assert (found is not None) == any(is_kept(v) and is_lost(v) for v in every)
    if found is not None:
        within = [v for v in every if all(v[k] == value for k, value in found.items())]
        assert any(map(is_kept, within))
        assert all(map(is_lost, within))


def test_a_value_without_literals_is_lost():
    sums = PartialSums([], [0], lambda v: range(2))
    lost = find_lost(Clauses([(1, 2)], [2]), [0], {0: {0: None, 1: (1,)}}, sums, lambda: None)
    assert lost == {0: 0}


def check(problem: Problem, one):
    return check_encoding(one, problem, perf_counter() + 120)


@pytest.mark.once  # each takes seconds
@pytest.mark.parametrize("options", ["", "sums=totalizer,", "integers=direct,"])
def test_a_long_knapsack_is_certified_with_its_encoding(options):
    pytest.importorskip("dratify", reason="the extra proof is not installed")
    problem = knapsack(15)
    result = get(f"sat:{options}proof=check").solve(problem, Optimum())
    found = certify(result, Optimum(), problem)
    assert (found.state, found.encoding) == ("checked", "enumerated"), found


def few() -> Problem:
    """Small enough to try all; the checks of this file take it variable by variable."""
    weights, values = (3, 5, 7, 11, 13, 4), (4, 5, 9, 10, 14, 3)
    return build_problem(
        {f"x{k}": range(2) for k in range(6)},
        [Linear(tuple(range(6)), weights, "<=", 21)],
        objective=Objective("maximize", tuple(range(6)), values),
    )


def loses_a_solution(problem: Problem, one, pins) -> bool:
    clauses = [c for part in one.clauses for c in part]
    for values in product(range(2), repeat=6):
        is_claimed = one.than is None or problem.structure.objective.value(values) > one.than
        if violations(problem, values) or not is_claimed:
            continue
        if not has_model(clauses, [x for v, value in enumerate(values) for x in pins[v][value]]):
            return True
    return False


@pytest.mark.once  # each takes seconds
@pytest.mark.parametrize("with_objective", [False, True])
@pytest.mark.parametrize("sums", ["auto", "totalizer", "adder", "counter"])
def test_a_changed_formula_is_right_only_if_it_loses_nothing(monkeypatch, sums, with_objective):
    """Clauses lose a literal, or have one turned, those of auxiliary variables included."""
    pytest.importorskip("dratify", reason="the extra proof is not installed")
    for module in (boxes, inquiry, linked):
        monkeypatch.setattr(module, "MOST_STEPS", 1)
    problem, rng = few(), random.Random(f"{sums} {with_objective}")
    result = get(f"sat:sums={sums},proof=check").solve(problem, Solutions(None))
    (one,) = result.refutations
    pins, clauses = one.literals(), [c for part in one.clauses[:2] for c in part]
    if with_objective:
        encoding, structure = one.literals.args
        objective = problem.structure.objective
        clauses = list(counted(encoding, structure, objective, 20)[0].clauses)
        one = replace(one, than=20)
    one = replace(one, excluded=(), clauses=(clauses,))
    assert check(problem, one).state == "enumerated"
    assert not loses_a_solution(problem, one, pins)
    lost = {True: 0, False: 0}
    for _ in range(40):
        changed = list(map(tuple, clauses))
        place = rng.choice([k for k, c in enumerate(changed) if c])
        clause, at = changed[place], rng.randrange(len(changed[place]))
        new = rng.choice(((), (-clause[at],)))
        changed[place] = (*clause[:at], *new, *clause[at + 1 :])
        mutant = replace(one, clauses=(changed,))
        is_wrong = loses_a_solution(problem, mutant, pins)
        lost[is_wrong] += 1
        found = check(problem, mutant)
        if is_wrong:
            assert found.state in ("wrong", "unchecked"), (changed[place], clause, found)
        else:
            assert found.state != "wrong", (changed[place], clause, found)
    assert min(lost.values()) > 1


def test_a_wrong_encoder_of_a_long_sum_is_found():
    pytest.importorskip("dratify", reason="the extra proof is not installed")
    weights = tuple(range(3, 19))
    sixteen = tuple(range(16))
    problem = build_problem(
        {f"x{k}": range(2) for k in sixteen},
        [
            Linear(sixteen, weights, "<=", 90),
            *(Linear((k,), (1,), "==", k % 2) for k in sixteen),
        ],
    )
    backend = get("sat:proof=check")
    right = backend.solve(problem, Solutions(None))
    assert right.count == 1
    assert check(problem, right.refutations[-1]).state in ("enumerated", "agreed")

    def exclude(draft, constraint):
        """Besides, by Booleans of its own, that the first 15 are as they are in the solution."""
        HANDLERS[Linear].post(draft, constraint)
        if len(constraint.scope) < 2:
            return
        chain = [draft.cnf.new() for _ in range(15)]
        for k, own in enumerate(chain):
            is_one = draft.integer(k).value_literal(1)
            as_it_is = is_one if k % 2 else -is_one
            before = [-chain[k - 1]] if k else []
            draft.cnf.add((*before, -as_it_is, own))
        draft.cnf.add((-chain[-1],))

    backend = get("sat:proof=check")  # which has kept nothing
    backend.solver.handlers = {**backend.solver.handlers, Linear: Handler(exclude)}
    result = backend.solve(problem, Solutions(None))
    assert result.status == "UNSATISFIABLE"
    found = check(problem, result.refutations[-1])
    assert found.state == "wrong", found


@pytest.mark.once  # it takes seconds
def test_a_sum_beside_a_condition():
    """A Boolean that is equivalent to a comparison: each of its values is a case."""
    pytest.importorskip("dratify", reason="the extra proof is not installed")
    weights, fifteen = tuple(range(5, 20)), tuple(range(15))
    problem = build_problem(
        {f"x{k}": range(2) for k in range(16)},
        [
            Iff(Linear((15,), (1,), "==", 1), Linear(fifteen, weights, "<=", 60)),
            Linear((15,), (1,), "==", 1),
            Linear((0, 15), (1, 1), "==", 3),
        ],
    )
    result = get("sat:proof=check").solve(problem)
    found = check(problem, result.refutations[-1])
    assert found.state == "enumerated", found
