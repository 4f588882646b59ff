"""Time that is taken before the clock starts, named something else, or left out in part."""

from __future__ import annotations

from threading import Event, Thread
from time import sleep
from typing import Any

from backends.conformance.liars.forgeries import burn
from backends.conformance.liars.times import ForgesRecords


class WorksBeforeItsClock(ForgesRecords):
    """Takes its time (0.3 s) when the worker has its job and has not started its clock.

    Its answers are right; its times are those of an answer that it had before.
    """

    def rewrite(self, worker: Any) -> None:
        """Have the module of a worker work first."""
        answer = worker.answer

        def delayed(*arguments: Any, **more: Any) -> Any:
            self.work()
            return self.forge(answer(*arguments, **more))

        worker.answer = delayed

    def work(self) -> None:
        """What no clock is to see."""
        sleep(0.3)

    def forge(self, record: Any) -> Any:
        """The record as it is."""
        return record


class CallsItFlattening(WorksBeforeItsClock):
    """The same, and its record says that a program has flattened the instance meanwhile."""

    def forge(self, record: Any) -> Any:
        """The record with a phase that is in no job's time."""
        record.phases["flatten"] = 0.3
        return record


class HidesBehindAThread(WorksBeforeItsClock):
    """The same, with a thread that waits, since threads are looked at outside the clock as well."""

    def __init__(self) -> None:
        super().__init__()
        Thread(target=Event().wait, daemon=True).start()


class TellsHalf(ForgesRecords):
    """Burns 0.2 s of CPU time, and halves all its times: it hides no more than it admits."""

    def forge(self, record: Any) -> Any:
        """The record of one that is twice as fast."""
        burn(0.2)
        record.wall_s, record.cpu_s = 0.51 * (record.wall_s + 0.2), 0.51 * (record.cpu_s + 0.2)
        return record
