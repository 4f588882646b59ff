"""The supervisor's end of one worker: its process, its pipes, its scoreboard, its last words.

The worker's interpreter gets the supervisor's module path in its first frame, so that it finds the
same code, however the project was installed. Hash randomisation is off in it, so that a solver
that iterates over a set does the same at each repeat.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import perf_counter, sleep

import msgspec

from harness.process_tree import kill_tree
from harness.protocol import CHUNK, Frames, Start, frame
from harness.scoreboard import Scoreboard, shared_memory
from modelling.errors import WorkerError

ROOT = str(Path(__file__).resolve().parent.parent)
_BOOT = "import sys; sys.path.append(sys.argv[1]); from harness.worker import main; main()"

TAIL_BYTES = 8192
"""So much of what a worker prints is kept, the end of it."""

_LAST_READS = 64
_DEATH_SECONDS = 0.25


class WorkerProcess:
    """A running worker for one backend; ``number`` counts the workers of a session."""

    def __init__(self, backend: str, number: int) -> None:
        if os.name != "posix":
            raise WorkerError(
                "runs under a time limit need Linux or macOS; on this platform use `concord solve`"
            )
        self.backend = backend
        self.number = number
        self.served = 0
        self._frames = Frames()
        self._unsent = b""
        self._tail = bytearray()
        requests, self.requests = os.pipe()
        self.answers, answers = os.pipe()
        self.output, output = os.pipe()
        memory = shared_memory()
        self.board = Scoreboard(memory)
        theirs = (requests, answers, memory)
        words = [ROOT, *map(str, theirs), str(os.getpid())]
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-X", "faulthandler", "-c", _BOOT, *words],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=theirs,
                start_new_session=True,
                env={"PYTHONHASHSEED": "0", **os.environ},
            )
        except OSError:
            self._close()
            raise
        finally:
            for descriptor in (*theirs, output):
                os.close(descriptor)
        for descriptor in (self.requests, self.answers, self.output):
            os.set_blocking(descriptor, False)
        path = [entry or os.getcwd() for entry in sys.path]
        self.send(msgspec.json.encode(Start(backend, path)))

    # --- talking ---------------------------------------------------------------------------

    def send(self, payload: bytes) -> None:
        """Write one frame; what the pipe does not take at once is left to ``flush``."""
        self._unsent += frame(payload)
        self.flush()

    def flush(self) -> None:
        """Write what is left of the last frame, as far as the pipe takes it."""
        try:
            written = os.write(self.requests, self._unsent)
        except BlockingIOError:
            return
        except BrokenPipeError:  # it has died; the end of its answers says so
            written = len(self._unsent)
        self._unsent = self._unsent[written:]

    @property
    def unsent(self) -> bool:
        """Whether a part of a frame still waits for the pipe."""
        return bool(self._unsent)

    def receive(self) -> list[bytes] | None:
        """The payloads that have arrived; None at the end. Raises WorkerError on foreign bytes."""
        try:
            data = os.read(self.answers, CHUNK)
        except BlockingIOError:
            return []
        return self._frames.feed(data) if data else None

    @property
    def mid_frame(self) -> bool:
        """Whether an unfinished frame has arrived."""
        return self._frames.partial

    def drain(self) -> bool:
        """Take in what the worker has printed; false when it has closed its output."""
        try:
            data = os.read(self.output, CHUNK)
        except BlockingIOError:
            return True
        self._tail += data
        del self._tail[:-TAIL_BYTES]
        return bool(data)

    def forget_output(self) -> None:
        """Start collecting output anew: it belongs to the next job."""
        self._tail.clear()

    def last_words(self) -> str:
        """The end of what it printed since the last ``forget_output``."""
        for _ in range(_LAST_READS):  # bounded: a child it left behind may print for ever
            before = len(self._tail)
            if not self.drain() or len(self._tail) == before:
                break
        return self._tail.decode(errors="replace")

    # --- ending ----------------------------------------------------------------------------

    def has_ended(self) -> bool:
        """Whether the process has exited; it stays unreaped where that is possible."""
        if self.process.returncode is not None:
            return True
        if hasattr(os, "waitid"):
            options = os.WEXITED | os.WNOHANG | os.WNOWAIT
            return os.waitid(os.P_PID, self.process.pid, options) is not None
        return self.process.poll() is not None

    def wait_for_end(self, seconds: float = _DEATH_SECONDS) -> bool:
        """Wait a moment for the process to exit; whether it has."""
        until = perf_counter() + seconds
        while not self.has_ended():
            if perf_counter() >= until:
                return False
            sleep(0.001)
        return True

    def hang_up(self) -> None:
        """Close the request pipe: an idle worker leaves by itself."""
        if self.requests >= 0:
            os.close(self.requests)
            self.requests = -1

    def end(self) -> int | None:
        """Kill what is left of the worker and its descendants; its exit status, if it has one."""
        if self.process.returncode is None:
            kill_tree(self.process.pid)
        with suppress(subprocess.TimeoutExpired):  # stuck in the kernel: it ends when that lets go
            self.process.wait(5)
        self._close()
        return self.process.returncode

    def _close(self) -> None:
        self.hang_up()
        os.close(self.answers)
        os.close(self.output)
        self.board.close()


def how_it_ended(status: int | None) -> str:
    """An exit status in words."""
    if status is None:
        return "could not be killed"
    if status >= 0:
        return f"left with exit status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    hint = " (out of memory?)" if -status == signal.SIGKILL else ""
    return f"was killed by {name}{hint}"
