"""From a structure to what the search works on; built once and reused for every instance.

All values that occur in any base domain are sorted into one list; a domain is a set of positions
in it. Constraints become rivals (who must differ from whom) and propagators with the variables
that wake them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from backends.propagation.all_different import Whole
from backends.propagation.linear import AtMost, Terms, Unequal
from backends.propagation.state import Propagator, State
from backends.propagation.table import Conflicts, Supports
from modelling.constraints import AllDifferent, Constraint, Linear, NotEqual, Table
from modelling.problem import Problem, Structure

NATIVE: frozenset[type[Constraint]] = frozenset({AllDifferent, NotEqual, Linear, Table})


@dataclass(frozen=True)
class Encoding:
    """``values[k]`` is the value of bit k; ``uniform`` when every base domain is ``values``.

    ``possible`` is false when a constraint over no variables is violated.
    """

    values: tuple[int, ...]
    uniform: bool
    bits: tuple[tuple[int, ...], ...]
    rivals: tuple[tuple[int, ...], ...]
    propagators: tuple[Propagator, ...]
    on_change: tuple[tuple[int, ...], ...]
    on_fix: tuple[tuple[int, ...], ...]
    possible: bool

    def state(self, problem: Problem) -> State:
        """A fresh state for one instance of the encoded structure."""
        return State(
            self.domains(problem), self.rivals, self.propagators, self.on_change, self.on_fix
        )

    def domains(self, problem: Problem) -> list[int]:
        """The masks over base domains as masks over all values."""
        if self.uniform:
            return list(problem.masks)
        translated = []
        for mask, bits in zip(problem.masks, self.bits, strict=True):
            domain = 0
            for k, bit in enumerate(bits):
                if mask >> k & 1:
                    domain |= bit
            translated.append(domain)
        return translated


def encode(structure: Structure) -> Encoding:
    """The encoding of ``structure``, whose constraints are all in ``NATIVE``."""
    values = tuple(sorted({value for domain in structure.domains for value in domain}))
    position = {value: k for k, value in enumerate(values)}
    rivals: list[set[int]] = [set() for _ in range(structure.size)]
    changing: list[Propagator] = []
    fixing: list[Propagator] = []
    possible = True
    for constraint in structure.constraints:
        if not constraint.scope:
            possible = possible and constraint.holds(())
        elif type(constraint) in (AllDifferent, NotEqual):
            for variable in constraint.scope:
                rivals[variable].update(constraint.scope)
            if len(constraint.scope) > 2:
                changing.append(Whole(constraint.scope))
        elif type(constraint) is Linear:
            on_change, on_fix = linear(constraint, values)
            changing.extend(on_change)
            fixing.extend(on_fix)
            possible = possible and (bool(on_change or on_fix) or _constant_holds(constraint))
        elif type(constraint) is Table:
            rows = [
                tuple(position[value] for value in row)
                for row in constraint.tuples
                if all(value in position for value in row)
            ]
            if constraint.allowed:
                changing.append(Supports(constraint.scope, rows))
            else:
                fixing.append(Conflicts(constraint.scope, rows))
        else:
            raise AssertionError(f"{type(constraint).__name__} was not rewritten")
    for variable, those in enumerate(rivals):
        those.discard(variable)
    propagators = (*changing, *fixing)
    return Encoding(
        values=values,
        uniform=all(domain == values for domain in structure.domains),
        bits=tuple(tuple(1 << position[v] for v in domain) for domain in structure.domains),
        rivals=tuple(tuple(sorted(those)) for those in rivals),
        propagators=propagators,
        on_change=_watchers(structure.size, changing, 0),
        on_fix=_watchers(structure.size, fixing, len(changing)),
        possible=possible,
    )


def linear(constraint: Linear, values: Sequence[int]) -> tuple[list[Propagator], list[Propagator]]:
    """The propagators of a Linear constraint: those woken by a change, those by a fixed value."""
    terms: Terms = tuple(
        (v, c) for v, c in zip(constraint.scope, constraint.coefficients, strict=True) if c
    )
    if not terms:
        return [], []
    negated: Terms = tuple((v, -c) for v, c in terms)
    constant = constraint.constant
    at_most = {
        "<=": [AtMost(terms, constant, values)],
        "<": [AtMost(terms, constant - 1, values)],
        ">=": [AtMost(negated, -constant, values)],
        ">": [AtMost(negated, -constant - 1, values)],
        "==": [AtMost(terms, constant, values), AtMost(negated, -constant, values)],
    }
    if constraint.relation == "!=":
        return [], [Unequal(terms, constant, values)]
    return list(at_most[constraint.relation]), []


def _constant_holds(constraint: Linear) -> bool:
    """Whether a Linear with coefficients 0 only is true, whatever the values."""
    return constraint.holds([0] * len(constraint.scope))


def _watchers(
    size: int, propagators: Sequence[Propagator], first: int
) -> tuple[tuple[int, ...], ...]:
    watchers: list[list[int]] = [[] for _ in range(size)]
    for number, propagator in enumerate(propagators, first):
        for variable in propagator.scope:
            watchers[variable].append(number)
    return tuple(map(tuple, watchers))
