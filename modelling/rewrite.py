"""Stateless rewrites: a constraint expressed by others that a backend does take.

A *rule* turns one constraint into constraints over the same variables with the same solutions (no
auxiliary variables, so the counting contract is untouched), or declines. ``rewrite`` applies rules
until only native constraints are left. Rules that list tuples decline above ``TUPLE_CAP``.

A constraint is known by its exact class: a subclass may define ``holds`` anew, so that what is true
of AllDifferent need not be true of it. Such a class, and any other that is not in ``constraints``,
can only be listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, product
from math import prod

from modelling.constraints import AllDifferent, Constraint, Linear, NotEqual, Table
from modelling.problem import Structure

TUPLE_CAP = 100_000
"""The most tuples that a rule may look at; beyond it, listing them is no longer an encoding."""

Native = frozenset[type[Constraint]]
Rule = Callable[[Constraint, Structure], list[Constraint] | None]


def pairwise(constraint: Constraint, structure: Structure) -> list[Constraint] | None:
    """AllDifferent as one NotEqual per pair."""
    if type(constraint) is AllDifferent:
        return [NotEqual(pair) for pair in combinations(constraint.scope, 2)]
    return None


def difference(constraint: Constraint, structure: Structure) -> list[Constraint] | None:
    """``x != y`` as ``x - y != 0``."""
    if type(constraint) is NotEqual:
        return [Linear(constraint.scope, (1, -1), "!=", 0)]
    return None


def listed(constraint: Constraint, structure: Structure) -> list[Constraint] | None:
    """Any constraint as the table of the tuples that it allows, while they are few."""
    domains = [structure.domains[v] for v in constraint.scope]
    if type(constraint) is Table and constraint.allowed:
        return None
    if prod(map(len, domains)) > TUPLE_CAP:
        return None
    rows = tuple(row for row in product(*domains) if constraint.holds(row))
    return [Table(constraint.scope, rows)]


RULES: tuple[Rule, ...] = (pairwise, difference, listed)


def express(
    constraint: Constraint, structure: Structure, native: Native
) -> list[Constraint] | None:
    """``constraint`` by native ones with the same solutions, or None when no rule leads there."""
    if type(constraint) in native:
        return [constraint]
    for rule in RULES:
        parts = rule(constraint, structure)
        if parts is None:
            continue
        expressed = [express(part, structure, native) for part in parts]
        if all(part is not None for part in expressed):
            return [c for part in expressed for c in part or ()]
    return None


def inexpressible(structure: Structure, native: Native) -> Iterator[Constraint]:
    """The constraints of ``structure`` that no rule turns into native ones."""
    for constraint in structure.constraints:
        if express(constraint, structure, native) is None:
            yield constraint


def refusal(structure: Structure, native: Native) -> str:
    """Why ``structure`` cannot be said in native constraints, naming one; empty when it can."""
    constraint = next(inexpressible(structure, native), None)
    if constraint is None:
        return ""
    kind = type(constraint).__name__
    tuples = prod(len(structure.domains[v]) for v in constraint.scope)
    if tuples > TUPLE_CAP:
        return (
            f"{kind} is not native, and a table of it would have to look at {tuples:,} tuples, "
            f"more than {TUPLE_CAP:,}"
        )
    return f"{kind} is not native, and no rewrite expresses it"


def rewrite(structure: Structure, native: Native) -> Structure | None:
    """``structure`` in native constraints only, with the same solutions; None if impossible."""
    if all(type(constraint) in native for constraint in structure.constraints):
        return structure
    parts = [express(constraint, structure, native) for constraint in structure.constraints]
    if any(part is None for part in parts):
        return None
    return replace(structure, constraints=tuple(c for part in parts for c in part or ()))
