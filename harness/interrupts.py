"""Ctrl-C: one line and status 130, never a traceback, never lost, and nothing cut in half.

Until a verb begins, and once it has ended, nothing is there to be put in order: the process leaves
at once. In a verb, ``KeyboardInterrupt`` is raised as usual, but not in the middle of an import,
where it may come up in a callback that Python ignores, or be taken for a module that is missing:
then a moment later. Where Ctrl-C is ignored, as for commands in the background, it stays ignored.
"""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

INTERRUPTED = 130
MOMENT = 0.01
"""Seconds."""


def leave_at_once() -> None:
    """From here on Ctrl-C ends the process, where it would raise ``KeyboardInterrupt``."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)


@contextmanager
def raise_interrupts() -> Iterator[None]:
    """In the block Ctrl-C raises ``KeyboardInterrupt``, which the caller takes care of."""
    is_ours = signal.getsignal(signal.SIGINT) is _leave
    if is_ours:
        signal.signal(signal.SIGINT, _raise)
    yield
    if is_ours:
        signal.signal(signal.SIGINT, _leave)


@contextmanager
def defer(*numbers: int) -> Iterator[threading.Event]:
    """In the block the first of these signals only sets the event, so that nothing is cut in half.

    A second one raises ``KeyboardInterrupt``. The event is for the caller to act upon. In a thread,
    and for a signal that is ignored or not handled by Python, nothing changes.
    """
    seen = threading.Event()

    def note(number: int, frame: FrameType | None) -> None:
        if seen.is_set():
            raise KeyboardInterrupt
        seen.set()

    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        before = {number: signal.getsignal(number) for number in numbers}
    before = {n: old for n, old in before.items() if old not in (None, signal.SIG_IGN)}
    for number in before:
        signal.signal(number, note)
    try:
        yield seen
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def _leave(number: int, frame: FrameType | None) -> None:
    try:
        os.write(2, b"concord: interrupted\n")
    finally:
        os._exit(INTERRUPTED)


def _raise(number: int, frame: FrameType | None) -> None:
    if not _is_importing(frame):
        raise KeyboardInterrupt
    threading.Thread(target=_interrupt_again, daemon=True).start()


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _interrupt_again() -> None:
    """To the main thread, so that it wakes where it waits."""
    time.sleep(MOMENT)
    main = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main is not None:
        signal.pthread_kill(main, signal.SIGINT)
    else:  # Windows
        signal.raise_signal(signal.SIGINT)
