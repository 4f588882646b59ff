"""Backends that hang, crash, babble and hoard: each goes wrong in one way.

Each answers instances of another size than ``FAULT_AT`` honestly, so that a run can show that the
jobs after a fault are still done.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from liars import Honest

from backends.interface.api import Accepted, Ask, Limits, Refused, Result, Sink, Solutions
from backends.interface.collector import Collector
from backends.interface.events import Bound, Emit, Found
from modelling.brute_force import solutions
from modelling.problem import Problem

FAULT_AT = 3
"""The fault shows on instances with so many variables."""


class Faulty(Honest):
    def solve(
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        sink: Sink | None = None,
    ) -> Result:
        shows = problem.structure.size == FAULT_AT
        found = self.fault(problem, ask, sink) if shows else None
        return super().solve(problem, ask, limits, sink) if found is None else found

    def fault(self, *_: Any) -> Any:
        raise NotImplementedError


def failing(name: str, fault: Callable[[], Any]) -> type[Faulty]:
    """A backend whose fault needs no more than a call; what that returns is its answer, if any."""
    return type(name, (Faulty,), {"fault": lambda *_: fault()})


Leaves = failing("Leaves", lambda: os._exit(0))
SystemExits = failing("SystemExits", lambda: sys.exit(3))
NoResult = failing("NoResult", lambda: {"solved": True})
BadValues = failing("BadValues", lambda: Result(1, "enough", solutions=(("a", "b", "c"),)))
BadStatistics = failing(
    "BadStatistics", lambda: Result(0, "exhausted", statistics={"nodes": object()})
)
GivesUp = failing("GivesUp", lambda: Result(0, "gave_up"))
Late = failing("Late", lambda: time.sleep(0.35))
Aborts = failing("Aborts", lambda: os.abort())
ClosesPipe = failing("ClosesPipe", lambda: os.closerange(3, 64))
StopsItself = failing("StopsItself", lambda: os.kill(os.getpid(), signal.SIGSTOP))
EscapesAndAnswers = failing("EscapesAndAnswers", lambda: escape())


class Hang(Faulty):
    """Sleeps for ever, deaf to SIGTERM and SIGINT."""

    def fault(self, *_: Any) -> Any:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        while True:
            time.sleep(60)


class FindsThenHangs(Faulty):
    """Shows two solutions to the sink, then hangs."""

    def fault(self, problem: Problem, ask: Ask, sink: Sink | None) -> Any:
        assert sink is not None
        collector = Collector(ask, sink)
        for values in list(solutions(problem))[:2]:
            collector.add(values)
        time.sleep(60)


class FindsThenDies(Faulty):
    """Shows one solution to the sink, then crashes."""

    def fault(self, problem: Problem, ask: Ask, sink: Sink | None) -> Any:
        assert sink is not None
        sink(next(solutions(problem)))
        os.kill(os.getpid(), signal.SIGSEGV)


class Segfault(Faulty):
    def fault(self, *_: Any) -> Any:
        print("last words", flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)


class Raises(Faulty):
    def fault(self, *_: Any) -> Any:
        raise ZeroDivisionError("a bug of the solver")


class RaisesMarkup(Faulty):
    def fault(self, *_: Any) -> Any:
        raise ValueError("<script>document.title='taken'</script><img src=x onerror=alert(1)>")


class StopsShort(Faulty):
    """Calls one solution of two enough."""

    def fault(self, problem: Problem, ask: Ask, sink: Sink | None) -> Any:
        return Result(count=1, stopped_by="enough", solutions=(next(solutions(problem)),))


class Garbage(Faulty):
    """Writes foreign bytes to every pipe that it can find, then answers."""

    def fault(self, *_: Any) -> Any:
        for descriptor in range(3, 32):
            with contextlib.suppress(OSError):
                os.write(descriptor, b"\x00\x00\x00\x05hello, world")


class HalfFrame(Faulty):
    """Writes the beginning of a frame that never ends, and leaves."""

    def fault(self, *_: Any) -> Any:
        for descriptor in range(3, 32):
            with contextlib.suppress(OSError):
                os.write(descriptor, b"CnCd\x00\x00\x10\x00{")
        os._exit(0)


class Floods(Faulty):
    """Ten megabytes on standard output and as many on standard error."""

    def fault(self, *_: Any) -> Any:
        for _ in range(10):
            sys.stdout.write("." * (1 << 20))
            sys.stderr.write("!" * (1 << 20))


class FloodsThenRaises(Floods):
    def fault(self, problem: Problem, ask: Ask, sink: Sink | None) -> Any:
        super().fault(problem, ask, sink)
        print("the end", flush=True)
        raise ValueError("and a bug")


class LeavesChildren(Faulty):
    """Starts a child in its group and one in a session of its own, writes their ids, and hangs.

    The ids go to the file that the environment variable TINY_CHILDREN names.
    """

    def fault(self, *_: Any) -> Any:
        words = [sys.executable, "-c", "import time; time.sleep(120)"]
        children = [subprocess.Popen(words), subprocess.Popen(words, start_new_session=True)]
        with open(os.environ["TINY_CHILDREN"], "w") as file:
            file.write(" ".join(str(child.pid) for child in children))
        time.sleep(120)


class DiesWithChild(Faulty):
    """Forks a child that keeps every descriptor open, then dies at once."""

    def fault(self, *_: Any) -> Any:
        if os.fork() == 0:
            time.sleep(120)
            os._exit(0)
        os.kill(os.getpid(), signal.SIGKILL)


class Forks(Faulty):
    """Forks, and parent and child both come back with an answer."""

    def fault(self, *_: Any) -> Any:
        if os.fork() != 0:
            time.sleep(0.1)


class Hoards(Faulty):
    """Takes more and more memory."""

    def fault(self, *_: Any) -> Any:
        hoard = []
        while True:
            hoard.append(bytearray(b"x") * (20 << 20))
            time.sleep(0.02)


class OutOfMemory(Faulty):
    def fault(self, *_: Any) -> Any:
        raise MemoryError


class Refuses(Faulty):
    def accepts(self, problem: Problem) -> Accepted | Refused:
        if problem.structure.size == FAULT_AT:
            return Refused("three variables are too many")
        return Accepted()


class NotABackend:
    name = "nothing"


def explodes() -> object:
    """Raises when the backend is made."""
    raise RuntimeError("no licence")


def hangs_at_import() -> object:
    """Never returns when the backend is made."""
    time.sleep(120)
    return None


def dies_at_import() -> object:
    """Kills the worker when the backend is made."""
    os.kill(os.getpid(), signal.SIGKILL)
    return None


def dies_at_first() -> object:
    """Kills the worker when the backend is made, for the first TINY_FAILED_LOADS times.

    TINY_LOADS counts them; they all wait for the last one of them.
    """
    path, fail = Path(os.environ["TINY_LOADS"]), int(os.environ["TINY_FAILED_LOADS"])
    with path.open("a") as file:
        file.write("x")
        file.flush()
        number = file.tell()
    if number <= fail:
        while path.stat().st_size < fail:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGKILL)
    return Honest()


class ImprovesWithoutEnd(Faulty):
    """Notes ever better solutions as fast as it can."""

    def fault(self, problem: Problem, ask: Ask, sink: Sink | None) -> Any:
        assert sink is not None
        for number in itertools.count():
            sink((number,) * problem.structure.size)
        raise AssertionError


class ReportsThenHangs(Honest):
    """Tells better and worse solutions and bounds, with false words about them; then hangs."""

    emits = True

    def solve(
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        sink: Sink | None = None,
        *,
        emit: Emit | None = None,
    ) -> Result:
        assert emit is not None
        objective = problem.structure.objective
        assert objective is not None
        worst, better, *_, best = sorted(solutions(problem), key=objective.value)
        emit(Found(better, 1000, 1000.0))
        emit(Bound(30, 1000.0))
        emit(Found(worst, 1001, -1.0))
        emit(Bound(40, -1.0))
        emit(Found(best, 1002, 0.0))
        emit(Bound(20, 0.0))
        self.end()
        raise AssertionError

    def end(self) -> None:
        time.sleep(120)


class ReportsThenDies(ReportsThenHangs):
    """The same, and then crashes."""

    def end(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class ReportsThenRaises(ReportsThenHangs):
    """The same, and then raises."""

    def end(self) -> None:
        raise ValueError("a bug after the best")


class BoundlessGap(Honest):
    """Statistics that are no finite numbers, beside one that is."""

    def solve(self, *words: Any, **more: Any) -> Result:
        figures = {"gap": float("inf"), "ratio": float("nan"), "nodes": 3}
        return replace(super().solve(*words, **more), statistics=figures)


class HangsAtExit(Faulty):
    """Honest, but its process does not end by itself."""

    def __init__(self) -> None:
        import atexit

        atexit.register(time.sleep, 120)

    def fault(self, *_: Any) -> Any:
        return


class Slow(Honest):
    """Honest, a tenth of a second late."""

    def solve(self, *arguments: object, **more: object) -> Result:
        time.sleep(0.1)
        return super().solve(*arguments, **more)  # type: ignore[arg-type]


class ClosesPipeAndStays(Faulty):
    """Closes every descriptor and lives on."""

    def fault(self, *_: Any) -> Any:
        os.closerange(3, 64)
        time.sleep(120)


class StopsOnce(Faulty):
    """The first time it stops; the file that the environment names says that it did."""

    def fault(self, *_: Any) -> Any:
        note = Path(os.environ["STOPPED_ONCE"])
        if not note.exists():
            note.touch()
            os.kill(os.getpid(), signal.SIGSTOP)


class ProgramIsStopped(Faulty):
    """Waits for a program of its own, which is stopped."""

    def fault(self, *_: Any) -> Any:
        with subprocess.Popen(["sleep", "60"]) as program:
            program.send_signal(signal.SIGSTOP)


def escape() -> None:
    """Start a process that does what it can to be overlooked, and note its id.

    It forks twice, leads a session of its own, is deaf to SIGTERM, has an empty environment and
    closes what it inherited. The id goes as a line to the file that TINY_CHILDREN names, if any.
    """
    note = os.environ.get("TINY_CHILDREN")
    ready, write = os.pipe()
    if os.fork() == 0:
        os.setsid()
        between = os.getpid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            while os.getppid() == between:  # noted only once it hangs below whoever adopts it
                time.sleep(0.001)
            if note:
                with open(note, "a") as file:
                    file.write(f"{os.getpid()}\n")
            os.closerange(3, 64)
            os.execve("/bin/sleep", ["sleep", "120"], {})
        os._exit(0)
    os.close(write)
    os.read(ready, 1)  # until all copies of the other end are closed: the note is written
    os.close(ready)
    with contextlib.suppress(ChildProcessError):
        os.wait()


class Escapes(Faulty):
    """Leaves an escaped process behind, and hangs."""

    def fault(self, *_: Any) -> Any:
        escape()
        time.sleep(120)


class EscapesAndLeaves(Faulty):
    """Leaves an escaped process behind, and ends without an answer."""

    def fault(self, *_: Any) -> Any:
        escape()
        os._exit(0)


class Burns(Faulty):
    """Keeps two threads busy for ever; hashing runs without the interpreter's lock."""

    def fault(self, *_: Any) -> Any:
        import hashlib
        import threading

        block = bytes(1 << 20)

        def burn() -> None:
            while True:
                hashlib.sha256(block)

        threading.Thread(target=burn, daemon=True).start()
        burn()


class BurnsInChild(Faulty):
    """Waits for a child that burns CPU time."""

    def fault(self, *_: Any) -> Any:
        subprocess.run([sys.executable, "-c", "while True: pass"], check=False)


class HoardsFast(Faulty):
    """Takes a gigabyte in a second, up to eight."""

    def fault(self, *_: Any) -> Any:
        hoard = []
        started = time.perf_counter()
        for piece in range(1, 801):
            hoard.append(bytearray(b"x") * (10 << 20))
            time.sleep(max(0.0, started + piece / 100 - time.perf_counter()))


class KillsItsReaper(Faulty):
    """Kills the process that started it."""

    def fault(self, *_: Any) -> Any:
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)


class ForksIdlers(Faulty):
    """Forks children that share a hundred megabytes with it and only wait, and hangs."""

    def fault(self, *_: Any) -> Any:
        hoard = bytearray(b"x") * (100 << 20)
        for _ in range(10):
            if os.fork() == 0:
                time.sleep(120)
        time.sleep(120)
        return hoard


class HoardsInChild(Faulty):
    """Waits for a child that takes more and more memory."""

    def fault(self, *_: Any) -> Any:
        program = """
import time
hoard = []
for _ in range(200):
    hoard.append(bytearray(b"x") * (20 << 20))
    time.sleep(0.02)
"""
        subprocess.run([sys.executable, "-c", program], check=False)
        time.sleep(120)


class Touches(Faulty):
    """Touches a hundred megabytes of its own, and answers."""

    def fault(self, *_: Any) -> Any:
        import mmap

        with mmap.mmap(-1, 100 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
            for place in range(0, 100 << 20, 4096):
                memory[place] = 1


class Remembers(Honest):
    """Tells in its statistics how many jobs this object has seen, and where it may run."""

    def __init__(self) -> None:
        self.seen = 0

    def solve(
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        sink: Sink | None = None,
    ) -> Result:
        self.seen += 1
        note = os.environ.get("TINY_CALLS")
        if note:
            with open(note, "a") as file:
                file.write(f"{os.getpid()} {problem.structure.size}\n")
        if note and problem.structure.size == FAULT_AT:
            time.sleep(120)
        result = super().solve(problem, ask, limits, sink)
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
        return replace(result, statistics={"seen": self.seen, "cores": cores})


class DearAtFirst(Honest):
    """The first question in a process takes memory that stays, as loading a library does."""

    MB = 60

    kept = b""

    def solve(self, *arguments: Any, **more: Any) -> Result:
        if not DearAtFirst.kept:
            DearAtFirst.kept = os.urandom(self.MB << 20)
        return super().solve(*arguments, **more)


class KeepsInMemory(Honest):
    """Keeps what it has answered, and so answers it faster the second time."""

    SECONDS = 0.1

    def __init__(self) -> None:
        self.kept: dict[str, Result] = {}

    def solve(self, problem: Problem, *arguments: Any, **more: Any) -> Result:
        if problem.digest not in self.kept:
            time.sleep(self.SECONDS)
            found = super().solve(problem, *arguments, **more)
            self.keep(problem.digest, replace(found, phases={}))  # which would be longer than it
        return self.kept[problem.digest]

    def keep(self, digest: str, result: Result) -> None:
        self.kept[digest] = result


class KeepsOnDisk(KeepsInMemory):
    """The same for all workers, in the folder that the environment names."""

    def __init__(self) -> None:
        self.folder = Path(os.environ["KEPT_ANSWERS"])
        self.folder.mkdir(exist_ok=True)
        files = self.folder.iterdir()
        self.kept = {file.name: pickle.loads(file.read_bytes()) for file in files}

    def keep(self, digest: str, result: Result) -> None:
        super().keep(digest, result)
        (self.folder / digest).write_bytes(pickle.dumps(result))


class _InWarmUps(Honest):
    """The fault shows on the problems of warm-ups, which no test asks about."""

    def solve(self, problem: Problem, *arguments: Any, **more: Any) -> Result:
        if problem.structure.names == ("a", "b", "c", "d"):
            self.fault()
        return super().solve(problem, *arguments, **more)

    def fault(self) -> None:
        raise NotImplementedError


class DiesAlways(Honest):
    """On every problem, that of a warm-up too."""

    def solve(self, *arguments: Any, **more: Any) -> Result:
        os.kill(os.getpid(), signal.SIGSEGV)
        raise AssertionError("it has died")


class HangsInWarmUps(_InWarmUps):
    def fault(self) -> None:
        time.sleep(120)


class DiesInWarmUps(_InWarmUps):
    def fault(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class EscapesInWarmUps(_InWarmUps):
    def fault(self) -> None:
        escape()


class HoardsInWarmUps(_InWarmUps):
    def fault(self) -> None:
        hoard = []
        while True:
            hoard.append(bytearray(os.urandom(1 << 20)) * 8)


class RaisesInWarmUps(_InWarmUps):
    def fault(self) -> None:
        raise ValueError("not this one")


def starts_a_thread() -> object:
    """Starts a thread when the backend is made, as some libraries do when they are imported."""
    import threading

    threading.Thread(target=time.sleep, args=(120,), daemon=True).start()
    return Remembers()


class AnyOf(Faulty):
    """Each fault of ``FAULTS``; the number of values of the first variable chooses one."""

    LEAST = 4
    FAULTS = (
        *(Segfault, Leaves, HalfFrame, Raises, SystemExits, NoResult, BadValues, BadStatistics),
        *(Garbage, OutOfMemory, Refuses, GivesUp, Floods, FloodsThenRaises, Forks, StopsShort),
        *(FindsThenDies, Aborts, ClosesPipe, ClosesPipeAndStays, Hang),
        *(FindsThenHangs, DiesWithChild),
    )

    @classmethod
    def text(cls, name: str) -> str:
        """The tiny instance that shows the fault of that name."""
        number = [fault.__name__ for fault in cls.FAULTS].index(name)
        return f"{FAULT_AT} {cls.LEAST + number} -"

    def choose(self, problem: Problem) -> Faulty:
        return self.FAULTS[len(problem.structure.domains[0]) - self.LEAST]()

    def accepts(self, problem: Problem) -> Accepted | Refused:
        shows = problem.structure.size == FAULT_AT
        return self.choose(problem).accepts(problem) if shows else Accepted()

    def fault(self, problem: Problem, ask: Ask, sink: Sink | None) -> Any:
        return self.choose(problem).fault(problem, ask, sink)
