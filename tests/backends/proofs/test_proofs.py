"""Proofs: what the checker accepts, what certifies an answer, and who writes them."""

from __future__ import annotations

import random
import sys
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
from modelling.problem import Objective, Problem, build_problem
from results.studies.correctness.proofs import (
    as_text,
    draw_formula,
    has_model,
    is_proof,
    pigeons,
    propagate_units,
    prove,
    queens,
    try_forgeries,
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
        (b"1 0\n", "checked"),  # cut short, and propagation refutes what it has derived
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


# Of formulas with a model. A fixed literal outlives the clause that fixed it; see ``checker``.
FORGED = [
    ([(1,)], "-2 -1 0 d -2 -1 0 2 0 0"),
    ([(1, 2)], "-3 0 -4 3 0 d -4 3 0 4 0 0"),
    ([(1, 2)], "-3 0 -1 3 0 d -1 3 0 1 0 0"),
    ([(1, 2)], "-3 0 -4 3 0 d 3 -4 0 4 5 0 -5 0 0"),
    ([(1, 2), (-1, -2)], "3 0 4 -3 0 d 4 -3 0 -4 0 0"),
    ([(1, 2)], "-3 0 -4 3 0 -4 3 0 d -4 3 0 d -4 3 0 4 0 0"),
    ([(1, 2)], "-3 0 -4 3 5 0 -5 0 d -4 3 5 0 4 0 0"),
    ([(1,)], "-2 -1 0 d -2 -1 -1 0 2 0"),
    ([(1,)], "d 1 0 -1 0 0"),
]


@pytest.mark.parametrize("engine", ["native", "python"])
@pytest.mark.parametrize(("formula", "proof"), FORGED)
def test_no_formula_with_a_model_is_refuted(tmp_path, monkeypatch, formula, proof, engine):
    if engine == "python":
        monkeypatch.setitem(sys.modules, "cdclkit_native", None)
        monkeypatch.setattr("dratify.proof._registered_native", None)
    found = checked(tmp_path, formula, proof.encode())
    assert found["state"] == "rejected", found
    assert found["said"].startswith("step "), found


@pytest.mark.xfail(strict=True, reason="dratify 0.1.10 keeps what a deleted clause has fixed")
def test_dratify_alone_refutes_no_formula_with_a_model():
    """Once it does not, one pass with both rules is enough: see ``checker``."""
    import dratify

    formula = dratify.CNF()
    formula.add_dimacs((1,))
    proof = "-2 -1 0\nd -2 -1 0\n2 0\n0\n"
    assert not dratify.check_proof(formula, proof, engine="python").ok


def test_nothing_that_is_forged_is_accepted():
    tried, accepted, fooled = try_forgeries(1000, 7)
    assert not accepted
    assert fooled > tried // 10  # else they are no test of the second pass


def test_a_proof_that_needs_deletions_for_rat():
    """A definition is undone and its variable defined anew: RAT only after the deletions."""
    import dratify

    again = "13 -1 0\n-13 1 0\nd 13 -1 0\nd -13 1 0\n-13 -1 0\n13 1 0\n"
    formula = dratify.CNF()
    for clause in holes_of(3):
        formula.add_dimacs(clause)
    steps = dratify.parse_proof(again + prove("glucose4", holes_of(3)).decode())
    found = checker.decide(formula, steps)
    assert found.ok
    assert found.rat_steps == 4
    assert not dratify.check_proof(formula, steps, apply_deletions=False).ok


def test_a_reason_may_be_deleted_once_its_literal_is_a_clause():
    reason, unit, other = (0, 2), (0,), (0, 4)
    fixed = checker.Fixed()
    for clause in ((3,), reason):
        fixed.add(clause)
    assert not fixed.delete(reason)
    fixed.add(unit)
    assert fixed.delete(reason)
    assert not fixed.delete(unit)
    assert fixed.delete(other)


def test_fixed_literals_are_those_of_propagation():
    rng = random.Random(3)
    for _ in range(300):
        formula = draw_formula(rng)[1]
        some = [clause[: rng.randint(1, 4)] for clause in formula[: rng.randint(3, 12)]]
        fixed = checker.Fixed()
        for clause in some:
            fixed.add([2 * abs(k) - 2 + (k < 0) for k in clause])
        true = propagate_units(some)
        assert fixed.refuted == (true is None)
        if true is not None:
            assert {(k // 2 + 1) * (-1 if k % 2 else 1) for k in fixed.reasons} == true


def test_a_proof_without_its_end(tmp_path):
    """Cut short it is a proof if propagation refutes what it has derived, else none."""
    formula = holes_of(4)
    proof = prove("glucose4", formula)
    lines = proof.splitlines(keepends=True)
    assert lines[-1] == b"0\n"
    assert checked(tmp_path, formula, b"".join(lines[:-1]))["state"] == "checked"
    found = checked(tmp_path, formula, b"".join(lines[:2]))
    assert found["state"] == "rejected"
    assert "the empty clause is not derived" in found["said"]
    assert checked(tmp_path, FORMULA, b"a\x02\x00", True)["state"] == "checked"


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
    return build_problem({f"x{i}": (0, 1) for i in range(6)}, [room], objective=best)


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
    problem = build_problem(
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
    problem = build_problem({"x": range(3), "y": range(3)})
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


@pytest.mark.parametrize("engine", ["maplesat", "minisat22", "kissat404"])
def test_an_engine_that_writes_none_is_refused_by_name(engine):
    with pytest.raises(UnknownBackend, match=f"{engine} does not; choose one of cadical103"):
        make(f"{engine},proof=check")


def holes_of(count: int) -> list[tuple[int, ...]]:
    """One pigeon more than holes, in clauses."""
    end = count * (count + 1) + 1
    return [
        *(tuple(range(first, first + count)) for first in range(1, end, count)),
        *((-a, -b) for k in range(1, count + 1) for a, b in combinations(range(k, end, count), 2)),
    ]


def test_proofs_of_maplesat_are_of_other_variables(tmp_path):
    formula = holes_of(7)
    assert checked(tmp_path, formula, prove("maplesat", formula))["state"] == "rejected"
    assert checked(tmp_path, formula, prove("glucose4", formula))["state"] == "checked"


def test_a_proof_of_maplecm_ends_without_0(tmp_path):
    """Propagation refutes what it has derived, and it does not say so."""
    proof = prove("maplecm", FORMULA)
    assert not proof.endswith(b"\n0\n")
    assert checked(tmp_path, FORMULA, proof)["state"] == "checked"
    assert checked(tmp_path, FORMULA[1:], proof)["state"] == "rejected"


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
