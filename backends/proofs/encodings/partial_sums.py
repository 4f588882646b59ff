"""Comparisons of sums, term by term: whether one can still hold, and whether it holds anyway."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from backends.proofs.encodings.comparisons import Sum
from backends.proofs.encodings.meaning import TooMany

MOST_SUMS = 20_000
"""Most sums that the terms which are left may have."""


class Open(NamedTuple):
    """The sums that the terms which are left may have, and the ends of these."""

    sums: frozenset[int]
    least: int
    most: int


class PartialSums:
    """Sums over variables in an order; a total is None once its comparison holds anyway."""

    def __init__(
        self, sums: Iterable[Sum], order: Sequence[int], domain: Callable[[int], Iterable[int]]
    ) -> None:
        self._sums = tuple(sums)
        self._open = [_open_sums(one, order, domain) for one in self._sums]

    @property
    def start(self) -> tuple[int | None, ...]:
        """The totals of no terms."""
        return (0,) * len(self._sums)

    @property
    def can_hold(self) -> bool:
        """Whether each comparison can hold at all."""
        return all(
            compare(one, 0, open_[0])[0] for one, open_ in zip(self._sums, self._open, strict=True)
        )

    def add(
        self, place: int, totals: Sequence[int | None], variable: int, value: int
    ) -> tuple[int | None, ...] | None:
        """The totals with one value more, that of the variable at ``place``; None if some
        comparison cannot hold any more."""
        found: list[int | None] = []
        for one, open_, total in zip(self._sums, self._open, totals, strict=True):
            if total is None:
                found.append(None)
                continue
            total += one.factors.get(variable, 0) * value
            can_hold, holds = compare(one, total, open_[place + 1])
            if not can_hold:
                return None
            found.append(None if holds else total)
        return tuple(found)


def _open_sums(
    one: Sum, order: Sequence[int], domain: Callable[[int], Iterable[int]]
) -> list[Open]:
    """For each place in the order the sums that the terms from there on have, with those of
    variables that are not in the order."""
    beyond = sorted(one.factors.keys() - {*order})
    found = [frozenset((0,))]
    for variable in (*beyond, *reversed(order)):
        factor = one.factors.get(variable, 0)
        added = {factor * value for value in domain(variable)}
        found.append(frozenset(a + b for a in found[-1] for b in added))
        if len(found[-1]) > MOST_SUMS:
            raise TooMany
    return [Open(sums, min(sums), max(sums)) for sums in reversed(found[len(beyond) :])]


def compare(one: Sum, total: int, open_: Open) -> tuple[bool, bool]:
    """Whether a comparison holds with some of the sums that are open, and whether with all."""
    rest = one.constant - total
    match one.relation:
        case "<=":
            return open_.least <= rest, open_.most <= rest
        case "<":
            return open_.least < rest, open_.most < rest
        case ">=":
            return open_.most >= rest, open_.least >= rest
        case ">":
            return open_.most > rest, open_.least > rest
        case "==":
            return rest in open_.sums, open_.sums == {rest}
    return open_.sums != {rest}, rest not in open_.sums
