"""One class of constraints or functions in every possible position, asked of any backend.

    for position in POSITIONS:
        problem = draw_position(Mine, position, 7)
        print(position, ask_position(registry.get("sat"), problem))

For those who add a class: small problems about it alone, in each context of
``modelling.laws.drawing`` and in the objective, the answers beside the oracle's.

Words
-----
position    the context of the class within a constraint, or ``objective``
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from backends.conformance.drawn_problems import Class
from backends.conformance.oracle import consult
from backends.conformance.suite import (
    all_optima_faults,
    described,
    enumeration_faults,
    limited_faults,
    optimum_faults,
    refused_ask_faults,
)
from backends.interface.api import AllOptima, Backend, Optimum, Refused
from modelling.brute_force import solutions
from modelling.constraints import Constraint, Linear, Sum, Truth
from modelling.definedness import can_be_undefined
from modelling.laws.drawing import CONTEXTS, Drawer, draw_constraint, structure_over
from modelling.problem import Objective, Problem, Structure
from modelling.terms import Function, Term

POSITIONS = (*CONTEXTS, "objective")


def draw_position(kind: Class, position: str, number: int) -> Problem:
    """A problem of two to four variables with two to four values each, and one that is 0 or 1."""
    rng = random.Random(f"positions/{kind.__name__}/{position}/{number}")
    domains = [_domain(rng) for _ in range(rng.randint(2, 4))]
    b, drawer = len(domains), Drawer(rng, domains, depth=1)
    drawn = _varying(rng, kind, drawer)
    other = draw_constraint(rng, Linear, drawer)
    domains.append((0, 1))
    if position != "objective":
        return structure_over(domains, (CONTEXTS[position](drawn, b, other),)).problem()
    plain = structure_over(domains, (other,))
    terms = _objective_term(rng, kind, drawer, drawn, plain), rng.randint(0, b)
    factors = rng.choice((-2, 1, 3)), rng.choice((-1, 1))
    objective = Objective(rng.choice(("minimize", "maximize")), Sum(terms, factors))
    return Structure(plain.names, plain.domains, plain.constraints, objective).problem()


def _domain(rng: random.Random) -> tuple[int, ...]:
    size = rng.randint(2, 4)
    if rng.random() < 0.4:
        return tuple(sorted(rng.sample(range(-4, 6), size)))
    start = rng.choice((0, 0, 1, -1))
    return tuple(range(start, start + size))


def _varying(rng: random.Random, kind: Class, drawer: Drawer) -> Constraint:
    """A constraint of the class; four in five that are constantly true or false are drawn again."""
    while True:
        drawn = draw_constraint(rng, kind, drawer)
        problem = structure_over(drawer.domains, (drawn,)).problem()
        true = sum(1 for _ in solutions(problem))
        every = sum(1 for _ in solutions(structure_over(drawer.domains, ()).problem()))
        if 0 < true < every or rng.random() < 0.2:
            return drawn


def _objective_term(
    rng: random.Random, kind: Class, drawer: Drawer, drawn: Constraint, plain: Structure
) -> Term:
    """A function of the class, where it always has a value; else whether the constraint holds."""
    if issubclass(kind, Function):
        term = kind.draw(rng, drawer)
        if not can_be_undefined(term, plain.domains):
            return term
    return Truth(drawn)


@dataclass(frozen=True)
class Answered:
    """What a backend made of a problem: why it refused, else the faults that were found."""

    refused: str = ""
    faults: tuple[str, ...] = ()


def ask_position(backend: Backend, problem: Problem) -> Answered:
    """All solutions and the first two, beside the oracle; with an objective, the optima too."""
    verdict = backend.accepts(problem)
    if isinstance(verdict, Refused):
        return Answered(verdict.reason)
    oracle = consult(problem)
    try:
        faults = enumeration_faults(backend, oracle) + limited_faults(backend, oracle, 2)
        if problem.structure.objective is not None:
            if getattr(backend, "optimises", True):
                faults += optimum_faults(backend, oracle) + all_optima_faults(backend, oracle)
            else:
                for ask in (Optimum(), AllOptima()):
                    faults += refused_ask_faults(backend, oracle, ask)
    except Exception as error:  # whatever a backend raises here is a fault of its own
        faults = [f"accepted the problem, then raised {type(error).__name__}: {error}"]
    return Answered("", tuple(f"{backend.name}: {f}\n{described(problem)}" for f in faults))
