"""What ``auto`` takes for a structure and an ask: a trial, and what comes after it.

A trial is bounded, so that no choice can cost much: what it does not decide is asked again with
CP-SAT's defaults (docs/decisions/0032 has figures of large problems). The rules of the trial, each
with what it rests on (``results/reference/cpsat``, a few milliseconds a call):

- Solutions where variables merely differ (Sudoku, Latin squares, queens, colouring): Booleans
  without presolve. It is the best or close to it of all configurations from 4x4 to 25x25, and what
  presolve does, propagation does here as well and faster. Without a solution, where presolve alone
  refutes the puzzle, integers with presolve would be faster; nobody knows that beforehand.
- All solutions where variables differ by constants too (queens): the same with variables in their
  order, 1.2 times as fast as CP-SAT's own branching for 4 to 9 queens and twice as fast for 10.
- Solutions of anything else (word sums, tables, equations): integers without presolve.
- All solutions of one linear constraint beside AllDifferent (word sums): with variables in their
  order, some 1.2 times as fast, from word sums of half a millisecond to drawn ones of seconds.
- Where NotEqual stands between most pairs of variables, presolve finds the AllDifferent in it that
  counting needs: ten pigeons in nine holes take 2 ms with it, and seconds without.
- Optima: integers without presolve, unless linear constraints alone hold and the objective is a sum
  over several variables. There the linear relaxation decides (a knapsack of thirty things takes
  1.5 ms with it, and more than a second without), and one light round of presolve beside it.
- The optimum of one variable beside AllDifferent and linear constraints (Golomb rulers): variables
  in their order, the least value first; 1.2 to 2 times as fast as CP-SAT's own branching, from 4 to
  8 marks. Not where one solution is asked for: word sums gain a tenth by it, but a magic square
  of order 5 takes eight times as long. Several workers are left to CP-SAT's own branching.
- The optimum of a circuit (tours): presolve, and the cuts that the linear relaxation has for it. A
  tour of 52 cities takes 3 s with them; without, it is not proven in a minute.
- All optima: the solutions at the optimum are enumerated as the optimum was found.

Nothing but the structure and the kind of ask goes into the choice, so all instances of a set are
posed alike.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from modelling.constraints import AllDifferent, Constraint, Linear, NotEqual
from modelling.problem import Structure
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.graphs.subcircuit import SubCircuit

AUTO = "auto"

FREE, FIXED, LOCAL = "free", "fixed", "ls"
"""CP-SAT's own branching; variables in their order, the least value first; and local search."""

DENSE = 0.5
"""NotEqual between more than this part of the pairs of variables counts as between most."""


@dataclass(frozen=True)
class Configuration:
    """How a problem is posed and solved; as text, the options that would say so."""

    formulation: str
    presolve: str
    workers: int = 1
    search: str = FREE

    def __str__(self) -> str:
        return self.text

    @cached_property
    def text(self) -> str:
        """The options that would say so; every result has it."""
        workers = f",workers={self.workers}" if self.workers > 1 else ""
        search = f",search={self.search}" if self.search != FREE else ""
        return f"{self.formulation},presolve={self.presolve}{search}{workers}"


class Plan(NamedTuple):
    """What answers a call: ``trial``, if there is one, within a bound on its work
    (``parameters.TRIAL``), and what it leaves undecided, ``main``."""

    trial: Configuration | None
    main: Configuration

    @property
    def encoding(self) -> str:
        """The formulation that is built first."""
        return (self.trial or self.main).formulation


@dataclass(frozen=True)
class Features:
    """What the choice depends on.

    ``differing``  every constraint says that variables differ: AllDifferent, NotEqual, or a Linear
                   of two variables with ``!=``
    ``dense``      NotEqual stands between most pairs of the variables
    ``relaxable``  every constraint is Linear, and the objective is a sum over several variables
    ``shifted``    a Linear is among the constraints; of ``differing`` ones: queens
    ``one_sought`` AllDifferent and Linear stand side by side, and the objective is one variable
    ``one_sum``    one Linear stands beside AllDifferent
    ``circuit``    a Circuit or SubCircuit is among the constraints
    """

    differing: bool
    dense: bool
    relaxable: bool
    shifted: bool
    one_sought: bool
    one_sum: bool
    circuit: bool = False


@lru_cache(maxsize=256)
def features(structure: Structure) -> Features:
    """The features of a structure; constraints that CP-SAT does not know become tables."""
    constraints, objective = structure.constraints, structure.objective
    pairs = {frozenset(c.scope) for c in constraints if isinstance(c, NotEqual)}
    kinds = set(map(type, constraints))
    mixed = kinds == {AllDifferent, Linear}
    terms = len(objective.scope) if objective is not None else 0
    return Features(
        differing=not structure.ranges and all(map(_differ, constraints)),
        dense=2 * len(pairs) > DENSE * structure.size * (structure.size - 1),
        relaxable=kinds <= {Linear} and terms > 1,
        shifted=Linear in kinds,
        one_sought=mixed and terms == 1,
        circuit=bool(kinds & {Circuit, SubCircuit}),
        one_sum=mixed and sum(type(c) is Linear for c in constraints) == 1,
    )


LIBRARY = Configuration("alldifferent", "on")
"""What CP-SAT does by default, over the formulation that its documentation shows."""


def choose(of: Features, optimum: bool, every: bool = False) -> Plan:
    """CP-SAT's defaults, and before them a trial of what was measured to be the fastest where the
    problem is easy; tours have cuts in place of a trial."""
    if optimum and of.circuit:
        return Plan(None, Configuration("alldifferent", "full"))
    return Plan(choose_trial(of, optimum, every), LIBRARY)


def choose_trial(of: Features, optimum: bool, every: bool) -> Configuration:
    """What was measured to be the best, or close to it, for small problems of such structures."""
    if of.dense or (optimum and of.relaxable):
        return Configuration("alldifferent", "light")
    if of.differing and not optimum:
        return Configuration("booleans", "off", search=FIXED if every and of.shifted else FREE)
    in_order = of.one_sought if optimum else every and of.one_sum
    return Configuration("alldifferent", "off", search=FIXED if in_order else FREE)


@lru_cache(maxsize=256)
def configure(
    structure: Structure,
    optimum: bool,
    every: bool,
    formulation: str,
    presolve: str,
    workers: int = 1,
    search: str = AUTO,
) -> Plan:
    """How a question is put to ``structure``: as ``choose`` does, or, where an option says
    something, as the options say, without a trial. Several workers have no trial either: who asks
    for them has hard problems.

    ``optimum``: an optimum is sought, or the solutions at it; ``every``: all solutions are.
    """
    chosen = choose(features(structure), optimum, every)
    said = {"formulation": formulation, "presolve": presolve, "search": search}
    said = {name: value for name, value in said.items() if value != AUTO}
    main = replace(chosen.main, workers=workers, **said)
    return Plan(None if said or workers > 1 else chosen.trial, main)


def _differ(constraint: Constraint) -> bool:
    """Whether a constraint says that its variables differ, and no more."""
    if isinstance(constraint, Linear):
        return constraint.relation == "!=" and len(constraint.scope) == 2
    if isinstance(constraint, AllDifferent):
        return not constraint.except_
    return isinstance(constraint, NotEqual)
