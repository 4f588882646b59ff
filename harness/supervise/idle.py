"""Idle workers: warm ones between jobs, by backend; none of them holds a slot."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from harness.supervise.charge import Charge


class Idle:
    """Workers that wait for a job of their backend."""

    def __init__(self) -> None:
        self._charges: dict[str, list[Charge]] = defaultdict(list)

    def add(self, charge: Charge) -> None:
        """It has done its job."""
        self._charges[charge.worker.backend].append(charge)

    def take(self, backend: str, repeat: int, slots: Collection[int]) -> Charge | None:
        """One that serves this repeat of the jobs of ``backend``, if there is any.

        If possible one that ran in one of ``slots``.
        """
        idle = self._charges[backend]
        found = None
        for charge in idle:
            if charge.repeat == repeat:
                found = charge
                if charge.slot in slots:
                    break
        if found is not None:
            idle.remove(found)
        return found

    def of_earlier(self, backend: str, repeat: int) -> list[Charge]:
        """Those that served earlier repeats of the jobs of ``backend``."""
        return [charge for charge in self._charges[backend] if charge.repeat < repeat]

    def discard(self, charge: Charge) -> None:
        """It is idle no more, if it was."""
        idle = self._charges[charge.worker.backend]
        if charge in idle:
            idle.remove(charge)

    def longest(self) -> Charge | None:
        """The one that has been idle longest."""
        everyone = (charge for idle in self._charges.values() for charge in idle)
        return min(everyone, key=lambda charge: charge.heard_at, default=None)
