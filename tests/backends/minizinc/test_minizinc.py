"""MiniZinc's solvers: how they are found and called, and where a release is wrong."""

from __future__ import annotations

import json
import subprocess

import pytest

from backends.interface import registry
from backends.interface.api import Limits, Optimum, Refused, Solutions
from backends.interface.handlers import profile_of
from backends.minizinc import solvers
from backends.minizinc.backend import in_minizinc
from backends.minizinc.guards import find_native
from modelling.constraints import AllDifferent, Define, NotEqual
from modelling.errors import BackendUnavailable, ProgramFailed, UnknownBackend, Unsupported
from modelling.laws.drawing import structure_over
from modelling.problem import Objective, build_problem
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.functions.multiplication import Remainder
from tests.missing_programs import require_program

LISTED = [
    {"id": "org.gecode.gecode", "version": "6.2.0", "stdFlags": ["-a", "-f", "-s", "-r", "-p"]},
    {"id": "org.gecode.gist", "version": "6.2.0", "stdFlags": ["-a"], "isGUIApplication": True},
    {"id": "org.chuffed.chuffed", "version": "0.13.2", "stdFlags": ["-a", "-f", "-s"]},
    {"id": "org.minizinc.mip.coin-bc", "version": "2.10", "stdFlags": ["-i"], "tags": ["mip"]},
    {"id": "org.minizinc.mip.cplex", "version": "<unknown version>", "tags": ["mip"]},
    {"id": "com.google.ortools.sat", "version": "9.12", "stdFlags": ["-a", "-s"]},
    {"id": "org.other.gecode", "version": "1", "stdFlags": []},
]

PRINTED = """x0 = 0;
x1 = 1;
----------
x0 = 1;
x1 = 0;
----------
==========
%%%mzn-stat: nodes=3
%%%mzn-stat: failures=0"""


@pytest.fixture
def minizinc(monkeypatch, tmp_path):
    """A MiniZinc that lists ``LISTED``, notes how it was called, and prints what ``said`` holds."""
    (tmp_path / "listed").write_text(json.dumps(LISTED))
    (tmp_path / "said").write_text(PRINTED)
    program = tmp_path / "minizinc"
    program.write_text(
        "#!/bin/sh\n"
        f"cd {tmp_path}\n"
        'case "$1" in --solvers-json) cat listed;; --version) echo "MiniZinc, version 2.9.1";;\n'
        '*) echo "$@" > called; cat said;; esac\n'
    )
    program.chmod(0o755)
    monkeypatch.setattr(solvers.shutil, "which", lambda name: str(program))
    return tmp_path


PAIR = build_problem({"x": range(2), "y": range(2)}, [NotEqual(("x", "y"))])


# --- names ----------------------------------------------------------------------------------------


def test_names_are_read_without_minizinc(monkeypatch):
    monkeypatch.setattr(solvers.shutil, "which", lambda name: None)
    assert registry.spec("minizinc").text == "minizinc:gecode"
    assert registry.spec("minizinc:search=free,solver=Chuffed").text == (
        "minizinc:chuffed,search=free"
    )
    assert registry.known_family("minizinc:org.chuffed.chuffed") == "chuffed"
    assert registry.known_family("minizinc:com.google.ortools.sat") == "cpsat"
    with pytest.raises(UnknownBackend, match="did you mean 'free'"):
        registry.spec("minizinc:gecode,fre")
    with pytest.raises(BackendUnavailable, match="apt install minizinc"):
        registry.get("minizinc:chuffed")
    info = next(info for info in registry.infos() if info.name == "minizinc")
    assert not info.installed
    assert "install MiniZinc" in info.hint


def test_solvers_are_those_that_can_be_used(minizinc):
    words = ["gecode", "chuffed", "coin-bc", "sat", "org.other.gecode"]
    assert [one.split()[0] for one in solvers.list_found()] == words
    info = next(info for info in registry.infos() if info.name == "minizinc")
    assert info.solvers[:2] == ("gecode 6.2.0", "chuffed 0.13.2")
    assert registry.get("minizinc").version == "6.2.0 (MiniZinc 2.9.1)"
    with pytest.raises(UnknownBackend, match=r"did you mean 'chuffed'.*there are: gecode, chuffed"):
        registry.get("minizinc:chufed")
    with pytest.raises(UnknownBackend, match="no solver 'gist'"):
        registry.get("minizinc:gist")
    with pytest.raises(BackendUnavailable, match="no free search"):
        registry.get("minizinc:coin-bc,search=free")


# --- how it is called -----------------------------------------------------------------------------


def test_all_solutions_and_what_is_said_of_them(minizinc):
    found = registry.get("minizinc:chuffed,search=free").solve(
        PAIR, Solutions(None, None), Limits(seconds=60)
    )
    assert found.solutions == ((0, 1), (1, 0))
    assert found.exhausted
    assert found.statistics == {"nodes": 3, "failures": 0}
    said = (minizinc / "called").read_text().split()
    assert said[:2] == ["--solver", "org.chuffed.chuffed"]
    assert {"-a", "-f", "-s", "--non-unique", "--time-limit"} <= set(said)


def test_a_stated_search_is_an_annotation_of_the_solve_item():
    named = in_minizinc(PAIR, False, "dom_w_deg", "restart_luby(100)")
    (line,) = [piece for piece in named.pieces() if piece.startswith("solve ")]
    assert line == (
        "solve :: int_search([x0, x1], dom_w_deg, indomain_min) :: restart_luby(100) satisfy;\n"
    )


def test_what_restarts_is_not_asked_for_several_solutions(minizinc):
    backend = registry.get("minizinc:gecode,dom_w_deg,restarts=luby")
    assert backend.name == "minizinc:gecode,search=dom_w_deg,restarts=luby"
    with pytest.raises(Unsupported, match="with restarts"):
        backend.solve(PAIR, Solutions(2))


def test_seed_and_threads_go_to_those_that_take_them(minizinc):
    limits = Limits(seed=7, threads=2)
    registry.get("minizinc:gecode").solve(PAIR, Solutions(1), limits)
    assert "-r 7 -p 2" in (minizinc / "called").read_text()
    registry.get("minizinc:chuffed").solve(PAIR, Solutions(1), limits)
    assert not {"-r", "-p"} & set((minizinc / "called").read_text().split())


def test_linear_programs_are_solved_and_not_counted(minizinc):
    backend = registry.get("minizinc:coin-bc")
    assert not backend.complete
    with pytest.raises(Unsupported, match="does not enumerate"):
        backend.solve(PAIR, Solutions(2))
    assert backend.solve(PAIR, Solutions(1)).count == 1


def test_repeats_are_not_hidden(minizinc):
    (minizinc / "said").write_text(PRINTED.replace("x0 = 1;\nx1 = 0;", "x0 = 0;\nx1 = 1;"))
    assert registry.get("minizinc:chuffed").solve(PAIR, Solutions(None)).repeats == 1


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("Error: type error", "without an answer"),
        ("x0 = 1;\nx1 = 1;\n----------\n==========", "is no solution"),
        ("x0 = 1;\n", "breaks off"),
    ],
)
def test_what_is_no_answer_is_an_error(minizinc, said, cause):
    (minizinc / "said").write_text(said)
    with pytest.raises(ProgramFailed, match=cause):
        registry.get("minizinc:chuffed").solve(PAIR, Solutions(None))


def test_what_a_release_gets_wrong_is_rewritten(minizinc):
    apart = Define(0, Remainder(1, 2)), Define(0, NValue((1, 2)))
    for name, native in (("gecode", False), ("chuffed", True)):
        profile = profile_of(registry.get(f"minizinc:{name}").solver.handlers)
        for constraint in apart:
            variables = structure_over([range(1, 4)] * 3, (constraint,))
            assert profile.takes(constraint, "root", variables) is native


@pytest.mark.parametrize(("release", "native"), [("2.6.4", False), ("2.9.1", True)])
def test_a_compiler_that_forgets_indices_is_given_no_divisions(release, native):
    chuffed = solvers.InstalledSolver(
        "chuffed", "org.chuffed.chuffed", "0.13.2", frozenset(), frozenset()
    )
    assert (Remainder in find_native(chuffed, release)) is native


def test_what_is_too_large_is_refused(minizinc):
    wide = build_problem({"x": (0, 600_000_000)}, [])
    assert isinstance(registry.get("minizinc:chuffed").accepts(wide), Refused)
    assert not isinstance(registry.get("minizinc:gecode").accepts(wide), Refused)


# --- the one that is installed --------------------------------------------------------------------


def installed():
    try:
        return registry.get("minizinc:gecode")
    except (BackendUnavailable, UnknownBackend) as error:
        pytest.skip(str(error))


def test_gecode_counts_and_optimises():
    backend = installed()
    problem = build_problem(
        {name: range(3) for name in "abc"},
        [AllDifferent(tuple("abc"))],
        objective=Objective("maximize", ("a", "b"), (2, -1)),
    )
    assert backend.solve(problem, Solutions(None)).count == 6
    best = backend.solve(problem, Optimum())
    assert (best.status, best.objective) == ("OPTIMUM", 4)


@pytest.mark.once
def test_gecode_keeps_its_time():
    names = [f"p{i}" for i in range(14)]
    apart = [NotEqual((one, other)) for k, one in enumerate(names) for other in names[:k]]
    problem = build_problem({name: range(13) for name in names}, apart)
    found = installed().solve(problem, Solutions(1), Limits(seconds=2))
    assert (found.status, found.stopped_by) == ("UNKNOWN", "time")


# --- releases that are wrong ----------------------------------------------------------------------


def count(tmp_path, model):
    program = require_program("minizinc")
    file = tmp_path / "model.mzn"
    file.write_text(model)
    words = [program, "--solver", "gecode", "-a", "--non-unique", str(file)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "==" in done.stdout, done.stderr
    return done.stdout.count("----------")


@pytest.mark.once
@pytest.mark.xfail(strict=True, reason="Gecode 6.2 takes wrong values where mod shares a variable")
def test_a_remainder_that_is_its_divisor(tmp_path):
    ordered = "solve :: int_search([a, b], input_order, indomain_median) satisfy;"
    assert count(tmp_path, f"var -5..5: a; var -5..5: b; constraint a mod b = b; {ordered}") == 0


@pytest.mark.once
@pytest.mark.xfail(strict=True, reason="Gecode 6.2 loses solutions with `:: domain`")
def test_a_global_cardinality_over_domains(tmp_path):
    model = """include "global_cardinality.mzn";
        var {1, 3}: a; var 2..3: b; var 2..3: c; var 2..3: d; var 2..5: e; var 1..4: f;
        var 2..3: g; var 2..3: h;
        constraint global_cardinality([a, d, 1, 3, 3, c, 1, h, b], [1, 2, 3], [g, f, e]) :: domain;
        solve :: int_search([a, b, c, d, e, f, g, h], anti_first_fail, indomain_min) satisfy;"""
    assert count(tmp_path, model) == 26


@pytest.mark.once
@pytest.mark.xfail(strict=True, reason="Gecode 6.2 refuses the demand of a task that takes no time")
def test_a_task_that_takes_no_time(tmp_path):
    model = """include "cumulative.mzn"; var 0..2: start;
        constraint cumulative([start], [0], [2], 1); solve satisfy;"""
    assert count(tmp_path, model) == 3
