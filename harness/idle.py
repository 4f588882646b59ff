"""Idle workers: warm ones between jobs, by backend; none of them holds a slot."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from harness.charge import Charge


class Idle:
    """Workers that wait for a job of their backend."""

    def __init__(self) -> None:
        self._charges: dict[str, list[Charge]] = defaultdict(list)

    def add(self, charge: Charge) -> None:
        """It has done its job."""
        self._charges[charge.worker.backend].append(charge)

    def take(self, backend: str, slots: Collection[int]) -> Charge | None:
        """One for ``backend``, if there is any; if possible one that ran in one of ``slots``."""
        idle = self._charges[backend]
        if not idle:
            return None
        charge = next((one for one in idle if one.slot in slots), idle[-1])
        idle.remove(charge)
        return charge

    def discard(self, charge: Charge) -> None:
        """It is idle no more, if it was."""
        idle = self._charges[charge.worker.backend]
        if charge in idle:
            idle.remove(charge)

    def longest(self) -> Charge | None:
        """The one that has been idle longest."""
        everyone = (charge for idle in self._charges.values() for charge in idle)
        return min(everyone, key=lambda charge: charge.heard_at, default=None)
