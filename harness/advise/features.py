"""What a problem looks like, in a few numbers: sizes, domains, density, degree, constraints.

Features of this sort are what solvers have been chosen by since SATzilla (Xu, Hutter, Hoos and
Leyton-Brown, JAIR 32, 2008); CPHydra (O'Mahony and others, 2008) compared them by nearest
neighbours. These need no solver, and one look at each constraint.
"""

from __future__ import annotations

from collections import Counter
from math import log10

from modelling.constraint import Constraint
from modelling.problem import Problem

KINDS = (
    *("all_different", "not_equal", "linear", "clauses", "connectives", "table", "comparisons"),
    *("automata", "counting", "functions", "graphs", "ordering", "scheduling", "other"),
)
"""Files and rooms of the vocabulary, by which constraints are counted."""

FEATURES = (
    *("variables", "constraints", "values", "largest_domain", "fixed"),
    *("arity", "degree", "density", "optimum"),
    *(f"share_{kind}" for kind in KINDS),
)
"""The names of the features, in the order of ``measure_features``."""


def measure_features(problem: Problem) -> tuple[float, ...]:
    """The features of a problem, in the order of ``FEATURES``.

    ``variables`` and ``constraints`` are logarithms of their numbers; ``values`` and
    ``largest_domain`` of the mean and the largest number of values that are open; ``fixed`` is the
    part of the variables with one value. ``arity`` is the logarithm of the mean scope of a
    constraint, ``degree`` of the mean number of constraints of a variable, and ``density`` the mean
    part of the variables that a constraint has. ``optimum`` is 1 with an objective, else 0. The
    shares are parts of all constraints.
    """
    structure = problem.structure
    size, constraints = max(structure.size, 1), structure.constraints
    number = max(len(constraints), 1)
    opened = [
        len(domain) if mask is None else mask.bit_count()
        for mask, domain in zip(problem.masks, structure.domains, strict=True)
    ]
    scopes = sum(len(one.scope) for one in constraints)
    kinds = Counter(map(find_kind, constraints))
    return (
        log10(size),
        log10(number),
        log10(max(sum(opened) / size, 1)),
        log10(max(opened, default=1) or 1),
        sum(values == 1 for values in opened) / size,
        log10(max(scopes / number, 1)),
        log10(1 + scopes / size),
        scopes / number / size,
        float(structure.objective is not None),
        *(kinds[kind] / number for kind in KINDS),
    )


def find_kind(constraint: Constraint) -> str:
    """The file or room of the vocabulary that a constraint comes from; ``other`` for a user's."""
    parts = type(constraint).__module__.split(".")
    return next((part for part in reversed(parts) if part in KINDS), "other")
