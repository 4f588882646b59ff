"""Structures in which variables must differ and nothing else: Sudoku, Latin squares, colourings.

Words
-----
group   variables of which no two may have the same value: the scope of an AllDifferent or NotEqual
"""

from __future__ import annotations

from modelling.constraints import AllDifferent, Constraint, NotEqual
from modelling.problem import Structure

DIFFERENCES: frozenset[type[Constraint]] = frozenset({AllDifferent, NotEqual})
"""The constraints that make groups. A class derived from one of them may mean something else."""


def foreign(structure: Structure) -> tuple[int, Constraint] | None:
    """The first constraint that makes no group, with its number (from 0); None if there is none."""
    found = enumerate(structure.constraints)
    return next(((k, one) for k, one in found if not _makes_group(one)), None)


def _makes_group(constraint: Constraint) -> bool:
    return type(constraint) in DIFFERENCES and constraint.is_plain


def over_terms(constraint: Constraint) -> str:
    """Words for a refusal, if ``constraint`` makes no group for its terms alone; else nothing."""
    terms = type(constraint) in DIFFERENCES and not constraint.is_plain
    return " over other terms than distinct variables" if terms else ""


def groups(structure: Structure) -> tuple[tuple[int, ...], ...]:
    """The groups of two variables or more, in the order of the constraints.

    Only the first of several groups of the same variables is kept. Constraints that make no group
    are skipped: call ``foreign`` first.
    """
    scopes: dict[frozenset[int], tuple[int, ...]] = {}
    for constraint in structure.constraints:
        if _makes_group(constraint) and len(constraint.scope) > 1:
            scopes.setdefault(frozenset(constraint.scope), tuple(constraint.scope))
    return tuple(scopes.values())


def values(structure: Structure) -> tuple[int, ...]:
    """All values of any base domain, ascending."""
    return tuple(sorted(set().union(*structure.domains)))
