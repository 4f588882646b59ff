"""Signals that come while something runs that they must not cut in half, or that handles them.

Python's ``signal`` knows the handlers that it has set itself; those of a library are addresses.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from types import FrameType
from typing import Any, Self

_get, _put = ctypes.pythonapi.PyOS_getsig, ctypes.pythonapi.PyOS_setsig
_get.restype, _get.argtypes = ctypes.c_void_p, [ctypes.c_int]
_put.restype, _put.argtypes = ctypes.c_void_p, [ctypes.c_int, ctypes.c_void_p]


def find_handler(number: int) -> Any:
    """The address of what handles a signal."""
    return _get(number)


def set_handler(number: int, handler: Any) -> None:
    """Let what ``find_handler`` has found handle a signal."""
    _put(number, handler)


@contextmanager
def keep_handlers(*names: str) -> Iterator[None]:
    """Whatever is done within, these signals are handled afterwards as before; those that the
    system does not have are passed over."""
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = [find_handler(number) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            set_handler(number, handler)


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


def is_handled() -> bool:
    """Whether Python is to handle Ctrl-C, and this is the thread where it does."""
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and callable(signal.getsignal(signal.SIGINT))


@contextmanager
def stop_when_interrupted(stop: Callable[[], None]) -> Iterator[None]:
    """In the block Ctrl-C calls ``stop``, though the main thread is in a library's search, and
    is not lost.

    Python's own handler waits for the main thread to come back to Python; and what it raises in
    a callback, many a library drops. Another thread, which the library must let run, hears of the
    signal at once and calls ``stop``. In a thread, and where Ctrl-C is not handled by Python,
    nothing changes.
    """
    handler = signal.getsignal(signal.SIGINT)
    if not is_handled():
        yield
        return
    listener = _listener(os.getpid())
    listener.begin(stop)
    try:
        yield
    finally:
        interrupted = listener.end()
    if interrupted and handler is signal.default_int_handler:
        raise KeyboardInterrupt  # in a callback that dropped it


class Echo:
    """``with Echo(number)``: a signal that Python handles, as Ctrl-C, brings ``number`` at once.

    For libraries that let no other thread run and look at a flag that a handler of theirs sets:
    Python's handler runs as well, once the library is left, so that nothing is lost. Python writes
    to a pipe when a signal comes, and the pipe's other end asks for a signal, SIGIO, when there is
    something to read; in the block that has the handler of ``number``. In a thread, where Ctrl-C is
    not handled by Python, and on systems that have no such signal, nothing happens.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.possible = is_handled() and hasattr(signal, "SIGIO")

    def __enter__(self) -> Self:
        if self.possible:
            self.before = find_handler(signal.SIGIO)
            set_handler(signal.SIGIO, find_handler(self.number))
            self.ears, self.mouth = _pipe(os.getpid())
            self.others = signal.set_wakeup_fd(self.mouth, warn_on_full_buffer=False)
        return self

    def __exit__(self, *raised: object) -> None:
        if self.possible:
            signal.set_wakeup_fd(self.others)
            set_handler(signal.SIGIO, self.before)
            with contextlib.suppress(BlockingIOError):
                heard = os.read(self.ears, 4096)
                if self.others != -1:
                    os.write(self.others, heard)


@lru_cache(maxsize=1)
def _pipe(process: int) -> tuple[int, int]:
    """A pipe whose end to read asks for SIGIO; of this process alone."""
    import fcntl

    ears, mouth = os.pipe()
    for end in (ears, mouth):
        os.set_blocking(end, False)
    with contextlib.suppress(OSError):  # a system whose pipes do not: then no signal comes
        fcntl.fcntl(ears, fcntl.F_SETOWN, process)
        fcntl.fcntl(ears, fcntl.F_SETFL, fcntl.fcntl(ears, fcntl.F_GETFL) | os.O_ASYNC)
    return ears, mouth


class _Listener:
    """A thread that receives signals; all calls share one, since to start one takes 0.1 ms."""

    def __init__(self) -> None:
        self.ears, self.mouth = socket.socketpair()
        self.mouth.setblocking(False)
        self.address = self.mouth.fileno()
        self.stop: Callable[[], None] | None = None
        self.others = -1
        self.interrupted = False
        threading.Thread(target=self._listen, name="interrupts", daemon=True).start()

    def begin(self, stop: Callable[[], None]) -> None:
        """The former receiver of signals, such as an event loop, still receives them."""
        self.stop, self.interrupted = stop, False
        self.others = signal.set_wakeup_fd(self.address, warn_on_full_buffer=False)

    def end(self) -> bool:
        """Whether there was an interrupt."""
        signal.set_wakeup_fd(self.others)
        self.stop = None
        return self.interrupted

    def _listen(self) -> None:
        while number := self.ears.recv(1):
            if self.others != -1:
                os.write(self.others, number)
            stop = self.stop
            if stop is not None and number[0] == signal.SIGINT:
                self.interrupted = True
                stop()


@lru_cache(maxsize=1)
def _listener(process: int) -> _Listener:
    """The one of this process: a fork has no threads of its parent's."""
    return _Listener()
