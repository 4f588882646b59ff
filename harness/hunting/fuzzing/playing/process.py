"""A process that plays the rounds of one lane: the side that starts, watches and ends it.

The process may crash or hang at any question. It is then started again with the lane as it was
before, and does not ask that question a second time.
"""

from __future__ import annotations

import mmap
import os
import struct
import subprocess
from signal import Signals
from time import monotonic

import msgspec

from harness.environments.interpreter import interpreter_for
from harness.hunting.findings import Answer
from harness.hunting.fuzzing.playing.lane import Lane, Said
from harness.supervise.channels import CHUNK, Frames, OutputTail, frame
from harness.supervise.processes import kill_tree, look_at, remove_folders, tree_of
from harness.supervise.protocol import shared_memory

BOARD = struct.Struct("qqq")
"""The round, the question within it that is being asked, and the comparisons so far."""

MOST_MB = 1500
"""A process that has grown beyond this is started anew after its rounds."""

START_SECONDS = 120.0
PATIENCE = 4
"""See ``SolverProcess.is_stuck``."""

_BOOT = (
    "import sys; sys.path.append(sys.argv[1]); "
    "from harness.hunting.fuzzing.playing.worker import main; main()"
)


class Order(msgspec.Struct, frozen=True):
    """The first frame: what to play, and where modules are found. See ``rounds.Player``."""

    seed: int
    lane: Lane
    folder: str
    path: list[str]
    lost: dict[str, Answer]
    is_guided: bool
    instances: tuple[str, ...] = ()
    questions: int = 1


class Played(msgspec.Struct, frozen=True):
    """What comes back after some rounds: the lane, and claims about what all lanes draw alike.

    ``error`` says why the backend cannot be used, if it cannot.
    """

    lane: Lane
    said: list[Said] = []
    error: str = ""


class SolverProcess:
    """A process for one lane; ``begin`` has it play some rounds, ``receive`` takes the result."""

    def __init__(self, order: Order) -> None:
        self.backend = order.lane.backend
        interpreter = interpreter_for(self.backend)
        order = msgspec.structs.replace(order, path=list(interpreter.path))
        requests, self._requests = os.pipe()
        self.answers, answers = os.pipe()
        printed, output = os.pipe()
        memory = shared_memory()
        self._output = OutputTail(printed)
        self._frames = Frames()
        theirs = (requests, answers, memory)
        words = [interpreter.python, "-P", "-c", _BOOT, interpreter.source, *map(str, theirs)]
        self._process = subprocess.Popen(
            [*words, str(os.getpid())],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            pass_fds=theirs,
            start_new_session=True,
            env={**os.environ, "PYTHONHASHSEED": "0"},
        )
        self._board = mmap.mmap(memory, BOARD.size)
        for descriptor in (*theirs, output):
            os.close(descriptor)
        self._place, self._changed_at, self._cpu_before_s = (0, 0), monotonic(), 0.0
        self._send(msgspec.json.encode(order))

    def begin(self, rounds: int) -> None:
        """Play some rounds."""
        self._changed_at = monotonic()
        self._send(msgspec.json.encode(rounds))

    def _send(self, payload: bytes) -> None:
        try:
            rest = memoryview(frame(payload))
            while rest:
                rest = rest[os.write(self._requests, rest) :]
        except BrokenPipeError:  # it has ended, which ``receive`` finds
            return

    def receive(self) -> Played | None:
        """What has been played; None as long as not all of it has arrived.

        Raises EOFError when the process has ended instead.
        """
        data = os.read(self.answers, CHUNK)
        if not data:
            raise EOFError
        payloads = self._frames.feed(data)
        return msgspec.json.decode(payloads[0], type=Played) if payloads else None

    @property
    def place(self) -> tuple[int, int]:
        """The round and the question that is being asked; 0 while the backend is loaded."""
        number, question, _ = BOARD.unpack(self._board[: BOARD.size])
        return number, question

    @property
    def comparisons(self) -> int:
        """Those of the lane so far."""
        return int(BOARD.unpack(self._board[: BOARD.size])[2])

    def is_stuck(self, seconds: float) -> bool:
        """Whether one question has taken so much CPU time, or ``PATIENCE`` times as long; also
        drains what the process prints.

        A busy machine does not end a solver so; and a solver that sleeps uses no CPU.
        """
        self._output.drain()
        place, now = self.place, monotonic()
        if place != self._place:
            self._place, self._changed_at, self._cpu_before_s = place, now, self._cpu_s()
        limit = seconds if place != (0, 0) else max(seconds, START_SECONDS)
        passed = now - self._changed_at
        if passed <= limit:
            return False
        return passed > PATIENCE * limit or self._cpu_s() - self._cpu_before_s > limit

    def _cpu_s(self) -> float:
        """CPU seconds of the process and all that it has started."""
        seen = (look_at(pid) for pid in tree_of(self._process.pid))
        return sum(one.cpu_s for one in seen if one is not None)

    @property
    def is_large(self) -> bool:
        """Whether it has grown so much that a new one should take its place."""
        seen = look_at(self._process.pid)
        return seen is not None and seen.resident_mb > MOST_MB

    def describe_end(self) -> str:
        """How it has ended, and what it printed last."""
        code = self._process.wait()
        how = f"exit status {code}"
        if code < 0:
            known = {one.value: one.name for one in Signals}
            how = known.get(-code, f"signal {-code}")
        lines = [line.strip() for line in self._output.text().splitlines() if line.strip()]
        return f"{how}: {lines[-1][:300]}" if lines else how

    def close(self) -> None:
        """End it, with all that it has started."""
        os.close(self._requests)
        kill_tree(self._process.pid)
        self._process.wait()
        remove_folders("", self._process.pid)
        os.close(self.answers)
        self._output.close()
        self._board.close()


def write_board(memory: mmap.mmap, number: int, question: int, comparisons: int) -> None:
    """Note which question is asked next."""
    BOARD.pack_into(memory, 0, number, question, comparisons)
