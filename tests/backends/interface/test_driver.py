"""The driver over a solver that does as little as it can, and over those that ship."""

from dataclasses import replace
from itertools import product
from time import perf_counter

import pytest

import concord
from backends.conformance import conform
from backends.interface import registry, session
from backends.interface.api import AllOptima, Limits, Optimum, Refused, Solutions
from backends.interface.driver import Driver
from backends.interface.events import SearchTrajectory, emitting
from backends.interface.evidence.answer import digest_of, shortfall
from backends.interface.handlers import Condition, Handler, post
from backends.interface.session import Capabilities, Session, SessionReport, Solver, with_defaults
from modelling.brute_force import solutions
from modelling.constraints import AllDifferent, Iff, Implies, Linear, Table
from modelling.errors import MissingHandler, ModelError, Unsupported
from modelling.problem import Objective, Problem, Structure, build_problem
from tests.backends.solver_checks import check_first_no, check_incumbents

SHIPPED = ("propagation", "cpsat", "cpsat:booleans", "sat", "sat:solver", "python_constraint")

BAG = build_problem(
    {"x": range(6), "y": range(5), "z": range(5)},
    [Linear(("x", "y", "z"), (2, 3, 4), "<=", 17), AllDifferent(("x", "y"))],
    objective=Objective("maximize", ("x", "y", "z"), (3, 4, 5)),
)


def constraint(held, found, condition=None):
    held.append((found, condition))


class Tries:
    """Tries every assignment. ``modes`` are those of its one handler for Linear."""

    def __init__(self, modes=("root",), **capabilities):
        self.capabilities = Capabilities("tries", **capabilities)
        self.handlers = {Linear: Handler(constraint, modes), Table: Handler(constraint)}
        self.encoded = self.asked = 0

    def refusal(self, structure, encode):
        self.asked += 1
        return "too many variables" if structure.size > 9 else ""

    def encode(self, structure):
        self.encoded += 1
        return []

    def open(self, held, call):
        return Rows(held, call)


class Rows(Session):
    again = 1

    def __init__(self, held, call):
        self.given = []
        self.found = iter(
            [row for row in product(*call.problem.domains()) if self.holds(held, row)] * self.again
        )

    def holds(self, held, row):
        for found, condition in held:
            truth = found.holds([row[v] for v in found.scope])
            if condition is not None:
                met = row[condition.variable] == condition.value
                truth = truth == met if condition.full else truth or not met
            if not truth:
                return False
        return True

    def next(self):
        return next(self.found, "exhausted")

    def report(self):
        return SessionReport("done", {"nodes": 1})


# --- what a solver may leave out -----------------------------------------------------------------


def test_a_solver_without_the_base_class_has_its_own_methods_and_the_defaults():
    tries = Tries()
    completed = with_defaults(tries)
    assert completed.encode == tries.encode
    assert completed.refusal == tries.refusal
    assert completed.capabilities is tries.capabilities
    assert completed.handlers is tries.handlers
    assert completed.finish("draft") == "draft"
    assert not completed.too_large(None)
    assert completed.weigh(None) is None


def test_a_session_may_have_the_former_name_of_its_report():
    class Former(Session):
        def told(self):
            return session.Told("done")

    with pytest.warns(DeprecationWarning, match="is now called"):
        assert Former().report() == SessionReport("done")


def test_a_call_cannot_be_changed():
    class Changes(Tries, Solver):
        def open(self, held, call):
            with pytest.raises(AttributeError):
                call.several = False
            assert with_defaults(self) is self
            return super().open(held, call)

    assert Driver("changes", Changes()).solve(BAG, Optimum()).status == "OPTIMUM"


# --- what is posed -------------------------------------------------------------------------------


def test_a_solver_that_gives_the_least_conforms():
    assert sum(conform(Driver("tries", Tries()), problems=40).accepted.values()) >= 40


def test_a_constraint_without_handler_is_never_skipped():
    handlers = {Linear: Handler(constraint)}
    structure = build_problem({"x": range(3), "y": range(3)}, [AllDifferent("xy")]).structure
    with pytest.raises(MissingHandler, match=r"mine cannot pose AllDifferent.* no handler"):
        post(handlers, [], structure, "mine")


@pytest.mark.parametrize(("kind", "full"), [(Implies, False), (Iff, True)])
@pytest.mark.parametrize("value", [0, 1])
def test_a_reified_constraint_comes_with_its_condition(kind, full, value):
    within = Linear((1, 2), (1, 1), "<=", 2)
    structure = Structure(
        ("b", "x", "y"),
        ((0, 1), (0, 1, 2), (0, 1, 2)),
        (kind(Linear((0,), (1,), "==", value), within),),
    )
    held = []
    post({Linear: Handler(constraint, ("root", "half", "full"))}, held, structure, "mine")
    assert held == [(within, Condition(0, value, full))]


@pytest.mark.parametrize("modes", [("root",), ("root", "half"), ("root", "half", "full")])
def test_reified_constraints_are_answered_in_every_mode(modes):
    within = Linear((1, 2), (1, 1), "==", 2)
    for kind in (Implies, Iff):
        formula = kind(Linear((0,), (1,), "==", 1), within)
        problem = Structure(("b", "x", "y"), ((0, 1), (0, 1, 2), (0, 1, 2)), (formula,)).problem()
        result = Driver("tries", Tries(modes)).solve(problem, Solutions(None, None))
        assert sorted(result.solutions) == sorted(solutions(problem))
        assert not shortfall(result, Solutions(None, None), problem)


def test_a_constant_is_settled_before_the_solver():
    solver = Tries()
    driver = Driver("tries", solver)
    false = Structure(("x",), ((0, 1),), (Linear((), (), "==", 1),)).problem()
    assert driver.solve(false).status == "UNSATISFIABLE"
    assert (
        driver.solve(Problem(build_problem({"x": (0, 1)}).structure, (0,))).status
        == "UNSATISFIABLE"
    )


# --- what is kept --------------------------------------------------------------------------------


def test_a_structure_is_judged_and_encoded_once():
    solver = Tries()
    driver = Driver("tries", solver)
    for turn in range(3):
        assert driver.accepts(BAG) == concord.get_backend("sat").accepts(BAG)
        assert driver.solve(BAG).encoding_reused is (turn > 0)
    assert (solver.asked, solver.encoded) == (1, 1)
    assert not Driver("tries", Tries(), keep=False).solve(BAG).encoding_reused


def test_a_refusal_is_told_by_accepts_and_raised_by_solve():
    driver = Driver("tries", Tries())
    wide = build_problem({f"x{i}": range(2) for i in range(10)})
    assert driver.accepts(wide) == Refused("too many variables")
    with pytest.raises(Unsupported, match="too many variables"):
        driver.solve(wide)


def test_what_cannot_be_asked_is_unsupported():
    driver = Driver("tries", Tries(optimises=False))
    for ask in (Optimum(), AllOptima()):
        with pytest.raises(Unsupported, match="finds and counts solutions only"):
            driver.solve(BAG, ask)
    with pytest.raises(ModelError, match="no objective"):
        Driver("tries", Tries()).solve(build_problem({"x": range(2)}), Optimum())


def test_repeats_are_never_hidden(monkeypatch):
    monkeypatch.setattr(Rows, "again", 2)
    result = Driver("tries", Tries()).solve(build_problem({"x": range(3)}), Solutions(None, None))
    assert (result.count, result.repeats) == (6, 3)


def test_what_a_session_does_not_time_is_the_search():
    driver = Driver("tries", Tries())
    for ask in (Solutions(None), Optimum(), AllOptima(None, None)):
        begun = perf_counter()
        result = driver.solve(BAG, ask)
        took = perf_counter() - begun
        phases = {k: v for k, v in result.phases.items() if k != "first_solution"}
        assert phases.keys() == {"encode", "solve"}
        assert 0 < sum(phases.values()) <= took


# --- optima and events ---------------------------------------------------------------------------


def test_events_lead_to_the_optimum_and_the_first_no_stops_the_search():
    """So it is for every solver: see the tests of conformance."""
    check_incumbents(Driver("tries", Tries()))
    check_first_no(Driver("tries", Tries()))


@pytest.mark.parametrize("name", SHIPPED)
def test_the_course_of_a_search_ends_in_its_answer(name):
    course = SearchTrajectory(BAG.structure.objective)
    told = []
    emit = lambda event: told.append(course.take(event)) or True  # noqa: E731
    result = emitting(registry.get(name), BAG, Optimum(), Limits(), emit)
    assert all(told)  # whatever the driver tells is better than what it told before
    assert course.latest == result.solutions[0]
    found, bounds = ([s for s in course.steps if s.kind == kind] for kind in ("found", "bound"))
    assert len(found) + len(bounds) == len(told)
    assert found[-1].objective == course.objective == result.objective
    assert all(step.objective >= result.objective for step in bounds)
    assert list(course.steps) == sorted(course.steps, key=lambda step: step.seconds)


def test_a_backend_that_knows_sinks_only_emits_all_the_same():
    class OnlySinks:
        name, native = "sinks", frozenset()

        def solve(self, problem, ask, limits, sink):
            return registry.get("propagation").solve(problem, ask, limits, sink)

    for ask in (Solutions(2, 2), Optimum()):
        events = []

        def emit(event, events=events):
            events.append(event)
            return True

        result = emitting(OnlySinks(), BAG, ask, Limits(), emit)
        assert events[-1].values == result.solutions[-1]
        assert events[-1].objective == result.objective


# --- output --------------------------------------------------------------------------------------


@pytest.mark.parametrize("output", [(), (0,), (2, 0), (0, 1, 2)])
@pytest.mark.parametrize("name", ["tries", *SHIPPED, "sat:direct,pycosat", "sat:kissat404"])
def test_solutions_are_told_apart_by_the_output(name, output):
    if "pycosat" in name:
        pytest.importorskip("pycosat", reason="pycosat is optional: it has no wheels")
    backend = Driver("tries", Tries()) if name == "tries" else registry.get(name)
    given = BAG.structure
    structure = Structure(
        given.names, given.domains, given.constraints, given.objective, output=output
    )
    problem = structure.problem({1: 2})
    whole = set(solutions(Structure(given.names, given.domains, given.constraints).problem({1: 2})))
    shown = {tuple(row[v] for v in output) for row in whole}
    for limit in (1, 2, None):
        ask = Solutions(limit, None)
        result = backend.solve(problem, ask)
        assert result.count == (len(shown) if limit is None else min(limit, len(shown)))
        assert set(result.solutions) <= whole
        assert not shortfall(result, ask, problem)
    assert result.digest == digest_of(shown)
    assert result.exhausted


@pytest.mark.parametrize("name", ["tries", "brute_force", *SHIPPED])
def test_so_many_outputs_are_told_apart_and_no_more(name, monkeypatch):
    """Where the solver does not do it by itself, memory is bounded, and the result says so."""
    backend = Driver("tries", Tries()) if name == "tries" else registry.get(name)
    projects = backend.solver.capabilities.projects
    given = build_problem(
        {"x": range(5), "y": range(3)}, objective=Objective("maximize", "y", (1,))
    )
    problem = Problem(replace(given.structure, output=(0,)), given.masks)
    for most in (5, 3):
        monkeypatch.setattr("backends.interface.driver.MOST_OUTPUTS", most)
        for ask in (Solutions(None, None), AllOptima(None, None)):
            result = backend.solve(problem, ask)
            assert not shortfall(result, ask, problem)
            if most == 5 or projects:
                assert (result.count, result.stopped_by) == (5, "exhausted")
            else:
                assert (result.count, result.stopped_by) == (3, "memory")
                assert result.native_status == (
                    "there are more than 3 outputs, and no more are told apart"
                )
        assert backend.solve(problem, Solutions(3, 3)).stopped_by == "enough"
        fewer = Problem(problem.structure, (0b10110, *problem.masks[1:]))
        assert backend.solve(fewer, Solutions(None)).stopped_by == "exhausted"


@pytest.mark.parametrize("name", SHIPPED)
def test_variables_that_nothing_depends_on_are_not_searched(name):
    """Twelve of nine values each: 9**12 solutions, of which 2 differ in the output."""
    names = ("x", "y", *(f"idle{k}" for k in range(12)))
    domains = ((0, 1), (0, 1), *((tuple(range(9)),) * 12))
    rule = (Linear((0, 1), (1, 1), "==", 1),)
    structure = Structure(names, domains, rule, Objective("maximize", (0,), (1,)), (0, 1))
    problem = structure.problem({5: 7})
    backend = registry.get(name)
    found = backend.solve(problem, Solutions(None, None), Limits(seconds=20))
    assert (found.count, found.exhausted) == (2, True)
    assert {values[5] for values in found.solutions} == {7}
    best = backend.solve(problem, AllOptima(None, None), Limits(seconds=20))
    assert (best.objective, best.count) == (1, 1)
    closed = Problem(structure, (*problem.masks[:-1], 0))
    assert backend.solve(closed, Solutions(None)).count == 0
