"""A limit on toulbar2's time: of wall time, to parts of a second; and Ctrl-C ends its search.

pytoulbar2 takes whole seconds of CPU time, and makes SIGINT end the search in place of Python,
which does not hear of it. What ends it is a handler of a signal, SIGVTALRM: here SIGALRM has that
handler while toulbar2 searches, and Ctrl-C is heard by both.
"""

from __future__ import annotations

import signal
from threading import current_thread, main_thread
from time import perf_counter
from types import TracebackType
from typing import Any

from backends.signals import Echo, find_handler, keep_handlers, set_handler

NEVER = 1_000_000
"""Seconds: pytoulbar2's own timer is set for its handler alone."""


class Timer:
    """``with Timer(network, seconds) as timer``; afterwards ``timer.ran_out`` says whether it did.

    Without seconds, on systems that have no such timers, and in any thread but the main one, which
    gets the signals, nothing is limited. A timer that was set before continues afterwards.
    """

    def __init__(self, network: Any, seconds: float | None) -> None:
        self.solver = network.CFN
        self.possible = hasattr(signal, "setitimer") and current_thread() is main_thread()
        self.seconds = seconds if self.possible else None
        self.ran_out = False

    def __enter__(self) -> Timer:
        if self.possible:
            with keep_handlers("SIGINT"):
                self.solver.timer(NEVER)
            self.echo = Echo(signal.SIGVTALRM).__enter__()
        if self.seconds is not None:
            self.alarms = find_handler(signal.SIGALRM)
            set_handler(signal.SIGALRM, find_handler(signal.SIGVTALRM))
            self.begun = perf_counter()
            self.before = signal.setitimer(signal.ITIMER_REAL, max(self.seconds, 0.001))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.seconds is not None:
            left, _ = signal.setitimer(signal.ITIMER_REAL, 0)
            self.ran_out = not left
            set_handler(signal.SIGALRM, self.alarms)
            after, interval = self.before
            if after:
                passed = perf_counter() - self.begun
                signal.setitimer(signal.ITIMER_REAL, max(after - passed, 0.001), interval)
        if self.possible:
            self.echo.__exit__()
            self.solver.timerStop()
