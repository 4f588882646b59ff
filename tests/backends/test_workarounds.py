"""The option ``workarounds``: what is dropped, and what each release of CP-SAT can enforce."""

import pytest

from backends.cpsat import handlers
from backends.cpsat.handlers import enforcing, formulas
from backends.cpsat.handlers.enforcing import can_enforce
from backends.interface import registry
from backends.interface.api import Limits, Solutions
from backends.interface.options import split_unquoted
from harness.hunting.fuzzing.drawing.configurations import list_settings
from modelling.brute_force import solutions
from modelling.check import violations
from modelling.constraints import AllDifferent, Iff, Linear, Regular, Table, Xor, equals
from modelling.errors import BackendUnavailable, UnknownBackend
from modelling.laws.drawing import structure_over
from modelling.terms import constant, constants
from modelling.vocabulary.scheduling.cumulative import Cumulative

NAMES = ("choco", "cpsat", "pumpkin", "xcsp3:cosoco", "xcsp3:ace", "xcsp3:choco")


def make(name):
    try:
        return registry.get(name)
    except BackendUnavailable as error:
        pytest.skip(str(error))


def drop(name):
    return make(f"{name}{',' if ':' in name else ':'}workarounds=dropped")


@pytest.mark.parametrize("name", NAMES)
def test_more_is_posed_as_the_library_has_it(name):
    kept, dropped = make(name), drop(name)
    one, other = (
        {kind: set(handler.modes) for kind, handler in solver.solver.handlers.items()}
        for solver in (kept, dropped)
    )
    assert all(modes <= other[kind] for kind, modes in one.items())
    assert kept.solver.handlers != dropped.solver.handlers
    assert split_unquoted(dropped.name.partition(":")[2], ",")[-1] == "workarounds=dropped"


def test_faults_of_choco_are_seen_where_they_are_not_avoided():
    """A task that demands too much, or nothing: it must not fit."""
    task = Cumulative((constant(0),), constants(1), (0,), constant(0))
    problem = structure_over([(0, 1)], (Iff(Linear((), (), "==", 1), task),)).problem()
    assert make("choco").solve(problem).solutions == ((1,),)
    (wrong,) = drop("choco").solve(problem).solutions
    assert violations(problem, wrong)


def test_cp_sat_enumerates_with_several_workers():
    problem = structure_over([(0, 1)], ()).problem()
    cpsat = drop("cpsat:workers=2")
    assert cpsat.solver.unsupported(Solutions(None), Limits()) is None
    assert cpsat.solver.plan_call(problem.structure, Solutions(1), Limits()).trial is None


def test_proofs_of_pumpkin_are_written_with_workarounds_alone():
    make("pumpkin")
    with pytest.raises(UnknownBackend, match="workarounds=kept alone"):
        registry.get("pumpkin:proof=check,workarounds=dropped")


@pytest.mark.parametrize("name", ["choco", "cpsat", "pumpkin", "xcsp3"])
def test_a_hunt_draws_no_faults_that_are_known(name):
    options, _ = list_settings(name)
    assert "workarounds" not in {option.name for option in options}


# --- releases of CP-SAT --------------------------------------------------------------------------


@pytest.fixture
def older(monkeypatch):
    """CP-SAT as a release that enforces clauses, sums and tables alone."""
    handlers.choose_handlers.cache_clear()
    monkeypatch.setattr(enforcing, "can_enforce", lambda cp, pose: False)
    monkeypatch.setattr(formulas, "enforces_parity", lambda cp: False)
    yield registry.get("cpsat")
    handlers.choose_handlers.cache_clear()


def test_a_release_says_what_it_enforces():
    library = pytest.importorskip("ortools.sat.python.cp_model")
    assert can_enforce(library, lambda model, boolean, interval: model.add_bool_or([boolean]))
    assert not can_enforce(
        library, lambda model, *given: model.add_reservoir_constraint([0], [1], 2, 1)
    )


def test_what_an_older_release_cannot_enforce_is_rewritten(older):
    handlers = older.solver.handlers
    assert handlers[AllDifferent].modes == ("root",)
    assert handlers[Cumulative].modes == ("root",)
    assert "half" in handlers[Table].modes
    assert handlers[Regular].modes == ("root",)
    apart = AllDifferent((0, 1, 2))
    problem = structure_over([range(3)] * 3 + [(0, 1)], (Iff(equals(3, 1), apart),)).problem()
    found = older.solve(problem, Solutions(None, None)).solutions
    assert sorted(found) == sorted(solutions(problem))


def test_an_enforced_parity_is_a_literal_there(older):
    parts = tuple(Linear((v,), (1,), "==", 1) for v in range(3))
    constraints = (Iff(equals(3, 1), Xor(parts)), Linear((0, 3), (1, 1), ">=", 1))
    problem = structure_over([(0, 1)] * 4, constraints).problem()
    found = older.solve(problem, Solutions(None, None)).solutions
    assert sorted(found) == sorted(solutions(problem))


# --- parameters that end the process -------------------------------------------------------------


def test_sums_of_two_are_not_taken_apart():
    make("choco")
    with pytest.raises(UnknownBackend, match="at least 3"):
        registry.get("choco:min_card_size_for_sum_decomp=2")
    problem = structure_over([range(3)] * 3, (Linear((0, 1, 2), (1, 1, 1), "==", 3),)).problem()
    found = make("choco:min_card_size_for_sum_decomp=3").solve(problem, Solutions(None))
    assert found.count == 7
