"""The supervisor: hands jobs to workers, keeps the limits from outside, loses no job.

Words
-----
slot        the right to run one job; as many jobs run at a time as there are slots

One thread and one selector do all of it. Whatever a worker does - hang, crash, leave, babble, flood
its output, leave children behind - ends in exactly one record for its job and a new worker for the
next. An answer is first followed by the next job and only then looked at, so that workers do not
wait for bookkeeping.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from time import perf_counter

from harness.job import Job
from harness.noise import Probe, take_probe
from harness.record import Record, Version
from harness.supervise.pool import Pool
from harness.supervise.settings import Settings

__all__ = ["Settings", "supervise"]

_FOREVER = float("inf")


def supervise(
    jobs: Iterable[Job],
    settings: Settings = Settings(),
    on_version: Callable[[Version], None] = lambda version: None,
    on_probe: Callable[[Probe], None] | None = None,
) -> Iterator[Record | None]:
    """Run ``jobs``; each ends in one record, yielded as soon as it is there.

    None is yielded every ``settings.tick`` seconds at the least, so that the caller can do its
    own work in time; limits are looked after while this generator has its turn, so the caller's
    should be short. ``on_version`` hears of each version before the first record that refers
    to it. ``on_probe`` hears how noisy the machine is, before, during and after. ``jobs`` may end
    for the time being, and is asked again after each record. Closing the generator ends the
    workers; jobs under way then leave no record.
    """
    pool = Pool(settings, on_version)
    todo = iter(jobs)
    probe_at = _FOREVER
    try:
        if on_probe is not None:
            on_probe(take_probe("before"))
            probe_at = perf_counter() + settings.probe_seconds
        job: Job | None = None
        while True:
            while pool.has_free_slot:
                if on_probe is not None and perf_counter() >= probe_at:
                    on_probe(take_probe("during"))
                    probe_at = perf_counter() + settings.probe_seconds
                job = pool.again.pop() if pool.again else next(todo, None)
                if job is None:
                    break
                pool.assign(job)
                if len(pool.finished) >= 100:  # a backend that does not start: tell in time
                    break
            finished = pool.take_finished()
            yield from finished or (None,)
            if pool.busy:
                pool.wait()
            elif job is None and not finished and not pool.again:
                break  # a record may have let go of jobs that waited for it: asked again before
        if on_probe is not None:
            on_probe(take_probe("after"))
    finally:
        pool.close()
