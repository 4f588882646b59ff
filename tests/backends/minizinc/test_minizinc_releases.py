"""Models that a released MiniZinc gets wrong; each fails until a release is repaired."""

from __future__ import annotations

import subprocess

import pytest

from backends.interface import registry
from backends.interface.api import Solutions
from modelling.constraints import Linear, Not, Truth
from modelling.errors import ConcordError
from modelling.formats.minizinc.releases import list_flags
from modelling.problem import build_problem
from tests.missing_programs import require_program

NEGATED = "var 0..1: x; constraint not (bool2int(x = 0) > 0);"


def list_solutions(tmp_path, *flags):
    program = require_program("minizinc")
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    if "version 2.6" not in version.stdout:
        pytest.skip("this MiniZinc is another release than the one that is wrong")
    (tmp_path / "negated.mzn").write_text(NEGATED, encoding="utf-8")
    words = [program, "--solver", "gecode", "-a", *flags, str(tmp_path / "negated.mzn")]
    ran = subprocess.run(words, capture_output=True, text=True, check=True)
    return sorted(line for line in ran.stdout.splitlines() if line.startswith("x"))


@pytest.mark.xfail(strict=True, reason="MiniZinc 2.6 shows x = 0 for Gecode")
def test_a_negated_equality(tmp_path):
    assert list_solutions(tmp_path) == ["x = 1;"]


def test_a_negated_equality_without_half_reification(tmp_path):
    """What the backend tells a release that does it wrong."""
    assert list_flags("2.6.4") == list_flags("2.8.4") == ["--no-half-reifications"]
    assert list_flags("2.8.5") == []
    assert list_solutions(tmp_path, *list_flags("2.6.4")) == ["x = 1;"]


def test_the_backend_shows_what_holds():
    x = Linear(("x",), (1,), "==", 0)
    problem = build_problem({"x": range(2)}, [Not(Linear((Truth(x),), (1,), ">", 0))])
    try:
        backend = registry.get("minizinc:gecode")
    except ConcordError as error:
        pytest.skip(f"needs the program minizinc: {error}")
    assert backend.solve(problem, Solutions(None)).solutions == ((1,),)
