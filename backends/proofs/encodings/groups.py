"""A formula taken apart into groups; see the head of this room."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from backends.interface.proofs import Row

Clause = Sequence[int]
Pins = Sequence[Mapping[int, Clause]]
"""For each variable and value the literals that it makes true; empty for one that has none."""


class Owners:
    """Which variables a Boolean belongs to, and which of their values make it true."""

    def __init__(self, pins: Pins) -> None:
        self.pins = pins
        self._of: dict[int, dict[int, set[int]]] = {}
        for variable, by_value in enumerate(pins):
            for value, literals in by_value.items():
                for literal in literals:
                    values = self._of.setdefault(abs(literal), {}).setdefault(variable, set())
                    if literal > 0:
                        values.add(value)

    def __contains__(self, literal: int) -> bool:
        return abs(literal) in self._of

    def of(self, literal: int) -> Iterable[int]:
        """The variables."""
        return self._of.get(abs(literal), ())

    def shared(self) -> Iterable[tuple[int, list[int]]]:
        """The Booleans that several variables have in common."""
        return ((b, list(owners)) for b, owners in self._of.items() if len(owners) > 1)

    def values(self, variable: int, literal: int) -> set[int]:
        """Those that make a literal true."""
        true = self._of[abs(literal)][variable]
        return true if literal > 0 else set(self.pins[variable]) - true

    def excluded(self, clause: Clause) -> dict[int, set[int]]:
        """The box that a clause of pins excludes; one without values, if it excludes nothing."""
        box: dict[int, set[int]] = {}
        for literal in clause:
            for variable in self.of(literal):
                values = self.values(variable, -literal)
                box[variable] = box[variable] & values if variable in box else values
        return box


@dataclass
class Groups:
    """``plain`` clauses have pins only; each of ``linked`` are clauses that are connected."""

    plain: list[Clause] = field(default_factory=list)
    linked: list[list[Clause]] = field(default_factory=list)


def split(clauses: Iterable[Clause], owners: Owners) -> Groups:
    """The groups of a formula. A literal without owner that a clause fixes is fixed for all."""
    found, mixed, fixed = Groups(), [], set[int]()
    for clause in clauses:
        if all(literal in owners for literal in clause):
            found.plain.append(clause)
        elif len(clause) == 1:
            fixed.add(clause[0])
        else:
            mixed.append(clause)
    parents: dict[int, int] = {}
    open_: list[Clause] = []
    for clause in mixed:
        if any(literal in fixed for literal in clause):
            continue
        left = [literal for literal in clause if -literal not in fixed]
        free = [abs(literal) for literal in left if literal not in owners]
        if not free:
            found.plain.append(left)
            continue
        open_.append(left)
        for boolean in free:
            parents[_root(parents, boolean)] = _root(parents, free[0])
    together: dict[int, list[Clause]] = {}
    for clause in open_:
        first = next(abs(literal) for literal in clause if literal not in owners)
        together.setdefault(_root(parents, first), []).append(clause)
    found.linked = list(together.values())
    return found


def connect(rows: Iterable[Row], owners: Owners) -> tuple[list[Row], list[list[Row]]]:
    """The inequalities over Booleans of variables alone, and the groups of those that share other
    Booleans."""
    alone: list[Row] = []
    mixed: list[tuple[int, Row]] = []
    parents: dict[int, int] = {}
    for row in rows:
        free = [abs(literal) for literal, _ in row[0] if literal not in owners]
        for boolean in free:
            parents[_root(parents, boolean)] = _root(parents, free[0])
        if free:
            mixed.append((free[0], row))
        else:
            alone.append(row)
    together: dict[int, list[Row]] = {}
    for first, row in mixed:
        together.setdefault(_root(parents, first), []).append(row)
    return alone, list(together.values())


def _root(parents: dict[int, int], boolean: int) -> int:
    parents.setdefault(boolean, boolean)
    while parents[boolean] != boolean:
        parents[boolean] = parents[parents[boolean]]
        boolean = parents[boolean]
    return boolean
