"""What ``auto`` takes for a structure and an ask: the formulation, and how much presolve.

The rules, each with what it rests on (``results/reference/cpsat``, a few milliseconds a call):

- Solutions where variables merely differ (Sudoku, Latin squares, queens, colouring): Booleans
  without presolve. It is the best or close to it of all configurations from 4x4 to 25x25, and what
  presolve does, propagation does here as well and faster. Without a solution, where presolve alone
  refutes the puzzle, integers with presolve would be faster; nobody knows that beforehand.
- Solutions of anything else (word sums, tables, equations): integers without presolve.
- Where NotEqual stands between most pairs of variables, presolve finds the AllDifferent in it that
  counting needs: ten pigeons in nine holes take 2 ms with it, and seconds without.
- Optima: integers without presolve, unless linear constraints alone hold and the objective is a sum
  over several variables. There the linear relaxation decides (a knapsack of thirty things takes
  1.5 ms with it, and more than a second without), and one light round of presolve beside it.

Nothing but the structure and the kind of ask goes into the choice, so all instances of a set are
posed alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from backends.api import Ask, Solutions
from modelling.constraints import AllDifferent, Constraint, Linear, NotEqual
from modelling.problem import Structure

AUTO = "auto"

DENSE = 0.5
"""NotEqual between more than this part of the pairs of variables counts as between most."""


@dataclass(frozen=True)
class Configuration:
    """How a problem is posed and solved; as text, the options that would say so."""

    formulation: str
    presolve: str
    workers: int = 1

    def __str__(self) -> str:
        workers = f",workers={self.workers}" if self.workers > 1 else ""
        return f"{self.formulation},presolve={self.presolve}{workers}"


@dataclass(frozen=True)
class Features:
    """What the choice depends on.

    ``differing``  every constraint says that variables differ: AllDifferent, NotEqual, or a Linear
                   of two variables with ``!=``
    ``dense``      NotEqual stands between most pairs of the variables
    ``relaxable``  every constraint is Linear, and the objective is a sum over several variables
    """

    differing: bool
    dense: bool
    relaxable: bool


@lru_cache(maxsize=256)
def features(structure: Structure) -> Features:
    """The features of a structure; constraints that CP-SAT does not know become tables."""
    constraints, objective = structure.constraints, structure.objective
    pairs = {frozenset(c.scope) for c in constraints if isinstance(c, NotEqual)}
    return Features(
        differing=all(map(_differ, constraints)),
        dense=2 * len(pairs) > DENSE * structure.size * (structure.size - 1),
        relaxable=all(isinstance(c, Linear) for c in constraints)
        and objective is not None
        and len(objective.scope) > 1,
    )


def choose(of: Features, optimum: bool) -> Configuration:
    """What was measured to be the best, or close to it, for such structures."""
    if optimum:
        return Configuration("alldifferent", "light" if of.relaxable or of.dense else "off")
    if of.dense:
        return Configuration("alldifferent", "light")
    return Configuration("booleans" if of.differing else "alldifferent", "off")


def configure(
    structure: Structure, ask: Ask, formulation: str, presolve: str, workers: int = 1
) -> Configuration:
    """How ``ask`` is put to ``structure``: as the options say, else as ``choose`` does."""
    chosen = choose(features(structure), not isinstance(ask, Solutions))
    return Configuration(
        chosen.formulation if formulation == AUTO else formulation,
        chosen.presolve if presolve == AUTO else presolve,
        workers,
    )


def _differ(constraint: Constraint) -> bool:
    """Whether a constraint says that its variables differ, and no more."""
    if isinstance(constraint, Linear):
        return constraint.relation == "!=" and len(constraint.scope) == 2
    return isinstance(constraint, AllDifferent | NotEqual)
