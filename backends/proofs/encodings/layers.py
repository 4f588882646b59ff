"""Whether each assignment that keeps some sums extends to clauses, variable by variable.

Two things matter about the values of the first variables: what is left of the clauses, and what the
terms so far add up to. Assignments that agree in both are one *state*, and are looked at once. So
chains of partial sums (counters, diagrams, totalizers) take as many steps as they have literals,
and no encoding has to be known: whatever is left of the clauses is what they still say.

What is left: clauses that are true are gone, literals that are false as well. Literals without
owner may be chosen, so the last one of a clause is made true, and one that no clause has negated is
made true: neither loses a model (Davis and Putnam, "A computing procedure for quantification
theory", Journal of the ACM 7, 1960). Literals of variables are given and never chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from backends.proofs.encodings.extending import has_model
from backends.proofs.encodings.groups import Clause
from backends.proofs.encodings.meaning import TooMany
from backends.proofs.encodings.partial_sums import PartialSums

MOST_STATES = 100_000
"""Most states and values that are looked at."""


class Left(NamedTuple):
    """What is left: clauses, as the bits of a number, and false literals that they have."""

    clauses: int
    false: frozenset[int]


class Clauses:
    """Numbered clauses; the literals of ``free`` Booleans may be chosen."""

    def __init__(self, clauses: Iterable[Clause], free: Collection[int]) -> None:
        self.clauses = [tuple(dict.fromkeys(clause)) for clause in clauses]
        self.free = frozenset(free)
        self._having: dict[int, int] = {}
        for number, clause in enumerate(self.clauses):
            for literal in clause:
                self._having[literal] = self._having.get(literal, 0) | 1 << number

    def all_left(self) -> Left | None:
        """What is left before anything is given; None if that has no model."""
        if not all(self.clauses):
            return None
        every = (1 << len(self.clauses)) - 1
        units = [c[0] for c in self.clauses if len(c) == 1 and abs(c[0]) in self.free]
        return self._choose(every, set(), units, every)

    def give(self, left: Left, true: Iterable[int]) -> Left | None:
        """What is left once these literals are true; None if a clause is false then."""
        return self._choose(left.clauses, set(left.false), list(true), 0)

    def _choose(self, left: int, false: set[int], true: list[int], gone: int) -> Left | None:
        """The same, with clauses that are ``gone`` since literals were last chosen."""
        while True:
            while true:
                literal = true.pop()
                if literal in false:
                    return None
                if -literal in false:
                    continue
                false.add(-literal)
                satisfied = self._having.get(literal, 0) & left
                left ^= satisfied
                gone |= satisfied
                for number in _bits(self._having.get(-literal, 0) & left):
                    rest = [x for x in self.clauses[number] if x not in false]
                    if not rest:
                        return None
                    if len(rest) == 1 and abs(rest[0]) in self.free:
                        true.append(rest[0])
            true = list(self._pure(left, false, gone))
            gone = 0
            if not true:
                break
        return Left(left, frozenset(x for x in false if self._having.get(x, 0) & left))

    def _pure(self, left: int, false: set[int], gone: int) -> Iterator[int]:
        """The open literals that clauses have, whose negations they had and have no more."""
        for literal in {x for number in _bits(gone) for x in self.clauses[number]}:
            is_open = literal not in false and -literal not in false
            is_pure = self._having.get(-literal, 0) & left and not self._having[literal] & left
            if is_open and is_pure and abs(literal) in self.free:
                yield -literal

    def has_model(self, left: Left) -> bool:
        """Whether the free literals have values with which all that is left holds."""
        rest = [
            [x for x in self.clauses[number] if x not in left.false]
            for number in _bits(left.clauses)
        ]
        is_free = all(abs(x) in self.free for clause in rest for x in clause)
        return is_free and has_model(rest, ())


def _bits(number: int) -> Iterator[int]:
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


Values = Mapping[int, Mapping[int, Sequence[int] | None]]
"""For each variable and value the literals that it makes true; None, if it has none."""


def find_lost(
    clauses: Clauses,
    order: Sequence[int],
    values: Values,
    sums: PartialSums,
    mind_the_time: Callable[[], None],
) -> dict[int, int] | None:
    """Values of the first variables that some assignment has which keeps the sums, and which do
    not extend to the clauses; None if there are none.

    ``order`` has all variables that own literals of the clauses. Raises ``TooMany``.
    """
    start = clauses.all_left()
    if start is None:
        return {} if sums.can_hold else None
    layer: dict[tuple[Left, tuple[int | None, ...]], tuple[int, ...]] = {(start, sums.start): ()}
    looked = 0
    for place, variable in enumerate(order):
        after: dict[tuple[Left, tuple[int | None, ...]], tuple[int, ...]] = {}
        for (left, totals), before in layer.items():
            for value, true in values[variable].items():
                looked += 1
                if looked > MOST_STATES:
                    raise TooMany
                if not looked % 256:
                    mind_the_time()
                added = sums.add(place, totals, variable, value)
                if added is None:
                    continue
                found = None if true is None else clauses.give(left, true)
                if found is None:
                    return dict(zip(order, (*before, value), strict=False))
                if found.clauses:
                    after.setdefault((found, added), (*before, value))
        layer = after
    for (left, _), before in layer.items():
        if not clauses.has_model(left):
            return dict(zip(order, before, strict=True))
    return None
