"""The keepers of a session: one for all workers, or one for each backend whose forks they are.

A job that was there when a keeper was killed may be why. It runs again under a keeper of its own,
so that the second time it costs no other job.
"""

from __future__ import annotations

from collections.abc import Callable

from harness.job import Job
from harness.supervise.keeper_process import KeeperProcess


class Keepers:
    """Keepers, started as they are needed; ``token`` marks them and all that they start.

    With ``forked`` they are fork servers. ``on_start`` is called with each new one.
    """

    def __init__(self, token: str, forked: bool, on_start: Callable[[KeeperProcess], None]) -> None:
        self._token = token
        self._forked = forked
        self._on_start = on_start
        self._started = 0
        self._running: dict[str, KeeperProcess] = {}
        self._alone: set[KeeperProcess] = set()

    def of(self, job: Job, *, alone: bool) -> KeeperProcess:
        """The keeper for a worker that ``job`` needs; raises OSError if it cannot be started."""
        backend = job.backend if self._forked else ""
        name = f"{backend} {job.number}" if alone else backend
        keeper = self._running.get(name)
        if keeper is None:
            self._started += 1
            keeper = KeeperProcess(backend, f"{self._token}.{self._started}")
            self._running[name] = keeper
            if alone:
                self._alone.add(keeper)
            self._on_start(keeper)
        return keeper

    def is_alone(self, keeper: KeeperProcess) -> bool:
        """Whether it was started for one job."""
        return keeper in self._alone

    def end(self, keeper: KeeperProcess) -> int | None:
        """End it with all that it has started; its exit status, if it has one."""
        self._running = {name: one for name, one in self._running.items() if one is not keeper}
        self._alone.discard(keeper)
        return keeper.end()

    def all(self) -> list[KeeperProcess]:
        """Those that were not ended."""
        return list(self._running.values())
