"""Work for several processes, with results in the order of the work; Ctrl-C ends it at once.

Ctrl-C is for the process that writes: the others ignore it. While the pool itself is at work, it is
deferred, since it could leave a lock of the pool held, and looked for every ``LOOK_SECONDS``.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from threading import Event
from typing import Any, TypeVar

from harness.interrupts import defer
from modelling.errors import WorkerError

LOOK_SECONDS = 0.1

Work = TypeVar("Work")
Done = TypeVar("Done")


def do_in_order(
    jobs: int,
    prepare: Callable[[], Callable[[Work], Done]],
    works: Iterable[Work],
    ahead: int,
    describe: Callable[[Work], str],
) -> Generator[Done, None, None]:
    """What becomes of each work by the function that ``prepare`` gives, once in each process.

    ``works`` are read as they are needed, at most ``ahead`` of them are under way, and these are
    given up when the generator is closed. Raises ``WorkerError`` when a process dies;
    ``describe`` says what it was at.
    """
    others = set(multiprocessing.active_children())
    spawn = multiprocessing.get_context("spawn")  # solvers may have started threads: no forks
    pool = ProcessPoolExecutor(jobs, spawn, initializer=_begin, initargs=(prepare,))
    waiting: deque[tuple[Work, Future[Done]]] = deque()
    finished = False
    at: Work

    def take() -> Done:
        nonlocal at
        at, future = waiting.popleft()
        with _deferred() as interrupted:
            while not interrupted.is_set() and not future.done():
                wait([future], LOOK_SECONDS)
        return future.result()

    try:
        for at in works:
            with _deferred():
                waiting.append((at, pool.submit(_do, at)))
            if len(waiting) >= ahead:
                yield take()
        while waiting:
            yield take()
        finished = True
    except BrokenProcessPool as error:
        raise WorkerError(
            f"a process died while it {describe(at)} or one soon after (is there enough "
            "memory?); continue with fewer --jobs"
        ) from error
    finally:
        pool.shutdown(wait=finished, cancel_futures=True)
        if not finished:
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()


@contextmanager
def _deferred() -> Iterator[Event]:
    """Ctrl-C in the block sets the event and is raised at its end."""
    with defer(signal.SIGINT) as interrupted:
        yield interrupted
    if interrupted.is_set():
        raise KeyboardInterrupt


_function: Callable[[Any], Any]
"""What this process does, when it is one of a pool."""


def _begin(prepare: Callable[[], Callable[[Any], Any]]) -> None:
    global _function
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _function = prepare()


def _do(work: Any) -> Any:
    return _function(work)
