"""Handlers and rewrites close: whatever the vocabulary can say, every solver can be given.

Each class, in every position, over domains that are too large for tables, is rewritten for the
handlers of every solver that goes through the driver. The result must be made of constraints that
these handle, no way may cost less than nothing or without end, and none may lead back to itself.
"""

import random
from dataclasses import dataclass, replace

import pytest

from backends.conformance.positions import POSITIONS
from backends.interface import registry
from backends.interface.driver import Driver
from backends.interface.handlers import Handler, profile_of
from modelling import constraints as mc
from modelling import rewriting
from modelling.constraint import Constraint, Predicate
from modelling.definedness import can_be_undefined
from modelling.errors import BackendUnavailable
from modelling.laws.checking import is_native
from modelling.laws.drawing import CONTEXTS, Drawer, draw_constraint, structure_over
from modelling.problem import Objective, Structure
from modelling.rewriting import Declined, Profile, rules
from modelling.terms import Function, Terms, constants
from modelling.vocabulary import VOCABULARY

pytestmark = pytest.mark.once

DRAWS = 2
"""Draws in each position of a class to which others expand."""
MOST_ADDED = 2_000
"""No rewrite of a drawn constraint makes more constraints than this; the largest has some 200."""


def posed(*kinds, modes=("root",), arguments="plain"):
    handler = Handler(lambda draft, constraint: None, modes, arguments=arguments)
    return profile_of(dict.fromkeys(kinds, handler))


@pytest.fixture(scope="module")
def profiles():
    """Those of two solvers that others may write, and every distinct one of those that ship."""
    found = {
        posed(mc.Linear): "sums alone",
        posed(
            mc.AllDifferent, mc.Linear, mc.Table, modes=("root", "half", "full")
        ): "reified, as z3",
    }
    for name in registry.names():
        try:
            backend = registry.get(name)
        except BackendUnavailable:
            continue  # its own tests say what is skipped then, and why
        if isinstance(backend, Driver) and Constraint not in backend.solver.handlers:
            found.setdefault(profile_of(backend.solver.handlers), name)
    assert len(found) > 2
    return found


def wide_structures(kind):
    """The class in every position over domains of which two make more tuples than a table has.

    What no other class expands to stands at the root and in two other positions, once each.
    """
    places = dict.fromkeys(POSITIONS, DRAWS)
    if not others_expand_to(kind):
        turn = VOCABULARY.index(kind) % 3
        places = dict.fromkeys(("root", *POSITIONS[1 + turn :: 4]), 1)
    for position, draws in places.items():
        for number in range(draws):
            rng = random.Random(f"closure/{kind.__name__}/{position}/{number}")
            domains = [tuple(range(-200, 200)), tuple(range(0, 1200, 3)), tuple(range(350))]
            drawer = Drawer(rng, domains, depth=1)
            other = draw_constraint(rng, mc.Linear, drawer)
            drawn = draw_constraint(rng, kind, drawer)
            b, wider = len(domains), (*domains, (0, 1))
            if position != "objective":
                yield number, structure_over(wider, (CONTEXTS[position](drawn, b, other),))
                continue
            term = kind.draw(rng, drawer)
            if not isinstance(term, Function) or can_be_undefined(term, wider):
                term = mc.Truth(drawn)
            plain = structure_over(wider, (other,))
            yield number, replace(plain, objective=Objective("minimize", term))


def others_expand_to(kind):
    basic = (mc.AllDifferent, mc.NotEqual, mc.Count, mc.Define, mc.Element)
    return ".vocabulary.formulas." in kind.__module__ or kind in basic


def closure_faults(structure: Structure, profile: Profile) -> list[str]:
    """What the rewrite of ``structure`` leaves that has no handler, or why there is none."""
    rewritten = rewriting.rewrite(structure, profile)
    what = structure.objective or structure.constraints[0]
    if isinstance(rewritten, Declined):
        return [f"{what}: {rewritten.reason}"]
    made = rewritten.structure
    faults = [
        f"{what}: {c} has no handler" for c in made.constraints if not is_native(c, profile, made)
    ]
    if made.objective is not None and not made.objective.is_linear:
        faults.append(f"{what}: the objective is no sum")
    if len(made.constraints) > MOST_ADDED:
        faults.append(f"{what}: {len(made.constraints)} constraints")
    return faults


@pytest.fixture
def costs(monkeypatch):
    """Each way that rewriting considers, as ``(class, cost)``."""
    found = []

    def watched(draft, goal, ways, follow=rules.follow_cheapest):
        every = list(ways)
        found.extend((type(goal.constraint).__name__, way.cost) for way in every)
        return follow(draft, goal, iter(every))

    monkeypatch.setattr(rules, "follow_cheapest", watched)
    rewriting.keep_rewrites(64)
    yield found
    rewriting.keep_rewrites(64)


def wrong_costs(costs):
    return [(kind, cost) for kind, cost in costs if type(cost) is not int or not 0 <= cost < 10**9]


@pytest.mark.parametrize("kind", VOCABULARY, ids=lambda kind: kind.__name__)
def test_every_class_reaches_what_is_handled(kind, profiles, costs):
    """Each profile takes one draw of each position, in turn with the others."""
    structures = list(wide_structures(kind))
    draws = 1 + max(number for number, _ in structures)
    for turn, (profile, name) in enumerate(profiles.items()):
        chosen = [s for number, s in structures if number == turn % draws]
        assert [(name, fault) for s in chosen for fault in closure_faults(s, profile)] == []
    assert costs
    assert wrong_costs(costs) == []


# --- that it notices -----------------------------------------------------------------------------


def test_a_solver_without_sums_does_not_close():
    structure = structure_over(((0, 1),) * 2, (mc.NotEqual((0, 1)),))
    assert closure_faults(structure, posed(mc.NotEqual)) == []
    for constraint in (mc.Not(mc.NotEqual((0, 1))), mc.Or((mc.equals(0, 1), mc.equals(1, 0)))):
        (fault,) = closure_faults(structure_over(((0, 1),) * 2, (constraint,)), posed(mc.NotEqual))
        assert "is not native, and no rewrite expresses it" in fault


@dataclass(frozen=True)
class Egg(Predicate):
    """It expands to what expands to it."""

    terms: Terms

    def relates(self, terms):
        return sum(terms) > 3

    def expand(self, fresh):
        return Hen(self.terms)


@dataclass(frozen=True)
class Hen(Egg):
    """The other one."""

    def relates(self, terms):
        return sum(terms) > 3

    def expand(self, fresh):
        return mc.Not(mc.Not(Egg(self.terms)))


@dataclass(frozen=True)
class Mute(Egg):
    """It has no expansion."""

    def relates(self, terms):
        return sum(terms) > 3


WIDE = (tuple(range(400)), tuple(range(400)), (0, 1))


@pytest.mark.parametrize("place", [lambda c: c, mc.Not, lambda c: mc.Iff(mc.equals(2, 1), c)])
def test_what_expands_to_itself_is_found_out(place):
    """At the root, and where the literal of the one would be defined by itself."""
    (fault,) = closure_faults(structure_over(WIDE, (place(Egg((0, 1))),)), posed(mc.Linear))
    assert "not native" in fault
    small = structure_over((((0, 1, 3),) * 2 + ((0, 1),)), (place(Hen((0, 1))),))
    (fault,) = closure_faults(small, posed(mc.Linear))
    assert "leads back to itself" in fault
    assert closure_faults(small, posed(mc.Linear, mc.Table)) == []  # a table needs no expansion


def test_a_class_without_expansion_does_not_close():
    (fault,) = closure_faults(structure_over(WIDE, (Mute((0, 1)),)), posed(mc.Linear, mc.Table))
    assert "Mute is not native, and a table of it" in fault


def test_a_cost_that_is_none_is_told(costs, monkeypatch):
    monkeypatch.setattr(mc.AllDifferent, "expanded_size", lambda self: -1)
    closure_faults(structure_over(WIDE, (mc.AllDifferent((0, 1)),)), posed(mc.Linear))
    assert ("AllDifferent", -2) in wrong_costs(costs)


def test_false_is_said_with_what_there_is():
    nothing = structure_over(WIDE, (mc.FALSE, mc.Table((0,), ()), mc.AllDifferent(constants(1, 1))))
    for profile in (posed(mc.Linear), posed(mc.Table)):
        assert closure_faults(nothing, profile) == []
