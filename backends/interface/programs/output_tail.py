"""The end of what a program wrote, kept for messages: of standard error, and the last lines."""

from __future__ import annotations

import signal
from collections import deque

from backends.interface.programs.answers.reader import only_signs

MOST_STDERR = 4096
"""The number of bytes of standard error that are kept for messages."""

LAST_LINES = 3
"""The number of its last lines that are shown."""

LONGEST_SHOWN = 300


class OutputTail:
    """Standard error is given as it comes, standard output by lines."""

    def __init__(self) -> None:
        self._errors = b""
        self._last: deque[bytes] = deque(maxlen=LAST_LINES)

    def add_errors(self, data: bytes) -> None:
        """Keep the end of standard error."""
        self._errors = (self._errors + data)[-MOST_STDERR:]

    def add_lines(self, lines: list[bytes]) -> None:
        """Keep the last lines of standard output."""
        self._last.extend(line[:LONGEST_SHOWN] for line in lines[-LAST_LINES:])

    def describe_end(self, status: int | None) -> str:
        """How the program ended, by its exit status, and what it wrote last, as far as known."""
        ending = ""
        if status is not None and status < 0:
            ending = f"; it was ended by {_signal_name(-status)}"
        elif status:
            ending = f"; its exit status is {status}"
        errors = _join_last(decode(self._errors).splitlines())
        if errors:
            return f"{ending}; stderr ends in: {errors}"
        output = _join_last([decode(line) for line in self._last])
        return f"{ending}; its output ends in: {output}" if output else ending


def _join_last(lines: list[str]) -> str:
    lines = [line.strip()[:LONGEST_SHOWN] for line in lines if line.strip()]
    return only_signs(" | ".join(lines[-LAST_LINES:]))


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def decode(data: bytes) -> str:
    """A line as text."""
    return data.decode("utf-8", "replace").rstrip("\r")
