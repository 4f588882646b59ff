"""The supervisor's side of the reapers: their processes, their control sockets, what they print.

A reaper runs in an interpreter of its own, started by ``subprocess`` and told by its own socket
what to do. So it works from a notebook, from a script without a main guard, and from a process that
may have no children by multiprocessing (a Dask worker's).
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from harness.supervise.channels import Control, Message, OutputTail
from harness.supervise.processes import LINUX, TOKEN, kill_tree, sweep
from modelling.errors import WorkerError

ROOT = str(Path(__file__).resolve().parents[2])
_BOOT = (
    "import sys; sys.path.append(sys.argv[1]); from harness.supervise.reaper import main; main()"
)
_ONE_THREAD = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    # Arrow, which pandas and so ortools import, brings an allocator that tidies up in a thread.
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
}
"""What keeps libraries from starting threads merely because they are imported."""

_END_SECONDS = 5.0


class ReaperProcess:
    """A running reaper; with a ``backend`` a fork server that loads it.

    ``token`` marks it and all its workers. ``name`` is what the pool knows it by. ``ready`` once it
    listens. ``printed`` and ``status`` are its last output and its exit status, once it has ended.
    """

    def __init__(self, backend: str, token: str, name: str) -> None:
        if os.name != "posix":
            raise WorkerError(
                "runs under a time limit need Linux or macOS; on this platform use `concord solve`"
            )
        self.backend = backend
        self.token = token
        self.name = name
        self.ready = False
        self.printed = ""
        self.status: int | None = None
        ours, theirs = socket.socketpair()
        printed, output = os.pipe()
        self.output = OutputTail(printed)
        self._control = Control(ours)
        # A fork server needs what is installed, and psutil is; a bare reaper starts faster without.
        options = ["-X", "faulthandler"] if backend or not LINUX else ["-S"]
        words = [sys.executable, "-P", *options, "-c", _BOOT, ROOT, str(theirs.fileno())]
        environment = {"PYTHONHASHSEED": "0", **os.environ, TOKEN: token}
        try:
            self.process = subprocess.Popen(
                [*words, str(os.getpid())],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                env=environment | _ONE_THREAD if backend else environment,
            )
        except OSError:
            ours.close()
            self.output.close()
            raise
        finally:
            theirs.close()
            os.close(output)
        self._send({"load": backend, "path": module_path()})

    def fileno(self) -> int:
        """The control socket, to wait for."""
        return self._control.connection.fileno()

    def start(self, number: int, descriptors: tuple[int, ...], how: Message) -> None:
        """Start worker ``number``; ``how`` as the reaper's protocol says."""
        self._send({"start": number, **how}, descriptors)

    def kill(self, number: int) -> None:
        """Kill worker ``number`` with all that it has started."""
        self._send({"kill": number})

    def _send(self, message: Message, descriptors: tuple[int, ...] = ()) -> None:
        if self.fileno() >= 0:
            with suppress(ConnectionError):  # it has ended; the end of the socket says so
                self._control.send(message, descriptors)

    def receive(self) -> tuple[list[Message], bool]:
        """What it has said, and whether it is still there."""
        messages, there = self._control.receive_pending()
        self.ready = self.ready or any(message["event"] == "ready" for message in messages)
        return messages, there

    def end(self) -> None:
        """Let it kill its workers and leave, or kill all."""
        self.printed = self.output.text()
        self._control.connection.close()
        if not self.ready:  # it loads a library and does not listen
            kill_tree(self.process.pid)
        try:
            self.process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            kill_tree(self.process.pid)
            with suppress(subprocess.TimeoutExpired):  # stuck in the kernel
                self.process.wait(1)
        self.status = self.process.returncode
        if self.status != 0:  # it did not tidy up itself
            sweep(self.token)
        self.output.close()


def module_path() -> list[str]:
    """Where this process finds modules, for those that it starts."""
    return [entry or os.getcwd() for entry in sys.path]
