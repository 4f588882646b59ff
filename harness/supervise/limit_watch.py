"""CPU time and memory of jobs, compared with their limits as often as these need it.

Words
-----
fair        memory in which pages that processes share count once; looked at only when the plain
            sum is above the limit, since it is dear
"""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

from harness.record import Outcome, Record
from harness.supervise.charge import FOREVER, Charge
from harness.supervise.process_tree import peak_mb
from harness.supervise.settings import Isolation, Settings
from harness.supervise.usage import Onlooker, Usage, next_look

Verdict = tuple[Outcome, str]
"""How a job ends that is beyond a limit, and what is said of it."""


class LimitWatch:
    """Watches over the limits of ``settings``; a job may use so many ``cores`` at a time."""

    def __init__(self, settings: Settings, isolation: Isolation, cores: int) -> None:
        self._cpu_s = settings.cpu_seconds
        self._most_mb = settings.memory_mb
        self._longest = settings.tick
        self._can_look = isolation.rung != "wall"
        self._cores = cores
        self._onlooker = Onlooker()

    def begin(self, charge: Charge) -> None:
        """A job is about to be sent."""
        group = charge.worker.under.group
        if group is not None:
            charge.kills_before = group.kills()
        charge.most_mb = 0.0
        charge.look_at = perf_counter() + self._wait(Usage(), charge)

    def look(self, charge: Charge) -> Verdict | None:
        """Compare what the job uses with its limits; None while it is within them."""
        usage = self._onlooker.look(charge.worker)
        charge.most_mb = max(charge.most_mb, usage.resident_mb)
        if self._is_above(usage, charge) or charge.was_oom():  # the kernel may kill but a child
            return "memout", f"killed above {self._most_mb or 0:g} MB"
        if self._cpu_s is not None and charge.cpu_s(usage) >= self._cpu_s:
            return "timeout", f"killed after the limit of {self._cpu_s:g} s of CPU time"
        charge.look_at = perf_counter() + self._wait(usage, charge)
        return None

    def answered(self, charge: Charge, record: Record) -> None:
        """Correct the outcome of an answer that came from beyond a limit."""
        record.peak_memory_mb = peak = max(record.peak_memory_mb or 0.0, charge.most_mb) or None
        if (self._most_mb is not None and (peak or 0) > self._most_mb) or charge.was_oom():
            record.outcome = "memout"
        elif record.outcome == "finished" and (record.cpu_s or 0) > (self._cpu_s or FOREVER):
            record.outcome = "timeout"

    def killed_by_kernel(self, charge: Charge) -> Verdict | None:
        """What to say if it was the kernel that killed for want of memory."""
        group = charge.worker.under.group
        if group is None or not charge.was_oom():
            return None
        most = self._most_mb or 0.0
        charge.most_mb = (group.peak_mb() or most) + charge.worker.inherited_mb
        return "memout", f"killed by the kernel above {most:g} MB"

    def tell_used(self, charge: Charge, record: Record) -> None:
        """Write into the record of a job without an answer what it was seen to have used."""
        usage = self._onlooker.look(charge.worker)
        if usage.processes > 1:
            fair = self._onlooker.shared_out_mb(charge.worker)
            usage = replace(usage, resident_mb=min(usage.resident_mb, fair or FOREVER))
        charge.tell_used(record, usage)

    def _is_above(self, usage: Usage, charge: Charge) -> bool:
        most = self._most_mb
        if most is None or usage.resident_mb <= most:
            return False
        alone = peak_mb(charge.worker.pid or 0)
        if alone is not None and alone > most:
            return True
        fair = self._onlooker.shared_out_mb(charge.worker)
        if fair is not None:
            charge.most_mb = fair
        return fair is None or fair > most

    def _wait(self, usage: Usage, charge: Charge) -> float:
        if not self._can_look:
            return FOREVER
        left = None if self._cpu_s is None else self._cpu_s - charge.cpu_s(usage)
        return next_look(usage, left, self._most_mb, self._cores, self._longest)
