"""What machine code asks Python while it runs: whether the search is to stop.

A function that machine code calls cannot raise. Python handles Ctrl-C as it enters a function, so
there the exception would be printed and lost. A generator that waits within ``try`` is entered
there, and keeps the exception, which is raised once the machine code has returned.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator

from modelling.stopping import is_over


class _Asked(threading.local):
    """Each thread has its own, as a generator runs once at a time."""

    def __init__(self) -> None:
        self.raised: BaseException | None = None
        answers = self._answer()
        next(answers)
        self.function = ctypes.CFUNCTYPE(ctypes.c_int64)(answers.__next__)
        self.address = ctypes.cast(self.function, ctypes.c_void_p).value

    def _answer(self) -> Iterator[int]:
        answer = 0
        while True:
            try:
                yield answer
                answer = int(is_over())
            except GeneratorExit:
                return
            except BaseException as why:
                self.raised, answer = why, 1


_asked = _Asked()


def asked_address() -> int:
    """Where the function lies that answers 1 once the limit of time is over, or after Ctrl-C."""
    assert _asked.address is not None
    return _asked.address


def raise_kept() -> None:
    """Raise what has been raised while machine code asked."""
    why, _asked.raised = _asked.raised, None
    if why is not None:
        raise why
