"""Parameters of CP-SAT's own are those of one backend."""

import pytest

from backends.interface.api import Limits

pytest.importorskip("ortools")


def test_what_is_set_for_one_solver_is_not_set_for_another_one():
    from ortools.sat.python import cp_model

    from backends.cpsat.configuration import LIBRARY
    from backends.cpsat.own_parameters import set_parameters
    from backends.cpsat.parameters import make_solver

    own = make_solver(cp_model, Limits(), LIBRARY, True, alone=True)
    set_parameters(own.parameters, {"linearization_level": 2})
    other = make_solver(cp_model, Limits(), LIBRARY, True)
    assert own.parameters.linearization_level == 2
    assert other.parameters.linearization_level != 2


def test_a_backend_with_parameters_leaves_those_of_others_alone():
    from backends.cpsat.parameters import _parameters
    from backends.interface import registry
    from backends.interface.api import Solutions
    from modelling.constraints import AllDifferent
    from modelling.problem import Structure

    problem = Structure(("x", "y"), ((1, 2),) * 2, (AllDifferent((0, 1)),)).problem()
    _parameters.cache_clear()
    registry.get("cpsat:linearization_level=2").solve(problem, Solutions(None))
    assert _parameters.cache_info().currsize == 0


def test_the_whole_relaxation_of_9_15_repeats_solutions():
    from ortools.sat.python import cp_model

    from backends.interface import registry
    from backends.interface.api import Solutions
    from modelling.constraints import Linear, Maximum
    from modelling.problem import Structure

    model = cp_model.CpModel()
    x, y, most = (model.new_int_var(0, 2, name) for name in ("x", "y", "most"))
    model.add_max_equality(most, [x, y])
    solver, seen = cp_model.CpSolver(), cp_model.CpSolverSolutionCallback()
    found = []
    seen.on_solution_callback = lambda: found.append(tuple(map(seen.value, (x, y, most))))
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.linearization_level = 2
    solver.solve(model, seen)
    assert len(set(found)) == 9
    if registry.get("cpsat").version.startswith("9.15."):
        assert len(found) == 12

    domains = ((0, 1, 2),) * 3
    equal = Linear((Maximum((0, 1)), 2), (1, -1), "==", 0)
    problem = Structure(("x", "y", "most"), domains, (equal,)).problem()
    result = registry.get("cpsat:presolve=full").solve(problem, Solutions(None, None))
    assert (result.count, result.repeats) == (9, 0)
