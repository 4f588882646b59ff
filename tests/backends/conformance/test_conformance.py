"""The shared suite over every backend, and over backends that lie."""

import dataclasses
from types import SimpleNamespace

import liars
import pytest
from conformance_rows import CONFORMANCE, draw_table, find_rows

from backends.conformance import ConformanceFailure, conform, examine, vocabulary
from backends.conformance.drawn_problems import drawn_problems
from backends.conformance.foreign_constraints import LEAST, DifferentUnlessZero, Product, Residue
from backends.interface import registry
from backends.interface.api import Accepted, Refused, Solutions, ensure_accepted
from backends.interface.shipped import SHIPPED
from backends.sat import OPTIONS as SAT_OPTIONS
from backends.sat.engines import ENGINES
from modelling.brute_force import solutions
from modelling.constraints import AllDifferent, Constraint, Linear, NotEqual, Table
from modelling.errors import ModelError, Unsupported
from modelling.problem import Problem, build_problem
from modelling.vocabulary import VOCABULARY
from results.studies.correctness.conformance import CONFIGURATIONS, OF_ALL_DIFFERENT
from tests.backends.solver_checks import find_or_skip

DEFAULT, VARIANT = 150, 40
"""Problems for a backend as it is by default, and with options."""

SLOW = {
    **dict.fromkeys(("clingo", "exact", "pumpkin"), 75),
    **dict.fromkeys(("bitwuzla", "z3"), 40),
    "scip": 30,
    **dict.fromkeys(("highs", "mathopt", "cpsat:ls", "propagation:lns"), 10),
    "sat:extended,kissat404": 12,
}
"""Fewer for those that take longer; the study of conformance has no exceptions."""

PROCESSES = {shipped.name for shipped in SHIPPED if shipped.process}
"""Each call of these starts a process; they are tried once."""

SLOW_STARTS = ("sat:extended,cryptominisat", "sat:extended,kissat", "propagation:form=compiled")
"""Each call of these takes a hundred times as long as one of their kin, or compiles first."""

SAT = {option.name: option.choices for option in SAT_OPTIONS}
EVERY_ENGINE = (
    *(f"sat:extended,{engine}" for engine in ENGINES if engine != "relay"),
    *(f"sat:direct,{engine}" for engine in ("minicard", "mergesat3")),
)
EVERY_AT_MOST_ONE = (
    *(f"sat:direct,minisat22,amo={amo},reuse=solver" for amo in SAT["amo"]),
    *(f"sat:direct,minisat22,amo=sequential,reuse={reuse}" for reuse in SAT["reuse"]),
)
INCOMPLETE = ("python_constraint:minconflicts", "toulbar2:vns", "cpsat:ls", "propagation:lns")
OTHERS = (
    *("python_constraint:optimized", "pumpkin:unsat-sat", "toulbar2:vns", "cpsat:ls"),
    "propagation:lns",
)
ON_CLASSES = ("pumpkin:unsat-sat", "toulbar2:vns")
"""Every second problem of these is about a class of the vocabulary."""


def count_problems(name):
    """How many problems a configuration answers in the tests."""
    if name in SLOW:
        return SLOW[name]
    if name.startswith("xcsp3:"):
        return 5
    if name == "sat:extended,kissat":
        return 2
    if name in PROCESSES:
        return 10
    return VARIANT if ":" in name else DEFAULT


MATRIX = {
    name: count_problems(name)
    for name in (*CONFIGURATIONS, *EVERY_ENGINE, *EVERY_AT_MOST_ONE, *OTHERS)
}
"""The one table of what is examined, and by how many problems. The tests of a backend's own room
examine what is special about it."""


def mark(name):
    """A row of the matrix; those of a process each are long."""
    is_long = name.partition(":")[0] in PROCESSES or name in SLOW_STARTS
    marks = [pytest.mark.once] if is_long else []
    return pytest.param(name, marks=marks)


@pytest.mark.parametrize("name", list(map(mark, MATRIX)))
def test_conforms(name, record_property):
    """The study ``conformance`` takes 1,000 problems each; a table of all ends the run."""
    problems = MATRIX[name]
    record_property(CONFORMANCE, (name, problems))
    also = VOCABULARY if name in ON_CLASSES else ()
    report = conform(find_or_skip(name), problems=problems, also=also)
    assert sum(report.accepted.values()) >= problems
    assert sum(report.plain.values()) == problems
    if name not in INCOMPLETE or name in ON_CLASSES:
        assert not report.refused


@pytest.mark.once
def test_kissat_conforms_with_proofs():
    conform(find_or_skip("sat:kissat,proof=check"), problems=20, seed=2)


def said(name, when="call", outcome="passed", longrepr=None):
    """What pytest reports of one test of the suite."""
    return SimpleNamespace(
        user_properties=[(CONFORMANCE, (name, DEFAULT))],
        when=when,
        duration=1.25,
        longrepr=longrepr,
        skipped=outcome == "skipped",
        failed=outcome == "failed",
    )


def test_every_backend_has_a_row_at_the_end():
    hint = "choco needs pychoco: pip install 'solver-concord[choco]'"
    other = SimpleNamespace(user_properties=[], when="call")
    reports = [other, said("sat", "setup"), said("sat"), said("sat", "teardown")]
    reports.append(said("choco", outcome="skipped", longrepr=("f.py", 1, f"Skipped: {hint}")))
    reports.append(said("cpsat:booleans", outcome="failed"))
    rows = find_rows(reports, ["cpsat", "sat", "choco", "minizinc"])
    assert rows == [
        ("sat", "150", "1.2 s"),
        ("choco", "-", hint),
        ("cpsat:booleans", "150", "FAILED after 1.2 s"),
        ("minizinc", "-", "not among the tests of this run"),
    ]
    lines = draw_table(rows)
    assert lines[0].split() == ["backend", "problems", "seconds,", "or", "why", "not"]
    assert len(lines) == 5
    assert find_rows([other], ["cpsat"]) == []


@pytest.mark.parametrize("name", registry.names())
def test_every_general_backend_takes_all_four_constraints(name):
    taken = set(vocabulary(find_or_skip(name)))
    if name in OF_ALL_DIFFERENT:
        assert taken == {AllDifferent, NotEqual}
    else:
        assert taken == {AllDifferent, NotEqual, Linear, Table}


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
    assert not examine(liars.Honest(), problems=150).faults


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


FACTORS = build_problem({"x": range(1, 7), "y": range(1, 7), "z": (6,)}, [Product(("x", "y", "z"))])


@pytest.mark.parametrize("name", list(map(mark, CONFIGURATIONS)))
def test_a_constraint_of_ones_own_is_counted_right(name):
    if name in INCOMPLETE:
        return
    backend = find_or_skip(name)
    result = backend.solve(FACTORS, Solutions(None, None))
    assert sorted(result.solutions) == [(1, 6, 6), (2, 3, 6), (3, 2, 6), (6, 1, 6)]
    assert result.exhausted


@pytest.mark.parametrize("name", OF_ALL_DIFFERENT)
def test_backends_of_all_different_alone_name_what_they_refuse(name):
    backend = find_or_skip(name)
    for constraint in (Product((0, 1, 2)), DifferentUnlessZero((0, 1, 2))):
        refused = backend.accepts(build_problem({c: range(3) for c in "abc"}, [constraint]))
        assert isinstance(refused, Refused)
        assert type(constraint).__name__ in refused.reason


@pytest.mark.parametrize("name", ["propagation", "cpsat", "sat"])
def test_what_is_too_large_for_a_table_is_refused_by_name(name):
    backend = registry.get(name)
    large = build_problem({c: range(1000) for c in "xyz"}, [Product("xyz")])
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
        problem = build_problem({"x": range(3), "y": range(3)}, [meaning(wanted)("xy")])
        assert backend.solve(problem, Solutions(None)).count == count
    for remainder, count in ((0, 3), (1, 3), (2, 3)):
        problem = build_problem({"x": range(3), "y": range(3)}, [Residue("xy", 3, remainder)])
        found = backend.solve(problem, Solutions(None, None))
        assert found.count == count
        assert {sum(values) % 3 for values in found.solutions} == {remainder}


def test_a_constraint_without_a_meaning_is_none():
    class Vague(Constraint):
        pass

    with pytest.raises(ModelError, match="Vague must define holds"):
        build_problem({"x": (1,)}, [Vague("x")])
