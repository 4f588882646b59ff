"""The shared suite over every backend, and over backends that lie."""

import dataclasses
import importlib.util
import sys

import liars
import pytest

from backends.conformance import ConformanceFailure, conform, examine, vocabulary
from backends.conformance.drawn_problems import drawn_problems
from backends.conformance.foreign_constraints import LEAST, DifferentUnlessZero, Product, Residue
from backends.interface import registry
from backends.interface.api import Accepted, Refused, Solutions, ensure_accepted
from modelling.brute_force import solutions
from modelling.constraints import AllDifferent, Constraint, Linear, NotEqual, Table
from modelling.errors import ModelError, Unsupported
from modelling.problem import Problem, state
from results.studies.conformance import CONFIGURATIONS, OF_ALL_DIFFERENT

MIN_CONFLICTS = "python_constraint:minconflicts"


def loaded(name):
    if "pycosat" in name:
        pytest.importorskip("pycosat", reason="pycosat is optional: it has no wheels")
    return registry.get(name)


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_conforms(name):
    """The study ``conformance`` takes 1,000 problems each."""
    report = conform(loaded(name), problems=150)
    assert sum(report.accepted.values()) >= 150
    if name != MIN_CONFLICTS:
        assert not report.refused


def test_a_backend_without_pycosat_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pycosat", None)
    with pytest.raises(registry.BackendUnavailable, match="pip install"):
        registry.get("sat:direct,pycosat")


def test_every_general_backend_takes_all_four_constraints():
    for name in registry.names():
        if name == "compiled" and importlib.util.find_spec("numba") is None:
            continue  # sudoku_kernel/test_compiled.py says what is skipped then, and why
        if name in OF_ALL_DIFFERENT:
            assert set(vocabulary(registry.get(name))) == {AllDifferent, NotEqual}
            continue
        assert set(vocabulary(registry.get(name))) == {AllDifferent, NotEqual, Linear, Table}


def test_the_drawn_problems_cover_what_the_contract_names():
    kinds = set()
    negative = gapped = spare = unsatisfied = several = 0
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
    assert len(kinds) == 13
    assert min(negative, gapped, spare, unsatisfied, several) >= 20


@pytest.mark.parametrize("lie", liars.LIARS, ids=lambda lie: lie.name)
def test_a_lie_is_caught(lie):
    with pytest.raises(ConformanceFailure):
        conform(lie(), problems=300)


def test_the_honest_one_beside_the_liars_passes():
    assert not examine(liars.Honest(), problems=300).faults


# --- constraints that no backend knows -----------------------------------------------------------


class Skipping(liars.Honest):
    """Leaves out what it does not know, as a chain of ``if`` without ``else`` does."""

    name = "skipping"

    def answers(self, problem):
        known = tuple(c for c in problem.structure.constraints if type(c) not in LEAST)
        structure = dataclasses.replace(problem.structure, constraints=known)
        return solutions(Problem(structure, problem.masks))


class Silent(liars.Honest):
    """Refuses what it does not know, and does not say what that is."""

    name = "silent"

    def accepts(self, problem):
        foreign = any(type(c) in LEAST for c in problem.structure.constraints)
        return Refused("too hard") if foreign else Accepted()

    def solve(self, problem, *arguments):
        ensure_accepted(self, problem)
        return super().solve(problem, *arguments)


def test_skipping_what_one_does_not_know_is_caught():
    with pytest.raises(ConformanceFailure, match="foreign constraints, Solutions"):
        conform(Skipping(), problems=100)


def test_refusing_without_the_name_of_the_constraint_is_caught():
    with pytest.raises(ConformanceFailure, match="'too hard' names none of"):
        conform(Silent(), problems=100)


FACTORS = state(
    {"x": range(1, 7), "y": range(1, 7), "z": (6,)},
    [Product(("x", "y", "z"))],
)


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_a_constraint_of_ones_own_is_counted_right(name):
    if name == MIN_CONFLICTS:
        return
    backend = loaded(name)
    result = backend.solve(FACTORS, Solutions(None, None))
    assert sorted(result.solutions) == [(1, 6, 6), (2, 3, 6), (3, 2, 6), (6, 1, 6)]
    assert result.exhausted


@pytest.mark.parametrize("name", OF_ALL_DIFFERENT)
def test_backends_of_all_different_alone_name_what_they_refuse(name):
    if name == "compiled":
        pytest.importorskip("numba", reason="numba is optional: the extra 'compiled'")
    backend = registry.get(name)
    for constraint in (Product((0, 1, 2)), DifferentUnlessZero((0, 1, 2))):
        refused = backend.accepts(state({c: range(3) for c in "abc"}, [constraint]))
        assert isinstance(refused, Refused)
        assert type(constraint).__name__ in refused.reason


@pytest.mark.parametrize("name", ["propagation", "cpsat", "sat"])
def test_what_is_too_large_for_a_table_is_refused_by_name(name):
    backend = registry.get(name)
    large = state({c: range(1000) for c in "xyz"}, [Product("xyz")])
    refused = backend.accepts(large)
    assert isinstance(refused, Refused)
    assert "Product" in refused.reason
    with pytest.raises(Unsupported, match="Product"):
        backend.solve(large)


@pytest.mark.parametrize("name", ["propagation", "cpsat", "sat", "sat:reuse=solver"])
def test_two_meanings_under_one_name_are_told_apart(name):
    def meaning(wanted):
        class Own(Constraint):
            def holds(self, values):
                return sum(values) == wanted

        return Own

    backend = registry.get(name)
    for wanted, count in ((2, 3), (4, 1), (0, 1), (2, 3)):
        problem = state({"x": range(3), "y": range(3)}, [meaning(wanted)("xy")])
        assert backend.solve(problem, Solutions(None)).count == count
    for remainder, count in ((0, 3), (1, 3), (2, 3)):
        problem = state({"x": range(3), "y": range(3)}, [Residue("xy", 3, remainder)])
        found = backend.solve(problem, Solutions(None, None))
        assert found.count == count
        assert {sum(values) % 3 for values in found.solutions} == {remainder}


def test_a_constraint_without_a_meaning_is_none():
    class Vague(Constraint):
        pass

    with pytest.raises(ModelError, match="Vague must define holds"):
        state({"x": (1,)}, [Vague("x")])
