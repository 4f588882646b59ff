"""Concord's backends as CPMpy's solvers: statuses, values, counts, objectives, assumptions."""

import cpmpy as cp
import pytest
from cpmpy.exceptions import NotSupportedError
from cpmpy.expressions.globalconstraints import GlobalConstraint
from cpmpy.solvers.solver_interface import ExitStatus

import concord
from backends.cpmpy_solver import ConcordSolver
from concord import ConcordError
from modelling.errors import InputError, UnknownBackend

BACKENDS = ("propagation", "cpsat", "sat:direct")


@pytest.fixture(autouse=True)
def _registered():
    concord.register_cpmpy()
    concord.register_cpmpy()  # again, which changes nothing


def magic():
    x = cp.intvar(1, 9, shape=(3, 3), name="x")
    lines = [*x, *x.T, x.diagonal(), x[:, ::-1].diagonal()]
    return cp.Model(cp.AllDifferent(x), [sum(line) == 15 for line in lines]), x


def get(backend, model=None):
    return cp.SolverLookup.get(f"concord:{backend}", model)


def test_it_is_listed_once_with_the_backends_that_take_any_problem():
    names = cp.SolverLookup.supported()
    assert names.count("concord") == 1
    assert {"concord:propagation", "concord:cpsat", "concord:sat"} <= set(names)
    assert not any("ladder" in name for name in names)
    assert cp.SolverLookup.lookup("concord:sat:direct") is ConcordSolver
    with pytest.raises(UnknownBackend, match="cpsatt"):
        get("cpsatt")


@pytest.mark.parametrize("backend", BACKENDS)
def test_solve_and_count(backend):
    model, x = magic()
    assert model.solve(solver=f"concord:{backend}")
    assert model.status().exitstatus is ExitStatus.FEASIBLE
    assert x.value().sum() == 45
    assert x.value()[1, 1] == 5
    assert model.solveAll(solver=f"concord:{backend}") == 8
    assert model.status().exitstatus is ExitStatus.OPTIMAL
    assert model.solveAll(solver=f"concord:{backend}", solution_limit=3) == 3
    assert model.status().exitstatus is ExitStatus.FEASIBLE


@pytest.mark.parametrize("backend", [*BACKENDS, "python_constraint"])
def test_no_solution_clears_the_values(backend):
    x, b = cp.intvar(0, 3, name="x"), cp.boolvar(name="b")
    solver = get(backend, cp.Model(b == (x > 1)))
    assert solver.solve()
    assert type(b.value()) is bool
    assert type(x.value()) is int
    solver += [b, x == 1]
    assert not solver.solve()
    assert solver.status().exitstatus is ExitStatus.UNSATISFIABLE
    assert (x.value(), b.value()) == (None, None)
    assert solver.solveAll() == 0
    assert solver.status().exitstatus is ExitStatus.UNSATISFIABLE


@pytest.mark.parametrize("backend", ["propagation", "cpsat", "sat"])
def test_objectives_replace_each_other(backend):
    x, y = cp.intvar(0, 5, name="x"), cp.intvar(-2, 2, name="y")
    solver = get(backend, cp.Model(x + y <= 4, maximize=x + 2 * y))
    assert solver.solve()
    assert solver.status().exitstatus is ExitStatus.OPTIMAL
    assert (solver.objective_value(), x.value(), y.value()) == (6, 2, 2)
    solver.minimize(x // y)
    assert solver.solve()
    assert (solver.objective_value(), x.value(), y.value()) == (-5, 5, -1)
    solver.maximize(abs(y))
    seen = []
    assert solver.solveAll(display=lambda: seen.append((x.value(), y.value()))) == 9
    assert len(set(seen)) == 9
    assert all(abs(y) == 2 for _, y in seen)


def test_display_shows_each_solution(capsys):
    x = cp.intvar(0, 2, name="x")
    seen = []
    solver = get("propagation", cp.Model(x != 1))
    assert solver.solveAll(display=lambda: seen.append(x.value())) == 2
    assert sorted(seen) == [0, 2]
    assert solver.solveAll(display=[x, x + 1]) == 2
    assert "[0, 1]" in capsys.readouterr().out
    assert solver.solve(display=lambda: seen.append("once"))
    assert seen[2:] == ["once"]


@pytest.mark.parametrize("backend", ["propagation", "cpsat", "sat"])
def test_assumptions_and_a_core_of_them(backend):
    a, b, c = cp.boolvar(shape=3, name="a")
    d = cp.boolvar(name="d")
    solver = get(backend, cp.Model(~a | ~b, c.implies(a)))
    assert solver.solve(assumptions=[a, ~b, d])
    assert (a.value(), b.value(), d.value()) == (True, False, True)
    with pytest.raises(NotSupportedError, match="there is no core"):
        solver.get_core()
    assert not solver.solve(assumptions=[d, c, b])
    assert {str(one) for one in solver.get_core()} == {str(b), str(c)}
    assert solver.solve()
    assert not solver.solve(assumptions=[a, ~a])
    assert len(solver.get_core()) == 2
    with pytest.raises(NotSupportedError, match="no Boolean variable"):
        solver.solve(assumptions=[cp.intvar(0, 1, name="i")])


def test_limits():
    model, _ = magic()
    solver = get("propagation", model)
    with pytest.raises(ValueError, match="must be positive"):
        solver.solve(time_limit=0)
    assert not solver.solve(nodes=1)
    assert solver.status().exitstatus is ExitStatus.UNKNOWN
    assert solver.status().runtime is not None
    with pytest.raises(TypeError, match="colour"):
        solver.solve(colour="red")
    with pytest.raises(NotSupportedError):
        solver.solution_hint([], [])


def test_what_is_refused():
    x = cp.intvar(0, 3, name="x")
    with pytest.raises(NotSupportedError, match="DirectConstraint"):
        get("cpsat", cp.Model(cp.DirectConstraint("AddCircuit", (x,))))
    solver = get("cpsat", cp.Model(x > 0))
    with pytest.raises(NotSupportedError, match="FloatSum"):
        solver.minimize(cp.expressions.globalfunctions.FloatSum([0.5], [x]))
    y = cp.intvar(0, 7, name="x")
    with pytest.raises(NotSupportedError, match="two variables"):
        solver += y > 1
    assert solver.solveAll() == 3


def test_variables_that_a_decomposition_hides_have_values_and_its_own_have_not():
    class Free(GlobalConstraint):
        def __init__(self, x):
            super().__init__("free", (x,))

        def decompose(self):
            return [cp.intvar(0, 9, name="aux") >= 0], []

    x = cp.intvar(0, 2, name="x")
    solver = get("cpsat", cp.Model(Free(x)))
    assert solver.solveAll() == 3
    assert x.value() in range(3)
    assert solver.native_model.structure.names == ("x", "aux")


def test_without_cpmpy_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr("modelling.formats.cpmpy.find_spec", lambda name: None)
    for call in (concord.register_cpmpy, lambda: concord.from_cpmpy(None)):
        with pytest.raises(InputError, match=r"pip install 'solver-concord\[cpmpy\]'") as raised:
            call()
        assert isinstance(raised.value, ConcordError)
