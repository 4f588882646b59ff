"""The supervisor's side of its processes: the reapers, and the workers that these start.

A reaper runs in an interpreter of its own, started by ``subprocess``; its orders come through a
socket of its own. So it works from a notebook, from a script without a main guard, and from a
process that may have no children by multiprocessing (a Dask worker's). A worker is the reaper's
child. Its interpreter gets the supervisor's module path in its first frame, so that it finds the
same code, however the project was installed; one for a release of a solver is an interpreter of the
release's environment, and finds the same code of Concord. Hash randomisation is off in both, so
that a solver that iterates over a set does the same at each repeat.
"""

from __future__ import annotations

import errno
import os
import signal
import socket
import subprocess
from contextlib import ExitStack, suppress
from dataclasses import InitVar, dataclass, field
from enum import Enum
from tempfile import gettempdir
from time import perf_counter

import msgspec

from harness.environments.interpreter import Interpreter
from harness.job import Job
from harness.record import Record
from harness.supervise.cgroups import Group
from harness.supervise.channels import CHUNK, Control, Frames, Message, OutputTail, frame
from harness.supervise.hiding import choose_hidden
from harness.supervise.processes import LINUX, MB, TOKEN, kill_tree, look_at, sweep
from harness.supervise.protocol import Greeting, Scoreboard, Start, shared_memory
from harness.supervise.sandbox.wanted import IN_REACH, REMEDY
from modelling.errors import ExperimentError, WorkerError

with suppress(ImportError):  # Windows has none, and starts no workers
    import resource

FOREVER = float("inf")
RESERVED = 24
"""Descriptors that are left to the supervisor's own files: the store's, those of /proc."""

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


@dataclass(eq=False)
class ReaperProcess:
    """A running reaper; with a ``backend`` a fork server that loads it, by ``interpreter``.

    ``token`` marks it and all its workers. ``name`` is what the pool knows it by. ``hide`` are the
    folders that its workers do not see, where that can be had. ``ready`` once it listens;
    ``isolation`` then says what they are kept away from. ``printed`` and ``status`` are its last
    output and its exit status, once it has ended.
    """

    backend: str
    token: str
    name: str
    interpreter: Interpreter
    hide: tuple[str, ...] = ()
    sandbox: str = ""
    ready: bool = False
    isolation: str = ""
    printed: str = ""
    status: int | None = None

    def __post_init__(self) -> None:
        if os.name != "posix":
            raise WorkerError(
                "runs under a time limit need Linux or macOS; on this platform use `concord solve`"
            )
        ours, theirs = socket.socketpair()
        printed, output = os.pipe()
        self.output = OutputTail(printed)
        self._control = Control(ours)
        # A fork server needs what is installed, and psutil is; a bare reaper starts faster without.
        options = ["-X", "faulthandler"] if self.backend or not LINUX else ["-S"]
        python, source = self.interpreter.python, self.interpreter.source
        words = [python, "-P", *options, "-c", _BOOT, source, str(theirs.fileno())]
        environment = {"PYTHONHASHSEED": "0", **os.environ, TOKEN: self.token}
        try:
            self.process = subprocess.Popen(
                [*words, str(os.getpid())],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                env=environment | _ONE_THREAD if self.backend else environment,
            )
        except OSError:
            ours.close()
            self.output.close()
            raise
        finally:
            theirs.close()
            os.close(output)
        needed = [os.getcwd(), gettempdir(), source, *self.interpreter.path]
        hide, why = choose_hidden(self.hide, filter(None, needed))
        first: Message = {
            "load": self.backend,
            "path": self.interpreter.path,
            "hide": hide,
            "why": why,
            "sandbox": self.sandbox,
        }
        self.send(first)

    def fileno(self) -> int:
        """The control socket, to wait for."""
        return self._control.connection.fileno()

    def send(self, message: Message, descriptors: tuple[int, ...] = ()) -> None:
        """Tell it what its protocol has (``harness.supervise.reaper``)."""
        if self.fileno() >= 0:
            with suppress(ConnectionError):  # it has ended; the end of the socket says so
                self._control.send(message, descriptors)

    def receive(self) -> tuple[list[Message], bool]:
        """What it has said, and whether it is still there."""
        messages, there = self._control.receive()
        for message in messages:
            if message["event"] == "ready":
                self.ready, self.isolation = True, message["isolation"]
                if self.sandbox == "require" and IN_REACH in self.isolation:
                    raise ExperimentError(f"sandbox: {self.isolation}; {REMEDY}")
        return messages, there

    def ensure_running(self) -> None:
        """Let it continue where a signal has stopped it: it starts and ends workers for us."""
        seen = look_at(self.process.pid)
        if seen is not None and seen.is_stopped:
            with suppress(OSError):  # it has ended
                self.process.send_signal(signal.SIGCONT)

    def end(self) -> None:
        """Let it kill its workers and leave, or kill all."""
        self.printed = self.output.text()
        self.ensure_running()
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


# --- workers -------------------------------------------------------------------------------


class State(Enum):
    """What a worker does; in the first four its job is under way and it holds a slot."""

    LOADING = "loads the backend, or the puzzle family of its job"
    WARMING = "warms up before it is sent its job"
    RUNNING = "runs its job"
    CHECKING = "has answered its job, and has the proofs of the answer checked"
    IDLE = "waits for a job of its backend"
    LEAVING = "was asked to leave"
    KILLED = "is being killed, with all that it has started"


ENDING = frozenset({State.LEAVING, State.KILLED})


@dataclass
class Attempt:
    """A job in the hands of a worker, and what was seen of it; ``renew`` makes the next attempt.

    ``cold``          why it runs without a warm-up: one before it came to no end
    ``was_untaken``   the worker of an attempt before had died before it took the job
    ``was_lost``      the reaper of an attempt before was lost
    ``hindered``      why an attempt before was lost: a process of it was stopped, say
    ``sent_at``       when it was sent, by ``perf_counter``; None while the worker loads
    ``warm_up``       what went wrong in the warm-up before it
    ``kills_before``  how many of the worker's group the kernel had killed before the job
    ``most_mb``       the most memory of the whole tree that was seen during the job
    ``answered_at``   when its worker said that it was answered, and had its proofs checked
    ``failure``       the record of a job that its worker is killed for; complete when that is gone
    """

    job: Job
    cold: str = ""
    was_untaken: bool = False
    was_lost: bool = False
    hindered: str = ""
    sent_at: float | None = None
    warm_up: str = ""
    kills_before: int = 0
    most_mb: float = 0.0
    answered_at: float | None = None
    failure: Record | None = None

    def renew(self) -> Attempt:
        """The job again, with nothing seen of it."""
        return Attempt(self.job, self.cold, self.was_untaken, self.was_lost, self.hindered)


@dataclass(eq=False)
class WorkerProcess:
    """A worker for one backend, which ``start`` names; ``number`` counts those of a session.

    Raises OSError, with nothing left of it, when descriptors or memory are used up.

    ``interpreter``  what it runs by
    ``slot``      the slot that it holds, if any; ``cores`` are those that it may run on, or empty
    ``repeat``    the repeat whose jobs it serves: those of others go to other workers
    ``families``  the puzzle families that it has imported
    ``is_warm``   it has warmed up, or is not to: its first job comes after a warm-up that failed
    ``warming_at``, ``warm_up_s``  when it was asked to warm up, and how long it took; the latter is
                  None where it did not
    ``version``   the id of what it has loaded, with its ``greeting``
    ``deadline``  when it is too late for what its state says; ``look_at``, when to compare what its
                  job uses with the limits: moments of ``perf_counter``, as all times here
    ``unsent``    what waits for the pipe to take it; ``frames`` what has arrived
    ``hung_up``   it has closed its end of the answers
    ``pid``, ``inherited_mb``, ``status``  what the reaper has said so far: None until it runs, the
                  memory that it shares with a fork server, None until it has ended
    """

    reaper: ReaperProcess
    number: int
    start: InitVar[Start]
    attempt: Attempt
    cores: tuple[int, ...]
    group: Group | None
    interpreter: Interpreter
    state: State = State.LOADING
    slot: int | None = None
    served: int = 0
    families: set[str] = field(default_factory=set)
    is_warm: bool = False
    warming_at: float = FOREVER
    warm_up_s: float | None = None
    greeting: Greeting | None = None
    version: str = ""
    deadline: float = FOREVER
    look_at: float = FOREVER
    hung_up: bool = False
    pid: int | None = None
    inherited_mb: float = 0.0
    status: int | None = None
    frames: Frames = field(default_factory=Frames)
    unsent: bytes = b""

    def __post_init__(self, start: Start) -> None:
        self.backend = start.backend
        self.repeat = self.attempt.job.repeat
        self.started_at = self.heard_at = perf_counter()
        with ExitStack() as ours, ExitStack() as theirs:
            requests, self.requests = _open_pipe(theirs, ours)
            self.answers, answers = _open_pipe(ours, theirs)
            printed, output = _open_pipe(ours, theirs)
            memory = shared_memory()
            theirs.callback(os.close, memory)
            most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
            if most != resource.RLIM_INFINITY and memory >= most - RESERVED:
                # The supervisor could not continue with so few left.
                raise OSError(errno.EMFILE, f"of {most} descriptors (ulimit -n) hardly any is left")
            self.output = OutputTail(printed)
            self.board = Scoreboard(memory)
            ours.callback(self.board.close)
            how: Message = {"start": self.number, "join": [], "limit": [], "cores": self.cores}
            how["family"] = self.attempt.job.family
            how["python"], how["source"] = self.interpreter.python, self.interpreter.source
            if self.group is not None:
                ours.callback(self.group.remove)
                self.group.make()
                how["join"] = self.group.joins()
                if start.memory_mb is not None:
                    how["limit"] = self.group.limits(int(start.memory_mb * MB))
            self.reaper.send(how, (requests, answers, output, memory))
            ours.pop_all()
        for descriptor in (self.requests, self.answers):
            os.set_blocking(descriptor, False)
        self.send(msgspec.json.encode(start))

    @property
    def has_job(self) -> bool:
        """Whether its job is under way."""
        return self.state not in ENDING and self.state is not State.IDLE

    @property
    def loads(self) -> str:
        """What it loads as long as its job was not sent."""
        if self.greeting is None:
            return "the backend"
        return f"the puzzle family {self.attempt.job.family}"

    # --- talking ---------------------------------------------------------------------------

    def send(self, payload: bytes) -> None:
        """Write one frame; what the pipe does not take at once is left to ``flush``."""
        self.unsent += frame(payload)
        self.flush()

    def flush(self) -> None:
        """Write what is left of the last frame, as far as the pipe takes it."""
        try:
            written = os.write(self.requests, self.unsent)
        except BlockingIOError:
            return
        except BrokenPipeError:  # it has died; its reaper says so
            written = len(self.unsent)
        self.unsent = self.unsent[written:]

    def receive(self) -> list[bytes]:
        """The payloads that have arrived. Raises WorkerError on foreign bytes."""
        try:
            data = os.read(self.answers, CHUNK)
        except BlockingIOError:
            return []
        self.heard_at = perf_counter()
        self.hung_up = not data
        return self.frames.feed(data)

    # --- its job ---------------------------------------------------------------------------

    def job_cpu_s(self, cpu_s: float) -> float:
        """CPU seconds of the job, when the worker's tree has used ``cpu_s``; 0 until it begins."""
        if not self.board.has_taken(self.attempt.job.number):
            return 0.0
        return max(0.0, cpu_s - self.board.cpu_before_s)

    def was_oom(self) -> bool:
        """Whether the kernel has killed a part of it for want of memory during its job."""
        return self.group is not None and self.group.kills() > self.attempt.kills_before

    def died_idle(self) -> bool:
        """Whether it had ended before it took its job, which is then not at fault."""
        before = self.served - (self.attempt.sent_at is not None)
        return before > 0 and not self.board.has_taken(self.attempt.job.number)

    def sign(self, record: Record) -> None:
        """Write into a record who ran its job."""
        record.worker, record.nth = self.number, self.served
        record.isolation = self.reaper.isolation
        record.cores = ",".join(map(str, self.cores))
        if self.greeting is not None:
            record.version, record.import_s = self.version, self.greeting.import_s
            record.warm_up_s = self.warm_up_s
            record.backend_family = self.greeting.version.family

    # --- moving and ending -----------------------------------------------------------------

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
        if self.group is not None:
            self.group.remove()


def _open_pipe(reader: ExitStack, writer: ExitStack) -> tuple[int, int]:
    ends = os.pipe()
    for owner, end in zip((reader, writer), ends, strict=True):
        owner.callback(os.close, end)
    return ends
