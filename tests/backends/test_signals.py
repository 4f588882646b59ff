"""Ctrl-C while a solver searches and after it has: it is not lost, and Python's handler stays."""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import threading

import pytest

from backends.interface.api import Limits, Solutions
from backends.interface.shipped import SHIPPED
from backends.signals import Echo, find_handler, set_handler, stop_when_interrupted
from tests.backends.small_problems import pigeons
from tests.backends.solver_checks import find_or_skip

OF_SUDOKU = ("compiled", "ladder")
SIGNALS = [getattr(signal, n) for n in ("SIGINT", "SIGTERM", "SIGALRM") if hasattr(signal, n)]
AT_ONCE = (
    *("bitwuzla", "clingo", "cpsat:booleans,presolve=off", "propagation", "sat", "sat:cadical195"),
    *("sat:cryptominisat", "sat:glucose4", "sat:maplechrono", "sat:minisat22,reuse=solver"),
    *("toulbar2", "z3"),
)
"""Those that stop; others end at their limit on time, or when they have an answer."""


@pytest.fixture(autouse=True)
def pythons_handler():
    """Whatever runs these tests may have another."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("name", [entry.name for entry in SHIPPED if entry.name not in OF_SUDOKU])
def test_a_search_leaves_handlers_of_signals_as_they_were(name):
    backend = find_or_skip(name)
    before = [find_handler(number) for number in SIGNALS]
    assert backend.solve(pigeons(4), Solutions(1), Limits(seconds=20)).status == "UNSATISFIABLE"
    assert [find_handler(number) for number in SIGNALS] == before


@pytest.mark.parametrize("limit", [1000, None])
@pytest.mark.parametrize("name", AT_ONCE)
def test_an_interrupt_ends_a_search_at_once(name, limit):
    """Without a limit too, where a search may look at nothing but what ends it."""
    backend = find_or_skip(name)
    code = f"import os, time; time.sleep(0.2); os.kill({os.getpid()}, {int(signal.SIGINT)})"
    # maplechrono takes seconds to see an interrupt in larger ones
    hard = pigeons(10 if name == "sat:maplechrono" else 15)
    # of another process: toulbar2 lets no thread of this one run
    with subprocess.Popen([sys.executable, "-c", code]), pytest.raises(KeyboardInterrupt):
        backend.solve(hard, Solutions(1), Limits(seconds=limit))
    again = backend.solve(pigeons(4), Solutions(1), Limits(seconds=20))
    assert again.status == "UNSATISFIABLE"


def interrupt_in(echo, handler):
    with echo:
        assert find_handler(signal.SIGIO) == handler
        os.kill(os.getpid(), signal.SIGINT)


def test_an_echo_loses_no_interrupt_and_leaves_everything_as_it_was():
    """A handler of C that does nothing: Python's own would tell of the echo, and have another."""
    harmless = ctypes.cast(ctypes.pythonapi.Py_IsInitialized, ctypes.c_void_p).value
    ears, mouth = socket.socketpair()
    before = find_handler(signal.SIGIO), find_handler(signal.SIGUSR1)
    set_handler(signal.SIGUSR1, harmless)
    with ears, mouth:
        mouth.setblocking(False)
        ears.settimeout(10)
        wakeup = signal.set_wakeup_fd(mouth.fileno(), warn_on_full_buffer=False)
        try:
            with pytest.raises(KeyboardInterrupt):
                interrupt_in(Echo(signal.SIGUSR1), harmless)
            assert signal.set_wakeup_fd(mouth.fileno()) == mouth.fileno()
        finally:
            signal.set_wakeup_fd(wakeup)
            set_handler(signal.SIGUSR1, before[1])
        assert (find_handler(signal.SIGIO), find_handler(signal.SIGUSR1)) == before
        assert ears.recv(1) == bytes([signal.SIGINT])


def interrupt_and_wait(stopped):
    with stop_when_interrupted(stopped.set):
        os.kill(os.getpid(), signal.SIGINT)
        assert stopped.wait(10)


def test_who_was_told_of_signals_before_is_told_still():
    ears, mouth = socket.socketpair()
    stopped = threading.Event()
    with ears, mouth:
        mouth.setblocking(False)
        ears.settimeout(10)
        before = signal.set_wakeup_fd(mouth.fileno(), warn_on_full_buffer=False)
        try:
            with pytest.raises(KeyboardInterrupt):
                interrupt_and_wait(stopped)
            assert signal.set_wakeup_fd(mouth.fileno()) == mouth.fileno()
        finally:
            signal.set_wakeup_fd(before)
        assert ears.recv(1) == bytes([signal.SIGINT])


def test_nothing_changes_where_interrupts_are_ignored_or_in_a_thread():
    def searches():
        with stop_when_interrupted(seen.append):
            handlers.append(signal.getsignal(signal.SIGINT))

    seen, handlers = [], []
    ours = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=searches)
    thread.start()
    thread.join()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    searches()
    assert (seen, handlers) == ([], [ours, signal.SIG_IGN])
