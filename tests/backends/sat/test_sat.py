"""The SAT backend: its options, what it refuses, and what it reports."""

import sys

import pytest

from backends.interface import registry
from backends.interface.api import Accepted, Optimum, Refused, Solutions
from backends.sat import OPTIONS, make
from backends.sat.engines import NOT_KEPT
from modelling.constraints import NotEqual
from modelling.errors import BackendUnavailable, UnknownBackend, Unsupported
from modelling.problem import Objective, Structure, build_problem
from modelling.versions import find_version
from tests.backends.small_problems import queens, send_more


def available(options):
    if "pycosat" in options:
        pytest.importorskip("pycosat", reason="pycosat is optional: it has no wheels")
    return make(options)


def test_names():
    assert make("").name == "sat:extended,relay"
    assert make("glucose4").name == "sat:extended,glucose4"
    assert make("direct,glucose4").name == "sat:direct,glucose4"
    name = "sat:direct,minisat22,amo=product,reuse=solver"
    assert make("reuse=solver,amo=product,minisat22,direct").name == name
    assert registry.get(name).name == name
    assert make("").family == "sat"
    assert make("").version == find_version("python-sat") != ""


def test_a_name_gives_back_the_same_backend():
    for options in ("", "direct", "sequential", "reuse=none"):
        name = make(options).name
        assert registry.get(name).name == name


@pytest.mark.parametrize("text", ["direkt", "glucose5", "amo=ladder", "reuse=all", "seed=3"])
def test_unknown_options_name_the_choices(text):
    with pytest.raises(UnknownBackend, match=r"sat: (unknown|seed cannot be set here)"):
        make(text)


@pytest.mark.parametrize("engine", sorted(NOT_KEPT))
def test_an_engine_that_answers_once_cannot_be_kept(engine):
    with pytest.raises(UnknownBackend, match=r"incremental engine, and .* is none; use reuse="):
        make(f"{engine},reuse=solver")


def test_without_pycosat_the_engines_of_python_sat_work(monkeypatch):
    monkeypatch.setitem(sys.modules, "pycosat", None)
    with pytest.raises(BackendUnavailable, match="pip install pycosat"):
        make("direct,pycosat")
    assert make("direct,glucose4").solve(queens(4), Solutions(None)).count == 2


def test_without_python_sat_pycosat_works(monkeypatch):
    pytest.importorskip("pycosat", reason="pycosat is optional: it has no wheels")
    monkeypatch.setitem(sys.modules, "pysat.solvers", None)
    with pytest.raises(BackendUnavailable, match="pip install python-sat"):
        make("direct,cadical153")
    assert make("direct,pycosat").solve(queens(4), Solutions(None)).count == 2


def test_an_engine_that_this_python_sat_lacks(monkeypatch):
    import pysat.solvers

    monkeypatch.delattr(pysat.solvers, "Cadical195")
    with pytest.raises(BackendUnavailable, match=r"no working cadical195 .*choose another engine"):
        make("cadical195")


@pytest.mark.parametrize("options", ["direct,pycosat", "cadical153", "direct,glucose4"])
def test_queens(options):
    for n, count in ((4, 2), (7, 40), (8, 92)):
        result = available(options).solve(queens(n), Solutions(None))
        assert (result.count, result.exhausted, result.repeats) == (count, True, 0)


@pytest.mark.parametrize("options", ["direct,pycosat", "extended,pycosat", "cadical153"])
def test_variables_that_nothing_constrains_multiply_the_count(options):
    """``itersolve`` gives 6 models for [[1, 3]], where variable 2 occurs in no clause."""
    backend = available(options)
    problem = build_problem(
        {"a": range(3), "free": range(4), "b": range(3)}, [NotEqual(("a", "b"))]
    )
    result = backend.solve(problem, Solutions(None))
    assert (result.count, result.repeats) == (24, 0)
    assert backend.solve(build_problem({"x": range(7), "y": [5]}), Solutions(None)).count == 7


def test_long_sums_with_large_coefficients():
    result = make("").solve(send_more(), Solutions(None))
    assert result.count == 1
    assert dict(zip("DEMNORSY", result.solutions[0], strict=True)) == {
        "S": 9,
        "E": 5,
        "N": 6,
        "D": 7,
        "M": 1,
        "O": 0,
        "R": 8,
        "Y": 2,
    }
    assert result.statistics["n_clauses"] < 10_000


def test_clashing_givens_are_unsatisfiable():
    structure = queens(6).structure
    for options in ("", "reuse=solver"):
        backend = make(options)
        for givens in ({0: 1, 1: 1}, {0: 1, 1: 2}, {0: 0, 5: 5}):
            result = backend.solve(structure.problem(givens), Solutions(None))
            assert (result.status, result.native_status) == ("UNSATISFIABLE", "UNSAT")
        assert backend.solve(structure.problem({0: 1}), Solutions(None)).count == 1


def test_the_encoding_is_reused_for_another_instance_of_the_structure():
    structure = queens(5).structure
    for options, reused in (("reuse=none", False), ("", True), ("reuse=solver", True)):
        backend = make(options)
        assert not backend.solve(structure.problem()).encoding_reused
        second = backend.solve(structure.problem({0: 0}), Solutions(None, None))
        assert second.encoding_reused is reused
        assert second.count == 2
        assert {row[0] for row in second.solutions} == {0}


def test_what_a_result_reports():
    result = make("").solve(queens(7), Solutions(None, 3))
    assert len(result.solutions) == 3
    assert {"encode", "solve", "decode", "first_solution"} <= set(result.phases)
    named = {"nodes", "failures", "propagations", "restarts", "n_vars", "n_clauses"}
    assert set(result.statistics) == named
    assert result.statistics["n_vars"] == 49
    assert result.statistics["failures"] > 0
    assert make("").solve(queens(7), Solutions(2)).native_status == "SAT"


def test_statistics_of_a_kept_solver_are_those_of_the_call():
    backend = make("minisat22,reuse=solver")
    counting = backend.solve(queens(7), Solutions(None))
    again = backend.solve(queens(7).structure.problem({0: 0, 1: 0}), Solutions(1))
    assert counting.statistics["nodes"] > 40
    assert again.statistics["nodes"] <= 1


def test_an_absurdly_large_encoding_is_refused_with_a_remedy():
    wide = Structure(("x",), (tuple(range(4000)),), ()).problem()
    pairwise = make("integers=direct,amo=pairwise")
    refused = pairwise.accepts(wide)
    assert isinstance(refused, Refused)
    assert "5,000,000 clauses" in refused.reason
    assert "integers=log, or amo=product" in refused.reason
    with pytest.raises(Unsupported, match="5,000,000"):
        pairwise.solve(wide)
    for options in ("", "integers=log", "integers=order", "integers=direct"):
        assert isinstance(make(options).accepts(wide), Accepted)
        assert make(options).solve(wide).count == 1


def test_an_objective_too_large_to_bound_is_unsupported(monkeypatch):
    from backends.sat import encode

    problem = build_problem(
        {f"x{i}": range(9) for i in range(6)},
        objective=Objective("minimize", range(6), (97, -89, 83, -79, 73, -71)),
    )
    monkeypatch.setattr(encode.Cnf.__init__, "__defaults__", (300,))
    with pytest.raises(Unsupported, match="this objective"):
        make("").solve(problem, Optimum())


def test_the_options_are_described():
    names = ["encoding", "engine", "amo", "integers", "sums", "reuse", "proof", "proof_seconds"]
    assert [option.name for option in OPTIONS] == names
    assert all(option.about for option in OPTIONS)
    assert all(option.default in option.choices for option in OPTIONS if option.choices)
