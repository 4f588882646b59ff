"""The study of defaults: every backend has a row, and what is set is what the study says."""

import pytest

from backends.cpsat.configuration import LIBRARY
from backends.cpsat.parameters import make_solver
from backends.interface import registry
from backends.interface.api import Limits, Optimum, Solutions
from backends.interface.shipped import SHIPPED
from results.studies.speed.defaults.__main__ import OWN, PAIRS, SAME
from results.studies.speed.defaults.questions import list_questions
from tests.backends.small_problems import bag

pytestmark = pytest.mark.once


def test_every_backend_has_a_row():
    rows = [*OWN, *SAME, *(pair.backend for pair in PAIRS)]
    assert sorted(rows) == sorted([*(entry.name for entry in SHIPPED), "command"])


def test_there_are_a_hundred_questions_of_ten_kinds():
    sets = list_questions()
    assert len(sets) >= 10
    assert sum(len(one.texts) for one in sets) >= 100


def test_cpsat_keeps_the_defaults_of_its_library():
    cp = registry.get("cpsat").solver.cp
    fresh = cp.CpSolver().parameters
    ours = make_solver(cp, Limits(), LIBRARY, every=False).parameters
    names = [name for name in dir(fresh) if not name.startswith(("_", "clear_", "has_"))]
    differ = {n for n in names if str(getattr(ours, n)) != str(getattr(fresh, n))}
    settings = {name for name in differ if not callable(getattr(fresh, name))}
    assert settings <= {"num_workers", "catch_sigint_signal", "presolve_inclusion_work_limit"}


def test_highs_keeps_the_defaults_of_its_library(monkeypatch):
    highspy = pytest.importorskip("highspy", reason="needs the package highspy")
    made = []

    class Highs(highspy.Highs):
        def __init__(self):
            super().__init__()
            made.append(self)

    monkeypatch.setattr(highspy, "Highs", Highs)
    registry.get("highs").solve(bag(), Optimum())
    fresh, ours = highspy.Highs().getOptions(), made[0].getOptions()
    names = [name for name in dir(fresh) if not name.startswith("_")]
    differ = {n for n in names if getattr(ours, n) != getattr(fresh, n)}
    assert differ <= {"output_flag", "log_to_console", "threads", "mip_rel_gap"}


def test_scip_keeps_the_defaults_of_its_library(monkeypatch):
    pyscipopt = pytest.importorskip("pyscipopt", reason="needs the package pyscipopt")
    made = []

    class Model(pyscipopt.Model):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            made.append(self)

    monkeypatch.setattr(pyscipopt, "Model", Model)
    for ask in (Solutions(1), Optimum()):
        made.clear()
        registry.get("scip").solve(bag(), ask)
        fresh = pyscipopt.Model().getParams()
        differ = {name for name, value in made[0].getParams().items() if value != fresh[name]}
        # SCIP sets the mask by itself while it solves.
        own = {"propagating/genvbounds/timingmask"}
        assert differ - own <= {"misc/catchctrlc", "display/verblevel"}
