"""A polite kill while a program runs: this process ends what it has begun before it leaves."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn


@contextmanager
def leave_at_sigterm() -> Iterator[None]:
    """In the block SIGTERM raises ``SystemExit``, so that what was begun is ended and removed.

    By default it would end this process alone. It is for blocks that wait in Python: a library's
    search would not hear of it before its end. Where somebody else handles the signal, and in
    other threads, nothing changes.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)
