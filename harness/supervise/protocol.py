"""What supervisor and worker tell each other: messages on two pipes, and a scoreboard in memory.

Messages are frames of JSON (``harness.supervise.channels``) rather than of MessagePack, because
solutions hold integers of any size; a job and its answer cost about four microseconds more for it.
The supervisor sends one ``Start`` and then jobs; the worker answers with one ``Greeting`` and then
one ``Record`` a job. Where it checks the proofs of an answer before it sends that, it says so by a
``ProofCheck``. Before the first job of a puzzle family the supervisor sends the name of the family,
and the worker sends it back when it has imported it; before its first job at all it may be sent a
``WarmUp``, which it answers with a ``WarmedUp``. Neither is in any job's time, and before a job is
sent the worker has nothing of its instance.

The scoreboard is memory that both share, in which the worker notes each solution as it is found:
how many so far, and the first few kept; when optimising, the best so far, the best bound, and when
each came. A note is a store into shared memory, about a tenth of a microsecond for a count, so that
short jobs do not feel it; and since the memory outlives the worker, a kill or a crash at any moment
loses nothing that was proven. Its layout: eight 8-byte cells (job, count, which slot is valid,
length of slot 1, length of slot 2, job that was taken, CPU time in microseconds and memory in
kilobytes before it) and two slots of bytes. A slot is written in full before the cell that points
at it, and the two alternate, so a kill at any moment leaves a whole one behind. The supervisor
reads it when the worker has ended: a worker that notes on would soon be writing into the very slot
that is read.
"""

from __future__ import annotations

import mmap
import os

import msgspec

from backends.interface.api import Limits, Sink
from backends.interface.events import Emit, Event, SearchTrajectory, Step
from harness.job import Question
from harness.record import Version
from modelling.problem import Assignment

_JOB, _COUNT, _SLOT, _LENGTH_1, _LENGTH_2, _TAKEN, _CPU, _MEMORY = range(8)
_CELLS = 8
_SLOT_BYTES = 512 * 1024
_FIRST_SLOT = 4096
SIZE = _FIRST_SLOT + 2 * _SLOT_BYTES

KEPT = 10
"""Most solutions that are noted; those that a record keeps beyond them need the answer."""


class Start(msgspec.Struct, frozen=True):
    """The first frame that a worker gets: what to load, and where modules are found.

    ``once``: leave after one job. ``headroom_mb``: by so much may the addresses that are in use
    once the backend is loaded grow; None leaves them unlimited. ``memory_mb``: the limit on
    resident memory that is kept from outside; what is cached between jobs stays well below it.
    """

    backend: str
    path: list[str]
    once: bool = False
    headroom_mb: float | None = None
    memory_mb: float | None = None


class WarmUp(msgspec.Struct, frozen=True, array_like=True, tag="warm up"):
    """Asks the worker to warm up: to ask the backend ``times`` times, as its first job will."""

    times: int
    question: Question
    limits: Limits


class WarmedUp(msgspec.Struct, frozen=True, array_like=True, tag="warm"):
    """The warm-up has ended, with what the backend raised in it, if anything."""

    error: str = ""
    left_behind: int = 0


class ProofCheck(msgspec.Struct, frozen=True, array_like=True, tag="proof"):
    """The job is answered; its proofs are being checked, which takes at most ``seconds``."""

    seconds: float


class Greeting(msgspec.Struct, frozen=True, kw_only=True):
    """The first frame from a worker: it is ready, or ``error`` says why its backend is not."""

    version: Version
    import_s: float = 0.0
    error: str = ""


def number_of(value: object) -> object:
    """A NumPy number as a Python number; raises TypeError for anything else."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{value!r} is not a number")


# --- the scoreboard ---------------------------------------------------------------------------


class Sighting(msgspec.Struct):
    """What a job had found when it was last seen; each field is that of a record."""

    count: int = 0
    solutions: tuple[tuple[int, ...], ...] = ()
    objective: int | None = None
    bound: int | None = None
    incumbents: tuple[Step, ...] = ()


def shared_memory() -> int:
    """A new file descriptor of ``SIZE`` bytes of memory without a name."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("concord-scoreboard")
    else:
        import tempfile

        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    os.ftruncate(descriptor, SIZE)
    return descriptor


class Scoreboard:
    """One worker's board, opened on the same descriptor by the worker and by the supervisor."""

    def __init__(self, descriptor: int) -> None:
        self._memory = mmap.mmap(descriptor, SIZE)
        self._view = memoryview(self._memory)
        self._cells = self._view[: _CELLS * 8].cast("Q")

    def close(self) -> None:
        """Give the memory back."""
        self._cells.release()
        self._view.release()
        self._memory.close()

    def read(self, job: int) -> Sighting:
        """What is noted for ``job``, nothing of another one; nothing may be noted meanwhile."""
        cells = self._cells
        if cells[_JOB] != job:
            return Sighting()
        count, slot = cells[_COUNT], cells[_SLOT]
        if slot not in (1, 2):
            return Sighting(count)
        start = _FIRST_SLOT + (slot - 1) * _SLOT_BYTES
        kept = self._view[start : start + cells[_LENGTH_1 + slot - 1]]
        try:
            sighting = msgspec.json.decode(bytes(kept), type=Sighting)
        except msgspec.MsgspecError:  # a solver that runs wild has written over it
            return Sighting(count)
        # A kill may fall between noting a solution and its count.
        sighting.count = max(count, sighting.count)
        return sighting

    def take(self, job: int, cpu_s: float, memory_mb: float | None) -> None:
        """Note that ``job`` begins, and what the worker has used and holds at that moment."""
        cells = self._cells
        cells[_CPU], cells[_MEMORY] = int(cpu_s * 1e6), int((memory_mb or 0) * 1024)
        self._begin(job)
        cells[_TAKEN] = job

    def has_taken(self, job: int) -> bool:
        """Whether the worker has begun ``job``."""
        return self._cells[_TAKEN] == job  # type: ignore[no-any-return] # a memoryview of numbers

    @property
    def cpu_before_s(self) -> float:
        """CPU time of the worker and its ended children before the job that was taken."""
        return self._cells[_CPU] / 1e6  # type: ignore[no-any-return]

    @property
    def memory_before_mb(self) -> float | None:
        """What the worker held before the job that was taken; None where it cannot say."""
        return self._cells[_MEMORY] / 1024 or None

    def counter(self, job: int, keep: int | None) -> Sink:
        """A sink that counts the solutions of ``job`` and notes the first ``keep`` of them."""
        cells, put = self._cells, self._put
        most = KEPT if keep is None else min(keep, KEPT)
        kept: list[Assignment] = []
        count = 0
        self._begin(job)

        def see(values: Assignment) -> bool:
            nonlocal count
            count += 1
            if count <= most:
                kept.append(values)
                put(Sighting(count, tuple(kept)))
            cells[_COUNT] = count
            return True

        return see

    def incumbents(self, job: int, course: SearchTrajectory) -> Emit:
        """What notes the course of ``job``'s search for an optimum."""
        self._begin(job)

        def see(event: Event) -> bool:
            if course.take(event):
                shown = () if course.latest is None else (course.latest,)
                found = Sighting(len(shown), shown, course.objective, course.bound, course.steps)
                if not self._put(found):  # a solution too large to be noted: then none is claimed
                    self._put(Sighting(bound=found.bound, incumbents=found.incumbents))
            return True

        return see

    def _begin(self, job: int) -> None:
        cells = self._cells
        cells[_JOB] = 0
        cells[_COUNT] = cells[_SLOT] = 0
        cells[_JOB] = job

    def _put(self, sighting: Sighting) -> bool:
        """Note it in the other slot; false if it is too large for that."""
        payload = msgspec.json.encode(sighting, enc_hook=number_of)
        if len(payload) > _SLOT_BYTES:
            return False
        slot = 2 if self._cells[_SLOT] == 1 else 1
        start = _FIRST_SLOT + (slot - 1) * _SLOT_BYTES
        self._view[start : start + len(payload)] = payload
        self._cells[_LENGTH_1 + slot - 1] = len(payload)
        self._cells[_SLOT] = slot
        return True
