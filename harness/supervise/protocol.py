"""What supervisor and worker say to each other: length-prefixed JSON on two pipes.

A *frame* is a magic word of four bytes, the payload's length as four bytes in network order, and
the payload. The magic word makes foreign bytes on the pipe an error at once instead of a length
to wait for. JSON rather than MessagePack because solutions hold integers of any size; a job and
its answer cost about four microseconds more for it.

The supervisor sends one ``Start`` and then jobs; the worker answers with one ``Greeting`` and then
one ``Record`` a job. Where a job's structure is new to a worker that is to warm up, it answers with
two ``WarmUp``, and the job is sent again. Before the first job of a puzzle family the supervisor
sends the name of the family, and the worker sends it back when it has imported it: that is in no
job's time.
"""

from __future__ import annotations

import struct
from typing import Literal

import msgspec

from harness.record import Version
from modelling.errors import WorkerError

MAGIC = b"CnCd"
LARGEST = 1 << 30
"""The most bytes in one payload; a longer one is taken for garbage."""

CHUNK = 1 << 16
"""So many bytes are read at a time: a pipe holds no more, and a larger buffer costs page faults."""

_HEADER = struct.Struct("!4sI")


class Start(msgspec.Struct, frozen=True):
    """The first frame that a worker gets: what to load, and where modules are found.

    ``once``: leave after one job. ``headroom_mb``: by so much may the addresses that are in use
    once the backend is loaded grow; None leaves them unlimited. ``memory_mb``: the limit on
    resident memory that is kept from outside; what is cached between jobs stays well below it.
    ``warm_ups``: so many for each structure, but with ``first_cold`` none for that of the first
    job.
    """

    backend: str
    path: list[str]
    once: bool = False
    headroom_mb: float | None = None
    memory_mb: float | None = None
    warm_ups: int = 0
    first_cold: bool = False


class WarmUp(msgspec.Struct, frozen=True, array_like=True):
    """A warm-up begins, or has ended, with what the backend raised in it, if anything."""

    state: Literal["begins", "ends"]
    error: str = ""
    left_behind: int = 0


class Greeting(msgspec.Struct, frozen=True, kw_only=True):
    """The first frame from a worker: it is ready, or ``error`` says why its backend is not."""

    version: Version
    import_s: float = 0.0
    error: str = ""


def frame(payload: bytes) -> bytes:
    """``payload`` with its header."""
    return _HEADER.pack(MAGIC, len(payload)) + payload


class Frames:
    """Cuts a stream of bytes into payloads; raises WorkerError on what is no frame."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    @property
    def partial(self) -> bool:
        """Whether bytes of an unfinished frame have arrived."""
        return bool(self._buffer)

    def feed(self, data: bytes) -> list[bytes]:
        """The payloads that ``data`` completes."""
        buffer = self._buffer
        buffer += data
        payloads = []
        while len(buffer) >= _HEADER.size:
            magic, length = _HEADER.unpack_from(buffer)
            if magic != MAGIC or length > LARGEST:
                raise WorkerError(
                    f"the worker's pipe carries foreign bytes: {bytes(buffer[:32])!r}"
                )
            end = _HEADER.size + length
            if len(buffer) < end:
                break
            payloads.append(bytes(buffer[_HEADER.size : end]))
            del buffer[:end]
        return payloads
