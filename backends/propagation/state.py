"""The state of a search: domains, the trail that undoes them, and propagation to a fixed point.

Words
-----
domain      the values that are open for a variable, as an integer; bit k is the k-th of all values
            that occur anywhere in the structure (see ``encoding``), so that sets of different
            variables can be compared bit by bit and order of bits is order of values
fixed       a domain of one value
trail       (variable, domain before) for every change; undoing is popping, so nothing is copied
rivals      the variables that must differ from a variable, by whatever constraint; the commonest
            inference of all is handled here without a propagator: a fixed value leaves the rivals
propagator  an object that narrows domains by one constraint; ``propagate(state)`` returns false
            when the constraint cannot hold any more
wake        to put a propagator on the queue because a variable that it watches has changed
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Protocol


class Propagator(Protocol):
    """One constraint's inference; stateless, so that an encoding can be shared."""

    scope: tuple[int, ...]

    def propagate(self, state: State) -> bool:
        """Narrow domains through ``state.narrow``; False when the constraint cannot hold."""
        ...


class State:
    """Domains with undo. ``rivals``, ``on_change`` and ``on_fix`` are indexed by variable."""

    __slots__ = (
        "conflict_scope",
        "domains",
        "fixed",
        "on_change",
        "on_fix",
        "propagations",
        "propagators",
        "queue",
        "queued",
        "rivals",
        "trail",
    )

    def __init__(
        self,
        domains: list[int],
        rivals: Sequence[Sequence[int]],
        propagators: Sequence[Propagator],
        on_change: Sequence[Sequence[int]],
        on_fix: Sequence[Sequence[int]],
    ) -> None:
        self.domains = domains
        self.rivals = rivals
        self.propagators = propagators
        self.on_change = on_change
        self.on_fix = on_fix
        self.trail: list[tuple[int, int]] = []
        self.fixed: list[int] = []
        self.queue: deque[int] = deque()
        self.queued = bytearray(len(propagators))
        self.propagations = 0
        self.conflict_scope: tuple[int, ...] = ()

    def start(self) -> bool:
        """The first fixed point, from all variables and all propagators."""
        for variable, domain in enumerate(self.domains):
            if not domain:
                self.conflict_scope = (variable,)
                return False
            if not domain & (domain - 1):
                self.fixed.append(variable)
        self.queue.extend(range(len(self.propagators)))
        self.queued = bytearray(b"\1" * len(self.propagators))
        return self.propagate_to_fixpoint()

    def narrow(self, variable: int, domain: int) -> bool:
        """Set a domain to a proper subset of what it is; False when it is empty."""
        self.trail.append((variable, self.domains[variable]))
        self.domains[variable] = domain
        if not domain:
            self.conflict_scope = (variable,)
            return False
        if not domain & (domain - 1):
            self.fixed.append(variable)
        queued = self.queued
        for number in self.on_change[variable]:
            if not queued[number]:
                queued[number] = 1
                self.queue.append(number)
        return True

    def wake(self, numbers: Sequence[int]) -> None:
        """Put propagators on the queue whatever has changed."""
        for number in numbers:
            if not self.queued[number]:
                self.queued[number] = 1
                self.queue.append(number)

    def propagate_to_fixpoint(self) -> bool:
        """Propagate until nothing changes; False, with ``conflict_scope`` set, on a contradiction.

        Fixed values leave their rivals first: that is cheap, and often makes the rest idle.
        """
        queue, queued = self.queue, self.queued
        while True:
            if not self.remove_fixed_value():
                return self._abandon()
            if not queue:
                return True
            number = queue.popleft()
            queued[number] = 0
            self.propagations += 1
            propagator = self.propagators[number]
            self.conflict_scope = ()
            if not propagator.propagate(self):
                self.conflict_scope = self.conflict_scope or propagator.scope
                return self._abandon()

    def remove_fixed_value(self) -> bool:
        """Remove every newly fixed value from the domains of its variable's rivals."""
        domains, fixed, trail = self.domains, self.fixed, self.trail
        queue, queued, on_change = self.queue, self.queued, self.on_change
        while fixed:
            variable = fixed.pop()
            value = domains[variable]
            for number in self.on_fix[variable]:
                if not queued[number]:
                    queued[number] = 1
                    queue.append(number)
            for rival in self.rivals[variable]:
                before = domains[rival]
                if before & value:
                    after = before ^ value
                    trail.append((rival, before))
                    domains[rival] = after
                    if not after & (after - 1):
                        if not after:
                            self.conflict_scope = (variable, rival)
                            return False
                        fixed.append(rival)
                    for number in on_change[rival]:
                        if not queued[number]:
                            queued[number] = 1
                            queue.append(number)
        return True

    def undo(self, mark: int) -> None:
        """Take back every change since the trail was ``mark`` long."""
        trail, domains = self.trail, self.domains
        while len(trail) > mark:
            variable, domain = trail.pop()
            domains[variable] = domain

    def _abandon(self) -> bool:
        self.fixed.clear()
        for number in self.queue:
            self.queued[number] = 0
        self.queue.clear()
        return False
