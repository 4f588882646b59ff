"""What a program wrote last, kept for messages: the end of standard error, the last lines."""

from __future__ import annotations

import signal
from collections import deque

from backends.interface.programs.answers.reader import only_signs

MOST_STDERR = 4096
"""So much of the end of standard error is kept for messages."""

LAST_LINES = 3
"""The number of its last lines that are shown."""

LONGEST_SHOWN = 300


class LastWords:
    """Standard error is given as it comes, standard output by lines."""

    def __init__(self) -> None:
        self._errors = b""
        self._last: deque[bytes] = deque(maxlen=LAST_LINES)

    def hear(self, data: bytes) -> None:
        """Of standard error."""
        self._errors = (self._errors + data)[-MOST_STDERR:]

    def keep(self, lines: list[bytes]) -> None:
        """Of standard output."""
        self._last.extend(line[:LONGEST_SHOWN] for line in lines[-LAST_LINES:])

    def tell(self, status: int | None) -> str:
        """How the program ended, by its exit status, and what it wrote last, as far as known."""
        said = ""
        if status is not None and status < 0:
            said = f"; it was ended by {_signal_name(-status)}"
        elif status:
            said = f"; its exit status is {status}"
        errors = _shown(decode(self._errors).splitlines())
        if errors:
            return f"{said}; stderr ends in: {errors}"
        output = _shown([decode(line) for line in self._last])
        return f"{said}; its output ends in: {output}" if output else said


def _shown(lines: list[str]) -> str:
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
