"""Work for several processes, with results in the order of the work; Ctrl-C ends it at once.

Ctrl-C is for the process that writes: the others ignore it. While the pool itself is at work, it is
deferred, since it could leave a lock of the pool held, and looked for every ``LOOK_SECONDS``.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, TypeVar

from harness.interrupts import defer
from modelling.errors import WorkerError

LOOK_SECONDS = 0.1

Work = TypeVar("Work")
Done = TypeVar("Done")


@contextmanager
def start_pool(
    jobs: int, begin: Callable[..., None], *arguments: Any
) -> Iterator[ProcessPoolExecutor]:
    """Processes that called ``begin`` first; what they do when the block is left is given up."""
    others = set(multiprocessing.active_children())
    spawn = multiprocessing.get_context("spawn")  # solvers may have started threads: no forks
    pool = ProcessPoolExecutor(jobs, spawn, initializer=_begin, initargs=(begin, arguments))
    finished = False
    try:
        yield pool
        finished = True
    finally:
        pool.shutdown(wait=finished, cancel_futures=True)
        if not finished:
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()


def do_in_order(
    pool: ProcessPoolExecutor,
    function: Callable[[Work], Done],
    works: Iterable[Work],
    ahead: int,
    describe: Callable[[Work], str],
) -> Iterator[tuple[Work, Done]]:
    """Each work and what ``function`` makes of it, with at most ``ahead`` of them under way.

    ``works`` are read as they are needed. Raises ``WorkerError`` when a process dies;
    ``describe`` says what it was at.
    """
    waiting: deque[tuple[Work, Future[Done]]] = deque()

    def take() -> tuple[Work, Done]:
        work, future = waiting.popleft()
        with defer(signal.SIGINT) as interrupted:
            while not interrupted.is_set() and not future.done():
                wait([future], LOOK_SECONDS)
        if interrupted.is_set():
            raise KeyboardInterrupt
        try:
            return work, future.result()
        except BrokenProcessPool as error:
            raise _lost(describe(work)) from error

    for work in works:
        with defer(signal.SIGINT) as interrupted:
            try:
                waiting.append((work, pool.submit(function, work)))
            except BrokenProcessPool as error:
                raise _lost(describe(work)) from error
        if interrupted.is_set():
            raise KeyboardInterrupt
        if len(waiting) >= ahead:
            yield take()
    while waiting:
        yield take()


def _lost(what: str) -> WorkerError:
    return WorkerError(
        f"a process died while it {what} or one soon after (is there enough memory?); "
        "continue with fewer --jobs"
    )


def _begin(begin: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    begin(*arguments)
