"""A trial of a light configuration, then CP-SAT's defaults; the result names what has run."""

from itertools import combinations, groupby, islice

import pytest

from backends.conformance.drawn_problems import drawn_problems
from backends.cpsat import search
from backends.cpsat.configuration import LIBRARY
from backends.interface import registry
from backends.interface.api import AllOptima, Limits, Optimum, Solutions
from backends.interface.session import Solver
from modelling.constraints import AllDifferent, Linear, NotEqual
from modelling.errors import BackendUnavailable
from modelling.problem import Objective, build_problem

pytest.importorskip("ortools.sat.python.cp_model")

EFFORT = Limits(conflicts=20_000)
"""A bound that does not depend on the machine; what is decided here needs a third of it."""


@pytest.mark.parametrize("ask", [Solutions(1), Solutions(None)], ids=str)
def test_more_variables_than_values_are_refuted(ask):
    """Without presolve CP-SAT refutes no pigeon-hole problem of this size within a minute."""
    names = [f"v{number}" for number in range(12)]
    problem = build_problem(dict.fromkeys(names, range(11)), [AllDifferent(tuple(names))])
    result = registry.get("cpsat").solve(problem, ask, EFFORT)
    assert result.status == "UNSATISFIABLE"
    assert result.configuration.endswith(LIBRARY.text)


def mycielski(edges, size):
    """The edges of the Mycielskian of a graph, and its size: one colour more, no new triangle."""
    copies = [pair for a, b in edges for pair in ((a, size + b), (b, size + a))]
    return [*edges, *copies, *((size + v, 2 * size) for v in range(size))], 2 * size + 1


def test_the_bound_of_a_colouring_rises():
    edges, size = [(0, 1)], 2
    for _ in range(3):
        edges, size = mycielski(edges, size)
    names = [f"v{number}" for number in range(size)]
    largest = [Linear((name, "most"), (1, -1), "<=", 0) for name in names]
    differ = [NotEqual((names[a], names[b])) for a, b in edges]
    domains = dict.fromkeys([*names, "most"], range(8))
    problem = build_problem(
        domains, [*differ, *largest], objective=Objective("minimize", ("most",), (1,))
    )
    result = registry.get("cpsat").solve(problem, Optimum(), EFFORT)
    assert (result.objective, result.bound) == (4, 4)


def test_an_enumeration_that_a_trial_does_not_end_has_each_solution_once():
    """The trial finds some of the 724 boards; what comes after it does not count them again."""
    names = [f"q{row}" for row in range(10)]
    apart = [
        Linear((names[a], names[b]), (1, -1), "!=", sign * (b - a))
        for a, b in combinations(range(10), 2)
        for sign in (1, -1)
    ]
    problem = build_problem(dict.fromkeys(names, range(10)), [AllDifferent(tuple(names)), *apart])
    result = registry.get("cpsat").solve(problem, Solutions(None, 0))
    assert (result.count, result.repeats, result.exhausted) == (724, 0, True)


def test_the_result_names_the_configurations_that_ran(monkeypatch):
    """Of 500 drawn problems, asked in each way: the solver and the model are as it says."""
    ran = []
    make_solver = search.make_solver

    def record(cp, limits, chosen, every, trial=False, **more):
        ran.append(chosen)
        return make_solver(cp, limits, chosen, every, trial, **more)

    formulations = {"Integers": "alldifferent", "Booleans": "booleans"}
    run = search.CpSatSession._run

    def check(self, chosen, is_trial, callback):
        assert formulations[type(self.model).__name__] == chosen.formulation
        return run(self, chosen, is_trial, callback)

    monkeypatch.setattr(search, "make_solver", record)
    monkeypatch.setattr(search.CpSatSession, "_run", check)
    backend = registry.get("cpsat")
    asked = 0
    for _, problem in islice(drawn_problems(5, tuple(backend.native)), 500):
        asks = [Solutions(1), Solutions(None, 0)]
        if problem.structure.objective is not None:
            asks += [Optimum(), AllOptima(None, 0)]
        for ask in asks:
            ran.clear()
            result = backend.solve(problem, ask)
            named = [part for part in result.configuration.split("; then ") if part]
            assert named == [text for text, _ in groupby(chosen.text for chosen in ran)]
            asked += bool(ran)
    assert asked > 500


def test_no_other_backend_chooses_by_the_structure():
    """Else it has to be asked as CP-SAT is above; what chooses nothing names nothing.

    z3 and python_constraint choose when they make a solver, and name what they chose. propagation
    follows the search that a problem states (tests/backends/propagation/test_stated_search.py).
    """
    choosing = set()
    for name in registry.names():
        try:
            backend = registry.get(name)
        except BackendUnavailable:
            continue
        solver = getattr(backend, "solver", None)
        if isinstance(solver, Solver) and type(solver).plan_call is not Solver.plan_call:
            choosing.add(name)
            continue
        problem = build_problem(dict.fromkeys("xyz", range(3)), [AllDifferent(("x", "y", "z"))])
        named = {"z3": "general", "python_constraint": "backtracking"}.get(name, "")
        assert backend.solve(problem).configuration == named, name
    assert choosing == {"cpsat", "propagation"}


def test_a_sum_that_names_a_variable_twice_is_posed_as_chosen():
    constraints = [
        Linear(("x", "x", "y", "z"), (1, -1, 1, -1), "!=", 0),
        AllDifferent(("x", "y", "z")),
    ]
    problem = build_problem(dict.fromkeys("xyz", range(3)), constraints)
    result = registry.get("cpsat").solve(problem, Solutions(None))
    assert result.count == 6
