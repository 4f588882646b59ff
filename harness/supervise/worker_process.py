"""The supervisor's end of one worker: its pipes, its scoreboard, its last words.

The process itself is the keeper's. Its interpreter gets the supervisor's module path in its first
frame, so that it finds the same code, however the project was installed. Hash randomisation is off
in it, so that a solver that iterates over a set does the same at each repeat.
"""

from __future__ import annotations

import errno
import os
import resource
import signal
from contextlib import ExitStack, suppress
from dataclasses import dataclass

import msgspec

from harness.supervise.cgroups import Group
from harness.supervise.keeper_process import KeeperProcess, module_path
from harness.supervise.output_tail import OutputTail
from harness.supervise.protocol import CHUNK, Frames, Start, frame
from harness.supervise.scoreboard import Scoreboard, shared_memory

_MB = 1 << 20
RESERVED = 24
"""So many descriptors are left to the supervisor's own files: the store's, those of /proc."""


@dataclass(frozen=True)
class Conditions:
    """What a worker runs under.

    ``once``         it serves one job and leaves
    ``group``        its control group; ``memory_mb`` is the limit that the kernel keeps there
    ``headroom_mb``  by how much the addresses that it uses may grow; None for no limit
    ``cores``        the cores that it may run on at first; empty for all
    ``warm_ups``     so many for each structure, but with ``first_cold`` none for that of its first
                     job
    """

    once: bool = False
    group: Group | None = None
    memory_mb: float | None = None
    headroom_mb: float | None = None
    cores: tuple[int, ...] = ()
    warm_ups: int = 0
    first_cold: bool = False


class WorkerProcess:
    """A worker for one backend; ``number`` counts the workers of a session.

    Raises OSError, with nothing left of it, when descriptors or memory are used up.
    ``pid``, ``status`` and ``gone`` are what the keeper has told so far: None until it runs, None
    until it has ended, and whether nothing that it started is left.
    """

    def __init__(
        self, keeper: KeeperProcess, backend: str, number: int, family: str, under: Conditions
    ) -> None:
        self.keeper = keeper
        self.backend = backend
        self.number = number
        self.under = under
        self.served = 0
        self.cores = under.cores
        self.pid: int | None = None
        self.inherited_mb = 0.0
        self.status: int | None = None
        self.gone = False
        self._frames = Frames()
        self._unsent = b""
        joins: list[str] = []
        limits: list[tuple[str, int, bool]] = []
        with ExitStack() as ours, ExitStack() as theirs:
            requests, self.requests = _pipe(theirs, ours)
            self.answers, answers = _pipe(ours, theirs)
            printed, output = _pipe(ours, theirs)
            memory = shared_memory()
            theirs.callback(os.close, memory)
            _leave_some_free(memory)
            self.output = OutputTail(printed)
            self.board = Scoreboard(memory)
            ours.callback(self.board.close)
            if under.group is not None:
                ours.callback(under.group.remove)
                under.group.make()
                joins = under.group.joins()
                if under.memory_mb is not None:
                    files = under.group.limits(int(under.memory_mb * _MB))
                    limits = [(path, value, under.group.must(path)) for path, value in files]
            keeper.start(
                number,
                (requests, answers, output, memory),
                join=joins,
                limit=limits,
                cores=under.cores,
                family=family,
            )
            ours.pop_all()
        for descriptor in (self.requests, self.answers):
            os.set_blocking(descriptor, False)
        start = Start(
            backend,
            module_path(),
            under.once,
            under.headroom_mb,
            under.memory_mb,
            under.warm_ups,
            under.first_cold,
        )
        self.send(msgspec.json.encode(start))

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
        except BrokenPipeError:  # it has died; its keeper says so
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

    # --- ending ----------------------------------------------------------------------------

    def hear(self, event: dict[str, int]) -> None:
        """Take note of what the keeper says about it."""
        if "pid" in event:
            self.pid, self.inherited_mb = event["pid"], event["inherited_mb"]
        self.status = event.get("status", self.status)
        self.gone = self.gone or "gone" in event

    def move(self, cores: tuple[int, ...]) -> None:
        """Let it run on other cores from now on; it is idle, and so has no children."""
        if cores and cores != self.cores and self.pid is not None:
            with suppress(OSError):  # it has ended
                for thread in os.listdir(f"/proc/{self.pid}/task"):
                    os.sched_setaffinity(int(thread), cores)
        self.cores = cores

    def hang_up(self) -> None:
        """Close the request pipe: an idle worker leaves by itself."""
        if self.requests >= 0:
            os.close(self.requests)
            self.requests = -1

    def close(self) -> None:
        """Give back what this side holds; the process must be gone, or nobody's concern."""
        self.hang_up()
        os.close(self.answers)
        self.output.close()
        self.board.close()
        if self.under.group is not None:
            self.under.group.remove()


def _pipe(reader: ExitStack, writer: ExitStack) -> tuple[int, int]:
    """A new pipe, each end closed by one of the two."""
    ends = os.pipe()
    for owner, end in zip((reader, writer), ends, strict=True):
        owner.callback(os.close, end)
    return ends


def _leave_some_free(newest: int) -> None:
    """Raise OSError when so few descriptors are left that the supervisor could not go on."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if most != resource.RLIM_INFINITY and newest >= most - RESERVED:
        raise OSError(errno.EMFILE, f"of {most} descriptors (ulimit -n) hardly any is left")


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
