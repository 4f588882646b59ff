"""Which literals each value of an integer makes true: what the check of an encoding knows of it.

Only the literals that the integer is made of are listed; those that were defined later follow.
"""

from __future__ import annotations

from collections.abc import Mapping

from backends.sat.cnf import Clause, Cnf
from backends.sat.encode import Encoding
from backends.sat.integers.direct import Direct
from backends.sat.integers.integer import Integer
from backends.sat.integers.log import Log
from backends.sat.integers.order import Order
from modelling.problem import Structure

MOST_VALUES = 10_000
"""The literals of a larger domain are not listed."""


def list_pins(encoding: Encoding, structure: Structure) -> list[Mapping[int, Clause]]:
    """For each variable and value the literals that are then true; empty for a large domain."""
    return [_pins(integer) for integer in encoding.integers(structure, Cnf())]


def _pins(integer: Integer) -> dict[int, Clause]:
    if len(integer.domain) > MOST_VALUES:
        return {}
    if isinstance(integer, Direct):
        every = integer.literals
        return {v: tuple(x if w == v else -x for w, x in every.items()) for v in every}
    if isinstance(integer, Order):
        steps = integer.steps
        return {
            v: tuple(x if k < place else -x for k, x in enumerate(steps))
            for place, v in enumerate(integer.domain)
        }
    if isinstance(integer, Log):
        return {v: _digits(integer, v) for v in integer.domain}
    raise TypeError(f"no pins of {type(integer).__name__}")


def _digits(integer: Log, value: int) -> Clause:
    place = (value - integer.low) // integer.stride
    return tuple(bit if place >> k & 1 else -bit for k, bit in enumerate(integer.bits))
