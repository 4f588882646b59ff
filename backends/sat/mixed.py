"""How models are read where integers are encoded in different ways, and how they are excluded.

Words
-----
found       of a direct variable the literal that is true; of another the place of its value in its
            domain
alias       a variable that is a formula's literal: it depends on the others, and needs not be
            excluded with them
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backends.sat.cnf import Clause
from backends.sat.integers.direct import Direct
from backends.sat.integers.integer import Integer
from backends.sat.integers.log import Log, outside
from backends.sat.integers.order import Order
from modelling.problem import Assignment, Problem, Structure


class Reading:
    """Reads the models of a formula over ``integers``, one for each variable of a structure."""

    def __init__(
        self, structure: Structure, integers: Sequence[Integer], aliases: frozenset[int]
    ) -> None:
        self.integers = integers
        self.aliases = aliases
        kinds = list(enumerate(integers))
        self._direct = [v for v, integer in kinds if isinstance(integer, Direct)]
        self._values = [0, *(x for v in self._direct for x in integers[v].domain)]
        self.one_hot = len(self._values) - 1
        self._orders = [(v, i) for v, i in kinds if isinstance(i, Order)]
        self._logs = [(v, i) for v, i in kinds if isinstance(i, Log)]
        self._positions = {
            v: {value: k for k, value in enumerate(i.domain)}
            for v, i in self._logs
            if not isinstance(i.domain, range) and not _is_even(i)
        }
        self._read = [v for v in range(len(integers)) if v not in aliases]

    @property
    def booleans_to_name(self) -> list[int]:
        """Booleans that solvers must know, even if no other clause has them."""
        found = [i.steps[0] for v, i in self._orders if len(i.steps) == 1 and v not in self.aliases]
        return [*found, *(bit for _, i in self._logs for bit in i.bits)]

    def found(self, model: list[int]) -> list[int]:
        """What is found in a model, for each variable."""
        found = [0] * len(self.integers)
        direct = (literal for literal in model[: self.one_hot] if literal > 0)
        for variable, literal in zip(self._direct, direct, strict=True):
            found[variable] = literal
        for variable, order in self._orders:
            steps = order.steps
            if len(steps) == 1:
                found[variable] = int(_is_true(model, steps[0]))
            else:
                found[variable] = sum(_is_true(model, step) for step in steps)
        for variable, log in self._logs:
            place = sum(1 << k for k, bit in enumerate(log.bits) if _is_true(model, bit))
            found[variable] = self._position(variable, log, place)
        return found

    def _position(self, variable: int, log: Log, place: int) -> int:
        positions = self._positions.get(variable)
        return place if positions is None else positions[log.low + place * log.stride]

    def values(self, found: list[int]) -> Assignment:
        """The values of what was found."""
        values = [0] * len(found)
        for variable in self._direct:
            values[variable] = self._values[found[variable]]
        for variable, integer in (*self._orders, *self._logs):
            values[variable] = integer.domain[found[variable]]
        return tuple(values)

    def excluding(self, found: list[int], on: tuple[int, ...] | None) -> Clause:
        """The clause that excludes what was found, on some variables or on all."""
        clause: list[int] = []
        for variable in self._read if on is None else on:
            clause.extend(self._other_than(self.integers[variable], found[variable]))
        return tuple(dict.fromkeys(clause))

    def _other_than(self, integer: Integer, found: int) -> Iterator[int]:
        if isinstance(integer, Direct):
            yield -found
        elif isinstance(integer, Order):
            if found:
                yield -integer.steps[found - 1]
            if found < len(integer.steps):
                yield integer.steps[found]
        elif isinstance(integer, Log):
            place = (integer.domain[found] - integer.low) // integer.stride
            for k, bit in enumerate(integer.bits):
                yield -bit if place >> k & 1 else bit

    def given(self, problem: Problem) -> tuple[list[int], list[Clause]]:
        """What the masks of an instance say: literals, and clauses for holes in a domain."""
        literals: list[int] = []
        clauses: list[Clause] = []
        masks = zip(self.integers, problem.masks, problem.structure.full_masks, strict=True)
        for integer, mask, full in masks:
            if mask is None or mask == full:
                continue
            for clause in _closed(integer, mask):
                if len(clause) == 1:
                    literals.append(clause[0])
                else:
                    clauses.append(clause)
        return literals, clauses


def _closed(integer: Integer, mask: int) -> Iterator[Clause]:
    """Clauses that keep an integer to the values of a mask."""
    if mask and not mask & (mask - 1):
        yield from _fixed(integer, mask.bit_length() - 1)
        return
    for begin, end in _runs(mask, len(integer.domain)):
        if isinstance(integer, Direct):
            for place in range(begin, end):
                yield (-integer.literals[integer.domain[place]],)
        elif isinstance(integer, Order):
            below = [-integer.steps[begin - 1]] if begin else []
            yield (*below, *integer.steps[end - 1 : end])
        elif isinstance(integer, Log):
            places = [
                (integer.domain[place] - integer.low) // integer.stride
                for place in (begin, end - 1)
            ]
            yield from outside(integer.bits, *places)


def _fixed(integer: Integer, place: int) -> Iterator[Clause]:
    if isinstance(integer, Direct):
        yield (integer.literals[integer.domain[place]],)
    elif isinstance(integer, Order):
        if place:
            yield (integer.steps[place - 1],)
        if place < len(integer.steps):
            yield (-integer.steps[place],)
    elif isinstance(integer, Log):
        above = (integer.domain[place] - integer.low) // integer.stride
        for k, bit in enumerate(integer.bits):
            yield (bit if above >> k & 1 else -bit,)


def _runs(mask: int, size: int) -> Iterator[tuple[int, int]]:
    """The places that a mask closes, as half-open intervals."""
    place = 0
    while place < size:
        if mask >> place & 1:
            ahead = ~(mask >> place)
            place += (ahead & -ahead).bit_length() - 1
            continue
        ahead = mask >> place
        end = place + (ahead & -ahead).bit_length() - 1 if ahead else size
        yield place, min(end, size)
        place = end


def _is_true(model: list[int], literal: int) -> bool:
    return model[abs(literal) - 1] == literal


def _is_even(log: Log) -> bool:
    return len(log.domain) == (log.high - log.low) // log.stride + 1
