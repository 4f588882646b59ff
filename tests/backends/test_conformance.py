"""The shared suite over every backend, and over backends that lie."""

import importlib.util
import sys

import liars
import pytest

from backends import registry
from backends.conformance import ConformanceFailure, conform, examine, vocabulary
from backends.drawn_problems import drawn_problems
from modelling.constraints import AllDifferent, Linear, NotEqual, Table

BACKENDS = [
    "brute_force",
    "propagation",
    "propagation:branching=smallest",
    "propagation:branching=first,reuse=none",
    "cpsat",
    "cpsat:alldifferent",
    "cpsat:alldifferent,presolve=on",
    "cpsat:alldifferent,presolve=off",
    "cpsat:booleans,presolve=on",
    "cpsat:booleans,presolve=off,reuse=none",
    "cpsat:alldifferent,presolve=light",
    "cpsat:booleans,presolve=light,workers=1",
    "sat:direct,pycosat",
    "sat:direct,cadical153",
    "sat:extended,cadical195",
    "sat:direct,glucose4,reuse=solver",
    "sat:extended,minisat22,amo=sequential",
    "sat:direct,minisat22,reuse=none,amo=product",
    "python_constraint",
    "python_constraint:backtracking",
    "python_constraint:recursive",
    "python_constraint:minconflicts",
]

MIN_CONFLICTS = "python_constraint:minconflicts"


def loaded(name):
    if "pycosat" in name:
        pytest.importorskip("pycosat", reason="pycosat is optional: it has no wheels")
    return registry.get(name)


@pytest.mark.parametrize("name", BACKENDS)
def test_conforms(name):
    report = conform(loaded(name), problems=300)
    assert sum(report.accepted.values()) >= 300
    if name != MIN_CONFLICTS:
        assert not report.refused


def test_a_backend_without_pycosat_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pycosat", None)
    with pytest.raises(registry.BackendUnavailable, match="pip install"):
        registry.get("sat:direct,pycosat")


def test_every_general_backend_takes_all_four_constraints():
    for name in registry.names():
        if name == "compiled" and importlib.util.find_spec("numba") is None:
            continue  # tests/backends/test_compiled.py says what is skipped then, and why
        if name in ("ladder", "compiled"):  # they take AllDifferent only, and say so
            assert set(vocabulary(registry.get(name))) == {AllDifferent, NotEqual}
            continue
        assert set(vocabulary(registry.get(name))) == {AllDifferent, NotEqual, Linear, Table}


def test_the_drawn_problems_cover_what_the_contract_names():
    kinds = set()
    negative = gapped = spare = unsatisfied = several = 0
    from modelling.brute_force import solutions

    for number, (kind, problem) in enumerate(drawn_problems(0, [AllDifferent, Linear, Table])):
        if number == 200:
            break
        kinds.add(kind.removesuffix(", other givens"))
        domains = problem.structure.domains
        negative += any(d and d[0] < 0 for d in domains)
        gapped += any(d and d[-1] - d[0] >= len(d) for d in domains)
        spare += any(
            isinstance(c, AllDifferent)
            and len({v for i in c.scope for v in domains[i]}) > len(c.scope) > 1
            for c in problem.structure.constraints
        )
        found = len(list(solutions(problem)))
        unsatisfied += found == 0
        several += found > 1
    assert len(kinds) == 10
    assert min(negative, gapped, spare, unsatisfied, several) >= 20


@pytest.mark.parametrize("lie", liars.LIARS, ids=lambda lie: lie.name)
def test_a_lie_is_caught(lie):
    with pytest.raises(ConformanceFailure):
        conform(lie(), problems=300)


def test_the_honest_one_beside_the_liars_passes():
    assert not examine(liars.Honest(), problems=300).faults
