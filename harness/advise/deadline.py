"""A block of code that ends when its time is up, whatever it is about."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

LEAST = 1e-3
"""Seconds of a timer: one of zero would never ring."""


class TimeUp(Exception):
    """The time is over."""


@contextmanager
def stop_at(moment: float | None) -> Iterator[None]:
    """Raise TimeUp in the block when the clock ``perf_counter`` says ``moment``.

    Nothing ends a block beside the main thread, or on a system without timers: there it takes as
    long as it takes, and so it does without a moment.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if moment is None or not is_main or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_: Any) -> None:
        raise TimeUp

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, max(LEAST, moment - perf_counter()))
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, before)
