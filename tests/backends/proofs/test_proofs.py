"""Proofs: what the checker accepts, what certifies an answer, and who writes them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, combinations
from pathlib import Path

import pytest

import concord
from backends.interface import proofs
from backends.interface.api import AllOptima, Limits, Optimum, Solutions
from backends.interface.proofs import Refutation
from backends.proofs import certify, checker, checking
from backends.sat import make
from backends.sat.engines.proving import WRITERS
from modelling.constraints import Linear
from modelling.errors import BackendUnavailable, ContradictoryResult, UnknownBackend
from modelling.problem import Objective, Problem, state
from results.studies.correctness.proofs import (
    as_text,
    has_model,
    is_proof,
    pigeons,
    prove,
    queens,
    try_mutants,
)

pytest.importorskip("dratify", reason="the extra proof is not installed")

FORMULA = ((1, 2), (-1, 2), (1, -2), (-1, -2))
PROOF = (("a", (1,)), ("a", ()))


def checked(tmp_path: Path, formula, proof: bytes, binary: bool = False) -> dict:
    numbers = array("i", chain.from_iterable((*clause, 0) for clause in formula))
    (tmp_path / "formula").write_bytes(numbers.tobytes())
    (tmp_path / "proof").write_bytes(proof)
    return checker.check(str(tmp_path / "formula"), str(tmp_path / "proof"), binary)


# --- the checker ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("proof", "state"),
    [
        (b"1 0\n0\n", "checked"),
        (b"1 0\nd 1 2 0\n0\n", "checked"),
        (b"", "rejected"),  # the formula is refuted by no propagation alone
        (b"1 0\n", "rejected"),  # what is left is not said
        (b"3 0\n", "rejected"),  # follows (RAT), and refutes nothing
        (b"1 0\n0", "checked"),
        (b"1 2 ", "rejected"),
        (b"-1 2 x 0", "rejected"),
        (b"d 1 2 0\n1 0\n0\n", "rejected"),
    ],
)
def test_proofs_in_text(tmp_path, proof, state):
    found = checked(tmp_path, FORMULA, proof)
    assert found["state"] == state, found


@pytest.mark.parametrize(
    ("proof", "state"),
    [
        (b"a\x02\x00a\x00", "checked"),
        (b"a\x02\x00d\x02\x04\x00a\x00", "checked"),
        (b"a\x02\x00a", "rejected"),
        (b"a\x82", "rejected"),
        (b"b\x02\x00a\x00", "rejected"),
        (b"a\x01\x00a\x00", "rejected"),
        (b"a\x00", "rejected"),
    ],
)
def test_proofs_in_binary(tmp_path, proof, state):
    assert checked(tmp_path, FORMULA, proof, True)["state"] == state


def test_a_literal_of_several_bytes():
    steps = list(checker.read_binary(b"a\x82\x04\x83\x04\x00"))
    assert steps == [("a", (512, 513))]  # x257 and its negation


def test_a_formula_with_the_empty_clause_needs_no_step(tmp_path):
    assert checked(tmp_path, [(1, 2), ()], b"")["state"] == "checked"


def test_the_judge_of_the_study_by_hand():
    assert is_proof(FORMULA, PROOF)
    assert not is_proof(FORMULA, PROOF[1:])
    assert not is_proof(FORMULA, [("d", (1, 2)), *PROOF])
    assert is_proof(FORMULA, [("a", (3, 1)), *PROOF])
    assert has_model(FORMULA[1:], 2)
    assert not has_model(FORMULA, 2)
    assert as_text(PROOF) == b"1 0\n0"


def test_mutants_are_rejected_unless_they_are_proofs():
    found, rejected, faults = try_mutants(20, 7)
    assert not faults
    assert found["mutants"] >= 25
    assert rejected.total() > found["mutants"] // 5


def refutation(formula: Sequence[tuple[int, ...]] = FORMULA, **changes) -> Refutation:
    return replace(Refutation((formula,), proof=b"1 0\n0\n"), **changes)


def test_the_checker_in_its_own_process():
    assert checking.check(refutation(), 60).state == "checked"
    found = checking.check(refutation(FORMULA[1:]), 60)
    assert (found.state, found.steps) == ("rejected", 2)


def test_a_check_out_of_time_or_memory_is_none():
    assert checking.check(refutation(), 0.001).said == "its check was ended after 0.001 s"
    found = checking.check(refutation(), 60, memory_mb=1)
    assert found.state == "unchecked"
    assert checking.check(refutation(proof=None, missing="no"), 60) == ("unchecked", "no", 0)


# --- what certifies an answer --------------------------------------------------------------------


def knapsack() -> Problem:
    room = Linear(range(6), (5, 4, 3, 5, 4, 3), "<=", 12)
    best = Objective("maximize", range(6), (5, 4, 3, 5, 4, 3))
    return state({f"x{i}": (0, 1) for i in range(6)}, [room], objective=best)


ASKED = [
    (pigeons(4), Solutions(1)),
    (queens(6), Solutions(None)),
    (queens(4), Solutions(3)),
    (knapsack(), Optimum()),
    (knapsack(), AllOptima()),
]


@pytest.mark.parametrize(("problem", "ask"), ASKED)
def test_an_answer_is_certified(problem, ask):
    result = concord.solve(problem, ask, backend="sat:proof=check")
    assert result.certificate.state == "checked", result.certificate
    assert result.certificate.size
    plain = concord.solve(problem, ask, backend="sat")
    assert (result.count, result.objective, result.digest) == (
        plain.count,
        plain.objective,
        plain.digest,
    )
    assert plain.refutations is None
    assert plain.certificate.state == ""


def test_variables_that_a_rewrite_adds_and_an_output():
    problem = state(
        {"x": range(4), "y": range(4), "z": range(3)},
        [Linear((0, 1, 2), (1, 2, 3), "!=", 7), Linear((0, 1), (1, 1), "<=", 4)],
        output=(0, 1),
    )
    result = concord.solve(problem, Solutions(None), backend="sat:glucose4,proof=check")
    assert result.certificate.state == "checked", result.certificate
    assert result.count == concord.solve(problem, Solutions(None), backend="brute_force").count


def test_nothing_is_certified_that_is_not_claimed():
    backend = make("proof=check")
    for ask, limits in [(Solutions(2), Limits()), (Solutions(None), Limits(seconds=0))]:
        result = backend.solve(queens(6), ask, limits)
        assert not certify.is_due(result, ask)
        assert certify.certify(result, ask, queens(6)).state == ""


def test_what_the_solver_was_not_asked_has_no_proof():
    problem = state({"x": range(3), "y": range(3)})
    closed = Problem(problem.structure, (0, 7))
    result = concord.solve(closed, backend="sat:proof=check")
    assert (result.status, result.certificate.state) == ("UNSATISFIABLE", "unchecked")


def _changed(problem, ask, change):
    result = make("proof=check").solve(problem, ask)
    assert result.refutations is not None
    shown = (*result.refutations[:-1], change(result.refutations[-1]))
    return certify.certify(replace(result, refutations=shown), ask, problem)


def _fewer(one: Refutation) -> Refutation:
    return replace(one, excluded=one.excluded[1:])


def _twice(one: Refutation) -> Refutation:
    return replace(one, excluded=(*one.excluded[1:], one.excluded[1]))


def _false(one: Refutation) -> Refutation:
    return replace(one, excluded=((0,) * 6, *one.excluded[1:]))


def _cut(one: Refutation) -> Refutation:
    assert one.proof is not None
    return replace(one, proof=one.proof[: len(one.proof) // 2])


def _weaker(one: Refutation) -> Refutation:
    single = [list(clauses) for clauses in one.clauses]
    return replace(one, clauses=tuple(map(tuple, [single[0], single[1], single[2][1:]])))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_fewer, "it excludes 3 solutions, and 4 were counted"),
        (_twice, "it excludes a solution twice"),
        (_false, "solution 1, which it excludes, does not hold"),
        (_cut, "it is no proof"),
        (_weaker, "neither RUP nor RAT"),
        (lambda one: replace(one, than=3), "what it refutes is not what is claimed"),
        (lambda one: replace(one, clauses=((),)), ""),
    ],
)
def test_a_proof_of_something_else_is_rejected(change, said):
    found = _changed(queens(6), Solutions(None), change)
    assert found.state == "rejected"
    assert said in found.said


def test_an_optimum_needs_the_proof_of_its_own_bound():
    for change in (lambda one: replace(one, than=11), lambda one: replace(one, than=None)):
        found = _changed(knapsack(), Optimum(), change)
        assert (found.state, found.said) == ("rejected", "what it refutes is not what is claimed")


def test_a_proof_that_takes_too_long_leaves_the_answer():
    found = _changed(pigeons(5), Solutions(1), lambda one: replace(one, seconds=0.001))
    assert (found.state, found.said) == ("unchecked", "its check was ended after 0.001 s")


# --- who writes them -----------------------------------------------------------------------------


OFTEN = ("cadical153", "glucose4")
SELDOM = (pytest.param(one, marks=pytest.mark.once) for one in WRITERS if one not in OFTEN)


@pytest.mark.parametrize("engine", [*OFTEN, *SELDOM])
def test_an_engine_that_writes_proofs(engine):
    try:
        backend = make(f"{engine},proof=check")
    except BackendUnavailable as missing:
        pytest.skip(str(missing))
    result = backend.solve(queens(5), Solutions(None))
    assert (result.count, result.exhausted) == (10, True)
    assert certify.certify(result, Solutions(None), queens(5)).state == "checked"


@pytest.mark.parametrize("engine", ["maplesat", "maplecm", "minisat22", "kissat404"])
def test_an_engine_that_writes_none_is_refused_by_name(engine):
    with pytest.raises(UnknownBackend, match=f"{engine} does not; choose one of cadical103"):
        make(f"{engine},proof=check")


def test_proofs_of_python_sat_that_are_wrong(tmp_path):
    """MapleCM stops before the empty clause, MapleSAT writes of the next variable."""
    four = ((-1, -2), (1, 2), (-1, 2), (-2, 1))
    holes = (
        *(tuple(range(first, first + 7)) for first in range(1, 57, 7)),
        *((-a, -b) for hole in range(1, 8) for a, b in combinations(range(hole, 57, 7), 2)),
    )
    for engine, formula in (("maplecm", four), ("maplesat", holes)):
        assert checked(tmp_path, formula, prove(engine, formula))["state"] == "rejected"
        right = prove("glucose4", formula)
        assert checked(tmp_path, formula, right)["state"] == "checked"


def test_kissat_writes_proofs():
    try:
        backend = make("kissat,proof=check")
    except BackendUnavailable as missing:
        pytest.skip(str(missing))
    for problem, ask in ASKED[:1] + ASKED[3:4]:
        result = concord.solve(problem, ask, backend=backend)
        assert result.certificate.state == "checked", result.certificate


def test_a_kept_solver_has_no_proof_of_one_formula():
    with pytest.raises(UnknownBackend, match="use reuse=encoding"):
        make("proof=check,reuse=solver")
    with pytest.raises(UnknownBackend, match="an integer of at least 1, not '0'"):
        make("proof=check,proof_seconds=0")


def test_without_a_checker_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setattr(proofs, "find_spec", lambda name: None)
    with pytest.raises(BackendUnavailable, match=r"solver-concord\[proof\]"):
        make("proof=check")


def test_an_engine_that_is_given_more_than_the_formula_is_found_out(monkeypatch):
    """Its proof is right, of another formula than the encoder's."""
    backend = make("proof=check")
    load = backend.solver.engine.library.load

    def forging(clauses, seed, with_proof=False):
        return load([*clauses, (-1,), (-2,), (-3,), (-4,), (-5,)], seed, with_proof)

    monkeypatch.setattr(backend.solver.engine.library, "load", forging)
    with pytest.raises(ContradictoryResult, match="its proof is rejected: step"):
        concord.solve(queens(5), backend=backend)


def test_a_second_search_that_finds_more_goes_on(monkeypatch):
    """The solver without a proof stops too early: the one that writes it finds what is left."""
    backend = make("proof=check")
    fresh = type(backend.solver.engine._fresh)

    def hasty(self, task):
        for _ in ():
            yield []
        return "exhausted"

    monkeypatch.setattr(fresh, "models", hasty)
    result = concord.solve(queens(6), Solutions(None), backend=backend)
    assert (result.count, result.certificate.state) == (4, "checked")


def test_the_formula_of_somebody_else_certifies_nothing_here():
    from backends.conformance.liars import ProofOfAnother

    result = concord.solve(queens(4), backend=ProofOfAnother())
    assert result.refutations
    assert result.certificate.state == ""
