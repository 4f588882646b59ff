"""A backend with a changed line, hunted in a process of its own until the first finding.

The process is a fork of this one, which has loaded the harness and no backend. A hook of the import
system hands it the changed source. A finding counts only if the unchanged backend, in another fork,
does not make it. Seconds are those of the processor, from the first problem on, without what the
unchanged backend takes.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import multiprocessing
import os
import pickle
import random
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import CodeType, ModuleType

from backends.interface.api import Ask, Backend, Limits, Result, load_ahead
from harness.hunting.findings import Answer
from harness.hunting.fuzzing.hunt import HANG_SECONDS
from harness.hunting.fuzzing.playing.lane import Lane
from harness.hunting.fuzzing.playing.rounds import Again, Player, ask_again, get_backend
from harness.hunting.judging.answers import Wrong
from harness.hunting.judging.asked import Asked
from modelling.problem import Problem
from results.studies.mutation.planted.faults import ROOT, Planted

_fork = multiprocessing.get_context("fork")


TELL_SECONDS = 0.2
"""CPU seconds after which a fork says how far it is, for the case that it ends."""

MOST_SILENCE_S = 900.0
"""Seconds of the clock after which a fork that says nothing is ended, on however busy a machine."""


@dataclass(frozen=True)
class Hunted:
    """What a hunt came to: the cause of its first finding (empty: none), and what it took."""

    cause: str
    seconds: float
    rounds: int
    comparisons: int


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module from other source than its file has."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self._source = source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._source, self.path, "exec")


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the one module that a loader has."""

    def __init__(self, loader: _Loader) -> None:
        self._loader = loader

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != self._loader.name:
            return None
        return importlib.util.spec_from_file_location(name, loader=self._loader)


PRELOADED = (
    "ortools.sat.python.cp_model",
    "pysat.solvers",
    "pycosat",
    "clingo",
    "z3",
    "constraint",
)
"""Libraries that may be loaded before the fork, since they have no threads of their own then."""


def preload() -> None:
    """Load what each fork needs and no fault changes."""
    for name in PRELOADED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def plant(planted: Planted) -> None:
    """Change what this process will import."""
    if planted.module in sys.modules:
        raise RuntimeError(f"{planted.module} has been imported already")
    path = ROOT / planted.mutant.file
    source = planted.mutant.applied(path.read_text(encoding="utf-8"))
    sys.meta_path.insert(0, _Finder(_Loader(planted.module, str(path), source)))


class _Noted:
    """A backend that notes in a file what it is asked, for the case that it ends the process."""

    def __init__(self, backend: Backend, name: str, file: int) -> None:
        self._backend, self._name, self._file = backend, name, file

    def __getattr__(self, name: str) -> object:
        return getattr(self._backend, name)

    def solve(self, problem: Problem, ask: Ask, limits: Limits) -> Result:
        """The same answer."""
        data = pickle.dumps((self._name, problem, ask, limits))
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, data, 0)
        return self._backend.solve(problem, ask, limits)


class _FirstFinding(Exception):
    """The fault is found."""


@dataclass
class _Seeker(Player):
    """Plays until a finding that the unchanged backend does not make."""

    control: Connection | None = None
    noted: int = -1
    begun: float = 0.0
    taken: float = 0.0
    ignored: int = 0

    def _configure(self, rng: random.Random) -> tuple[str, Backend]:
        name, backend = super()._configure(rng)
        return name, _Noted(backend, name, self.noted)  # type: ignore[return-value]

    def report(
        self,
        asked: Asked,
        wrong: Wrong,
        claimed: Answer,
        backend: Backend,
        ask: Again | None = None,
    ) -> None:
        self.taken = _cpu_s() - self.begun
        assert self.control is not None
        self.control.send(asked)
        if self.control.recv():
            self.ignored += 1
            return
        raise _FirstFinding(f"{wrong.fault} ({wrong.authority}): {wrong.note[:150]}")


def _cpu_s() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class Control:
    """The unchanged backend in a process of its own."""

    def __init__(self) -> None:
        self.mine, theirs = _fork.Pipe()
        self._process: BaseProcess = _fork.Process(target=_answer, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()

    def survives(self, asked: bytes) -> bool:
        """Whether it answers what ended the other process."""
        try:
            self.mine.send(asked)
            return not self.mine.recv()
        except (EOFError, OSError):
            return False

    def close(self) -> None:
        """End it."""
        self.mine.close()
        self._process.kill()
        self._process.join()


def _answer(connection: Connection) -> None:
    _be_quiet()
    while True:
        try:
            asked = connection.recv()
        except EOFError:
            os._exit(0)
        if isinstance(asked, bytes):  # it may end this process
            name, problem, ask, limits = pickle.loads(asked)
            get_backend(name).solve(problem, ask, limits)
            connection.send(False)
        else:
            connection.send(ask_again(asked) is not None)


def _be_quiet() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)


@dataclass(frozen=True)
class _Order:
    """What to hunt, and how."""

    planted: Planted | None
    backend: str
    seed: int
    limit: float
    is_guided: bool


def hunt_planted(
    planted: Planted | None, backend: str, seed: int, limit: float, *, is_guided: bool
) -> Hunted:
    """Hunt a backend, with a fault (None: as it is), for ``limit`` CPU seconds at most.

    The end of the process, and a question of ``HANG_SECONDS``, are findings. Where the unchanged
    backend ends the process as well, the hunt begins again with another seed.
    """
    seconds, rounds, comparisons = 0.0, 0, 0
    while True:
        order = _Order(planted, backend, seed, limit - seconds, is_guided)
        found, is_planted = _hunt_once(order)
        seconds = round(seconds + found.seconds, 3)
        rounds, comparisons = rounds + found.rounds, comparisons + found.comparisons
        if is_planted or seconds >= limit:
            return Hunted(found.cause if is_planted else "", seconds, rounds, comparisons)
        seed += 1000


def _hunt_once(order: _Order) -> tuple[Hunted, bool]:
    """What a process came to; and False where the unchanged backend ends it as well."""
    control = Control()
    mine, theirs = _fork.Pipe()
    with tempfile.TemporaryFile() as noted, tempfile.TemporaryDirectory() as folder:
        arguments = (order, Path(folder), control.mine, theirs, noted.fileno())
        process = _fork.Process(target=_seek, args=arguments, daemon=True)
        process.start()
        theirs.close()
        last = Hunted("", 0.0, 0, 0)
        try:
            while mine.poll(MOST_SILENCE_S):
                last = mine.recv()
                if last.cause:
                    return last, True
            return replace(last, cause="hang: it sleeps"), True
        except EOFError:
            process.join()
            if process.exitcode == 0:
                return last, True
            noted.seek(0)
            found = _describe_end(last, process.exitcode or 0)
            return found, found.cause.startswith("hang") or control.survives(noted.read())
        finally:
            process.kill()
            process.join()
            control.close()


def _describe_end(last: Hunted, code: int) -> Hunted:
    name = signal.Signals(-code).name if code < 0 else f"exit status {code}"
    if name == "SIGPROF":
        seconds = last.seconds + HANG_SECONDS
        return replace(last, cause=f"hang after {HANG_SECONDS:g} s", seconds=seconds)
    return replace(last, cause=f"crash: {name}")


def _seek(
    order: _Order, folder: Path, control: Connection, answers: Connection, noted: int
) -> None:
    """In the fork: play rounds until the limit, or until there is a finding."""
    _be_quiet()
    lane = Lane(order.backend)

    def note(number: int, question: int, comparisons: int) -> None:
        signal.setitimer(signal.ITIMER_PROF, HANG_SECONDS)

    def tell(seconds: float, cause: str = "") -> None:
        answers.send(Hunted(cause[:200], round(seconds, 3), lane.rounds, lane.comparisons))

    seeker = _Seeker(order.seed, lane, folder, note, {}, order.is_guided)
    seeker.control, seeker.noted = control, noted
    try:
        if order.planted is not None:
            plant(order.planted)
        load_ahead(get_backend(order.backend))
        seeker.begun = _cpu_s()
        _play(seeker, order.limit, tell)
    except _FirstFinding as finding:
        tell(seeker.taken, str(finding))
    except BaseException as error:  # whatever a changed line raises, where nobody expects it
        taken = _cpu_s() - seeker.begun if seeker.begun else 0.0
        tell(taken, f"crash of the hunt: {error!r}")
    answers.close()
    os._exit(0)


def _play(seeker: _Seeker, limit: float, tell: Callable[[float], None]) -> None:
    spent = told = 0.0
    while spent < limit:
        seeker.play()
        spent = _cpu_s() - seeker.begun
        if spent - told > TELL_SECONDS:
            tell(spent)
            told = spent
    tell(spent)
