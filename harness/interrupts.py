"""Ctrl-C: one line and status 130, never a traceback, never lost, and nothing cut in half.

Until a verb begins, and once it has ended, nothing is there to be put in order: the process leaves
at once. In a verb, ``KeyboardInterrupt`` is raised as usual, but not in the middle of an import,
where it may be taken for a module that is missing: then a moment later. Where it was raised in a
callback whose exceptions Python ignores, as ``__del__``, it is raised a moment later again. Where
Ctrl-C is ignored, as for commands in the background, it stays ignored.
"""

import os
import signal
import sys
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
        sys.unraisablehook = _raise_if_ignored
    yield
    if is_ours:
        signal.signal(signal.SIGINT, _leave)


def _leave(number: int, frame: FrameType | None) -> None:
    try:
        os.write(2, b"concord: interrupted\n")
    finally:
        os._exit(INTERRUPTED)


def _raise(number: int, frame: FrameType | None) -> None:
    if not _is_importing(frame):
        raise KeyboardInterrupt
    _raise_later()


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _raise_if_ignored(ignored: Any) -> None:
    """For ``sys.unraisablehook``."""
    if issubclass(ignored.exc_type, KeyboardInterrupt):
        _raise_later()
    else:
        sys.__unraisablehook__(ignored)


def _raise_later() -> None:
    threading.Thread(target=_interrupt_again, daemon=True).start()


def _interrupt_again() -> None:
    """To the main thread, so that it wakes where it waits."""
    time.sleep(MOMENT)
    main = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main is not None:
        signal.pthread_kill(main, signal.SIGINT)
    else:  # Windows
        signal.raise_signal(signal.SIGINT)
