"""What is not done in time is ended, and the clock of others is left as it was."""

from __future__ import annotations

import signal
from time import perf_counter, sleep

import pytest

from harness.advise.deadline import TimeUp, stop_at

pytestmark = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="the system has no timers for processes"
)


def test_a_block_ends_at_the_moment() -> None:
    with pytest.raises(TimeUp), stop_at(perf_counter() + 0.01):
        sleep(60)


def test_a_moment_that_is_over_ends_a_block_at_once() -> None:
    with pytest.raises(TimeUp), stop_at(perf_counter() - 1):
        sleep(60)


def test_nothing_rings_after_a_block() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with stop_at(perf_counter() + 3600):
        assert signal.getsignal(signal.SIGALRM) is not before
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    with stop_at(None):
        assert signal.getsignal(signal.SIGALRM) is before
