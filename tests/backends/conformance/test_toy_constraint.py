"""A constraint and a solver that this file alone defines, and that work everywhere.

Nothing else knows of ``Close`` and ``Backtracking``: a class of constraints is a class with its
parts, and a solver is what the driver is given. Drawn problems are asked in every position, on
every kind of solver; ``results/reference/toy_constraint`` has the figures of 5,000.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

import pytest

import concord
from backends.conformance import conform
from backends.conformance.positions import POSITIONS, ask_position, draw_position
from backends.interface import registry
from backends.interface.api import AllOptima, Solutions
from backends.interface.driver import Driver
from backends.interface.handlers import Handler
from backends.interface.session import Capabilities, Session
from backends.interface.shipped import SHIPPED
from modelling.brute_force import optima, solutions
from modelling.constraint import Constraint, Predicate
from modelling.constraints import (
    FALSE,
    And,
    Iff,
    Implies,
    Linear,
    Not,
    Or,
    Sum,
    Table,
    Truth,
    equals,
)
from modelling.laws.checking import edge_faults, faults_of, missing_parts
from modelling.problem import Objective, build_problem
from modelling.terms import Affine, Function, Int, Terms, constants
from modelling.text import from_text, to_text
from modelling.vocabulary import VOCABULARY
from modelling.vocabulary.comparisons import are_total
from tests.backends.solver_checks import find_or_skip


@dataclass(frozen=True)
class Close(Predicate):
    """No two values are further apart than ``most``; of no values that is true."""

    xcsp3: ClassVar[str] = "intension"
    minizinc: ClassVar[str] = "forall"

    terms: Terms
    most: Int

    def relates(self, terms: Sequence[int], most: int) -> bool:
        return all(abs(x - y) <= most for x, y in product(terms, repeat=2))

    def negated(self) -> Constraint | None:
        if not are_total(self.terms):
            return None
        return Or(tuple(part.negated() for part in self._pairs())) if self.terms else FALSE

    def expand(self, fresh: Callable[[Function], int]) -> Constraint:
        return And(tuple(self._pairs()))

    def _pairs(self) -> list[Linear]:
        pairs = product(self.terms, repeat=2)
        return [Linear(pair, (1, -1), "<=", self.most) for pair in pairs]

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> "Close":
        return cls(terms.some(0, 3), rng.randint(-1, 3))

    EDGES = (
        (((), -5), True),
        ((constants(7), 0), True),
        ((constants(7), -1), False),
        ((constants(1, 4, 2), 3), True),
        ((constants(1, 4, 2), 2), False),
    )


class Backtracking:
    """A solver: gives the variables values in turn, the greatest first, and looks whether what has
    all its variables holds. It takes ``Close`` natively, reified too, and sums."""

    capabilities = Capabilities("toy", "1.0")

    def __init__(self) -> None:
        self.handlers: Mapping[Any, Handler] = {
            Close: Handler(self.pose, ("root", "half", "full"), arguments="affine"),
            Linear: Handler(self.pose),
            Table: Handler(self.pose),
        }

    @staticmethod
    def pose(draft, constraint, condition=None):
        posed = constraint
        if condition is not None:
            literal = equals(condition.variable, condition.value)
            posed = (Iff if condition.full else Implies)(literal, constraint)
        draft[max(posed.scope)].append(posed)

    def encode(self, structure):
        return [[] for _ in range(structure.size)]

    def open(self, due, call):
        return ToySession(due, call)


class ToySession(Session):
    def __init__(self, due, call):
        self.due = due
        self.domains = call.problem.domains()
        self.found = self.extended(())

    def extended(self, values):
        if len(values) == len(self.domains):
            yield values
            return
        for value in self.domains[len(values)][::-1]:
            more = (*values, value)
            if all(c.holds([more[v] for v in c.scope]) for c in self.due[len(values)]):
                yield from self.extended(more)

    def next(self):
        return next(self.found, "exhausted")


def make():
    """The toy solver as a backend: ``py:...:make`` in an experiment."""
    return Driver("toy", Backtracking())


ONE_KIND = ("ladder", "compiled")
GENERAL = [
    shipped.name
    for shipped in SHIPPED
    if shipped.name not in (*ONE_KIND, "highs", "mathopt") and not shipped.process
]
ANEW = [pytest.param(name, marks=pytest.mark.once) for name in ("highs", "mathopt")]
"""They search anew for each solution, which takes seconds where there are many."""
FEW = ("highs", "mathopt", "scip")
PROCESSES = [pytest.param(s.name, marks=pytest.mark.once) for s in SHIPPED if s.process]
DRAWS = 4


# --- the constraint ------------------------------------------------------------------------------


def test_it_is_in_no_list_and_has_all_its_parts():
    assert Close not in VOCABULARY
    assert missing_parts(Close) == []
    assert list(edge_faults(Close)) == []


def test_the_laws_hold_of_it():
    assert [fault for seed in range(12) for fault in faults_of(Close, seed, 12)] == []


def test_it_travels_as_text():
    problem = build_problem(
        {"x": range(4), "y": range(4)}, [Not(Close(("x", Affine("y", 2, 1)), 2))]
    )
    text = to_text(problem)
    assert from_text(text) == problem
    assert list(solutions(from_text(text))) == list(solutions(problem))


@pytest.mark.parametrize("name", ["toy", *GENERAL, "cpsat:booleans", *ANEW, *PROCESSES])
def test_every_solver_says_what_the_oracle_says(name):
    backend = make() if name == "toy" else find_or_skip(name)
    once = [shipped.process for shipped in SHIPPED if shipped.name == name] == [True]
    for number in range(1 if once else 2 if name in FEW else DRAWS):
        for position in POSITIONS:
            answered = ask_position(backend, draw_position(Close, position, number))
            assert answered.refused == "", (position, number)
            assert answered.faults == (), (position, number)


@pytest.mark.parametrize("name", ONE_KIND)
def test_who_cannot_take_it_refuses_it_by_name(name):
    problem = build_problem({"x": range(4), "y": range(4)}, [Close("xy", 1)])
    assert "Close" in ask_position(find_or_skip(name), problem).refused


def test_a_solver_that_is_wrong_about_it_is_found_out(monkeypatch):
    """Of a wrong handler, and of a wrong expansion."""
    monkeypatch.setattr(Backtracking, "pose", staticmethod(lambda draft, c, condition=None: None))
    problems = [draw_position(Close, "root", number) for number in range(DRAWS)]
    assert any(ask_position(make(), problem).faults for problem in problems)
    monkeypatch.setattr(Close, "expand", lambda self, fresh: equals(self.terms[0], 1))
    problem = build_problem({"x": range(99), "y": range(99)}, [Close("xy", 98)])
    assert registry.get("sat").solve(problem, Solutions(200, 0)).count == 99


# --- the solver ----------------------------------------------------------------------------------


def test_the_solver_conforms_and_so_does_another_on_the_constraint():
    for backend in (make(), registry.get("propagation")):
        report = conform(backend, problems=60, also=[Close])
        assert report.accepted["users' classes"] >= 15
        assert not report.refused


def test_it_takes_the_constraint_as_it_is():
    problem = build_problem(
        {"b": (0, 1), "x": range(9)}, [Iff(equals("b", 1), Close(("x", "b"), 2))]
    )
    held = Driver("toy", Backtracking())
    assert held.native >= {Close}
    result = held.solve(problem, Solutions(None, None))
    assert sorted(result.solutions) == sorted(solutions(problem))
    assert len(result.solutions) == 10


# --- both in a comparison ------------------------------------------------------------------------


def test_both_in_a_comparison(tmp_path):
    close, is_one = Close(("x", "y", "z"), 1), equals("b", 1)
    domains = {"b": (0, 1), "x": range(4), "y": range(4), "z": range(1, 5)}
    counted = [
        build_problem(domains, [close]),
        build_problem(domains, [Not(close)]),
        build_problem(domains, [Implies(is_one, close)]),
        build_problem(domains, [Iff(is_one, close)]),
    ]
    objective = Objective("minimize", Sum((Truth(close), "x", "z"), (5, 1, 2)))
    above = Linear(("x", "y", "z"), (1, 1, 1), ">=", 8)
    best = build_problem(domains, [above], objective=objective)
    texts = {"objective": concord.instance(best).text}
    run = concord.compare(
        [*counted, {"name": "best", "family": "problem", "texts": texts, "optimum": True}],
        ["propagation", "sat", "brute_force", f"py:{__name__}:make"],
        count="all",
        out=tmp_path / "run",
    )
    assert set(run.jobs["outcome"]) == {"finished"}
    assert set(run.jobs["verdict"]) == {"verified"}
    assert len(run.jobs) == 4 * (len(counted) + 1)
    found = run.jobs[run.jobs["set"] == "problems"].groupby("instance")["count"]
    for number, problem in enumerate(counted, 1):
        expected = len(list(solutions(problem)))
        assert set(found.get_group(f"problem-{number}")) == {expected}
    value, reached = optima(best)
    assert set(run.jobs[run.jobs["set"] == "best"]["objective"]) == {value}
    every = make().solve(best, AllOptima(None, None))
    assert sorted(every.solutions) == sorted(reached)
