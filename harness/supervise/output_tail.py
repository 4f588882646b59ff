"""What a process prints, read while it runs so that it never waits, and kept to a cap: its end."""

from __future__ import annotations

import os

from harness.supervise.protocol import CHUNK

TAIL_BYTES = 8192
"""So much of what a process prints is kept, the end of it."""

_LAST_READS = 64


class OutputTail:
    """The reading end of a pipe that is some process's standard output and standard error."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._tail = bytearray()
        os.set_blocking(descriptor, False)

    def drain(self) -> bool:
        """Take in what has been printed; false when the pipe is closed at the other end."""
        try:
            data = os.read(self.descriptor, CHUNK)
        except BlockingIOError:
            return True
        self._tail += data
        del self._tail[:-TAIL_BYTES]
        return bool(data)

    def forget(self) -> None:
        """Start anew: what is printed from now on belongs to the next job."""
        self._tail.clear()

    def text(self) -> str:
        """The end of what was printed since the last ``forget``."""
        for _ in range(_LAST_READS):  # bounded: a child that was left behind may print for ever
            before = len(self._tail)
            if not self.drain() or len(self._tail) == before:
                break
        return self._tail.decode(errors="replace")

    def close(self) -> None:
        """Close the pipe."""
        os.close(self.descriptor)
