"""What ``auto`` takes for a structure and an ask: a trial, and what comes after it.

A trial is bounded, so that no choice can cost much: what it does not decide is asked again with
CP-SAT's defaults (docs/decisions/0032). The rules, each with what it rests on
(``results/reference/cpsat``, ``results/reference/defaults``):

- Solutions where variables merely differ (Sudoku, Latin squares, queens, colouring): Booleans
  without presolve, a third of the time of CP-SAT's defaults for a 9x9 Sudoku whose model is kept.
  Beyond ``MOST_BOOLEANS`` values the model takes longer to build than CP-SAT to solve, and the
  trial is left out. Queens, whose variables differ by constants too, gain at any size: a quarter of
  the time for 64.
- All solutions of these: the same with variables in their order, 1.2 times as fast as CP-SAT's own
  branching for 4 to 9 queens and twice as fast for 10.
- All solutions of one linear constraint beside AllDifferent (word sums): integers without presolve,
  with variables in their order; some 1.2 times as fast, from word sums of half a millisecond to
  drawn ones of seconds. All solutions of anything else have no trial: an enumeration that began
  without presolve would have to continue so, at twice the time for all-interval series.
- Where NotEqual relates most pairs of variables, presolve finds the AllDifferent in it that
  counting needs: ten pigeons in nine holes take 2 ms with it, and seconds without.
- An AllDifferent of more variables than values has no trial: presolve alone refutes it.
- Automata have none either: presolve decides most nonograms by itself.
- One solution or the optimum of anything else (word sums, tables, schedules): integers without
  presolve. Where linear constraints alone hold and the objective is a sum over several variables
  the linear relaxation decides (a knapsack of thirty things takes 1.5 ms with it, and more than a
  second without), and one light round of presolve beside it.
- The optimum of one variable beside AllDifferent and linear constraints (Golomb rulers) has no
  trial: its deterministic seconds are long ones, a third of what a ruler of 8 marks takes.
- The optimum of a circuit (tours): presolve, and the cuts that the linear relaxation has for it. A
  tour of 52 cities takes 3 s with them; without, it is not proven in a minute.
- All optima: the solutions at the optimum are enumerated as the optimum was found.

Nothing but the structure and the kind of ask goes into the choice, so all instances of a set are
posed alike.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from modelling.constraints import AllDifferent, Constraint, Linear, NotEqual
from modelling.problem import Structure
from modelling.terms import Affine
from modelling.vocabulary.automata.mdd import MDD
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.graphs.subcircuit import SubCircuit
from modelling.vocabulary.ordering.increasing import Increasing

AUTO = "auto"

FREE, FIXED, LOCAL = "free", "fixed", "ls"
"""CP-SAT's own branching; variables in their order, the least value first; and local search."""

SUMS = frozenset({AllDifferent, Linear, Increasing})

MOST_BOOLEANS = 800
"""Values of variables that merely differ, up to which Booleans pay; a 9x9 Sudoku has 729."""

DENSE = 0.5
"""NotEqual between more than this part of the pairs of variables counts as between most."""


@dataclass(frozen=True)
class Configuration:
    """How a problem is posed and solved; as text, the options that would say so."""

    formulation: str
    presolve: str
    workers: int = 1
    search: str = FREE
    guarded: bool = True
    """Whether presolve is without the step that loses solutions (docs/decisions/0002)."""
    relaxes: bool = False
    """Whether an enumeration, too, may have all of the linear relaxation."""

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

    def drop_guard(self) -> Plan:
        """The same with all of CP-SAT's presolve and relaxation."""
        return self._replace(main=replace(self.main, guarded=False, relaxes=True))


@dataclass(frozen=True)
class Features:
    """What the choice depends on.

    ``differing``   every constraint says that variables differ: AllDifferent, NotEqual, or a Linear
                    of two variables with ``!=``
    ``values``      values of all variables together
    ``dense``       NotEqual relates most pairs of the variables
    ``relaxable``   every constraint is Linear, and the objective is a sum over several variables
    ``shifted``     a Linear, or an AllDifferent of views, is among the constraints; of
                    ``differing`` ones: queens
    ``one_sought``  there are AllDifferent and comparisons of sums alone, and the objective is one
                    variable: Golomb rulers
    ``one_sum``     there is one Linear beside AllDifferent
    ``circuit``     a Circuit or SubCircuit is among the constraints
    ``presolved``   presolve alone decides most instances: automata, or an AllDifferent of more
                    variables than values
    ``unguarded``   there are AllDifferent and comparisons of sums alone: no Booleans, which are
                    needed for the step of presolve that loses solutions (docs/disagreements.md)
    """

    differing: bool
    values: int
    dense: bool
    relaxable: bool
    shifted: bool
    one_sought: bool
    one_sum: bool
    circuit: bool
    presolved: bool
    unguarded: bool


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
        values=sum(map(len, structure.domains)),
        dense=2 * len(pairs) > DENSE * structure.size * (structure.size - 1),
        relaxable=kinds <= {Linear} and terms > 1,
        shifted=Linear in kinds or not all(c.is_plain for c in constraints),
        one_sought=AllDifferent in kinds and kinds <= SUMS and terms == 1,
        one_sum=mixed and sum(type(c) is Linear for c in constraints) == 1,
        circuit=bool(kinds & {Circuit, SubCircuit}),
        presolved=bool(kinds & {Regular, MDD})
        or any(_has_too_few_values(c, structure) for c in constraints),
        unguarded=kinds <= SUMS,
    )


LIBRARY = Configuration("alldifferent", "on")
"""What CP-SAT does by default, over the formulation that its documentation shows."""


def choose(of: Features, optimum: bool, every: bool = False) -> Plan:
    """CP-SAT's defaults, and before them a trial of what was measured to be the fastest where the
    problem is easy; tours have cuts in place of a trial."""
    if optimum and of.circuit:
        return Plan(None, Configuration("alldifferent", "full"))
    return Plan(choose_trial(of, optimum, every), replace(LIBRARY, guarded=not of.unguarded))


def choose_trial(of: Features, optimum: bool, every: bool) -> Configuration | None:
    """What was measured to be the best, or close to it, for small problems of such structures."""
    if of.presolved:
        return None
    if of.dense or (optimum and of.relaxable):
        return Configuration("alldifferent", "light")
    if of.differing and not optimum:
        if of.values > MOST_BOOLEANS and not of.shifted:
            return None
        return Configuration("booleans", "off", search=FIXED if every and of.shifted else FREE)
    if every and not optimum:
        return Configuration("alldifferent", "off", search=FIXED) if of.one_sum else None
    return None if optimum and of.one_sought else Configuration("alldifferent", "off")


@lru_cache(maxsize=256)
def configure(
    structure: Structure,
    optimum: bool,
    every: bool,
    formulation: str,
    presolve: str,
    workers: int = 1,
    search: str = AUTO,
    is_trial_left_out: bool = False,
) -> Plan:
    """How a question is put to ``structure``: as ``choose`` does, or, where an option says
    something, as the options say, without a trial. Several workers have no trial either: who asks
    for them has hard problems. With ``is_trial_left_out`` there is none: parameters of CP-SAT are
    given, which a trial would not be measured with.

    ``optimum``: an optimum is sought, or the solutions at it; ``every``: all solutions are.
    """
    chosen = choose(features(structure), optimum, every)
    said: dict[str, Any] = {"formulation": formulation, "presolve": presolve, "search": search}
    said = {name: value for name, value in said.items() if value != AUTO}
    main = replace(chosen.main, workers=workers, **said)
    main = replace(main, guarded=main.guarded or main.formulation != LIBRARY.formulation)
    return Plan(None if said or workers > 1 or is_trial_left_out else chosen.trial, main)


def _differ(constraint: Constraint) -> bool:
    """Whether a constraint says that its variables differ, views of them too, and no more."""
    if isinstance(constraint, Linear):
        return constraint.relation == "!=" and len(constraint.scope) == 2
    if isinstance(constraint, AllDifferent):
        return not constraint.except_ and all(
            isinstance(term, int | Affine) for term in constraint.terms
        )
    return isinstance(constraint, NotEqual)


def _has_too_few_values(constraint: Constraint, structure: Structure) -> bool:
    if not isinstance(constraint, AllDifferent) or constraint.except_ or not constraint.is_plain:
        return False
    domains = {structure.domains[variable] for variable in constraint.scope}
    if max(map(len, domains), default=0) >= len(constraint.scope):
        return False
    return len(set().union(*domains)) < len(constraint.scope)
