"""Which formulation, and presolve or none: what ``auto`` takes for a structure and an ask."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from backends.api import Ask, Solutions
from modelling.constraints import AllDifferent, Constraint, Linear, NotEqual
from modelling.problem import Structure

AUTO = "auto"


@dataclass(frozen=True)
class Configuration:
    """How a problem is posed and solved; as text, the options that would say so."""

    formulation: str
    presolve: bool
    workers: int = 1

    def __str__(self) -> str:
        presolve = "on" if self.presolve else "off"
        workers = f",workers={self.workers}" if self.workers > 1 else ""
        return f"{self.formulation},presolve={presolve}{workers}"


@dataclass(frozen=True)
class Features:
    """What the choice depends on.

    ``differ_only``   every constraint says that variables differ: AllDifferent, NotEqual, or a
                      Linear of two variables with ``!=``
    ``linear_only``   there are constraints, and every one is a Linear that does more than that
    ``weighed``       the objective is a sum over several variables
    """

    differ_only: bool
    linear_only: bool
    weighed: bool


@lru_cache(maxsize=256)
def features(structure: Structure) -> Features:
    """The features of a structure."""
    differ = [_says_that_two_differ(constraint) for constraint in structure.constraints]
    linear = [isinstance(constraint, Linear) for constraint in structure.constraints]
    objective = structure.objective
    return Features(
        differ_only=all(differ),
        linear_only=any(linear) and all(linear) and not any(differ),
        weighed=objective is not None and len(objective.scope) > 1,
    )


def _says_that_two_differ(constraint: Constraint) -> bool:
    if isinstance(constraint, Linear):
        return constraint.relation == "!=" and len(constraint.scope) == 2
    return isinstance(constraint, AllDifferent | NotEqual)


def configure(structure: Structure, ask: Ask, formulation: str, presolve: str) -> Configuration:
    """How to put ``ask`` to ``structure``, which has native constraints only."""
    of = features(structure)
    needs_presolve = of.linear_only if isinstance(ask, Solutions) else of.weighed
    if formulation == AUTO:
        booleans = of.differ_only and isinstance(ask, Solutions)
        formulation = "booleans" if booleans else "alldifferent"
    return Configuration(formulation, needs_presolve if presolve == AUTO else presolve == "on")
