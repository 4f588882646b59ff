"""How bytes travel between supervisor, reaper and workers: frames, the control socket, output.

A *frame* is a magic word of four bytes, the payload's length as four bytes in network order, and
the payload. The magic word makes foreign bytes on a pipe an error at once instead of a length to
wait for. This file needs the standard library only, since the reaper uses it.
"""

from __future__ import annotations

import json
import os
import socket
import struct
from array import array
from typing import Any

from modelling.errors import WorkerError

MAGIC = b"CnCd"
LARGEST = 1 << 30
"""The most bytes in one payload; a longer one is taken for garbage."""

CHUNK = 1 << 16
"""Bytes that are read at a time: a pipe holds no more, and a larger buffer costs page faults."""

TAIL_BYTES = 8192
"""So much of what a process prints is kept, the end of it."""

_HEADER = struct.Struct("!4sI")
_BESIDE = socket.CMSG_SPACE(64 * array("i").itemsize) if hasattr(socket, "CMSG_SPACE") else 0
"""Bytes for the descriptors that come beside data."""

_LAST_READS = 64

Message = dict[str, Any]


def frame(payload: bytes) -> bytes:
    """``payload`` with its header."""
    return _HEADER.pack(MAGIC, len(payload)) + payload


class Frames:
    """Cuts a stream of bytes into payloads; raises WorkerError for anything but frames."""

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


class Control:
    """One end of the control socket between supervisor and reaper: JSON, and descriptors."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.descriptors: list[int] = []
        self._frames = Frames()

    def send(self, message: Message, descriptors: tuple[int, ...] = ()) -> None:
        """Send a message, with descriptors for the other side; raises OSError when that is gone."""
        data = frame(json.dumps(message).encode())
        if descriptors:
            data = data[socket.send_fds(self.connection, [data], descriptors) :]
        self.connection.sendall(data)

    def receive(self) -> tuple[list[Message], bool]:
        """The messages that have arrived, without waiting, and whether the other side is there.

        Their descriptors are put after those in ``descriptors``, in order; with the first of them
        it ends, so that they do not use up what a process can have.
        """
        messages: list[Message] = []
        while not (messages and self.descriptors):
            try:
                # Not by socket.recv_fds, which takes flags and passes none of them on.
                data, beside, _, _ = self.connection.recvmsg(CHUNK, _BESIDE, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return messages, True
            except ConnectionError:
                data, beside = b"", []
            for _, _, packed in beside:
                for descriptor in array("i", packed):
                    os.set_inheritable(descriptor, False)
                    self.descriptors.append(descriptor)
            if not data:
                return messages, False
            messages += map(json.loads, self._frames.feed(data))
        return messages, True


class OutputTail:
    """The reading end of a pipe that is some process's standard output and standard error.

    It is read while the process runs, which so never waits, and the end of it is kept.
    """

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

    def clear(self) -> None:
        """Start anew: what is printed from now on belongs to the next job."""
        self._tail.clear()

    def text(self) -> str:
        """The end of what was printed since the last ``clear``."""
        for _ in range(_LAST_READS):  # bounded: a child that was left behind may print for ever
            before = len(self._tail)
            if not self.drain() or len(self._tail) == before:
                break
        return self._tail.decode(errors="replace")

    def close(self) -> None:
        """Close the pipe."""
        os.close(self.descriptor)
